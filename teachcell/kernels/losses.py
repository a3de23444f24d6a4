"""Losses of rows and of elements; finite for logits of any size."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy import ndarray

from ..texts import say
from .activation import softplus
from .softmax import log_softmax

LEAST_LOG = -100.0  # of a probability that is 0


def nll(
    logp: ndarray, labels: ndarray, reduction: str = "mean", ignore_index: int = -100, weight: Any = None,
    label_smoothing: float = 0.0,
) -> ndarray:  # fmt: skip
    """−logp[label] of (N, C, …) log-probabilities with integer labels (N, …).

    "mean" divides by the summed class weights of the rows used; ``label_smoothing`` is the share of each label that
    goes to all classes evenly.
    """
    safe, used = _indices(logp, labels, ignore_index)
    weights = _weights(logp, weight)
    rows = weights[safe[:, 0]]
    each = -np.take_along_axis(logp, safe, 1)[:, 0] * rows
    if label_smoothing:
        share = logp.dtype.type(label_smoothing)
        smooth = np.moveaxis(logp, 1, -1) @ weights
        each = each * (1 - share) - smooth * (share / logp.dtype.type(len(weights)))
    each = np.where(used, each, logp.dtype.type(0))
    return each if reduction == "none" else each.sum() / _total(used * rows, reduction)


def nll_slope(
    logp: ndarray, labels: ndarray, reduction: str = "mean", ignore_index: int = -100, weight: Any = None,
    label_smoothing: float = 0.0,
) -> ndarray:  # fmt: skip
    """The derivative of the loss by the log-probabilities: minus the distribution wanted, times the row's share."""
    safe, used = _indices(logp, labels, ignore_index)
    weights = _weights(logp, weight)
    columns = (1, -1, *(1,) * (logp.ndim - 2))
    wanted = (safe == np.arange(len(weights)).reshape(columns)).astype(logp.dtype)
    if label_smoothing:
        wanted *= logp.dtype.type(1 - label_smoothing)
        wanted += logp.dtype.type(label_smoothing / len(weights))
    if weight is not None:
        wanted *= weights.reshape(columns)
    total = _total(used * weights[safe[:, 0]], reduction)
    return wanted * (used / -total)[:, None]


def cross_entropy(
    logits: ndarray, labels: ndarray, reduction: str = "mean", ignore_index: int = -100, weight: Any = None,
    label_smoothing: float = 0.0,
) -> tuple[ndarray, dict[str, ndarray]]:  # fmt: skip
    """``nll`` of the logits' log-softmax, which it saves."""
    _check_rows(logits, labels)
    logp = log_softmax(logits, 1)
    return nll(logp, labels, reduction, ignore_index, weight, label_smoothing), {"logp": logp}


def _check_rows(logits: ndarray, labels: ndarray) -> None:
    if logits.ndim < 2 or labels.shape != (logits.shape[0], *logits.shape[2:]) or labels.dtype.kind not in "iu":
        raise ValueError(say("errors.logits_shape"))


def _indices(logp: ndarray, labels: ndarray, ignore_index: int) -> tuple[ndarray, ndarray]:
    """Labels that are safe to index with, axis 1 kept, and which rows count (1 or 0)."""
    _check_rows(logp, labels)
    used = labels != ignore_index
    safe = np.where(used, labels, 0)
    classes = logp.shape[1]
    if safe.size and (safe.min() < 0 or safe.max() >= classes):
        raise ValueError(say("errors.label_range", last=classes - 1, classes=classes))
    return safe[:, None], used.astype(logp.dtype)


def _weights(logp: ndarray, weight: Any) -> ndarray:
    """The classes' weights in the dtype of the log-probabilities, by default 1."""
    classes = logp.shape[1]
    if weight is None:
        return np.ones(classes, logp.dtype)
    if weight.shape != (classes,):
        raise ValueError(say("errors.class_weight", classes=classes, got=weight.shape))
    return weight.astype(logp.dtype, copy=False)


def _total(rows: ndarray, reduction: str) -> np.floating:
    """What the summed losses are divided by; never 0."""
    return rows.dtype.type((rows.sum() if reduction == "mean" else 1) or 1)


def sigmoid_cross_entropy(z: ndarray, target: ndarray) -> ndarray:
    """−t · ln σ(z) − (1 − t) · ln σ(−z)."""
    return softplus(z) - z * target


def binary_cross_entropy(p: ndarray, target: ndarray) -> ndarray:
    """−t · ln p − (1 − t) · ln(1 − p); no logarithm counts for less than −100."""
    if p.size and (p.min() < 0 or p.max() > 1):
        raise ValueError(say("errors.interval", name="p", interval="[0, 1]", got=p.min() if p.min() < 0 else p.max()))
    one = p.dtype.type(1)
    return -target * bounded_log(p) - (one - target) * bounded_log(one - p)


def bounded_log(p: ndarray) -> ndarray:
    """ln p, at least −100."""
    with np.errstate(divide="ignore"):
        return np.maximum(np.log(p), p.dtype.type(LEAST_LOG))


def bernoulli_variance(p: ndarray) -> ndarray:
    """p · (1 − p), kept above 0 so that one may divide by it."""
    return np.maximum(p - p * p, p.dtype.type(least_divisor(p.dtype)))


def least_divisor(dtype: np.dtype) -> float:
    """10⁻¹², or the smallest normal number of a narrower float: what a divisor that may be 0 is kept above."""
    return max(1e-12, float(np.finfo(dtype).tiny))


def kl_div(logp: ndarray, target: ndarray) -> ndarray:
    """q · (ln q − ln p), 0 where q = 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(target == 0, target, target * (np.log(target) - logp))


def huber(e: ndarray, delta: float = 1.0) -> ndarray:
    """e² / 2 where |e| ≤ δ, else δ · (|e| − δ/2)."""
    if not delta > 0:
        raise ValueError(say("errors.interval", name="delta", interval="(0, ∞)", got=delta))
    size = np.abs(e)
    inner = np.minimum(size, e.dtype.type(delta))
    return inner * (size - inner * e.dtype.type(0.5))
