"""Rows combined by the segment they belong to."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.op import TENSORS as T
from ...core.public import public
from ...core.record import operand
from ...core.tensor import Tensor, wrap
from ...kernels import index as K
from ...kernels.arguments import whole
from ...texts import say


def _smallest(dtype: np.dtype) -> Any:
    return False if dtype.kind == "b" else np.finfo(dtype).min if dtype.kind == "f" else np.iinfo(dtype).min


def _largest(dtype: np.dtype) -> Any:
    return True if dtype.kind == "b" else np.finfo(dtype).max if dtype.kind == "f" else np.iinfo(dtype).max


_REDUCTIONS: dict[str, Any] = {  # how, and what an empty segment gives
    "prod": (lambda x: T.prod(x, 1), lambda dtype: 1),
    "max": (lambda x: T.amax(x, 1), _smallest),
    "min": (lambda x: T.amin(x, 1), _largest),
}


def segments(x: Tensor, ids: np.ndarray, count: int, how: str) -> Tensor:
    """The rows of every segment laid side by side, filled up with what changes nothing, and combined."""
    reduce, neutral = _REDUCTIONS[how]
    blank = wrap(np.full((1, *x.shape[1:]), neutral(x._array.dtype), x._array.dtype))
    rows = T.gather(T.concat([x, blank]), K.segment_layout(ids, count), 0)
    return reduce(rows).astype(x.dtype)


def _by_row(input_x: Any, segment_ids: Any, num_segments: Any) -> tuple[Tensor, np.ndarray, int]:
    """The input with one row per id, the ids flattened, and the number of segments."""
    x, ids, count = operand(input_x), operand(segment_ids)._array, whole(num_segments, "num_segments")
    if x.shape[: ids.ndim] != ids.shape:
        raise ValueError(say("errors.segment_shape", shape=x.shape, got=ids.shape))
    K.within(np.maximum(ids, 0), count, 0)
    return T.reshape(x, (ids.size, *x.shape[ids.ndim :])), ids.reshape(-1), count


@public("unsorted_segment_sum", primitive="UnsortedSegmentSum")
def unsorted_segment_sum(input_x: Any, segment_ids: Any, num_segments: int) -> Tensor:
    """The sum of the rows of every segment; 0 for an empty one.

    Args:
        input_x: any Tensor; its leading axes are those of ``segment_ids``.
        segment_ids: the segment of every row; rows with a negative one belong to none.
        num_segments: how many there are.
    """
    x, ids, count = _by_row(input_x, segment_ids, num_segments)
    if (ids < 0).any():
        x, ids = T.getitem(x, index=ids >= 0), ids[ids >= 0]
    return T.put(x, (count, *x.shape[1:]), (ids,))


@public("unsorted_segment_max", primitive="UnsortedSegmentMax")
def unsorted_segment_max(x: Any, segment_ids: Any, num_segments: int) -> Tensor:
    """The largest of every segment, element by element; the dtype's smallest number for an empty one."""
    return segments(*_by_row(x, segment_ids, num_segments), "max")


@public("unsorted_segment_min", primitive="UnsortedSegmentMin")
def unsorted_segment_min(x: Any, segment_ids: Any, num_segments: int) -> Tensor:
    """The smallest of every segment, element by element; the dtype's largest number for an empty one."""
    return segments(*_by_row(x, segment_ids, num_segments), "min")


@public("unsorted_segment_prod", primitive="UnsortedSegmentProd")
def unsorted_segment_prod(x: Any, segment_ids: Any, num_segments: int) -> Tensor:
    """The product of every segment, element by element; 1 for an empty one."""
    return segments(*_by_row(x, segment_ids, num_segments), "prod")


# Of rows sorted by segment, as many segments as the last id says ---------------------------------------------------


def _sorted(x: Any, segment_ids: Any) -> tuple[Tensor, np.ndarray, int]:
    ids = operand(segment_ids)._array
    if ids.ndim != 1 or (np.diff(ids) < 0).any() or (ids < 0).any():
        raise ValueError(say("errors.segment_order", got=ids.tolist()))
    return _by_row(x, segment_ids, int(ids.max(initial=-1)) + 1)


def _zero_where_empty(found: Tensor, ids: np.ndarray) -> Tensor:
    filled = np.isin(np.arange(len(found)), ids).reshape((-1,) + (1,) * (found.ndim - 1))
    return T.select(wrap(filled), found, T.zeros_like(found))


@public(primitive="SegmentSum")
def _segment_sum(input_x: Any, segment_ids: Any) -> Tensor:
    """The sum of the rows of every segment, the rows sorted by segment."""
    x, ids, count = _sorted(input_x, segment_ids)
    return unsorted_segment_sum(x, wrap(ids), count)


@public(primitive="SegmentMean")
def _segment_mean(input_x: Any, segment_ids: Any) -> Tensor:
    """The mean of the rows of every segment, the rows sorted by segment; 0 for an empty one."""
    x, ids, count = _sorted(input_x, segment_ids)
    sizes = np.maximum(np.bincount(ids, minlength=count), 1).reshape((-1,) + (1,) * (x.ndim - 1))
    return T.divide(unsorted_segment_sum(x, wrap(ids), count), wrap(sizes.astype(x._array.dtype)))


@public(primitive="SegmentMax")
def _segment_max(input_x: Any, segment_ids: Any) -> Tensor:
    """The largest of every segment, the rows sorted by segment; 0 for an empty one."""
    x, ids, count = _sorted(input_x, segment_ids)
    return _zero_where_empty(segments(x, ids, count, "max"), ids)


@public(primitive="SegmentMin")
def _segment_min(input_x: Any, segment_ids: Any) -> Tensor:
    """The smallest of every segment, the rows sorted by segment; 0 for an empty one."""
    x, ids, count = _sorted(input_x, segment_ids)
    return _zero_where_empty(segments(x, ids, count, "min"), ids)


@public(primitive="SegmentProd")
def _segment_prod(input_x: Any, segment_ids: Any) -> Tensor:
    """The product of every segment, the rows sorted by segment; 1 for an empty one."""
    return segments(*_sorted(input_x, segment_ids), "prod")
