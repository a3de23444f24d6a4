"""Padding: x in a larger frame, or a part of it."""

from __future__ import annotations

import numpy as np
from numpy import ndarray

Widths = tuple[tuple[int, int], ...]
MODES = {
    "constant": "constant", "reflect": "reflect", "symmetric": "symmetric", "replicate": "edge", "edge": "edge",
    "circular": "wrap",
}  # fmt: skip


def pad_frame(x: ndarray, widths: Widths, mode: str = "constant", value: float = 0) -> ndarray:
    """x with ``widths`` (before, after) more elements per axis, or fewer where they are negative."""
    inner = x[cropped(x.shape, widths)]
    if mode == "constant":
        frame = np.full([n + a + b for n, (a, b) in zip(x.shape, widths, strict=True)], value, x.dtype)
        frame[tuple([slice(max(a, 0), max(a, 0) + n) for n, (a, _) in zip(inner.shape, widths, strict=True)])] = inner
        return frame
    return np.pad(inner, np.maximum(widths, 0), MODES[mode])  # type: ignore[call-overload]


def cropped(shape: tuple[int, ...], widths: Widths) -> tuple[slice, ...]:
    """The part of x that is left where widths are negative."""
    return tuple([slice(max(-a, 0), n - max(-b, 0)) for n, (a, b) in zip(shape, widths, strict=True)])


def source_places(shape: tuple[int, ...], widths: Widths, mode: str) -> ndarray:
    """For every element of the padded array the flat place that it is a copy of."""
    return pad_frame(np.arange(np.prod(shape, dtype=int)).reshape(shape), widths, mode)
