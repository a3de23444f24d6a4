"""A plan as a program of ops, one for each step, so that the lens can watch it and draw it.

Nothing outside is changed: steps work on copies, and an optimizer is drawn but not run.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.op import Op
from ..core.record import apply
from ..core.tensor import Tensor, wrap
from ..kernels import random
from ..texts import say
from .arguments import Arguments
from .callables import Whole
from .plan import ARGUMENT, CONSTANT, Assign, Given, Read, Slot, Step, with_slots

if TYPE_CHECKING:
    from .function import Jitted
    from .replay import Plan


class Plans:
    """What ``f.plan()`` gives: ``teachcell.draw`` draws the plan for a call with some inputs."""

    def __init__(self, jitted: Jitted):
        self._jitted = jitted
        self.__name__, self.__wrapped__ = jitted.name, jitted.fn  # whose parameters name the inputs

    def __call__(self, *inputs: Any) -> Any:
        """Run the plan for such a call, step by step, and without effects."""
        arguments = Arguments(inputs, {})
        for recorded in (False, True):
            for plan in self._jitted.plans.get((arguments.key, recorded), ()):
                return _Run(plan, arguments.tensors).result()
        raise ValueError(self._given_up() or say("jit.no_such_plan", name=self.__name__))

    def _given_up(self) -> str:
        """Why there is no plan and will be none; "" if there is one, or may be."""
        reason = self._jitted.reason if not any(self._jitted.plans.values()) else None
        return say("jit.no_plan", name=self.__name__, reason=reason) if reason is not None else ""

    def __repr__(self) -> str:
        if given_up := self._given_up():
            return given_up
        count = sum(map(len, self._jitted.plans.values()))
        return say(f"jit.plans_{min(count, 2)}", count=count, name=self.__name__)

    def _ipython_display_(self) -> None:
        """Nothing: it has been printed."""


class _Run:
    def __init__(self, plan: Plan, tensors: list[Tensor]):
        self._plan, self._given = plan, tensors
        self._values: dict[Slot, Tensor] = {}

    def result(self) -> Any:
        """What the function would return."""
        plan, before = self._plan, random.state()
        try:
            for step in plan.steps:
                if isinstance(step, Read):
                    outside = self._given[step.slot.number] if step.slot.kind == ARGUMENT else step.slot.tensor
                    self._values[step.slot] = outside
                elif isinstance(step, Assign):
                    name = getattr(step.target.tensor, "name", "")
                    self._op(f"assign {name}", "", lambda x: (), [step.slot], [])
                elif not step.guards:
                    self._step(step)
        finally:
            random.restore(before)
        return self._filled(plan.returned)

    def _step(self, step: Step) -> None:
        inputs = list(dict.fromkeys(step.inputs))
        if isinstance(step.function, Whole):
            count = len(getattr(step.function.owner, "parameters", ()))
            self._op(step.label, say("jit.updates", count=count), lambda *arrays: (), inputs, [])
            return

        def kernel(*arrays: np.ndarray) -> tuple[np.ndarray, ...]:
            at = {slot: array.copy("K") if step.writes else array for slot, array in zip(inputs, arrays, strict=True)}
            known = {slot: at.get(slot, slot.value) for slot in step.inputs}
            args, kwargs = with_slots((step.args, step.kwargs), lambda v: known[v] if type(v) is Slot else v)
            result = step.function(*args, **kwargs)
            if step.writes:
                return (args[0],)
            found = []
            for path, _ in step.outs:
                part = result
                for name in path:
                    part = part[name]
                found.append(np.asarray(part))
            return tuple(found)

        outs = [inputs[0]] if step.writes else [slot for _, slot in step.outs]
        self._op(step.part_of or step.label, step.label if step.part_of else "", kernel, inputs, outs)

    def _op(self, name: str, kind: str, kernel: Callable[..., Any], inputs: list[Slot], outs: list[Slot]) -> None:
        """Run an op that is drawn with this name, and with a kind below it."""
        label = f"{name}: {kind}" if kind else name
        with np.errstate(all="ignore"):
            found = apply(Op(name, label, kernel, None, outputs=None), [self._tensor(slot) for slot in inputs])
        self._values.update(zip(outs, found, strict=True))

    def _tensor(self, slot: Slot) -> Tensor:
        if slot not in self._values:
            self._values[slot] = wrap(slot.value) if slot.kind == CONSTANT else slot.tensor
        return self._values[slot]

    def _filled(self, pattern: Any) -> Any:
        def one(value: Any) -> Any:
            if type(value) is Slot:
                return self._tensor(value)
            return self._given[value.number] if type(value) is Given else value

        return with_slots(pattern, one)
