"""Linked: the way back through a jit function, for a gradient that is taken outside of it.

After the captured run the sweep is traced as well: once for gradients that arrive at all results, and where there are
several results once for each alone, since others may get none.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from ..core import modes
from ..core.backward import sweep
from ..core.nested import tensors_in
from ..core.op import Node, Op
from ..core.tensor import Tensor
from ..texts import say
from .plan import ARGUMENT, TENSOR, Assign, Slot
from .trace import Trace

Arrived = tuple[bool, ...]  # which results get a gradient


class Way(NamedTuple):
    """One way back: steps, the slots of the gradients that arrive, and those of the leaves' (None: none)."""

    steps: list[Any]
    seeds: list[Slot]
    gradients: list[Slot | None]


class Linked:
    """The ways back.

    Attributes:
        start: how many steps go forward.
        leaves: the slots of the Tensors outside that get a gradient.
        outputs: the slots of the results that a gradient may arrive at.
        ways: by the results that do get one.
    """

    def __init__(self, trace: Trace, result: Any, leaves: list[Slot], floor: int):
        self.start = len(trace.steps)
        self.leaves = [slot for slot in leaves if slot.touched]
        self.outputs: list[Slot] = []
        self.ways: dict[Arrived, Way] = {}
        found = [t for t in tensors_in(result) if t._node is not None and not trace.adopts(t)]
        written = [s.target.tensor for s in trace.steps if isinstance(s, Assign)]
        if trace.writes_outside or any(not t.is_parameter for t in written):
            trace.refuse(say("jit.linked_write"))
        if any(slot.tensor._node.hooks for slot in leaves):
            trace.refuse(say("jit.hooks"))
        if any(t._node is not None and t._node.seq < floor for t in found) or any(
            n.op.boxed for n in _inside(found, floor)
        ):
            trace.refuse(say("jit.outputs"))
        roots = [trace.slot_of(t._array).root for t in tensors_in(result) if not trace.adopts(t)]
        if len(set(roots)) < len(roots) or any(root.kind in (ARGUMENT, TENSOR) for root in roots):
            trace.refuse(say("jit.shared_outputs"))  # a write that is recorded would have to reach the others
        if not found or trace.reason is not None:
            return
        self.outputs = [trace.slot_of(t._array) for t in found]
        self._trace_back(trace, found, floor)

    def _trace_back(self, trace: Trace, found: list[Tensor], floor: int) -> None:
        leaves: list[Any] = [slot.tensor._node for slot in self.leaves]
        mode = modes.recording()
        nodes = [node for node in mode.tape if node is not None and node.seq > floor] if mode is not None else []
        alone = [tuple(i == j for j in range(len(found))) for i in range(len(found))]
        for arrived in dict.fromkeys([(True,) * len(found), *alone]):
            start = len(trace.steps)
            seeds = [(t._node, trace.seed(t._array)) for t, yes in zip(found, arrived, strict=True) if yes]
            gradients = sweep(seeds, leaves, nodes, False, leaves)  # type: ignore[arg-type]
            slots = [trace.slot_of(gradients.get(leaf)) for leaf in leaves]
            self.ways[arrived] = Way(trace.steps[start:], [seed.slot for _, seed in seeds], slots)


def _inside(tensors: list[Tensor], floor: int) -> Iterator[Node]:
    """The Nodes from those of some Tensors back to those that are older than ``floor``."""
    waiting = [t._node for t in tensors if t._node is not None]
    seen = set(waiting)
    while waiting:
        node = waiting.pop()
        yield node
        for parent in node.parents:
            if parent is not None and parent not in seen and parent.seq > floor:
                seen.add(parent)
                waiting.append(parent)


class Back:
    """What one run keeps for its gradient: its plan, and the arrays that the way back needs."""

    def __init__(self, plan: Any, residuals: tuple[Any, ...]):
        self._plan, self._residuals = plan, residuals

    def __call__(self, gradients: list[Any], wanted: tuple[bool, ...]) -> list[Any]:
        """The gradients of the leaves."""
        arrived = tuple(g is not None for g in gradients)
        given = [np.asarray(g) for g in gradients if g is not None]
        if arrived in self._plan.linked.ways:
            return self._plan.backward(arrived, wanted)(self._residuals, given)
        total: list[Any] = [None] * len(wanted)
        for i in [i for i, yes in enumerate(arrived) if yes]:
            alone = tuple(i == j for j in range(len(arrived)))
            found = self._plan.backward(alone, wanted)(self._residuals, [np.asarray(gradients[i])])
            total = [b if a is None else a if b is None else a + b for a, b in zip(total, found, strict=True)]
        return total


def _rule(F: Any, gradients: Any, out: Any, wanted: list[bool], *inputs: Any, call: Back) -> Any:
    return call(gradients, tuple(wanted))


JIT = Op("jit", "jit", lambda *xs: xs, _rule, outputs=None)
"""The whole of a jit function as one op, where a gradient is taken through it from outside."""
