"""Dropout: what is dropped at random becomes 0, what is kept grows by as much as keeps the mean."""

from __future__ import annotations

import numpy as np
from numpy import ndarray

from ..texts import say
from .arguments import in_interval
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
    _check_axes(x, (2, 3), "(N, C, L), (C, L)")
    return _dropped(x, x.shape[:-1], keep_prob)


def dropout2d(x: ndarray, keep_prob: float = 0.5) -> tuple[ndarray, ndarray]:
    """Whole channels of (N, C, H, W) dropped, the rest divided by keep_prob; also the Bool mask, of x's shape."""
    _check_axes(x, (4,), "(N, C, H, W)")
    return _dropped(x, x.shape[:2], keep_prob)


def dropout3d(x: ndarray, keep_prob: float = 0.5) -> tuple[ndarray, ndarray]:
    """Whole channels of (N, C, D, H, W) dropped, the rest divided by keep_prob; also the Bool mask, of x's shape."""
    _check_axes(x, (5,), "(N, C, D, H, W)")
    return _dropped(x, x.shape[:2], keep_prob)


def _check_axes(x: ndarray, counts: tuple[int, ...], wanted: str) -> None:
    if x.ndim not in counts:
        raise ValueError(say("errors.dropout_axes", wanted=wanted))


def _dropped(x: ndarray, units: tuple[int, ...], keep_prob: float) -> tuple[ndarray, ndarray]:
    """One draw for each unit: a leading part of x's axes."""
    in_interval("keep_prob", keep_prob, "[0, 1]")
    kept = generator().random(units, np.float32) < keep_prob
    mask = np.array(np.broadcast_to(kept.reshape(units + (1,) * (x.ndim - len(units))), x.shape))
    return x * mask * x.dtype.type(1 / keep_prob if keep_prob else 0), mask
