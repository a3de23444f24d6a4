"""One entry of the hook timeline in full: what was seen, whether it was replaced, and what that means."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from ...texts import say
from ...texts.numbers import shape
from ..replay import elements
from ..replay.arrays import Arrays
from ..watch.recorder import Recorder
from ..watch.seen import Seen, Sent
from ..write.document import GLYPHS
from ..write.source import source_of
from ..write.steps import Words, call_name
from .entries import EVENTS, Entry
from .naming import namings
from .numbers import of_one
from .spans import Spans

Saw = dict[str, list[Seen | None]]  # by role: "inputs", "output", "incoming", "outgoing", "gradient", "result"
MOST_PARAMETERS = 4  # of which a backward hook tells how far their sums are
GRADIENTS = ("incoming", "outgoing", "gradient")
ICONS = {"construct": "▼", "bprop": "▲", "accumulate": "Σ"} | {EVENTS[kind]: GLYPHS[kind] for kind in EVENTS}


class Teller:
    """Tells the entries of one run.

    Args:
        document: of the run.
        recorder: what was seen in it.
        spans: when each call ran.
        entries: all entries of the run.
    """

    def __init__(self, document: dict[str, Any], recorder: Recorder, spans: Spans, entries: Sequence[Entry]):
        self.document, self.recorder, self.spans = document, recorder, spans
        self.values, self.calls = document["values"], document["calls"]
        self.arrays = Arrays()
        self._parts = [entry for entry in entries if entry.part is not None]
        forward = [(e.call, e.look) for e in entries if e.look is not None and e.look.kind == "forward"]
        self._added = {call: look for call, look in forward if look.result is not None or look.wrote}

    def saw(self, entry: Entry) -> Saw:
        """The arrays of an entry, by role."""
        if entry.look is not None:
            found: Saw = dict(entry.look.given)
            return found if entry.look.result is None else found | {"result": entry.look.result}
        if entry.event == "construct":
            return {"inputs": self._values(self._given(entry.call)), "output": self._values(self._returned(entry.call))}
        if entry.event == "bprop":
            outputs = self._returned(entry.call)
            incoming = [self.recorder.values[v].gradient for v in outputs]
            return {"incoming": incoming, "outgoing": [seen for _, seen in self._outgoing(entry)]}
        if entry.sent is not None:
            return {"gradient": [self._undone(entry.sent)]}
        return {"gradient": [self.recorder.values[entry.value or 0].gradient]}

    def tell(self, entry: Entry) -> dict[str, Any]:
        """An entry as the browser shows it, but for its place in the picture."""
        place = self.place(entry.call)
        cell = self.recorder.calls[entry.call].cell
        return {
            "event": entry.event,
            "icon": self.icon(entry),
            "title": self.title(entry),
            "place": place,
            "replaced": entry.replaced,
            "raised": entry.raised,
            "words": self.words(entry),
            "rows": [self._row(role, nth, seen, entry) for role, nth, seen in _flat(self.saw(entry))],
            "code": (source_of(entry.look.hook) or "") if entry.look is not None else "",
            "naming": namings(entry.look, cell) if entry.look is not None else None,
        }

    def icon(self, entry: Entry) -> str:
        """Its mark: a part of a sum is +."""
        return "+" if entry.part is not None else ICONS[entry.event]

    def place(self, call: int) -> str:
        """The Cell of a call, and which of its calls it is."""
        told, name = self.calls[call], call_name(self.document, call)
        if told["of"] < 2:
            return name
        return f"{name} · {say('lens.call_of', call=told['call'], of=told['of'])}"

    def title(self, entry: Entry) -> str:
        """What it is, in words."""
        if entry.look is not None:
            return say(f"lens.hook_{entry.look.kind}", name=entry.look.name)
        if entry.event == "bprop":
            rule = self.calls[entry.call]["rule"]
            return say("hooks.bprop_own", rule=rule) if entry.own else say("hooks.bprop_engine")
        if entry.value is not None:
            name = self.values[entry.value]["name"]
            if entry.part is None:
                return say("hooks.sum", name=name)
            return say("hooks.part", name=name, nth=entry.part, of=entry.parts)
        return say("hooks.construct")

    # Words ------------------------------------------------------------------------------------------------

    def words(self, entry: Entry) -> Words:
        """What an entry means."""
        if entry.look is not None:
            return [*self._of_hook(entry), *self._scope(entry), *self._unseen(entry), *self._sums_so_far(entry)]
        if entry.event == "construct":
            failed = self.recorder.calls[entry.call].ran is None and self.recorder.calls[entry.call].cell is not None
            return [["mark", say("hooks.construct_raised")]] if failed else []
        if entry.event == "bprop":
            return [["", say("replay.own_rule", rule=self.calls[entry.call]["rule"])]] if entry.own else []
        if entry.part is not None:
            return [["", say("hooks.part_means")]]
        return [["", say("hooks.sum_means", count=entry.parts)], *self._changed_sum(entry)]

    def _of_hook(self, entry: Entry) -> Words:
        look = entry.look
        assert look is not None
        words: Words = [["", say(f"replay.hook_{look.kind}")]]
        if entry.raised:
            return [*words, ["mark", say("hooks.raised")]]
        if look.result is not None:
            words.append(["mark", say("hooks.replaced")])
            if any(s.call == entry.call and s.hook == look.name and s.kind == look.kind for s in self.recorder.severed):
                words.append(["mark", say("replay.hook_cuts")])
            elif look.kind == "forward":
                words.append(["", say("hooks.joins")])
        elif look.wrote:
            words.append(["mark", say("hooks.wrote")])
        else:
            words.append(["", say("replay.hook_looked")])
        return words

    def _scope(self, entry: Entry) -> Words:
        """Backward hooks stand around ``construct``: what a forward hook put in its place lies outside."""
        if entry.is_forward or entry.call not in self._added:
            return []
        outside = [self.recorder.values[v].gradient for v in self.recorder.calls[entry.call].outputs]
        there = of_one(outside[0]) if len(outside) == 1 and outside[0] is not None else ""
        words: Words = [["", say("hooks.scope", hook=self._added[entry.call].name)]]
        if there:
            words.append(["", say("hooks.scope_number", number=there)])
        return [*words, ["soft", say("hooks.scope_elsewhere")]]

    def _unseen(self, entry: Entry) -> Words:
        """Tensors nested in an input or given by keyword have no entry."""
        call = self.recorder.calls[entry.call]
        if entry.look is None or entry.look.kind != "backward" or call.arguments is None:
            return []
        given, seen = len(call.given), len(entry.look.given["outgoing"])
        return [["soft", say("hooks.unseen", given=given, seen=seen)]] if seen < given else []

    def _sums_so_far(self, entry: Entry) -> Words:
        """How far the sums of the Parameters used inside are when a backward hook runs."""
        if entry.look is None or entry.look.kind != "backward":
            return []
        inside = set(self.spans.inside[entry.call])
        here = {p.value for p in self._parts if p.start in inside or p.call == entry.call}
        words: Words = []
        for value in list(here)[:MOST_PARAMETERS]:
            parts = [p for p in self._parts if p.value == value]
            came = sum(p.done <= entry.start for p in parts)
            words.append(["grad", say("hooks.so_far", name=self.values[value]["name"], came=came, of=len(parts))])
        return [*words, ["", say("hooks.not_ready")]] if words else []

    def _changed_sum(self, entry: Entry) -> Words:
        """A hook on the Parameter itself acts once, on the sum."""
        total = self.recorder.values[entry.value or 0].gradient
        parts = [self._undone(p.sent) for p in self._parts if p.value == entry.value and p.sent is not None]
        arrays = [p.array for p in parts if p is not None and p.array is not None]
        if total is None or total.array is None or len(arrays) != entry.parts:
            return []
        if elements.close(np.asarray(np.sum(arrays, axis=0)), total.array):
            return []
        return [["mark", say("hooks.sum_changed")]]

    # Arrays -----------------------------------------------------------------------------------------------

    def _values(self, numbers: Iterable[int]) -> list[Seen | None]:
        return [self.recorder.values[v].value for v in numbers]

    def _given(self, call: int) -> list[int]:
        seen = self.recorder.calls[call]
        return self.calls[call]["inputs"] if seen.arguments is None else seen.given

    def _returned(self, call: int) -> list[int]:
        seen = self.recorder.calls[call]
        return seen.outputs if seen.cell is None or seen.ran is None else seen.returned

    def _outgoing(self, entry: Entry) -> Iterator[tuple[int, Seen | None]]:
        """What the rules of a call sent to each of its inputs."""
        if entry.own:
            sent = {s.slot: s for s in self.recorder.sent[entry.start]}
            for slot, value in enumerate(self.recorder.calls[entry.call].rule_inputs or ()):
                yield value, self._undone(sent[slot]) if slot in sent else None
            return
        for value in self._given(entry.call):
            yield value, self._added_up(entry.call, value)

    def _added_up(self, call: int, value: int) -> Seen | None:
        """The sum of what was sent to a value from inside a call."""
        sent = [s for event in self.spans.inside[call] for s in self.recorder.sent.get(event, ()) if s.value == value]
        parts = [self._undone(s) for s in sent]
        arrays = [p.array for p in parts if p is not None]
        if not arrays:
            return None
        if any(a is None for a in arrays):
            return parts[0]
        return parts[0] if len(arrays) == 1 else Seen(np.sum([a for a in arrays if a is not None], axis=0))

    def _undone(self, sent: Sent) -> Seen | None:
        """A gradient with a broadcast undone; of a large one only what is known."""
        own = self.recorder.values[sent.value].value.shape
        if sent.array is None:
            return sent.part if isinstance(sent.part, Seen) else None
        return Seen(elements.unbroadcast(sent.array, own)) if sent.shape != own else sent.part  # type: ignore[return-value]

    def _row(self, role: str, nth: int | None, seen: Seen | None, entry: Entry) -> dict[str, Any]:
        gradient = role in GRADIENTS or (role == "result" and not entry.is_forward)
        return {
            "role": say(f"hooks.role_{role}") + ("" if nth is None else f" [{nth}]"),
            "shape": "" if seen is None else shape(seen.shape),
            "text": of_one(seen),
            "array": None if seen is None else self.arrays.seen(seen),
            "class": "mark" if role == "result" else "grad" if gradient else "val",
            "hue": "grad" if gradient else "val",
        }


def _flat(saw: Saw) -> Iterator[tuple[str, int | None, Seen | None]]:
    for role, shown in saw.items():
        for nth, seen in enumerate(shown):
            yield role, nth if len(shown) > 1 else None, seen
