"""What a backward rule does to training: two short trainings from the same seed and start, with and without it."""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from typing import TYPE_CHECKING, Any

import numpy as np

from ...autodiff.check.repeat import silent
from ...autodiff.recorded import Recorded
from ...core.events import observing
from ...core.nested import tensors_in
from ...core.protect import Protection, seed_random
from ...nn.optim import SGD
from ...nn.optim.optimizer import Optimizer
from ...texts import say
from ...texts.numbers import number
from ..training.trainer import no_number
from .spots import SpotNodes

if TYPE_CHECKING:
    from ..experiment import Experiment

MOST_STEPS = 2000
Losses = list["float | None"]


def compare_training(
    experiment: Experiment, without: Callable[[], AbstractContextManager[None]], label: str,
    steps: int = 30, optimizer: Any = None, rate: float = 0.1,
) -> dict[str, Any]:  # fmt: skip
    """Train twice on the program's own inputs, and put everything back each time.

    Args:
        without: inside, the rule that is looked at is the engine's.
        label: its name for a reader.
        steps: how many.
        optimizer: an optimizer of the program's Parameters, or what makes one of them: ``nn.Adam``,
            ``lambda parameters: nn.Adam(parameters, 0.01)``. None: plain SGD.
        rate: of plain SGD.

    Returns:
        ``engine``, ``chosen``: the losses before each step and after the last; None where no longer finite.
        ``labels``: of both. ``text``: both in words.

    Raises:
        ValueError, TypeError: there is nothing to train, no loss of one number, a number of steps that is none, an
            optimizer that is none or has other Parameters.
    """
    if isinstance(steps, bool) or not isinstance(steps, (int, np.integer)) or not 1 <= steps <= MOST_STEPS:
        raise ValueError(say("lab.steps", got=repr(steps), most=MOST_STEPS))
    training = _Training(experiment, int(steps), optimizer, rate)
    chosen = training.losses()
    with without():
        engine = training.losses()
    return told(label, {"steps": steps, "engine": engine, "chosen": chosen, "optimizer": training.name})


def told(label: str, losses: dict[str, Any]) -> dict[str, Any]:
    """Two trainings with their names and in words, in the language in use."""
    labels = [say("lens.rule_engine"), label]
    text = _words(losses["engine"], losses["chosen"], labels, int(losses["steps"]))
    return losses | {"labels": labels, "text": text}


class _Training:
    """A short training of a program, as often as one likes from the same start."""

    def __init__(self, experiment: Experiment, steps: int, optimizer: Any, rate: float):
        self.experiment, self.program, self.steps = experiment, experiment.program, steps
        self.parameters = [p for p, _ in self.program.parameter_names() if p._node is not None]
        if not self.parameters:
            raise ValueError(say("training.no_parameters"))
        self._given = optimizer if optimizer is not None else lambda parameters: SGD(parameters, rate)
        self.name = type(self._optimizer()).__name__

    def _optimizer(self) -> Any:
        given = self._given
        made = given if isinstance(given, Optimizer) else given(self.parameters) if callable(given) else given
        if not isinstance(made, Optimizer):
            raise TypeError(say("lab.not_an_optimizer", got=type(made).__name__))
        known = set(map(id, self.parameters))
        foreign = [p.name for p in made.parameters if id(p) not in known]
        if foreign:
            raise ValueError(say("lab.foreign_parameters", names=", ".join(foreign)))
        return made

    def losses(self) -> Losses:
        """The loss before each step, and after the last."""
        optimizer = self._optimizer()
        tensors = tensors_in([*self.program.inputs, *self.program.targets])
        found: Losses = []
        with Protection([*self.program.cells.values(), optimizer], tensors), silent():
            seed_random(self.experiment.seed)
            while len(found) <= self.steps:
                call, loss = self._forward()
                if not math.isfinite(loss):
                    break
                found.append(loss)
                if len(found) <= self.steps:
                    optimizer(call.gradients(weights=optimizer.parameters).by_weight)
        return found + [None] * (self.steps + 1 - len(found))

    def _forward(self) -> tuple[Recorded, float]:
        """One forward pass, its ops with the rules that were chosen."""
        rules, nodes = self.experiment.op_rules, SpotNodes(self.program)
        with ExitStack() as stack:
            if rules:
                stack.enter_context(rules.recorded())
                stack.enter_context(observing(nodes))
            call = Recorded(self._loss, (), {}, None)
        rules.put_in(nodes)
        if missing := no_number(self.program, [output.shape for output in call.outputs]):
            raise ValueError(missing)
        return call, float(call.outputs[0]._array.item())

    def _loss(self) -> Any:
        program = self.program
        output = program.net(*program.inputs)
        return output if program.loss is None else program.loss(output, *program.targets)


def _words(engine: Losses, chosen: Losses, labels: list[str], steps: int) -> str:
    """Both trainings in words."""
    if engine == chosen:
        return say("lab.effect_same", steps=steps, loss=_last(engine, steps))
    pairs = zip(labels, (engine, chosen), strict=True)
    ends = [say("lab.effect_end", label=label, loss=_last(losses, steps)) for label, losses in pairs]
    return say("lab.effect", steps=steps, start=_first(engine), engine=ends[0], chosen=ends[1])


def _first(losses: Losses) -> str:
    return number(losses[0]) if losses[0] is not None else "NaN"


def _last(losses: Losses, steps: int) -> str:
    """The last loss, or when it ceased to be a number."""
    last = losses[-1]
    return number(last) if last is not None else say("lab.effect_nan", step=losses.index(None))
