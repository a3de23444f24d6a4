"""Losses of scores for classes."""

from __future__ import annotations

from typing import Any

from ...core.record import operand
from ...core.tensor import Tensor
from ...ops.neural.losses import labels as of_labels
from ...ops.neural.losses import margins
from ...ops.neural.losses import probabilities as of_probabilities
from ...ops.neural.losses.reduction import REDUCTIONS
from ...texts import say
from .loss import LossBase


class CrossEntropyLoss(LossBase):
    """Cross entropy of logits (N, C, …) with labels (N, …) or probabilities. See ``ops.cross_entropy``.

    Args:
        weight: (C,), a constant for each class.
        ignore_index: rows with this label count for nothing.
        reduction: ``"mean"``, ``"sum"`` or ``"none"``.
        label_smoothing: the share of each target, in [0, 1], that goes to all classes evenly.
    """

    def __init__(
        self, weight: Any = None, ignore_index: int = -100, reduction: str = "mean", label_smoothing: float = 0.0
    ):
        super().__init__(reduction)
        self.weight, self.ignore_index, self.label_smoothing = weight, ignore_index, label_smoothing

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        """A scalar, or one loss per row with reduction "none"."""
        return of_labels.cross_entropy(
            logits, labels, self.weight, self.ignore_index, self.reduction, self.label_smoothing
        )


class NLLLoss(LossBase):
    """Minus the log-probability (N, C, …) of each row's label (N, …). See ``ops.nll_loss``."""

    def __init__(self, weight: Any = None, ignore_index: int = -100, reduction: str = "mean"):
        super().__init__(reduction)
        self.weight, self.ignore_index = weight, ignore_index

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        """A scalar, or one loss per row with reduction "none"."""
        return of_labels.nll_loss(logits, labels, self.weight, self.ignore_index, self.reduction)


class SoftmaxCrossEntropyWithLogits(LossBase):
    """Cross entropy of logits (N, C) with probabilities (N, C), or ``sparse`` with labels (N,); by default per row."""

    def __init__(self, sparse: bool = False, reduction: str = "none"):
        super().__init__(reduction)
        self.sparse = sparse

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        """One loss per row, or a scalar with another reduction."""
        whole = operand(labels)._array.dtype.kind in "iu"
        if whole is not self.sparse:
            raise TypeError(say("errors.sparse_labels", sparse=self.sparse, got=operand(labels).dtype))
        return of_labels.cross_entropy(logits, labels, reduction=self.reduction)


class BCELoss(LossBase):
    """Binary cross entropy of probabilities. See ``ops.binary_cross_entropy``."""

    def __init__(self, weight: Any = None, reduction: str = "mean"):
        super().__init__(reduction)
        self.weight = weight

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        """A scalar, or the inputs' shape with reduction "none"."""
        return of_probabilities.binary_cross_entropy(logits, labels, self.weight, self.reduction)


class BCEWithLogitsLoss(LossBase):
    """Binary cross entropy of logits. See ``ops.binary_cross_entropy_with_logits``."""

    def __init__(self, reduction: str = "mean", weight: Any = None, pos_weight: Any = None):
        super().__init__(reduction)
        self.weight, self.pos_weight = weight, pos_weight

    def construct(self, input: Tensor, target: Tensor) -> Tensor:
        """A scalar, or the inputs' shape with reduction "none"."""
        return of_probabilities.binary_cross_entropy_with_logits(
            input, target, self.weight, self.pos_weight, self.reduction
        )


class KLDivLoss(LossBase):
    """q · (ln q − ln p), given ln p and q. See ``ops.kl_div``; also with reduction ``"batchmean"``."""

    reductions = (*REDUCTIONS, "batchmean")

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        """A scalar, or the inputs' shape with reduction "none"."""
        return of_probabilities.kl_div(logits, labels, self.reduction)


class SoftMarginLoss(LossBase):
    """ln(1 + e^(−t · x)), with targets −1 and 1, averaged by default."""

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        """A scalar, or the inputs' shape with reduction "none"."""
        return of_probabilities.soft_margin_loss(logits, labels, self.reduction)


class MultiLabelSoftMarginLoss(LossBase):
    """The mean binary cross entropy over the classes of each row. See ``ops.multilabel_soft_margin_loss``."""

    def __init__(self, weight: Any = None, reduction: str = "mean"):
        super().__init__(reduction)
        self.weight = weight

    def construct(self, x: Tensor, target: Tensor) -> Tensor:
        """A scalar, or one loss per row with reduction "none"."""
        return of_probabilities.multilabel_soft_margin_loss(x, target, self.weight, self.reduction)


class MultiMarginLoss(LossBase):
    """Σ max(0, margin − x[label] + x[j])ᵖ / C over the other classes j. See ``ops.multi_margin_loss``."""

    def __init__(self, p: int = 1, margin: float = 1.0, reduction: str = "mean", weight: Any = None):
        super().__init__(reduction)
        self.p, self.margin, self.weight = p, margin, weight

    def construct(self, x: Tensor, target: Tensor, weight: Any = None) -> Tensor:
        """A scalar, or one loss per row with reduction "none"."""
        weight = self.weight if weight is None else weight
        return margins.multi_margin_loss(x, target, self.p, self.margin, weight, self.reduction)


class MultilabelMarginLoss(LossBase):
    """Σ max(0, 1 − x[j] + x[i]) / C over labels j and other classes i. See ``ops.multilabel_margin_loss``."""

    def construct(self, x: Tensor, target: Tensor) -> Tensor:
        """A scalar, or one loss per row with reduction "none"."""
        return margins.multilabel_margin_loss(x, target, self.reduction)
