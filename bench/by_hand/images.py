"""Convolution and max-pooling by hand: the fastest NumPy that we know for small images."""

from __future__ import annotations

import numpy as np
from numpy.lib.stride_tricks import as_strided, sliding_window_view

CACHE = 1 << 20  # bytes of patches that are gathered at once: multiplied while they are still in the cache


class FirstConv:
    """A convolution of images with few channels, given as (sample, channel, row, column); ``w`` is (out, C·k·k).

    Channels last, a gathered run would be k·C ≤ 9 floats; channels first it is a row of the image. For the same
    reason few output channels are kept first in memory (``channels_last=False``); their shape is as everywhere.
    """

    def __init__(self, x: np.ndarray, k: int, pad: int, w: np.ndarray, dw: np.ndarray, *, channels_last: bool) -> None:
        batch, channels, height, width = x.shape
        padded = np.zeros((batch, channels, height + 2 * pad, width + 2 * pad), np.float32)
        self.inside = padded[:, :, pad : pad + height, pad : pad + width]
        self.windows = sliding_window_view(padded, (k, k), axis=(2, 3)).transpose(0, 1, 4, 5, 2, 3)
        rows, columns = self.windows.shape[-2:]
        self.gathered = np.empty(self.windows.shape, np.float32)
        self.columns = self.gathered.reshape(batch, channels * k * k, rows * columns)
        self.w, self.dw, self.channels_last = w, dw, channels_last
        if channels_last:
            self.y = np.empty((batch, rows, columns, len(w)), np.float32)
        else:
            self.y = np.empty((batch, len(w), rows, columns), np.float32).transpose(0, 2, 3, 1)
        self.dw_of_each = np.empty((batch, *w.shape), np.float32)
        self.ones = np.ones(batch, np.float32)

    def forward(self, x: np.ndarray) -> np.ndarray:
        np.copyto(self.inside, x)
        np.copyto(self.gathered, self.windows)
        y = by_channel(self.y)
        if self.channels_last:
            np.matmul(self.columns.transpose(0, 2, 1), self.w.T, y.transpose(0, 2, 1))
        else:
            np.matmul(self.w, self.columns, y)
        return self.y

    def backward(self, dy: np.ndarray) -> None:
        np.matmul(by_channel(dy), self.columns.transpose(0, 2, 1), self.dw_of_each)
        np.dot(self.ones, self.dw_of_each.reshape(len(dy), -1), self.dw.reshape(-1))


def by_channel(image: np.ndarray) -> np.ndarray:
    """(sample, row, column, channel) as (sample, channel, row and column): a view, whatever comes last in memory."""
    batch, rows, columns, channels = image.shape
    if image.strides[3] > image.strides[2]:
        return image.transpose(0, 3, 1, 2).reshape(batch, channels, rows * columns)
    return image.reshape(batch, rows * columns, channels).transpose(0, 2, 1)


