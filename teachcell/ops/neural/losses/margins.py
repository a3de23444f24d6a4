"""Losses that ask for a margin between scores."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....core.op import TENSORS as T
from ....core.public import public
from ....core.record import float_operand, operand
from ....core.tensor import Tensor, wrap
from ....kernels.arguments import in_interval
from ....texts import say
from .reduction import check_reduction, of_two, reduced, weight_of


def short_of(margin: float, by: Tensor) -> Tensor:
    """max(0, margin − by)."""
    in_interval("margin", margin, "[−∞, ∞]")
    return T.relu(T.shift(T.negative(by), margin))


@public("margin_ranking_loss")
def margin_ranking_loss(
    input1: Tensor, input2: Tensor, target: Tensor, margin: float = 0.0, reduction: str = "mean"
) -> Tensor:
    """max(0, margin − t · (x₁ − x₂)): with t = 1 the first should be larger, with t = −1 the second."""
    check_reduction(reduction)
    return reduced(short_of(margin, T.multiply(operand(target), T.subtract(*of_two(input1, input2)))), reduction)


def _rows(op: str, input: Any, target: Any, per_class: bool) -> tuple[Tensor, np.ndarray, bool]:
    """Scores (N, C) and the integers that belong to them, per row or per class; whether they came as one row."""
    scores, target = float_operand(input), operand(target)
    wanted = scores.shape if per_class else scores.shape[:-1]
    if scores.ndim not in (1, 2) or target.shape != wanted or target._array.dtype.kind not in "iu":
        raise ValueError(say("errors.score_labels", op=op, input=scores.shape, got=target.shape))
    if scores.ndim == 2:
        return scores, target._array, False
    return T.reshape(scores, (1, -1)), target._array[None], True


def _check_labels(labels: np.ndarray, classes: int) -> None:
    if labels.size and not 0 <= labels.min() <= labels.max() < classes:
        raise ValueError(say("errors.label_range", last=classes - 1, classes=classes))


@public("multi_margin_loss", primitive="MultiMarginLoss", init=("p", "margin", "reduction"))
def multi_margin_loss(
    input: Tensor, target: Tensor, p: int = 1, margin: float = 1, weight: Any = None, reduction: str = "mean"
) -> Tensor:
    """Σ max(0, margin − x[label] + x[j])ᵖ / C over the other classes j.

    Args:
        input: scores (N, C), or (C,) of one row.
        target: labels (N,), or one.
        p: 1 or 2.
        margin: how far the label's score should be above the others.
        weight: (C,), multiplies each row by the weight of its label.
        reduction: ``"mean"``, ``"sum"`` or ``"none"``.
    """
    check_reduction(reduction)
    if p not in (1, 2):
        raise ValueError(say("errors.interval", name="p", interval="{1, 2}", got=repr(p)))
    scores, labels, single = _rows("multi_margin_loss", input, target, per_class=False)
    rows, classes = scores.shape
    _check_labels(labels, classes)
    own = T.reshape(T.getitem(scores, (np.arange(rows), labels)), (-1, 1))
    others = (labels[:, None] != np.arange(classes)).astype(scores._array.dtype)
    lacking = T.multiply(short_of(margin, T.subtract(own, scores)), wrap(others))
    each = T.mean(T.square(lacking) if p == 2 else lacking, 1)
    if weight is not None:
        each = T.multiply(each, T.getitem(weight_of(weight, each), (labels,)))
    return reduced(T.reshape(each, ()) if single else each, reduction)


@public("multilabel_margin_loss")
def multilabel_margin_loss(input: Tensor, target: Tensor, reduction: str = "mean") -> Tensor:
    """Σ max(0, 1 − x[j] + x[i]) / C over the labels j of a row and the classes i that are none.

    Args:
        input: scores (N, C), or (C,) of one row.
        target: of the same shape: the row's labels first; what stands from the first −1 on does not count.
        reduction: ``"mean"``, ``"sum"`` or ``"none"``.
    """
    check_reduction(reduction)
    scores, labels, single = _rows("multilabel_margin_loss", input, target, per_class=True)
    listed = np.logical_and.accumulate(labels >= 0, 1)
    _check_labels(labels[listed], scores.shape[1])
    times = np.zeros_like(scores._array)
    np.add.at(times, (np.nonzero(listed)[0], labels[listed]), 1)
    pairs = wrap(times[:, :, None] * (times == 0)[:, None, :])
    ahead = T.subtract(T.expand_dims(scores, 2), T.expand_dims(scores, 1))
    each = T.sum(T.mean(T.multiply(short_of(1.0, ahead), pairs), 2), 1)
    return reduced(T.reshape(each, ()) if single else each, reduction)


@public(primitive="MultilabelMarginLoss", init=("reduction",))
def _multilabel_margin_loss(x: Tensor, target: Tensor, reduction: str = "mean") -> tuple[Tensor, Tensor]:
    """The loss, and 1 for each class that is among its row's labels."""
    loss = multilabel_margin_loss(x, target, reduction)
    labels = operand(target)._array
    listed = np.logical_and.accumulate(labels >= 0, -1)
    among = ((labels[..., None] == np.arange(labels.shape[-1])) & listed[..., None]).any(-2)
    return loss, wrap(among.astype(np.int32))
