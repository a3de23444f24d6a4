"""Order along an axis: sorting and picking by rank. NaN sorts last, equal elements keep their order."""

from __future__ import annotations

import numpy as np
from numpy import ndarray

from ..texts import say
from .arguments import one_axis, whole


def argsort(x: ndarray, axis: int = -1, descending: bool = False) -> ndarray:
    """The indices that sort an axis, int32."""
    return _order(x, one_axis(axis, x.ndim), descending).astype(np.int32)


def sort(x: ndarray, axis: int = -1, descending: bool = False) -> tuple[ndarray, ndarray]:
    """Elements in order along an axis, and their indices, int32."""
    at = one_axis(axis, x.ndim)
    order = _order(x, at, descending)
    return np.take_along_axis(x, order, at), order.astype(np.int32)


def _order(x: ndarray, axis: int, descending: bool = False) -> ndarray:
    if not descending:
        return np.argsort(x, axis, kind="stable")
    backwards = np.argsort(np.flip(x, axis), axis, kind="stable")  # reversed twice, so that equals keep their order
    return np.flip(x.shape[axis] - 1 - backwards, axis)


def topk(
    x: ndarray, k: int, dim: int | None = None, largest: bool = True, sorted: bool = True
) -> tuple[ndarray, ndarray]:
    """The k largest (or smallest) elements along an axis, the last by default, in order; and their indices, int32."""
    at = one_axis(-1 if dim is None else dim, x.ndim)
    order = _order(x, at, largest).take(range(_rank(k, x.shape[at])), at)
    return np.take_along_axis(x, order, at), order.astype(np.int32)


def kthvalue(x: ndarray, k: int, axis: int = -1, keepdims: bool = False) -> tuple[ndarray, ndarray]:
    """The k-th smallest element along an axis, from 1 on, and its index, int64."""
    at = one_axis(axis, x.ndim)
    return _ranked(x, at, np.asarray(_rank(k, x.shape[at]) - 1), keepdims)


def median(x: ndarray, axis: int = -1, keepdims: bool = False) -> tuple[ndarray, ndarray]:
    """The median along an axis (of an even number the lower one), and its index, int64; NaN wins."""
    at = one_axis(axis, x.ndim)
    numbers = np.count_nonzero(x == x, at, keepdims=True)
    n = x.shape[at]
    return _ranked(x, at, np.where(numbers < n, numbers, (n - 1) // 2), keepdims)


def nanmedian(x: ndarray, axis: int = -1, keepdims: bool = False) -> tuple[ndarray, ndarray]:
    """The median of what is not NaN along an axis (of an even number the lower one), and its index, int64."""
    at = one_axis(axis, x.ndim)
    return _ranked(x, at, np.maximum(np.count_nonzero(x == x, at, keepdims=True) - 1, 0) // 2, keepdims)


def _ranked(x: ndarray, axis: int, rank: ndarray, keepdims: bool) -> tuple[ndarray, ndarray]:
    """The element of this rank (from 0 on) in every row, and its index."""
    if not x.shape[axis]:
        raise ValueError(say("errors.reduce_empty"))
    shape = tuple(1 if i == axis else n for i, n in enumerate(x.shape))
    index = np.take_along_axis(_order(x, axis), np.broadcast_to(rank, shape), axis)
    value = np.take_along_axis(x, index, axis)
    return (value, index) if keepdims else (value.squeeze(axis), index.squeeze(axis))


def _rank(k: int, n: int) -> int:
    k = whole(k, "k")
    if not 1 <= k <= n:
        raise ValueError(say("errors.interval", name="k", interval=f"1 … {n}", got=k))
    return k


def in_top_k(x: ndarray, target: ndarray, k: int) -> ndarray:
    """Whether the row's element at ``target`` is finite and fewer than k are larger."""
    if x.ndim != 2 or target.shape != x.shape[:1]:
        raise ValueError(say("errors.logits_shape"))
    known = (target >= 0) & (target < x.shape[1])
    score = x[np.arange(len(x)), np.where(known, target, 0)]
    return known & np.isfinite(score) & (np.count_nonzero(x > score[:, None], 1) < k)
