"""Matrix products."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy import ndarray

from ..texts import say
from .arguments import one_axis
from .channels import channels_are_last, plus_channels
from .reduce import sum

_LARGE = 1 << 16  # elements of a result
UNPACKED = 10**6  # multiplications up to which OpenBLAS does not pack (copy) the factors of a product,
_FEW = 1200  # and elements of a result up to which this holds for the rows of two matrices


def _has_small_kernels() -> bool:
    """Whether NumPy calls OpenBLAS on a processor with AVX-512, where small products have kernels of their own."""
    known = np.show_config(mode="dicts")  # in which NumPy leaves out whatever is empty
    blas = known.get("Build Dependencies", {}).get("blas", {}).get("name", "")
    found = known.get("SIMD Extensions", {}).get("found", ())
    return "openblas" in blas and any(name.startswith(("AVX512", "X86_V4")) for name in found)


_SMALL_KERNELS = _has_small_kernels()


def matmul(x: ndarray, y: ndarray, transpose_a: bool = False, transpose_b: bool = False) -> ndarray:
    """x · y over the last two axes, each transposed on request; vectors as in ``numpy.matmul``."""
    if transpose_a and x.ndim > 1:
        x = x.swapaxes(-1, -2)
    if x.ndim == 2 == y.ndim:
        return times_transposed(x, y) if transpose_b else product(x, y)
    if y.ndim == 2 < x.ndim and x.flags.c_contiguous and x.size:  # one weight for a whole batch: one product
        rows = x.reshape(-1, x.shape[-1])
        found = times_transposed(rows, y) if transpose_b else product(rows, y)
        return found.reshape(*x.shape[:-1], found.shape[1])
    if transpose_b and y.ndim > 1:
        y = y.swapaxes(-1, -2)
    if y.ndim > 2 and x.ndim > 1 and _worth_a_copy(x, y):
        y = y.copy()
    return np.matmul(x, y)


def _worth_a_copy(x: ndarray, y: ndarray) -> bool:
    """Whether x · y is quicker with the rows of y in memory: small products of a batch, y transposed, take a fifth less
    (queries by keys, 32 x (64 x 16 by 16 x 64): 54 µs against 66); BLAS packs those of larger ones itself."""
    rows, (depth, columns) = x.shape[-2], y.shape[-2:]
    return y.strides[-2] < y.strides[-1] and rows >= 16 < columns and rows * depth * columns <= UNPACKED


def product(x: ndarray, y: ndarray) -> ndarray:
    """x · y. ``dot`` has half of ``matmul``'s overhead (as a method, which no other array type is asked about, a
    third), but clears its result first."""
    if len(x) * y.shape[1] > _LARGE:
        if x.shape[1] > 1:
            return np.matmul(x, y)
        if x.shape[1] and x.dtype == y.dtype and x.dtype.char in "fd":
            return _column_by_row(x, y)
    return x.dot(y)


def _column_by_row(x: ndarray, y: ndarray) -> ndarray:
    """x · y, x one column and y one row. ``matmul`` does that without BLAS; with a column and a row of zeros beside
    them it does not, and clears nothing first: 256 x 784 in 20 µs, where ``dot`` takes 31."""
    columns, rows = np.zeros((2, len(x)), x.dtype), np.zeros((2, y.shape[1]), x.dtype)
    columns[0], rows[0] = x[:, 0], y[0]
    return np.matmul(columns.T, rows)


def times_transposed(x: ndarray, w: ndarray) -> ndarray:
    """x · wᵀ. BLAS packs the whole of wᵀ unless the result is small. So a large result comes in parts (64 x 784 by
    784 x 256 takes 0.7 of the time so, 8 x 784 by 784 x 256 a third), or, where parts are not known to pay and rows
    are few, as (w · xᵀ)ᵀ (0.85 and a half)."""
    rows, (columns, depth) = len(x), w.shape
    if rows * columns <= _FEW or rows < 2 or not w.flags.c_contiguous or w.dtype.char not in "fd":
        return product(x, w.T)
    part = _columns(rows, columns, depth)
    if part:
        found, parts = np.empty((rows, columns), w.dtype), columns // part
        into = found.reshape(rows, parts, part).swapaxes(0, 1)
        np.matmul(x, w.reshape(parts, part, depth).swapaxes(1, 2), out=into)
        return found
    if w.size >= 1024 * rows and w.size * rows >= 1 << 17:  # below, to turn the result costs what is gained
        return w.dot(x.T).T.copy()
    return product(x, w.T)


@lru_cache(256)
def _columns(rows: int, columns: int, depth: int) -> int:
    """How many columns the parts of a result best have; 0: it stays whole.

    With 64 rows parts take 1.07, 0.95 and 0.84 of the time of the whole at a depth of 64, 128 and 256. With 32 rows and
    a depth of 256 parts of 16 and 8 columns take 0.65, of 4, 2 and 1 columns 0.68, 0.8 and 1.8.
    """
    if not _SMALL_KERNELS or depth < 128:
        return 0
    most = min(_FEW // rows, UNPACKED // (rows * depth))
    return next((part for part in range(most, 7, -1) if columns % part == 0), 0)


def bias_add(x: ndarray, b: ndarray, axis: int = 1) -> ndarray:
    """x + b, b along ``axis``."""
    if x.ndim == 2 and axis == 1 and b.shape == x.shape[1:]:
        return np.add(x, b)
    behind = (-axis if axis < 0 else x.ndim - axis) - 1  # axes
    if b.ndim != 1 or not 0 <= behind < x.ndim or x.shape[-1 - behind] != b.shape[0]:
        raise ValueError(say("errors.bias_size", axis=axis))
    if behind == x.ndim - 2 > 0 and x.size > 1 << 15 and x.dtype == b.dtype and channels_are_last(x):
        return plus_channels(x, b)
    return np.add(x, b.reshape(b.shape + (1,) * behind)) if behind else np.add(x, b)


def bias_grad(g: ndarray, axis: int = 1) -> ndarray:
    """Σ over all axes but one."""
    if g.ndim == 2 and axis == 1:
        return sum(g, 0)
    axis = one_axis(axis, g.ndim)
    others = (*range(axis), *range(axis + 1, g.ndim))
    return sum(g, others) if others else g  # no axes would mean all


def outer(input: ndarray, vec2: ndarray) -> ndarray:
    """Every element of the first times every element of the second."""
    return np.multiply(input.reshape(-1, 1), vec2.reshape(1, -1))