class Columns:
    """The patches of padded images as rows of a matrix, gathered in runs of k·C floats."""

    def __init__(self, batch: int, height: int, width: int, channels: int, k: int, pad: int) -> None:
        padded = np.zeros((batch, height + 2 * pad, width + 2 * pad, channels), np.float32)
        self.inside = padded[:, pad : pad + height, pad : pad + width]
        self.rows, self.columns = height + 2 * pad - k + 1, width + 2 * pad - k + 1
        sample, row, column, item = padded.strides
        shape = (batch, self.rows, self.columns, k, k * channels)
        self.windows = as_strided(padded, shape, (sample, row, column, row, item))
        patches = 4 * self.rows * self.columns * k * k * channels
        self.block = next(n for n in range(max(1, CACHE // patches), 0, -1) if batch % n == 0)
        self.few = np.empty((self.block, *shape[1:]), np.float32)

    def multiply(self, w: np.ndarray, y: np.ndarray, keep: np.ndarray | None = None) -> None:
        """Patches times ``w``; they stay in ``keep``."""
        for i in range(0, len(y), self.block):
            these = slice(i, i + self.block)
            patches = self.few if keep is None else keep[these]
            np.copyto(patches, self.windows[these])
            np.dot(patches.reshape(-1, len(w)), w, y[these].reshape(-1, w.shape[1]))


class Conv:
    """A convolution, stride 1; the layer before may write its result into ``inside``."""

    def __init__(self, batch: int, size: int, pad: int, w: np.ndarray, dw: np.ndarray) -> None:
        k, _, channels, out = w.shape
        self.forth = forth = Columns(batch, size, size, channels, k, pad)
        self.inside = forth.inside
        self.back = Columns(batch, forth.rows, forth.columns, out, k, k - 1 - pad)
        self.w, self.dw, self.flipped = w, dw, np.empty((k, k, out, channels), np.float32)
        self.patches = np.empty(forth.windows.shape, np.float32)  # the slope of w needs them again
        self.y = np.empty((batch, forth.rows, forth.columns, out), np.float32)
        self.dx = np.empty((batch, size, size, channels), np.float32)

    def forward(self, x: np.ndarray) -> np.ndarray:
        if x is not self.inside:
            np.copyto(self.inside, x)
        w = self.w.reshape(-1, self.w.shape[-1])
        self.forth.multiply(w, self.y, self.patches)
        return self.y

    def backward(self, dy: np.ndarray) -> np.ndarray:
        """The derivative by the input is a convolution of dy with the kernel turned around."""
        out, channels = self.flipped.shape[2:]
        np.dot(self.patches.reshape(-1, self.dw.size // out).T, dy.reshape(-1, out), self.dw.reshape(-1, out))
        np.copyto(self.back.inside, dy)
        np.copyto(self.flipped, self.w[::-1, ::-1].transpose(0, 1, 3, 2))
        self.back.multiply(self.flipped.reshape(-1, channels), self.dx)
        return self.dx


class Bias:
    """Adds one number per channel, in place."""

    def __init__(self, image: np.ndarray, b: np.ndarray, db: np.ndarray) -> None:
        self.b, self.db, self.ones = b, db, np.ones(image.shape[1] * image.shape[2], np.float32)

    def forward(self, x: np.ndarray) -> np.ndarray:
        return np.add(x, self.b, x)

    def backward(self, dy: np.ndarray) -> np.ndarray:
        np.add.reduce(np.matmul(by_channel(dy), self.ones), 0, out=self.db)
        return dy


class PoolRelu:
    """2 x 2 max-pooling, then ReLU: the same as the other way round, on a quarter of the numbers."""

    def __init__(self, image: np.ndarray, into: np.ndarray | None = None) -> None:
        """Every buffer keeps its channels where ``image`` keeps them in memory."""
        self.rows = np.empty_like(image[:, ::2])
        self.largest, self.dlargest = (np.empty_like(image[:, ::2, ::2]) for _ in range(2))
        self.y = np.empty_like(self.largest) if into is None else into
        self.mask, self.dx = np.empty_like(self.largest, bool), np.empty_like(image)

    def forward(self, x: np.ndarray) -> np.ndarray:
        self.x = x
        np.maximum(x[:, ::2], x[:, 1::2], out=self.rows)
        np.maximum(self.rows[:, :, ::2], self.rows[:, :, 1::2], out=self.largest)
        return np.maximum(self.largest, 0, out=self.y)

    def backward(self, dy: np.ndarray) -> np.ndarray:
        np.greater(self.largest, 0, self.mask)
        np.multiply(dy, self.mask, self.dlargest)
        for corner in ((slice(None), slice(i, None, 2), slice(j, None, 2)) for i in (0, 1) for j in (0, 1)):
            np.equal(self.x[corner], self.largest, self.mask)
            np.multiply(self.dlargest, self.mask, self.dx[corner])
        return self.dx
