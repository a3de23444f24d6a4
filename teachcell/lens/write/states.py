"""Why a gradient looks as it does: computed, exactly zero, cut, not needed, not differentiable; and where NaN starts.

A value *matters* if the loss depends on it. A value that matters and was tracked (a Parameter or an asked input
lies behind it), yet has no gradient, was cut off further on: by an op without a rule, by a Cell's own rule that
gave none, or by a hook that put new data in its place.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...texts import say
from ..watch.recorder import Recorder
from ..watch.seen import NEW_DATA, Seen, Severed, ValueSeen

State = tuple[str, str | None]
RELUS = ("relu", "relu6")  # ops with units that can be off
SEVERED_BY = {"forward_pre": "lens.cut_pre_hook", "forward": "lens.cut_hook", "copy": "lens.cut_copy"}


@dataclass(frozen=True)
class Cut:
    """Where a gradient was cut, at an op or (a hook, a Cell's own rule) at a call, and why in words."""

    op: int | None
    call: int
    why: str


class States:
    """The states of all values of one recorded run.

    Args:
        recorder: what was seen.
        roots: the values that were differentiated.
        names: for each call, its Cell's path, or the name it is known by.
        unfinished: why a gradient may be missing that would have come, or "" if the backward pass ran to its end.

    Attributes:
        cuts: value id to the Cut that is met first on the way from the value to the result.
        places: the Cuts, each with one value right before it.
    """

    def __init__(self, recorder: Recorder, roots: list[int], names: list[str], unfinished: str = ""):
        self.recorder, self.names, self.unfinished = recorder, names, unfinished
        self.values, self.ops, self.calls = recorder.values, recorder.ops, recorder.calls
        self.users: list[list[int]] = [[] for _ in self.values]
        for number, op in enumerate(self.ops):
            for value in dict.fromkeys(op.inputs):
                self.users[value].append(number)
        self.severed: dict[int, list[Severed]] = {}
        for place in recorder.severed:
            self.severed.setdefault(place.old, []).append(place)
        self.rule_of_call = self._rules_around()
        self.matters = self._matters(roots)
        self.blocked_by = self._blocked_by()
        self.cuts: dict[int, Cut] = {}
        self.places: dict[Cut, int] = {}
        if not unfinished:
            self._find_cuts()

    def _rules_around(self) -> list[int | None]:
        """For each call, the outermost call around it (or itself) whose own rule ran instead of its inside."""
        found: list[int | None] = []
        for number, call in enumerate(self.calls):
            outer = found[call.parent] if call.parent is not None else None
            found.append(number if outer is None and call.rule_inputs is not None else outer)
        return found

    def _matters(self, roots: list[int]) -> set[int]:
        """Backwards over the ops, and over the places where a hook put in something else."""
        found = set(roots)
        behind: dict[int, list[int]] = {}
        for place in self.recorder.severed:
            behind.setdefault(place.new, []).append(place.old)
        for op in reversed(self.ops):
            for value in op.outputs:
                if value in found:
                    found.update(op.inputs, behind.get(value, ()))
            for value in op.inputs:
                if value in found:
                    found.update(behind.get(value, ()))
        return found.union(*(behind.get(value, ()) for value in roots))

    def _blocked_by(self) -> dict[int, str]:
        """For each value that an asked one lies behind, though nothing can be passed on to it: the op in between."""
        found: dict[int, str] = {}
        for op in self.ops:
            blocks = [op.op.label] if any(self.values[v].tracked for v in op.inputs) else []
            blocks += [found[v] for v in op.inputs if v in found]
            if blocks:
                found.update((v, blocks[0]) for v in op.outputs if not self.values[v].tracked)
        return found

    # Cuts -------------------------------------------------------------------------------------------------

    def _find_cuts(self) -> None:
        """From the result back, so that what lies further on is known."""
        made = [value for op in reversed(self.ops) for value in op.outputs]
        leaves = [number for number, value in enumerate(self.values) if value.op is None]
        for number in (*made, *leaves):
            value = self.values[number]
            known = value.tracked or self._replaced_by_rule(number) is not None
            if known and number in self.matters and value.gradient is None:
                cut = self._cut_at(number)
                if cut is not None:
                    self.cuts[number] = cut

    def _cut_at(self, number: int) -> Cut | None:
        for place in self.severed.get(number, ()):
            if place.new in self.matters:
                return self._place(Cut(None, place.call, self._why_severed(place)), number)
        for op in self.users[number]:
            outputs = [v for v in self.ops[op].outputs if v in self.matters]
            if not outputs:
                continue
            call = self.ops[op].call
            rule = self.rule_of_call[call]
            if rule is not None and not self._is_inside(number, rule):
                if any(self.values[v].gradient is not None for v in self.calls[rule].returned):
                    return self._place(Cut(None, rule, say("lens.cut_rule", cell=self.names[rule])), number)
            elif rule is None and self._passes_nothing(op, outputs):
                return self._place(Cut(op, call, self._why_op(op)), number)
            further = next((self.cuts[v] for v in outputs if v in self.cuts), None)
            if further is not None:
                return further
        return None

    def _why_severed(self, place: Severed) -> str:
        return say(SEVERED_BY[place.kind], cell=self.names[place.call], hook=place.hook)

    def _place(self, cut: Cut, number: int) -> Cut:
        if self.values[number].tracked and self._replaced_by_rule(number) is None:
            self.places.setdefault(cut, number)
        return cut

    def _passes_nothing(self, op: int, outputs: list[int]) -> bool:
        """Whether an op that got a gradient, or never could, sends none to a tracked input."""
        return not any(self.values[v].tracked and self.values[v].gradient is None for v in outputs)

    def _why_op(self, op: int) -> str:
        seen = self.ops[op]
        if seen.op is NEW_DATA:
            return say("lens.cut_new_data", cell=self.names[seen.call])
        return say("lens.cut_op", op=seen.op.label)

    def _is_inside(self, number: int, call: int) -> bool:
        op = self.values[number].op
        return op is not None and self.rule_of_call[self.ops[op].call] == call

    def _replaced_by_rule(self, number: int) -> int | None:
        """The call whose own rule ran instead of the op that made this value."""
        op = self.values[number].op
        rule = self.rule_of_call[self.ops[op].call] if op is not None else None
        return None if rule is None or number in self.calls[rule].returned else rule

    # States -----------------------------------------------------------------------------------------------

    def gradient(self, number: int) -> State:
        """State of a value's gradient, and why."""
        value = self.values[number]
        if value.gradient is not None:
            return self._arrived(number, value.gradient), None
        if value.value.dtype.kind != "f":
            return "not differentiable", say("lens.why_integer", dtype=value.value.dtype)
        rule = self._replaced_by_rule(number)
        if rule is not None:
            return "not needed", say("lens.why_own_rule", cell=self.names[rule])
        if value.kind == "parameter" and not value.tracked:
            return "not needed", say("lens.why_frozen")
        if value.kind == "input" and not value.tracked:
            return "not asked", say("lens.why_not_asked")
        if self.unfinished:
            return "not asked", self.unfinished
        if number not in self.matters:
            return "not needed", say("lens.why_no_influence" if self.users[number] else "lens.why_unused")
        if value.tracked and number in self.cuts:
            return "cut", self.cuts[number].why
        if number in self.blocked_by:
            return "not needed", say("lens.why_blocked", op=self.blocked_by[number])
        put_in = next((place for place in self.recorder.severed if place.new == number), None)
        if put_in is not None:
            return "not needed", say("lens.why_put_in", why=self._why_severed(put_in))
        return "not needed", say("lens.why_nothing_behind")

    def _arrived(self, number: int, gradient: Seen) -> str:
        if not gradient.finite:
            return "nan starts" if number == self.recorder.nan_gradient else "nan"
        return "zero" if gradient.zero and gradient.size else "computed"

    def value(self, number: int) -> str:
        """State of a value: computed, dead (a ReLU with no unit on), or NaN and where it starts."""
        value = self.values[number]
        if not value.value.finite:
            inputs = self.ops[value.op].inputs if value.op is not None else []
            return "nan starts" if all(self.values[i].value.finite for i in inputs) else "nan"
        return "dead" if self._is_dead(value) else "computed"

    def _is_dead(self, value: ValueSeen) -> bool:
        is_relu = value.op is not None and self.ops[value.op].op.name in RELUS
        return is_relu and value.value.zero and value.value.dtype.kind == "f" and bool(value.value.size)
