"""A forward pass that is kept: where only rules were changed since, the backward pass alone runs again.

What is kept is the graph (see ``Recorded``), where the Recorder stood, and what the pass left in Tensors. It is used
only as long as it is still true: the same Cells, modes, hooks and draws, the same numbers in Parameters, inputs and
Nodes. What the program reads from elsewhere (a global, a file) is not looked at. A Cell whose rule was switched on
since is handled in the graph: what it computed inside is passed over, as by its bprop.
"""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from threading import get_ident
from types import FunctionType
from typing import TYPE_CHECKING, Any

import numpy as np

from ...autodiff.recorded import Recorded
from ...core import modes
from ...core.events import Observer
from ...core.nested import Structure, tensors_in
from ...core.op import Node, new_node, next_seq
from ...core.protect import Protection, random_state
from ...core.record import PICK
from ...core.tensor import Tensor, node_of
from ...nn.cell import Cell
from ...nn.custom_bprop import BPROPS, BpropCall
from ...nn.hooks import KINDS
from ..program import Program
from ..watch.again import Mark
from ..watch.recorder import Recorder
from .op_rules import engine_op
from .spots import SpotNodes, spots_of

if TYPE_CHECKING:
    from ..experiment import Experiment

MOST_BYTES = 1 << 25  # of all arrays in a graph that is kept


@dataclass(eq=False)
class Inside:
    """What a Cell computed in one call, and what its bprop would need instead.

    Attributes:
        seq: a serial number between those of its inputs and those of what is inside.
        node: of its only output.
    """

    cell: Any
    seq: int
    node: Node
    inputs: Structure
    output: Structure
    arrays: list[np.ndarray]
    parents: list[Node | None]
    weights: list[Any]
    result: np.ndarray

    def pass_over(self, call: Recorded) -> None:
        """Let the gradient go to the inputs through the Cell's rule, which runs in the place of its output's."""
        node, attrs = self.node, {"call": BpropCall(self.cell, self.inputs, self.output, self.weights)}
        rule = new_node(BPROPS, tuple(self.parents), self.arrays, (self.result,), attrs, self.seq, (node.shape,))
        node.op, node.parents, node.args, node.out, node.attrs = PICK, (rule,), None, None, {"i": 0}
        call.put_before(node, rule)


class CallNodes(Observer):
    """An observer of a forward pass that notes what calls of Cells computed, by their number at a Recorder.

    Attributes:
        unasked: calls whose inputs carry no gradient.
    """

    def __init__(self, recorder: Recorder):
        self.found: dict[int, Inside] = {}
        self.unasked: set[int] = set()
        self._recorder, self._thread = recorder, get_ident()
        # Of each call that runs its number, a serial number that is kept free, and what it was given, until it ran.
        self._open: list[tuple[int, int, tuple[Any, Any] | None]] = []

    def _watching(self) -> bool:
        return self._recorder.forward and get_ident() == self._thread

    def cell_enter(self, cell: Any, args: Any, kwargs: Any) -> None:
        """A call begins; the Recorder was told before."""
        if self._watching():
            self._open.append((self._recorder.open_call, next_seq(), (args, kwargs)))

    def cell_ran(self, cell: Any, args: Any, kwargs: Any, output: Any) -> None:
        """A call has computed something."""
        if self._watching() and self._open:
            number, seq, _ = self._open[-1]
            self._open[-1] = number, seq, None
            self._note(cell, number, seq, args, kwargs, output)

    def cell_exit(self, cell: Any, output: Any) -> None:
        """A call is over."""
        if self._watching() and self._open:
            number, seq, given = self._open.pop()
            if given is not None and output is not None:
                self._note(cell, number, seq, *given, output)

    def _note(self, cell: Any, number: int, seq: int, args: Any, kwargs: Any, output: Any) -> None:
        """Note what a call has computed, if it is one output, or that no rule of the Cell would have been asked."""
        if not isinstance(cell, Cell) or cell.bprop is not None:
            return
        weights = [w for w in cell.internal_params or () if w._node is not None]
        if not weights and not any(node_of(t) for t in tensors_in((args, kwargs))):
            self.unasked.add(number)
            return
        given, node = _bound(cell, args, kwargs), node_of(output) if isinstance(output, Tensor) else None
        if node is None or node.seq < seq or given is None:
            return
        inputs = Structure(given)
        parents = [node_of(t) for t in inputs.tensors]
        if any(p is not None and p.seq > seq for p in parents):  # a hook or a cast came between
            return
        arrays = [t._array for t in (*inputs.tensors, *weights)]
        self.found[number] = Inside(
            cell, seq, node, inputs.bare(), Structure(output).bare(), arrays,
            [*parents, *(w._node for w in weights)], weights, output._array,
        )  # fmt: skip


