"""A gradient taken inside the program: what its rules compute is part of the run, each rule a call of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.op import Node
from ...core.tensor import Tensor, wrap
from .seen import CallSeen

if TYPE_CHECKING:
    from .watched import Watched


class RuleRun:
    """Stands where a call has its Cell: the rule of an op, run and recorded."""

    def __init__(self, name: str):
        self.__name__ = name


class InnerGradient:
    """Puts the ops that a rule has run into a call named after the op that it differentiates.

    It does not hold the Recorder: a cycle would keep a run's arrays until the garbage collector comes by.
    """

    def __init__(self) -> None:
        self._from = 0  # the first op of the rule that runs

    def sweep_starts(self, recorder: Watched) -> None:
        """The ops from here on are rules'."""
        self._from = len(recorder.ops)

    def rule_ran(self, recorder: Watched, node: Node, op: int | None, incoming: Any, outgoing: Any) -> None:
        """The rule of a Node, of an ``op`` that was seen or of something else, has run."""
        first = self._from
        self._from = len(recorder.ops)
        made, around = recorder.ops[first:], recorder.open_call
        if not made or any(seen.call != around for seen in made):  # or Cells ran inside: they tell more
            return
        label = node.op.label if op is None else recorder.ops[op].op.label
        call = CallSeen(RuleRun(f"∂ {label}"), around)
        call.inputs = [recorder.value_of(tensor) for tensor in _boxed(incoming)]
        call.outputs = [recorder.value_of(tensor) for tensor in _boxed(outgoing)]
        number = len(recorder.calls)
        recorder.calls.append(call)
        for seen in made:
            seen.call = number
        for event in recorder.events[-len(made) :]:  # nothing but these ops has happened since
            event["call"] = number


def _boxed(gradients: Any) -> list[Tensor]:
    several = gradients if isinstance(gradients, (list, tuple)) else [gradients]
    return [g if isinstance(g, Tensor) else wrap(np.asarray(g)) for g in several if g is not None]
