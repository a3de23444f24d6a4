"""Exact zeros: back from a zero gradient to the rule that made it, to the sum in which it cancelled, or to a hook."""

from __future__ import annotations

import math
from functools import reduce
from typing import Any

import numpy as np

from ...texts import say
from ...texts.numbers import number as written
from ...texts.numbers import shape
from ..compare.listed import listed
from ..replay.elements import unbroadcast
from ..watch.recorder import Recorder
from ..watch.seen import Sent
from .place import Place
from .rules import why_zero

Told = tuple[tuple[str, ...], tuple[Place, ...]]
MOST_PLACES = 3  # named where a gradient became 0 on several ways
MOST_TEXTS = 6


class Zeros:
    """What the rules sent, looked through for zeros."""

    def __init__(self, recorder: Recorder, document: dict[str, Any]):
        self.recorder, self.document = recorder, document
        self._sent: dict[int, list[tuple[dict[str, Any], Sent]]] = {}
        for number, parts in recorder.sent.items():
            for part in parts:
                self._sent.setdefault(part.value, []).append((recorder.events[number], part))
        self._known: dict[int, Told] = {}

    def of(self, number: int) -> Told:
        """Why all of a value's gradient is 0."""
        waiting = [] if number in self._known else [number]
        while waiting:  # a loop: zeros may come from thousands of ops away
            last = waiting[-1]
            unknown = [] if last in self._known else [v for v in self._behind(last) if v not in self._known]
            self._known.setdefault(last, ((say("causes.zero_unknown"),), ()))  # a value cannot be its own cause
            waiting += unknown
            if not unknown:
                self._known[waiting.pop()] = self._found(last)
        return self._known[number]

    def _behind(self, number: int) -> list[int]:
        """The values of which a zero gradient came, where the rules only passed it on."""
        ways = self._sent.get(number, [])
        if any(part.array is None or part.array.any() for _, part in ways):
            return []
        return [v for event, _ in ways if (v := self._passed_on(event)) is not None]

    def _passed_on(self, event: dict[str, Any]) -> int | None:
        """The first value whose gradient arrived at a rule, where all that arrived is 0."""
        arrived = [v for v in event["incoming"] if self.recorder.values[v].gradient is not None]
        zero = all(g.zero for v in arrived if (g := self.recorder.values[v].gradient) is not None)
        return arrived[0] if arrived and zero else None

    def _found(self, number: int) -> Told:
        ways = self._sent.get(number, [])
        if not ways:
            return (say("causes.zero_arrived"),), ()
        alive = [(event, part) for event, part in ways if not part.part.zero]
        if alive:
            return self._cancelled(number, alive)
        why: dict[str, None] = {}
        places: dict[Place, None] = {}
        for event, part in ways:
            told, found = self._at(event, part)
            why.update(dict.fromkeys(told))
            places.update(dict.fromkeys(found))
        texts = tuple(why)
        if len(texts) > MOST_TEXTS:
            texts = (*texts[: MOST_TEXTS // 2], *texts[-MOST_TEXTS // 2 :])  # where it began is the cause
        return texts, tuple(places)[:MOST_PLACES]

    def _cancelled(self, number: int, alive: list[tuple[dict[str, Any], Sent]]) -> Told:
        """Not all that was sent is 0, yet the sum is: they cancel, or a hook put zeros in their place."""
        shown = [part.array for _, part in alive if part.array is not None]
        value = self.recorder.values[number].value
        sizes, dtype = value.shape, value.dtype
        places = tuple(self._place(event, part) for event, part in alive)[:MOST_PLACES]
        if len(shown) < len(alive):
            alone = len(alive) == 1 and alive[0][1].shape == sizes
            return (say("causes.zero_hook" if alone else "causes.zero_large"),), places
        terms = [unbroadcast(array, sizes).ravel() for array in shown]
        exactly = not np.sum(terms, axis=0, dtype=np.float64).any()
        if not exactly and reduce(np.add, terms).astype(dtype).any():  # in the order in which they arrived
            return (say("causes.zero_hook"),), places
        if len(alive) == 1:
            return (say("causes.zero_broadcast", before=shape(shown[0].shape), after=shape(sizes)),), places
        at = int(np.argmax(np.abs(terms[0])))
        names = [self._name(event) for event, _ in alive]
        numbers = [written(float(term[at])) for term in terms]
        told = " + ".join(f"({n})" if n.startswith("−") else n for n in numbers)
        key = "causes.zero_cancel" if exactly else "causes.zero_rounded"
        return (say(key, ops=", ".join(names), terms=told, dtype=dtype),), places

    def _at(self, event: dict[str, Any], part: Sent) -> Told:
        """Why one rule sent zeros: because zeros arrived, or because of itself."""
        values = self.recorder.values
        sizes = [g.shape for v in event["incoming"] if (g := values[v].gradient) is not None]
        if sizes and not any(map(math.prod, sizes)):
            told = say("causes.zero_nothing_used", op=self._name(event), shape=shape(sizes[0]))
            return (told,), (self._place(event, part),)
        if all(values[v].gradient is None or values[v].gradient.zero for v in event["incoming"]):
            further = self._passed_on(event)
            texts, places = self.of(further) if further is not None else ((), ())
            return (say("causes.zero_behind", op=self._name(event)), *texts), places
        place = self._place(event, part)
        if "op" not in event:
            return (say("causes.zero_bprop", cell=self._cell(event["call"])),), (place,)
        op = self.recorder.ops[event["op"]]
        everywhere = np.ones(part.shape, bool)
        return (why_zero(op, part.slot, everywhere, values, self._formula(event, part)),), (place,)

    def some(self, number: int) -> Told | None:
        """Why some elements of a gradient are 0, where a single rule made them so and it is known why."""
        gradient, ways = self.recorder.values[number].gradient, self._sent.get(number, [])
        if gradient is None or gradient.array is None or len(ways) != 1 or gradient.size < 2:
            return None
        (event, part), zero = ways[0], gradient.array == 0
        arrived = [self.recorder.values[v].gradient for v in event["incoming"]]
        if "op" not in event or part.shape != gradient.shape or not zero.any() or any(g is None for g in arrived):
            return None
        op = self.recorder.ops[event["op"]]
        told = why_zero(op, part.slot, zero, self.recorder.values, "")
        if not told:
            return None
        head = say("causes.some_zero", zeros=int(zero.sum()), size=gradient.size)
        return (head, told), (self._place(event, part),)

    def arrived(self, number: int) -> tuple[str, ...]:
        """What there is to say of a gradient that is neither 0 nor odd: how large it is, and whose rules sent it."""
        gradient, ways = self.recorder.values[number].gradient, self._sent.get(number, [])
        if gradient is None or not ways:
            return (say("causes.start"),)
        seen, ops = gradient.summary(pictures=False), listed(self._name(event) for event, _ in ways)
        if gradient.size == 1:
            return (say("causes.computed_one", number=written(seen["min"]), ops=ops),)
        if seen["min"] == seen["max"]:
            return (say("causes.computed_all", number=written(seen["min"]), ops=ops),)
        return (say("causes.computed", low=written(seen["min"]), high=written(seen["max"]), ops=ops),)

    def _place(self, event: dict[str, Any], part: Sent) -> Place:
        return Place(event.get("op"), event["call"], part.value)

    def _name(self, event: dict[str, Any]) -> str:
        return self.recorder.ops[event["op"]].op.label if "op" in event else self._cell(event["call"])

    def _cell(self, call: int) -> str:
        return self.document["calls"][call]["path"] or self.document["title"]

    def _formula(self, event: dict[str, Any], part: Sent) -> str:
        grads = self.document["ops"][event["op"]]["formula"]["grads"]
        return next((text for text, value in grads if value == part.value), "")
