"""Spots: which op of a program is meant, whatever its number in a run; and their Nodes while a run is going on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from threading import get_ident
from typing import Any, NamedTuple

from ...core.events import Observer
from ...core.op import Node, Op
from ...core.record import PICK
from ..program import Program
from ..watch.recorder import Recorder
from ..watch.seen import CONSTRUCT, NEW_DATA


class Spot(NamedTuple):
    """The ``nth`` op of a name in the ``call``-th call of the Cell at ``path``, both counted from 1."""

    path: str
    call: int
    op: str
    nth: int


def spots_of(recorder: Recorder, program: Program) -> Iterator[tuple[int, Spot]]:
    """Every op of a run that was watched: its number and its spot."""
    calls: list[tuple[str, int]] = []
    times: Counter[str] = Counter()
    for seen in recorder.calls:
        path = "" if seen.parent is None else program.path_of(seen.cell)
        times[path] += 1
        calls.append((path, times[path]))
    ops: Counter[tuple[str, int, str]] = Counter()
    for number, op in enumerate(recorder.ops):
        if op.op not in (CONSTRUCT, NEW_DATA):
            place = (*calls[op.call], op.op.name)
            ops[place] += 1
            yield number, Spot(*place, ops[place])


class SpotNodes(Observer):
    """An observer (see ``core.events``) that finds the Nodes of the ops of a forward pass.

    Attributes:
        found: Spot to Node and op, where one was recorded.
        running: whether it is still the forward pass.
    """

    def __init__(self, program: Program):
        self.found: dict[Spot, tuple[Node, Op]] = {}
        self.running = True
        self._program, self._thread = program, get_ident()
        self._stack: list[tuple[str, int]] = [("", 1)]
        self._times: Counter[str] = Counter() if program.is_cell else Counter({"": 1})
        self._ops: Counter[tuple[str, int, str]] = Counter()

    def _watching(self) -> bool:
        return self.running and get_ident() == self._thread

    def cell_enter(self, cell: Any, args: Any, kwargs: Any) -> None:
        """Ops belong to the innermost call."""
        if self._watching():
            path = self._program.path_of(cell)
            self._times[path] += 1
            self._stack.append((path, self._times[path]))

    def cell_exit(self, cell: Any, output: Any) -> None:
        """The call is over."""
        if self._watching() and len(self._stack) > 1:
            self._stack.pop()

    def op_forward(self, op: Op, inputs: Any, outputs: Any, attrs: Any) -> None:
        """Note the Node of an op."""
        if not self._watching():
            return
        place = (*self._stack[-1], op.name)
        self._ops[place] += 1
        for tensor in outputs if isinstance(outputs, tuple) else (outputs,):
            node = tensor._node
            if node is not None:
                self.found[Spot(*place, self._ops[place])] = node.parents[0] if node.op is PICK else node, op
