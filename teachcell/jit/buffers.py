"""Buffers: arrays that a plan allocates once and writes into in every run.

Only what nobody can hold after the run gets one: not what is handed out, assigned, written into, or given to a step
that may keep it. When the last step that looks at a buffer is done, later results of the same form take it over; an
element-wise step may do so with its own operand's. It also writes over a large operand that is new in every run and
that nobody looks at afterwards: no further memory has to come into the cache.

Views of buffers are made here as well, once for all runs, and parts that are put together to one array are computed
into their places there: of 90 steps that an LSTM takes per time step, 15 need not run then.
"""

from __future__ import annotations

import math
from collections import Counter
from typing import Any, NamedTuple

import numpy as np

from .fold import is_ufunc_call
from .form import fixed
from .plan import VALUE, Slot, Step
from .traced import as_zero_d

_VIEWS = frozenset({"expand_dims", "getitem", "parts", "ravel", "reshape", "squeeze", "swapaxes", "transpose"})
DOTS = (np.dot, np.ndarray.dot)
COPIES = frozenset({"astype", "copy"})  # methods of an array whose result can be copied into a buffer
# Kernels whose first result is a new array in every run, which nobody else holds.
_NEW = frozenset({"batch_norm", "convolution", "max_pool", "max_pool_grad", "transposed_convolution"})
_LARGE = 1 << 15  # bytes of one that is written over: smaller ones are better in a buffer, with their views made once


class Place(NamedTuple):
    """Where a result is computed into: ``whole[index]``."""

    whole: Slot
    index: Any


