"""Losses of scores for classes: cross entropy and its relatives."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....core.define import define, pair
from ....core.op import TENSORS as T
from ....core.public import public
from ....core.record import operand
from ....core.tensor import Tensor, wrap
from ....kernels import losses as K
from ....kernels.arguments import in_interval
from ....texts import say
from .reduction import check_reduction, reduced, weight_of


def _per_row(F: Any, g: Any) -> Any:
    """The gradient of a loss with an axis for the classes; one of a single number is for all rows."""
    return F.reshape(g, (g.shape[0], 1, *g.shape[1:])) if g.shape else g


def _cross_entropy_grad_twin(
    g: Tensor, logits: Tensor, labels: Tensor, softmax: Any, at: Any, label: Any, even: Any, **how: Any
) -> Tensor:
    slope = T.log_softmax_grad(T.nll_slope(logits, labels, **how), T.log_softmax(logits, 1), 1)
    return T.multiply(_per_row(T, g), slope)


pair("nll_slope", K.nll_slope, lambda logp, labels, **how: wrap(K.nll_slope(logp._array, labels._array, **how)))
pair("cross_entropy_grad", K.cross_entropy_grad, _cross_entropy_grad_twin)
nll_op = define(
    "nll_loss", K.nll,
    (lambda F, g, out, logp, labels, **how: F.multiply(_per_row(F, g), F.nll_slope(logp, labels, **how)), None),
    label="NLLLoss", floats=(0,), promotes=(), public=False,
    card=("y = mean(−x[label])", "∂x = −g · {one_hot} / n"), source="{linearity}",
)  # fmt: skip
cross_entropy_op = define(
    "cross_entropy", K.cross_entropy,
    (lambda F, g, out, z, labels, **how: F.cross_entropy_grad(g, z, labels, **how), None),
    floats=(0,), saves=("softmax", "at", "label", "even"), promotes=(), public=False,
    card=("y = mean(−ln softmax(z)[label])", "∂z = g · (softmax(z) − {one_hot}) / n"), source="Bridle 1990",
)  # fmt: skip


def _of_labels(
    op: Any, scores: Tensor, labels: Tensor, weight: Any, ignore_index: int, reduction: str, label_smoothing: float
) -> Tensor:
    """``op`` on scores (C,) with one label, or (N, C, …) with labels (N, …)."""
    how: dict[str, Any] = {}  # errors and pictures name what was chosen
    if weight is not None:
        how["weight"] = operand(weight)._array
    if ignore_index != -100:
        how["ignore_index"] = ignore_index
    if reduction != "mean":
        check_reduction(reduction)
        how["reduction"] = reduction
    if label_smoothing != 0.0:
        in_interval("label_smoothing", label_smoothing, "[0, 1]")
        how["label_smoothing"] = label_smoothing
    if scores.ndim == 1 and labels.ndim == 0:
        return T.reshape(op(T.reshape(scores, (1, -1)), T.reshape(labels, (1,)), **how), ())
    return op(scores, labels, **how)


@public("cross_entropy")
def cross_entropy(
    input: Tensor, target: Tensor, weight: Any = None, ignore_index: int = -100, reduction: str = "mean",
    label_smoothing: float = 0.0,
) -> Tensor:  # fmt: skip
    """Cross entropy of logits with labels or probabilities.

    Args:
        input: logits (N, C, …), or (C,) of one row.
        target: integer labels (N, …); or probabilities, of the logits' shape.
        weight: (C,), a constant for each class. With labels the mean is divided by the summed weights of the labels.
        ignore_index: rows with this label count for nothing.
        reduction: ``"mean"``, ``"sum"`` or ``"none"``.
        label_smoothing: the share of each target, in [0, 1], that goes to all classes evenly.
    """
    input, target = operand(input), operand(target)
    if target._array.dtype.kind in "iu":
        return _of_labels(cross_entropy_op, input, target, weight, ignore_index, reduction, label_smoothing)
    check_reduction(reduction)
    in_interval("label_smoothing", label_smoothing, "[0, 1]")
    if input.ndim == 0 or target.shape != input.shape:
        raise ValueError(say("errors.probability_target", logits=input.shape, target=target.shape))
    axis = min(input.ndim - 1, 1)
    if label_smoothing:
        target = T.shift(T.scale(target, 1 - label_smoothing), label_smoothing / input.shape[axis])
    if weight is not None:
        target = T.multiply(target, T.reshape(weight_of(weight, input), (-1, *(1,) * (input.ndim - axis - 1))))
    return reduced(T.negative(T.sum(T.multiply(target, T.log_softmax(input, axis)), axis)), reduction)


@public("nll_loss")
def nll_loss(
    inputs: Tensor, target: Tensor, weight: Any = None, ignore_index: int = -100, reduction: str = "mean",
    label_smoothing: float = 0.0,
) -> Tensor:  # fmt: skip
    """Minus the log-probability of each row's label; arguments as of ``cross_entropy``.

    Args:
        inputs: log-probabilities (N, C, …), or (C,) of one row.
        target: integer labels (N, …).
    """
    return _of_labels(nll_op, operand(inputs), operand(target), weight, ignore_index, reduction, label_smoothing)


@public(primitive="NLLLoss", init=("reduction", "ignore_index"))
def _nll_with_total(
    logits: Tensor, labels: Tensor, weight: Tensor, reduction: str = "mean", ignore_index: int = -100
) -> tuple[Tensor, Tensor]:
    """The loss, and the summed weights of the labels that count."""
    loss = nll_loss(logits, labels, weight, ignore_index, reduction)
    labels, weight = operand(labels), operand(weight)
    used = labels._array[labels._array != ignore_index]
    return loss, wrap(np.asarray(weight._array[used].sum(), weight._array.dtype))


@public(primitive="SoftmaxCrossEntropyWithLogits")
def _softmax_cross_entropy(logits: Tensor, labels: Tensor) -> tuple[Tensor, Tensor]:
    """The cross entropy of each row with probabilities (N, C), and its gradient by the logits."""
    loss = cross_entropy(logits, labels, reduction="none")
    return loss, T.subtract(T.softmax(logits, -1), labels)


@public(primitive="SparseSoftmaxCrossEntropyWithLogits", init=("is_grad",))
def _sparse_softmax_cross_entropy(logits: Tensor, labels: Tensor, is_grad: bool = False) -> Tensor:
    """The mean cross entropy with integer labels (N,), or with ``is_grad`` its gradient by the logits."""
    loss = cross_entropy(logits, labels)
    if not is_grad:
        return loss
    logits, labels = operand(logits), operand(labels)
    return T.log_softmax_grad(T.nll_slope(logits, labels), T.log_softmax(logits, 1), 1)
