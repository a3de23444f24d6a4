"""The softmax family: shifted by the maximum where an exponential could overflow."""

from __future__ import annotations

import numpy as np
from numpy import ndarray

from .arguments import one_axis
from .random import generator
from .reduce import row_sums

_MANY = 4096  # elements
_LARGEST, _WIDEST = 60.0, 80.0  # |x|, and how far two may lie apart


def softmax(x: ndarray, axis: int = -1) -> ndarray:
    """eˣ / Σ eˣ along an axis."""
    if not x.ndim:
        one_axis(axis, 0)
    if needs_no_shift(x):
        e = np.exp(x)
    else:
        e = x - np.maximum.reduce(x, axis=axis, keepdims=True)
        np.exp(e, e)  # in place here and below: fresh arrays cost as much as the arithmetic
    e /= _totals(e, axis)
    return e


def needs_no_shift(x: ndarray) -> bool:
    """Whether no eˣ can overflow and no share of the whole vanish: two fast passes instead of two that go row by row
    (4x at 64 x 10)."""
    if not x.size or x.dtype.char == "e":
        return False
    if x.size < _MANY:  # where the largest is, is found in a third of the time of the largest
        most, least = x.item(x.argmax()), x.item(x.argmin())
    else:
        most, least = np.maximum.reduce(x, axis=None), np.minimum.reduce(x, axis=None)
    return bool(least > -_LARGEST and most < _LARGEST and most - least < _WIDEST)


def _totals(x: ndarray, axis: int) -> ndarray:
    """Σ along an axis, kept as 1."""
    last = type(axis) is int and (axis == -1 or axis == x.ndim - 1)
    return row_sums(x) if last else np.add.reduce(x, axis=axis, keepdims=True)


def softmin(x: ndarray, axis: int = -1) -> ndarray:
    """e⁻ˣ / Σ e⁻ˣ along an axis."""
    return softmax(-x, axis)


def softmax_grad(g: ndarray, y: ndarray, axis: int = -1) -> ndarray:
    """y · (g − Σ g·y)."""
    t = g * y
    np.subtract(g, _totals(t, axis), t)
    t *= y
    return t


def log_softmax(x: ndarray, axis: int = -1) -> ndarray:
    """x − log Σ eˣ along an axis."""
    if not x.ndim:
        one_axis(axis, 0)
    y = x - np.maximum.reduce(x, axis=axis, keepdims=True)
    y -= np.log(_totals(np.exp(y), axis))
    return y


def softmax_and_logarithm(x: ndarray) -> tuple[ndarray, ndarray]:
    """Softmax and log-softmax of each row of a matrix, row after row in memory."""
    y = np.subtract(x, np.maximum.reduce(x, axis=1, keepdims=True), order="C")
    e = np.exp(y)
    total = row_sums(e)
    e /= total
    y -= np.log(total, total)
    return e, y


def log_softmax_grad(g: ndarray, y: ndarray, axis: int = -1) -> ndarray:
    """g − eʸ · Σ g."""
    t = np.exp(y)
    t *= _totals(g, axis)
    return np.subtract(g, t, t)


def gumbel(like: ndarray) -> ndarray:
    """Draws of −ln(−ln u), u even on (0, 1), in the shape and dtype of ``like``."""
    return generator().gumbel(size=like.shape).astype(like.dtype)
