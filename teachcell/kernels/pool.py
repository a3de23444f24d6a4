"""Pooling over the last axes of an array, any number of them.

The largest element and the sum of a window are found axis by axis: along each one, the places of a window are as many
strided views, so a window of k × k costs 2k passes and no patches. Gradients go back the same way where windows
overlap, and place by place where they do not. Where an index is asked for, :func:`largest` looks at the windows
themselves. Arrays keep the order that their axes have in memory.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy import ndarray

from . import buffers
from .arguments import with_axes
from .precision import single
from .sliding import Pad, Sizes, counts_of, each_place, enlarged, inside, padded, places, spans

Lengths = Sequence[int]


def max_pool(x: ndarray, kernel: Sizes, stride: Sizes, pad: Pad, dilation: Sizes) -> ndarray:
    """The largest element under each window; padding never wins."""
    check_axes(x, len(kernel))
    largest = padded(x, pad, -np.inf)
    for axis in range(-len(kernel), 0):  # rows first: they lie side by side
        largest = _reduced(np.maximum, places(largest, axis, kernel[axis], stride[axis], dilation[axis]))
    return largest


def max_pool_grad(
    g: ndarray, x: ndarray, out: ndarray, kernel: Sizes, stride: Sizes, pad: Pad, dilation: Sizes
) -> ndarray:
    """g where each window's first largest element was, in row-major order; at its last where NaN hides it."""
    n, before = len(kernel), padded(x, pad, -np.inf)
    if _apart(kernel, stride, dilation):  # 2 x 2 on 32 x 32 x 32²: 0.9 ms instead of 1.3 axis by axis
        g = _spread_out(g, out, before, kernel, stride, dilation, add=False)
    else:
        stages = [before]
        for i in range(1, n):  # the last axis first, so that its first wins among equals
            stages.append(_reduced(np.maximum, places(stages[-1], -i, kernel[-i], stride[-i], dilation[-i])))
        stages.append(out)
        for i in range(n):
            window = [(1,) * i + (sizes[i],) + (1,) * (n - 1 - i) for sizes in (kernel, stride, dilation)]
            g = _spread_out(g, stages[n - i], stages[n - 1 - i], *window, add=True)
    return g[inside(x.shape[-n:], pad)]


def _apart(kernel: Sizes, stride: Sizes, dilation: Sizes) -> bool:
    """Whether no element is under two windows."""
    return all(span <= step for span, step in zip(spans(kernel, dilation), stride, strict=True))


def _spread_out(
    g: ndarray, pooled: ndarray, before: ndarray, kernel: Sizes, stride: Sizes, dilation: Sizes, *, add: bool
) -> ndarray:
    """g at the first element of each window that is what was ``pooled``, 0 at all others."""
    g = _in_order_of(g, pooled)
    spread = buffers.empty_like(before, g.dtype)
    if add or not _covered(before.shape[-len(kernel) :], kernel, stride):
        spread.fill(0)
    hit, free = buffers.empty_like(pooled, bool), buffers.empty_like(pooled, bool)
    free.fill(True)
    window = kernel, stride, dilation
    pairs = list(zip(each_place(before, *window), each_place(spread, *window), strict=True))
    for i, (place, share) in enumerate(pairs, 1):
        if i == len(pairs):
            hit = free  # who has not met it yet meets it last: not to compare saves a fifth of 2 x 2
        else:
            np.equal(place, pooled, out=hit)
            hit &= free
            free ^= hit
        if add:
            share += g * hit
        else:
            np.multiply(g, hit, out=share)
    return spread


def _in_order_of(g: ndarray, like: ndarray) -> ndarray:
    """g with its axes in memory as those of ``like``: what reads both then goes through both in one sweep."""
    if g.strides == like.strides or g.dtype != like.dtype:
        return g
    same = buffers.empty_like(like)
    same[...] = g
    return same


def _covered(sizes: Lengths, kernel: Sizes, stride: Sizes) -> bool:
    """Whether windows that do not overlap leave nothing out."""
    return kernel == stride and not any(size % step for size, step in zip(sizes, stride, strict=True))


