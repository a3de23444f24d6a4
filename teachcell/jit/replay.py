"""Plan: a captured run, ready to be run again without Tensors, Nodes or Python of the learner's in between."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.errors import explain
from ..core.op import OPS
from ..core.record import attach_several
from ..core.tensor import Tensor, node_of
from ..kernels import random
from ..texts import say
from .code import MISS, Code, line_of
from .form import guarded_form, may_have_any_form
from .linked import JIT, Arrived, Back, Linked
from .plan import ARGUMENT, Read, Slot, Step, slots_in
from .world import World

if TYPE_CHECKING:
    from .trace import Trace

BUSY = object()  # what a run gives when the plan is running already: in another thread, or further out


class Plan:
    """What one captured run does, for all runs that are like it.

    Attributes:
        steps: of the forward run, without those whose results nobody looks at or an earlier one has.
        returned: the result, with slots for its arrays.
        linked: the way back for a gradient that is taken outside, or None.
        residuals: the slots that it needs.
        reason: why this is no plan after all, or None.
        hits: how often it was run.
        arguments: for readers, the names of the Tensors that a call gives.
    """

    arguments: list[str]

    def __init__(
        self, trace: Trace, world: World, returned: Any, linked: Linked | None, identical: list[Tensor | None]
    ):  # fmt: skip
        self.world, self.returned, self.linked, self.hits = world, returned, linked, 0
        self._values = world.values
        for step in reversed(trace.steps):
            if isinstance(step, Read) and step.earlier is not None and step.slot.touched:
                step.earlier.touched = True
        self.steps = trace.steps[: None if linked is None else linked.start]
        self._identical = [(i, t) for i, t in enumerate(identical) if t is not None]
        outside = [t for t in world.tensors if type(t) is Tensor and not any(t is known for known in identical)]
        self._apart = frozenset(map(id, outside))
        self._read = [step.slot for step in self.steps if isinstance(step, Read) and step.slot.touched]
        self._written = self._read if trace.writes_outside else []
        self._takes_any = linked is None and not (self._identical or self._apart or self._written)
        self._draws = any(step.draws for step in _steps(self.steps))
        self._lock = threading.Lock()
        self._backward: dict[tuple[Arrived, tuple[bool, ...]], Any] = {}
        self.residuals = self._needed_back()
        self.reason = self._impossible()
        if self.reason is None:
            outputs = None if linked is None else linked.outputs
            code = Code(self.steps, returned, self.residuals, outputs)
            self._run, self._first_write, self._failing = code.function(), code.first_write, code.calls
            self.steps = code.steps
        for slot in trace.slots:
            slot.forget()

    def _impossible(self) -> str | None:
        changed = False
        for step in _steps(self.steps):
            if changed and guarded_form(step):
                return say("jit.late_form", what=step.label)
            changed |= step.writes
        back = [step for way in self._ways() for step in _steps(way.steps)]
        if any(s.guards or s.writes or s.draws or may_have_any_form(s) for s in back):
            return say("jit.outputs")
        return None

    def _ways(self) -> Iterable[Any]:
        return () if self.linked is None else self.linked.ways.values()

    def _needed_back(self) -> list[Slot]:
        """What the ways back need of the way forward."""
        needed: dict[Slot, None] = {}
        for way in self._ways():
            made = {slot for step in _steps(way.steps) for _, slot in step.outs} | set(way.seeds)
            used = [*(slot for step in _steps(way.steps) for slot in step.inputs), *slots_in(way.gradients)]
            needed |= dict.fromkeys(slot for slot in used if slot not in made)
        return list(needed)

    # Running -----------------------------------------------------------------------------------------------------

    def run(self, tensors: Sequence[Tensor]) -> Any:
        """The result, MISS if this run is not like the captured one, or BUSY if the plan is in use."""
        if not self._lock.acquire(False):
            return BUSY
        try:
            if not (next(self._values.alike, False) or self._values.hold()):  # the first takes 0.4 µs less
                return MISS
            if not (self._takes_any or (self._are_those(tensors) and self._linked_alike(tensors))):
                return MISS
            for slot in self._written:
                self._outside(slot, tensors)._before_write()
            before = random.state() if self._draws else None
            try:
                found = self._run(tensors)
            except Exception as error:
                if line_of(error) >= self._first_write:
                    raise self._explained(error) from None
                found = MISS  # Python's own run says better what is wrong
            if found is MISS:
                if before is not None:
                    random.restore(before)
                return MISS
        finally:
            self._lock.release()
        self.hits += 1
        return found if self.linked is None else self._link(found, tensors)

    def _explained(self, error: Exception) -> Exception:
        """The error of a kernel with the text that it has elsewhere."""
        step = self._failing.get(line_of(error))
        op = None if step is None else OPS.get(step.part_of or step.label)
        if step is None or op is None:
            return error
        arrays = [np.broadcast_to(np.empty((), slot.value.dtype), slot.value.shape) for slot in step.inputs]
        return explain(op, arrays, step.kwargs or None, error)

    def _are_those(self, tensors: Sequence[Tensor]) -> bool:
        """Whether an argument is a Tensor that the function knows from elsewhere just if it was when captured, and
        no memory is shared where some is written: then order would matter."""
        for i, tensor in self._identical:
            if tensors[i] is not tensor:
                return False
        if self._apart and not self._apart.isdisjoint(map(id, tensors)):
            return False
        if not self._written:
            return True
        arrays = [self._outside(slot, tensors)._array for slot in self._written]
        return not any(np.may_share_memory(a, b) for i, a in enumerate(arrays) for b in arrays[:i] if a is not b)

    @staticmethod
    def _outside(slot: Slot, tensors: Sequence[Tensor]) -> Tensor:
        return tensors[slot.number] if slot.kind == ARGUMENT else slot.tensor

    # The graph of a gradient that is taken outside ---------------------------------------------------------------

    def _linked_alike(self, tensors: Sequence[Tensor]) -> bool:
        """Whether the same Tensors belong to the graph as when it was captured."""
        if self.linked is None:
            return True
        for slot in self._read:
            node = node_of(self._outside(slot, tensors))
            if (node is not None) != (slot in self.linked.leaves) or (node is not None and node.hooks):
                return False
        return True

    def _link(self, found: Any, tensors: Sequence[Tensor]) -> Any:
        result, residuals, outputs = found
        if outputs and self.linked is not None:
            parents = [node_of(self._outside(slot, tensors)) for slot in self.linked.leaves]
            arrays = [output._array for output in outputs]
            linked = attach_several(JIT, parents, None, arrays, {"call": Back(self, residuals)})
            for output, twin in zip(outputs, linked, strict=True):
                output._node = twin._node
        return result

    def backward(self, arrived: Arrived, wanted: tuple[bool, ...]) -> Any:
        """The function that goes back from these results to the leaves that are wanted."""
        if not self.world.values.same_rules():
            raise RuntimeError(say("jit.rule_late", name=self.world.name))
        function = self._backward.get((arrived, wanted))
        if function is None:
            way = self.linked.ways[arrived]  # type: ignore[union-attr]
            gradients = tuple(g if want else None for g, want in zip(way.gradients, wanted, strict=True))
            code = Code(way.steps, gradients, [], [])
            function = self._backward[arrived, wanted] = code.backward(self.residuals, way.seeds)
        return function


def _steps(steps: Iterable[Any]) -> Iterator[Step]:
    return (step for step in steps if isinstance(step, Step))
