"""The softmax family: shifted by the maximum, so that no exponential overflows."""

from __future__ import annotations

import numpy as np
from numpy import ndarray

from .random import generator


def softmax(x: ndarray, axis: int = -1) -> ndarray:
    """eˣ / Σ eˣ along an axis, shifted by the maximum."""
    e = x - np.maximum.reduce(x, axis=axis, keepdims=True)
    np.exp(e, e)  # in place here and below: fresh arrays cost as much as the arithmetic
    e /= np.add.reduce(e, axis=axis, keepdims=True)
    return e


def softmin(x: ndarray, axis: int = -1) -> ndarray:
    """e⁻ˣ / Σ e⁻ˣ along an axis."""
    return softmax(-x, axis)


def softmax_grad(g: ndarray, y: ndarray, axis: int = -1) -> ndarray:
    """y · (g − Σ g·y)."""
    gy = g * y
    gy -= y * np.add.reduce(gy, axis=axis, keepdims=True)
    return gy


def log_softmax(x: ndarray, axis: int = -1) -> ndarray:
    """x − log Σ eˣ along an axis."""
    shifted = x - np.maximum.reduce(x, axis=axis, keepdims=True)
    return shifted - np.log(np.add.reduce(np.exp(shifted), axis=axis, keepdims=True))


def log_softmax_grad(g: ndarray, y: ndarray, axis: int = -1) -> ndarray:
    """g − eʸ · Σ g."""
    return g - np.exp(y) * np.add.reduce(g, axis=axis, keepdims=True)


def gumbel(like: ndarray) -> ndarray:
    """Draws of −ln(−ln u), u even on (0, 1), in the shape and dtype of ``like``."""
    return generator().gumbel(size=like.shape).astype(like.dtype)