def _reduced(ufunc: Any, views: list[ndarray]) -> ndarray:
    """Views of one shape reduced to a new array."""
    result = buffers.empty_like(views[0])
    if len(views) == 1:
        result[...] = views[0]
    else:
        ufunc(views[0], views[1], out=result)
    for view in views[2:]:
        ufunc(result, view, out=result)
    return result


def check_axes(x: ndarray, axes: int) -> None:
    """ValueError unless x has the pooled axes and channels, or these and a batch."""
    with_axes("x", x, axes + 1, axes + 2)


# Averages --------------------------------------------------------------------------------------------------------


def avg_pool(x: ndarray, kernel: Sizes, stride: Sizes, pad: Pad, counted: Pad, divisor: float | None) -> ndarray:
    """The mean of each window: its sum over ``divisor``, by default over the places within the ``counted`` padding."""
    check_axes(x, len(kernel))
    total = padded(single(x), pad)
    for axis in range(-len(kernel), 0):
        total = _reduced(np.add, places(total, axis, kernel[axis], stride[axis]))
    total /= _divisors(x.shape[-len(kernel) :], kernel, stride, pad, counted, divisor, total.dtype)
    return total.astype(x.dtype, copy=False)


def avg_pool_grad(
    g: ndarray, size: Sizes, kernel: Sizes, stride: Sizes, pad: Pad, counted: Pad, divisor: float | None
) -> ndarray:
    """Reverse of ``avg_pool``: each window's share of g at each of its elements, of which there are ``size``."""
    n, wide = len(kernel), single(g)
    share = wide / _divisors(size, kernel, stride, pad, counted, divisor, wide.dtype)
    lengths, ones = enlarged(size, pad), (1,) * n
    if _apart(kernel, stride, ones):
        spread = buffers.empty_like(share, shape=share.shape[:-n] + lengths)
        if not _covered(lengths, kernel, stride):
            spread.fill(0)
        for place in each_place(spread, kernel, stride, ones):
            place[...] = share
        return spread[inside(size, pad)].astype(g.dtype, copy=False)
    for axis in range(-n, 0):
        shape = list(share.shape)
        shape[axis] = lengths[axis]
        spread = buffers.empty_like(share, shape=tuple(shape))
        spread.fill(0)
        for place in places(spread, axis, kernel[axis], stride[axis]):
            place += share
        share = spread
    return share[inside(size, pad)].astype(g.dtype, copy=False)


def _divisors(
    size: Sizes, kernel: Sizes, stride: Sizes, pad: Pad, counted: Pad, divisor: float | None, dtype: np.dtype
) -> Any:
    """By what the sums are divided: one number, or one per window where windows reach beyond what counts."""
    if divisor is not None or pad == counted:
        return dtype.type(math.prod(kernel) if divisor is None else divisor)
    counts = counts_of(enlarged(size, pad), kernel, stride, (1,) * len(kernel))
    total = np.ones((), dtype)
    for i, (count, k, step) in enumerate(zip(counts, kernel, stride, strict=True)):
        starts = np.arange(count) * step - pad[2 * i]
        ends = np.minimum(starts + k, size[i] + counted[2 * i + 1])
        total = np.multiply.outer(total, (ends - np.maximum(starts, -counted[2 * i])).astype(dtype))
    return total


# Where the largest elements are ----------------------------------------------------------------------------------


def window_places(sizes: Lengths, kernel: Sizes, stride: Sizes, pad: Pad, dilation: Sizes) -> list[ndarray]:
    """Per axis (windows, places): which elements a sliding window holds, its first one also for what is padding."""
    held = []
    counts = counts_of(enlarged(sizes, pad), kernel, stride, dilation)
    for i, (size, count) in enumerate(zip(sizes, counts, strict=True)):
        at = np.arange(count)[:, None] * stride[i] + np.arange(kernel[i]) * dilation[i] - pad[2 * i]
        within = (at >= 0) & (at < size)
        first = np.take_along_axis(at, within.argmax(1)[:, None], 1)
        held.append(np.where(within, at, first))
    return held


