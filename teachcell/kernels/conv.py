"""Convolution over any number of axes by patches and one batched matrix product, and its two derivatives.

Convolution is linear in the input and in the weight, so each of the three kernels is the derivative of the others.
Patches are laid out (N, C · kernel, windows): the product then is the output, (N, O, windows), with nothing to
transpose. :func:`unfold` and :func:`fold` make patches and add them up again.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy import ndarray

from ..texts import say
from .arguments import with_axes
from .precision import single
from .sliding import Pad, Sizes, counts_of, enlarged, inside, padded, windows


def convolution(x: ndarray, w: ndarray, stride: Sizes, pad: Pad, dilation: Sizes, groups: int) -> ndarray:
    """Cross-correlation of (N, C, …) with (O, C / groups, …)."""
    n, o = len(stride), len(w)
    _check_axes(x, w, n + 2)
    if x.shape[1] != w.shape[1] * groups or o % groups:
        raise ValueError(say("errors.conv_channels", got=x.shape[1], wanted=w.shape[1] * groups, groups=groups))
    patches = windows(padded(single(x), pad), w.shape[2:], stride, dilation)
    out = np.matmul(_by_group(single(w), groups), _columns(patches, n, groups))
    return out.reshape(len(x), o, *patches.shape[2 + n :]).astype(x.dtype, copy=False)


def _check_axes(x: ndarray, w: ndarray, count: int) -> None:
    with_axes("input", x, count, count)
    with_axes("weight", w, count, count)


def transposed_convolution(
    x: ndarray, w: ndarray, size: Sizes, stride: Sizes, pad: Pad, dilation: Sizes, groups: int
) -> ndarray:
    """(N, O, …) back to (N, C, \\*size): each element's share is added up where its window lay."""
    _check_axes(x, w, len(size) + 2)
    if x.shape[1] != len(w):
        raise ValueError(say("errors.transposed_channels", got=x.shape[1], wanted=len(w)))
    kernel, counts = w.shape[2:], counts_of(enlarged(size, pad), w.shape[2:], stride, dilation)
    if counts != x.shape[2:]:
        raise ValueError(say("errors.transposed_size", size=size, counts=counts, got=x.shape[2:]))
    shares = np.matmul(_by_group(single(w), groups).swapaxes(-1, -2), _rows(single(x), groups))
    shape = (len(x), w.shape[1] * groups, *size)
    total = _added_up(shares.reshape(*shape[:2], *kernel, *counts), shape, stride, pad, dilation)
    return total.astype(x.dtype, copy=False)


def convolution_weight_grad(
    g: ndarray, x: ndarray, kernel: Sizes, stride: Sizes, pad: Pad, dilation: Sizes, groups: int
) -> ndarray:
    """The gradient of a convolution's weight of size ``kernel``: output gradients times patches."""
    o, patches = g.shape[1], windows(padded(single(x), pad), kernel, stride, dilation)
    rows, columns = _rows(single(g), groups), _columns(patches, len(kernel), groups)
    if groups == 1 and columns.shape[-1] <= o:  # few windows: one product over the batch beats a sum of products
        total = np.tensordot(rows[:, 0], columns[:, 0], ((0, 2), (0, 2)))
    else:
        total = np.matmul(rows, columns.swapaxes(-1, -2)).sum(0)
    return total.reshape(o, x.shape[1] // groups, *kernel).astype(x.dtype, copy=False)


def unfold(x: ndarray, kernel: Sizes, stride: Sizes, pad: Pad, dilation: Sizes) -> ndarray:
    """The patches under sliding windows as columns, (N, C · kernel, windows)."""
    n = len(kernel)
    with_axes("x", x, n + 2, n + 2)
    columns = _columns(windows(padded(x, pad), kernel, stride, dilation), n, 1)[:, 0]
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
    total = np.zeros(shape[:2] + enlarged(shape[2:], pad), shares.dtype)
    for place in np.ndindex(*kernel):
        starts = [i * gap for i, gap in zip(place, dilation, strict=True)]
        hit: Any = [slice(a, a + (c - 1) * hop + 1, hop) for a, c, hop in zip(starts, counts, stride, strict=True)]
        total[(..., *hit)] += shares[(slice(None), slice(None), *place)]
    return total[inside(shape[2:], pad)]


def _by_group(w: ndarray, groups: int) -> ndarray:
    """A weight as matrices (groups, O / groups, C · kernel / groups)."""
    return w.reshape(groups, len(w) // groups, math.prod(w.shape[1:]))


def _rows(x: ndarray, groups: int) -> ndarray:
    """(N, C, …) as (N, groups, C / groups, windows)."""
    return x.reshape(len(x), groups, x.shape[1] // groups, math.prod(x.shape[2:]))


def _columns(patches: ndarray, n: int, groups: int) -> ndarray:
    """Patches (N, C, kernel, windows) as (N, groups, C · kernel / groups, windows)."""
    kernel, counts = patches.shape[2 : 2 + n], patches.shape[2 + n :]
    depth = patches.shape[1] // groups * math.prod(kernel)
    return patches.reshape(len(patches), groups, depth, math.prod(counts))
