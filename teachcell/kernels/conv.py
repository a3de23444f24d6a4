"""Convolution over any number of axes, and its two derivatives, by matrix products of patches.

Convolution is linear in the input and in the weight, so each of the three kernels is the derivative of the others.
The input's gradient is a convolution as well: of the output's gradient, with the kernel turned around (one for each
place within a stride). :func:`unfold` and :func:`fold` make patches and add them up again.

Shapes are (sample, channel, row, column) everywhere; memory need not be. Where patches hold long runs of channels,
they are gathered, and the result is left, channels last. See :mod:`.patches`.
"""

from __future__ import annotations

import math
from functools import lru_cache
from itertools import product
from typing import Any

import numpy as np
from numpy import ndarray

from ..texts import say
from . import buffers
from .arguments import with_axes
from .patches import ChannelsFirst, ChannelsLast, against_kept, channels_last
from .precision import single
from .sliding import Pad, Sizes, counts_of, each_place, enlarged, inside, padded, windows

# The products of a kernel with few input channels have so few rows that to add up their shares costs less than to
# gather patches of the output's gradient: 3 channels of 32 x 32 images 3.3 ms against 7.4.
FEW = 4

# A tall kernel with few input channels has thin products, beside which gathering is dear: patches of one row serve all
# rows of the kernel. 16 to 6 channels, 5 x 5 on 14 x 14: 0.51 ms against 0.77; of 3 rows it is no gain.
THIN, HIGH = 16, 4


def convolution(
    x: ndarray, w: ndarray, stride: Sizes, pad: Pad, dilation: Sizes, groups: int
) -> tuple[ndarray, dict[str, ndarray | None]]:
    """Cross-correlation of (N, C, …) with (O, C / groups, …). Few patches are kept: LeNet's gather twice in 0.4 ms."""
    _check_axes(x, w, len(stride) + 2)
    if x.shape[1] != w.shape[1] * groups or len(w) % groups:
        raise ValueError(say("errors.conv_channels", got=x.shape[1], wanted=w.shape[1] * groups, groups=groups))
    patches = _patches(single(x), w.shape, stride, pad, dilation, groups)
    kept = patches.room()
    return patches.times(single(w), kept).astype(x.dtype, copy=False), {"patches": kept}


def _check_axes(x: ndarray, w: ndarray, count: int) -> None:
    with_axes("input", x, count, count)
    with_axes("weight", w, count, count)


def _patches(
    x: ndarray, weight: tuple[int, ...], stride: Sizes, pad: Pad, dilation: Sizes, groups: int
) -> ChannelsLast | ChannelsFirst:
    last = channels_last(weight[1:], groups)
    patches = windows(padded(x, pad, last=last), weight[2:], stride, dilation)
    return ChannelsLast(patches) if last else ChannelsFirst(patches, groups)


def transposed_convolution(
    x: ndarray, w: ndarray, size: Sizes, stride: Sizes, pad: Pad, dilation: Sizes, groups: int
) -> ndarray:
    """(N, O, …) back to (N, C, \\*size): each element's share is added up where its window lay."""
    _check_axes(x, w, len(size) + 2)
    if x.shape[1] != len(w):
        raise ValueError(say("errors.transposed_channels", got=x.shape[1], wanted=len(w)))
    counts = counts_of(enlarged(size, pad), w.shape[2:], stride, dilation)
    if counts != x.shape[2:]:
        raise ValueError(say("errors.transposed_size", size=size, counts=counts, got=x.shape[2:]))
    back = _by_shares if w.shape[1] < FEW else _by_phases
    return back(single(x), single(w), size, stride, pad, dilation, groups).astype(x.dtype, copy=False)


