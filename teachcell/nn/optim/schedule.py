"""Learning rates that change with the step: Cells, called with the step, and lists with one rate per step."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...core.tensor import Tensor, wrap
from ...kernels.arguments import number_in
from ...texts import say
from ..cell import Cell


def exponential(lr: float, rate: float, x: float) -> float:
    """lr · rate^x."""
    return lr * rate**x


def natural_exponential(lr: float, rate: float, x: float) -> float:
    """lr · e^(−rate · x)."""
    return lr * math.exp(-rate * x)


def inverse(lr: float, rate: float, x: float) -> float:
    """lr / (1 + rate · x)."""
    return lr / (1 + rate * x)


def cosine(low: float, high: float, part: float) -> float:
    """From high to low along half a cosine, as ``part`` goes from 0 to 1."""
    return low + 0.5 * (high - low) * (1 + math.cos(math.pi * min(part, 1.0)))


def polynomial(lr: float, end: float, power: float, step: float, steps: float, update: bool) -> float:
    """From lr to end along (1 − step / steps)^power; with ``update`` ``steps`` grows to a multiple above ``step``."""
    if update:
        steps *= max(1, math.ceil(step / steps))
    return (lr - end) * (1 - min(step, steps) / steps) ** power + end


class LearningRateSchedule(Cell):
    """The base of schedules: a subclass says with :meth:`rate` what the rate is at a step; call it with the step."""

    def construct(self, global_step: Any) -> Tensor:
        """The rate at a step (a 0-d Tensor or number, from 0): a Float32 Tensor."""
        step = global_step.item() if isinstance(global_step, Tensor) else global_step
        return wrap(np.array(self.rate(step), np.float32))

    def rate(self, step: int) -> float:
        """The rate at a step."""
        raise NotImplementedError


class _Decay(LearningRateSchedule):
    formula: Callable[[float, float, float], float]

    def __init__(self, learning_rate: float, decay_rate: float, decay_steps: int, is_stair: bool = False):
        super().__init__()
        self.learning_rate = number_in("learning_rate", learning_rate, "(0, ∞)")
        self.decay_rate = number_in("decay_rate", decay_rate, "(0, ∞)")
        self.decay_steps, self.is_stair = _count("decay_steps", decay_steps), is_stair

    def rate(self, step: int) -> float:
        """The formula at step / decay_steps, rounded down with ``is_stair``."""
        x = step / self.decay_steps
        return type(self).formula(self.learning_rate, self.decay_rate, math.floor(x) if self.is_stair else x)


class ExponentialDecayLR(_Decay):
    """learning_rate · decay_rate^(step / decay_steps), the exponent rounded down with ``is_stair``."""

    formula = staticmethod(exponential)


class InverseDecayLR(_Decay):
    """learning_rate / (1 + decay_rate · step / decay_steps), the quotient rounded down with ``is_stair``."""

    formula = staticmethod(inverse)


class NaturalExpDecayLR(_Decay):
    """learning_rate · e^(−decay_rate · step); with ``is_stair`` the step is rounded down to whole decay_steps."""

    def rate(self, step: int) -> float:
        """See the class."""
        x = step // self.decay_steps * self.decay_steps if self.is_stair else step
        return natural_exponential(self.learning_rate, self.decay_rate, x)


class CosineDecayLR(LearningRateSchedule):
    """From max_lr to min_lr along half a cosine in ``decay_steps`` steps. Source: Loshchilov & Hutter 2017."""

    def __init__(self, min_lr: float, max_lr: float, decay_steps: int):
        super().__init__()
        self.max_lr = number_in("max_lr", max_lr, "(0, ∞)")
        self.min_lr = number_in("min_lr", min_lr, f"[0, {max_lr})")
        self.decay_steps = _count("decay_steps", decay_steps)

    def rate(self, step: int) -> float:
        """See the class."""
        return cosine(self.min_lr, self.max_lr, step / self.decay_steps)


class PolynomialDecayLR(LearningRateSchedule):
    """From learning_rate to end_learning_rate along (1 − step / decay_steps)^power.

    With ``update_decay_steps`` the way begins again and again: decay_steps grows to a multiple above the step.
    """

    def __init__(
        self, learning_rate: float, end_learning_rate: float, decay_steps: int, power: float,
        update_decay_steps: bool = False,
    ):  # fmt: skip
        super().__init__()
        self.learning_rate = number_in("learning_rate", learning_rate, "(0, ∞)")
        self.end_learning_rate = number_in("end_learning_rate", end_learning_rate, f"[0, {learning_rate})")
        self.decay_steps, self.power = _count("decay_steps", decay_steps), number_in("power", power, "(0, ∞)")
        self.update_decay_steps = update_decay_steps

    def rate(self, step: int) -> float:
        """See the class."""
        return polynomial(
            self.learning_rate, self.end_learning_rate, self.power, step, self.decay_steps, self.update_decay_steps
        )


class WarmUpLR(LearningRateSchedule):
    """From 0 to learning_rate in ``warmup_steps`` equal steps, and there it stays."""

    def __init__(self, learning_rate: float, warmup_steps: int):
        super().__init__()
        self.learning_rate = number_in("learning_rate", learning_rate, "(0, ∞)")
        self.warmup_steps = _count("warmup_steps", warmup_steps)

    def rate(self, step: int) -> float:
        """See the class."""
        return self.learning_rate * min(step, self.warmup_steps) / self.warmup_steps


# Lists ----------------------------------------------------------------------------------------------------


def _by_epoch(rate: Callable[[int], float], total_step: int, step_per_epoch: int) -> list[float]:
    """One rate per step, which changes with the epoch."""
    _count("total_step", total_step), _count("step_per_epoch", step_per_epoch)
    return [rate(step // step_per_epoch) for step in range(total_step)]


def exponential_decay_lr(
    learning_rate: float, decay_rate: float, total_step: int, step_per_epoch: int, decay_epoch: int,
    is_stair: bool = False,
) -> list[float]:  # fmt: skip
    """learning_rate · decay_rate^(epoch / decay_epoch) per step."""
    decay = ExponentialDecayLR(learning_rate, decay_rate, decay_epoch, is_stair)
    return _by_epoch(decay.rate, total_step, step_per_epoch)


def inverse_decay_lr(
    learning_rate: float, decay_rate: float, total_step: int, step_per_epoch: int, decay_epoch: int,
    is_stair: bool = False,
) -> list[float]:  # fmt: skip
    """learning_rate / (1 + decay_rate · epoch / decay_epoch) per step."""
    return _by_epoch(InverseDecayLR(learning_rate, decay_rate, decay_epoch, is_stair).rate, total_step, step_per_epoch)


def natural_exp_decay_lr(
    learning_rate: float, decay_rate: float, total_step: int, step_per_epoch: int, decay_epoch: int,
    is_stair: bool = False,
) -> list[float]:  # fmt: skip
    """learning_rate · e^(−decay_rate · epoch) per step."""
    decay = NaturalExpDecayLR(learning_rate, decay_rate, decay_epoch, is_stair)
    return _by_epoch(decay.rate, total_step, step_per_epoch)


def cosine_decay_lr(
    min_lr: float, max_lr: float, total_step: int, step_per_epoch: int, decay_epoch: int
) -> list[float]:
    """From max_lr to min_lr along half a cosine in ``decay_epoch`` epochs, per step."""
    return _by_epoch(CosineDecayLR(min_lr, max_lr, decay_epoch).rate, total_step, step_per_epoch)


def polynomial_decay_lr(
    learning_rate: float, end_learning_rate: float, total_step: int, step_per_epoch: int, decay_epoch: int,
    power: float, update_decay_epoch: bool = False,
) -> list[float]:  # fmt: skip
    """From learning_rate to end_learning_rate along (1 − epoch / decay_epoch)^power, per step."""
    decay = PolynomialDecayLR(learning_rate, end_learning_rate, decay_epoch, power, update_decay_epoch)
    return _by_epoch(decay.rate, total_step, step_per_epoch)


def warmup_lr(learning_rate: float, total_step: int, step_per_epoch: int, warmup_epoch: int) -> list[float]:
    """From 0 to learning_rate in ``warmup_epoch`` epochs, per step."""
    return _by_epoch(WarmUpLR(learning_rate, warmup_epoch).rate, total_step, step_per_epoch)


def piecewise_constant_lr(milestone: Sequence[int], learning_rates: Sequence[float]) -> list[float]:
    """``learning_rates[i]`` for the steps up to ``milestone[i]``.

    Raises:
        ValueError: not as many rates as milestones, or milestones that do not rise.
    """
    if len(milestone) != len(learning_rates) or list(milestone) != sorted(set(milestone)) or not milestone:
        raise ValueError(say("errors.milestones", milestones=list(milestone), rates=list(learning_rates)))
    found: list[float] = []
    for end, rate in zip(milestone, learning_rates, strict=True):
        found += [number_in("learning_rates", rate, "[0, ∞)")] * (_count("milestone", end) - len(found))
    return found


def _count(name: str, value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value <= 0:
        raise ValueError(say("errors.interval", name=name, interval="1, 2, 3, …", got=repr(value)))
    return value
