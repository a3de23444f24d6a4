"""Convolution."""

from __future__ import annotations

from typing import Any

from ..core.define import define
from ..core.op import TENSORS as T
from ..core.public import public
from ..core.tensor import Tensor
from ..kernels import conv as K
from ..texts import say

convolution = define(
    "convolution", K.convolution,
    (
        lambda F, g, out, x, w, **k: F.convolution_input_grad(g, w, x.shape, **k),
        lambda F, g, out, x, w, **k: F.convolution_weight_grad(g, x, w.shape[2:], **k),
    ),
    label="Conv2d", public=False,
    card=("y = x ∗ w", "∂x = g ∗ w, {turned}", "∂w = x ∗ g"),
)  # fmt: skip
define(
    "convolution_input_grad", K.convolution_input_grad,
    (
        lambda F, h, out, g, w, shape, **k: F.convolution(h, w, **k),
        lambda F, h, out, g, w, shape, **k: F.convolution_weight_grad(g, h, w.shape[2:], **k),
    ),
    public=False, card=("y = g ∗ w, {turned}", "∂g = h ∗ w", "∂w = h ∗ g"),
)  # fmt: skip
define(
    "convolution_weight_grad", K.convolution_weight_grad,
    (
        lambda F, h, out, g, x, kernel, **k: F.convolution(x, h, **k),
        lambda F, h, out, g, x, kernel, **k: F.convolution_input_grad(g, h, x.shape, **k),
    ),
    public=False, card=("y = x ∗ g", "∂g = x ∗ h", "∂x = g ∗ h, {turned}"),
)  # fmt: skip


def positive_pair(what: str, value: Any) -> tuple[int, int]:
    """An int or a pair of ints above 0 as a pair (vertical, horizontal)."""
    two = tuple(value) if isinstance(value, (tuple, list)) else (value, value)
    if len(two) != 2 or not all(isinstance(v, int) and v > 0 for v in two):
        raise ValueError(say("errors.conv_size", what=what, got=value))
    return two


def explicit_padding(pad_mode: str, padding: Any) -> K.Pad:
    """``padding`` as (top, bottom, left, right), checked; only pad_mode "pad" may have any."""
    if pad_mode not in ("same", "valid", "pad"):
        raise ValueError(say("errors.pad_mode", got=repr(pad_mode)))
    four = tuple(padding) if isinstance(padding, (tuple, list)) else (padding,) * 4
    if len(four) == 2:
        four = (four[0], four[0], four[1], four[1])
    if len(four) != 4 or not all(isinstance(p, int) and p >= 0 for p in four):
        raise ValueError(say("errors.padding", got=padding))
    if pad_mode != "pad" and any(four):
        raise ValueError(say("errors.padding_mode", pad_mode=repr(pad_mode), padding=padding))
    return four


def _same_padding(*sizes: tuple[int, ...]) -> K.Pad:
    """Padding for an output of ⌈in / stride⌉, the odd pixel at bottom and right."""
    height, width = (
        max((-(-size // stride) - 1) * stride + (kernel - 1) * dilation + 1 - size, 0)
        for size, kernel, stride, dilation in zip(*sizes, strict=True)
    )
    return (height // 2, height - height // 2, width // 2, width - width // 2)


@public("conv2d")
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
    strides, dilations = positive_pair("stride", stride), positive_pair("dilation", dilation)
    pad = explicit_padding(pad_mode, padding)
    if pad_mode == "same" and input.ndim == weight.ndim == 4:
        pad = _same_padding(input.shape[2:], weight.shape[2:], strides, dilations)
    out = convolution(input, weight, stride=strides, pad=pad, dilation=dilations, groups=groups)
    return out if bias is None else T.bias_add(out, bias, 1)
