"""Matrix products."""

from __future__ import annotations

import numpy as np
from numpy import ndarray

from ..texts import say


def matmul(x: ndarray, y: ndarray, transpose_a: bool = False, transpose_b: bool = False) -> ndarray:
    """x · y over the last two axes, each transposed on request; vectors as in ``numpy.matmul``."""
    if transpose_a and x.ndim > 1:
        x = x.swapaxes(-1, -2)
    if transpose_b and y.ndim > 1:
        y = y.swapaxes(-1, -2)
    if x.ndim == 2 == y.ndim:
        return np.dot(x, y)  # half of matmul's overhead
    return np.matmul(x, y)


def bias_add(x: ndarray, b: ndarray, axis: int = 1) -> ndarray:
    """x + b, b along ``axis``."""
    behind = (-axis if axis < 0 else x.ndim - axis) - 1  # axes
    if b.ndim != 1 or not 0 <= behind < x.ndim or x.shape[-1 - behind] != b.shape[0]:
        raise ValueError(say("errors.bias_size", axis=axis))
    return np.add(x, b.reshape(b.shape + (1,) * behind)) if behind else np.add(x, b)


def outer(input: ndarray, vec2: ndarray) -> ndarray:
    """Every element of the first times every element of the second."""
    return np.multiply(input.reshape(-1, 1), vec2.reshape(1, -1))
