"""Largest and smallest elements, and where they are. NaN counts as the most extreme of all."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy import ndarray

from ..texts import say
from .arguments import Axes, axes_of, kept_shape, one_axis

# As Any: NumPy's type stubs know no `keepdims` that is only known when it runs.
_maximum: Any = np.maximum.reduce
_minimum: Any = np.minimum.reduce


def _occupied(x: ndarray, axis: Any) -> tuple[int, ...]:
    """The reduced axes; ValueError if they hold no element to choose from."""
    axes = axes_of(axis, x.ndim)
    if not x.size and not math.prod(x.shape[a] for a in axes):
        raise ValueError(say("errors.reduce_empty"))
    return axes


def amax(x: ndarray, axis: Axes = None, keep_dims: bool = False) -> ndarray:
    """Largest element."""
    return _maximum(x, axis=_occupied(x, axis), keepdims=keep_dims)


def amin(x: ndarray, axis: Axes = None, keep_dims: bool = False) -> ndarray:
    """Smallest element."""
    return _minimum(x, axis=_occupied(x, axis), keepdims=keep_dims)


def winners(x: ndarray, out: ndarray, axis: Axes) -> ndarray:
    """For each element its share of an extremum's gradient: ties split evenly."""
    hit = (x == out.reshape(kept_shape(x.shape, axis))).astype(x.dtype)
    with np.errstate(invalid="ignore"):
        return hit / np.add.reduce(hit, axis=axes_of(axis, x.ndim), keepdims=True)


def max_with_index(x: ndarray, axis: int, keepdims: bool = False) -> tuple[ndarray, ndarray]:
    """Largest element along an axis, and its index: the first of equals, int64."""
    return _with_index(np.argmax, x, axis, keepdims)


def min_with_index(x: ndarray, axis: int, keepdims: bool = False) -> tuple[ndarray, ndarray]:
    """Smallest element along an axis, and its index: the first of equals, int64."""
    return _with_index(np.argmin, x, axis, keepdims)


def _with_index(find: Callable[..., Any], x: ndarray, axis: int, keepdims: bool) -> tuple[ndarray, ndarray]:
    a = one_axis(axis, x.ndim)
    _occupied(x, a)
    index = find(x, a, keepdims=True)
    value = np.take_along_axis(x, index, a)
    return (value, index) if keepdims else (value.squeeze(a), index.squeeze(a))


def argmax(x: ndarray, dim: int | None = None, keepdim: bool = False) -> ndarray:
    """Index of the (first) largest element, int64; without ``dim`` that of the flattened array."""
    return _index(np.argmax, x, dim, keepdim).astype(np.int64)


def argmin(x: ndarray, axis: int | None = None, keepdims: bool = False) -> ndarray:
    """Index of the (first) smallest element, int32; without ``axis`` that of the flattened array."""
    return _index(np.argmin, x, axis, keepdims).astype(np.int32)


def _index(find: Callable[..., Any], x: ndarray, axis: int | None, keepdims: bool) -> ndarray:
    if axis is not None and x.ndim:
        axis = one_axis(axis, x.ndim)
        _occupied(x, axis)
        return find(x, axis, keepdims=keepdims)
    _occupied(x, axis)
    return find(x)
