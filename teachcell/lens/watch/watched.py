"""Watched: what was seen of one run, made of every op, Cell call, hook and gradient, by serial numbers.

It keeps arrays (see ``kept.py``), and no Tensor but the Parameters: it cannot keep the graph alive, and later writes
cannot rewrite what was seen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from threading import get_ident
from typing import Any

import numpy as np

from ...core import modes
from ...core.events import Observer
from ...core.nested import tensors_in
from ...core.op import Node, Op
from ...core.record import PICK
from ...core.tensor import Tensor
from ...nn.custom_bprop import BPROP, BPROPS
from .inner_gradient import InnerGradient
from .kept import Kept
from .looks import Looks, is_the_lens, items_in, name_of
from .seen import CONSTRUCT, NEW_DATA, CallSeen, Facts, OpSeen, Seen, Sent, Severed, Slot, ValueSeen, array_of, mapped


class Watched(Observer):
    """An observer (see ``core.events``) of the run of one program; :class:`.recorder.Recorder` stands before it.

    Forward events count while ``forward`` is True, backward events only afterwards: what a rule, a hook or an
    inner ``grad`` computes on its own account is not part of the picture.

    Args:
        program: the Cell whose call is the program itself, or None for a function.
        random_state: called at every Cell's start to note the state of the random draws.
    """

    def __init__(self, program: Any = None, random_state: Callable[[], Any] | None = None):
        self._kept = Kept()
        self._seen = self._kept.seen
        self.values: list[ValueSeen] = []
        self.ops: list[OpSeen] = []
        self.calls: list[CallSeen] = [CallSeen(program, None)]
        self.events: list[dict[str, Any]] = []
        self.hooks: dict[int, Any] = {}  # number of an event to the hook that fired
        self.sent: dict[int, list[Sent]] = {}  # number of a backward event to what its rule gave
        self.looks = Looks(self._seen)
        self.sums: list[int] = []  # inputs and Parameters, in the order in which their gradients were complete
        self.direct: list[tuple[int, Any]] = []  # a call, and a hooked Cell whose construct it called directly
        self.severed: list[Severed] = []
        self.parameters: list[Any] = []  # every Parameter met, in order; also used as the weights to differentiate by
        self.forward = True
        self._gradients: list[tuple[int, Seen | Facts]] = []  # of values, in the order of the sweep
        self._by_serial: dict[int, int] = {}
        self._op_of_node: dict[int, int] = {}
        self._call_of_node: dict[int, int] = {}  # input taps and Cells' own rules
        self._of_node: dict[int | Node, int] = {}  # values by the serial number of a Node, or by a Parameter's Node
        self._put_in: list[tuple[np.ndarray, Severed]] = []  # arrays and numbers that hooks returned
        self._stack = [0]
        self._inner = InnerGradient()
        self._times_called: dict[int, int] = {}
        self._program_entered = program is None
        self._random_state, self._state = random_state, None
        self._thread = get_ident()

    def finish(self) -> None:
        """The run is over: let go of the graph."""
        self._of_node.clear()
        self._put_in.clear()
        self.looks.finish()
        self._kept.finish()
        self._find_copies()

    def release(self) -> None:
        """Nothing will be run or checked again: let go of all but the values, and of large arrays."""
        for value in self.values:
            value.release()
        self._gradients = [(v, Facts(finite=False, zero=False)) for v in (self.nan_gradient,) if v is not None]
        self.ops, self.calls, self.parameters, self.hooks, self.sent = [], [], [], {}, {}
        self.looks, self.direct = Looks(self._seen), []

    @property
    def nan_gradient(self) -> int | None:
        """The first value with a gradient that is not finite."""
        return next((v for v, g in self._gradients if not g.finite), None)

    def _watching(self, forward: bool) -> bool:
        return self.forward is forward and get_ident() == self._thread

    @property
    def open_call(self) -> int:
        """The number of the innermost call that runs."""
        return self._stack[-1]

    # Values -----------------------------------------------------------------------------------------------

    def value_of(self, tensor: Tensor, kind: str = "constant", name: str | None = None, fresh: bool = False) -> int:
        """The id of a Tensor; one not met before is a Parameter or of ``kind``. ``fresh``: its array is new memory."""
        node, extra = tensor._node, tensor._extra
        serial = extra.serial if extra is not None and extra.serial else tensor.serial()
        found = self._by_serial.get(serial)
        if found is None and node is not None:  # perhaps an operand rebuilt for the gradient of a gradient
            found = self._of_node.get(node.seq or node)
            if found is not None:
                self._by_serial[serial] = found
        if found is None:
            found = self._new_value(tensor, kind, name, fresh)
        if node is not None:
            self.values[found].tracked = True
            self._of_node[node.seq or node] = found
        return found

    def _new_value(self, tensor: Tensor, kind: str, name: str | None = None, fresh: bool = False) -> int:
        number = self._by_serial[tensor.serial()] = len(self.values)
        if tensor.is_parameter:
            kind, name = "parameter", tensor.name  # type: ignore[attr-defined]
            self.parameters.append(tensor)
        self.values.append(ValueSeen(kind, self._seen(tensor._array, fresh), name))
        if kind == "constant" and self._put_in:
            self._recognise(number, tensor._array)
        return number

    def _recognise(self, number: int, array: np.ndarray) -> None:
        """Whether a new constant is what a hook returned as an array or a number."""
        for data, place in self._put_in:
            if data.shape == array.shape and np.array_equal(data.astype(array.dtype), array, equal_nan=True):
                self.severed.append(replace(place, new=number))
                self.values[number].replaces = place.old
                return

    def _find_copies(self) -> None:
        """Values that no op uses and whose numbers are met again as new data: they went through NumPy."""
        used = {v for op in self.ops for v in op.inputs}
        constants = [(i, v) for i, v in enumerate(self.values) if v.kind == "constant" and v.replaces is None]
        for number, value in enumerate(self.values):
            array = value.value.array
            if not value.tracked or number in used or value.gradient is not None or array is None or array.size < 2:
                continue
            for copy, other in constants:
                numbers = other.value.array
                if copy > number and numbers is not None and np.array_equal(numbers, array):
                    call = self.ops[value.op].call if value.op is not None else 0
                    self.severed.append(Severed(number, copy, call, "", "copy"))
                    other.replaces = number

    def array_shared(self, tensor: Tensor) -> None:
        """The array may be written into from now on: what it held is kept as a copy."""
        self._kept.handed_out(tensor._array)

    def before_move(self, parameters: Sequence[Tensor]) -> None:
        """Parameters in use are given other arrays: one value stands for each in all the run, that of its first use."""
        if self._watching(forward=True):
            for tensor in parameters:
                if tensor.is_parameter and tensor.serial() in self._by_serial:
                    self.values[self._by_serial[tensor.serial()]].rewritten = True

    def before_write(self, tensor: Tensor) -> None:
        """As before_move, but its array is written into."""
        self.array_shared(tensor)
        self.before_move((tensor,))

    # Ops --------------------------------------------------------------------------------------------------

    def op_forward(self, op: Op, inputs: Any, outputs: Any, attrs: Any) -> None:
        """Note an op, its inputs and its results."""
        if not self._watching(forward=True):
            return
        slots = [None if t is None else self.value_of(t) for t in inputs]
        given = [t._array for t in inputs if t is not None]
        results = outputs if isinstance(outputs, tuple) else (outputs,)
        made = [self.value_of(t, "op", fresh=not any(t._array is array for array in given)) for t in results]
        number = self._add_op(op, slots, made, attrs)
        for tensor in results:
            node = tensor._node
            if node is not None:
                self._op_of_node[(node.parents[0] if node.op is PICK else node).seq] = number

    def _add_op(self, op: Op, slots: list[int | None], results: list[int], attrs: Any) -> int:
        number, call = len(self.ops), self._stack[-1]
        for i, value in enumerate(results):
            seen = self.values[value]
            seen.kind, seen.op, seen.output = "op", number, i
        self.ops.append(OpSeen(op, call, slots, results, attrs))
        self.events.append({"kind": "forward", "op": number, "call": call})
        return number

    def op_failed(self, op: Op, inputs: Any, attrs: Any, error: Exception) -> None:
        """Note the op that raised."""
        if self._watching(forward=True):
            slots = [None if t is None else self.value_of(t) for t in inputs]
            self.ops.append(OpSeen(op, self._stack[-1], slots, [], attrs, str(error)))

    # Calls ------------------------------------------------------------------------------------------------

    def cell_enter(self, cell: Any, args: Any, kwargs: Any) -> None:
        """Open a call."""
        if not self._watching(forward=True):
            return
        inputs = [self.value_of(t) for part in (args, kwargs) if part for t in tensors_in(part)]
        if not self._program_entered and cell is self.calls[0].cell:
            self._program_entered = True
            call, number = self.calls[0], 0
        else:
            call, number = CallSeen(cell, self._stack[-1]), len(self.calls)
            self.calls.append(call)
        call.number = self._times_called[id(cell)] = self._times_called.get(id(cell), 0) + 1
        call.inputs = call.passing = inputs
        call.arguments = self._slotted(args, kwargs)
        call.first_op, call.entered = len(self.ops), len(self.events)
        state = self._random_state() if self._random_state else None
        call.random_state = self._state = self._state if state == self._state else state  # mostly one and the same
        self._stack.append(number)

    def _open_call(self, cell: Any) -> CallSeen | None:
        """The innermost open call, if it is this Cell's."""
        if not self._watching(forward=True) or len(self._stack) < 2:
            return None
        call = self.calls[self._stack[-1]]
        return call if call.cell is cell else None

    def cell_ran(self, cell: Any, args: Any, kwargs: Any, output: Any) -> None:
        """Note what ``construct`` was given and returned."""
        call = self._open_call(cell)
        if call is None:
            return
        call.arguments = self._slotted(args, kwargs)
        self._returns(call, output)

    def _slotted(self, args: Any, kwargs: Any) -> Any:
        return mapped((args, kwargs), Tensor, lambda tensor: Slot(self.value_of(tensor)))

    def _returns(self, call: CallSeen, output: Any) -> None:
        """Note what ``construct`` returned; results that no op inside made are drawn as an op."""
        known = len(self.values)
        call.returned = call.passing = [self.value_of(t) for t in tensors_in(output)]
        fresh = [v for v in call.returned if v >= known and self.values[v].kind == "constant"]
        if fresh:
            self._add_source(call, fresh)
        call.first_op, call.ran = len(self.ops), len(self.events)

    def _add_source(self, call: CallSeen, fresh: list[int]) -> None:
        """An op for results that no op inside the call made."""
        given, inside = call.given, self.ops[call.first_op :]
        used = {v for op in inside for v in op.inputs} | set(call.returned)
        ends = [*given]
        if fresh == call.returned:  # what was computed inside led nowhere, or on through NumPy
            ends += [v for op in inside for v in op.outputs]
        if call.rule_inputs is not None:
            self._add_op(CONSTRUCT, [*given], fresh, None)
        elif passed_over := [v for v in ends if self.values[v].tracked and v not in used]:
            self._add_op(NEW_DATA, list(passed_over), fresh, None)

    def cell_exit(self, cell: Any, output: Any) -> None:
        """Close the call; where nothing was told of its ``construct``, that returned what leaves the call."""
        call = self._open_call(cell)
        if call is not None:
            if call.ran is None and output is not None:
                self._returns(call, output)
            elif call.ran is None:
                call.arguments = None
            self._stack.pop()
            call.outputs, call.left = [self.value_of(t) for t in tensors_in(output)], len(self.events)

    def cell_tapped(self, cell: Any, tap: Any) -> None:
        """Remember which call a tap belongs to."""
        if self._watching(forward=True):
            self._call_of_node[tap.seq] = self._stack[-1]

    def bprop_recorded(self, cell: Any, node: Node | None, inputs: Any) -> None:
        """Remember which call a Cell's own rule belongs to."""
        call = self._open_call(cell)
        if call is not None and node is not None:
            call.rule_inputs = [self.value_of(t) for t in inputs]
            self._call_of_node[node.seq] = self._stack[-1]

    def passed_over(self, number: int, node: int, weights: Iterable[Any]) -> None:
        """A call that was seen is answered for by a rule of its own after all, whose Node has this serial number."""
        call = self.calls[number]
        call.rule_inputs = [*call.given, *map(self.value_of, weights)]
        self._call_of_node[node] = number

    # Hooks ------------------------------------------------------------------------------------------------

    def _hooked_call(self, cell: Any, kind: str, tap: Any) -> int | None:
        """The call that a hook belongs to; None: it is not part of the picture."""
        if not self._watching(kind in ("forward_pre", "forward")):
            return None
        number = self._stack[-1] if tap is None else self._call_of_node.get(tap.seq)
        return number if number is not None and self.calls[number].cell is cell else None

    def hook_starts(self, cell: Any, kind: str, hook: Any, given: Any, tap: Any) -> None:
        """Note what a hook is shown; the lens's own are left out."""
        number = self._hooked_call(cell, kind, tap)
        if number is not None and not is_the_lens(hook):
            self.looks.begin(number, kind, hook, len(self.events), given)

    def hooks_silent(self, cell: Any) -> None:
        """Note that the hooks of the open call do not act."""
        call = self._open_call(cell)
        if call is not None:
            call.silenced = "jit" if modes.graph_mode is None else "graph mode"

    def construct_direct(self, cell: Any) -> None:
        """Note a hooked Cell that is run past its hooks."""
        if self._watching(forward=True):
            self.direct.append((self._stack[-1], cell))

    def hook_fired(self, cell: Any, kind: str, hook: Any, result: Any, tap: Any) -> None:
        """Note a hook, and where it put new data in the place of a value."""
        number = self._hooked_call(cell, kind, tap)
        if number is None:
            return
        name = name_of(hook)
        self.hooks[len(self.events)] = hook
        event = {"kind": "hook", "hook": kind, "call": number, "name": name, "replaced": result is not None}
        self.events.append(event)
        self.looks.end(number, hook, len(self.events) - 1, result)
        if result is not None and kind in ("forward_pre", "forward"):
            self._replaced(number, kind, name, result)

    def _replaced(self, number: int, kind: str, hook: str, result: Any) -> None:
        call, tensors = self.calls[number], list(tensors_in(result))
        before, call.passing = call.passing, []
        kept = {self._by_serial.get(tensor.serial()) for tensor in tensors}
        for data, place in zip(items_in(result), before, strict=False):
            if isinstance(data, np.ndarray) and place not in kept:
                self._put_in.append((data, Severed(place, -1, number, hook, kind)))
        for i, tensor in enumerate(tensors):
            old = before[i] if i < len(before) else None
            made = self._by_serial.get(tensor.serial())
            plain = tensor._node is None and (made is None or self.values[made].op is None)
            # plain data are a value of their own in each place, also when a hook returns one Tensor twice
            new = self._new_value(tensor, "constant") if plain and made != old else self.value_of(tensor)
            call.passing.append(new)
            if old is not None and not self._comes_from(new, old, call.first_op):
                self.severed.append(Severed(old, new, number, hook, kind))
                if plain:
                    self.values[new].replaces = old
        call.first_op = len(self.ops)

    def _comes_from(self, value: int, source: int, first_op: int) -> bool:
        """Whether ops from ``first_op`` on made ``value`` out of ``source``."""
        stack, seen = [value], {value}
        while stack:
            value = stack.pop()
            if value == source:
                return True
            op = self.values[value].op
            if op is not None and op >= first_op:
                stack.extend(v for v in self.ops[op].inputs if v not in seen)
                seen.update(self.ops[op].inputs)
        return False

    # Backward ---------------------------------------------------------------------------------------------

    def op_backward(self, node: Node, incoming: Any, outgoing: Any) -> None:
        """Note which gradients arrived at an op, or at a Cell's own rule, and which left."""
        if self._watching(forward=True):
            self._inner.rule_ran(self, node, self._op_of_node.get(node.seq), incoming, outgoing)
        if not self._watching(forward=False):
            return
        op, call = self._op_of_node.get(node.seq), self._call_of_node.get(node.seq)
        ins: list[int | None]
        if op is not None:
            ins, outs = self.ops[op].slots, self.ops[op].outputs
            event: dict[str, Any] = {"kind": "backward", "op": op, "call": self.ops[op].call}
        elif call is not None and self.calls[call].rule_inputs is not None and node.op in (BPROP, BPROPS):
            ins, outs = list(self.calls[call].rule_inputs or ()), self.calls[call].returned
            event = {"kind": "bprop", "call": call}
        else:
            return
        came: dict[int, Seen] = {}
        arrived: list[int] = []
        for value, gradient in zip(outs, incoming if isinstance(incoming, list) else (incoming,), strict=False):
            if gradient is not None:
                array = array_of(gradient)
                seen = self.values[value].gradient = came[id(array)] = self._seen(array)
                self._gradients.append((value, seen))
                arrived.append(value)
        sent = self.sent[len(self.events)] = []
        for slot, (target, gradient) in enumerate(zip(ins, outgoing, strict=False)):
            if gradient is not None and target is not None:
                array = array_of(gradient)
                part = came.get(id(array)) or self._kept.part(array, fresh=not node.op.boxed)
                self._gradients.append((target, part))
                sent.append(Sent(slot, target, array.shape, part))
        self.events.append(event | {"incoming": arrived, "outgoing": [part.value for part in sent]})

    def sweep_starts(self, create: bool) -> None:
        """A gradient taken inside the program starts, or the program's own does."""
        self._inner.sweep_starts(self)

    def accumulate(self, leaf: Node, gradient: Any) -> None:
        """Note the gradient of an input or Parameter."""
        found = self._of_node.get(leaf.seq or leaf)
        if self._watching(forward=False) and found is not None:
            self.values[found].gradient = self._seen(array_of(gradient))
            self.sums.append(found)
