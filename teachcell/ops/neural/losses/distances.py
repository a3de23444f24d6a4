"""Losses of distances and angles between embeddings."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from ....core.op import TENSORS as T
from ....core.public import public
from ....core.record import float_operand, operand
from ....core.tensor import Tensor, wrap
from ....kernels.arguments import in_interval
from ....kernels.losses import least_divisor
from ....texts import say
from .margins import short_of
from .reduction import check_reduction, of_two, reduced


@public("hinge_embedding_loss")
def hinge_embedding_loss(inputs: Tensor, targets: Tensor, margin: float = 1.0, reduction: str = "mean") -> Tensor:
    """The distance itself where t = 1, max(0, margin − distance) where t = −1."""
    check_reduction(reduction)
    distance, alike = float_operand(inputs), wrap(operand(targets)._array > 0)
    return reduced(T.select(alike, distance, short_of(margin, distance)), reduction)


@public("cosine_embedding_loss")
def cosine_embedding_loss(
    input1: Tensor, input2: Tensor, target: Tensor, margin: float = 0.0, reduction: str = "mean"
) -> Tensor:
    """1 − cos where t = 1, max(0, cos − margin) where t = −1.

    Args:
        input1, input2: (N, D, …), or (D,); the angle is between them along D.
        target: (N, …): 1 for pairs that should be alike, −1 for those that should not.
        margin: in [−1, 1]: how alike the latter may be.
        reduction: ``"mean"``, ``"sum"`` or ``"none"``.
    """
    check_reduction(reduction)
    in_interval("margin", margin, "[−1, 1]")
    (x, y), target = of_two(input1, input2), operand(target)
    axis = min(x.ndim - 1, 1)
    cosine = T.multiply(T.multiply(T.sum(T.multiply(x, y), axis), _one_over_length(x, axis)), _one_over_length(y, axis))
    if target.shape != cosine.shape:
        raise ValueError(say("errors.row_target", op="cosine_embedding_loss", wanted=cosine.shape, got=target.shape))
    apart = T.relu(T.shift(cosine, -margin))
    return reduced(T.select(wrap(target._array > 0), T.one_minus(cosine), apart), reduction)


def _one_over_length(x: Tensor, axis: int) -> Tensor:
    """1 / √Σ x², finite for a vector of zeros."""
    squares = T.sum(T.square(x), axis)
    return T.rsqrt(T.shift(squares, least_divisor(squares._array.dtype)))


@public("triplet_margin_loss")
def triplet_margin_loss(
    anchor: Tensor, positive: Tensor, negative: Tensor, margin: float = 1.0, p: float = 2, eps: float = 1e-6,
    swap: bool = False, reduction: str = "mean",
) -> Tensor:  # fmt: skip
    """max(0, margin + d(anchor, positive) − d(anchor, negative)).

    Args:
        anchor, positive, negative: (…, D); distances are along the last axis.
        margin: how much farther than the positive the negative should be.
        p: the distance is (Σ |x − y + eps|ᵖ)^(1/p).
        eps: keeps the distance of equal points differentiable.
        swap: measure the negative from the positive where that is nearer.
        reduction: ``"mean"``, ``"sum"`` or ``"none"``.
    """
    check_reduction(reduction)
    in_interval("p", p, "(0, ∞)")
    return reduced(triplet(anchor, positive, negative, partial(_distance, p=p, eps=eps), margin, swap), reduction)


def _distance(x: Tensor, y: Tensor, p: float, eps: float) -> Tensor:
    return T.power(T.sum(T.power(T.absolute(T.shift(T.subtract(*of_two(x, y)), eps)), p), -1), 1 / p)


def euclidean(x: Tensor, y: Tensor) -> Tensor:
    """√Σ (x − y + 10⁻⁶)² along the last axis: differentiable for equal points too."""
    return _distance(x, y, 2, 1e-6)


def triplet(
    anchor: Tensor, positive: Tensor, negative: Tensor, distance: Callable[[Tensor, Tensor], Tensor], margin: Any,
    swap: bool,
) -> Tensor:  # fmt: skip
    """The triplet loss of each row under any distance."""
    near, far = distance(anchor, positive), distance(anchor, negative)
    if swap:
        far = T.minimum(far, distance(positive, negative))
    return T.relu(T.add(T.subtract(near, far), margin))


@public(primitive="TripletMarginLoss", init=("p", "swap", "eps", "reduction"))
def _triplet_margin_loss(
    x: Tensor, positive: Tensor, negative: Tensor, margin: Any, p: float = 2, swap: bool = False, eps: float = 1e-6,
    reduction: str = "mean",
) -> Tensor:  # fmt: skip
    """``ops.triplet_margin_loss`` as an object; the margin belongs to the call."""
    return triplet_margin_loss(x, positive, negative, margin, p, eps, swap, reduction)
