"""The picture of the hook timeline: lanes, columns of one time axis, and each entry's place in it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...texts import say
from ..program import Program
from ..watch.recorder import Recorder
from .entries import Entry, entries_of, learners_events
from .silent import silent_hooks
from .spans import Spans, is_forward
from .tell import Teller

MOST_LANES = 60
MOST_SUMS = 24  # of Parameters
MOST_PARTS = 12  # of one Parameter's sum


@dataclass(frozen=True)
class Column:
    """A moment: one event, or neighbouring ops of one lane.

    Attributes:
        forward: the pass.
        lane: the call it belongs to; None for what no lane shows.
        first, last: its events; of a call without any, ``last`` is the one before.
        place: among columns of the same event.
    """

    forward: bool
    lane: int | None
    scope: str
    first: int
    last: int
    place: int = 0


class Timeline:
    """Everything in the lanes of one run.

    Args:
        document: of the run.
        recorder: what was seen in it.
        program: whose Cells may not have been called.

    Attributes:
        entries: what happened in the lanes that are shown, in order.
        silent: the hooks that did not fire.
    """

    def __init__(self, document: dict[str, Any], recorder: Recorder, program: Program):
        self.document, self.recorder = document, recorder
        self.spans = Spans(recorder)
        self._families: dict[int, list[int]] = {}
        every = entries_of(recorder, self.spans)
        self.silent = silent_hooks(document, recorder, program)
        self.lanes = self._chosen_lanes()
        self._rows = {call: row for row, call in enumerate(self.lanes)}
        here = [entry for entry in every if entry.call in self.lanes]
        self._sums = [e for e in here if e.value is not None and e.part is None]
        hidden = set(map(id, self._sums[MOST_SUMS:]))
        self.entries = [e for e in here if id(e) not in hidden and (e.part or 0) <= MOST_PARTS]
        self._fewer_parts = any((e.part or 0) > MOST_PARTS for e in here)
        self.teller = Teller(document, recorder, self.spans, every)
        self._columns = self._moments()

    def data(self, steps_done: Callable[[int], int]) -> dict[str, Any]:
        """What the browser draws. ``steps_done``: a number of events to the position of the transport."""
        columns = [
            {"forward": c.forward, "position": steps_done(c.last + 1), "lane": c.lane,
             "ops": c.scope if c.scope in ("construct", "hook") and not c.place else ""}
            for c in self._columns
        ]  # fmt: skip
        return {
            "lanes": [self._lane(number, depth) for number, depth in self.lanes.items()],
            "columns": columns,
            "entries": [self._drawn(entry, steps_done) for entry in self.entries],
            "silent": [
                {"glyph": s.glyph, "hook": say(f"lens.hook_{s.kind}", name=s.name), "cell": s.cell, "why": s.why,
                 "times": s.times, "code": s.code, "called": bool(s.calls)}
                for s in self.silent
            ],
            "notes": self._notes(),
            "hooks": sum(entry.is_hook for entry in self.entries) + len(self.silent),
            "arrays": self.teller.arrays.pictures,
        }  # fmt: skip

    def listed(self) -> list[dict[str, Any]]:
        """The entries as plain facts, with arrays for what was seen."""
        return [self._fact(entry) for entry in self.entries]

    def _fact(self, entry: Entry) -> dict[str, Any]:
        call = self.document["calls"][entry.call]
        fact = {
            "event": entry.event,
            "cell": call["path"],
            "call": call["call"],
            "hook": None if entry.look is None else entry.look.name,
            "replaced": entry.replaced,
            "saw": {
                role: [None if seen is None or seen.array is None else np.array(seen.array) for seen in shown]
                for role, shown in self.teller.saw(entry).items()
            },
        }
        if entry.value is not None:
            fact |= {"parameter": self.document["values"][entry.value]["name"], "part": entry.part, "of": entry.parts}
        return fact

    # Lanes ------------------------------------------------------------------------------------------------

    def _chosen_lanes(self) -> dict[int, int]:
        """The calls that have a lane, to how deep they lie: all, or the first of those with hooks and around them."""
        calls, depths = self.document["calls"], self._depths()
        if len(calls) <= MOST_LANES:
            return depths
        ranked = sorted(depths, key=lambda n: (not self._is_hooked(n), depths[n], n))
        chosen: set[int] = set()
        for number in ranked:
            family = {number, *self._around(number)} - chosen
            if len(chosen) + len(family) > MOST_LANES:
                break
            chosen |= family
        return {number: depths[number] for number in depths if number in chosen}

    def _is_hooked(self, call: int) -> bool:
        return bool(self.document["calls"][call]["hooks"]) or self.recorder.calls[call].rule_inputs is not None

    def _around(self, call: int) -> list[int]:
        """The calls that a call ran in, innermost first."""
        if call not in self._families:
            parent = self.spans.parent(call)
            self._families[call] = [] if parent is None else [parent, *self._around(parent)]
        return self._families[call]

    def _depths(self) -> dict[int, int]:
        depths: dict[int, int] = {}
        for call in range(len(self.recorder.calls)):
            parent = self.spans.parent(call)
            depths[call] = 0 if parent is None else depths[parent] + 1
        return depths

    def _shown(self, call: int) -> int | None:
        """The lane that stands for a call."""
        return next((n for n in (call, *self._around(call)) if n in self.lanes), None)

    def _lane(self, number: int, depth: int) -> dict[str, Any]:
        call = self.document["calls"][number]
        silent = "".join(s.glyph for s in self.silent if number in s.calls)
        nth = f"{call['call']}/{call['of']}" if call["of"] > 1 else ""
        return {
            "call": number,
            "name": ".".join(call["path"].split(".")[-2:]) if call["name"].isdigit() else call["name"],
            "path": call["path"],
            "hooked": self._is_hooked(number),
            "place": self.teller.place(number),
            "cls": call["cls"],
            "depth": depth,
            "nth": nth,
            "silent": silent,
        }

    # Columns ----------------------------------------------------------------------------------------------

    def _moments(self) -> list[Column]:
        columns: list[Column] = []
        parts: dict[int, int] = {}
        for entry in self.entries:
            if entry.part is not None:
                parts[entry.start] = parts.get(entry.start, 0) + 1
        for i, event in enumerate(learners_events(self.recorder)):
            if event is not None:
                self._add_moment(columns, i, event, parts.get(i, 0))
        end = len(self.recorder.events)
        for entry in self.entries:
            if entry.raised:
                columns.append(Column(entry.is_forward, entry.call, "raised", entry.start, entry.start - 1))
        columns += [Column(False, e.call, "sum", e.start, end - 1) for e in self._sums[:MOST_SUMS]]
        self._add_empty(columns)
        return sorted(columns, key=lambda c: (c.first, c.last, c.lane or 0, c.place))

    def _add_moment(self, columns: list[Column], i: int, event: dict[str, Any], parts: int) -> None:
        lane, forward = self._shown(event["call"]), is_forward(event)
        if event["kind"] == "hook" and lane == event["call"]:
            columns.append(Column(forward, lane, "mark", i, i))
            return
        scope = "construct"
        if "op" in event and lane == event["call"]:
            scope = self.spans.scope(event["op"])
        if scope == "outside":
            lane = None
        own = event["kind"] == "bprop" and lane == event["call"]
        if own:
            columns.append(Column(False, lane, "mark", i, i))
        if parts:
            columns += [Column(False, lane, scope, i, i, place=1 + nth) for nth in range(parts)]
        if own or parts:
            return
        last = columns[-1] if columns else None
        if last is not None and last.last == i - 1 and not last.place and (last.forward, last.lane, last.scope) == (
            forward, lane, scope
        ):  # fmt: skip
            columns[-1] = Column(forward, lane, scope, last.first, i)
        elif lane is not None:
            columns.append(Column(forward, lane, scope, i, i))

    def _add_empty(self, columns: list[Column]) -> None:
        """A moment for each construct in which nothing happened that has one."""
        filled: set[int] = set()
        for column in columns:
            if column.forward and column.lane is not None and column.scope in ("construct", "mark"):
                around = self._around(column.lane)
                filled.update(around if column.scope == "mark" else (column.lane, *around))
        for number in sorted(self.lanes, reverse=True):
            if number not in filled:
                begin, _ = self.spans.construct(number)
                columns.append(Column(True, number, "construct", begin, begin - 1))
                filled.update((number, *self._around(number)))

    def _drawn(self, entry: Entry, steps_done: Callable[[int], int]) -> dict[str, Any]:
        first, last = self._place(entry)
        told = self.teller.tell(entry)
        return told | {
            "lane": self._rows[entry.call],
            "first": first,
            "last": last,
            "bar": entry.is_bar,
            "own": entry.own,
            "forward": entry.is_forward,
            "hook": entry.is_hook,
            "position": steps_done(entry.done),
        }

    def _place(self, entry: Entry) -> tuple[int, int]:
        """The first and last column of an entry."""
        found = [i for i, column in enumerate(self._columns) if self._holds(column, entry)]
        return (found[0], found[-1]) if found else (0, 0)

    def _holds(self, column: Column, entry: Entry) -> bool:
        if entry.event == "accumulate":
            if entry.part is None:
                return column.scope == "sum" and column.first == entry.start
            return column.first == entry.start and column.place == self._nth_part(entry)
        if entry.is_hook:
            scope = "raised" if entry.raised else "mark"
            return column.scope == scope and column.first == entry.start and column.lane == entry.call
        if column.lane is None or column.scope in ("sum", "raised") or column.forward != entry.is_forward:
            return False
        if entry.own:
            return column.scope == "mark" and column.first == entry.start
        mine = column.lane == entry.call and column.scope == "construct"
        inside = mine or entry.call in self._around(column.lane)
        return inside and entry.start <= column.first and column.last < max(entry.done, entry.start + 1)

    def _nth_part(self, entry: Entry) -> int:
        same = [e for e in self.entries if e.part is not None and e.start == entry.start]
        return 1 + same.index(entry)

    def _notes(self) -> list[str]:
        notes, calls = [], len(self.document["calls"])
        if len(self.lanes) < calls:
            notes.append(say("hooks.fewer_lanes", shown=len(self.lanes), calls=calls))
        if self._fewer_parts:
            notes.append(say("hooks.fewer_parts", shown=MOST_PARTS))
        if len(self._sums) > MOST_SUMS:
            notes.append(say("hooks.fewer_sums", shown=MOST_SUMS, count=len(self._sums)))
        return notes