class Buffers:
    """Which slot is computed into which array.

    Args:
        steps: those of the plan.
        kept: slots whose arrays live on; None: all.

    Attributes:
        done: steps that need not run, since their results are there already.
    """

    def __init__(self, steps: list[Any], kept: list[Slot] | None):
        self._arrays: dict[Slot, np.ndarray] = {}
        self._places: dict[Slot, Place] = {}
        self._over: dict[Slot, Slot] = {}
        self.done: set[Step] = set()
        if kept is None:
            return
        calls = [step for step in steps if isinstance(step, Step)]
        self._barred = {slot.root for slot in kept}
        self._barred |= {step.slot.root for step in steps if not isinstance(step, Step)}
        for step in calls:
            if not (step.guards or fixed(step) or (step.writes and not step.holds)):
                self._barred.update(slot.root for slot in (*step.inputs, *[s for _, s in step.outs]))
        self._find_places(calls)
        last: dict[Slot, int] = {}  # by root: the last step that looks at that memory
        for i, step in enumerate(calls):
            for slot in (*step.inputs, *[s for _, s in step.outs]):
                last[self._root(slot)] = i
        self._assign(calls, last)

    def of(self, slot: Slot) -> np.ndarray | None:
        """The array that a slot is computed into, or None: a new one each time."""
        return self._arrays.get(slot)

    def over(self, slot: Slot) -> Slot | None:
        """The operand that a result is written over, or None."""
        return self._over.get(slot)

    def _root(self, slot: Slot) -> Slot:
        place = self._places.get(slot.root)
        return slot.root if place is None else self._root(place.whole)

    # Places ------------------------------------------------------------------------------------------------------

    def _find_places(self, steps: list[Step]) -> None:
        """Find the parts that can be computed into the whole, and numbers that can be computed as arrays."""
        makers = {step.outs[0][1] for step in steps if is_ufunc_call(step) and len(step.outs) == 1}
        others = Counter(slot for step in steps if not is_ufunc_call(step) for slot in step.inputs)
        uses = Counter(slot for step in steps for slot in step.inputs)
        for step in steps:
            parts, indices = self._parts(step)
            whole = step.outs[0][1] if parts else None
            counted = uses if step.function is as_zero_d else others  # layouts do not matter to ufuncs
            if whole is not None and self._free(whole) and all(
                part in makers and counted[part] == 1 and self._free(part) for part in parts
            ):  # fmt: skip
                self._places.update((part, Place(whole, i)) for part, i in zip(parts, indices, strict=True))
                self.done.add(step)

    @staticmethod
    def _parts(step: Step) -> tuple[list[Slot], list[Any]]:
        """What a step puts together, and where each part goes; nothing if it leaves gaps."""
        if step.function is as_zero_d:
            return [step.args[0]], [...]
        if step.label != "assemble" or len(step.args) != 3 or step.kwargs:
            return [], []
        parts, shape, indices = step.args
        whole = step.outs[0][1].value
        fit = all(type(p) is Slot and p.value.dtype == whole.dtype for p in parts)
        if not fit or sum(p.value.size for p in parts) != math.prod(shape):
            return [], []
        return list(parts), list(indices)

    def _free(self, slot: Slot) -> bool:
        """Whether its memory is its own, and nobody writes to it or holds it."""
        alone = slot.root is slot and slot.kind == VALUE and slot not in self._barred and not slot.changed
        return alone and slot.value.size > 0

    # Arrays ------------------------------------------------------------------------------------------------------

    def _assign(self, steps: list[Step], last: dict[Slot, int]) -> None:
        free: dict[Any, list[np.ndarray]] = {}
        waiting: dict[int, list[Slot]] = {}
        new: set[Slot] = set()
        for i, step in enumerate(steps):
            if step.label in _NEW and self._free(step.outs[0][1]):
                new.add(step.outs[0][1])
            if self._written_over(step, {slot for slot in new if last[slot] == i}):
                new.add(step.outs[0][1])
                continue
            dying = waiting.pop(i, [])
            inplace = [slot for slot in dying if self._may_overwrite(step, slot)]
            for slot in inplace:
                free.setdefault(_form(slot.value), []).append(self._arrays[slot])
            if self._can_buffer(step):
                slot = step.outs[0][1]
                whole = self._root(slot)
                if whole not in self._arrays:
                    ready = free.get(_form(whole.value))
                    self._arrays[whole] = ready.pop() if ready else whole.form().empty()
                    if last[whole] > i:
                        waiting.setdefault(last[whole], []).append(whole)
                    else:
                        dying.append(whole)
                self._into_place(slot)
            self._view(step)
            for slot in dying:
                if slot not in inplace:
                    free.setdefault(_form(slot.value), []).append(self._arrays[slot])

    def _written_over(self, step: Step, dying: set[Slot]) -> bool:
        """Whether an element-wise step writes over an operand that is new, and not looked at any more."""
        if not is_ufunc_call(step) or not self._can_buffer(step) or step.outs[0][1] in self._places:
            return False
        result = step.outs[0][1]
        for slot in step.inputs:
            alone = all(other is slot or self._root(other) is not slot.root for other in step.inputs)
            large = slot.value.nbytes >= _LARGE and _form(slot.value) == _form(result.value)
            if slot.root in dying and alone and large:
                self._over[result] = slot
                return True
        return False

    def _into_place(self, slot: Slot) -> None:
        if slot in self._places:
            whole, index = self._places[slot]
            self._into_place(whole)
            self._arrays[slot] = self._arrays[whole][index]

    def _view(self, step: Step) -> None:
        """Make the views that a step takes of a buffer."""
        if step.label not in _VIEWS or step.guards or step.writes or not fixed(step):
            return
        sources = step.inputs
        array = self._arrays.get(sources[0]) if len(sources) == 1 else None
        if array is None or step.args[0] is not sources[0]:
            return
        found = step.function(array, *step.args[1:], **step.kwargs)
        views = [found if path == () else found[path[0]] for path, _ in step.outs]
        if all(
            isinstance(view, np.ndarray) and np.may_share_memory(view, array) and view.strides == slot.value.strides
            for view, (_, slot) in zip(views, step.outs, strict=True)
        ):  # fmt: skip
            self._arrays.update((slot, view) for view, (_, slot) in zip(views, step.outs, strict=True))
            self.done.add(step)

    def _may_overwrite(self, step: Step, slot: Slot) -> bool:
        """Whether an element-wise step may write its result over this operand."""
        return (
            is_ufunc_call(step)
            and all(s is slot or self._root(s) is not slot for s in step.inputs)
            and len(step.outs) == 1 and step.outs[0][1].value.shape == slot.value.shape
        )  # fmt: skip

    def _can_buffer(self, step: Step) -> bool:
        writes_out = isinstance(step.function, np.ufunc) or (step.function in DOTS and len(step.inputs) == 2)
        copies = step.label in COPIES and len(step.inputs) == 1 and step.args[0] is step.inputs[0]
        if not (writes_out or copies) or (step.kwargs and not copies) or step.guards or len(step.outs) != 1:
            return False
        path, slot = step.outs[0]
        return path == () and self._free(slot) and (slot in self._places or slot.is_array)


def _form(array: np.ndarray) -> Any:
    return array.shape, array.dtype, array.strides