def _by_shares(x: ndarray, w: ndarray, size: Sizes, stride: Sizes, pad: Pad, dilation: Sizes, groups: int) -> ndarray:
    rows = x.reshape(len(x), groups, len(w) // groups, math.prod(x.shape[2:]))
    shares = np.matmul(w.reshape(groups, rows.shape[2], math.prod(w.shape[1:])).swapaxes(-1, -2), rows)
    shape = (len(x), w.shape[1] * groups, *size)
    return _added_up(shares.reshape(*shape[:2], *w.shape[2:], *x.shape[2:]), shape, stride, pad, dilation)


def _by_phases(x: ndarray, w: ndarray, size: Sizes, stride: Sizes, pad: Pad, dilation: Sizes, groups: int) -> ndarray:
    """Elements at one place within a stride all meet the same part of the kernel: they are a convolution with it."""
    turned = w.reshape(groups, len(w) // groups, *w.shape[1:]).swapaxes(1, 2)
    turned = turned.reshape(w.shape[1] * groups, len(w) // groups, *w.shape[2:])
    phases, ones = _phases(size, x.shape[2:], w.shape[2:], stride, pad[::2], dilation), (1,) * len(size)
    if stride == ones:
        ((_, taps, gaps, pads),) = phases
        part = turned[taps]
        if groups == 1 and len(part) <= THIN and part.shape[2] >= HIGH and x.ndim > 3 and x.size:
            return _by_rows(x, part, size, pads, gaps)
        return _patches(x, part.shape, ones, pads, gaps, groups).times(part)
    result = buffers.zeros((len(x), *size, len(turned)), x.dtype)
    result = result.transpose(0, -1, *range(1, result.ndim - 1))
    for where, taps, gaps, pads in phases:
        part = turned[taps]
        result[where] = _patches(x, part.shape, ones, pads, gaps, groups).times(part)
    return result


def _by_rows(x: ndarray, w: ndarray, size: Sizes, pad: Pad, dilation: Sizes) -> ndarray:
    """A convolution at stride 1: patches of one row times every row of the kernel, added up where they meet."""
    row = (1, *w.shape[3:])
    patches = ChannelsLast(windows(padded(x, (0, 0, *pad[2:]), last=True), row, (1,) * len(row), dilation))
    return patches.added_rows(w, [pad[0] - i * dilation[0] for i in range(w.shape[2])], size[0])


def _phases_of_axis(size: int, count: int, k: int, stride: int, before: int, dilation: int) -> list[Any]:
    """Per place within the stride that the kernel meets: which elements, by which of its taps, at what gap and padding.

    Element u of the padded axis gets x[j] · w[m] where stride · j + dilation · m = u. For all u = stride · t + r, m
    goes from the first that fits in steps of stride / gcd, and with each step j goes back by dilation / gcd.
    """
    divisor = math.gcd(stride, dilation)
    step, gap = stride // divisor, dilation // divisor
    found = []
    for r in range(stride):
        first = next((m for m in range(min(k, step)) if (dilation * m - r) % stride == 0), None)
        start, end = -((r - before) // stride), -((r - before - size) // stride)
        if first is not None and start < end:
            shift, taps = (dilation * first - r) // stride, len(range(first, k, step))
            where = slice(stride * start + r - before, None, stride)
            turned = slice(first + step * (taps - 1), None, -step)
            found.append((where, turned, gap, (gap * (taps - 1) + shift - start, end - shift - count)))
    return found


@lru_cache(256)
def _phases(*sizes: Sizes) -> list[Any]:
    """Every combination of the axes' phases."""
    found = []
    for phases in product(*[_phases_of_axis(*axis) for axis in zip(*sizes, strict=True)]):
        where, taps, gaps, pads = zip(*phases, strict=True)
        found.append(((..., *where), (..., *taps), gaps, tuple([p for pair in pads for p in pair])))
    return found


def convolution_weight_grad(
    g: ndarray, x: ndarray, kernel: Sizes, stride: Sizes, pad: Pad, dilation: Sizes, groups: int
) -> ndarray:
    """The gradient of a convolution's weight of size ``kernel``: output gradients times patches."""
    shape = g.shape[1], x.shape[1] // groups, *kernel
    total = _patches(single(x), shape, stride, pad, dilation, groups).against(single(g))
    return total.reshape(shape).astype(x.dtype, copy=False)


def kept_weight_grad(g: ndarray, x: ndarray, kernel: Sizes, patches: ndarray, groups: int, **_: Any) -> ndarray:
    """``convolution_weight_grad`` from patches that the convolution kept."""
    shape = g.shape[1], x.shape[1] // groups, *kernel
    return against_kept(single(g), patches, shape).astype(x.dtype, copy=False)


def unfold(x: ndarray, kernel: Sizes, stride: Sizes, pad: Pad, dilation: Sizes) -> ndarray:
    """The patches under sliding windows as columns, (N, C · kernel, windows)."""
    n = len(kernel)
    with_axes("x", x, n + 2, n + 2)
    patches = windows(padded(x, pad), kernel, stride, dilation)
    columns = patches.reshape(len(x), x.shape[1] * math.prod(kernel), math.prod(patches.shape[2 + n :]))
    return columns.copy() if np.may_share_memory(columns, x) else columns


def fold(x: ndarray, size: Sizes, kernel: Sizes, stride: Sizes, pad: Pad, dilation: Sizes) -> ndarray:
    """Columns of patches (N, C · kernel, windows) added up where they lay in an array (N, C, \\*size)."""
    counts = counts_of(enlarged(size, pad), kernel, stride, dilation)
    if x.ndim != 3 or x.shape[1] % math.prod(kernel) or x.shape[2] != math.prod(counts):
        wanted = f"(N, C · {math.prod(kernel)}, {math.prod(counts)})"
        raise ValueError(say("errors.fold_columns", wanted=wanted, counts=counts))
    shape = (len(x), x.shape[1] // math.prod(kernel), *size)
    return _added_up(x.reshape(*shape[:2], *kernel, *counts), shape, stride, pad, dilation)


def _added_up(shares: ndarray, shape: tuple[int, ...], stride: Sizes, pad: Pad, dilation: Sizes) -> ndarray:
    """Reverse of patches: (N, C, kernel, windows) added up in an array of ``shape``."""
    n = len(stride)
    kernel, counts = shares.shape[2 : 2 + n], shares.shape[2 + n :]
    total = buffers.zeros(shape[:2] + enlarged(shape[2:], pad), shares.dtype)
    of_place = shares.reshape(*shares.shape[:2], math.prod(kernel), *counts)
    for i, elements in enumerate(each_place(total, kernel, stride, dilation)):
        elements += of_place[:, :, i]
    return total[inside(shape[2:], pad)]
