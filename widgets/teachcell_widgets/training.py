"""Live training: the net under the lens is trained, by steps made here or by a loop of the learner's own."""

from __future__ import annotations

import asyncio
import logging
import math
from collections.abc import Callable
from threading import get_ident
from time import perf_counter
from typing import TYPE_CHECKING, Any

from teachcell.lens.failure import failing_cell, failing_line, message_of
from teachcell.lens.training.look import Layers
from teachcell.lens.training.pace import Forecast, Pace
from teachcell.lens.training.trainer import Trainer
from teachcell.lens.training.watcher import Watch
from teachcell.lens.training.written import in_short, written
from teachcell.texts import say
from teachcell.texts.numbers import number

from .messages import Message
from .panel import Panel
from .told import ToldNumber
from .training_told import told_looks, told_progress
from .workbench import Workbench

if TYPE_CHECKING:
    from .training_callback import TrainingCallback

logger = logging.getLogger("teachcell")
SLICE = 1 / 30  # seconds of steps before the kernel may do something else
BREATH = 0.001  # seconds at least for that


class TrainingPanel(Panel):
    """Trains the real net; what happens is shown at most 30 times a second.

    Attributes:
        trainer: makes the steps.
        error: what ended the last training: an exception of a step, or None.
        steps: how many the button "Run" makes.
    """

    name = "training"
    clock: Callable[[], float] = staticmethod(perf_counter)

    def __init__(self, bench: Workbench):
        super().__init__(bench)
        self.trainer = Trainer(bench.experiment, bench.optimizer)
        self.error: BaseException | None = None
        self.steps = 10
        self._told_error: dict[str, str] | None = None
        self._pace = Pace(self.clock)
        self._current: object | None = None  # stands for the training that is under way
        self._playing = False
        self._forecast: Forecast | None = None
        self._begun = 0  # the number of steps before this training
        self._plain = 0.0  # seconds of the last step that was not shown
        self._watch: Watch | None = None
        self._missing = self.trainer.missing(bench.outcome.document)
        bench.progress = self.progress()

    # What a user can do -----------------------------------------------------------------------------------

    @property
    def step(self) -> int:
        """Steps done since the start."""
        return self.trainer.course.step

    @property
    def loss(self) -> float | None:
        """The loss of the last step, as it was before it; None before the first."""
        return self.trainer.course.loss

    @property
    def playing(self) -> bool:
        """Whether the net is being trained in the background."""
        return self._playing

    @property
    def step_size(self) -> float | None:
        """The learning rate; None where the optimizer follows a schedule.

        Assigning raises ValueError for a schedule, or what is no number from 0 on.
        """
        return self.trainer.step_size

    @step_size.setter
    def step_size(self, value: float) -> None:
        self.bench.refuse_if_retired()
        self.bench.did("step size", self.trainer.set_step_size(value), undone=self.trainer.plain)
        self._show()

    def run(self, steps: int = 10) -> float | None:
        """Make so many steps now, and show the net after them; returns the last loss.

        The same steps every time: random draws begin at the widget's seed, and what is shown changes nothing. What a
        step raises ends the training and is shown, with its number; it is kept as ``error``.

        Raises:
            ValueError: ``steps`` is no positive whole number, or the program cannot be trained.
            RuntimeError: the widget is closed.
            KeyboardInterrupt: steps done stay done.
        """
        self._ready(steps)
        current = self._begin(steps)
        try:
            self._make_steps(current, self.step + steps, math.inf)
        finally:
            self._finish(current)
        loss = self.loss
        return None if loss is None else ToldNumber(loss, say("training.ran", step=self.step, loss=number(loss)))

    def play(self, steps: int | None = None) -> None:
        """Train in the background, so many steps or until :meth:`pause`; a notebook stays usable meanwhile.

        Raises:
            ValueError: as :meth:`run`.
            RuntimeError: there is no running event loop (there is one in notebooks), or the widget is closed.
        """
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            raise RuntimeError(say("training.no_loop")) from None
        self._ready(steps)
        current = self._begin(steps, playing=True)
        last = None if steps is None else self.step + steps
        self._task = loop.create_task(self._play(current, last))

    def pause(self) -> None:
        """End the training in the background after the present step, and show the net as it is now."""
        if self._playing:
            self._finish(self._current)

    def back_to_start(self) -> None:
        """Parameters, buffers, optimizer and random draws as before the first step; show the net as it was then.

        Modes, hooks, rules and the step size stay.

        Raises:
            RuntimeError: the widget is closed.
        """
        self.bench.refuse_if_retired()
        self._rewind()
        self.bench.did("training", say("training.code_back"), undone=True)
        self.bench.run()

    def reset(self) -> None:
        """All of the widget is put back as it was found: the numbers of the net and the step size as well."""
        self._rewind()
        self.trainer.put_back_step_size()

    def _rewind(self) -> None:
        self._stop()
        self.error = self._told_error = None
        self.trainer.back_to_start()

    def watch(self, steps: int | None = None) -> Watch:
        """Show a training loop of your own: ``with explorer.training.watch() as watching: …``

        Steps are told by the optimizer, and losses by the loss that the widget knows; ``watching(loss)`` after each
        step says both, which a loop in ``jit`` needs.

        Args:
            steps: how many it will be, for the time left.

        Raises:
            ValueError: ``steps`` is no positive whole number.
            RuntimeError: the widget is closed.
        """
        self.bench.refuse_if_retired()
        _check_steps(steps)
        self._stop()
        return _ShownWatch(self, steps)

    def callback(self) -> TrainingCallback:
        """A callback for ``teachcell.train.Model``, to show what it trains: ``model.train(10, data, callbacks=…)``."""
        from .training_callback import TrainingCallback  # what trains only here needs no Model

        return TrainingCallback(self)

    # Steps ------------------------------------------------------------------------------------------------

    def _ready(self, steps: int | None) -> None:
        """Refuse what cannot be trained, and end what is under way."""
        self.bench.refuse_if_retired()
        _check_steps(steps)
        self._stop()
        self._missing = self.trainer.missing(self.bench.outcome.document)
        if self._missing:
            raise ValueError(self._missing)

    def _begin(self, steps: int | None, playing: bool = False) -> object:
        """A training begins; what is returned stands for it."""
        self.error = self._told_error = None
        self._playing = playing
        self._begun, self._forecast = self.step, Forecast(steps, self.clock)
        self._current = object()
        self.bench.inbox.trained_in = get_ident()
        self._show()
        return self._current

    def _make_steps(self, current: object, last: int | None, seconds: float) -> None:
        """Steps until the last one, for so long, or until the training ends early; what ends it is kept and told."""
        try:
            with self.trainer.underway():
                end = self.clock() + seconds
                while self._goes_on(current, last) and self.clock() < end:
                    self._make_step(self.step + 1 == last)
        except BaseException as error:
            self._failed(error)
            if not isinstance(error, Exception):
                raise

    def _goes_on(self, current: object, last: int | None) -> bool:
        return self._current is current and self.step != last and self.error is None

    def _make_step(self, shown: bool) -> None:
        begin = self.clock()
        shown = shown or self._pace.due()
        self.trainer.step(look=shown and self._is_open())
        if shown:
            self._show()
            self._pace.shown(begin, self._plain)
        else:
            self._plain = self.clock() - begin

    async def _play(self, current: object, last: int | None) -> None:
        """The task behind :meth:`play`: the kernel gets its turn between slices."""
        try:
            while self._goes_on(current, last):
                self._make_steps(current, last, SLICE)
                await asyncio.sleep(BREATH)
        except KeyboardInterrupt:
            pass  # told by _make_steps; raised here it would end the kernel's loop
        self._finish(current)

    def _finish(self, current: object | None) -> None:
        """A training is over, unless something else ended it: show a fresh run of the net as it is now."""
        if self._current is not current:
            return
        steps, watched = self.step - self._begun, self._watch is not None
        self._stop()
        if steps and not watched:
            line = in_short(self.bench.experiment.program, steps)
            self.bench.did("training", line, whole=self._written(), given="" if self.trainer.plain else "optimizer")
        self.bench.run()
        self.bench.inbox.answer_waiting()

    def _stop(self) -> None:
        """Nothing is trained or watched any more."""
        self._current = self._forecast = self.bench.inbox.trained_in = None
        self._playing = False
        if self._watch is not None:
            self._watch.stop()
            self._watch = None

    def _failed(self, error: BaseException) -> None:
        """A step has failed: keep and tell it."""
        self.error, step = error, self.step + 1
        if not isinstance(error, Exception):
            self._told_error = {"title": say("training.stopped", step=step), "detail": ""}
            return
        logger.error("step %d of a training failed", step, exc_info=error)
        cell = failing_cell(error)
        where = "" if cell is None else self.bench.experiment.program.path_of(cell)
        title = say("training.failed_in", step=step, cell=where) if where else say("training.failed", step=step)
        detail = "\n".join(filter(None, (message_of(error), failing_line(error))))
        self._told_error = {"title": title, "detail": detail}

    # Showing ----------------------------------------------------------------------------------------------

    def _is_open(self) -> bool:
        return self.bench.panel == self.name

    def _show(self) -> None:
        """Send what is new, as one message, and do what another thread was asked for meanwhile."""
        with self.bench.hold_sync():
            self.bench.progress = self.progress()
            if self._is_open():
                self.bench.show_panel()
        self.bench.inbox.answer_waiting()

    def progress(self) -> dict[str, Any]:
        """What the row is drawn from."""
        trainer = self.trainer
        if self._forecast is not None:
            self._forecast.note(self.step - self._begun)
        size = None if self._missing else trainer.step_size
        return told_progress(trainer.course, self._forecast) | {
            "state": "off" if self._missing else "playing" if self._playing else "busy" if self._current else "idle",
            "missing": self._missing,
            "step_size": None if size is None else f"{size:.6g}",
            "steps": self.steps,
            "can_go_back": trainer.can_go_back,
            "error": self._told_error,
        }

    def data(self) -> dict[str, Any]:
        """The last look; between trainings one at the net as it is."""
        bench, trainer = self.bench, self.trainer
        idle = self._current is None and not bench.retired
        if idle and trainer.course.looked != self.step and not self._missing and bench.error is None:
            trainer.peek()
        return told_looks(trainer.course)

    def saved(self) -> dict[str, Any] | None:
        """What training showed, if the net was trained."""
        return self.data() if self.step else None

    def _written(self) -> str:
        trainer, experiment = self.trainer, self.bench.experiment
        rate = trainer.step_size if trainer.plain else None
        return written(experiment.program, rate, experiment.seed, self.step)

    def ran(self) -> None:
        """The net may have other parts now."""
        course = self.trainer.course
        if course.layers.paths != Layers(course.program).paths:
            course.find_layers()
        if not self._current:
            self._missing = self.trainer.missing(self.bench.outcome.document)
        self.bench.progress = self.progress()

    def act(self, message: Message) -> None:
        """``run`` so many ``steps``, ``play``, ``pause``, ``back_to_start``, ``step_size`` with a ``value``."""
        do = message.do
        if do == "run":
            steps = message.raw("steps")
            _check_steps(steps)
            self.steps = steps
            self.play(self.steps)
        elif do == "play":
            self.play()
        elif do == "pause":
            self.pause()
        elif do == "back_to_start":
            self.back_to_start()
        elif do == "step_size":
            self.step_size = message.raw("value")
        else:
            super().act(message)

    def close(self) -> None:
        """Training ends; what it changed stays, as after any loop."""
        self._stop()
        self.bench.progress = self.progress()


