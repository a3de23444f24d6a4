"""Losses of probabilities, given as they are or as logits: binary cross entropy, divergence, soft margins."""

from __future__ import annotations

from typing import Any

from ....core.card import Kink
from ....core.define import define, pair
from ....core.op import TENSORS as T
from ....core.public import public
from ....core.tensor import Tensor
from ....kernels import losses as K
from .reduction import REDUCTIONS, check_reduction, of_two, reduced, weight_of


def _bernoulli_variance_twin(p: Tensor) -> Tensor:
    return T.clamp(T.subtract(p, T.square(p)), min=K.least_divisor(p._array.dtype))


pair("bernoulli_variance", K.bernoulli_variance, _bernoulli_variance_twin)
pair("bounded_log", K.bounded_log, lambda p: T.clamp(T.log(p), min=K.LEAST_LOG))
binary_cross_entropy_op = define(
    "binary_cross_entropy", K.binary_cross_entropy,
    (
        lambda F, g, out, p, target: F.multiply(g, F.divide(F.subtract(p, target), F.bernoulli_variance(p))),
        lambda F, g, out, p, target: F.multiply(g, F.subtract(F.bounded_log(F.one_minus(p)), F.bounded_log(p))),
    ),
    floats=(0, 1), public=False, domain=(0.05, 0.95),
    card=("y = −t · ln p − (1 − t) · ln(1 − p)", "∂p = g · (p − t) / (p · (1 − p))", "∂t = g · ln((1 − p) / p)"),
    kinks=(Kink(([0.0, 1.0], [0.0, 1.0]), ([0.0, 0.0], [100.0, -100.0])),), source="Good 1952",
)  # fmt: skip
sigmoid_cross_entropy = define(
    "sigmoid_cross_entropy", K.sigmoid_cross_entropy,
    (
        lambda F, g, out, z, target: F.multiply(g, F.subtract(F.sigmoid(z), target)),
        lambda F, g, out, z, target: F.negative(F.multiply(g, z)),
    ),
    floats=(0, 1), names=(), primitive="SigmoidCrossEntropyWithLogits",
    card=("y = ln(1 + eᶻ) − z · t", "∂z = g · (sigmoid(z) − t)", "∂t = −g · z"), source="Bridle 1990",
)  # fmt: skip
kl_div_op = define(
    "kl_div", K.kl_div,
    (
        lambda F, g, out, logp, target: F.negative(F.multiply(g, target)),
        lambda F, g, out, logp, target: F.multiply(g, F.shift(F.subtract(F.log(target), logp), 1.0)),
    ),
    label="KLDiv", floats=(0, 1), public=False, domain=(0.1, 0.9),
    card=("y = q · (ln q − x)", "∂x = −g · q", "∂q = g · (ln q − x + 1)"), source="Kullback & Leibler 1951",
)  # fmt: skip


@public("binary_cross_entropy", primitive="BinaryCrossEntropy", init=("reduction",))
def binary_cross_entropy(logits: Tensor, labels: Tensor, weight: Any = None, reduction: str = "mean") -> Tensor:
    """−t · ln p − (1 − t) · ln(1 − p) of probabilities; no logarithm counts for less than −100.

    Args:
        logits: the probabilities p, in [0, 1].
        labels: the targets t, of the same shape.
        weight: multiplies the loss of each element.
        reduction: ``"mean"``, ``"sum"`` or ``"none"``.
    """
    check_reduction(reduction)
    return reduced(binary_cross_entropy_op(*of_two(logits, labels)), reduction, weight)


@public("binary_cross_entropy_with_logits")
def binary_cross_entropy_with_logits(
    input: Tensor, target: Tensor, weight: Any = None, pos_weight: Any = None, reduction: str = "mean"
) -> Tensor:
    """−w · t · ln σ(z) − (1 − t) · ln σ(−z), w the ``pos_weight``; never infinite.

    Args:
        input: the logits z.
        target: the targets t, of the same shape.
        weight: multiplies the loss of each element.
        pos_weight: multiplies the positive part; by default 1.
        reduction: ``"mean"``, ``"sum"`` or ``"none"``.
    """
    check_reduction(reduction)
    z, t = of_two(input, target)
    each = sigmoid_cross_entropy(z, t)
    if pos_weight is not None:
        more = T.multiply(t, T.shift(weight_of(pos_weight, z), -1.0))
        each = T.add(each, T.multiply(more, T.softplus(T.negative(z))))
    return reduced(each, reduction, weight)


@public(primitive="BCEWithLogitsLoss", init=("reduction",))
def _bce_with_logits(
    input: Tensor, target: Tensor, weight: Any = None, posWeight: Any = None, reduction: str = "mean"
) -> Tensor:
    """``ops.binary_cross_entropy_with_logits`` as an object."""
    return binary_cross_entropy_with_logits(input, target, weight, posWeight, reduction)


@public("kl_div", primitive="KLDivLoss", init=("reduction",))
def kl_div(logits: Tensor, labels: Tensor, reduction: str = "mean") -> Tensor:
    """q · (ln q − ln p): how far p is from q.

    Args:
        logits: ln p.
        labels: q.
        reduction: ``"mean"`` over all elements, ``"batchmean"`` over the first axis (the divergence proper),
            ``"sum"`` or ``"none"``.
    """
    check_reduction(reduction, (*REDUCTIONS, "batchmean"))
    each = kl_div_op(*of_two(logits, labels))
    if reduction == "batchmean":
        return T.scale(T.sum(each), 1 / each.shape[0]) if each.ndim and each.shape[0] else T.sum(each)
    return reduced(each, reduction)


@public("soft_margin_loss", primitive="SoftMarginLoss", init=("reduction",))
def soft_margin_loss(input: Tensor, target: Tensor, reduction: str = "mean") -> Tensor:
    """ln(1 + e^(−t · x)), with targets −1 and 1."""
    check_reduction(reduction)
    return reduced(T.softplus(T.negative(T.multiply(*of_two(input, target)))), reduction)


@public("multilabel_soft_margin_loss")
def multilabel_soft_margin_loss(input: Tensor, target: Tensor, weight: Any = None, reduction: str = "mean") -> Tensor:
    """The mean binary cross entropy over the classes of each row.

    Args:
        input: logits (N, C).
        target: 0 or 1 for each of them.
        weight: (C,), multiplies the classes.
        reduction: ``"mean"``, ``"sum"`` or ``"none"``.
    """
    check_reduction(reduction)
    each = sigmoid_cross_entropy(*of_two(input, target))
    if weight is not None:
        each = T.multiply(each, weight_of(weight, each))
    return reduced(T.mean(each, -1), reduction)
