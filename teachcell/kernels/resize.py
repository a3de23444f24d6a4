"""Resampling the last axes of an array: interpolation, and means over a wanted number of windows.

Along each axis an output element is a weighted sum of a few input elements, its taps; the axes go one after another.
The way back is of the same kind, with the taps turned round. (A matrix per axis would be as fast, but one infinite
element would then spoil its whole row.)
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy import ndarray

from .pool import adaptive_places, check_axes
from .precision import single
from .sliding import Sizes

Scales = tuple[float | None, ...]


def resize(x: ndarray, size: Sizes, mode: str, origin: str, scales: Scales) -> ndarray:
    """The last axes resampled to ``size``.

    Args:
        x: (…, lengths).
        size: the wanted lengths.
        mode: ``"nearest"``, ``"linear"``, ``"cubic"`` or ``"area"``.
        origin: where output element i lies in the input: ``"half_pixel"`` (centres at i + ½ on both sides),
            ``"align_corners"`` (first on first, last on last) or ``"asymmetric"`` (at i · scale).
        scales: per axis how far neighbours of the output lie apart in the input; None: length / size.
    """
    total = single(x)
    for axis, count, scale in zip(range(-len(size), 0), size, scales, strict=True):
        total = _gathered(total, axis, *_taps(total.shape[axis], count, mode, origin, scale))
    return total.astype(x.dtype, copy=False)


def resize_grad(g: ndarray, size: Sizes, mode: str, origin: str, scales: Scales) -> ndarray:
    """Reverse of ``resize`` from ``size``: every element's shares of g."""
    total = single(g)
    for axis, length, scale in zip(range(-len(size), 0), size, scales, strict=True):
        total = _gathered(total, axis, *_taps_back(length, total.shape[axis], mode, origin, scale))
    return total.astype(g.dtype, copy=False)


def adaptive_avg_pool(x: ndarray, size: Sizes) -> ndarray:
    """The mean of each of ``size`` windows that together cover the last axes."""
    check_axes(x, len(size))
    return resize(x, size, "area", "", (None,) * len(size))


def _gathered(x: ndarray, axis: int, index: ndarray, weights: ndarray | None) -> ndarray:
    """Σ over taps of weight · x[index] along ``axis``; both (taps, count)."""
    if weights is None:
        return np.take(x, index[0], axis)
    total = np.zeros((), x.dtype)
    for at, weight in zip(index, weights.astype(x.dtype), strict=True):
        term = np.take(x, at, axis)
        term *= weight.reshape(-1, *(1,) * (-1 - axis))
        total = np.add(total, term, term)
    return total


@lru_cache(128)
def _taps(length: int, count: int, mode: str, origin: str, scale: float | None) -> tuple[ndarray, ndarray | None]:
    """Indices and weights of the taps, each (taps, count); no weights where there is one tap."""
    if mode == "area":
        (held,) = adaptive_places((length,), (count,))
        new = np.diff(held, prepend=-1) > 0  # a repeated last place only fills up
        return held.T, (new / new.sum(1, keepdims=True)).T
    at = _positions(length, count, origin, scale)
    if mode == "nearest":
        at = at + 0.5 if origin != "asymmetric" else at
        return np.clip(np.floor(at), 0, length - 1).astype(int)[None], None
    if mode == "linear":
        at = np.clip(at, 0, length - 1)
        neighbours = np.floor(at) + np.arange(2)[:, None]
        weights = 1 - np.abs(at - neighbours)
    else:
        neighbours = np.floor(at) + np.arange(-1, 3)[:, None]
        weights = _cubic(np.abs(at - neighbours), -0.5 if origin == "half_pixel" else -0.75)
        if origin == "half_pixel":  # what lies outside does not count; else it is like the outermost element
            weights *= (neighbours >= 0) & (neighbours < length)
            weights /= weights.sum(0)
    return np.clip(neighbours, 0, length - 1).astype(int), weights


@lru_cache(128)
def _taps_back(length: int, count: int, mode: str, origin: str, scale: float | None) -> tuple[ndarray, ndarray]:
    """For every input element the outputs that read it, and with what weights."""
    index, weights = _taps(length, count, mode, origin, scale)
    matrix = np.zeros((length, count))
    np.add.at(matrix, (index, np.arange(count)), 1.0 if weights is None else weights)
    readers = np.argsort(matrix == 0, axis=1, kind="stable")[:, : max((matrix != 0).sum(1).max(), 1)]
    return readers.T, np.take_along_axis(matrix, readers, 1).T


def _positions(length: int, count: int, origin: str, scale: float | None) -> ndarray:
    """Where the output elements lie in the input."""
    if origin == "align_corners":
        return np.arange(count) * (length - 1) / max(count - 1, 1)
    shift = 0.5 if origin == "half_pixel" else 0.0
    i = np.arange(count) + shift
    return (i * length / count if scale is None else i * scale) - shift


def _cubic(away: ndarray, a: float) -> ndarray:
    """Cubic convolution weights at a distance of up to 2, ``a`` the slope at 1 (Keys, 1981)."""
    near = ((a + 2) * away - (a + 3)) * away * away + 1
    far = ((a * away - 5 * a) * away + 8 * a) * away - 4 * a
    return np.where(away <= 1, near, far)
