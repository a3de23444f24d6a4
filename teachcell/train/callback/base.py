"""Callbacks: what is called at the beginnings and ends of a run, its epochs and its steps, and what they are told."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ...texts import say

Step = Callable[["RunContext"], Any]


class RunFacts(dict[str, Any]):
    """What callbacks are told, as attributes or as a dict.

    Training: ``cur_epoch_num`` and ``cur_step_num`` (from 1), ``epoch_num``, ``batch_num`` (None until it is known),
    ``network``, ``train_network``, ``loss_fn``, ``optimizer``, ``train_dataset``, ``train_dataset_element``,
    ``net_outputs``. Evaluation: ``eval_network``, ``valid_dataset``, ``eval_dataset_element``, ``net_outputs``,
    ``metrics``, and ``eval_results``, which has ``eval_loss`` as well.
    """

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(say("errors.no_attribute", cls=type(self).__name__, name=name)) from None

    def __setattr__(self, name: str, value: Any) -> None:
        self[name] = value


class RunContext:
    """A run as its callbacks see it.

    Args:
        original_args: the facts of the run.
    """

    def __init__(self, original_args: dict[str, Any]):
        if not isinstance(original_args, dict):
            raise TypeError(say("errors.run_context", got=type(original_args).__name__))
        self._facts = original_args
        self._stop = False

    def original_args(self) -> Any:
        """The facts of the run: see :class:`RunFacts`."""
        return self._facts

    def request_stop(self) -> None:
        """End the run after this step."""
        self._stop = True

    def get_stop_requested(self) -> bool:
        """Whether the end was asked for."""
        return self._stop


class Callback:
    """Subclass it and override what is wanted; each method gets the RunContext.

    ``begin``, ``epoch_begin``, ``step_begin`` and their ends serve training and evaluation alike, unless the method
    that names one of them is overridden.
    """

    def begin(self, run_context: RunContext) -> None:
        """Before the first epoch."""

    def epoch_begin(self, run_context: RunContext) -> None:
        """Before an epoch."""

    def epoch_end(self, run_context: RunContext) -> None:
        """After an epoch."""

    def step_begin(self, run_context: RunContext) -> None:
        """Before a step."""

    def step_end(self, run_context: RunContext) -> None:
        """After a step."""

    def end(self, run_context: RunContext) -> None:
        """After the last epoch."""

    def on_train_begin(self, run_context: RunContext) -> None:
        """Before training."""
        self.begin(run_context)

    def on_train_epoch_begin(self, run_context: RunContext) -> None:
        """Before an epoch of training."""
        self.epoch_begin(run_context)

    def on_train_epoch_end(self, run_context: RunContext) -> None:
        """After an epoch of training, and after the evaluation that follows it in ``Model.fit``."""
        self.epoch_end(run_context)

    def on_train_step_begin(self, run_context: RunContext) -> None:
        """Before a step of training."""
        self.step_begin(run_context)

    def on_train_step_end(self, run_context: RunContext) -> None:
        """After a step of training."""
        self.step_end(run_context)

    def on_train_end(self, run_context: RunContext) -> None:
        """After training."""
        self.end(run_context)

    def on_eval_begin(self, run_context: RunContext) -> None:
        """Before an evaluation."""
        self.begin(run_context)

    def on_eval_epoch_begin(self, run_context: RunContext) -> None:
        """Before the pass of an evaluation."""
        self.epoch_begin(run_context)

    def on_eval_epoch_end(self, run_context: RunContext) -> None:
        """After the pass of an evaluation, before the metrics are worked out."""
        self.epoch_end(run_context)

    def on_eval_step_begin(self, run_context: RunContext) -> None:
        """Before a batch of an evaluation."""
        self.step_begin(run_context)

    def on_eval_step_end(self, run_context: RunContext) -> None:
        """After a batch of an evaluation."""
        self.step_end(run_context)

    def on_eval_end(self, run_context: RunContext) -> None:
        """After an evaluation."""
        self.end(run_context)


class LambdaCallback(Callback):
    """A callback made of functions, each given under the name of the method it stands for.

    ``LambdaCallback(on_train_step_end=lambda run_context: …)``
    """

    def __init__(
        self, on_train_epoch_begin: Step | None = None, on_train_epoch_end: Step | None = None,
        on_train_step_begin: Step | None = None, on_train_step_end: Step | None = None,
        on_train_begin: Step | None = None, on_train_end: Step | None = None,
        on_eval_epoch_begin: Step | None = None, on_eval_epoch_end: Step | None = None,
        on_eval_step_begin: Step | None = None, on_eval_step_end: Step | None = None,
        on_eval_begin: Step | None = None, on_eval_end: Step | None = None,
    ):  # fmt: skip
        given = {name: step for name, step in locals().items() if name.startswith("on_") and step is not None}
        for name, step in given.items():
            if not callable(step):
                raise TypeError(say("errors.hook_not_callable", where=name, got=type(step).__name__))
            setattr(self, name, step)


class Callbacks:
    """Several callbacks, told of each event in order.

    Args:
        callbacks: None, a callback or several.
        facts: the facts of the run.

    Raises:
        TypeError: something that is no Callback.
    """

    def __init__(self, callbacks: Callback | Iterable[Callback] | None, facts: RunFacts):
        members = [callbacks] if isinstance(callbacks, Callback) else callbacks or []
        self.members = list(members) if isinstance(members, Iterable) else [members]
        for callback in self.members:
            if not isinstance(callback, Callback):
                raise TypeError(say("errors.callback", got=type(callback).__name__))
        facts.list_callback = self.members
        self.context = RunContext(facts)

    def tell(self, event: str) -> None:
        """Call ``on_<event>`` of all."""
        for callback in self.members:
            getattr(callback, f"on_{event}")(self.context)
