"""One recorded op, computed again in float64."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from ...autodiff.check.repeat import silent
from ...core import modes
from ...core.op import Op
from ...core.protect import Protection, restore_random, seed_random
from ...core.record import apply
from ...core.tensor import Tensor
from ..lab.op_rules import Choice, twin_of
from ..watch.recorder import Recorder
from .again import Again


class OpAgain(Again):
    """A recorded op as a function of its float inputs."""

    def __init__(self, op: Op, number: int, recorder: Recorder, seed: int):
        self.seen, self._op, self._running = recorder.ops[number], op, op
        self._slots = self.seen.inputs
        self._values = recorder.values
        self._state, self._seed = recorder.calls[self.seen.call].random_state, seed
        super().__init__(recorder, self._slots, self.seen.outputs, ())
        self.answered = len(self.positions)

    def _names(self) -> list[str]:
        return [self._name(i, v) for i, v in enumerate(self.seen.slots) if v is not None and self._is_float(v)]

    def _is_float(self, value: int) -> bool:
        return self._values[value].value.dtype.kind == "f"

    def _name(self, slot: int, value: int) -> str:
        """The input's letter in the op's formulas, and the name of the Parameter or input that it is."""
        letters, name = self._op.inputs, self._values[value].name
        letter = letters[slot] if self._op.arity is not None and slot < len(letters) else f"x{slot}"
        return letter if name is None or name == letter else f"{letter} ({name})"

    @contextmanager
    def ready(self, rule: Any) -> Iterator[None]:
        """Inside, the op has ``rule``, called like a bprop."""
        with Protection(()), modes.silencing(), silent():
            self._running = self._op if rule is None else twin_of(self._op, Choice("", rule))
            yield

    def _outputs(self, inputs: Sequence[Tensor]) -> list[Tensor]:
        if self._state is None:  # outside all Cells
            seed_random(self._seed)
        else:
            restore_random(self._state)
        tensors = iter(self._filled(inputs))
        slots = [None if v is None else next(tensors) for v in self.seen.slots]
        found: Any = apply(self._running, slots, self.seen.attrs)
        return list(found) if isinstance(found, tuple) else [found]
