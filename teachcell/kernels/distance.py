"""Norms: lengths of the vectors along some axes."""

from __future__ import annotations

import numpy as np
from numpy import ndarray

from ..texts import say
from .arguments import Axes, axes_of, kept_shape
from .precision import single
from .reduce import sum


def vector_norm(x: ndarray, ord: float = 2, axis: Axes = None, keepdims: bool = False) -> ndarray:
    """(Σ |x|^p)^(1/p); the largest (smallest) |x| for p = ∞ (−∞), the number of non-zeros for p = 0."""
    axes = axes_of(axis, x.ndim)
    if not isinstance(ord, (int, float)):
        raise TypeError(say("errors.norm_order", got=repr(ord)))
    size = np.absolute(single(x))
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        if np.isinf(ord):
            out = (np.max if ord > 0 else np.min)(size, axes, keepdims=keepdims, initial=0 if ord > 0 else np.inf)
        elif ord == 0:
            out = np.count_nonzero(x, axes, keepdims=keepdims)
        elif ord == 1:
            out = sum(size, axes, keepdims)
        elif ord == 2:
            out = np.sqrt(sum(size * size, axes, keepdims))
        else:
            out = sum(size ** size.dtype.type(ord), axes, keepdims) ** size.dtype.type(1 / ord)
        return np.asarray(out, x.dtype)


def norm_slope(x: ndarray, y: ndarray, ord: float, axis: Axes) -> ndarray:
    """∂y/∂x of y = vector_norm(x): x / y for ord 2; 0 where y is 0."""
    y = y.reshape(kept_shape(x.shape, axis))
    safe = np.where(y == 0, x.dtype.type(1), y)
    if ord == 2:
        return x / safe
    slope = np.sign(x)
    if np.isinf(ord):
        hit = np.absolute(x) == y
        return slope * hit / np.maximum(np.count_nonzero(hit, axes_of(axis, x.ndim), keepdims=True), 1).astype(x.dtype)
    if ord == 0:
        return np.zeros_like(x)
    if ord == 1:
        return slope
    return slope * np.where(slope == 0, x.dtype.type(1), np.absolute(x) / safe) ** x.dtype.type(ord - 1)
