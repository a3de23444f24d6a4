"""Loss scales as ``Model`` takes them: they say what to multiply the loss by, and what to do with an overflow."""

from __future__ import annotations

from abc import ABC, abstractmethod

from ..kernels.arguments import in_interval
from ..nn.cell import Cell
from ..nn.loss_scale import DynamicLossScaleUpdateCell, FixedLossScaleUpdateCell, LossScaleRule


class LossScaleManager(ABC):
    """How a loss is scaled; see the two kinds."""

    @abstractmethod
    def get_loss_scale(self) -> float:
        """The scale."""

    @abstractmethod
    def update_loss_scale(self, overflow: bool) -> None:
        """Tell whether the last step overflowed."""

    @abstractmethod
    def get_update_cell(self) -> Cell | None:
        """The Cell that :class:`TrainOneStepWithLossScaleCell` takes; None if an overflow changes nothing."""


class FixedLossScaleManager(LossScaleManager):
    """A scale that stays.

    Args:
        loss_scale: the scale, at least 1. The optimizer must get it too if overflows are not dropped.
        drop_overflow_update: whether a step that overflows is left out.
    """

    def __init__(self, loss_scale: float = 128.0, drop_overflow_update: bool = True):
        in_interval("FixedLossScaleManager.loss_scale", loss_scale, "[1, ∞)")
        self._loss_scale, self._drop = loss_scale, drop_overflow_update

    def get_loss_scale(self) -> float:
        return self._loss_scale

    def get_drop_overflow_update(self) -> bool:
        """Whether a step that overflows is left out."""
        return self._drop

    def update_loss_scale(self, overflow: bool) -> None:
        """Without effect."""

    def get_update_cell(self) -> Cell | None:
        return FixedLossScaleUpdateCell(self._loss_scale) if self._drop else None


class DynamicLossScaleManager(LossScaleManager):
    """A scale that falls after an overflow and rises after a while without one.

    Args:
        init_loss_scale: the first scale, above 1.
        scale_factor: by how much it moves.
        scale_window: so many steps without an overflow let it rise.
    """

    def __init__(self, init_loss_scale: float = 2**24, scale_factor: float = 2, scale_window: int = 2000):
        in_interval("DynamicLossScaleManager.init_loss_scale", init_loss_scale, "(1, ∞)")
        self._loss_scale = init_loss_scale
        self._rule = LossScaleRule(scale_factor, scale_window)

    def get_loss_scale(self) -> float:
        return self._loss_scale

    def get_drop_overflow_update(self) -> bool:
        """True: a step that overflows is left out."""
        return True

    def update_loss_scale(self, overflow: bool) -> None:
        self._loss_scale = self._rule.after(self._loss_scale, overflow)

    def get_update_cell(self) -> Cell:
        return DynamicLossScaleUpdateCell(self._loss_scale, self._rule.scale_factor, self._rule.scale_window)
