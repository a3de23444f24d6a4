"""What only one of two runs did: ops and Cells that the other has not, and ops in the place of others."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any

from ...texts import say
from .differences import Differences
from .listed import listed
from .names import Names, numbered


def done_alone(differences: Differences) -> Iterator[str]:
    """One sentence per run that did something the other did not, and one per kind of op that another stands for.

    A run that failed is left out: what it would have done is not known.
    """
    alignment = differences.alignment
    shared = {"a": (set(alignment.ops), set(alignment.calls)),
              "b": (set(alignment.ops.values()), set(alignment.calls.values()))}  # fmt: skip
    for letter, (ops, calls) in shared.items():
        run, names, other = differences.side(letter)
        alone = [op for op in run.document["ops"] if op["id"] not in ops]
        if alone and not other.error:
            told = Counter(_where(names, op, calls) for op in alone)
            words = listed(name if count == 1 else say("compare.times", name=name, count=count)
                           for name, count in told.items())  # fmt: skip
            yield say(f"compare.alone_{letter}", run=run.said, names=words)
    yield from _stand_ins(differences)


def _where(names: Names, op: dict[str, Any], shared: set[int]) -> str:
    """The outermost Cell around an op that only this run called; else the op itself."""
    calls = names.document["calls"]
    around, number = None, op["call"]
    while number is not None and number not in shared:
        around, number = number, calls[number]["parent"]
    return names.op_name(op["id"]) if around is None else say("compare.a_cell", name=numbered(calls[around]))


def _stand_ins(differences: Differences) -> Iterator[str]:
    """Other ops at the same places, but for those of a Cell that is itself another."""
    a, b = differences.a.document["ops"], differences.b.document["ops"]
    calls_a, calls_b = differences.a.document["calls"], differences.b.document["calls"]
    places: dict[tuple[str, str], list[str]] = defaultdict(list)
    for x, y in differences.alignment.ops.items():
        call = calls_b[b[y]["call"]]
        if a[x]["op"] != b[y]["op"] and calls_a[a[x]["call"]]["cls"] == call["cls"]:
            places[a[x]["op"], b[y]["op"]].append(numbered(call) or call["name"])
    for (one, other), names in places.items():
        yield say("compare.instead", a=one, b=other, places=listed(names))
