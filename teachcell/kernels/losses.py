"""Softmax and cross entropy, stable for large logits."""

from __future__ import annotations

import numpy as np
from numpy import ndarray

from ..texts import say


def softmax(x: ndarray, axis: int = -1) -> ndarray:
    """e^x / Σ e^x along an axis, shifted by the maximum."""
    e = np.exp(x - np.maximum.reduce(x, axis=axis, keepdims=True))
    return e / np.add.reduce(e, axis=axis, keepdims=True)


def softmax_grad(g: ndarray, y: ndarray, axis: int = -1) -> ndarray:
    """y · (g − Σ g·y)."""
    return y * (g - np.add.reduce(g * y, axis=axis, keepdims=True))


def log_softmax(x: ndarray, axis: int = -1) -> ndarray:
    """x − log Σ e^x along an axis."""
    shifted = x - np.maximum.reduce(x, axis=axis, keepdims=True)
    return shifted - np.log(np.add.reduce(np.exp(shifted), axis=axis, keepdims=True))


def _used(labels: ndarray, ignore_index: int, classes: int) -> tuple[ndarray, ndarray]:
    """Which rows count, and labels that are safe to index with."""
    used = labels != ignore_index
    safe = np.where(used, labels, 0)
    if safe.size and (safe.min() < 0 or safe.max() >= classes):
        raise ValueError(say("errors.label_range", last=classes - 1, classes=classes))
    return used, safe


def cross_entropy(
    logits: ndarray, labels: ndarray, reduction: str = "mean", ignore_index: int = -100
) -> tuple[ndarray, dict[str, ndarray]]:
    """−log softmax(logits)[label] of (N, C) logits and (N,) integer labels; saves the weights' rows.

    "mean" divides by the number of rows that are not ignored.
    """
    if logits.ndim != 2 or labels.shape != logits.shape[:1]:
        raise ValueError(say("errors.logits_shape"))
    used, safe = _used(labels, ignore_index, logits.shape[1])
    rows = np.arange(len(labels))
    logp = log_softmax(logits, 1)
    each = np.where(used, -logp[rows, safe], logits.dtype.type(0))
    share = np.full(len(labels), 1, logits.dtype) * used
    if reduction == "mean":
        share = share / logits.dtype.type(max(np.count_nonzero(used), 1))
    slope = np.exp(logp)
    slope[rows, safe] -= 1
    loss = each if reduction == "none" else np.dot(each, share) if len(each) else logits.dtype.type(0)
    return np.asarray(loss), {"slope": slope * share[:, None]}


def cross_entropy_grad(g: ndarray, logits: ndarray, labels: ndarray, slope: ndarray, **_: object) -> ndarray:
    """g times (softmax − one-hot) · share of the row."""
    return slope * (g[:, None] if g.ndim else g)
