"""Callbacks that show or keep how a run goes: loss, time, history, and a bar."""

from __future__ import annotations

import math
import time
from typing import Any

import numpy as np

from ...core.tensor import Tensor
from ...texts import say
from .base import Callback, RunContext


def loss_of(outputs: Any) -> float | None:
    """The loss in what a step of training returned: the first Tensor, its mean if it has several elements."""
    first = outputs[0] if isinstance(outputs, (tuple, list)) and outputs else outputs
    return float(np.mean(first._array)) if isinstance(first, Tensor) else None


def check_count(cls: str, name: str, value: Any) -> None:
    """ValueError unless ``value`` is an int of at least 0."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise ValueError(say("errors.count", cls=cls, name=name, got=repr(value)))


class LossMonitor(Callback):
    """Prints the loss, in ``Model.fit`` also the metrics, and ends a run whose loss is no longer finite.

    Args:
        per_print_times: print after so many steps each; 0: at the end of each epoch.
    """

    def __init__(self, per_print_times: int = 1):
        check_count("LossMonitor", "per_print_times", per_print_times)
        self._every = per_print_times
        self._step = 0

    def on_train_epoch_begin(self, run_context: RunContext) -> None:
        self._step = 0

    def on_train_step_end(self, run_context: RunContext) -> None:
        facts = run_context.original_args()
        loss = loss_of(facts.net_outputs)
        self._step += 1
        if loss is None:
            return
        if not math.isfinite(loss):
            raise ValueError(say("errors.loss_not_finite", epoch=facts.cur_epoch_num, step=self._step, loss=loss))
        if self._every and facts.cur_step_num % self._every == 0:
            print(say("train.loss", epoch=facts.cur_epoch_num, step=self._step, loss=f"{loss:.6g}"))

    def on_train_epoch_end(self, run_context: RunContext) -> None:
        facts = run_context.original_args()
        loss = loss_of(facts.get("net_outputs"))
        if not self._every and loss is not None:
            print(say("train.loss", epoch=facts.cur_epoch_num, step=self._step, loss=f"{loss:.6g}"))

    def on_eval_end(self, run_context: RunContext) -> None:
        facts = run_context.original_args()
        if facts.mode == "train":
            shown = {name: float(f"{v:.6g}") if isinstance(v, float) else v for name, v in facts.metrics.items()}
            print(say("train.metrics", epoch=facts.cur_epoch_num, metrics=shown))


class TimeMonitor(Callback):
    """Prints how long each epoch of training took, and each step on average.

    Args:
        data_size: the number of steps in an epoch; by default as many as were made.
        data_time: accepted for old code; without effect.
    """

    def __init__(self, data_size: int | None = None, data_time: bool = False):
        if data_size is not None:
            check_count("TimeMonitor", "data_size", data_size)
        self._size = data_size

    def on_train_epoch_begin(self, run_context: RunContext) -> None:
        self._start, self._first = time.perf_counter(), run_context.original_args().cur_step_num

    def on_train_epoch_end(self, run_context: RunContext) -> None:
        spent = (time.perf_counter() - self._start) * 1000
        steps = self._size or max(run_context.original_args().cur_step_num - self._first, 1)
        print(say("train.time", spent=f"{spent:.3f}", per_step=f"{spent / steps:.3f}"))


class History(Callback):
    """Keeps the last loss of each epoch, and in ``Model.fit`` the metrics.

    Attributes:
        epoch: ``{"epoch": [1, 2, …]}``.
        history: ``{"net_output": [loss, …], <metric>: [value, …]}``.
    """

    def __init__(self) -> None:
        self.epoch: dict[str, list[int]] = {"epoch": []}
        self.history: dict[str, list[Any]] = {}
        self._metrics: dict[str, Any] = {}  # of this epoch

    def on_train_begin(self, run_context: RunContext) -> None:
        self.epoch, self.history, self._metrics = {"epoch": []}, {}, {}

    def on_train_step_end(self, run_context: RunContext) -> None:
        self._loss = loss_of(run_context.original_args().net_outputs)

    def on_eval_end(self, run_context: RunContext) -> None:
        self._metrics = run_context.original_args().metrics

    def on_train_epoch_end(self, run_context: RunContext) -> None:
        self.epoch["epoch"].append(run_context.original_args().cur_epoch_num)
        for name, value in {"net_output": self._loss, **self._metrics}.items():
            self.history.setdefault(name, []).append(value)
        self._metrics = {}


class ProgressBar(Callback):
    """A bar with the epoch, the loss and the time left, which follows from the pace of the last steps; tqdm draws it.

    No run shows one unless asked: two runs never take the same time, so a notebook with a bar differs from itself.

    Args:
        leave: whether the full bar stays.

    Raises:
        ImportError: tqdm is not installed.
    """

    def __init__(self, leave: bool = True):
        try:
            from tqdm.auto import tqdm
        except ImportError:
            raise ImportError(say("train.no_tqdm")) from None
        self._tqdm, self._leave = tqdm, leave

    def on_train_begin(self, run_context: RunContext) -> None:
        facts = run_context.original_args()
        epochs = facts.epoch_num - facts.cur_epoch_num
        total = None if facts.batch_num is None else epochs * facts.batch_num
        self._bar = self._tqdm(total=total, unit="step", leave=self._leave)

    def on_train_epoch_begin(self, run_context: RunContext) -> None:
        facts = run_context.original_args()
        self._bar.set_description(f"{facts.cur_epoch_num}/{facts.epoch_num}")

    def on_train_step_end(self, run_context: RunContext) -> None:
        loss = loss_of(run_context.original_args().net_outputs)
        if loss is not None:
            self._bar.set_postfix(loss=f"{loss:.4g}", refresh=False)
        self._bar.update()

    def on_train_epoch_end(self, run_context: RunContext) -> None:
        facts = run_context.original_args()
        if self._bar.total is None:  # the first epoch has told how long the others are
            self._bar.total = (facts.epoch_num - facts.cur_epoch_num + 1) * facts.batch_num
            self._bar.refresh()

    def on_train_end(self, run_context: RunContext) -> None:
        self._bar.close()
