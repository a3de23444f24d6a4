"""Trace: one run of a jit function, written down step by step while it computes."""

from __future__ import annotations

import sys
import weakref
from collections.abc import Callable
from threading import get_ident
from typing import Any

import numpy as np

from ..core.events import Observer
from ..core.tensor import Tensor
from ..texts import say
from .callables import Draws, Floor, Whole
from .plan import ARGUMENT, CONSTANT, SEED, TENSOR, VALUE, Assign, Read, Slot, Step, same, with_slots
from .traced import Traced, plain

_ARRAYS = (np.ndarray, np.generic)
# Kernels that are a few calls of NumPy's: each becomes a step of its own, so that it may write into a buffer.
_THROUGH = frozenset({
    "bias_add", "bias_grad", "cast", "divide", "matmul", "matmul_left", "matmul_right", "mean", "relu", "relu_grad",
    "scale", "shift", "sigmoid", "sigmoid_grad", "square", "sum", "tanh_grad",
})  # fmt: skip


class Trace(Observer):
    """The recorder, and what the engine tells (see ``core/tracing.py``).

    Attributes:
        steps: what was done, in order.
        reason: why this run cannot become a plan, or None.
        certain: whether it is clear that a next run could not either.
        adopted: Tensors that live outside, with the slot of their present array.
        changes: whether a step has changed something outside: nothing may be guarded from there on.
        raised: the last step that raised an error: a run in which it does not may go on elsewhere.
        writes_outside: whether it wrote into the memory of a Tensor outside.
        heard: the ops that ran.
        inside: how many functions deep in what is one step, so that nothing in it is heard.
        aside: what is looked at now the trace looks at itself.
    """

    def __init__(self) -> None:
        self.thread = get_ident()
        self.F: Any = Floor(self)
        self.steps: list[Step | Read | Assign] = []
        self.slots: list[Slot] = []
        self.reason: str | None = None
        self.adopted: dict[int, tuple[Tensor, Any]] = {}
        self.tensors: list[weakref.ref[Tensor]] = []  # those made; what the run lets go of takes its memory with it
        self.changes = self.writes_outside = False
        self.closed = self.certain = False
        self.inside = 0
        self.aside = False
        self.drew = False
        self.heard: set[str] = set()
        self.part_of = self.raised = ""
        self._nodes: dict[int, Any] = {}  # of adopted Tensors, at first
        self._constants: dict[int, tuple[np.ndarray, Slot]] = {}

    # What the engine tells ---------------------------------------------------------------------------------------

    def kernel(self, label: str, kernel: Callable[..., Any], args: Any, kwargs: Any) -> Any:
        self.heard.add(label)
        if label in _THROUGH and self.listens() and self.reason is None:
            start, self.part_of = len(self.steps), label
            try:
                result = kernel(*args, **kwargs)
            finally:
                self.part_of = ""
            seen_through = self.steps[start:]
            if self.reason is None and not any(isinstance(step, Step) and step.guards for step in seen_through):
                return result
            del self.steps[start:]  # it does something that cannot be a step, or asks for a value: all of it is one
            self.reason = None
        return self.call(label, kernel, tuple(args), kwargs)

    def plain(self, value: Any) -> bool:
        return not isinstance(value, Traced)

    def made(self, tensor: Tensor) -> None:
        if not self.plain(tensor._array) or self.listens():
            self.tensors.append(weakref.ref(tensor))

    def refuse(self, reason: str, certain: bool = False) -> None:
        if self.reason is None and get_ident() == self.thread:
            self.reason, self.certain = reason, certain

    def generator(self, generator: Callable[[], Any] | None) -> Any:
        """``kernels.random.witness``."""
        if generator is None:
            self.refuse(say("jit.generator"))
            return None
        if not self.listens():
            self.drew = self.drew or get_ident() == self.thread
            return generator()
        return Draws(self, generator)

    def whole(self, method: Callable[..., Any], owner: Any, args: Any) -> Any:
        if not self.listens():
            return method(owner, *args)
        self.aside = True
        try:
            return self._whole(method, owner, args)
        finally:
            self.aside = False

    def _whole(self, method: Callable[..., Any], owner: Any, args: Any) -> Any:
        self.assign()
        for tensor, _ in self.adopted.values():
            tensor._array = plain(tensor._array)
        self.changes = True
        try:
            result = self.call(type(owner).__name__, Whole(method, owner), args, writes=True)
            step = self.steps[-1]
            ours = type(owner).__module__.startswith("teachcell.") and not {"updated", "formula"} & vars(owner).keys()
            step.holds = not ours  # type: ignore[union-attr]  # a test says that ours keep no gradient
        finally:
            for tensor, before in list(self.adopted.values()):
                if tensor._array is before.value:
                    tensor._array = before
                else:  # what comes later is about the new one
                    self.adopt(tensor, before.slot.kind, before.slot.number, before.slot)
        if result is not None and type(result) is not bool:
            self.refuse(say("jit.whole", name=type(owner).__name__))
        return result

    # Slots -------------------------------------------------------------------------------------------------------

    def listens(self) -> bool:
        """Whether what happens now is to be written down: not inside a kernel, not in another thread."""
        return not (self.inside or self.closed) and get_ident() == self.thread

    def sees(self) -> bool:
        """``listens()``; a stand-in that turns up inside a step came there unseen, and there is no plan then."""
        if self.inside and not self.closed:
            self.refuse(say("jit.unseen", where=where()))
        return self.listens()

    def slot(self, kind: str, value: Any, tensor: Any = None) -> Slot:
        slot = Slot(f"{kind[0]}{len(self.slots)}", kind, value, tensor)
        self.slots.append(slot)
        return slot

    def adopt(self, tensor: Tensor, kind: str, number: int = 0, earlier: Slot | None = None) -> None:
        """Let a Tensor that lives outside hold a stand-in. ``earlier``: see :class:`Read`."""
        traced = Traced(self, self.slot(kind, tensor._array, tensor), tensor._array)
        traced.slot.number = number
        self.steps.append(Read(traced.slot, earlier))
        tensor._array = traced  # type: ignore[assignment]
        self.adopted[id(tensor)] = tensor, traced
        self._nodes.setdefault(id(tensor), tensor._node)

    def adopts(self, tensor: Tensor) -> bool:
        """Whether a Tensor lives outside."""
        known = self.adopted.get(id(tensor))
        return known is not None and known[0] is tensor

    def _lives_outside(self, tensor: Tensor) -> bool:
        return not any(tensor is made() for made in self.tensors)

    def seed(self, like: Any) -> Traced:
        """A gradient that arrives from outside."""
        value = np.ones_like(plain(like))
        return Traced(self, self.slot(SEED, value), value)

    def slot_of(self, value: Any) -> Any:
        """The slot of a stand-in or of a constant array; anything else as it is."""
        if type(value) is Traced:
            if value.trace is not self:
                self.refuse(say("jit.foreign"))
            value.slot.touched = True
            return value.slot
        return self.constant(value) if isinstance(value, np.ndarray) else value

    def constant(self, array: np.ndarray) -> Slot:
        """A slot with a copy of an array that depends on nothing; another one if it was written to meanwhile."""
        known = self._constants.get(id(array))
        if known is None or not same(known[1].value, array):
            known = self._constants[id(array)] = array, self.slot(CONSTANT, array.copy(order="K"))
        return known[1]

    def touch(self, value: Any) -> None:
        with_slots(value, self.slot_of)

    # Steps -------------------------------------------------------------------------------------------------------

    def call(
        self, label: str, function: Callable[..., Any], args: Any, kwargs: Any = None, draws: bool = False,
        writes: bool = False,
    ) -> Any:  # fmt: skip
        """Run a function; if it depends on a stand-in, or draws, it becomes a step and its arrays stand-ins."""
        kwargs = kwargs or {}
        if not (self.sees() if has_traced((args, kwargs)) else self.listens()):
            return function(*plain(args), **plain(kwargs))
        drew, self.drew = self.drew, draws
        self.inside += 1
        try:
            result = function(*plain(args), **plain(kwargs))
            draws = self.drew
        except Exception:
            self.raised = label
            raise
        finally:
            self.inside -= 1
            self.drew = drew or self.drew
        if not (draws or writes or has_traced((args, kwargs))):
            return result
        step = Step(label, function, with_slots(args, self.slot_of), with_slots(kwargs, self.slot_of))
        step.draws, step.writes, step.part_of = draws, writes, self.part_of
        self.steps.append(step)
        return self._traced(step, result, ())

    def _traced(self, step: Step, result: Any, path: tuple[Any, ...]) -> Any:
        """The result with stand-ins in the place of its arrays, each with a slot."""
        kind = type(result)
        if isinstance(result, _ARRAYS):
            slot = self.slot(VALUE, result)
            step.outs.append((path, slot))
            if isinstance(result, np.ndarray):
                for other in step.inputs:
                    if isinstance(other.value, np.ndarray) and np.may_share_memory(other.value, result):
                        slot.share(other)
                for _, other in step.outs[:-1]:
                    if isinstance(other.value, np.ndarray) and np.may_share_memory(other.value, result):
                        slot.share(other)
            return Traced(self, slot, result)
        if kind is tuple or kind is list:
            return kind(self._traced(step, r, (*path, i)) for i, r in enumerate(result))
        if kind is dict:
            return {k: self._traced(step, r, (*path, k)) for k, r in result.items()}
        if result is not None and not step.writes:
            self.refuse(say("jit.result", step=step.label, kind=kind.__name__))
        return result

    def write(self, label: str, function: Callable[..., Any], args: Any, kwargs: Any = None, target: Any = None) -> Any:
        """Run a function that writes into the memory of ``target``, by default its first argument."""
        kwargs = kwargs or {}
        target = args[0] if target is None else target[0] if type(target) is tuple else target
        if not self.sees():
            return function(*plain(args), **plain(kwargs))
        if type(target) is not Traced:
            self.refuse(say("jit.written_constant", step=label))
            return function(*plain(args), **plain(kwargs))
        root = target.slot.root
        if root.kind == CONSTANT:
            self.refuse(say("jit.written_constant", step=label))
        root.changed = True
        self.writes_outside |= root.kind in (ARGUMENT, TENSOR)
        self.changes |= self.writes_outside
        self.inside += 1
        try:
            function(*plain(args), **plain(kwargs))
        except Exception:
            self.raised = label
            raise
        finally:
            self.inside -= 1
        step = Step(label, function, with_slots(args, self.slot_of), with_slots(kwargs, self.slot_of), writes=True)
        step.holds = True
        self.steps.append(step)
        return target

    def guard(self, label: str, ask: Callable[[Any], Any], traced: Traced) -> Any:
        """A Python value that the run takes from a stand-in: a plan is for runs in which it is the same."""
        value = ask(traced.value)
        if self.sees():
            if self.changes:
                self.refuse(say("jit.late_guard", what=label, where=where()))
            elif isinstance(value, list) and traced.value.size > 64:
                self.escape(label)
            self.steps.append(Step(label, ask, (self.slot_of(traced),), {}, guards=True, expected=value))
        return value

    def assign(self) -> None:
        """Write down which Tensors outside have another array than they had."""
        for tensor, before in self.adopted.values():
            if tensor._array is not before:
                self.changes = True
                if any(self._lives_outside(relative) for relative in relatives(tensor)):
                    self.refuse(say("jit.views"))
                self.steps.append(Assign(before.slot, self.slot_of(tensor._array)))

    def restore(self) -> None:
        """Take back what a run has rebound that ended with an error."""
        for tensor, before in self.adopted.values():
            if tensor._array is not before:
                tensor._array, tensor._node = before.value, self._nodes[id(tensor)]

    def escape(self, what: str) -> None:
        """Somebody took the raw array out of a stand-in."""
        if self.sees():
            self.refuse(say("jit.escape", what=what, where=where()), certain=True)

    def heal(self) -> None:
        """Give real arrays back to every Tensor and Node that holds a stand-in."""
        self.closed = True
        waiting = []
        for tensor in self._with_families():
            tensor._array = plain(tensor._array)
            if tensor._node is not None:
                waiting.append(tensor._node)
        seen = set(waiting)
        while waiting:
            node = waiting.pop()
            node.args, node.out, node.attrs = plain(node.args), plain(node.out), plain(node.attrs)
            for parent in node.parents:
                if parent is not None and parent not in seen:
                    seen.add(parent)
                    waiting.append(parent)

    def _with_families(self) -> list[Tensor]:
        """The Tensors that were made or adopted, and those that a write to one of them may have reached."""
        made = [tensor for ref in self.tensors if (tensor := ref()) is not None]
        found = {id(t): t for t in (*made, *(t for t, _ in self.adopted.values()))}
        waiting = [*found.values()]
        while waiting:
            for relative in relatives(waiting.pop()):
                if id(relative) not in found:
                    found[id(relative)] = relative
                    waiting.append(relative)
        return [*found.values()]

    def forget(self) -> None:
        """Let go of everything: stand-ins that somebody still holds know this trace."""
        self.F = None
        for held in (self.steps, self.slots, self.adopted, self.tensors, self._constants, self._nodes):
            held.clear()  # type: ignore[attr-defined]


def relatives(tensor: Tensor) -> list[Tensor]:
    """The base of a view and the living views of a base: a write that is recorded reaches them too."""
    extra = tensor._extra
    if extra is None:
        return []
    views = [ref() for ref in extra.views or ()]
    return [t for t in (extra.base, *views) if t is not None]


def has_traced(value: Any) -> bool:
    """Whether a stand-in is among nested values."""
    kind = type(value)
    if kind is tuple or kind is list:
        return any(map(has_traced, value))
    return any(map(has_traced, value.values())) if kind is dict else kind is Traced


def where() -> str:
    """The function in which something happens, for a reader: the first one that is not jit's or NumPy's."""
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith(("teachcell.jit", "numpy")):
        frame = frame.f_back
    return frame.f_code.co_name
