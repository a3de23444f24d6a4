"""Exact zeros: back from a zero gradient to the rule that made it, to the sum in which it cancelled, or to a hook."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...texts import say
from ...texts.numbers import number as written
from ...texts.numbers import shape
from ..watch.recorder import Recorder
from ..watch.seen import Sent
from .place import Place
from .rules import why_zero

Told = tuple[tuple[str, ...], tuple[Place, ...]]
MOST_PLACES = 3  # named where a gradient became 0 on several ways


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
        if number not in self._known:
            self._known[number] = (say("causes.zero_unknown"),), ()  # a value cannot be its own cause
            self._known[number] = self._found(number)
        return self._known[number]

    def _found(self, number: int) -> Told:
        ways = self._sent.get(number, [])
        if not ways:
            return (say("causes.zero_arrived"),), ()
        alive = [(event, part) for event, part in ways if part.array is None or part.array.any()]
        if alive:
            return self._cancelled(number, alive)
        why: dict[str, None] = {}
        places: dict[Place, None] = {}
        for event, part in ways:
            texts, found = self._at(event, part)
            why.update(dict.fromkeys(texts))
            places.update(dict.fromkeys(found))
        return tuple(why)[: 2 * MOST_PLACES], tuple(places)[:MOST_PLACES]

    def _cancelled(self, number: int, alive: list[tuple[dict[str, Any], Sent]]) -> Told:
        """Not all that was sent is 0, yet the sum is: they cancel, or a hook put zeros in their place."""
        shown = [part.array for _, part in alive if part.array is not None]
        sizes = self.recorder.values[number].value.shape
        places = tuple(self._place(event, part) for event, part in alive)[:MOST_PLACES]
        terms = [np.asarray(_reduced(array, sizes), np.float64).ravel() for array in shown]
        if len(shown) < len(alive) or np.sum(terms, axis=0).any():
            return (say("causes.zero_hook"),), places
        if len(alive) == 1:
            return (say("causes.zero_broadcast", before=shape(shown[0].shape), after=shape(sizes)),), places
        at = int(np.argmax(np.abs(terms[0])))
        names = [self._name(event) for event, _ in alive]
        numbers = [written(float(term[at])) for term in terms]
        told = " + ".join(f"({n})" if n.startswith("−") else n for n in numbers)
        return (say("causes.zero_cancel", ops=", ".join(names), terms=told),), places

    def _at(self, event: dict[str, Any], part: Sent) -> Told:
        """Why one rule sent zeros: because zeros arrived, or because of itself."""
        values = self.recorder.values
        arrived = [values[v].gradient for v in event["incoming"]]
        if all(g is None or g.zero for g in arrived):
            further = [v for v in event["incoming"] if values[v].gradient is not None]
            texts, places = self.of(further[0]) if further else ((), ())
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

    def _place(self, event: dict[str, Any], part: Sent) -> Place:
        return Place(event.get("op"), event["call"], part.value)

    def _name(self, event: dict[str, Any]) -> str:
        return self.recorder.ops[event["op"]].op.label if "op" in event else self._cell(event["call"])

    def _cell(self, call: int) -> str:
        return self.document["calls"][call]["path"] or self.document["title"]

    def _formula(self, event: dict[str, Any], part: Sent) -> str:
        grads = self.document["ops"][event["op"]]["formula"]["grads"]
        return next((text for text, value in grads if value == part.value), "")


def _reduced(array: np.ndarray, sizes: tuple[int, ...]) -> np.ndarray:
    """A rule's result with the broadcast undone."""
    if array.shape == sizes:
        return array
    array = array.sum(axis=tuple(range(array.ndim - len(sizes))))
    axes = tuple(i for i, size in enumerate(sizes) if size == 1 and array.shape[i] != 1)
    return array.sum(axis=axes, keepdims=True)
