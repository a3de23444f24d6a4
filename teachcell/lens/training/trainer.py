"""Trainer: makes steps of training of the program under the lens, as a loop written by hand does."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from ...autodiff.grad import value_and_grad
from ...core.protect import Protection, random_state, restore_random, seed_random
from ...nn.cell import Cell
from ...nn.optim.descent import SGD
from ...nn.parameter import Parameter
from ...texts import say
from ...texts.numbers import number, shape
from ..experiment import Experiment
from ..program import Program
from .course import Course, is_trained
from .start import Start

PLAIN_RATE = 0.1  # of the SGD that is there where no optimizer was given


class LossNotFinite(ArithmeticError):
    """The loss of a step is NaN or infinite."""


class Trainer:
    """Steps ``loss, gradients = value_and_grad(forward, None, parameters)(…); optimizer(gradients)``.

    The random draws of all steps are one stream that begins at the Experiment's seed; whoever else draws is not
    disturbed. A step whose loss is not finite moves nothing.

    Args:
        experiment: has the program.
        optimizer: whose Parameters are trained; without one a plain SGD trains all of the program.

    Attributes:
        course: what is known of the training.
        plain: whether the optimizer is the one that was made here.
    """

    def __init__(self, experiment: Experiment, optimizer: Any = None):
        check_optimizer(optimizer)
        self.experiment, self.plain = experiment, optimizer is None
        self.course = Course(experiment.program)
        self._optimizer = optimizer
        self._step: Any = None
        self._draws: Any = None  # where the stream of the draws stands
        self._start: Start | None = None
        self._found_size: float | None = None  # before it was first set here

    @property
    def optimizer(self) -> Any:
        """The optimizer; without one a plain SGD, made when it is first needed.

        Raises:
            ValueError: there is no Parameter to train.
        """
        if self._optimizer is None:
            parameters = [p for p, _ in self.experiment.program.parameter_names() if is_trained(p)]
            if not parameters:
                raise ValueError(say("training.no_parameters"))
            self._optimizer = SGD(parameters, PLAIN_RATE)
        return self._optimizer

    def missing(self, document: dict[str, Any]) -> str:
        """What has to be given before this program can be trained, in words; "" if nothing.

        Args:
            document: of a run of the program.
        """
        try:
            parameters = self.optimizer.parameters
        except (TypeError, ValueError) as error:
            return str(error)
        if not any(is_trained(p) for p in parameters):
            return say("training.no_parameters")
        known = [p for p, _ in self.experiment.program.parameter_names()]
        if known and not any(p is other for p in parameters for other in known):
            return say("training.foreign_optimizer")
        sizes = [document["values"][value]["shape"] for value in document["outputs"]]
        return no_number(self.experiment.program, sizes) if document["error"] is None else ""

    # Steps ------------------------------------------------------------------------------------------------

    @contextmanager
    def underway(self) -> Iterator[None]:
        """Where steps are made: the random draws are those of the training."""
        self.remember()
        outside = random_state()
        restore_random(self._draws)
        try:
            yield
        finally:
            self._draws = random_state()
            restore_random(outside)

    def remember(self) -> None:
        """Keep everything as it is before the first step, for :meth:`back_to_start`."""
        if self._start is not None:
            return
        outside = random_state()
        seed_random(self.experiment.seed)
        self._draws = random_state()
        restore_random(outside)
        program = self.experiment.program
        program.find_parts()
        cells = [*program.cells.values(), *([self._optimizer] if isinstance(self._optimizer, Cell) else [])]
        tensors = [*program.inputs, *program.targets]
        parameters = [p for p, _ in program.parameter_names()]
        self._start = Start(cells, [*parameters, *(t for t in tensors if isinstance(t, Parameter))], self._draws)

    def step(self, look: bool = False) -> float:
        """One step; the loss before it.

        Args:
            look: whether to look at what happens in it, which takes several times as long.

        Raises:
            LossNotFinite: nothing has moved.
            Exception: what the net, the loss or the optimizer raised.
        """
        end = self.course.begin_look() if look else None
        try:
            loss = self._plain_step()
        finally:
            if end is not None:
                end()
        self.course.note(loss)
        return loss

    def _plain_step(self) -> float:
        result, gradients = self._differentiated()
        loss = float(result._array.reshape(()))
        if not math.isfinite(loss):
            raise LossNotFinite(say("training.not_finite", loss=number(loss)))
        self.optimizer(gradients)
        return loss

    def _differentiated(self) -> Any:
        """The loss and its gradients by the optimizer's Parameters."""
        program = self.experiment.program
        if self._step is None:
            self._step = value_and_grad(self._forward, None, list(self.optimizer.parameters))
        return self._step(*program.inputs, *program.targets)

    def _forward(self, *given: Any) -> Any:
        program = self.experiment.program
        count = len(program.inputs)
        return program.forward(given[:count], given[count:])

    def peek(self) -> None:
        """Look at the net as it is, without a step."""
        program = self.experiment.program
        with Protection(program.cells.values()), self.course.peeking():
            seed_random(self.experiment.seed)
            self._differentiated()

    @property
    def can_go_back(self) -> bool:
        """Whether there is a start other than now."""
        return self._start is not None and self.course.step > 0

    def back_to_start(self) -> None:
        """Parameters, buffers, optimizer and draws as before the first step; modes, hooks, rules, step size stay."""
        if self._start is not None:
            self._start.put_back()
        self._start = None
        self.course.clear()

    # The step size ----------------------------------------------------------------------------------------

    @property
    def step_size(self) -> float | None:
        """The optimizer's learning rate; None where it is no single number that could be set."""
        rate = getattr(self.optimizer, "learning_rate", None)
        return float(rate._array) if isinstance(rate, Parameter) and not rate.shape else None

    def set_step_size(self, value: float) -> str:
        """Set the optimizer's learning rate; returns the line of code that this stands for.

        Raises:
            ValueError: it follows a schedule, or the value is no number from 0 on.
        """
        if self.step_size is None:
            raise ValueError(say("training.scheduled"))
        if isinstance(value, bool) or not isinstance(value, (int, float, np.number)) or not 0 <= value < math.inf:
            raise ValueError(say("errors.optimizer_value", name=say("training.step_size"), got=repr(value)))
        if self._found_size is None:
            self._found_size = self.step_size
        self.optimizer.learning_rate.set_data(float(value))
        return f"optimizer.learning_rate.set_data({float(value):g})"

    def put_back_step_size(self) -> None:
        """The step size that was found, if it was set here."""
        if self._found_size is not None:
            self.optimizer.learning_rate.set_data(self._found_size)
            self._found_size = None


def check_optimizer(optimizer: Any) -> None:
    """TypeError for what is no optimizer; None is allowed."""
    if optimizer is not None and (isinstance(optimizer, type) or not hasattr(optimizer, "parameters")):
        raise TypeError(say("errors.not_an_optimizer", got=getattr(optimizer, "__name__", type(optimizer).__name__)))


def no_number(program: Program, sizes: Sequence[Sequence[int]]) -> str:
    """What is missing where outputs of these shapes are no loss, in words; "" for a single number."""
    if len(sizes) == 1 and math.prod(sizes[0]) == 1:
        return ""
    key = "training.no_loss" if program.loss is None else "training.no_number"
    return say(key, shapes=", ".join(shape(tuple(size)) for size in sizes))
