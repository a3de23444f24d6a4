"""Products with all the patches that a convolution looks at, gathered in parts that stay in the cache.

To gather all patches of a batch makes an array k² times the input, which goes to memory and comes back. A part of
them that the second-level cache holds costs a third less (32 to 64 channels of 16 x 16: 3.7 ms against 6.7 to 8.7).
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy import ndarray

from . import buffers
from .products import UNPACKED

CACHE = 3 << 18  # bytes of patches that are gathered at once
TALL = 128  # rows from which a small product takes 15 to 45 % less than a part of a large one: LeNet 0.2 ms
KEPT = 1 << 22  # bytes of patches that are worth keeping until the weight's gradient: those of small networks
RUN = 16  # numbers side by side in memory from which gathering them channels last beats gathering rows of an image
WIDE = 16  # channels from which a result is better left with them last


def channels_last(kernel: tuple[int, ...], groups: int) -> bool:
    """Whether patches for a kernel (C, …) are gathered channels last: in runs of its last axis times the channels."""
    return groups == 1 and kernel[0] * kernel[-1] >= RUN


class ChannelsLast:
    """Patches as rows (sample and window; kernel and channel)."""

    def __init__(self, patches: ndarray) -> None:
        """``patches``: (N, C, kernel, windows) as a view of an image with the channels last in memory."""
        self.n = n = patches.ndim // 2 - 1
        self.windows = patches.transpose(0, *range(2 + n, 2 + 2 * n), *range(2, 2 + n), 1)
        self.counts = patches.shape[2 + n :]
        self.depth = math.prod(patches.shape[1 : 2 + n])

    def room(self) -> ndarray | None:
        """Memory for all patches, to keep them; None where they are too many or are the image itself."""
        windows = self.windows
        if windows.flags.c_contiguous or windows.size * windows.itemsize > KEPT:
            return None
        return buffers.empty((windows.size // max(self.depth, 1), self.depth), windows.dtype)

    def parts(self, columns: int, kept: ndarray | None = None) -> Iterator[tuple[Any, ndarray]]:
        """Which samples and first rows of windows, and their patches as a matrix, which is a part of ``kept``.

        They are to be multiplied with as many ``columns``.
        """
        windows, depth, row = self.windows, self.depth, math.prod(self.counts[1:])
        gathered = not windows.flags.c_contiguous  # else a kernel of one element: the image itself
        fit = _unpacked_rows(depth, columns) // max(row, 1)
        if gathered:
            fit = min(fit, CACHE // max(row * depth * windows.itemsize, 1))
        room, done = kept, 0
        for part in _parts(len(windows), self.counts[0], fit):
            view = windows[part]
            rows = view.size // max(depth, 1)
            if not gathered:
                yield part, view.reshape(rows, depth)
                continue
            if room is None:
                room = buffers.empty((rows, depth), view.dtype)
            patches = room[done : done + rows]
            np.copyto(patches.reshape(view.shape), view)
            if kept is not None:
                done += rows
            yield part, patches

    def times(self, w: ndarray, kept: ndarray | None = None) -> ndarray:
        """(N, O, windows), the channels last in memory."""
        n, o = self.n, len(w)
        matrix = np.ascontiguousarray(w.transpose(*range(2, 2 + n), 1, 0)).reshape(-1, o)
        y = buffers.empty((len(self.windows), *self.counts, o), w.dtype)
        for part, patches in self.parts(o, kept):
            np.dot(patches, matrix, y[part].reshape(-1, o))
        return y.transpose(0, 1 + n, *range(1, 1 + n))

    def added_rows(self, w: ndarray, offsets: list[int], size: int) -> ndarray:
        """(N, O, size, …) from windows of one row: their products with row i of a kernel count ``offsets[i]`` on."""
        n, o = self.n, len(w)
        matrices = np.ascontiguousarray(w.transpose(*range(2, 2 + n), 1, 0)).reshape(len(offsets), self.depth, o)
        y = buffers.zeros((len(self.windows), size, *self.counts[1:], o), w.dtype)
        for (samples, rows), patches in self.parts(o):
            room = buffers.empty((len(patches), o), w.dtype)
            products = room.reshape(-1, rows.stop - rows.start, *y.shape[2:])
            for matrix, offset in zip(matrices, offsets, strict=True):
                first, end = max(rows.start, -offset), min(rows.stop, size - offset)
                if first < end:
                    np.dot(patches, matrix, room)
                    y[samples, first + offset : end + offset] += products[:, first - rows.start : end - rows.start]
        return y.transpose(0, 1 + n, *range(1, 1 + n))

    def against(self, g: ndarray) -> ndarray:
        """Σ patch · g over all windows, as (O, C, kernel)."""
        n, o = self.n, g.shape[1]
        g = g.transpose(0, *range(2, 2 + n), 1)
        total = np.zeros((o, self.depth), g.dtype)
        for part, patches in self.parts(o):
            total += np.dot(g[part].reshape(-1, o).T, patches)
        kernel = self.windows.shape[1 + n :]
        return total.reshape(o, *kernel).transpose(0, 1 + n, *range(1, 1 + n))


class ChannelsFirst:
    """Patches as columns (sample, group; channel and kernel; window)."""

    def __init__(self, patches: ndarray, groups: int) -> None:
        """``patches``: (N, C, kernel, windows) as a view of an image with the channels first in memory."""
        self.n = n = patches.ndim // 2 - 1
        self.windows, self.groups, self.counts = patches, groups, patches.shape[2 + n :]
        self.depth = math.prod(patches.shape[1 : 2 + n]) // groups

    def room(self) -> ndarray | None:
        """Memory for all patches, to keep them; None where they are too many."""
        windows, size = self.windows, self.windows.size * self.windows.itemsize
        if size > KEPT or size > CACHE * len(windows):
            return None
        return buffers.empty((len(windows), self.groups, self.depth, math.prod(self.counts)), windows.dtype)

    def parts(self, kept: ndarray | None = None) -> Iterator[tuple[Any, Any, ndarray]]:
        """Which samples, which windows, and their patches as matrices, which are a part of ``kept``."""
        windows, counts = self.windows, self.counts
        rest = math.prod(counts[1:])
        item = self.groups * self.depth * rest * windows.itemsize
        rows: tuple[Any, ...] = (slice(None),) * (1 + self.n)
        room = None
        for samples, first in _parts(len(windows), counts[0], CACHE // max(item, 1)):
            view = windows[(samples, *rows, first)]
            within = slice(first.start * rest, first.stop * rest)
            shape = len(view), self.groups, self.depth, within.stop - within.start
            if room is None and kept is None:
                room = buffers.empty(view.size, view.dtype)
            patches = kept[samples] if room is None else room[: view.size].reshape(shape)  # type: ignore[index]
            np.copyto(patches.reshape(view.shape), view)
            yield samples, within, patches

    def times(self, w: ndarray, kept: ndarray | None = None) -> ndarray:
        """(N, O, windows); many channels are left last in memory."""
        o, groups, batch, windows = len(w), self.groups, len(self.windows), math.prod(self.counts)
        matrices = w.reshape(groups, o // groups, self.depth)
        if groups == 1 and o >= WIDE:
            y = buffers.empty((batch, windows, o), w.dtype).swapaxes(1, 2)[:, None]
        else:
            y = buffers.empty((batch, groups, o // groups, windows), w.dtype)
        for samples, within, patches in self.parts(kept):
            _multiplied(matrices, patches, y[samples, ..., within])
        return y.reshape(batch, o, *self.counts)

    def against(self, g: ndarray) -> ndarray:
        """Σ patch · g over all windows, as (O, C / groups · kernel)."""
        o, groups = g.shape[1], self.groups
        rows = g.reshape(len(g), groups, o // groups, math.prod(self.counts))
        total = np.zeros((groups, o // groups, self.depth), g.dtype)
        for samples, within, patches in self.parts():
            total += np.matmul(rows[samples, ..., within], patches.swapaxes(-1, -2)).sum(0)
        return total


def against_kept(g: ndarray, kept: ndarray, shape: tuple[int, ...]) -> ndarray:
    """Σ patch · g, as an array of ``shape`` (O, C, kernel), from patches that ``times`` was given to keep."""
    n, o = len(shape) - 2, shape[0]
    if kept.ndim == 2:
        pixels = g.transpose(0, *range(2, 2 + n), 1).reshape(-1, o)
        total = np.zeros((kept.shape[1], o), g.dtype)
        for part, _ in _parts(len(pixels), 1, _unpacked_rows(kept.shape[1], o)):
            total += np.dot(kept[part].T, pixels[part])  # a tenth less than the other way round
        return total.reshape(*shape[2:], shape[1], o).transpose(1 + n, n, *range(n))
    rows = g.reshape(len(g), kept.shape[1], o // kept.shape[1], kept.shape[3])
    of_each = np.matmul(rows, kept.swapaxes(-1, -2))
    return np.dot(np.ones(len(of_each), g.dtype), of_each.reshape(len(of_each), math.prod(shape))).reshape(shape)


def _multiplied(matrices: ndarray, patches: ndarray, out: ndarray) -> None:
    """matrices · patches, into an array that may be turned."""
    if out.strides[-1] == out.itemsize:
        np.matmul(matrices, patches, out=out)
    else:
        np.matmul(patches.swapaxes(-1, -2), matrices.swapaxes(-1, -2), out=out.swapaxes(-1, -2))


def _unpacked_rows(depth: int, columns: int) -> int:
    """How many rows of ``depth`` elements BLAS does not pack for a product with so many columns; all where too few."""
    rows = UNPACKED // max(depth * columns, 1)
    return rows if rows >= TALL else sys.maxsize


def _parts(samples: int, rows: int, fit: int) -> Iterator[tuple[slice, slice]]:
    """Samples and rows of windows in parts of at most ``fit`` rows."""
    fit = max(1, fit)
    if fit >= rows:
        step = fit // max(1, rows)
        for i in range(0, samples, step):
            yield slice(i, min(i + step, samples)), slice(0, rows)
    else:
        fit = -(-rows // -(-rows // fit))  # of a sample, parts of about one size
        for i in range(samples):
            for first in range(0, rows, fit):
                yield slice(i, i + 1), slice(first, min(first + fit, rows))
