"""Watch: follow a training loop that a learner wrote, step by step, and look at some of its steps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...core.nested import tensors_in
from ...core.tensor import Tensor
from ...nn.cell import Cell
from .course import Course
from .pace import Pace


class Watch:
    """Use it as ``with watch: <any training code>``.

    A step ends when the optimizer has run: any optimizer of the program's Parameters is recognised, by a hook that is
    taken off again. Call ``watch(loss)`` after each step to say it yourself: in ``jit``, where hooks are silent, or
    for a loss that no Cell of the program gives.

    Args:
        course: takes down what happens.
        optimizer: of the loop, if it is known.
        pace: when to show a step.
        show: called after a step that is shown, and in the end.
        looking: whether anybody sees what a look finds.
    """

    def __init__(
        self, course: Course, optimizer: Any, pace: Pace, show: Callable[[], None], looking: Callable[[], bool]
    ):
        self.course, self._optimizer, self._pace = course, optimizer, pace
        self._show, self._looking = show, looking
        self._handles: list[Any] = []
        self._end: Callable[[], Any] | None = None  # of the look that is under way
        self._loss: Any = None
        self._due = False  # is the present step one to be shown?
        self._told = False  # does the loop say when a step ends?
        self._counted = False  # has the optimizer said so?
        self._since = self._plain = 0.0  # when the present step began; seconds of one that is not shown
        self.on = False

    def __enter__(self) -> Watch:
        program = self.course.program
        source = program.loss if program.loss is not None else program.net
        if isinstance(source, Cell):
            self._hook(source, self._hold)
        if isinstance(self._optimizer, Cell):
            self._hook(self._optimizer, self._optimizer_ran)
        self.on = True
        self._step_begins()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        self._show()

    def stop(self) -> None:
        """Take the hooks off; may be repeated."""
        self.on = self._due = False
        for handle in self._handles:
            handle.remove()
        self._handles = []
        if self._end is not None:
            self._end()
            self._end = None

    def __call__(self, loss: Any = None) -> None:
        """A step is done; its loss, a Tensor or a number."""
        counted, self._told = self._counted and not self._told, True
        if counted and loss is not None:  # the optimizer's hook was quicker this once
            self.course.correct(_number(loss))
        elif self.on and not counted:
            self._loss = self._loss if loss is None else loss
            self._step_done()

    # Hooks ------------------------------------------------------------------------------------------------

    def _hook(self, cell: Any, hook: Callable[..., None]) -> None:
        def watching(cell: Any, inputs: Any, output: Any) -> None:
            hook(output)

        watching.__teachcell_lens__ = True  # type: ignore[attr-defined]
        self._handles.append(cell.register_forward_hook(watching))

    def _hold(self, output: Any) -> None:
        tensor = next(tensors_in(output), None)
        if tensor is not None and tensor.size == 1 and tensor._array.dtype.kind == "f":
            self._loss = tensor._array

    def _optimizer_ran(self, _: Any) -> None:
        if not self._told:
            self._counted = True
            self._step_done()

    # Steps ------------------------------------------------------------------------------------------------

    def _step_begins(self) -> None:
        self._since, self._due = self._pace.clock(), self._pace.due()
        if self._due and (self._optimizer is None or self._looking()):
            self._end = self.course.begin_look(self._found)

    def _found(self, optimizer: Any) -> None:
        """An optimizer ran while we looked; from now on it tells when a step ends."""
        if self._optimizer is None and any(p in self.course for p in optimizer.parameters):
            self._optimizer = optimizer
            self._hook(optimizer, self._optimizer_ran)
            self._optimizer_ran(None)

    def _step_done(self) -> None:
        loss, self._loss = _number(self._loss), None
        end, self._end = self._end, None
        if end is not None:
            look = end()
            loss = look.number if loss is None else loss
        self.course.note(loss)
        if self._due:
            self._show()
            self._pace.shown(self._since, self._plain)
        else:
            self._plain = self._pace.clock() - self._since
        self._step_begins()


def _number(loss: Any) -> float | None:
    """A loss as a number: the mean, if there are several."""
    if loss is None:
        return None
    return float(np.mean(loss._array if isinstance(loss, Tensor) else loss))
