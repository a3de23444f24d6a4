"""Convolution over one, two or three axes, and its way back."""

from __future__ import annotations

from typing import Any

from ...core.define import define, pair
from ...core.op import TENSORS as T
from ...core.public import public
from ...core.record import operand
from ...core.tensor import Tensor
from ...kernels import conv as K
from ...kernels.arguments import with_axes
from ...kernels.sliding import spans
from ...texts import say
from .sliding import explicit_padding, one_of_any_case, padding_for, per_axis, same_padding

pair(
    "kept_weight_grad", K.kept_weight_grad,
    lambda g, x, kernel, patches, **k: T.convolution_weight_grad(g, x, kernel, **k),
)  # fmt: skip


def _weight_gradient(F: Any, g: Any, out: Any, x: Any, w: Any, patches: Any = None, **k: Any) -> Any:
    if patches is None:
        return F.convolution_weight_grad(g, x, w.shape[2:], **k)
    return F.kept_weight_grad(g, x, w.shape[2:], patches, **k)


convolution = define(
    "convolution", K.convolution,
    (lambda F, g, out, x, w, patches=None, **k: F.transposed_convolution(g, w, x.shape[2:], **k), _weight_gradient),
    saves=("patches",), label="Conv", floats=(0, 1), public=False, source="LeCun et al. 1989",
    card=("y = x ∗ w", "∂x = g ∗ w {flipped}", "∂w = x ∗ g"),
)  # fmt: skip
transposed_convolution = define(
    "transposed_convolution", K.transposed_convolution,
    (
        lambda F, g, out, x, w, size, **k: F.convolution(g, w, **k),
        lambda F, g, out, x, w, size, **k: F.convolution_weight_grad(x, g, w.shape[2:], **k),
    ),
    label="ConvTranspose", floats=(0, 1), public=False, source="Dumoulin & Visin 2016",
    card=("y = x ∗ w {flipped}", "∂x = g ∗ w", "∂w = g ∗ x"),
)  # fmt: skip
define(
    "convolution_weight_grad", K.convolution_weight_grad,
    (
        lambda F, h, out, g, x, kernel, **k: F.convolution(x, h, **k),
        lambda F, h, out, g, x, kernel, **k: F.transposed_convolution(g, h, x.shape[2:], **k),
    ),
    public=False, source="LeCun et al. 1989",
    card=("y = x ∗ g", "∂g = x ∗ h", "∂x = g ∗ h {flipped}"),
)  # fmt: skip


def _convolve(
    axes: int, x: Any, weight: Any, bias: Any, stride: Any, pad_mode: Any, padding: Any, dilation: Any, groups: Any
) -> Tensor:
    """Convolution over the last ``axes`` axes with the arguments as the public forms take them."""
    x, weight = operand(x), operand(weight)
    stride, dilation = per_axis("stride", stride, axes), per_axis("dilation", dilation, axes)
    (groups,) = per_axis("groups", groups, 1)
    if x.ndim == weight.ndim == axes + 2:
        pad = padding_for(x, pad_mode, padding, weight.shape[2:], stride, dilation)
    else:
        pad = explicit_padding(pad_mode, padding, axes)  # the kernel will refuse
    out = convolution(x, weight, stride=stride, pad=pad, dilation=dilation, groups=groups)
    return out if bias is None else T.bias_add(out, bias)


@public("conv1d", shows="convolution")
def conv1d(
    input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: Any = 1, pad_mode: str = "valid",
    padding: Any = 0, dilation: Any = 1, groups: int = 1,
) -> Tensor:  # fmt: skip
    """1-d convolution (cross-correlation) of (N, C, L) with (O, C / groups, k). See :func:`conv2d`."""
    return _convolve(1, input, weight, bias, stride, pad_mode, padding, dilation, groups)


@public("conv2d", shows="convolution")
def conv2d(
    input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: Any = 1, pad_mode: str = "valid",
    padding: Any = 0, dilation: Any = 1, groups: int = 1,
) -> Tensor:  # fmt: skip
    """2-d convolution (cross-correlation).

    Args:
        input: (N, C, H, W).
        weight: (O, C / groups, kh, kw).
        bias: (O,) or None.
        stride, dilation: int or (vertical, horizontal).
        pad_mode: ``"valid"``, ``"same"`` or ``"pad"`` (then ``padding``: int, (v, h) or (top, bottom, left, right)).
        groups: number of channel groups.

    Returns:
        (N, O, H', W').
    """
    return _convolve(2, input, weight, bias, stride, pad_mode, padding, dilation, groups)


@public("conv3d", shows="convolution")
def conv3d(
    input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: Any = 1, pad_mode: str = "valid",
    padding: Any = 0, dilation: Any = 1, groups: int = 1,
) -> Tensor:  # fmt: skip
    """3-d convolution (cross-correlation) of (N, C, D, H, W) with (O, C / groups, kd, kh, kw). See :func:`conv2d`."""
    return _convolve(3, input, weight, bias, stride, pad_mode, padding, dilation, groups)