def _bound(cell: Any, args: Any, kwargs: Any) -> tuple[Any, ...] | None:
    """All arguments of ``construct`` in order; None where some are given by name."""
    function = getattr(cell.construct, "__func__", None)
    if type(function) is FunctionType and not (kwargs or function.__defaults__ or function.__kwdefaults__):
        return args  # asking for the signature takes longer than most Cells
    try:
        bound = inspect.signature(cell.construct).bind(*args)
    except (TypeError, ValueError):
        return None
    bound.apply_defaults()
    return None if kwargs or bound.kwargs else bound.args


class KeptForward:
    """A forward pass that is kept.

    Args:
        recorder: which saw it, before it sees anything else.
        call: its graph.
        roots: the values that are differentiated.
        nodes, calls: what was found in it.
        protection: what stood around it, before it is left.
    """

    def __init__(
        self, experiment: Experiment, recorder: Recorder, call: Recorded, roots: list[int], nodes: SpotNodes,
        calls: CallNodes, protection: Protection,
    ):  # fmt: skip
        self.call, self.roots, self._nodes, self._calls = call, roots, nodes, calls
        self._recorder, self._mark = recorder, Mark(recorder)
        self.draws, self.written = random_state(), protection.written()
        self._state = _state_of(experiment)
        self._outputs = [(t, t._array, t._node) for t in call.outputs if not t.is_parameter]  # written into, perhaps
        self._numbers = {spot: number for number, spot in spots_of(recorder, experiment.program)}
        changeable = [node for node, _ in nodes.found.values()] + [inside.node for inside in calls.found.values()]
        self._tape = call.nodes
        self._as_recorded = {id(n): (n, n.op, n.parents, n.args, n.out, n.attrs) for n in changeable}

    def holds(self, experiment: Experiment) -> bool:
        """Whether it would be the same now, and the rules in use can be put into it."""
        wanted = {spot for spot in self._numbers if (choice := experiment.op_rules.at(spot)) and choice.function}
        found = {spot for spot, (_, op) in self._nodes.found.items() if op.rules is not None or spot in wanted}
        return (
            self.written is not None and experiment.capture is None and _state_of(experiment) == self._state
            and wanted <= found and len(found) == len(self._nodes.found) and self._passed_over() is not None
            and self._numbers_hold(experiment.program)
        )  # fmt: skip

    def _numbers_hold(self, program: Program) -> bool:
        """Whether Parameters, inputs and Nodes hold what the Recorder saw."""
        values, parameters = self._recorder.values, self._recorder.parameters
        given, tensors = [v for v in values if v.kind == "input"], _tensors_of(program)
        known = [v for v in values if v.kind == "parameter"]
        if len(given) != len(tensors) or len(known) != len(parameters):
            return False
        pairs = [*zip(given, tensors, strict=True), *zip(known, parameters, strict=True)]
        if not all(v.rewritten or _same(v.value.array, t._array) for v, t in pairs):
            return False
        return all(self._is_untouched(node, self._numbers.get(spot)) for spot, (node, _) in self._nodes.found.items())

    def _is_untouched(self, node: Node, number: int | None) -> bool:
        if number is None:
            return False
        seen, (_, _, _, args, out, _) = self._recorder.ops[number], self._as_recorded[id(node)]
        outs = out if isinstance(out, tuple) else (out,)
        pairs = [*zip(seen.slots, args or (), strict=False), *zip(seen.outputs, outs, strict=False)]
        values = self._recorder.values
        return all(v is None or a is None or _same(values[v].value.array, a) for v, a in pairs)

    def _passed_over(self) -> list[int] | None:
        """The calls whose Cells have a rule now, and had none; None: the forward pass would be another."""
        found: list[int] = []
        covered: set[int | None] = set()
        for number, call in enumerate(self._recorder.calls):
            rule = getattr(call.cell, "bprop", None)
            if call.rule_inputs is not None and rule is None and isinstance(call.cell, Cell):
                return None
            if call.parent in covered or call.rule_inputs is not None:
                covered.add(number)
            elif rule is not None and call.arguments is not None and number not in self._calls.unasked:
                if number not in self._calls.found or not self._is_closed(number):
                    return None
                covered.add(number)
                found.append(number)
        return found

    def _is_closed(self, number: int) -> bool:
        """Whether nothing that was computed inside a call is used outside, but what it returned."""
        inside = self._within(number)
        made = {v for op in self._recorder.ops if op.call in inside for v in op.outputs}
        used = {v for op in self._recorder.ops if op.call not in inside for v in op.inputs}
        return (made - set(self._recorder.calls[number].returned)).isdisjoint(used.union(self.roots))

    def _within(self, number: int) -> set[int]:
        """A call and all calls inside it."""
        found = {number}
        for child, call in enumerate(self._recorder.calls):
            if call.parent in found:
                found.add(child)
        return found

    def put_rules_in(self, experiment: Experiment) -> Recorder:
        """Put the rules that are in use into the graph; returns a Recorder that stands before the backward pass."""
        recorder = self._mark.recorder()
        for tensor, array, own in self._outputs:
            tensor._array, tensor._node = array, own
        for node, op, parents, args, out, attrs in self._as_recorded.values():
            node.op, node.parents, node.args, node.out, node.attrs = op, parents, args, out, attrs
        self.call.nodes = [*self._tape]
        experiment.op_rules.put_in(self._nodes, recorder, experiment.program)
        for number in self._passed_over() or ():
            inside = self._calls.found[number]
            inside.pass_over(self.call)
            recorder.passed_over(number, inside.seq, inside.weights)
            within = self._within(number)
            for child in within - {number}:
                recorder.calls[child].rule_inputs = None
            for seen in recorder.ops:
                if seen.call in within:  # no rule of theirs will run
                    seen.op = engine_op(seen.op)
        return recorder