def adaptive_places(sizes: Lengths, size: Sizes) -> list[ndarray]:
    """Per axis (windows, places) for ``size`` windows that together cover it; shorter ones repeat their last place."""
    held = []
    for length, count in zip(sizes, size, strict=True):
        starts = np.arange(count) * length // count
        ends = -(-np.arange(1, count + 1) * length // count)
        held.append(np.minimum(starts[:, None] + np.arange((ends - starts).max()), ends[:, None] - 1))
    return held


def fractional_places(sizes: Lengths, kernel: Sizes, size: Sizes, draws: ndarray) -> list[ndarray]:
    """Per axis (planes, windows, places) for ``size`` windows at distances that vary between whole numbers.

    ``draws`` (planes, axes) from [0, 1) say where each plane's sequence of distances begins.
    """
    held = []
    for length, k, count, draw in zip(sizes, kernel, size, draws.T, strict=True):
        step = (length - k) / max(count - 1, 1)
        starts = np.floor((np.arange(count) + draw[:, None]) * step) - np.floor(draw[:, None] * step)
        starts[:, -1] = length - k
        held.append(starts.astype(int)[..., None] + np.arange(k))
    return held


def largest(x: ndarray, held: Sequence[ndarray]) -> ndarray:
    """Each window's first largest element, as an index into the last axes laid end to end; int64.

    Args:
        x: (…, lengths).
        held: per axis (windows, places), or (planes, windows, places) where they differ from plane to plane.
    """
    n = len(held)
    sizes, lead = x.shape[-n:], x.shape[:-n]
    planes = x.reshape(math.prod(lead), math.prod(sizes))
    index: Any = 0
    for i, (size, at) in enumerate(zip(sizes, held, strict=True)):
        *plane, count, length = at.shape
        index = index * size + at.reshape(*plane, *_alone(i, n, count), *_alone(i, n, length))
    counts = index.shape[-2 * n : -n]
    index = index.reshape(-1, math.prod(counts), math.prod(index.shape[-n:]))
    best = planes[np.arange(len(planes))[:, None, None], index].argmax(-1)
    index = np.broadcast_to(index, (len(planes), *index.shape[1:]))
    return np.take_along_axis(index, best[..., None], -1).reshape(*lead, *counts)


def _alone(i: int, n: int, length: int) -> list[int]:
    """A shape of n axes, ``length`` at i and 1 elsewhere."""
    return [length if j == i else 1 for j in range(n)]


def max_pool_index(x: ndarray, kernel: Sizes, stride: Sizes, pad: Pad, dilation: Sizes) -> ndarray:
    """Where ``max_pool`` finds its elements."""
    return largest(x, window_places(x.shape[-len(kernel) :], kernel, stride, pad, dilation))


def adaptive_max_index(x: ndarray, size: Sizes) -> ndarray:
    """Where ``adaptive_max_pool`` finds its elements."""
    check_axes(x, len(size))
    return largest(x, adaptive_places(x.shape[-len(size) :], size))


def adaptive_max_pool(x: ndarray, size: Sizes) -> ndarray:
    """The largest element of each of ``size`` windows that together cover the last axes."""
    index = adaptive_max_index(x, size)
    return x.reshape(planes_of(x.shape, len(size)))[rows_of(index, len(size))].reshape(index.shape)


def planes_of(shape: tuple[int, ...], axes: int) -> tuple[int, int]:
    """The shape of an array with its last ``axes`` axes as one, and the others as one."""
    return math.prod(shape[:-axes]), math.prod(shape[-axes:])


def rows_of(index: ndarray, axes: int) -> tuple[ndarray, ndarray]:
    """An index such as ``largest`` gives as one into an array of shape ``planes_of``."""
    planes, count = planes_of(index.shape, axes)
    return np.arange(planes)[:, None], index.reshape(planes, count)
