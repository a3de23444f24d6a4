"""Equal elements, places in sorted rows, and counts per bin."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy import ndarray

from ..texts import say
from .arguments import one_axis


def unique(x: ndarray) -> tuple[ndarray, ndarray]:
    """The different elements in order of appearance, and for each element the number of its value.

    Numbers are int64 for int64, else int32.
    """
    values, first, inverse = np.unique(x.reshape(-1), return_index=True, return_inverse=True)
    order = np.argsort(first)
    number = np.empty(len(order), np.int64 if x.dtype == np.int64 else np.int32)
    number[order] = np.arange(len(order))
    return values[order], number[inverse.reshape(x.shape)]


def unique_sorted(x: ndarray, dim: int | None = None) -> tuple[ndarray, ndarray, ndarray]:
    """The different elements (or slices along ``dim``) sorted, the number of each input's value, and counts; int64."""
    at = None if dim is None else one_axis(dim, x.ndim)
    values, inverse, counts = np.unique(x, return_inverse=True, return_counts=True, axis=at)
    return values, inverse.reshape(x.shape if at is None else -1), counts


def unique_consecutive(x: ndarray, dim: int | None = None) -> tuple[ndarray, ndarray, ndarray]:
    """Runs of equal elements (or slices along ``dim``) as one each; the number of each input's run, and lengths."""
    at = None if dim is None else one_axis(dim, x.ndim)
    rows = x.reshape(-1) if at is None else np.moveaxis(x, at, 0)
    changes = (rows[1:] != rows[:-1]).any(tuple(range(1, rows.ndim)))
    starts = np.concatenate(([True], changes))[: len(rows)]
    run = np.cumsum(starts) - 1
    values = rows[starts] if at is None else np.moveaxis(rows[starts], 0, at)
    return values, run.reshape(x.shape) if at is None else run, np.bincount(run, minlength=0)


def searchsorted(x: ndarray, values: ndarray, right: bool = False, sorter: ndarray | None = None) -> ndarray:
    """Where values would be inserted into the sorted rows of x, before equals or (``right``) after them; int64."""
    if sorter is not None:
        x = np.take_along_axis(x, np.asarray(sorter), -1)
    side: Any = "right" if right else "left"  # NumPy's type stubs take the words only
    if x.ndim == 1:
        return np.searchsorted(x, values, side).astype(np.int64)
    if x.ndim != values.ndim or x.shape[:-1] != values.shape[:-1]:
        raise ValueError(say("errors.sorted_rows"))
    found = np.empty(values.shape, np.int64)
    for row in np.ndindex(x.shape[:-1]):
        found[row] = np.searchsorted(x[row], values[row], side)
    return found


def histc(x: ndarray, bins: int = 100, min: float = 0.0, max: float = 0.0) -> ndarray:
    """How many elements lie in each of ``bins`` bins between min and max, by default those of x; in x's dtype."""
    if bins < 1:
        raise ValueError(say("errors.interval", name="bins", interval="1 …", got=bins))
    if min > max:
        raise ValueError(say("errors.interval", name="max", interval=f"min = {min} …", got=max))
    if min == max and x.size:
        min, max = x.min(), x.max()
    if min == max:  # one value only: it stands in the middle
        min, max = min - 1, max + 1
    return np.histogram(x.astype(np.float64), bins, (min, max))[0].astype(x.dtype)


def bincount(x: ndarray, weights: ndarray, minlength: int = 0) -> ndarray:
    """Σ weights of the places where each whole number from 0 on stands, in the weights' dtype."""
    if x.ndim != 1 or (x.size and x.min() < 0):
        raise ValueError(say("errors.counted"))
    if weights.shape != x.shape:
        raise ValueError(say("errors.weights_shape"))
    return np.bincount(x, weights, minlength).astype(weights.dtype)


def bucketize(x: ndarray, boundaries: Sequence[float], right: bool = False) -> ndarray:
    """The number of the bucket between sorted boundaries that each element is in, int32."""
    return np.searchsorted(np.asarray(boundaries), x, "right" if right else "left").astype(np.int32)
