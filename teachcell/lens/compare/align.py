"""Alignment: which op, and which value, of one run is at the same place in another run of the same program.

A place is named by what does not depend on the ops elsewhere: the Cell's path, the how-manieth call of it, the op's
name and its how-manieth occurrence there. What is equal at the start and at the end of a call belongs together
first, so that one op more in the middle does not shift the rest; ops of other names that stand alone between the
same neighbours (``dropout`` in training, ``identity`` in prediction) are at one place too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from typing import Any

Document = dict[str, Any]
Pair = tuple[int, int]


class Alignment:
    """The places that two documents share.

    Attributes:
        calls, ops, values: number in the first document to number in the second.
    """

    def __init__(self, a: Document, b: Document):
        self.a, self.b = a, b
        self.calls = _calls(a, b)
        self.ops: dict[int, int] = {}
        self.values: dict[int, int] = {}
        self._taken: set[int] = set()
        ops_a, ops_b = _by_call(a), _by_call(b)
        for x, y in self.calls.items():
            self.ops.update(_ops(a, b, ops_a.get(x, []), ops_b.get(y, [])))
        self._pair_values()

    def _pair_values(self) -> None:
        """Inputs and Parameters by name, results by their op, constants by what uses them, then what Cells return."""
        a, b = self.a, self.b
        for kind in ("input", "parameter"):
            named = {key: number for key, number in _named(b, kind)}
            self._pairs((number, named[key]) for key, number in _named(a, kind) if key in named)
        for x, y in self.ops.items():
            self._pairs(zip(a["ops"][x]["outputs"], b["ops"][y]["outputs"], strict=False))
        for x, y in self.ops.items():
            if a["ops"][x]["op"] == b["ops"][y]["op"]:
                self._pairs(self._constants(zip(a["ops"][x]["inputs"], b["ops"][y]["inputs"], strict=False)))
        for x, y in self.calls.items():
            self._pairs(zip(a["calls"][x]["outputs"], b["calls"][y]["outputs"], strict=False))

    def _pairs(self, pairs: Any) -> None:
        for x, y in pairs:
            if x not in self.values and y not in self._taken:
                self.values[x] = y
                self._taken.add(y)

    def _constants(self, pairs: Any) -> Iterator[Pair]:
        values_a, values_b = self.a["values"], self.b["values"]
        return ((x, y) for x, y in pairs if values_a[x]["kind"] == values_b[y]["kind"] == "constant")


def _calls(a: Document, b: Document) -> dict[int, int]:
    there = {(call["path"], call["call"]): call["id"] for call in b["calls"]}
    keys = ((call["id"], (call["path"], call["call"])) for call in a["calls"])
    return {number: there[key] for number, key in keys if key in there}


def _by_call(document: Document) -> dict[int, list[int]]:
    """The ops that a call runs itself."""
    found: dict[int, list[int]] = {}
    for op in document["ops"]:
        found.setdefault(op["call"], []).append(op["id"])
    return found


def _named(document: Document, kind: str) -> Iterator[tuple[Any, int]]:
    """Values with a name; those that share one by their order."""
    times: Counter[str | None] = Counter()
    for value in document["values"]:
        if value["kind"] == kind:
            times[value["name"]] += 1
            yield (value["name"], times[value["name"]]), value["id"]


def _ops(a: Document, b: Document, ops_a: list[int], ops_b: list[int]) -> Iterator[Pair]:
    """The ops of one call in both runs."""
    names_a, names_b = [a["ops"][i]["op"] for i in ops_a], [b["ops"][i]["op"] for i in ops_b]
    places = _places(names_a, names_b)
    places |= _stand_ins(places, len(names_a), len(names_b))
    return ((ops_a[x], ops_b[y]) for x, y in places.items())


def _places(a: list[str], b: list[str]) -> dict[int, int]:
    """What is equal at the start and at the end, and between them the nth of a name with the nth."""
    shorter = min(len(a), len(b))
    start = next((i for i in range(shorter) if a[i] != b[i]), shorter)
    rest = shorter - start
    end = next((i for i in range(rest) if a[-1 - i] != b[-1 - i]), rest)
    found = {i: i for i in range(start)} | {len(a) - 1 - i: len(b) - 1 - i for i in range(end)}
    inside = {key: start + i for i, key in enumerate(_occurrences(b[start : len(b) - end]))}
    for i, key in enumerate(_occurrences(a[start : len(a) - end])):
        if key in inside:
            found[start + i] = inside[key]
    return found


def _occurrences(names: list[str]) -> Iterator[tuple[str, int]]:
    times: Counter[str] = Counter()
    for name in names:
        times[name] += 1
        yield name, times[name]


def _stand_ins(places: dict[int, int], length_a: int, length_b: int) -> dict[int, int]:
    """As many ops without a partner on both sides, between the same neighbours: each stands in for the other."""
    partners = set(places.values())
    found: dict[int, int] = {}
    alone = groupby(range(length_a), key=lambda i: i not in places)
    for is_alone, stretch in alone:
        row = list(stretch)
        if is_alone:
            first, last = places.get(row[0] - 1, -1) + 1, places.get(row[-1] + 1, length_b)
            between = [i for i in range(first, last) if i not in partners]
            if len(between) == len(row):
                found.update(zip(row, between, strict=True))
    return found
