"""Buffers: arrays that a plan allocates once and writes into in every run.

Only results of ufuncs that nobody can hold after the run get one: not what is handed out, assigned, written into, or
given to a step that may keep it. When the last step that looks at a buffer is done, later results of the same form
take it over; an element-wise step may do so with its own operand's.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .form import fixed
from .plan import VALUE, Slot, Step


class Buffers:
    """Which slot is computed into which array.

    Args:
        steps: those of the plan.
        kept: slots whose arrays live on; None: all.
    """

    def __init__(self, steps: list[Any], kept: list[Slot] | None):
        self._arrays: dict[Slot, np.ndarray] = {}
        if kept is None:
            return
        last: dict[Slot, int] = {}  # by root: the last step that looks at that memory
        barred = {slot.root for slot in kept}
        for i, step in enumerate(steps):
            if not isinstance(step, Step):
                barred.add(step.slot.root)
                continue
            for slot in (*step.inputs, *[s for _, s in step.outs]):
                last[slot.root] = i
                if not (step.guards or fixed(step) or (step.writes and not step.holds)):
                    barred.add(slot.root)
        self._assign(steps, barred, last)

    def of(self, slot: Slot) -> np.ndarray | None:
        """The array that a slot is computed into, or None: a new one each time."""
        return self._arrays.get(slot)

    def _assign(self, steps: list[Any], barred: set[Slot], last: dict[Slot, int]) -> None:
        free: dict[Any, list[np.ndarray]] = {}
        waiting: dict[int, list[Slot]] = {}
        for i, step in enumerate(steps):
            if not isinstance(step, Step):
                continue
            dying = waiting.pop(i, [])
            inplace = [slot for slot in dying if self._may_overwrite(step, slot)]
            for slot in inplace:
                free.setdefault(_form(slot.value), []).append(self._arrays[slot])
            if self._can_buffer(step, barred):
                slot = step.outs[0][1]
                ready = free.get(_form(slot.value))
                self._arrays[slot] = ready.pop() if ready else np.empty_like(slot.value)
                if last[slot] > i:
                    waiting.setdefault(last[slot], []).append(slot)
                else:
                    dying.append(slot)
            for slot in dying:
                if slot not in inplace:
                    free.setdefault(_form(slot.value), []).append(self._arrays[slot])

    @staticmethod
    def _may_overwrite(step: Step, slot: Slot) -> bool:
        """Whether an element-wise step may write its result over this operand."""
        return (
            isinstance(step.function, np.ufunc) and step.function.signature is None and not step.kwargs
            and all(s is slot or s.root is not slot for s in step.inputs)
            and len(step.outs) == 1 and step.outs[0][1].value.shape == slot.value.shape
        )  # fmt: skip

    @staticmethod
    def _can_buffer(step: Step, barred: set[Slot]) -> bool:
        writes_out = isinstance(step.function, np.ufunc) or (step.function is np.dot and len(step.inputs) == 2)
        if not writes_out or step.kwargs or step.guards or len(step.outs) != 1:
            return False
        path, slot = step.outs[0]
        return (
            path == () and slot.root is slot and slot not in barred and slot.kind == VALUE
            and isinstance(slot.value, np.ndarray) and slot.value.size > 0 and not slot.changed
        )  # fmt: skip


def _form(array: np.ndarray) -> Any:
    return array.shape, array.dtype, array.strides
