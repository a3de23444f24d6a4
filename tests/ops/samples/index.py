"""Samples and references: reading and writing at indices, segments."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
from ops.samples.sample import Array, Calls, References, adjoint, call

MASK = np.array([[True, False, True], [False, False, True]])
ONCE: list[Any] = [  # indices into (2, 3) that name no place twice
    1, -1, slice(None, None, -1), (Ellipsis, 0), (slice(0, 1), None), (slice(None), slice(None, None, 2)),
    (np.array([[1, 0]]), slice(1, None)), MASK, (slice(None), np.array([True, False, True])), (slice(1, 1),),
]  # fmt: skip
TWICE: list[Any] = [(np.array([0, 1, 1]),), (np.array([0, 0]), np.array([2, 2]))]
MANY = (np.random.default_rng(1).integers(0, 2, 200), slice(None))  # takes the way of many values

MEET: dict[str, Callable[[Any, Any], Any]] = {
    "update": lambda old, new: new, "add": lambda old, new: old + new, "sub": lambda old, new: old - new,
    "mul": lambda old, new: old * new, "div": lambda old, new: old / new, "max": max, "min": min,
}  # fmt: skip


def setitem(x: Array, value: Array, index: Any) -> Array:
    x = x.copy()
    x[index] = value
    return x


def additem(x: Array, value: Array, index: Any) -> Array:
    return x + adjoint(lambda y: y[index], x.shape, np.broadcast_to(value, x[index].shape))


def put(g: Array, shape: tuple[int, ...], index: Any) -> Array:
    return adjoint(lambda x: x[index], shape, g)


def gather(x: Array, indices: Array, axis: int, batch_dims: int = 0) -> Array:
    if not batch_dims:
        return np.take(x, indices, axis)
    return np.stack([gather(a, i, axis - 1, batch_dims - 1) for a, i in zip(x, indices, strict=True)])


def gather_along(x: Array, index: Array, dim: int) -> Array:
    out = np.empty(index.shape)
    for place in itertools.product(*map(range, index.shape)):
        out[place] = x[(*place[:dim], index[place], *place[dim + 1 :])]
    return out


def by_coordinates(how: str) -> Callable[..., Array]:
    """One write after another."""

    def scatter(x: Array, indices: Array, updates: Array) -> Array:
        x = x.copy()
        for place in itertools.product(*map(range, indices.shape[:-1])):
            at = tuple(indices[place])
            x[at] = np.vectorize(MEET[how], otypes=[float])(x[at], updates[place])
        return x

    return scatter


def along(x: Array, indices: Array, updates: Array, axis: int = 0, reduction: str = "none") -> Array:
    x = x.copy()
    for place in itertools.product(*map(range, indices.shape)):
        at = (*place[:axis], indices[place], *place[axis + 1 :])
        x[at] = MEET["update" if reduction == "none" else reduction](x[at], updates[place])
    return x


def index_add(x: Array, indices: Array, y: Array, axis: int, sign: int = 1) -> Array:
    out = np.moveaxis(x.copy(), axis, 0)
    for i, part in zip(indices, np.moveaxis(y, axis, 0), strict=True):
        out[i] = out[i] + sign * part
    return np.moveaxis(out, 0, axis)


def segment(reduce: Callable[..., Array], empty: float) -> Callable[..., Array]:
    def of(x: Array, ids: Array, num_segments: int) -> Array:
        rows, flat = x.reshape(-1, *x.shape[ids.ndim :]), ids.ravel()
        blank = np.full(rows.shape[1:], empty)
        return np.stack([reduce(rows[flat == s], axis=0) if (flat == s).any() else blank for s in range(num_segments)])

    return of


def reverse_sequence(x: Array, seq_lengths: Array, seq_dim: int = 0, batch_dim: int = 0) -> Array:
    out = np.moveaxis(x, (batch_dim, seq_dim), (0, 1)).copy()
    for row, n in zip(out, seq_lengths, strict=True):
        row[:n] = row[:n][::-1].copy()
    return np.moveaxis(out, (0, 1), (batch_dim, seq_dim))


def unique_with_pad(x: Array, pad_num: int) -> tuple[Array, Array]:
    found = list(dict.fromkeys(x.tolist()))
    padded = [*found, *[pad_num] * (len(x) - len(found))]
    return np.array(padded), np.array([found.index(i) for i in x])


def one_hot(indices: Array, depth: int, on_value: Any = 1, off_value: Any = 0, axis: int = -1) -> Array:
    hot = np.array([[on_value if i == j else off_value for j in range(depth)] for i in indices.ravel()])
    return np.moveaxis(hot.reshape(*indices.shape, depth), -1, axis)


I = np.array  # noqa: E741
ROWS, PAIRS = I([2, 0, 2]), I([[0, 2], [1, 1], [0, 2]])
_written = [
    call((2, 3), PAIRS, (3,)), call((3, 2), I([[2], [0]]), (2, 2)), call((2, 3), I([[[1, 0]], [[0, 0]]]), (2, 1)),
    call((2, 3), I([[-1, -1]]), (1,)),
]  # fmt: skip
IDS = I([0, 1, 0, -1, 1])
_filled = [call((5,), IDS, num_segments=2), call((2, 2, 3), I([[1, 0], [1, -1]]), num_segments=2)]
_segments = [*_filled, call((5, 2), IDS, num_segments=4), call((3,), I([1, 1, 1]), num_segments=2)]
HOWS = ("update", "add", "sub", "mul", "div", "max", "min")
CALLS: Calls = {
    "getitem": [call((2, 3), index=i) for i in [*ONCE, *TWICE]],
    "put": [
        *[call(np.empty((2, 3))[i].shape, shape=(2, 3), index=i) for i in [*ONCE, *TWICE]],
        call((200, 2), shape=(2, 2), index=MANY),
    ],
    "setitem": [
        *[call((2, 3), np.empty((2, 3))[i].shape, index=i) for i in ONCE], call((2, 3), (), index=0),
        *[call((2, 3), np.empty((2, 3))[i].shape, index=i) for i in TWICE],
        call((2, 3), (1,), index=(slice(None), 1)), call((2, 3), (1, 3), index=slice(None)), call((), (), index=()),
    ],
    "additem": [
        *[call((2, 3), np.empty((2, 3))[i].shape, index=i) for i in [*ONCE, *TWICE]], call((2, 3), (), index=0),
        call((2, 2), (2,), index=MANY), call((), (), index=()),
    ],
    "gather": [
        call((3, 2), ROWS, axis=0), call((2, 3), I([[0, 1], [2, -1]]), axis=1), call((2, 3), I(1), axis=-1),
        call((2, 3), I([[0, 1], [1, 2]]), axis=1, batch_dims=1),
        call((2, 3, 2, 2), I([[0], [1]]), axis=2, batch_dims=1),
        call((2, 2, 3, 2), I([[[0], [2]], [[1], [1]]]), axis=2, batch_dims=2), call((3,), I([], int), axis=0),
    ],
    "gather_along": [
        call((2, 3), I([[0, -1], [2, 2]]), dim=1), call((2, 3), I([[0, 1]]), dim=0), call((3,), I([1, 1]), dim=0),
    ],
    "gather_elements": [call((2, 3), dim=1, index=I([[0, 1], [2, 2]]))],
    "gather_nd": [
        call((2, 3), PAIRS), call((2, 3), I([[1], [1]])), call((2, 3), I([1, 2])), call((2, 3), I([[[-1, 0]]])),
    ],
    "index_select": [call((2, 3), axis=1, index=ROWS), call((2, 3), axis=0, index=I(1))],
    "take": [call((2, 3), I([[0, 5], [1, 1]]))],
    "embedding": [call(I([[0, 2], [2, 1]]), (3, 2))],
    "reverse_sequence": [
        call((2, 3), I([1, 3]), seq_dim=1), call((3, 2), I([2, 0]), seq_dim=0, batch_dim=1),
        call((2, 2, 3), I([3, 2]), seq_dim=2, batch_dim=0),
    ],
    "masked_select": [call((2, 3), MASK), call((3,), MASK), call((2, 3), MASK[0]), call((), I(True))],
    "nonzero": [call(I([[1, 0], [0, 2]])), call(I([0, 3]), as_tuple=True), call(I([[1, 0], [0, 2]]), as_tuple=True)],
    "argwhere": [call(I([[1, 0], [0, 2]])), call(I(3.0)), call(I(0.0))],
    "unique_with_pad": [call(I([3, 1, 3, 2, 1]), pad_num=0), call(I([2]), pad_num=8)],
    "sequence_mask": [call(I([1, 3]), maxlen=4), call(I([[1, 3], [0, 2]]))],
    "one_hot": [
        call(I([0, 2]), depth=3), call(I([[0, 5], [-1, 1]]), depth=2, on_value=7, off_value=3, axis=1),
        call(I([0, 2]), depth=3, axis=0), call(I(1), depth=2),
    ],
    **{f"tensor_scatter_{how}": _written for how in HOWS},
    "tensor_scatter_elements": [
        *[call((2, 3), I([[0, 2], [1, 1]]), (2, 2), axis=1, reduction=r) for r in ("none", *HOWS[1:])],
        call((2, 3), I([[1, 0, 1]]), (1, 3)), call((3,), I([1, 1, -1]), (3,)),
    ],
    "scatter": [
        call((2, 3), axis=1, index=I([[0, 2], [1, 1]]), src=0.5),
        call((2, 3), axis=0, index=I([[1, 0]]), src=I([[0.25, 0.5, 9], [9, 9, 9]])),
    ],
    "scatter_nd": [
        call(PAIRS, (3,), shape=(2, 3)), call(I([[2], [0], [2]]), (3, 2), shape=(3, 2)),
        call(I([[1]]), (1,), shape=(2,)),
    ],
    "index_add": [call((2, 3), ROWS, (2, 3), axis=1), call((3, 2), I([1]), (1, 2), axis=0)],
    "index_fill": [call((2, 3), axis=1, index=I([0, -1]), value=0.5), call((2, 3), axis=0, index=1, value=2)],
    "inplace_add": [call((3, 2), (3, 2), ROWS)],
    "inplace_sub": [call((3, 2), (3, 2), ROWS)],
    "inplace_update": [call((3, 2), (2, 2), I([2, 0])), call((3, 2), (1, 2), I(1))],
    "select_scatter": [call((2, 3), (2,), axis=1, index=-1), call((3,), (), axis=0, index=1)],
    "slice_scatter": [
        call((4, 2), (2, 2), start=1, end=4, step=2), call((2, 3), (2, 1), axis=-1, start=2), call((2,), (2,)),
    ],
    **{f"unsorted_segment_{how}": _segments for how in ("sum", "prod")},
    **{f"unsorted_segment_{how}": _filled for how in ("max", "min")},
}  # fmt: skip
REFERENCES: References = {
    "getitem": lambda x, index: x[index],
    "put": put,
    "setitem": setitem,
    "additem": additem,
    "gather": gather,
    "gather_along": gather_along,
    "gather_elements": lambda x, dim, index: gather_along(x, index, dim),
    "gather_nd": lambda x, indices: np.array(x[tuple(np.moveaxis(indices, -1, 0))]),
    "index_select": lambda x, axis, index: np.take(x, np.atleast_1d(index), axis),
    "take": lambda x, index: x.ravel()[index],
    "embedding": lambda i, w: w[i],
    "reverse_sequence": reverse_sequence,
    "masked_select": lambda x, mask: np.array(
        [a for a, m in zip(*map(np.ravel, np.broadcast_arrays(x, mask)), strict=True) if m]
    ),
    "nonzero": lambda x, as_tuple=False: x.nonzero() if as_tuple else np.argwhere(x),
    "argwhere": np.argwhere,
    "unique_with_pad": unique_with_pad,
    "sequence_mask": lambda n, maxlen=None: np.array(
        [[j < i for j in range(maxlen or n.max())] for i in n.ravel()]
    ).reshape(*n.shape, -1),
    "one_hot": one_hot,
    **{f"tensor_scatter_{how}": by_coordinates(how) for how in HOWS},
    "tensor_scatter_elements": along,
    "scatter": lambda x, axis, index, src: along(
        x, index, np.broadcast_to(src, index.shape if np.ndim(src) == 0 else np.shape(src)), axis
    ),
    "scatter_nd": lambda indices, updates, shape: by_coordinates("add")(np.zeros(shape), indices, updates),
    "index_add": index_add,
    "index_fill": lambda x, axis, index, value: setitem(x, value, (slice(None),) * axis + (index,)),
    "inplace_add": lambda x, v, i: index_add(x, i, v, 0),
    "inplace_sub": lambda x, v, i: index_add(x, i, v, 0, -1),
    "inplace_update": lambda x, v, i: setitem(x, v, i),
    "select_scatter": lambda x, src, axis, index: setitem(x, src, (slice(None),) * axis + (index,)),
    "slice_scatter": lambda x, src, axis=0, start=None, end=None, step=1: np.moveaxis(
        setitem(np.moveaxis(x, axis, 0), np.moveaxis(src, axis, 0), slice(start, end, step)), 0, axis
    ),
    "unsorted_segment_sum": segment(np.sum, 0.0),
    "unsorted_segment_prod": segment(np.prod, 1.0),
    "unsorted_segment_max": segment(np.max, 0.0),
    "unsorted_segment_min": segment(np.min, 0.0),
}
NOT_DIFFERENTIABLE = {"argwhere", "nonzero", "one_hot", "sequence_mask", "unique_with_pad"}
WRITES = {
    *[f"scatter_{how}" for how in HOWS], *[f"scatter_nd_{how}" for how in HOWS], "inplace_index_add", "normal_",
    "random_", "uniform_",
}  # fmt: skip
