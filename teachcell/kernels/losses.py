"""Losses of rows and of elements; finite for logits of any size."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy import ndarray

from ..texts import say
from .activation import softplus
from .arguments import in_interval
from .reduce import row_sums
from .softmax import softmax_and_logarithm

LEAST_LOG = -100.0  # of a probability that is 0


class _Target(NamedTuple):
    """The distribution wanted in each row, times what the row counts for in the loss.

    Numbers stand for all M rows where these count alike: masks and shares of rows cost as much as the arithmetic.

    Attributes:
        at: where the labels' scores stand among all scores, row after row.
        label: what the label gets, a number or (M,).
        even: what every class gets, times its weight: a number or (M, 1); None without label smoothing.
        weight: of the classes.
        used: which rows count; None: all.
    """

    at: ndarray
    label: Any
    even: Any
    weight: ndarray | None
    used: ndarray | None


def _target(
    scores: ndarray, labels: ndarray, reduction: str, ignore_index: int, weight: Any, label_smoothing: float
) -> _Target:
    """What the labels (N, …) want of scores (N, C, …).

    ValueError unless these are the shapes, the labels integers below C, and the weight, if given, (C,).
    """
    if scores.ndim < 2 or labels.shape != (scores.shape[0], *scores.shape[2:]) or labels.dtype.kind not in "iu":
        raise ValueError(say("errors.logits_shape"))
    classes, number = scores.shape[1], scores.dtype.type
    if weight is not None:
        if weight.shape != (classes,):
            raise ValueError(say("errors.class_weight", classes=classes, got=weight.shape))
        weight = weight.astype(scores.dtype, copy=False)
    flat, used = labels.reshape(-1).astype(np.intp, copy=False), None
    if 0 <= ignore_index < classes or np.maximum.reduce(flat.view(np.uintp), initial=0) >= classes:
        used = flat != ignore_index
        flat = flat * used
        if np.maximum.reduce(flat.view(np.uintp), initial=0) >= classes:
            raise ValueError(say("errors.label_range", last=classes - 1, classes=classes))
    row: Any = number(1) if used is None else used.astype(scores.dtype)
    label = row if weight is None else row * weight[flat]
    if reduction == "mean":
        total = number(flat.size if label.ndim == 0 else label.sum()) or number(1)
        row, label = row / total, label / total
    even = None
    if label_smoothing:
        even, label = np.reshape(row * number(label_smoothing / classes), (-1, 1)), label * number(1 - label_smoothing)
    return _Target(np.arange(flat.size) * classes + flat, label, even, weight, used)


def _rows(scores: ndarray) -> ndarray:
    """Scores (N, C, …) as (M, C)."""
    return scores if scores.ndim == 2 else np.moveaxis(scores, 1, -1).reshape(-1, scores.shape[1])


def _from_rows(rows: ndarray, shape: tuple[int, ...]) -> ndarray:
    """(M, C) in the shape of the scores."""
    return rows if len(shape) == 2 else np.moveaxis(rows.reshape(shape[0], *shape[2:], shape[1]), -1, 1)


def _losses(rows: ndarray, target: _Target) -> ndarray:
    """What each row of log-probabilities adds to the loss."""
    each = rows.reshape(-1).take(target.at)
    if target.used is not None:
        each[~target.used] = 0  # where the logarithm may be infinite
    each *= -target.label
    if target.even is not None:
        smooth = rows if target.weight is None else rows * target.weight
        each -= row_sums(smooth * target.even)[:, 0]
    return each


def nll(
    logp: ndarray, labels: ndarray, reduction: str = "mean", ignore_index: int = -100, weight: Any = None,
    label_smoothing: float = 0.0,
) -> ndarray:  # fmt: skip
    """−logp[label] of (N, C, …) log-probabilities with integer labels (N, …).

    "mean" divides by the summed class weights of the rows used; ``label_smoothing`` is the share of each label that
    goes to all classes evenly.
    """
    target = _target(logp, labels, reduction, ignore_index, weight, label_smoothing)
    return _reduced(_losses(_rows(logp), target), labels, reduction)


def nll_slope(
    logp: ndarray, labels: ndarray, reduction: str = "mean", ignore_index: int = -100, weight: Any = None,
    label_smoothing: float = 0.0,
) -> ndarray:  # fmt: skip
    """The derivative of the loss by the log-probabilities: minus the distribution wanted, times the row's share."""
    target = _target(logp, labels, reduction, ignore_index, weight, label_smoothing)
    slope = np.zeros((labels.size, logp.shape[1]), logp.dtype)
    return _from_rows(_less_target(slope, target), logp.shape)


def _less_target(slope: ndarray, target: _Target) -> ndarray:
    """Subtract the distribution wanted, in place."""
    if target.even is not None:
        slope -= target.even if target.weight is None else target.even * target.weight
    slope.reshape(-1)[target.at] -= target.label
    return slope


def cross_entropy(
    logits: ndarray, labels: ndarray, reduction: str = "mean", ignore_index: int = -100, weight: Any = None,
    label_smoothing: float = 0.0,
) -> tuple[ndarray, dict[str, ndarray]]:  # fmt: skip
    """``nll`` of the logits' log-softmax; saves its derivative by the logits."""
    target = _target(logits, labels, reduction, ignore_index, weight, label_smoothing)
    slope, logp = softmax_and_logarithm(_rows(logits))
    each = _losses(logp, target)
    slope *= _mass(target, logp.shape[1])
    slope = _from_rows(_less_target(slope, target), logits.shape)
    return _reduced(each, labels, reduction), {"slope": slope}


def _reduced(each: ndarray, labels: ndarray, reduction: str) -> ndarray:
    return each.reshape(labels.shape) if reduction == "none" else np.add.reduce(each)


def _mass(target: _Target, classes: int) -> Any:
    """The sum of the distribution wanted, in each row."""
    label = target.label if target.label.ndim == 0 else target.label[:, None]
    if target.even is None:
        return label
    return label + target.even * (target.even.dtype.type(classes) if target.weight is None else target.weight.sum())


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
