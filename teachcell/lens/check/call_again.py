"""One recorded call of a Cell, computed again in float64."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from ...autodiff.check.repeat import argument_names, in_float64, silent
from ...core import modes
from ...core.nested import tensors_in
from ...core.protect import Protection, restore_random
from ...core.tensor import Tensor
from ..rules import own_bprop
from ..watch.recorder import Recorder
from ..watch.seen import CallSeen, Slot, mapped
from .again import Again

MOST_PARAMETERS = 12


class CallAgain(Again):
    """A recorded call of a Cell as a function of its float inputs and of its trainable Parameters."""

    def __init__(self, cell: Any, call: CallSeen, recorder: Recorder):
        self.cell, self.call = cell, call
        self.inside = [part for _, part in cell.cells_and_names()]
        internal = [w for w in getattr(cell, "internal_params", None) or () if w._node is not None]
        known = set(map(id, internal))
        trained = [(n, p) for n, p in cell.parameters_and_names() if p._node is not None and id(p) not in known]
        self.left_out = max(0, len(trained) - MOST_PARAMETERS)
        self._named = [*((w.name.rpartition(".")[2], w) for w in internal), *trained[:MOST_PARAMETERS]]
        calls = calls_inside(recorder, call)
        self.length = sum(op.call in calls for op in recorder.ops)
        ran = {id(recorder.calls[n].cell): recorder.calls[n].cell for n in sorted(calls)}
        self.ruled = [part for part in ran.values() if part is not cell and getattr(part, "bprop", None) is not None]
        super().__init__(recorder, call.given, call.returned, [w for _, w in self._named])
        self.answered = len(self.positions) + len(internal)

    def _names(self) -> list[str]:
        args, kwargs = self.call.arguments
        names = argument_names(self.cell.construct, args, kwargs, _slots_in)
        return [*(names[i] for i in self.positions), *(name for name, _ in self._named)]

    @contextmanager
    def ready(self, rule: Any) -> Iterator[None]:
        """Inside, the Cell has ``rule`` as its bprop, or none."""
        parameters = [p for _, p in self.cell.parameters_and_names()]
        with (
            Protection(self.inside), modes.silencing(), silent(), in_float64(self.inside, parameters),
            own_bprop(self.cell, rule),
        ):  # fmt: skip
            yield

    def _outputs(self, inputs: Sequence[Tensor]) -> list[Tensor]:
        restore_random(self.call.random_state)
        tensors = iter(self._filled(inputs))
        args, kwargs = mapped(self.call.arguments, Slot, lambda _: next(tensors))
        return list(tensors_in(self.cell(*args, **kwargs)))


def calls_inside(recorder: Recorder, call: CallSeen) -> set[int]:
    """The numbers of a call and of those below it."""
    inside = {n for n, c in enumerate(recorder.calls) if c is call}
    for number, each in enumerate(recorder.calls):  # parents come first
        if each.parent in inside:
            inside.add(number)
    return inside


def _slots_in(value: Any) -> int:
    """How many Tensors an argument holds."""
    found: list[int] = []
    mapped(value, Slot, found.append)
    return len(found)
