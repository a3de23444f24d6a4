"""Spread: variance and standard deviation about the mean."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy import ndarray

from ..texts import say
from .arguments import Axes, axes_of
from .precision import single
from .reduce import add_all, mean, sum

_BLOCK = 16_384  # deviations at a time: they stay in the cache, and a dot product of so many is exact to 1e-6


def freedom(shape: tuple[int, ...], axis: Axes, ddof: Any) -> int:
    """n − ddof; 0 where no degree of freedom is left."""
    if not isinstance(ddof, int):
        raise TypeError(say("errors.whole", name="ddof", got=repr(ddof)))
    counted = shape if axis is None else [shape[a] for a in axes_of(axis, len(shape))]
    return max(math.prod(counted) - ddof, 0)


def share(degrees: float) -> float:
    """1 / degrees; infinite where there is none, so that the result is infinite or NaN."""
    return 1 / degrees if degrees else math.inf


def var(x: ndarray, axis: Axes = None, ddof: int = 0, keepdims: bool = False) -> ndarray:
    """Variance over ``axis`` (all axes by default): Σ (x − mean)² / (n − ddof)."""
    each = share(freedom(x.shape, axis, ddof))
    if axis is None and not keepdims and (total := _squares_of_all(x)) is not None:
        return x.dtype.type(total * each)
    with np.errstate(all="ignore"):
        return np.asarray(_squares(x, axis, keepdims) * each, x.dtype)


def std(x: ndarray, axis: Axes = None, ddof: int = 0, keepdims: bool = False) -> ndarray:
    """Standard deviation over ``axis`` (all axes by default): √(Σ (x − mean)² / (n − ddof))."""
    each = share(freedom(x.shape, axis, ddof))
    if axis is None and not keepdims and (total := _squares_of_all(x)) is not None:
        return x.dtype.type(math.sqrt(total * each))
    with np.errstate(all="ignore"):
        return np.asarray(np.sqrt(_squares(x, axis, keepdims) * each), x.dtype)


def _squares(x: ndarray, axis: Axes, keepdims: bool) -> Any:
    """Σ (x − mean)², of float16 in float32."""
    x = single(x)
    deviations = x - mean(x, axis, True)
    return sum(np.square(deviations, deviations), axes_of(axis, x.ndim), keepdims)


def _squares_of_all(x: ndarray) -> float | None:
    """Σ (x − mean)² over all elements. None for float16, and where the mean is not finite.

    Where the mean is small beside the elements, Σ x² − n · mean² loses no more than a bit, and spares a pass with a
    new array: 5.6 µs instead of 9.4 at 64 x 256.
    """
    row = x.reshape(-1)
    middle = float(add_all(row)) / max(row.size, 1) if x.dtype.char != "e" else math.nan
    if not math.isfinite(middle):
        return None
    total, apart = _squared_length(row), row.size * middle * middle
    return total - apart if 2 * apart <= total < math.inf else _squared_length(row, middle)


def _squared_length(row: ndarray, middle: float = 0.0) -> float:
    """Σ (x − middle)², block by block."""
    total = 0.0
    for start in range(0, row.size, _BLOCK):
        part = row[start : start + _BLOCK]
        if middle:
            part = part - middle
        total += float(part.dot(part))
    return total
