"""Kernels that move elements without changing them, and their reverse."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy import ndarray

from ..texts import say
from .reduce import axes_of


def reshape(x: ndarray, shape: Sequence[int]) -> ndarray:
    """The same elements in another shape; one length may be −1."""
    return x.reshape(shape)


def expand_dims(x: ndarray, axis: int) -> ndarray:
    """A new axis of length 1 at ``axis``."""
    (at,) = axes_of(axis, x.ndim + 1)
    return x.reshape((*x.shape[:at], 1, *x.shape[at:]))


def squeeze(x: ndarray, axis: int | tuple[int, ...] | None = None) -> ndarray:
    """Without the axes of length 1: all, or those named."""
    if axis is None:
        return x.reshape(tuple(d for d in x.shape if d != 1))
    chosen = axes_of(axis, x.ndim)
    for a in chosen:
        if x.shape[a] != 1:
            raise ValueError(say("errors.axis_length", axis=a))
    return x.reshape(tuple(d for i, d in enumerate(x.shape) if i not in chosen))


def flatten(x: ndarray, *, start_dim: int = 1, end_dim: int = -1) -> ndarray:
    """Axes ``start_dim`` … ``end_dim`` merged into one; by default all but the batch axis."""
    if x.ndim < 2:
        return x.reshape(-1)
    (start,), (end,) = axes_of(start_dim, x.ndim), axes_of(end_dim, x.ndim)
    return x.reshape((*x.shape[:start], math.prod(x.shape[start : end + 1]), *x.shape[end + 1 :]))


def transpose(x: ndarray, axes: Sequence[int] | None = None) -> ndarray:
    """Axes in another order; reversed by default."""
    return x.transpose(axes)


def swapaxes(x: ndarray, axis0: int, axis1: int) -> ndarray:
    """Two axes exchanged."""
    return x.swapaxes(axis0, axis1)


def inverse_order(axes: Sequence[int] | None) -> tuple[int, ...] | None:
    """The order of axes that undoes ``axes``."""
    if axes is None:
        return None
    return tuple(int(i) for i in np.argsort([a % len(axes) for a in axes]))


def broadcast_to(x: ndarray, shape: Sequence[int]) -> ndarray:
    """x repeated along axes of length 1 and new leading axes; −1 keeps an axis."""
    if -1 in shape:
        lead = len(shape) - x.ndim
        shape = tuple(x.shape[i - lead] if d == -1 and i >= lead else d for i, d in enumerate(shape))
    result = np.empty(shape, x.dtype)  # three times faster than copying np.broadcast_to
    result[...] = x
    return result


def concat(*xs: ndarray, axis: int = 0) -> ndarray:
    """Joined along an existing axis."""
    return np.concatenate(xs, axis)


def stack(*xs: ndarray, axis: int = 0) -> ndarray:
    """Joined along a new axis."""
    return np.stack(xs, axis)


def getitem(x: ndarray, index: Any) -> ndarray:
    """x[index]; a single element as a 0-d view, where NumPy would hand out a number."""
    result = x[index]
    if isinstance(result, ndarray):
        return result
    return x[(*index, Ellipsis)] if isinstance(index, tuple) else x[index, ...]


def setitem(x: ndarray, value: ndarray, index: Any) -> ndarray:
    """A copy of x with x[index] = value."""
    result = np.array(x)
    result[index] = value
    return result


def last_written(shape: tuple[int, ...], index: Any) -> ndarray | None:
    """Where ``setitem`` keeps what it writes, as Bools; None: everywhere. Of two writes to one place the last stays."""
    if not _may_repeat(index):
        return None
    writer = np.zeros(shape, np.int64)
    number = np.arange(writer[index].size).reshape(writer[index].shape)
    writer[index] = number
    kept = writer[index] == number
    return None if kept.all() else kept


def put(g: ndarray, shape: tuple[int, ...], index: Any) -> ndarray:
    """Zeros of ``shape`` with g added at ``index``; repeated places add up (reverse of getitem)."""
    result = np.zeros(shape, g.dtype)
    np.add.at(result, index, g) if _may_repeat(index) else result.__setitem__(index, g)
    return result


def _may_repeat(index: Any) -> bool:
    """Whether an index may name one place twice: only integer arrays can."""
    parts = index if isinstance(index, tuple) else (index,)
    return any(isinstance(p, (ndarray, list)) and np.asarray(p).dtype.kind != "b" for p in parts)
