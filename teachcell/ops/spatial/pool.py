"""Pooling: the largest element, the mean or the p-norm of sliding windows."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.card import Kink
from ...core.define import define, pair
from ...core.dtypes import as_dtype
from ...core.op import TENSORS as T
from ...core.public import public
from ...core.record import operand
from ...core.tensor import Tensor, wrap
from ...kernels import pool as K
from ...kernels.arguments import in_interval
from ...kernels.sliding import Pad, Sizes, spans
from ...texts import say
from .sliding import ceil_padding, one_of_any_case, padding_for, per_axis


def put_in_planes(F: Any, g: Any, shape: tuple[int, ...], index: np.ndarray, axes: int) -> Any:
    """g added up at ``index`` in an array of ``shape``, whose last ``axes`` axes the index numbers end to end."""
    planes, rows = K.planes_of(shape, axes), K.rows_of(index, axes)
    return F.reshape(F.put(F.reshape(g, rows[1].shape), planes, rows), shape)


def take_from_planes(x: Tensor, index: np.ndarray, axes: int) -> Tensor:
    """The elements of x at ``index``, which numbers its last ``axes`` axes end to end."""
    rows = T.getitem(T.reshape(x, K.planes_of(x.shape, axes)), K.rows_of(index, axes))
    return T.reshape(rows, index.shape)


def _max_pool_grad_twin(g: Tensor, x: Tensor, out: Tensor, **window: Any) -> Tensor:
    return put_in_planes(T, g, x.shape, K.max_pool_index(x._array, **window), len(window["kernel"]))


pair("max_pool_grad", K.max_pool_grad, _max_pool_grad_twin)
max_pool = define(
    "max_pool", K.max_pool, (lambda F, g, out, x, **k: F.max_pool_grad(g, x, out, **k),),
    keeps="inputs output", floats=(0,), public=False, source="Riesenhuber & Poggio 1999",
    card=("y = max x {of_window}", "∂x = g {at_first_largest}"),
    kinks=(
        Kink(
            ([[5.0, 5.0, 1.0]],), ([[1.0, 0.0, 0.0]],),
            {"kernel": (3,), "stride": (1,), "pad": (0, 0), "dilation": (1,)},
        ),
    ),
)  # fmt: skip
avg_pool = define(
    "avg_pool", K.avg_pool, (lambda F, g, out, x, **k: F.avg_pool_grad(g, x.shape[-len(k["kernel"]) :], **k),),
    keeps="", floats=(0,), public=False, source="LeCun et al. 1989",
    card=("y = mean x {of_window}", "∂x = Σ g / n {over_windows}"),
)  # fmt: skip
define(
    "avg_pool_grad", K.avg_pool_grad, (lambda F, h, out, g, size, **k: F.avg_pool(h, **k),),
    keeps="", public=False, source="{linear_map}",
    card=("y = Σ g / n {over_windows}", "∂g = mean h {of_window}"),
)  # fmt: skip


def _window(
    x: Tensor, axes: int, kernel_size: Any, stride: Any, pad_mode: Any, padding: Any, dilation: Any, ceil_mode: bool
) -> tuple[dict[str, Sizes], Pad]:
    """The window as the kernels take it, and the padding before ``ceil_mode`` adds to it."""
    kernel = per_axis("kernel_size", kernel_size, axes)
    step = kernel if stride is None else per_axis("stride", stride, axes)
    gap = per_axis("dilation", dilation, axes)
    pad = padding_for(x, pad_mode, padding, kernel, step, gap)
    halves = [span // 2 for span in spans(kernel, gap) for _ in range(2)]
    if pad_mode.lower() == "pad" and any(p > half for p, half in zip(pad, halves, strict=True)):
        raise ValueError(say("errors.pool_padding", padding=padding, kernel=kernel))
    whole = ceil_padding(x.shape[-axes:], kernel, step, pad, gap) if ceil_mode and x.ndim >= axes else pad
    return {"kernel": kernel, "stride": step, "pad": whole, "dilation": gap}, pad


def max_pooled(
    x: Any, axes: int, kernel_size: Any, stride: Any = None, pad_mode: str = "pad", padding: Any = 0,
    dilation: Any = 1, return_indices: bool = False, ceil_mode: bool = False, argmax_type: Any = np.int64,
) -> Any:  # fmt: skip
    """Max pooling over the last ``axes`` axes, with the arguments as the public forms take them."""
    x = operand(x)
    window, _ = _window(x, axes, kernel_size, stride, pad_mode, padding, dilation, ceil_mode)
    pooled = max_pool(x, **window)
    return (pooled, wrap(K.max_pool_index(x._array, **window).astype(argmax_type))) if return_indices else pooled


def averaged(
    x: Any, axes: int, kernel_size: Any, stride: Any = 1, pad_mode: str = "pad", padding: Any = 0,
    ceil_mode: bool = False, count_include_pad: bool = True, divisor_override: Any = None,
) -> Tensor:  # fmt: skip
    """Average pooling over the last ``axes`` axes, with the arguments as the public forms take them.

    Padding of pad_mode ``"same"`` never counts in the divisor over one or two axes; over three it is like any other.
    """
    x = operand(x)
    window, pad = _window(x, axes, kernel_size, stride, pad_mode, padding, 1, ceil_mode)
    del window["dilation"]
    if divisor_override is not None and not (isinstance(divisor_override, (int, float)) and divisor_override >= 0):
        raise ValueError(say("errors.interval", name="divisor_override", interval="(0, ∞)", got=divisor_override))
    counts = count_include_pad and (axes == 3 or pad_mode.lower() != "same")
    return avg_pool(x, **window, counted=pad if counts else (0,) * len(pad), divisor=divisor_override or None)


@public("max_pool1d")
def max_pool1d(
    x: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1, return_indices: bool = False,
    ceil_mode: bool = False,
) -> Any:  # fmt: skip
    """Largest element of each window of (N, C, L) or (C, L). See :func:`max_pool2d`."""
    return max_pooled(x, 1, kernel_size, stride, "pad", padding, dilation, return_indices, ceil_mode)


@public("max_pool2d")
def max_pool2d(
    x: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1, return_indices: bool = False,
    ceil_mode: bool = False,
) -> Any:  # fmt: skip
    """Largest element of each window.

    Args:
        x: (N, C, H, W) or (C, H, W).
        kernel_size, stride, dilation: int or (vertical, horizontal); the stride is the kernel size by default.
        padding: at most half the window, on either side: int, (v, h) or (top, bottom, left, right); it never wins.
        return_indices: whether to return as well where each element lies in its flattened plane, Int64.
        ceil_mode: whether a last window may reach beyond the end.
    """
    return max_pooled(x, 2, kernel_size, stride, "pad", padding, dilation, return_indices, ceil_mode)


@public("max_pool3d")
def max_pool3d(
    x: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1, ceil_mode: bool = False,
    return_indices: bool = False,
) -> Any:  # fmt: skip
    """Largest element of each window of (N, C, D, H, W) or (C, D, H, W). See :func:`max_pool2d`."""
    return max_pooled(x, 3, kernel_size, stride, "pad", padding, dilation, return_indices, ceil_mode)


@public("avg_pool1d")
def avg_pool1d(
    input_x: Tensor, kernel_size: Any = 1, stride: Any = 1, padding: Any = 0, ceil_mode: bool = False,
    count_include_pad: bool = True,
) -> Tensor:  # fmt: skip
    """Mean of each window of (N, C, L) or (C, L). See :func:`avg_pool2d`."""
    return averaged(input_x, 1, kernel_size, stride, "pad", padding, ceil_mode, count_include_pad)


@public("avg_pool2d")
def avg_pool2d(
    input_x: Tensor, kernel_size: Any = 1, stride: Any = 1, padding: Any = 0, ceil_mode: bool = False,
    count_include_pad: bool = True, divisor_override: Any = 0,
) -> Tensor:  # fmt: skip
    """Mean of each window.

    Args:
        input_x: (N, C, H, W) or (C, H, W).
        kernel_size, stride: int or (vertical, horizontal).
        padding: zeros on either side, at most half the window: int, (v, h) or (top, bottom, left, right).
        ceil_mode: whether a last window may reach beyond the end; what lies there never counts.
        count_include_pad: whether padding counts among the elements of a window.
        divisor_override: what sums are divided by instead; 0: the number of elements.
    """
    return averaged(
        input_x, 2, kernel_size, stride, "pad", padding, ceil_mode, count_include_pad, divisor_override
    )  # fmt: skip


@public("avg_pool3d")
def avg_pool3d(
    input_x: Tensor, kernel_size: Any = 1, stride: Any = 1, padding: Any = 0, ceil_mode: bool = False,
    count_include_pad: bool = True, divisor_override: Any = 0,
) -> Tensor:  # fmt: skip
    """Mean of each window of (N, C, D, H, W) or (C, D, H, W). See :func:`avg_pool2d`."""
    return averaged(
        input_x, 3, kernel_size, stride, "pad", padding, ceil_mode, count_include_pad, divisor_override
    )  # fmt: skip


def _norm_pooled(x: Tensor, axes: int, norm_type: Any, kernel_size: Any, stride: Any, ceil_mode: bool) -> Tensor:
    in_interval("norm_type", norm_type, "(0, ∞)")
    step = kernel_size if stride is None else stride
    powers = averaged(T.power(x, norm_type), axes, kernel_size, step, "pad", 0, ceil_mode, divisor_override=1)
    return T.multiply(T.sign(powers), T.power(T.absolute(powers), 1 / norm_type))


@public("lp_pool1d")
def lp_pool1d(x: Tensor, norm_type: float, kernel_size: Any, stride: Any = None, ceil_mode: bool = False) -> Tensor:
    """p-norm of each window of (N, C, L) or (C, L). See :func:`lp_pool2d`."""
    return _norm_pooled(x, 1, norm_type, kernel_size, stride, ceil_mode)


@public("lp_pool2d")
def lp_pool2d(x: Tensor, norm_type: float, kernel_size: Any, stride: Any = None, ceil_mode: bool = False) -> Tensor:
    """(Σ xᵖ)^(1/p) of each window.

    Args:
        x: (N, C, H, W) or (C, H, W).
        norm_type: p, above 0; at 1 the sum, towards infinity the maximum.
        kernel_size, stride: int or (vertical, horizontal); the stride is the kernel size by default.
        ceil_mode: whether a last window may reach beyond the end.
    """
    return _norm_pooled(x, 2, norm_type, kernel_size, stride, ceil_mode)


# Class forms ----------------------------------------------------------------------------------------------------


@public(primitive="MaxPool", init=("kernel_size", "strides", "pad_mode", "data_format"))
def _max_pool_class(
    x: Tensor, kernel_size: Any = 1, strides: Any = 1, pad_mode: str = "valid", data_format: str = "NCHW"
) -> Tensor:
    """Largest element of each window of (N, C, H, W)."""
    one_of_any_case("data_format", data_format, ("NCHW",))
    return max_pooled(x, 2, kernel_size, strides, pad_mode)


@public(primitive="AvgPool", init=("kernel_size", "strides", "pad_mode", "data_format"))
def _avg_pool_class(
    x: Tensor, kernel_size: Any = 1, strides: Any = 1, pad_mode: str = "valid", data_format: str = "NCHW"
) -> Tensor:
    """Mean of each window of (N, C, H, W)."""
    one_of_any_case("data_format", data_format, ("NCHW",))
    return averaged(x, 2, kernel_size, strides, pad_mode)


@public(
    primitive="MaxPool3D", init=("kernel_size", "strides", "pad_mode", "pad_list", "ceil_mode", "data_format")
)  # fmt: skip
def _max_pool_3d_class(
    x: Tensor, kernel_size: Any = 1, strides: Any = 1, pad_mode: str = "valid", pad_list: Any = 0,
    ceil_mode: bool | None = None, data_format: str = "NCDHW",
) -> Tensor:  # fmt: skip
    """Largest element of each window of (N, C, D, H, W)."""
    one_of_any_case("data_format", data_format, ("NCDHW",))
    return max_pooled(x, 3, kernel_size, strides, pad_mode, pad_list, ceil_mode=bool(ceil_mode))


@public(
    primitive="AvgPool3D",
    init=(
        "kernel_size", "strides", "pad_mode", "pad", "ceil_mode", "count_include_pad", "divisor_override", "data_format"
    ),
)  # fmt: skip
def _avg_pool_3d_class(
    x: Tensor, kernel_size: Any = 1, strides: Any = 1, pad_mode: str = "valid", pad: Any = 0, ceil_mode: bool = False,
    count_include_pad: bool = True, divisor_override: Any = 0, data_format: str = "NCDHW",
) -> Tensor:  # fmt: skip
    """Mean of each window of (N, C, D, H, W)."""
    one_of_any_case("data_format", data_format, ("NCDHW",))
    return averaged(x, 3, kernel_size, strides, pad_mode, pad, ceil_mode, count_include_pad, divisor_override)


@public(
    primitive="MaxPoolWithArgmaxV2", init=("kernel_size", "strides", "pads", "dilation", "ceil_mode", "argmax_type")
)
def _max_pool_argmax_class(
    x: Tensor, kernel_size: Any, strides: Any = None, pads: Any = 0, dilation: Any = (1, 1), ceil_mode: bool = False,
    argmax_type: Any = "int64",
) -> Any:  # fmt: skip
    """Largest element of each window of (N, C, H, W), and where it lies in the flattened plane."""
    dtype = as_dtype(argmax_type).numpy
    return max_pooled(x, 2, kernel_size, strides, "pad", pads, dilation, True, ceil_mode, dtype)


@public(
    primitive="MaxPool3DWithArgmax",
    init=("ksize", "strides", "pads", "dilation", "ceil_mode", "data_format", "argmax_type"),
)
def _max_pool_3d_argmax_class(
    x: Tensor, ksize: Any, strides: Any, pads: Any, dilation: Any = (1, 1, 1), ceil_mode: bool = False,
    data_format: str = "NCDHW", argmax_type: Any = "int64",
) -> Any:  # fmt: skip
    """Largest element of each window of (N, C, D, H, W), and where it lies in the flattened plane."""
    one_of_any_case("data_format", data_format, ("NCDHW",))
    return max_pooled(x, 3, ksize, strides, "pad", pads, dilation, True, ceil_mode, as_dtype(argmax_type).numpy)
