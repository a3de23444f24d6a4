"""Samples and references: equal elements, places in sorted rows, counts."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import groupby
from typing import Any

import numpy as np
from ops.samples.sample import Array, Calls, References, call

REPEATED = np.array([2.0, 5.0, 2.0, 1.0, 5.0])
RUNS = np.array([[1, 1, 2], [2, 2, 1]])
ROWS = np.array([[0.0, 1.0, 3.0], [2.0, 4.0, 6.0]])
SORTED = np.array([1.0, 3.0, 3.0, 5.0])


def unique(x: Array) -> tuple[Array, Array]:
    seen = list(dict.fromkeys(x.reshape(-1).tolist()))
    numbers = np.array([seen.index(v) for v in x.reshape(-1)]).reshape(x.shape)
    return np.array(seen, x.dtype), numbers.astype(np.int64 if x.dtype.kind == "i" else np.int32)


def unique_sorted(x: Array, dim: int | None = None) -> tuple[Array, ...]:
    keys = x.reshape(-1).tolist() if dim is None else [tuple(r.reshape(-1).tolist()) for r in np.moveaxis(x, dim, 0)]
    values = sorted(set(keys))
    numbers, counts = np.array([values.index(k) for k in keys]), np.array([keys.count(v) for v in values])
    if dim is None:
        return np.array(values, x.dtype), numbers.reshape(x.shape), counts
    return x.take([keys.index(v) for v in values], dim), numbers, counts


def runs(x: Array, dim: int | None = None) -> tuple[Array, ...]:
    keys = x.reshape(-1).tolist() if dim is None else [tuple(r.reshape(-1).tolist()) for r in np.moveaxis(x, dim, 0)]
    lengths = [len(list(run)) for _, run in groupby(keys)]
    starts = np.cumsum([0, *lengths[:-1]]).tolist()
    numbers = np.repeat(np.arange(len(lengths)), lengths)
    if dim is None:
        return x.reshape(-1)[starts], numbers.reshape(x.shape), np.array(lengths)
    return x.take(starts, dim), numbers, np.array(lengths)


def searchsorted(rows: Array, values: Array, right: bool = False, sorter: Any = None) -> Array:
    find = bisect_right if right else bisect_left
    if rows.ndim == 1:
        return np.vectorize(lambda v: find(np.sort(rows).tolist(), v), otypes=[np.int64])(values)
    return np.array([[find(r.tolist(), v) for v in vs] for r, vs in zip(rows, values, strict=True)])


def bincount(x: Array, weights: Array | None = None, minlength: int = 0) -> Array:
    weights = np.ones(len(x), np.float64) if weights is None else weights
    return np.array([weights[x == n].sum() for n in range(max(minlength, x.max() + 1))])


CALLS: Calls = {
    "unique": [call(REPEATED), call(RUNS)],
    "unique_sorted": [call(REPEATED), call(RUNS), call(np.array([[2, 5], [1, 5], [2, 5]]), dim=0), call(RUNS, dim=1)],
    "unique_consecutive": [
        call(RUNS), call(np.array([[1, 1], [1, 1], [2, 1]]), dim=0), call(np.array([[3, 3, 3]]), dim=1),
    ],
    "searchsorted": [
        call(SORTED, np.array([0.0, 3.0, 9.0])), call(SORTED, np.array([[1.0, 3.5], [5.0, 0.5]]), right=True),
        call(ROWS, np.array([[3.0, 0.0], [4.0, 7.0]])),
        call(SORTED[::-1].copy(), SORTED, sorter=np.array([3, 2, 1, 0])),
    ],
    "bucketize": [call((2, 3), boundaries=[-1.0, 0.5]), call(ROWS, boundaries=(1.0, 4.0), right=True)],
    "histc": [
        call((3, 3), bins=5), call(ROWS, bins=3, min=1.0, max=4.0), call(np.array([2.0, 2.0]), bins=3),
        call(np.array([1, 2, 2, 5]), bins=4),
    ],
    "bincount": [
        call(np.array([0, 2, 2, 3]), (4,)), call(np.array([1, 1]), (2,), minlength=4), call(np.array([2, 0]), (2,)),
    ],
}  # fmt: skip
REFERENCES: References = {
    "unique": unique,
    "unique_sorted": unique_sorted,
    "unique_consecutive": runs,
    "searchsorted": searchsorted,
    "bucketize": lambda x, boundaries, right=False: searchsorted(np.array(boundaries), x, right).astype(np.int32),
    "histc": lambda x, bins=100, min=0.0, max=0.0: (
        np.histogram(x, bins, (min, max) if max else None)[0].astype(x.dtype)
        if np.ptp(x)
        else np.array([0.0, 2.0, 0.0])
    ),
    "bincount": bincount,
}
NOT_DIFFERENTIABLE = {
    "bucketize", "histc", "searchsorted", "unique", "unique_consecutive", "unique_sorted",
}  # fmt: skip
