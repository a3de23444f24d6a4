"""Kernels that read and write at indices. An index is NumPy's: ints, slices, arrays, None, ..., or a tuple of them.

The other ways to name places (along one axis, by a table of coordinates …) are turned into such an index here.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy import ndarray

from ..texts import say
from .arguments import axes_of, limited, one_axis, one_of, whole

_FEW = 256  # up to here NumPy's own way through an index is quicker than flat places

# By an index of NumPy's ----------------------------------------------------------------------------------------


def getitem(x: ndarray, index: Any) -> ndarray:
    """x[index]; a single element as a 0-d view, where NumPy would hand out a number."""
    result = x[index]
    if isinstance(result, ndarray):
        return result
    return x[(*index, Ellipsis)] if isinstance(index, tuple) else x[index, ...]


def put(g: ndarray, shape: tuple[int, ...], index: Any) -> ndarray:
    """Zeros of ``shape`` with g added at ``index``; repeated places add up (reverse of getitem)."""
    result = np.zeros(shape, g.dtype)
    _add_at(result, g, index) if _may_repeat(index) else result.__setitem__(index, g)
    return result


def parts(x: ndarray, indices: Sequence[Any]) -> tuple[ndarray, ...]:
    """x at basic indices that follow one another along an axis and leave nothing out, as views."""
    return tuple([x[index] for index in indices] if x.ndim > 1 else [getitem(x, index) for index in indices])


def assemble(gs: Sequence[ndarray | None], shape: tuple[int, ...], indices: Sequence[Any]) -> ndarray:
    """Each g at its own index, zeros for those that are None (reverse of parts)."""
    given = [g for g in gs if g is not None]
    if len(given) == len(gs) and given[0].ndim == len(shape):  # slices, all there: 1.7 µs for four, not 3.3
        return np.concatenate(given, len(indices[0]) - 1)
    covered = sum([g.size for g in given]) == math.prod(shape)
    result = (np.empty if covered else np.zeros)(shape, given[0].dtype)
    for g, index in zip(gs, indices, strict=True):
        if g is not None:
            result[index] = g
    return result


def add_into(total: ndarray, g: ndarray, index: Any) -> None:
    """Add g to ``total`` at ``index``; repeated places add up."""
    if not _may_repeat(index):
        total[index] += g
    elif total.flags.c_contiguous:
        _add_at(total, g, index)
    else:
        np.add.at(total, index, g)


def setitem(x: ndarray, value: ndarray, index: Any) -> ndarray:
    """A copy of x with x[index] = value; of two writes to one place the last stays."""
    result = np.array(x)
    result[index] = value
    return result


def additem(x: ndarray, value: ndarray, index: Any) -> ndarray:
    """A copy of x with value added at ``index``; repeated places add up."""
    result = np.array(x, order="C")
    shape = result[index].shape if value.ndim > 1 else ()
    if (ahead := value.ndim - len(shape)) > 0 and shape:  # axes too many, with which NumPy 2.4 may crash
        value = np.broadcast_to(value, (1,) * ahead + shape)[(0,) * ahead]
    _add_at(result, value, index)
    return result


def _add_at(target: ndarray, value: ndarray, index: Any) -> None:
    if value.size <= _FEW:
        np.add.at(target, index, value)
    else:
        at = places(target.shape, index)
        np.add.at(target.reshape(-1), at.reshape(-1), np.broadcast_to(value, at.shape).reshape(-1))


def last_written(shape: tuple[int, ...], index: Any) -> ndarray | None:
    """Where ``setitem`` keeps what it writes, as Bools; None: everywhere."""
    if not _may_repeat(index):
        return None
    writer = np.zeros(shape, np.int64)
    number = np.arange(writer[index].size).reshape(writer[index].shape)
    writer[index] = number
    kept = writer[index] == number
    return None if kept.all() else kept


def repeated(shape: tuple[int, ...], index: Any) -> tuple[Any, ndarray] | None:
    """If an index names a place twice: an index of the distinct places, and which of them each write is for."""
    if not _may_repeat(index):
        return None
    at = places(shape, index).reshape(-1)
    distinct, which = np.unique(at, return_inverse=True)
    return None if distinct.size == at.size else (np.unravel_index(distinct, shape), which.reshape(-1))


def places(shape: tuple[int, ...], index: Any) -> ndarray:
    """Where ``index`` points in the flattened array."""
    rows: Any = index[0] if isinstance(index, tuple) and len(index) == 1 else None
    whole_rows = isinstance(rows, ndarray) and rows.dtype.kind in "iu" and rows.size and shape[0]
    if whole_rows and -shape[0] <= rows.min() <= rows.max() < shape[0]:
        length = math.prod(shape[1:])  # without the places of the rows that nobody asked for
        first = rows.astype(np.intp, copy=False) % shape[0] * length
        return first.reshape(rows.shape + (1,) * (len(shape) - 1)) + np.arange(length).reshape(shape[1:])
    return np.arange(math.prod(shape)).reshape(shape)[index]


def _may_repeat(index: Any) -> bool:
    """Whether an index may name one place twice: only integer arrays can."""
    for part in index if type(index) is tuple else (index,):
        if isinstance(part, (ndarray, list)) and np.asarray(part).dtype.kind != "b":
            return True
    return False


# By indices along axes -----------------------------------------------------------------------------------------


def within(indices: ndarray, length: int, axis: int) -> ndarray:
    """The indices if they are integers in −length … length − 1 (negative ones count from the end); else IndexError."""
    if indices.dtype.kind not in "iu":
        raise IndexError(say("errors.index_kind", got=say("errors.array_of", dtype=indices.dtype)))
    outside = indices[(indices < -length) | (indices >= length)]
    if outside.size:
        raise IndexError(say("errors.index_range", index=outside[0], axis=axis, length=length))
    return indices


def along(axis: int, index: Any) -> tuple[Any, ...]:
    """The index that takes all of the axes before ``axis``, and ``index`` along it."""
    return (slice(None),) * axis + (index,)


def axis_index(shape: tuple[int, ...], indices: ndarray, axis: int = 0) -> tuple[Any, ...]:
    """The index of whole slices at ``indices`` of one axis."""
    axis = one_axis(axis, len(shape))
    return along(axis, within(indices, shape[axis], axis))


def gather(input_params: ndarray, input_indices: ndarray, axis: int, batch_dims: int = 0) -> ndarray:
    """Slices of the parameters at the indices along ``axis``; leading ``batch_dims`` axes of both go in step."""
    if whole(batch_dims, "batch_dims"):
        return input_params[gather_index(input_params.shape, input_indices, axis, batch_dims)]
    axis = one_axis(axis, input_params.ndim)
    return np.take(input_params, within(input_indices, input_params.shape[axis], axis), axis)


def gather_index(shape: tuple[int, ...], indices: ndarray, axis: int, batch_dims: int) -> tuple[Any, ...]:
    """The index that :func:`gather` reads at."""
    if not batch_dims:
        return axis_index(shape, indices, axis)
    axis = one_axis(axis, len(shape))
    batch_dims += indices.ndim if batch_dims < 0 else 0
    if not 0 <= batch_dims <= axis or indices.shape[:batch_dims] != shape[:batch_dims]:
        raise ValueError(say("errors.batch_dims", batch_dims=batch_dims, axis=axis))
    rest = indices.shape[batch_dims:]
    indices = within(indices, shape[axis], axis).reshape(shape[:batch_dims] + (1,) * (axis - batch_dims) + rest)
    return *np.ix_(*[np.arange(d) for d in shape[:axis]], *[(0,)] * len(rest))[:axis], indices


def gather_along(x: ndarray, index: ndarray, dim: int) -> ndarray:
    """out[i, j, …] = x[index[i, j, …], j, …] for ``dim`` 0, and so on: one element of x for every index."""
    return x[along_index(x.shape, index, dim)]


def along_index(shape: tuple[int, ...], index: ndarray, axis: int) -> tuple[ndarray, ...]:
    """The index of the elements that ``index`` names along one axis, its other coordinates being its own."""
    axis = one_axis(axis, len(shape))
    others = [n <= d for i, (n, d) in enumerate(zip(index.shape, shape, strict=False)) if i != axis]
    if index.ndim != len(shape) or not all(others):
        raise ValueError(say("errors.along_shape", axis=axis, shape=shape, got=index.shape))
    grid = list(np.ix_(*[np.arange(d) for d in index.shape]))
    grid[axis] = within(index, shape[axis], axis)
    return tuple(grid)


def nd_index(shape: tuple[int, ...], indices: ndarray) -> tuple[ndarray, ...]:
    """The index of places whose coordinates stand along the last axis of ``indices``."""
    depth = indices.shape[-1] if indices.ndim else 0
    if not 0 < depth <= len(shape):
        raise ValueError(say("errors.nd_depth", ndim=len(shape), got=indices.shape))
    return tuple([within(indices[..., i], shape[i], i) for i in range(depth)])


def reversed_index(shape: tuple[int, ...], lengths: ndarray, seq_dim: int, batch_dim: int) -> ndarray:
    """For every element its index along ``seq_dim`` once the first ``lengths[i]`` of batch entry i are reversed."""
    (seq, batch) = axes_of((seq_dim, batch_dim), len(shape))
    if lengths.shape != (shape[batch],) or (lengths < 0).any() or (lengths > shape[seq]).any():
        raise ValueError(say("errors.sequence_lengths", count=shape[batch], most=shape[seq], got=lengths.tolist()))
    step = np.arange(shape[seq]).reshape([-1 if i == seq else 1 for i in range(len(shape))])
    length = lengths.reshape([-1 if i == batch else 1 for i in range(len(shape))])
    return np.array(np.broadcast_to(np.where(step < length, length - 1 - step, step), shape))


# Segments ------------------------------------------------------------------------------------------------------


def segment_layout(ids: ndarray, count: int) -> ndarray:
    """(count, most): the numbers of every segment's rows side by side; ``len(ids)`` where it has no more."""
    order = np.argsort(ids, kind="stable")
    order = order[ids[order] >= 0]
    sizes = np.bincount(ids[order], minlength=count)
    column = np.arange(order.size) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    layout = np.full((count, max(int(sizes.max(initial=0)), 1)), ids.size)
    layout[ids[order], column] = order
    return layout


# Masks and one-hot ---------------------------------------------------------------------------------------------


def one_hot(indices: ndarray, depth: int, axis: int) -> ndarray:
    """True where the place on a new axis of length ``depth`` is the index."""
    if indices.dtype.kind not in "iu":
        raise TypeError(say("errors.index_kind", got=say("errors.array_of", dtype=indices.dtype)))
    if depth < 0:
        raise ValueError(say("errors.depth", got=depth))
    limited("depth", depth, depth * indices.size)
    axis = one_axis(axis, indices.ndim + 1)
    return np.expand_dims(indices, axis) == np.arange(depth).reshape((-1,) + (1,) * (indices.ndim - axis))


def brought_inside(indices: ndarray, length: int, mode: str) -> ndarray:
    """The indices as they are for ``"raise"``, the nearest for ``"clip"``, counted around for ``"wrap"``."""
    one_of("mode", mode, ("raise", "clip", "wrap"))
    return np.clip(indices, 0, length - 1) if mode == "clip" else indices % length if mode == "wrap" else indices