def fits(recorder: Recorder) -> bool:
    """Whether a graph is small enough to be kept: every array was, and all together are few bytes."""
    arrays = [value.value.array for value in recorder.values]
    return sum(MOST_BYTES if a is None else a.nbytes for a in arrays) < MOST_BYTES


def _tensors_of(program: Program) -> list[Tensor]:
    return list(tensors_in([*program.inputs, *program.targets]))


def _same(seen: np.ndarray | None, now: np.ndarray) -> bool:
    if seen is None or seen.shape != now.shape or seen.dtype != now.dtype:
        return False
    return seen is now or np.array_equal(seen, now, equal_nan=now.dtype.kind == "f")


def _state_of(experiment: Experiment) -> list[Any]:
    """What else a forward pass depends on, as far as it can be seen: Cells, modes, hooks, the seed."""
    program = experiment.program
    hooks = [tuple(t._extra.hooks or ()) if t._extra is not None else () for t in _tensors_of(program)]
    weights = [(id(p), id(p._node)) for p, _ in program.parameter_names()]
    cells = [
        (path, id(cell), cell.training, cell.phase, [list(getattr(cell._hooks, kind, ())) for kind in KINDS])
        for path, cell in program.cells.items()
    ]
    return [experiment.seed, modes.graph_mode, cells, weights, hooks]
