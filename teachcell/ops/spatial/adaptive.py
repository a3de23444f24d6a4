"""Pooling to a wanted size, by adaptive or fractional windows; and max pooling undone."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...core.card import Kink
from ...core.define import define, pair
from ...core.op import TENSORS as T
from ...core.public import public
from ...core.record import operand
from ...core.tensor import Tensor, wrap
from ...kernels import pool as K
from ...kernels import random
from ...kernels import resize as R
from ...kernels.sliding import Sizes
from ...texts import say
from .pool import put_in_planes, take_from_planes
from .sliding import one_of_any_case, per_axis, with_axes

pair("adaptive_max_index", K.adaptive_max_index, lambda x, size: K.adaptive_max_index(x._array, size))
adaptive_max_pool = define(
    "adaptive_max_pool", K.adaptive_max_pool,
    (lambda F, g, out, x, size: put_in_planes(F, g, x.shape, F.adaptive_max_index(x, size), len(size)),),
    floats=(0,), public=False, source="He et al. 2014",
    card=("y = max x {of_window}", "∂x = g {at_first_largest}"),
    kinks=(Kink(([[5.0, 1.0, 5.0, 5.0]],), ([[1.0, 0.0, 1.0, 0.0]],), {"size": (2,)}),),
)  # fmt: skip
adaptive_avg_pool = define(
    "adaptive_avg_pool", R.adaptive_avg_pool,
    (
        lambda F, g, out, x, size: F.resize_grad(
            g, x.shape[-len(size) :], mode="area", origin="", scales=(None,) * len(size)
        ),
    ),
    floats=(0,), keeps="", public=False, source="He et al. 2014",
    card=("y = mean x {of_window}", "∂x = Σ g / n {over_windows}"),
)  # fmt: skip


def _wanted(x: Tensor, output_size: Any, axes: int) -> Sizes:
    """The size to pool to; None keeps an axis."""
    given = output_size.tolist() if isinstance(output_size, Tensor) else output_size
    several = given if isinstance(given, (tuple, list)) else (given,) * axes
    if len(several) == axes and x.ndim >= axes:
        several = [kept if size is None else size for size, kept in zip(several, x.shape[-axes:], strict=True)]
    return per_axis("output_size", several, axes)


def pooled_means(x: Any, output_size: Any, axes: int) -> Tensor:
    """Means over windows that together cover the last ``axes`` axes."""
    x = operand(x)
    return adaptive_avg_pool(x, size=_wanted(x, output_size, axes))


def pooled_maxima(x: Any, output_size: Any, axes: int, return_indices: bool, argmax_type: Any = np.int64) -> Any:
    """Maxima over windows that together cover the last ``axes`` axes; on request also where they lie."""
    x = operand(x)
    size = _wanted(x, output_size, axes)
    pooled = adaptive_max_pool(x, size=size)
    return (pooled, wrap(K.adaptive_max_index(x._array, size).astype(argmax_type))) if return_indices else pooled


@public("adaptive_avg_pool1d")
def adaptive_avg_pool1d(input: Tensor, output_size: Any) -> Tensor:
    """(N, C, L) or (C, L) to ``output_size`` means. See :func:`adaptive_avg_pool2d`."""
    return pooled_means(input, output_size, 1)


@public("adaptive_avg_pool2d", primitive="AdaptiveAvgPool2D", init=("output_size",))
def adaptive_avg_pool2d(input: Tensor, output_size: Any) -> Tensor:
    """Means over windows that together cover the input, however large it is.

    Args:
        input: (N, C, H, W) or (C, H, W).
        output_size: int or (H', W'); None keeps an axis. Window i of n over L elements reaches from ⌊i·L/n⌋ to
            ⌈(i+1)·L/n⌉; neighbours may share an element.
    """
    return pooled_means(input, output_size, 2)


@public("adaptive_avg_pool3d", primitive="AdaptiveAvgPool3D", init=("output_size",))
def adaptive_avg_pool3d(input: Tensor, output_size: Any) -> Tensor:
    """(N, C, D, H, W) or (C, D, H, W) to ``output_size`` means. See :func:`adaptive_avg_pool2d`."""
    return pooled_means(input, output_size, 3)


@public("adaptive_max_pool1d")
def adaptive_max_pool1d(input: Tensor, output_size: Any) -> Tensor:
    """(N, C, L) or (C, L) to ``output_size`` maxima. See :func:`adaptive_max_pool2d`."""
    return pooled_maxima(input, output_size, 1, False)


@public("adaptive_max_pool2d")
def adaptive_max_pool2d(input: Tensor, output_size: Any, return_indices: bool = False) -> Any:
    """Maxima over windows that together cover the input, as those of :func:`adaptive_avg_pool2d`.

    Args:
        input: (N, C, H, W) or (C, H, W).
        output_size: int or (H', W'); None keeps an axis.
        return_indices: whether to return as well where each maximum lies in its flattened plane, Int64.
    """
    return pooled_maxima(input, output_size, 2, return_indices)


@public("adaptive_max_pool3d")
def adaptive_max_pool3d(input: Tensor, output_size: Any, return_indices: bool = False) -> Any:
    """(N, C, D, H, W) or (C, D, H, W) to ``output_size`` maxima; indices are Int32. See :func:`adaptive_max_pool2d`."""
    return pooled_maxima(input, output_size, 3, return_indices, np.int32)


@public(primitive="AdaptiveMaxPool2D", init=("output_size",))
def _adaptive_max_pool2d_class(input: Tensor, output_size: Any) -> Any:
    """Maxima over windows that together cover the input, and where they lie."""
    return pooled_maxima(input, output_size, 2, True)


@public(primitive="AdaptiveMaxPool3D")
def _adaptive_max_pool3d_class(input: Tensor, output_size: Any) -> Any:
    """Maxima over windows that together cover the input, and where they lie, Int32."""
    return pooled_maxima(input, output_size, 3, True, np.int32)


# Fractional windows ----------------------------------------------------------------------------------------------


def fractional_pooled(
    x: Any, axes: int, kernel_size: Any, output_size: Any, output_ratio: Any, return_indices: bool, draws: Any
) -> Any:
    """Max pooling over windows whose distances vary at random between whole numbers."""
    x, kernel = with_axes("input", x, axes + 1, axes + 2), per_axis("kernel_size", kernel_size, axes)
    if (output_size is None) == (output_ratio is None):
        raise ValueError(say("errors.one_of_two", first="output_size", second="output_ratio"))
    lengths, planes = x.shape[-axes:], x.shape[:-axes]
    if output_size is None:
        ratios = output_ratio if isinstance(output_ratio, (tuple, list)) else (output_ratio,) * axes
        if len(ratios) != axes or not all(isinstance(r, (int, float)) and 0 < r <= 1 for r in ratios):
            raise ValueError(say("errors.interval", name="output_ratio", interval="(0, 1]", got=repr(output_ratio)))
        output_size = [int(length * ratio) for length, ratio in zip(lengths, ratios, strict=True)]
    size = per_axis("output_size", output_size, axes)
    if any(k + count - 1 > length for k, count, length in zip(kernel, size, lengths, strict=True)):
        raise ValueError(say("errors.fractional_size", size=size, kernel=kernel, got=lengths))
    sample = random.generator().random((*planes, axes)) if draws is None else operand(draws)._array
    sample = sample.reshape(math.prod(planes), axes)
    if axes == 2:
        sample = sample[:, ::-1]  # in MindSpore the first draw is the width's here, but the depth's over three axes
    index = K.largest(x._array, K.fractional_places(lengths, kernel, size, sample))
    pooled = take_from_planes(x, index, axes)
    return (pooled, wrap(index)) if return_indices else pooled


@public("fractional_max_pool2d")
def fractional_max_pool2d(
    input: Tensor, kernel_size: Any, output_size: Any = None, output_ratio: Any = None, return_indices: bool = False,
    _random_samples: Any = None,
) -> Any:  # fmt: skip
    """Maxima over windows whose distances vary at random between whole numbers (Graham, 2015).

    Args:
        input: (N, C, H, W) or (C, H, W).
        kernel_size: int or (vertical, horizontal).
        output_size: int or (H', W'); or else
        output_ratio: its share of the input's size, in (0, 1).
        return_indices: whether to return as well where each maximum lies in its flattened plane, Int64.
        _random_samples: (N, C, 2) numbers in [0, 1) instead of random ones.
    """
    return fractional_pooled(input, 2, kernel_size, output_size, output_ratio, return_indices, _random_samples)


@public("fractional_max_pool3d")
def fractional_max_pool3d(
    input: Tensor, kernel_size: Any, output_size: Any = None, output_ratio: Any = None, return_indices: bool = False,
    _random_samples: Any = None,
) -> Any:  # fmt: skip
    """As :func:`fractional_max_pool2d`, for (N, C, D, H, W) or (C, D, H, W)."""
    return fractional_pooled(input, 3, kernel_size, output_size, output_ratio, return_indices, _random_samples)


def _fractional_class(name: str, axes: int, layout: str) -> None:
    def _class(input: Tensor, random_samples: Any, ksize: Any, output_shape: Any, data_format: str = layout) -> Any:
        one_of_any_case("data_format", data_format, (layout,))
        return fractional_pooled(input, axes, ksize, output_shape, None, True, random_samples)

    _class.__doc__ = f"Maxima of fractional windows and where they lie: ``ops.{name}(ksize, output_shape)(x, draws)``."
    public(primitive=name, init=("ksize", "output_shape", "data_format"))(_class)


_fractional_class("FractionalMaxPoolWithFixedKsize", 2, "NCHW")
_fractional_class("FractionalMaxPool3DWithFixedKsize", 3, "NCDHW")


# Max pooling undone ----------------------------------------------------------------------------------------------


def unpooled(
    x: Any, indices: Any, axes: int, kernel_size: Any, stride: Any = None, padding: Any = 0, output_size: Any = None
) -> Tensor:
    """Zeros with each element of x where the maximum came from; of two at one place the later stays."""
    x, index = with_axes("x", x, axes + 1, axes + 2), operand(indices)._array
    if x.shape != index.shape or index.dtype.kind not in "iu":
        raise ValueError(say("errors.unpool_index", got=f"{index.shape} {index.dtype}", wanted=x.shape))
    kernel = per_axis("kernel_size", kernel_size, axes)
    step = kernel if stride is None else per_axis("stride", stride, axes)
    pad = per_axis("padding", padding, axes, least=0)
    if output_size is None or len(output_size) == 0:
        output_size = [
            (n - 1) * hop - 2 * p + k for n, hop, p, k in zip(x.shape[-axes:], step, pad, kernel, strict=True)
        ]  # fmt: skip
    size = per_axis("output_size", tuple(output_size)[-axes:], axes)
    if index.size and not (index.min() >= 0 and index.max() < math.prod(size)):
        raise IndexError(
            say("errors.unpool_range", low=index.min(), high=index.max(), size=size, last=math.prod(size) - 1)
        )  # fmt: skip
    shape = (*x.shape[:-axes], *size)
    rows = K.rows_of(index, axes)
    blank = wrap(np.zeros(K.planes_of(shape, axes), x._array.dtype))
    return T.reshape(T.setitem(blank, T.reshape(x, rows[1].shape), rows), shape)


@public("max_unpool1d")
def max_unpool1d(
    x: Tensor, indices: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, output_size: Any = None
) -> Tensor:
    """:func:`max_pool1d` undone, for (N, C, L) or (C, L). See :func:`max_unpool2d`."""
    return unpooled(x, indices, 1, kernel_size, stride, padding, output_size)


@public("max_unpool2d")
def max_unpool2d(
    x: Tensor, indices: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, output_size: Any = None
) -> Tensor:
    """:func:`max_pool2d` undone: each maximum where it came from, 0 elsewhere.

    Args:
        x: (N, C, H, W) or (C, H, W).
        indices: of the same shape, as max_pool2d returns them.
        kernel_size, stride, padding: what the pooling had: int or (vertical, horizontal).
        output_size: the pooled input's size, where these leave it open: its last two lengths, or its shape.
    """
    return unpooled(x, indices, 2, kernel_size, stride, padding, output_size)


@public("max_unpool3d")
def max_unpool3d(
    x: Tensor, indices: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, output_size: Any = None
) -> Tensor:
    """:func:`max_pool3d` undone, for (N, C, D, H, W) or (C, D, H, W). See :func:`max_unpool2d`."""
    return unpooled(x, indices, 3, kernel_size, stride, padding, output_size)


def _unpool_class(name: str, axes: int, layout: str) -> None:
    def _class(
        x: Tensor, argmax: Tensor, ksize: Any, strides: Any = 0, pads: Any = 0, output_shape: Any = (),
        data_format: str = layout,
    ) -> Tensor:  # fmt: skip
        one_of_any_case("data_format", data_format, (layout,))
        return unpooled(x, argmax, axes, ksize, strides or None, pads, output_shape)

    _class.__doc__ = f"Max pooling undone: ``ops.{name}(ksize)(x, argmax)``."
    public(primitive=name, init=("ksize", "strides", "pads", "output_shape", "data_format"))(_class)


_unpool_class("MaxUnpool2D", 2, "NCHW")
_unpool_class("MaxUnpool3D", 3, "NCDHW")