def conv_transpose(
    x: Tensor, weight: Tensor, bias: Tensor | None, stride: Any, pad_mode: str, padding: Any, dilation: Any,
    groups: int, output_padding: Any = 0,
) -> Tensor:  # fmt: skip
    """The way back of a convolution from C channels to O: (N, O, …) to (N, C, …), weight (O, C / groups, …).

    The result has ``stride`` times the size with pad_mode ``"same"``; that, and what the kernel reaches over the
    stride, with ``"valid"``; ``output_padding`` more with ``"pad"``.
    """
    kernel, axes = weight.shape[2:], weight.ndim - 2
    x = with_axes("input", operand(x), axes + 2, axes + 2)
    stride, dilation = per_axis("stride", stride, axes), per_axis("dilation", dilation, axes)
    extra = per_axis("output_padding", output_padding, axes, least=0)
    pad = explicit_padding(pad_mode, padding, axes)
    mode = pad_mode.lower()
    size = []
    for i, (length, span, hop) in enumerate(zip(x.shape[2:], spans(kernel, dilation), stride, strict=False)):
        reached = (length - 1) * hop + span
        full = {"same": length * hop, "valid": max(reached, length * hop), "pad": reached}
        size.append(full[mode] - pad[2 * i] - pad[2 * i + 1] + extra[i])
    if mode == "same":
        pad = same_padding(size, kernel, stride, dilation)
    out = transposed_convolution(x, weight, tuple(size), stride=stride, pad=pad, dilation=dilation, groups=groups)
    return out if bias is None else T.bias_add(out, bias)


def _check_class(weight: Tensor, channels: Any, kernel_size: Any, axes: int, mode: Any, data_format: Any) -> None:
    """What the class forms are told about the weight and the layout must hold."""
    one_of_any_case("mode", mode, (1,))
    one_of_any_case("data_format", data_format, ("NCHW" if axes == 2 else "NCDHW",))
    wanted = (*channels, *per_axis("kernel_size", kernel_size, axes))
    if weight.ndim != axes + 2 or any(w not in ("C", got) for w, got in zip(wanted, weight.shape, strict=True)):
        raise ValueError(say("errors.conv_weight", wanted=f"({', '.join(map(str, wanted))})", got=weight.shape))


def _convolution_class(name: str, axes: int, layout: str) -> None:
    def _class(
        x: Tensor, weight: Tensor, out_channel: int, kernel_size: Any, mode: int = 1, pad_mode: str = "valid",
        pad: Any = 0, stride: Any = 1, dilation: Any = 1, group: int = 1, data_format: str = layout,
    ) -> Tensor:  # fmt: skip
        _check_class(weight, (out_channel, "C"), kernel_size, axes, mode, data_format)
        return _convolve(axes, x, weight, None, stride, pad_mode, pad, dilation, group)

    _class.__doc__ = f"Convolution as an object: ``ops.{name}(out_channel, kernel_size)(x, weight)``."
    init = ("out_channel", "kernel_size", "mode", "pad_mode", "pad", "stride", "dilation", "group", "data_format")
    public(primitive=name, init=init)(_class)


_convolution_class("Conv2D", 2, "NCHW")
_convolution_class("Conv3D", 3, "NCDHW")


@public(
    primitive="Conv2DTranspose",
    init=(
        "out_channel", "kernel_size", "pad_mode", "pad", "pad_list", "mode", "stride", "dilation", "group",
        "data_format",
    ),
)  # fmt: skip
def _conv2d_transpose_class(
    x: Tensor, weight: Tensor, input_size: Any, out_channel: int, kernel_size: Any, pad_mode: str = "valid",
    pad: Any = 0, pad_list: Any = None, mode: int = 1, stride: Any = 1, dilation: Any = 1, group: int = 1,
    data_format: str = "NCHW",
) -> Tensor:  # fmt: skip
    """The way back of a convolution to an input of ``input_size``, (N, C, H, W)."""
    _check_class(weight, (x.shape[1], "C"), kernel_size, 2, mode, data_format)
    size = per_axis("input_size", input_size, 4)[2:]
    steps = {"stride": per_axis("stride", stride, 2), "dilation": per_axis("dilation", dilation, 2)}
    padding = explicit_padding(pad_mode, pad if pad_list is None else pad_list, 2)
    if pad_mode.lower() == "same":
        padding = same_padding(size, weight.shape[2:], **steps)
    return transposed_convolution(x, weight, size, pad=padding, groups=group, **steps)


@public(
    primitive="Conv3DTranspose",
    init=(
        "in_channel", "out_channel", "kernel_size", "mode", "pad_mode", "pad", "stride", "dilation", "group",
        "output_padding", "data_format",
    ),
)  # fmt: skip
def _conv3d_transpose_class(
    x: Tensor, weight: Tensor, in_channel: int, out_channel: int, kernel_size: Any, mode: int = 1,
    pad_mode: str = "valid", pad: Any = 0, stride: Any = 1, dilation: Any = 1, group: int = 1,
    output_padding: Any = 0, data_format: str = "NCDHW",
) -> Tensor:  # fmt: skip
    """The way back of a convolution as an object, from ``in_channel`` channels to ``out_channel``."""
    _check_class(weight, (in_channel, out_channel // group), kernel_size, 3, mode, data_format)
    return conv_transpose(x, weight, None, stride, pad_mode, pad, dilation, group, output_padding)
