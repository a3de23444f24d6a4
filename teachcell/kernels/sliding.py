"""Windows that slide over the last axes of an array: the geometry of convolution, pooling and patches.

Everything here works for any number of axes. Per-axis quantities (``kernel``, ``stride``, ``dilation``) are tuples
with one int per axis; ``pad`` holds the padding before and after the first of them, then of the second, and so on.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import numpy as np
from numpy import ndarray
from numpy.lib.stride_tricks import as_strided

from ..texts import say
from . import buffers

ONE_BY_ONE = 8  # up to so many channels are brought last by themselves: 3 of 32 x 32 take a quarter, 6 of 14 x 14 half

Sizes = tuple[int, ...]
Pad = tuple[int, ...]
_cached: Any = lru_cache(1024)  # a network asks for the same few windows in every step: LeNet 0.2 ms


def spans(kernel: Sizes, dilation: Sizes) -> Sizes:
    """How many elements a window reaches over, gaps included."""
    return tuple([(k - 1) * d + 1 for k, d in zip(kernel, dilation, strict=True)])


@_cached
def enlarged(sizes: Sizes, pad: Pad) -> Sizes:
    """The lengths of axes with their padding."""
    return tuple([size + before + after for size, before, after in zip(sizes, pad[::2], pad[1::2], strict=True)])


@_cached
def inside(sizes: Sizes, pad: Pad) -> Any:
    """Where the elements lie in an array whose last axes are padded."""
    return (..., *[slice(before, before + size) for size, before in zip(sizes, pad[::2], strict=True)])


def padded(x: ndarray, pad: Pad, value: float = 0.0, last: bool | None = None) -> ndarray:
    """x with ``value`` around its last axes, or less of it where the padding is negative.

    With ``last`` axis 1 comes last in memory, or with False first; by default where it is in x. Where nothing has to
    be done, this is x itself.
    """
    n = len(pad) // 2
    if min(pad) < 0:
        x, pad = _cut(x, pad)
    if not any(pad) and (last is None or x.strides[1 if last else -1] == x.itemsize):
        return x
    sizes = x.shape[-n:]
    shape = x.shape[:-n] + enlarged(sizes, pad)
    if last is None:
        result = buffers.empty_like(x, shape=shape)
    elif last:
        result = buffers.empty((shape[0], *shape[2:], shape[1]), x.dtype).transpose(0, -1, *range(1, 1 + n))
    else:
        result = buffers.empty(shape, x.dtype)
    if any(pad):
        result.fill(value)  # no dearer than only the border, which is many short runs
    target = result[inside(sizes, pad)]
    if last and x.shape[1] <= ONE_BY_ONE:
        for channel in range(x.shape[1]):
            target[:, channel] = x[:, channel]
    else:
        target[...] = x
    return result


def _cut(x: ndarray, pad: Pad) -> tuple[ndarray, Pad]:
    """What is left of x where padding is negative, and the padding around it."""
    left: list[Any] = [...]
    around: list[int] = []
    for size, before, after in zip(x.shape[-len(pad) // 2 :], pad[::2], pad[1::2], strict=True):
        start = max(-before, 0)
        end = max(start, min(size, size + after))
        left.append(slice(start, end))
        around += [max(before, 0), max(after, 0)] if start < end else [size + before + after, 0]
    return x[tuple(left)], tuple(around)


@_cached
def counts_of(sizes: Sizes, kernel: Sizes, stride: Sizes, dilation: Sizes) -> Sizes:
    """How many windows fit along each axis; ValueError where not even one does."""
    reach = spans(kernel, dilation)
    if any(size < span for size, span in zip(sizes, reach, strict=True)):
        raise ValueError(say("errors.window", window=reach, sizes=sizes))
    return tuple([(size - span) // step + 1 for size, span, step in zip(sizes, reach, stride, strict=True)])


def windows(x: ndarray, kernel: Sizes, stride: Sizes, dilation: Sizes) -> ndarray:
    """Every window as a view: (…, places in the window, windows), each with as many axes as ``kernel``."""
    n = len(kernel)
    counts = counts_of(x.shape[-n:], kernel, stride, dilation)
    steps = x.strides[-n:]
    within = [step * gap for step, gap in zip(steps, dilation, strict=True)]
    between = [step * hop for step, hop in zip(steps, stride, strict=True)]
    shape, strides = x.shape[:-n] + kernel + counts, (*x.strides[:-n], *within, *between)
    memory = x if x.flags.c_contiguous else x.transpose(0, *range(2, x.ndim), 1)
    if memory.flags.c_contiguous:  # NumPy's as_strided takes 10 µs
        return np.ndarray(shape, x.dtype, memory, 0, strides)
    return as_strided(x, shape, strides, writeable=False)


def each_place(x: ndarray, kernel: Sizes, stride: Sizes, dilation: Sizes) -> Iterator[ndarray]:
    """Place by place of a window, row by row, the elements that all windows have there."""
    counts = counts_of(x.shape[-len(kernel) :], kernel, stride, dilation)
    for where in _slices(counts, kernel, stride, dilation):
        yield x[where]


@_cached
def _slices(counts: Sizes, kernel: Sizes, stride: Sizes, dilation: Sizes) -> list[Any]:
    found: list[Any] = []
    for place in np.ndindex(*kernel):
        axes = zip(place, counts, stride, dilation, strict=True)
        found.append((..., *[slice(i * gap, i * gap + (n - 1) * hop + 1, hop) for i, n, hop, gap in axes]))
    return found


def places(x: ndarray, axis: int, kernel: int, stride: int, dilation: int = 1) -> list[ndarray]:
    """Per place in the windows along ``axis`` (counted from the end) the elements that all of them have there."""
    (count,) = counts_of(x.shape[axis : axis + 1 or None], (kernel,), (stride,), (dilation,))
    reach = (count - 1) * stride + 1
    rest: Any = (slice(None),) * (-1 - axis)
    return [x[(..., slice(i, i + reach, stride), *rest)] for i in range(0, kernel * dilation, dilation)]
