"""Losses of pairs and triples: rankings, distances and angles."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...core.tensor import Tensor
from ...ops.neural.losses import distances, margins
from ...ops.neural.losses.reduction import reduced
from .loss import LossBase


class MarginRankingLoss(LossBase):
    """max(0, margin − t · (x₁ − x₂)), averaged by default. See ``ops.margin_ranking_loss``."""

    def __init__(self, margin: float = 0.0, reduction: str = "mean"):
        super().__init__(reduction)
        self.margin = margin

    def construct(self, input1: Tensor, input2: Tensor, target: Tensor) -> Tensor:
        """A scalar, or the inputs' shape with reduction "none"."""
        return margins.margin_ranking_loss(input1, input2, target, self.margin, self.reduction)


class HingeEmbeddingLoss(LossBase):
    """Distances of pairs that belong together, max(0, margin − distance) of the others."""

    def __init__(self, margin: float = 1.0, reduction: str = "mean"):
        super().__init__(reduction)
        self.margin = margin

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        """A scalar, or the inputs' shape with reduction "none"."""
        return distances.hinge_embedding_loss(logits, labels, self.margin, self.reduction)


class CosineEmbeddingLoss(LossBase):
    """1 − cos of pairs that should be alike, max(0, cos − margin) of the others. See ``ops.cosine_embedding_loss``."""

    def __init__(self, margin: float = 0.0, reduction: str = "mean"):
        super().__init__(reduction)
        self.margin = margin

    def construct(self, logits_x1: Tensor, logits_x2: Tensor, labels: Tensor) -> Tensor:
        """A scalar, or one loss per pair with reduction "none"."""
        return distances.cosine_embedding_loss(logits_x1, logits_x2, labels, self.margin, self.reduction)


class TripletMarginLoss(LossBase):
    """max(0, margin + d(x, positive) − d(x, negative)). See ``ops.triplet_margin_loss``."""

    def __init__(
        self, p: float = 2, swap: bool = False, eps: float = 1e-6, reduction: str = "mean", margin: float = 1.0
    ):
        super().__init__(reduction)
        self.p, self.swap, self.eps, self.margin = p, swap, eps, margin

    def construct(self, x: Tensor, positive: Tensor, negative: Tensor, margin: Any = None) -> Tensor:
        """A scalar, or one loss per row with reduction "none"; a margin given here counts instead of the Cell's."""
        margin = self.margin if margin is None else margin
        return distances.triplet_margin_loss(x, positive, negative, margin, self.p, self.eps, self.swap, self.reduction)


class TripletMarginWithDistanceLoss(LossBase):
    """The triplet loss under any distance.

    Args:
        distance_function: two Tensors to their distances; by default Euclidean along the last axis.
        swap: measure the negative from the positive where that is nearer.
        reduction: ``"mean"``, ``"sum"`` or ``"none"``.
        margin: how much farther than the positive the negative should be.
    """

    def __init__(
        self, distance_function: Callable[[Tensor, Tensor], Tensor] | None = None, swap: bool = False,
        reduction: str = "mean", margin: float = 1.0,
    ):  # fmt: skip
        super().__init__(reduction)
        self.distance_function = distance_function or distances.euclidean
        self.swap, self.margin = swap, margin

    def construct(self, x: Tensor, positive: Tensor, negative: Tensor) -> Tensor:
        """A scalar, or one loss per row with reduction "none"."""
        each = distances.triplet(x, positive, negative, self.distance_function, self.margin, self.swap)
        return reduced(each, self.reduction)
