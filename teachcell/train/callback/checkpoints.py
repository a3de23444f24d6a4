"""A callback that saves the network in the course of training."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ...nn.cell import Cell
from ...nn.checkpoint import save_checkpoint
from ...texts import say
from .base import Callback, RunContext
from .monitors import check_count


class CheckpointConfig:
    """When checkpoints are saved, and how many are kept.

    Args:
        save_checkpoint_steps: save after so many steps each.
        save_checkpoint_seconds: save after so many seconds each; counts only if ``save_checkpoint_steps`` is 0.
        keep_checkpoint_max: the number of files kept, the newest; 0: all.
        keep_checkpoint_per_n_minutes: keep one file for each so many minutes; counts only if
            ``keep_checkpoint_max`` is 0.
        integrated_save, async_save: accepted for old code; without effect.
        saved_network: the Cell to save; by default the one that is trained.
        append_info: what to save beside it: ``"epoch_num"``, ``"step_num"``, or a dict of numbers and Tensors.
    """

    def __init__(
        self, save_checkpoint_steps: int = 1, save_checkpoint_seconds: int = 0, keep_checkpoint_max: int = 5,
        keep_checkpoint_per_n_minutes: int = 0, integrated_save: bool = True, async_save: bool = False,
        saved_network: Cell | None = None, append_info: Sequence[Any] = (),
    ):  # fmt: skip
        counts = {
            "save_checkpoint_steps": save_checkpoint_steps, "save_checkpoint_seconds": save_checkpoint_seconds,
            "keep_checkpoint_max": keep_checkpoint_max,
            "keep_checkpoint_per_n_minutes": keep_checkpoint_per_n_minutes,
        }  # fmt: skip
        for name, value in counts.items():
            check_count("CheckpointConfig", name, value)
        self.save_checkpoint_steps, self.save_checkpoint_seconds = save_checkpoint_steps, save_checkpoint_seconds
        self.keep_checkpoint_max = keep_checkpoint_max
        self.keep_checkpoint_per_n_minutes = keep_checkpoint_per_n_minutes
        self.saved_network, self.append_info = saved_network, list(append_info or ())
        for item in self.append_info:
            if not isinstance(item, dict) and item not in ("epoch_num", "step_num"):
                known = "'epoch_num', 'step_num', {…}"
                raise ValueError(say("errors.choice", name="append_info", got=repr(item), known=known))


class ModelCheckpoint(Callback):
    """Saves checkpoints ``<prefix>-<epoch>_<step of the epoch>.ckpt``, and one at the end of training.

    If there are files of that prefix already, ``<prefix>_1``, ``<prefix>_2``, … is taken.

    Args:
        prefix: the beginning of the files' names.
        directory: the folder, made if it is missing; by default the current one.
        config: when to save and how many to keep.
    """

    def __init__(
        self, prefix: str = "CKP", directory: str | Path | None = None, config: CheckpointConfig | None = None
    ):
        if not isinstance(prefix, str) or "/" in prefix:
            raise ValueError(say("errors.checkpoint_prefix", got=repr(prefix)))
        if config is not None and not isinstance(config, CheckpointConfig):
            raise TypeError(say("errors.checkpoint_config", got=type(config).__name__))
        self._given_prefix, self._directory = prefix, Path(directory or ".")
        self._config = config or CheckpointConfig()
        self._latest = ""

    @property
    def latest_ckpt_file_name(self) -> str:
        """The path of the newest file."""
        return self._latest

    def on_train_begin(self, run_context: RunContext) -> None:
        self._directory.mkdir(parents=True, exist_ok=True)
        self._prefix, number = self._given_prefix, 0
        while any(self._directory.glob(f"{self._prefix}-*.ckpt")):
            number += 1
            self._prefix = f"{self._given_prefix}_{number}"
        self._files: list[Path] = []
        self._saved_at = self._kept_at = time.monotonic()
        self._saved_step = 0

    def on_train_epoch_begin(self, run_context: RunContext) -> None:
        self._before_epoch = run_context.original_args().cur_step_num

    def on_train_step_end(self, run_context: RunContext) -> None:
        facts, config = run_context.original_args(), self._config
        if config.save_checkpoint_steps:
            due = facts.cur_step_num % config.save_checkpoint_steps == 0
        else:
            seconds = config.save_checkpoint_seconds
            due = seconds > 0 and time.monotonic() - self._saved_at >= seconds
        if due:
            self._save(facts)

    def on_train_end(self, run_context: RunContext) -> None:
        facts = run_context.original_args()
        if facts.cur_step_num != self._saved_step:
            self._save(facts)

    def _save(self, facts: Any) -> None:
        step = facts.cur_step_num - self._before_epoch
        path = self._directory / f"{self._prefix}-{facts.cur_epoch_num}_{step}.ckpt"
        extra: dict[str, Any] = {}
        for item in self._config.append_info:
            named = {"epoch_num": facts.cur_epoch_num, "step_num": facts.cur_step_num}
            extra |= item if isinstance(item, dict) else {item: named[item]}
        save_checkpoint(self._config.saved_network or facts.train_network, path, append_dict=extra)
        self._latest = str(path)
        self._saved_at, self._saved_step = time.monotonic(), facts.cur_step_num
        self._files.append(path)
        self._clean_up()

    def _clean_up(self) -> None:
        """Delete the files that are not to be kept."""
        config = self._config
        if config.keep_checkpoint_max:
            while len(self._files) > config.keep_checkpoint_max:
                self._files.pop(0).unlink(missing_ok=True)
        elif config.keep_checkpoint_per_n_minutes and len(self._files) > 1:
            if self._saved_at - self._kept_at < config.keep_checkpoint_per_n_minutes * 60:
                self._files.pop(-2).unlink(missing_ok=True)
            else:
                self._kept_at = self._saved_at
