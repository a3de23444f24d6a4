"""Callbacks that act on what they watch: a schedule of learning rates, smaller steps on a plateau, an early end."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from ...core.errors import learner_level
from ...core.tensor import Tensor
from ...kernels.arguments import in_interval, one_of
from ...ops.arrays.state import assign
from ...texts import say
from .base import Callback, RunContext
from .monitors import check_count, loss_of


def rate_of(optimizer: Any) -> float:
    """The learning rate of an optimizer.

    Raises:
        TypeError: it has a schedule, several rates, or none.
    """
    rate = getattr(optimizer, "learning_rate", None)
    if not isinstance(rate, Tensor) or rate.size != 1:
        raise TypeError(say("errors.rate_not_a_number", got=type(rate).__name__))
    return float(str(rate._array.reshape(())))  # 0.01 and not 0.009999999776, as Float32's own digits have it


def set_rate(optimizer: Any, rate: float) -> None:
    """Let an optimizer that has one rate go on with another."""
    held = optimizer.learning_rate
    assign(held, Tensor(np.full(held.shape, rate)))


class LearningRateScheduler(Callback):
    """Sets the learning rate after each step: ``learning_rate_function(rate, step)`` gives the next one.

    Args:
        learning_rate_function: a function of the rate so far and the number of steps made.
    """

    def __init__(self, learning_rate_function: Callable[[float, int], float]):
        if not callable(learning_rate_function):
            got = type(learning_rate_function).__name__
            raise TypeError(say("errors.hook_not_callable", where="LearningRateScheduler", got=got))
        self._function = learning_rate_function

    def on_train_step_end(self, run_context: RunContext) -> None:
        facts = run_context.original_args()
        set_rate(facts.optimizer, self._function(rate_of(facts.optimizer), facts.cur_step_num))


class _Watcher(Callback):
    """Watches one value, epoch by epoch, and counts the epochs without a better one.

    Args:
        monitor: ``"eval_loss"``, a metric's name, or ``"loss"``, that of the epoch's last step.
        mode: ``"min"`` or ``"max"`` is better; ``"auto"`` goes by the name.
        patience: so many epochs in a row without a better value make it act.
        min_delta: by how much a value must be better.
        verbose: whether to print what is done.
    """

    LARGER_IS_BETTER = ("acc", "precision", "recall", "f1", "topk")

    def __init__(self, monitor: str, mode: str, patience: int, min_delta: float, verbose: bool):
        cls = type(self).__name__
        one_of(f"{cls}.mode", mode, ("auto", "min", "max"))
        check_count(cls, "patience", patience)
        self.monitor, self.patience, self.min_delta, self.verbose = monitor, patience, abs(min_delta), verbose
        larger = mode == "max" or (mode == "auto" and any(w in monitor.lower() for w in self.LARGER_IS_BETTER))
        self._sign = -1 if larger else 1
        self._forget()

    def _forget(self) -> None:
        self.best, self.waited = math.inf, 0  # best: times the sign, so that less is better

    def on_train_begin(self, run_context: RunContext) -> None:
        self._forget()

    def _value(self, run_context: RunContext) -> float | None:
        facts = run_context.original_args()
        if self.monitor == "loss" and "eval_results" not in facts:
            return loss_of(facts.get("net_outputs"))
        found = facts.get("eval_results", {}).get(self.monitor)
        if found is None:
            known = ", ".join(facts.get("eval_results", {"loss": 0}))
            cls = type(self).__name__
            warnings.warn(say("errors.monitor", cls=cls, got=self.monitor, known=known), stacklevel=learner_level())
        return found

    def _is_better(self, value: float) -> bool:
        """Whether the value is better than the best so far, which it then becomes; counts the epochs if not."""
        better = self._sign * value < self.best - self.min_delta
        if better:
            self.best, self.waited = self._sign * value, 0
        else:
            self.waited += 1
        return better


class EarlyStopping(_Watcher):
    """Ends training when a value has stopped getting better.

    Args:
        monitor: ``"eval_loss"``, a metric's name, or ``"loss"``.
        min_delta: by how much a value must be better to count.
        patience: so many epochs in a row without a better value make it act.
        verbose: whether to print the epoch in which training ends.
        mode: whether ``"min"`` or ``"max"`` is better; ``"auto"`` goes by the name.
        baseline: the value that has to be beaten from the start.
        restore_best_weights: whether to go back to the Parameters of the best epoch at the end.
    """

    def __init__(
        self, monitor: str = "eval_loss", min_delta: float = 0, patience: int = 0, verbose: bool = False,
        mode: str = "auto", baseline: float | None = None, restore_best_weights: bool = False,
    ):  # fmt: skip
        self.baseline, self.restore_best_weights = baseline, restore_best_weights
        super().__init__(monitor, mode, patience, min_delta, verbose)

    def _forget(self) -> None:
        super()._forget()
        self._weights: Any = None
        self.stopped_epoch = 0
        if self.baseline is not None:
            self.best = self._sign * self.baseline

    def on_train_epoch_end(self, run_context: RunContext) -> None:
        value, facts = self._value(run_context), run_context.original_args()
        if value is None:
            return
        if self._is_better(value):
            if self.restore_best_weights:
                self._weights = {path: t.copy() for path, t in facts.network.state_dict().items()}
        elif self.waited >= self.patience:
            self.stopped_epoch = facts.cur_epoch_num
            run_context.request_stop()

    def on_train_end(self, run_context: RunContext) -> None:
        if self.verbose and self.stopped_epoch:
            print(say("train.early_stop", epoch=self.stopped_epoch))
        if self._weights is not None:
            run_context.original_args().network.load_state_dict(self._weights)


class ReduceLROnPlateau(_Watcher):
    """Makes the learning rate smaller when a value has stopped getting better.

    Args:
        monitor: ``"eval_loss"``, a metric's name, or ``"loss"``.
        factor: what the rate is multiplied by.
        patience: so many epochs in a row without a better value make it act.
        verbose: whether to print the new rates.
        mode: whether ``"min"`` or ``"max"`` is better; ``"auto"`` goes by the name.
        min_delta: by how much a value must be better to count.
        cooldown: so many epochs after a new rate are not counted.
        min_lr: the rate never falls below.
    """

    def __init__(
        self, monitor: str = "eval_loss", factor: float = 0.1, patience: int = 10, verbose: bool = False,
        mode: str = "auto", min_delta: float = 1e-4, cooldown: int = 0, min_lr: float = 0,
    ):  # fmt: skip
        in_interval("ReduceLROnPlateau.factor", factor, "(0, 1)")
        self.factor, self.cooldown, self.min_lr = factor, cooldown, min_lr
        super().__init__(monitor, mode, patience, min_delta, verbose)

    def _forget(self) -> None:
        super()._forget()
        self._cooling = 0

    def on_train_epoch_end(self, run_context: RunContext) -> None:
        value, facts = self._value(run_context), run_context.original_args()
        if value is None:
            return
        if self._cooling:
            self._cooling -= 1
            self.waited = 0
        if not self._is_better(value) and not self._cooling and self.waited >= self.patience:
            self.waited = 0
            self._reduce(facts)

    def _reduce(self, facts: Any) -> None:
        old = rate_of(facts.optimizer)
        new = max(old * self.factor, self.min_lr)
        if new < old:
            set_rate(facts.optimizer, new)
            self._cooling = self.cooldown
            if self.verbose:
                print(say("train.smaller_rate", epoch=facts.cur_epoch_num, rate=f"{new:.6g}"))
