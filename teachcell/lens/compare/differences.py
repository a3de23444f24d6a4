"""Differences: every place of two runs with the distance of its value and of its gradient, and where they part."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ...texts import say
from ...texts.numbers import number, shape
from ..collector import held
from ..write.steps import Part
from .align import Alignment
from .distance import Distance, distance
from .names import Names
from .run import Run

SIDES = ("value", "gradient")


@dataclass(frozen=True)
class Place:
    """One value in both runs.

    Attributes:
        name: ``"relu"``, ``"fc2 · matmul"``, ``"fc1.weight"``, ``"x"``.
        kind: ``"op"``, ``"input"``, ``"parameter"`` or ``"constant"``.
        a, b: its number in each run's document; None where it is missing.
        value, gradient: how far apart the runs are here.
    """

    name: str
    kind: str
    a: int | None
    b: int | None
    value: Distance
    gradient: Distance

    @property
    def in_both(self) -> bool:
        """Whether both runs have it."""
        return self.a is not None and self.b is not None

    def of(self, side: str) -> Distance:
        """The distance of the ``"value"`` or the ``"gradient"``."""
        return self.value if side == "value" else self.gradient

    def plain(self) -> dict[str, Any]:
        """As plain data."""
        both = {side: self.of(side).plain() for side in SIDES}
        return {"name": self.name, "kind": self.kind, "a": self.a, "b": self.b, **both}


class Differences:
    """Two runs of one program, place by place.

    Attributes:
        places: in order of execution, inputs and Parameters before the first op that uses them.
        of_a, of_b: the place of each value, by its number in the run's document.
        names_a, names_b: what ops and values are called.
    """

    @held()
    def __init__(self, a: Run, b: Run):
        self.a, self.b = a, b
        self.alignment = Alignment(a.document, b.document)
        self.names_a, self.names_b = Names(a.document), Names(b.document)
        pairs = self.alignment.values
        alone_a = self.names_a.alone(set(pairs))
        alone_b = self.names_b.alone(set(pairs.values()))
        found: list[tuple[float, Place]] = []
        found += [(self.names_b.position(y), self._place(x, y)) for x, y in pairs.items()]
        found += [(self.names_b.position(y), self._place(None, y)) for y in alone_b]
        found += [(self._position_of_a(x), self._place(x, None)) for x in alone_a]
        self.places = [place for _, place in sorted(found, key=lambda each: each[0])]
        self.of_a = {place.a: place for place in self.places if place.a is not None}
        self.of_b = {place.b: place for place in self.places if place.b is not None}

    def side(self, letter: str) -> tuple[Run, Names, Run]:
        """Run ``"a"`` or ``"b"``, what is called how in it, and the other run."""
        one, other = (self.a, self.names_a), (self.b, self.names_b)
        return (*one, self.b) if letter == "a" else (*other, self.a)

    def _place(self, x: int | None, y: int | None) -> Place:
        a, b = (None if x is None else self.a.values[x]), (None if y is None else self.b.values[y])
        names, number = (self.names_a, x) if y is None else (self.names_b, y)
        assert number is not None
        value = distance(a.value if a else None, b.value if b else None)
        gradient = distance(a.gradient if a else None, b.gradient if b else None)
        return Place(names.name(number), names.kind(number), x, y, value, gradient)

    def _position_of_a(self, x: int) -> float:
        """Where a value that only A has stands in the order of B: behind what is before it in both."""
        at = self.names_a.position(x)
        behind = next((op for op in range(math.floor(at), -1, -1) if op in self.alignment.ops), None)
        return (-1 if behind is None else self.alignment.ops[behind]) + 0.25 + 1e-6 * at

    # Where they part --------------------------------------------------------------------------------------

    def in_order(self, side: str) -> list[Place]:
        """The places in the order in which their values, or their gradients, came to be known."""
        return self.places if side == "value" else self.places[::-1]

    def differing(self, side: str) -> list[Place]:
        """The places where the runs differ, in the order in which they came to be known."""
        return [place for place in self.in_order(side) if not place.of(side).same]

    def first(self, side: str) -> Place | None:
        """Where the runs part: the first place that differs."""
        differing = self.differing(side)
        return next((place for place in differing if self._is_telling(place, side)), next(iter(differing), None))

    def _is_telling(self, place: Place, side: str) -> bool:
        """Whether runs can part here: what one run alone takes from outside belongs to an op that takes it, and
        gradients of inputs and Parameters are complete only at the end of a run, which one that failed never saw."""
        if place.kind == "op":
            return True
        missing = {"only_a": self.b, "only_b": self.a}.get(place.of(side).state)
        return place.in_both and not (missing is not None and missing.error)

    def _last_shared(self, side: str, first: Place) -> Place | None:
        """The op before which nothing differs."""
        order = self.in_order(side)
        before = order[: order.index(first)]
        shared = [p for p in before if p.kind == "op" and p.of(side).same and p.of(side).state != "none"]
        return shared[-1] if shared else None

    def sentence(self, side: str) -> list[Part]:
        """Where the runs part, in words, as ``[class, text]``."""
        names = {"a": self.a.said, "b": self.b.said}
        first = self.first(side)
        if first is None:
            others = [other for other in SIDES if other != side and self.first(other) is not None]
            key = f"compare.same_{side}" if others else "compare.same"
            return [["b", _begun(say(key, **names))]]
        last = self._last_shared(side, first)
        agree = say(f"compare.agree_{side}", **names, last=last.name) if last else say("compare.no_start", **names)
        start, end = say("compare.part").split("{place}")
        return [["b", _begun(agree)], ["", start], ["b", first.name], ["", end], *self.told(first, side)]

    def told(self, place: Place, side: str) -> list[Part]:
        """How the runs differ at a place."""
        found, a, b = place.of(side), self.a.said, self.b.said
        if found.state in ("only_a", "only_b"):
            return [["", say("compare.only", run=a if found.state == "only_a" else b)]]
        if found.state in ("shape", "dtype"):
            x, y = self.a.values[place.a or 0].value, self.b.values[place.b or 0].value
            show: Callable[[Any], str] = str if found.state == "dtype" else shape
            return [["", say("compare.two", one=show(getattr(x, found.state)), other=show(getattr(y, found.state)))]]
        if found.largest is not None and not found.same:
            words = say("compare.at_least" if found.at_least else "compare.largest")
            return [["", words], ["mono", number(found.largest)]]
        return [["", say(f"compare.state_{found.state}")]]

    def count(self, side: str) -> str:
        """How many results differ, in words."""
        results = [place for place in self.places if place.kind == "op"]
        differ = sum(not place.of(side).same for place in results)
        words = say(f"compare.count_{side}", count=differ, of=len(results))
        return words + self._loss() if side == "value" else words

    def _loss(self) -> str:
        one, other = (_loss(run.document) for run in (self.a, self.b))
        if one is None or other is None or one == other:
            return ""
        return say("compare.loss", a=number(one), b=number(other))

    def plain(self) -> dict[str, Any]:
        """All of it as plain data."""
        firsts = {side: self.first(side) for side in SIDES}
        return {
            "a": self.a.name,
            "b": self.b.name,
            "first": {side: None if place is None else place.name for side, place in firsts.items()},
            "sentence": {side: "".join(text for _, text in self.sentence(side)) for side in SIDES},
            "places": [place.plain() for place in self.places],
        }


def _loss(document: dict[str, Any]) -> float | None:
    number = document["loss"]
    return None if number is None else document["values"][number]["value"]["first"]


def _begun(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]
