"""Losses as Cells."""

from __future__ import annotations

from ..core.op import TENSORS as T
from ..core.tensor import Tensor
from ..ops.losses import check_reduction, cross_entropy, reduced
from .cell import Cell


class _Loss(Cell):
    def __init__(self, reduction: str = "mean"):
        super().__init__()
        check_reduction(reduction)
        self.reduction = reduction


class CrossEntropyLoss(_Loss):
    """Cross entropy of logits (N, C) with labels (N,) or probabilities (N, C). See ``ops.cross_entropy``."""

    def __init__(self, ignore_index: int = -100, reduction: str = "mean"):
        super().__init__(reduction)
        self.ignore_index = ignore_index

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        """A scalar, or (N,) with reduction "none"."""
        return cross_entropy(logits, labels, self.reduction, self.ignore_index)


class MSELoss(_Loss):
    """Squared differences, averaged by default."""

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        """A scalar, or the inputs' shape with reduction "none"."""
        return reduced(T.square(T.subtract(logits, labels)), self.reduction)
