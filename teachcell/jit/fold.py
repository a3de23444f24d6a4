"""Fold: steps that give what an earlier step gave already are left out, and their results read there."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Any

import numpy as np

from .plan import VALUE, Assign, Slot, Step, with_slots


def folded(steps: list[Any], kept: Collection[Slot]) -> tuple[list[Any], set[Slot]]:
    """The steps without repeated calls of a ufunc and without copies that nobody writes to: a twentieth of an LSTM's.

    Also the slots that were left out. ``kept``: slots that somebody may hold after the run.
    """
    instead: dict[Slot, Slot] = {}
    known: dict[Any, Slot] = {}
    roots = {slot.root for slot in kept}
    left = []

    def read(value: Any) -> Any:
        return instead.get(value, value) if type(value) is Slot else value

    for step in steps:
        if isinstance(step, Assign):
            step = replace(step, slot=read(step.slot))
        elif isinstance(step, Step):
            step = replace(step, args=with_slots(step.args, read), kwargs=with_slots(step.kwargs, read))
            earlier = _copied(step, roots) or _repeated(step, roots, known)
            if earlier is not None:
                instead[step.outs[0][1]] = earlier
                continue
        left.append(step)
    return left, set(instead)


def is_ufunc_call(step: Step) -> bool:
    """Whether it is an element-wise ufunc's plain call with nothing but operands."""
    return isinstance(step.function, np.ufunc) and step.function.signature is None and not step.kwargs


def _single(step: Step, roots: set[Slot]) -> Slot | None:
    """The one array that it gives, if it is nobody else's and never written to."""
    if len(step.outs) != 1 or step.outs[0][0] != () or step.writes or step.guards or step.draws:
        return None
    slot = step.outs[0][1]
    return None if slot.root in roots or slot.root.changed or not slot.is_array else slot


def _copied(step: Step, roots: set[Slot]) -> Slot | None:
    """What a copy, or a view of the whole, is of."""
    if step.label not in ("copy", "view") or len(step.args) != 1 or step.kwargs or type(step.args[0]) is not Slot:
        return None
    slot, source = _single(step, roots), step.args[0]
    if slot is None or source.kind != VALUE or source.root.kind != VALUE or source.root in roots:
        return None
    same = slot.value.strides == source.value.strides and slot.value.dtype == source.value.dtype
    return source if same and source.is_array and not source.root.changed else None


def _repeated(step: Step, roots: set[Slot], known: dict[Any, Slot]) -> Slot | None:
    """The result of an earlier call of the same ufunc on the same operands; what is asked first is noted."""
    if not is_ufunc_call(step):
        return None
    slot, operands = _single(step, roots), step.inputs
    if slot is None or len(operands) != len(step.args) or any(s.root.changed for s in operands):
        return None
    earlier = known.setdefault((step.function, *operands), slot)
    return None if earlier is slot else earlier
