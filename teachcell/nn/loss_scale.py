"""The scale of a loss: a factor that keeps small Float16 gradients above 0, and is taken out of them again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..core.dtypes import float32
from ..core.tensor import Tensor, wrap
from ..kernels.arguments import number_in
from ..texts import say
from .cell import Cell
from .layers.checks import positive_int
from .parameter import Parameter
from .train import TrainOneStepCell, derivatives


class LossScaleRule:
    """When a loss scale moves: down after each overflow, to 1 at least; up after so many steps without one.

    Args:
        scale_factor: by how much.
        scale_window: the number of steps.
    """

    def __init__(self, scale_factor: float, scale_window: int):
        self.scale_factor = number_in("scale_factor", scale_factor, "(0, ∞)")
        self.scale_window = positive_int("loss scale", "scale_window", scale_window)
        self.steps_without = 0

    def after(self, scale: float, overflow: bool) -> float:
        """The scale of the next step."""
        self.steps_without = 0 if overflow else self.steps_without + 1
        if overflow:
            return max(scale / self.scale_factor, 1)
        if self.steps_without < self.scale_window:
            return scale
        self.steps_without = 0
        return scale * self.scale_factor


class FixedLossScaleUpdateCell(Cell):
    """A loss scale that stays.

    Args:
        loss_scale_value: the scale.
    """

    def __init__(self, loss_scale_value: float):
        super().__init__()
        self.loss_scale_value = number_in("loss_scale_value", loss_scale_value, "(0, ∞)")

    def get_loss_scale(self) -> float:
        """The scale."""
        return self.loss_scale_value

    def construct(self, loss_scale: Parameter, overflow: Tensor) -> Tensor:
        """``overflow``."""
        return overflow


class DynamicLossScaleUpdateCell(Cell):
    """A loss scale that follows overflows: see :class:`LossScaleRule`.

    Args:
        loss_scale_value: the first scale.
        scale_factor: by how much it moves.
        scale_window: so many steps without an overflow let it grow.
    """

    def __init__(self, loss_scale_value: float, scale_factor: float, scale_window: int):
        super().__init__()
        self.loss_scale_value = number_in("loss_scale_value", loss_scale_value, "(0, ∞)")
        self.rule = LossScaleRule(scale_factor, scale_window)

    def get_loss_scale(self) -> float:
        """The first scale."""
        return self.loss_scale_value

    def construct(self, loss_scale: Parameter, overflow: Tensor) -> Tensor:
        """Writes the next scale into the Parameter; returns ``overflow``."""
        loss_scale.set_data(Tensor(np.full(loss_scale.shape, self.rule.after(loss_scale.item(), bool(overflow)))))
        return overflow


class TrainOneStepWithLossScaleCell(TrainOneStepCell):
    """One step of training in which the loss is multiplied by a scale and the gradients are divided by it again.

    In Float16 that keeps small gradients above 0. If one of them overflows, the step is left out.

    Args:
        network: gives the loss.
        optimizer: an optimizer.
        scale_sense: the scale, a Tensor of one element; or a Cell that follows overflows, such as
            :class:`DynamicLossScaleUpdateCell`.
    """

    def __init__(self, network: Any, optimizer: Any, scale_sense: Any):
        super().__init__(network, optimizer)
        self.loss_scaling_manager = None
        if isinstance(scale_sense, Cell):
            self.loss_scaling_manager = scale_sense
            scale_sense = Tensor(scale_sense.get_loss_scale(), float32)
        if not isinstance(scale_sense, Tensor):
            raise TypeError(say("errors.scale_kind", got=type(scale_sense).__name__))
        if scale_sense.size != 1:
            raise ValueError(say("errors.not_one_element", shape=scale_sense.shape))
        self.scale_sense = Parameter(scale_sense, name="scale_sense", requires_grad=False)

    def construct(self, *inputs: Any) -> tuple[Any, Tensor, Tensor]:
        """(loss, whether a gradient overflowed, the scale of this step)."""
        scale = wrap(self.scale_sense._array.copy())
        loss, _, gradients = derivatives(self.network, inputs, None, self.weights, scale)
        gradients = self.grad_reducer(tuple((g / scale).astype(g.dtype) for g in gradients))
        overflow = self.get_overflow_status(None, gradients)
        if not self.process_loss_scale(overflow):
            self.optimizer(gradients)
        return loss, overflow, scale

    def set_sense_scale(self, sens: Tensor) -> None:
        """Go on with another scale."""
        if not isinstance(sens, Tensor):
            raise TypeError(say("errors.scale_kind", got=type(sens).__name__))
        self.scale_sense.set_data(sens.reshape(self.scale_sense.shape))

    def start_overflow_check(self, pre_cond: Any, compute_input: Any) -> tuple[Any, Any]:
        """For a ``construct`` of one's own; without effect here, where the gradients themselves are looked at."""
        return False, compute_input

    def get_overflow_status(self, status: Any, compute_output: Sequence[Tensor]) -> Tensor:
        """Whether a gradient has an infinite or undefined element."""
        return wrap(np.array(not all(np.isfinite(g._array).all() for g in compute_output)))

    def process_loss_scale(self, overflow: Tensor) -> Tensor:
        """Let the Cell that follows overflows set the next scale; returns ``overflow``."""
        if self.loss_scaling_manager is not None:
            return self.loss_scaling_manager(self.scale_sense, overflow)
        return overflow
