"""Parameters, inputs and constants: which of them are drawn, and where.

A leaf stands at the left of its user, and is repeated there, as a mere name, for every further user: edges
across the picture would hide the rest. Only inputs start paths: the first one of an op that nothing else
feeds, and one with a few users, stand above them as nodes of their own.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from ..scene import Document
from .units import Unit, leaves_of, taken

MAX_SHARED = 3  # users that an input reaches by edges
MAX_BESIDE = 6  # leaves at the left of one node


@dataclass(frozen=True)
class Leaf:
    """One drawing of a leaf."""

    id: str
    value: int
    users: tuple[str, ...]  # unit ids
    beside: str | None = None
    again: bool = False  # a repetition: the name only
    more: int = 0  # it stands for this many leaves that are not drawn


def choose_leaves(document: Document, units: list[Unit]) -> list[Leaf]:
    """The leaves to draw, in the order of their first users."""
    users = _users(document, units)
    leaves: list[Leaf] = []
    single: dict[str, list[int]] = defaultdict(list)  # unit id -> leaves that only it uses
    repeated: dict[str, list[Leaf]] = defaultdict(list)
    fed = _fed_by_units(document, units)
    for value, of in users.items():
        if len(of) == 1:
            single[of[0]].append(value)
        elif len(of) <= MAX_SHARED and document["values"][value]["kind"] != "parameter":
            leaves.append(Leaf(f"value{value}", value, tuple(of)))
            fed |= set(of)
        else:
            for at, unit in enumerate(of):
                name = f"value{value}@{unit}" if at else f"value{value}"
                repeated[unit].append(Leaf(name, value, (unit,), unit, again=at > 0))
    for unit_id in dict.fromkeys([*single, *repeated]):
        values = single[unit_id]
        top = None
        if unit_id not in fed:
            top = next((v for v in values if document["values"][v]["kind"] != "parameter"), None)
        if top is not None:
            leaves.append(Leaf(f"value{top}", top, (unit_id,)))
        beside = [Leaf(f"value{v}", v, (unit_id,), unit_id) for v in values if v != top]
        leaves += _limited(beside + repeated[unit_id])
    return leaves


def _users(document: Document, units: list[Unit]) -> dict[int, list[str]]:
    """Units that use each leaf."""
    users: dict[int, dict[str, None]] = {value: {} for value in document["inputs"]}
    for unit in units:
        for value in leaves_of(document, unit):
            users.setdefault(value, {})[unit.id] = None
    return {value: list(of) for value, of in users.items() if of or document["values"][value]["kind"] == "input"}


def _fed_by_units(document: Document, units: list[Unit]) -> set[str]:
    """Units that take a value made by another unit."""
    maker = {op: unit.id for unit in units for op in unit.ops}
    fed = set()
    for unit in units:
        for op in unit.ops:
            makers = {document["values"][value]["op"] for value in taken(document, op)} - {None}
            if any(maker[made_by] != unit.id for made_by in makers):
                fed.add(unit.id)
    return fed


def _limited(beside: list[Leaf]) -> list[Leaf]:
    if len(beside) <= MAX_BESIDE:
        return beside
    first = beside[MAX_BESIDE - 1]
    hidden = len(beside) - MAX_BESIDE + 1
    rest = Leaf(f"more-{first.users[0]}", first.value, first.users, first.beside, more=hidden)
    return [*beside[: MAX_BESIDE - 1], rest]
