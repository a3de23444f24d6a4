"""A callback that shows a training by ``teachcell.train.Model`` live."""

from __future__ import annotations

from typing import TYPE_CHECKING

from teachcell.train import Callback, RunContext
from teachcell.train.callback.monitors import loss_of

if TYPE_CHECKING:
    from .training import TrainingPanel


class TrainingCallback(Callback):
    """Give it to ``Model.train`` or ``Model.fit``; each step is shown in the view it belongs to.

    Args:
        panel: the view.
    """

    def __init__(self, panel: TrainingPanel):
        self._panel = panel

    def on_train_begin(self, run_context: RunContext) -> None:
        """Begin to watch."""
        facts = run_context.original_args()
        epochs = facts.epoch_num - facts.cur_epoch_num
        self._watch = self._panel.watch(None if facts.batch_num is None else epochs * facts.batch_num)
        self._watch.__enter__()

    def on_train_step_end(self, run_context: RunContext) -> None:
        """A step is done."""
        self._watch(loss_of(run_context.original_args().net_outputs))

    def on_train_end(self, run_context: RunContext) -> None:
        """Show the net as it is now."""
        self._watch.__exit__(None, None, None)
