"""The base of losses, and the losses of numbers."""

from __future__ import annotations

from typing import Any

from ...core.dtypes import float32
from ...core.op import TENSORS as T
from ...core.record import operand
from ...core.tensor import Tensor
from ...ops.neural.losses import numbers
from ...ops.neural.losses.reduction import REDUCTIONS, check_reduction, reduced
from ..cell import Cell


class LossBase(Cell):
    """The base of losses: override ``construct`` and return ``self.get_loss(one loss per element)``.

    Args:
        reduction: ``"mean"``, ``"sum"``, or ``"none"`` (or None) for a loss per element.

    Attributes:
        reduction: as given.
        reduce: whether the elements are put together.
        average: whether they are averaged.
    """

    reductions: tuple[str, ...] = REDUCTIONS

    def __init__(self, reduction: str | None = "mean"):
        super().__init__()
        self.reduction = "none" if reduction is None else reduction
        check_reduction(self.reduction, self.reductions)
        self.reduce, self.average = self.reduction != "none", self.reduction == "mean"

    def get_axis(self, x: Tensor) -> tuple[int, ...]:
        """All axes of ``x``."""
        return tuple(range(x.ndim))

    def get_loss(self, x: Tensor, weights: Any = 1.0) -> Tensor:
        """Losses times weights, reduced; the mean is over all elements. Computed in float32, returned as it came."""
        x = operand(x)
        narrow = x.dtype if x._array.dtype.itemsize < 4 else None
        each = T.multiply(x if narrow is None else x.astype(float32), weights)
        loss = reduced(each, self.reduction)
        return loss if narrow is None else loss.astype(narrow)


class MSELoss(LossBase):
    """(x − t)², averaged by default."""

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        """A scalar, or the inputs' shape with reduction "none"."""
        return numbers.mse_loss(logits, labels, self.reduction)


class RMSELoss(LossBase):
    """The square root of the mean of (x − t)²."""

    def __init__(self) -> None:
        super().__init__()

    def construct(self, logits: Tensor, label: Tensor) -> Tensor:
        """A scalar."""
        return T.sqrt(numbers.mse_loss(logits, label))


class L1Loss(LossBase):
    """|x − t|, averaged by default."""

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        """A scalar, or the inputs' shape with reduction "none"."""
        return numbers.l1_loss(logits, labels, self.reduction)


class MAELoss(LossBase):
    """|x − t|, averaged by default: another name of L1Loss."""

    def construct(self, logits: Tensor, label: Tensor) -> Tensor:
        """A scalar, or the inputs' shape with reduction "none"."""
        return numbers.l1_loss(logits, label, self.reduction)


class SmoothL1Loss(LossBase):
    """(x − t)² / (2 · beta) near 0, |x − t| − beta / 2 from beta on; one loss per element by default."""

    def __init__(self, beta: float = 1.0, reduction: str = "none"):
        super().__init__(reduction)
        self.beta = beta

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        """The inputs' shape, or a scalar with another reduction."""
        return numbers.smooth_l1_loss(logits, labels, self.beta, self.reduction)


class HuberLoss(LossBase):
    """(x − t)² / 2 near 0, delta · (|x − t| − delta / 2) from delta on, averaged by default."""

    def __init__(self, reduction: str = "mean", delta: float = 1.0):
        super().__init__(reduction)
        self.delta = delta

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        """A scalar, or the inputs' shape with reduction "none"."""
        return numbers.huber_loss(logits, labels, self.reduction, self.delta)


class GaussianNLLLoss(LossBase):
    """Minus the log-likelihood of measurements under normal distributions. See ``ops.gaussian_nll_loss``."""

    def __init__(self, *, full: bool = False, eps: float = 1e-6, reduction: str = "mean"):
        super().__init__(reduction)
        self.full, self.eps = full, eps

    def construct(self, logits: Tensor, labels: Tensor, var: Tensor) -> Tensor:
        """A scalar, or the inputs' shape with reduction "none"."""
        return numbers.gaussian_nll_loss(logits, labels, var, self.full, self.eps, self.reduction)


class PoissonNLLLoss(LossBase):
    """Minus the log-likelihood of counts under Poisson distributions. See ``ops.poisson_nll_loss``."""

    def __init__(self, log_input: bool = True, full: bool = False, eps: float = 1e-8, reduction: str = "mean"):
        super().__init__(reduction)
        self.log_input, self.full, self.eps = log_input, full, eps

    def construct(self, input: Tensor, target: Tensor) -> Tensor:
        """A scalar, or the inputs' shape with reduction "none"."""
        return numbers.poisson_nll_loss(input, target, self.log_input, self.full, self.eps, self.reduction)
