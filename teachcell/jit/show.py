"""A jit function's plans as text: a table of steps, and what has to hold for a call to take them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.tensor import Tensor
from ..texts import say
from .callables import Whole
from .code import needed
from .form import guarded_form
from .plan import ARGUMENT, CONSTANT, Assign, Given, Read, Slot, Step, slots_in

if TYPE_CHECKING:
    from .function import Jitted
    from .replay import Plan

_WIDEST = 44


def text(jitted: Jitted) -> str:
    """All plans, or why there is none."""
    plans = [plan for found in jitted.plans.values() for plan in found]
    blocks = [_plan(f"{jitted.name} {i}/{len(plans)}", plan) for i, plan in enumerate(plans, 1)]
    if jitted.reason is not None:
        blocks.append(say("jit.eager", name=jitted.name, reason=jitted.reason))
    return "\n\n".join(blocks or [say("jit.no_run")])


def _plan(title: str, plan: Plan) -> str:
    names = _Names(plan)
    rows = _rows(plan.steps, names)
    for way in [*plan.linked.ways.values()][:1] if plan.linked is not None else ():
        rows.append((say("jit.backward"), "", "", ""))
        rows += _rows(needed(way.steps, slots_in(way.gradients)), names)
    table = _table([(say("jit.step"), say("jit.op"), say("jit.inputs"), say("jit.shape")), *rows])
    return "\n".join([title, *table, f"{say('jit.returned')}: {names.of(plan.returned)}", *_guards(plan, names)])


class _Names:
    """What a reader calls the slots: arguments and Parameters by name, constants by value, results by number."""

    def __init__(self, plan: Plan):
        self._arguments = plan.arguments
        self._number: dict[Slot, int] = {}
        ways = () if plan.linked is None else plan.linked.ways.values()
        for step in (*plan.steps, *(step for way in ways for step in way.steps)):
            if isinstance(step, Step):
                for _, slot in step.outs:
                    self._number[slot] = len(self._number)

    def of(self, value: Any) -> str:
        kind = type(value)
        if kind is tuple or kind is list:
            ends = "()" if kind is tuple else "[]"
            return f"{ends[0]}{', '.join(map(self.of, value))}{ends[1]}"
        if kind is dict:
            return ", ".join(f"{k}={self.of(v)}" for k, v in value.items())
        if kind is Given:
            return self._arguments[value.number]
        if isinstance(value, Tensor):
            return getattr(value, "name", "Tensor")
        if kind is Slot:
            return self._slot(value)
        if isinstance(value, np.generic):
            return f"{value.item():.6g}"
        return f"<{getattr(value, '__name__', kind.__name__)}>" if callable(value) else repr(value)

    def _slot(self, slot: Slot) -> str:
        if slot in self._number:
            return f"%{self._number[slot]}"
        if slot.kind == ARGUMENT:
            return self._arguments[slot.number]
        if slot.kind == CONSTANT:
            return f"{slot.value.item():.6g}" if slot.value.size == 1 else f"const{form(slot.value)}"
        return "seed" if slot.tensor is None else self.of(slot.tensor)


def form(array: Any) -> str:
    """``(2, 3) float32``."""
    return f"{array.shape} {array.dtype}"


def _rows(steps: list[Any], names: _Names) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = []
    for step in steps:
        if isinstance(step, Assign):
            rows.append(("", "assign", f"{names.of(step.target)} ← {names.of(step.slot)}", form(step.slot.value)))
        elif isinstance(step, Step) and isinstance(step.function, Whole):
            rows += _updates(step, step.function.owner, names)
        elif isinstance(step, Step):
            given = ", ".join(filter(None, (names.of(step.args)[1:-1], names.of(step.kwargs))))
            made = " ".join(names.of(slot) for _, slot in step.outs)
            result = f"= {step.expected!r}" if step.guards else ", ".join(form(slot.value) for _, slot in step.outs)
            label = f"{step.part_of}: {step.label}" if step.part_of else step.label
            rows.append((made, f"{label}?" if step.guards else label, given, result))
    return rows


def _updates(step: Step, optimizer: Any, names: _Names) -> Iterator[tuple[str, ...]]:
    """What an optimizer moves, and by which gradient."""
    label = step.label
    for parameter, gradient in zip(optimizer.parameters, step.args[0], strict=True):
        words = say("jit.update", parameter=parameter.name, gradient=names.of(gradient))
        yield "", label, words, form(parameter._array)
        label = ""


def _table(rows: list[tuple[str, ...]]) -> list[str]:
    rows = [tuple(cell if len(cell) <= _WIDEST else f"{cell[: _WIDEST - 1]}…" for cell in row) for row in rows]
    widths = [max(len(row[i]) for row in rows) for i in range(4)]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    ]  # fmt: skip


def _guards(plan: Plan, names: _Names) -> list[str]:
    """What has to hold."""
    read = [step.slot for step in plan.steps if isinstance(step, Read) and step.slot.touched]
    forms = [f"{names.of(slot)}: {form(slot.value)}" for slot in dict.fromkeys(read)]
    for step in plan.steps:
        if isinstance(step, Step) and step.guards:
            forms.append(f"{step.label}({names.of(step.args[0])}) = {step.expected!r}")
        elif isinstance(step, Step):
            forms += [f"{names.of(slot)}: {form(slot.value)}" for slot in guarded_form(step)]
    lines = [f"{say('jit.guards')}: {', '.join(dict.fromkeys(forms))}"] if forms else []
    return [*lines, f"  {say('jit.python_values', count=plan.world.values.size)}"]
