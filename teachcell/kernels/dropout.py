"""Dropout: what is dropped at random becomes 0, what is kept grows by as much as keeps the mean."""

from __future__ import annotations

import numpy as np
from numpy import ndarray

from .arguments import in_interval, with_axes
from .random import generator, stream


def dropout(x: ndarray, p: float = 0.5, seed: int | None = None) -> tuple[ndarray, dict[str, ndarray]]:
    """Each element 0 with probability p, else x / (1 − p); saves the mask, already scaled.

    With a seed the draws come from a stream of their own.
    """
    in_interval("p", p, "[0, 1)")
    kept = stream("dropout", seed).random(x.shape, np.float32) >= p
    mask = kept.astype(x.dtype) * x.dtype.type(1 / (1 - p))
    return x * mask, {"mask": mask}


def dropout_with_mask(x: ndarray, keep_prob: float = 0.5) -> tuple[ndarray, ndarray]:
    """Each element kept with probability keep_prob and divided by it, else 0; also the mask of 1 and 0."""
    out, mask = _dropped(x, x.shape, keep_prob)
    return out, mask.astype(x.dtype)


def dropout1d(x: ndarray, keep_prob: float = 0.5) -> tuple[ndarray, ndarray]:
    """Whole channels of (N, C, L) or (C, L) dropped, the rest divided by keep_prob; also the Bool mask."""
    with_axes("x", x, 2, 3)
    return _dropped(x, x.shape[:-1], keep_prob)


def dropout2d(x: ndarray, keep_prob: float = 0.5) -> tuple[ndarray, ndarray]:
    """Whole channels of (N, C, H, W) dropped, the rest divided by keep_prob; also the Bool mask, of x's shape."""
    with_axes("x", x, 4, 4)
    return _dropped(x, x.shape[:2], keep_prob)


def dropout3d(x: ndarray, keep_prob: float = 0.5) -> tuple[ndarray, ndarray]:
    """Whole channels of (N, C, D, H, W) dropped, the rest divided by keep_prob; also the Bool mask, of x's shape."""
    with_axes("x", x, 5, 5)
    return _dropped(x, x.shape[:2], keep_prob)


def _dropped(x: ndarray, units: tuple[int, ...], keep_prob: float) -> tuple[ndarray, ndarray]:
    """One draw for each unit: a leading part of x's axes."""
    in_interval("keep_prob", keep_prob, "[0, 1]")
    kept = generator().random(units, np.float32) < keep_prob
    mask = np.array(np.broadcast_to(kept.reshape(units + (1,) * (x.ndim - len(units))), x.shape))
    return x * mask * x.dtype.type(1 / keep_prob if keep_prob else 0), mask
