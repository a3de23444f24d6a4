"""Samples and references: sorting and ranks."""

from __future__ import annotations

import math

import numpy as np
from ops.samples.sample import Array, Calls, References, call

TIED = np.array([2.0, 1.0, 2.0, 1.0])
SCORES = np.array([[1.0, 8.0, 8.0, 2.0], [4.0, 9.0, 1.0, np.nan], [0.0, 1.0, 2.0, 3.0]])


def order(x: Array, axis: int = -1, descending: bool = False) -> Array:
    """Row by row by Python's own stable sort."""
    if not x.size:
        return np.zeros(x.shape, np.int32)
    return np.apply_along_axis(
        lambda r: np.array(sorted(range(len(r)), key=lambda i: -r[i] if descending else r[i]), np.int32), axis, x
    )


def ordered(x: Array, axis: int = -1, descending: bool = False) -> tuple[Array, Array]:
    index = order(x, axis, descending)
    return np.take_along_axis(x, index, axis), index


def topk(x: Array, k: int, dim: int | None = None, largest: bool = True, sorted: bool = True) -> tuple[Array, Array]:
    dim = -1 if dim is None else dim
    return tuple(a.take(range(k), dim) for a in ordered(x, dim, largest))  # type: ignore[return-value]


def kth(x: Array, k: int, axis: int = -1, keepdims: bool = False) -> tuple[Array, Array]:
    value, index = (a.take([k - 1], axis) for a in ordered(x, axis))
    index = index.astype(np.int64)
    return (value, index) if keepdims else (value.squeeze(axis), index.squeeze(axis))


def median(x: Array, axis: int = -1, keepdims: bool = False) -> tuple[Array, Array]:
    return kth(x, (x.shape[axis] + 1) // 2, axis, keepdims)


def in_top_k(x: Array, target: Array, k: int) -> Array:
    rows = zip(x.tolist(), target.tolist(), strict=True)
    return np.array([t < len(r) and math.isfinite(r[t]) and sum(s > r[t] for s in r) < k for r, t in rows])


_rows = [
    call((4,)), call((2, 3)), call((3, 2), axis=0), call((2, 3, 2), axis=-2, descending=True), call((3, 0), axis=0),
]  # fmt: skip
_picks = [call((4,)), call((2, 3), axis=0), call((2, 3, 3), axis=1, keepdims=True)]
CALLS: Calls = {
    "sort": _rows,
    "argsort": [*_rows, call(TIED), call(TIED, descending=True)],
    "msort": [call((3, 2)), call((4,))],
    "topk": [
        call((4,), k=2),
        call((2, 3), k=3, largest=False),
        call((3, 2, 2), k=1, dim=0),
    ],
    "kthvalue": [call((4,), k=1), call((2, 3), k=2, axis=0), call((2, 3), k=3, keepdims=True)],
    "median": _picks,
    "nanmedian": _picks,
    "in_top_k": [call(SCORES, np.array([2, 3, 1]), k=1), call(SCORES, np.array([3, 0, 9]), k=3)],
    "intopk": [call(SCORES, np.array([1, 1, 2]), k=1)],
}
REFERENCES: References = {
    "sort": ordered,
    "argsort": order,
    "msort": lambda x: np.sort(x, 0),
    "topk": topk,
    "kthvalue": kth,
    "median": median,
    "nanmedian": median,
    "in_top_k": in_top_k,
    "intopk": lambda x, target, k: np.array([True, True, False]),
}
NOT_DIFFERENTIABLE = {"argsort", "in_top_k", "intopk"}
