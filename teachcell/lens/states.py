"""Why a gradient looks as it does: computed, exactly zero, cut, not needed, not differentiable; and where NaN starts.

A value *matters* if the loss depends on it. It *leads back* if a Parameter or an asked input lies behind it.
A value that matters and leads back, yet has no gradient, was cut off further on: by an op without a rule,
or by a hook that put new data in its place.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..texts import say
from .recorder import Recorder, ValueSeen

State = tuple[str, str | None]


class States:
    """The states of all values of one recorded run.

    Args:
        recorder: what was seen.
        roots: the values that were differentiated.
        backward: whether a backward pass ran to its end.
        paths: path of each call's Cell.
    """

    def __init__(self, recorder: Recorder, roots: list[int], backward: bool, paths: list[str]):
        self.recorder, self.backward, self.paths = recorder, backward, paths
        count = len(recorder.values)
        self.users: list[list[int]] = [[] for _ in range(count)]
        for number, op in enumerate(recorder.ops):
            for value in op.inputs:
                self.users[value].append(number)
        self.severed = {cut.old: cut for cut in recorder.severed}
        self.matters = self._matters(set(roots))
        self.leads_back = self._leads_back()

    def _matters(self, found: set[int]) -> set[int]:
        """Backwards over the ops, and over the places where a hook put in new data."""
        behind = {cut.new: cut.old for cut in self.recorder.severed}
        for op in reversed(self.recorder.ops):
            if not found.isdisjoint(op.outputs):
                found.update(op.inputs)
                found.update(behind[v] for v in op.inputs if v in behind)
        return found

    def _leads_back(self) -> set[int]:
        """Forwards: what a float Parameter that is trained, or a float input, reaches, over cuts as well."""
        values = self.recorder.values
        found = {
            i for i, v in enumerate(values) if v.kind in ("parameter", "input") and v.value.dtype.kind == "f" and v.tracked
        }
        for op in self.recorder.ops:
            if not found.isdisjoint(op.inputs):
                found.update(op.outputs)
        return found

    def gradient(self, number: int) -> State:
        """State of a value's gradient, and why."""
        value = self.recorder.values[number]
        if value.gradient is not None:
            return _of_array(value.gradient.array), None
        if value.value.dtype.kind != "f":
            return "not differentiable", say("lens.why_integer", dtype=value.value.dtype)
        if not self.backward:
            return "not asked", say("lens.why_no_backward")
        if value.kind == "parameter" and not value.tracked:
            return "not needed", say("lens.why_frozen")
        inside = self._own_rule_around(value)
        if inside is not None:
            return "not needed", say("lens.why_own_rule", cell=inside)
        if number not in self.matters:
            key = "lens.why_unused" if not self.users[number] else "lens.why_no_influence"
            return "not needed", say(key)
        if number not in self.leads_back:
            return "not needed", say("lens.why_nothing_behind")
        cause = self._cause(number)
        if cause is None:
            return "not needed", say("lens.why_nothing_behind")
        return "cut", cause

    def _own_rule_around(self, value: ValueSeen) -> str | None:
        """The path of the Cell whose own rule ran instead of the op that made this value."""
        call: int | None = self.recorder.ops[value.op].call if value.op is not None else None
        while call is not None:
            if self.recorder.calls[call].own_rule:
                return self.paths[call] or type(self.recorder.calls[call].cell).__name__
            call = self.recorder.calls[call].parent
        return None

    def _cause(self, start: int) -> str | None:
        """Words for the cut beyond a value: the first one met going forward, or None if the gradient lies behind it."""
        stack, seen = [start], {start}
        while stack:
            value = stack.pop(0)
            cut = self.severed.get(value)
            if cut is not None:
                key = "lens.cut_pre_hook" if cut.kind == "forward_pre" else "lens.cut_hook"
                return say(key, cell=self.paths[cut.call], hook=cut.hook)
            for number in self.users[value]:
                op = self.recorder.ops[number]
                if op.op.rules is None or all(self.recorder.values[o].value.dtype.kind != "f" for o in op.outputs):
                    return say("lens.cut_op", op=op.op.label)
                for out in op.outputs:
                    if out not in seen and out in self.matters:
                        seen.add(out)
                        stack.append(out)
        return None

    def value(self, number: int) -> str:
        """State of a value: computed, dead (a ReLU with no unit on), or NaN and where it starts."""
        value = self.recorder.values[number]
        array = value.value.array
        if array is None or array.dtype.kind != "f":
            return "computed"
        if not np.isfinite(array).all():
            inputs = self.recorder.ops[value.op].inputs if value.op is not None else []
            sources = [self.recorder.values[i].value.array for i in inputs]
            return "nan starts" if all(s is None or np.isfinite(s).all() for s in sources) else "nan"
        if value.op is not None and self.recorder.ops[value.op].op.name in ("relu", "relu6") and not array.any():
            return "dead"
        return "computed"


def _of_array(gradient: np.ndarray | None) -> str:
    if gradient is None:
        return "computed"
    if not np.isfinite(gradient).all():
        return "nan"
    return "computed" if gradient.any() or not gradient.size else "zero"


def first_nan_gradient(recorder: Recorder) -> int | None:
    """The value at which NaN or Inf first appears in the backward pass."""
    for event in recorder.events:
        if event["kind"] in ("backward", "bprop"):
            for number in (*event["incoming"], *event["outgoing"]):
                gradient: Any = recorder.values[number].gradient
                if gradient is not None and gradient.array is not None and not np.isfinite(gradient.array).all():
                    return number
    return None
