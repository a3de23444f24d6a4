"""Kernels for diagonals and bands of matrices (the last two axes, or two that are named)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy import ndarray

from ..texts import say
from .arguments import axes_of, whole, with_axes


def diagonal(x: ndarray, offset: int = 0, dim1: int = 0, dim2: int = 1) -> ndarray:
    """The diagonal of axes ``dim1`` and ``dim2`` as a last axis; ``offset`` > 0 lies above the main one."""
    view = np.diagonal(x, offset, *axes_of((dim1, dim2), x.ndim))
    if x.flags.writeable:
        view.flags.writeable = True
    return view


def diagonal_places(shape: tuple[int, ...], offset: int = 0, dim1: int = 0, dim2: int = 1) -> ndarray:
    """Where that diagonal lies in the flattened array."""
    places = np.arange(math.prod(shape)).reshape(shape)
    return np.diagonal(places, whole(offset, "offset"), *axes_of((dim1, dim2), len(shape)))


def diag_embed(x: ndarray, offset: int = 0, dim1: int = -2, dim2: int = -1) -> ndarray:
    """Zeros with x's last axis as the diagonal of two new axes."""
    dim1, dim2 = axes_of((dim1, dim2), x.ndim + 1)
    side = x.shape[-1] + abs(offset)
    shape = list(x.shape[:-1])
    for axis in sorted((dim1, dim2)):
        shape.insert(axis, side)
    result = np.zeros(shape, x.dtype)
    diagonal(result, offset, dim1, dim2)[...] = x
    return result


def filled_places(shape: tuple[int, ...], wrap: bool) -> ndarray:
    """The flat places of the main diagonal of a matrix or a cube; ``wrap`` begins anew below a tall matrix's."""
    if len(shape) < 2 or (len(shape) > 2 and len(set(shape)) > 1):
        raise ValueError(say("errors.cube", shape=shape))
    step = sum(math.prod(shape[i + 1 :]) for i in range(len(shape)))
    end = math.prod(shape) if wrap or len(shape) > 2 else shape[1] * min(shape)
    return np.arange(0, end, step)


def tril(x: ndarray, diagonal: int = 0) -> ndarray:
    """The last two axes with zeros above that diagonal."""
    return _band(x, None, whole(diagonal, "diagonal"))


def triu(x: ndarray, diagonal: int = 0) -> ndarray:
    """The last two axes with zeros below that diagonal."""
    return _band(x, whole(diagonal, "diagonal"), None)


def matrix_band_part(x: ndarray, lower: int, upper: int) -> ndarray:
    """The last two axes with zeros but for ``lower`` diagonals below and ``upper`` above the main one; < 0: all."""
    below, above = whole(lower, "lower"), whole(upper, "upper")
    return _band(x, None if below < 0 else -below, None if above < 0 else above)


def _band(x: ndarray, low: int | None, high: int | None) -> ndarray:
    """x where low ≤ column − row ≤ high, else 0."""
    with_axes("x", x, 2)
    rows, columns = x.shape[-2:]
    kept = np.ones((rows, columns), bool)
    for bound, above in ((low, False), (high, True)):
        if bound is not None:
            edge = np.tri(rows, columns, bound - (not above), bool)
            kept &= edge if above else ~edge
    return np.where(kept, x, x.dtype.type(0))


def diagonals(rows: int, columns: int, k: Any, align: str) -> tuple[ndarray, ndarray, ndarray]:
    """Rows and columns (of a matrix) of its diagonals k[0] … k[1], the highest first, and which of them exist.

    All are as long as the longest; the place of the shorter ones is chosen by ``align``: "LEFT" or "RIGHT" for those
    above the main diagonal, then for those below.
    """
    low, high = k
    if not -rows < low <= high < columns:
        raise ValueError(say("errors.diagonal_range", low=low, high=high, rows=rows, columns=columns))
    above, _, below = str(align).partition("_")
    if {above, below} - {"LEFT", "RIGHT"}:
        raise ValueError(say("errors.choice", name="align", known="LEFT_RIGHT, RIGHT_LEFT, …", got=repr(align)))
    offset = np.arange(high, low - 1, -1)[:, None]
    length = np.minimum(columns - np.maximum(offset, 0), rows + np.minimum(offset, 0))
    most = int(length.max())
    to_the_right = np.where(offset >= 0, above == "RIGHT", below == "RIGHT")
    step = np.arange(most) - np.where(to_the_right, most - length, 0)
    row, column = step - np.minimum(offset, 0), step + np.maximum(offset, 0)
    exists = (step >= 0) & (step < length)
    return np.where(exists, row, 0), np.where(exists, column, 0), exists
