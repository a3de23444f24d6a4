"""Recorder: watches one run and notes every op, Cell call, hook and gradient, by serial numbers.

It keeps copies of arrays (summaries of those over a cap), never a Tensor: it cannot keep the graph alive, and
later writes cannot rewrite what was seen.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from threading import get_ident
from typing import Any

import numpy as np

from ..autodiff.grad import tensors_in
from ..core.op import Node, Op
from ..core.tensor import Tensor
from .summary import summarise

CAP_BYTES = 1 << 20


class Seen:
    """An array as it was: a copy, or only its summary when it is larger than the cap."""

    __slots__ = ("_summary", "array", "dtype", "shape")

    def __init__(self, array: np.ndarray):
        self.shape, self.dtype = array.shape, array.dtype
        self.array = array.copy() if array.nbytes <= CAP_BYTES else None
        self._summary = None if self.array is not None else summarise(array)

    def summary(self) -> dict[str, Any]:
        """The summary, made when first asked."""
        if self._summary is None:
            assert self.array is not None
            self._summary = summarise(self.array)
        return self._summary


@dataclass
class ValueSeen:
    """A Tensor met in the run."""

    kind: str
    value: Seen
    name: str | None = None
    op: int | None = None
    output: int = 0
    gradient: Seen | None = None
    tracked: bool = False  # a Node recorded it, so a gradient could arrive


@dataclass
class OpSeen:
    """An op that ran, or failed."""

    op: Op
    call: int
    slots: list[int | None]
    outputs: list[int]
    attrs: dict[str, Any] | None
    error: str | None = None

    @property
    def inputs(self) -> list[int]:
        """The inputs that were given."""
        return [v for v in self.slots if v is not None]


@dataclass
class CallSeen:
    """A call of a Cell (call 0: the whole program)."""

    cell: Any
    parent: int | None
    inputs: list[int] = field(default_factory=list)
    outputs: list[int] = field(default_factory=list)
    number: int = 1
    own_rule: bool = False
    rule_outputs: list[int] = field(default_factory=list)
    random_state: Any = None


@dataclass
class Severed:
    """A place where a hook put new data in the stead of a value."""

    old: int
    new: int
    call: int
    hook: str
    kind: str


class Recorder:
    """An observer (see ``core.events``) of the run of one program.

    Forward events count while ``forward`` is True, backward events only afterwards: what a rule, a hook or an
    inner ``grad`` computes on its own account is not part of the picture.

    Args:
        program: the Cell whose call is the program itself, or None for a function.
        random_state: called at every Cell's start to note the state of the random draws.
    """

    def __init__(self, program: Any = None, random_state: Callable[[], Any] | None = None):
        self.values: list[ValueSeen] = []
        self.ops: list[OpSeen] = []
        self.calls: list[CallSeen] = [CallSeen(program, None)]
        self.events: list[dict[str, Any]] = []
        self.severed: list[Severed] = []
        self.parameters: list[Any] = []  # every Parameter met, in order; also used as the weights to differentiate by
        self.forward = True
        self._by_serial: dict[int, int] = {}
        self._op_of_node: dict[int, int] = {}
        self._call_of_node: dict[int, int] = {}  # input taps and Cells' own rules
        self._leaf_values: dict[int, int] = {}
        self._stack = [0]
        self._program_entered = program is None
        self._random_state = random_state
        self._thread = get_ident()

    def _watching(self, forward: bool) -> bool:
        return self.forward is forward and get_ident() == self._thread

    def value_of(self, tensor: Tensor, kind: str = "constant", name: str | None = None) -> int:
        """The id of a Tensor; one not met before is a Parameter or of ``kind``."""
        serial = tensor.serial()
        found = self._by_serial.get(serial)
        if found is None:
            found = self._by_serial[serial] = len(self.values)
            if tensor.is_parameter:
                kind, name = "parameter", tensor.name  # type: ignore[attr-defined]
                self.parameters.append(tensor)
            self.values.append(ValueSeen(kind, Seen(tensor._array), name))
        node = tensor._node
        if node is not None:
            self.values[found].tracked = True
            if node.op.name == "leaf":
                self._leaf_values[id(node)] = found
        return found

    # Forward ----------------------------------------------------------------------------------------------

    def op_forward(self, op: Op, inputs: Any, outputs: Any, attrs: Any) -> None:
        """Note an op, its inputs and its results."""
        if not self._watching(forward=True):
            return
        number = len(self.ops)
        slots = [None if t is None else self.value_of(t) for t in inputs]
        results = []
        for i, tensor in enumerate(outputs if isinstance(outputs, tuple) else (outputs,)):
            found = self.value_of(tensor, "op")
            self.values[found].op, self.values[found].output = number, i
            results.append(found)
            node = tensor._node
            if node is not None:
                self._op_of_node[(node.parents[0] if node.op.name == "pick" else node).seq] = number
        self.ops.append(OpSeen(op, self._stack[-1], slots, results, attrs))
        self.events.append({"kind": "forward", "op": number, "call": self._stack[-1]})

    def op_failed(self, op: Op, inputs: Any, attrs: Any, error: Exception) -> None:
        """Note the op that raised."""
        if self._watching(forward=True):
            slots = [None if t is None else self.value_of(t) for t in inputs]
            self.ops.append(OpSeen(op, self._stack[-1], slots, [], attrs, str(error)))

    def cell_enter(self, cell: Any, args: Any, kwargs: Any) -> None:
        """Open a call."""
        if not self._watching(forward=True):
            return
        inputs = [self.value_of(t) for t in tensors_in((args, kwargs))]
        if not self._program_entered and cell is self.calls[0].cell:
            self._program_entered = True
            call, number = self.calls[0], 0
        else:
            call, number = CallSeen(cell, self._stack[-1]), len(self.calls)
            call.number = 1 + sum(c.cell is cell for c in self.calls)
            self.calls.append(call)
        call.inputs = inputs
        call.random_state = self._random_state() if self._random_state else None
        self._stack.append(number)

    def cell_exit(self, cell: Any, output: Any) -> None:
        """Close the call."""
        if self._watching(forward=True) and self.calls[self._stack[-1]].cell is cell:
            call = self.calls[self._stack.pop()]
            call.outputs = [self.value_of(t) for t in tensors_in(output)]

    def cell_tapped(self, cell: Any, tap: Node) -> None:
        """Remember which call a tap belongs to."""
        if self._watching(forward=True):
            self._call_of_node[tap.seq] = self._stack[-1]

    def bprop_recorded(self, cell: Any, node: Node | None, outputs: list[Tensor]) -> None:
        """Remember which call a Cell's own rule belongs to."""
        if self._watching(forward=True) and node is not None:
            call = self.calls[self._stack[-1]]
            call.own_rule = True
            call.rule_outputs = [self.value_of(t) for t in outputs]
            self._call_of_node[node.seq] = self._stack[-1]

    def hook_fired(self, cell: Any, kind: str, hook: Any, result: Any, tap: Node | None) -> None:
        """Note a hook, and where it put new data in the place of a value."""
        if get_ident() != self._thread:
            return
        call = self._stack[-1] if tap is None else self._call_of_node.get(tap.seq)
        if call is None or self.calls[call].cell is not cell:
            return
        name = getattr(hook, "__name__", type(hook).__name__)
        self.events.append({"kind": "hook", "hook": kind, "call": call, "name": name, "replaced": result is not None})
        if result is not None and tap is None:
            old = self.calls[call].inputs if kind == "forward_pre" else self._latest_outputs(call)
            for value, tensor in zip(old, tensors_in(result), strict=False):
                if tensor.serial() not in self._by_serial:
                    self.severed.append(Severed(value, self.value_of(tensor), call, name, kind))

    def _latest_outputs(self, call: int) -> list[int]:
        """What the last op inside a call gave."""
        inside = {call}
        for number, other in enumerate(self.calls):
            if other.parent in inside:
                inside.add(number)
        return next((op.outputs for op in reversed(self.ops) if op.call in inside), [])

    # Backward ---------------------------------------------------------------------------------------------

    def op_backward(self, node: Node, incoming: Any, outgoing: Any) -> None:
        """Note which gradients arrived at an op, or at a Cell's own rule, and which left."""
        if not self._watching(forward=False):
            return
        op, call = self._op_of_node.get(node.seq), self._call_of_node.get(node.seq)
        event: dict[str, Any]
        if op is not None:
            seen = self.ops[op]
            ins, outs = seen.slots, seen.outputs
            event = {"kind": "backward", "op": op, "call": seen.call}
        elif call is not None and self.calls[call].own_rule and node.op.name == "bprop":
            ins, outs = list(self.calls[call].inputs), self.calls[call].rule_outputs
            event = {"kind": "bprop", "call": call}
        else:
            return
        arrived = incoming if isinstance(incoming, list) else [incoming]
        for value, gradient in zip(outs, arrived, strict=False):
            if gradient is not None:
                self.values[value].gradient = Seen(gradient._array)
        event["incoming"] = [v for v, g in zip(outs, arrived, strict=False) if g is not None]
        event["outgoing"] = [v for v, g in zip(ins, outgoing, strict=False) if g is not None and v is not None]
        self.events.append(event)

    def accumulate(self, leaf: Node, gradient: Tensor) -> None:
        """Note the gradient of an input or Parameter."""
        value = self._leaf_values.get(id(leaf))
        if self._watching(forward=False) and value is not None:
            self.values[value].gradient = Seen(gradient._array)