class _ShownWatch(Watch):
    """A Watch whose steps this view shows."""

    def __init__(self, panel: TrainingPanel, steps: int | None):
        super().__init__(panel.trainer.course, panel.bench.optimizer, panel._pace, panel._show, panel._is_open)
        self._panel, self._steps = panel, steps

    def __enter__(self) -> Watch:
        panel = self._panel
        panel.bench.refuse_if_retired()
        panel._stop()
        panel.trainer.remember()
        self._current, panel._watch = panel._begin(self._steps), self
        return super().__enter__()

    def __exit__(self, *failure: Any) -> None:
        panel = self._panel
        if isinstance(failure[1], BaseException):
            panel._failed(failure[1])
        elif panel.step == panel._begun:
            panel._told_error = {"title": say("training.nothing_seen"), "detail": say("training.nothing_seen_why")}
        super().__exit__(*failure)
        panel._finish(self._current)


class Training(Workbench):
    """Live training as a widget of its own; arguments as for :class:`Explorer`."""

    parts = ("header", "training", "side")
    panel_types = (TrainingPanel,)

    training: TrainingPanel


def _check_steps(steps: Any) -> None:
    """ValueError unless it is None or a whole number from 1 on."""
    if steps is not None and (isinstance(steps, bool) or not isinstance(steps, int) or steps < 1):
        raise ValueError(say("training.steps", got=repr(steps)))
