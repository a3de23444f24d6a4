"""Adaptive pooling: to a wanted size, by windows that together cover the input."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.card import Kink
from ...core.define import define, pair
from ...core.public import public
from ...core.record import operand
from ...core.tensor import Tensor, wrap
from ...kernels import pool as K
from ...kernels import resize as R
from ...kernels.sliding import Sizes
from .pool import put_in_planes
from .sliding import per_axis

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
