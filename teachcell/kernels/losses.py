"""Losses of rows and of elements; finite for logits of any size."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy import ndarray

from ..texts import say
from .activation import softplus
from .arguments import in_interval
from .softmax import log_softmax, log_softmax_grad

LEAST_LOG = -100.0  # of a probability that is 0


class _Rows(NamedTuple):
    """Scores (M, C) of all rows, where each row's label stands, and what the row counts for in the loss."""

    scores: ndarray
    places: tuple[ndarray, ndarray]
    weights: ndarray | None  # of the classes
    label_share: ndarray  # with the weight of the label
    row_share: ndarray  # without; both are 0 where ignored


def _rows(scores: ndarray, labels: ndarray, reduction: str, ignore_index: int, weight: Any) -> _Rows:
    flat = labels.reshape(-1)
    if scores.ndim > 2:
        scores = np.moveaxis(scores, 1, -1).reshape(-1, scores.shape[1])
    used = flat != ignore_index
    safe = np.where(used, flat, 0)
    row = used.astype(scores.dtype)
    if weight is not None:
        weight = weight.astype(scores.dtype, copy=False)
    label_weights = None if weight is None else weight[safe]
    if reduction == "mean":
        row = row / ((row if weight is None else row * label_weights).sum() or row.dtype.type(1))
    label = row if weight is None else row * label_weights
    return _Rows(scores, (np.arange(len(safe)), safe), weight, label, row)


def _check(scores: ndarray, labels: ndarray, ignore_index: int, weight: Any) -> None:
    """ValueError unless these are (N, C, …), integers below C (N, …) and, if given, (C,)."""
    if scores.ndim < 2 or labels.shape != (scores.shape[0], *scores.shape[2:]) or labels.dtype.kind not in "iu":
        raise ValueError(say("errors.logits_shape"))
    classes = scores.shape[1]
    if labels.size and (labels.min() < 0 or labels.max() >= classes):
        outside = labels[(labels < 0) | (labels >= classes)]
        if (outside != ignore_index).any():
            raise ValueError(say("errors.label_range", last=classes - 1, classes=classes))
    if weight is not None and weight.shape != (classes,):
        raise ValueError(say("errors.class_weight", classes=classes, got=weight.shape))


def nll(
    logp: ndarray, labels: ndarray, reduction: str = "mean", ignore_index: int = -100, weight: Any = None,
    label_smoothing: float = 0.0,
) -> ndarray:  # fmt: skip
    """−logp[label] of (N, C, …) log-probabilities with integer labels (N, …).

    "mean" divides by the summed class weights of the rows used; ``label_smoothing`` is the share of each label that
    goes to all classes evenly.
    """
    _check(logp, labels, ignore_index, weight)
    each = _losses(_rows(logp, labels, reduction, ignore_index, weight), label_smoothing)
    return each.reshape(labels.shape) if reduction == "none" else each.sum()


def nll_slope(
    logp: ndarray, labels: ndarray, reduction: str = "mean", ignore_index: int = -100, weight: Any = None,
    label_smoothing: float = 0.0,
) -> ndarray:  # fmt: skip
    """The derivative of the loss by the log-probabilities: minus the distribution wanted, times the row's share."""
    return _slope(_rows(logp, labels, reduction, ignore_index, weight), label_smoothing, logp.shape)


def cross_entropy(
    logits: ndarray, labels: ndarray, reduction: str = "mean", ignore_index: int = -100, weight: Any = None,
    label_smoothing: float = 0.0,
) -> tuple[ndarray, dict[str, ndarray]]:  # fmt: skip
    """``nll`` of the logits' log-softmax; saves its derivative by the logits."""
    _check(logits, labels, ignore_index, weight)
    logp = log_softmax(logits, 1)
    rows = _rows(logp, labels, reduction, ignore_index, weight)
    each = _losses(rows, label_smoothing)
    slope = log_softmax_grad(_slope(rows, label_smoothing, logp.shape), logp, 1)
    return each.reshape(labels.shape) if reduction == "none" else each.sum(), {"slope": slope}


def _losses(rows: _Rows, label_smoothing: float) -> ndarray:
    """What each row adds to the loss."""
    number = rows.scores.dtype.type
    each = np.where(rows.row_share != 0, rows.scores[rows.places], number(0)) * -rows.label_share
    if label_smoothing:
        smooth = rows.scores.mean(1) if rows.weights is None else rows.scores @ rows.weights / number(len(rows.weights))
        each = each * number(1 - label_smoothing) - smooth * rows.row_share * number(label_smoothing)
    return each


def _slope(rows: _Rows, label_smoothing: float, shape: tuple[int, ...]) -> ndarray:
    """Its derivative by the row's log-probabilities, in the scores' first shape."""
    number = rows.scores.dtype.type
    slope, label_share = np.zeros(rows.scores.shape, rows.scores.dtype), rows.label_share
    if label_smoothing:
        share = (rows.row_share * number(label_smoothing / shape[1]))[:, None]
        slope -= share if rows.weights is None else share * rows.weights
        label_share = label_share * number(1 - label_smoothing)
    slope[rows.places] -= label_share
    return slope if len(shape) == 2 else np.moveaxis(slope.reshape(shape[0], *shape[2:], shape[1]), -1, 1)


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
    in_interval("delta", delta, "(0, ∞)")
    size = np.abs(e)
    inner = np.minimum(size, e.dtype.type(delta))
    return inner * (size - inner * e.dtype.type(0.5))
