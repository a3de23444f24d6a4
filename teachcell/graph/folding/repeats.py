"""Repetition: neighbours of one structure, over and over, are one unit with a count.

A row is what one frame holds, in order of execution: ops, folded Cells and open Cells. Where a stretch of it comes
again and again, every iteration but the chosen ones, and those with an open Cell, goes into one unit with its
neighbours. Iterations keep their numbers however the row is cut.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

import numpy as np

from ..scene import Document, Repeat
from .units import CallTree, Unit

LEAST_TIMES = 4
MANY_OPS, MANY_CELLS = 60, 24  # shorter repetitions are drawn: of single ops up to 60, of Cells up to 24
LONGEST = 48  # members of one iteration


@dataclass
class _Member:
    """One member of a row: a unit, or the units inside an open Cell."""

    units: list[Unit] = field(default_factory=list)
    call: int | None = None  # of an open Cell
    ops: list[int] = field(default_factory=list)


def with_repeats(document: Document, tree: CallTree, units: list[Unit], chosen: Collection[int]) -> list[Unit]:
    """The units, with repetitions as one each; an iteration that holds an op of ``chosen`` is drawn."""
    if len(units) <= MANY_CELLS:
        return units
    return _Rows(document, tree, frozenset(chosen)).folded(units, None)


class _Rows:
    def __init__(self, document: Document, tree: CallTree, chosen: frozenset[int]) -> None:
        self.document, self.tree, self.chosen = document, tree, chosen
        self._signs: dict[object, int] = {}
        self._op_signs = [self._op_sign(op) for op in document["ops"]]

    def folded(self, units: list[Unit], frame: int | None) -> list[Unit]:
        """The row of a frame, and the rows inside it."""
        row = self._members(units, frame)
        folded: list[Unit] = []
        done = 0
        for start, length, times in _repetitions([self._sign(member) for member in row], self._is_worth(row)):
            folded += self._drawn(row[done:start])
            done = start + length * times
            folded += self._iterations(row[start:done], length, times)
        return folded + self._drawn(row[done:])

    def _members(self, units: list[Unit], frame: int | None) -> list[_Member]:
        row: list[_Member] = []
        for unit in units:
            call = None if unit.frame == frame else self._child(unit.frame, frame)
            if call is None or not row or row[-1].call != call:
                row.append(_Member(call=call))
            row[-1].units.append(unit)
            row[-1].ops += unit.ops
        return row

    def _child(self, call: int | None, frame: int | None) -> int | None:
        """The open Cell directly inside ``frame`` that ``call`` lies in."""
        child = None
        for outer in self.tree.around(call):
            if outer == frame:
                break
            if self.tree.parent[outer] is not None:
                child = outer
        return child

    def _drawn(self, row: list[_Member]) -> list[Unit]:
        drawn: list[Unit] = []
        for member in row:
            drawn += member.units if member.call is None else self.folded(member.units, member.call)
        return drawn

    def _iterations(self, row: list[_Member], length: int, times: int) -> list[Unit]:
        """The iterations of one repetition: alike neighbours together, the chosen and the open ones as they are."""
        op, ops = row[0].ops[0], sum(len(member.ops) for member in row[:length])
        iterations = [row[at : at + length] for at in range(0, length * times, length)]
        drawn: list[Unit] = []
        first = 0
        for is_open, alike in groupby(iterations, key=self._is_open):
            part = list(alike)
            if is_open or len(part) == 1:
                for number, iteration in enumerate(part, first + 1):
                    drawn += self._iteration(iteration, Repeat(number, number, times, op, ops))
            else:
                drawn.append(_together(part, Repeat(first + 1, first + len(part), times, op, ops)))
            first += len(part)
        return drawn

    def _is_open(self, iteration: list[_Member]) -> bool:
        return any(member.call is not None or not self.chosen.isdisjoint(member.ops) for member in iteration)

    def _iteration(self, members: list[_Member], place: Repeat) -> list[Unit]:
        """One iteration as it is."""
        for member in members:
            for unit in member.units if member.call is None else ():
                unit.iteration = place
        return self._drawn(members)

    # Structure

    def _is_worth(self, row: list[_Member]) -> list[bool]:
        """Whether each member is, or could be, more than one op."""
        return [member.call is not None or member.units[0].folded for member in row]

    def _sign(self, member: _Member) -> int:
        call = member.call if member.call is not None else member.units[0].call
        what = None if call is None else self._call_sign(call)
        return self._number((what, tuple(self._op_signs[op] for op in member.ops)))

    def _call_sign(self, call: int) -> object:
        entry = self.document["calls"][call]
        hooks = tuple((hook["kind"], hook["name"]) for hook in entry["hooks"])
        return entry["cls"], entry["rule_id"], entry["training"], hooks

    def _op_sign(self, op: Mapping[str, Any]) -> int:
        """Of an op: name, another rule, shapes made, and whether NaN begins there, or the run ended."""
        made = [self.document["values"][value] for value in op["outputs"]]
        starts = any("nan starts" in (value["value_state"], value["grad_state"]) for value in made)
        shapes = tuple(tuple(value["shape"]) for value in made)
        return self._number((op["label"], op.get("rule"), shapes, starts, bool(op["error"])))

    def _number(self, key: object) -> int:
        return self._signs.setdefault(key, len(self._signs))


def _together(iterations: list[list[_Member]], place: Repeat) -> Unit:
    """Several iterations as one unit."""
    units = [unit for iteration in iterations for member in iteration for unit in member.units]
    ops = [op for unit in units for op in unit.ops]
    like = units[: len(iterations[0])]
    return Unit(f"times{ops[0]}", units[0].frame, ops, cell=True, iteration=place, like=like)


def _repetitions(signs: list[int], worth: list[bool]) -> list[tuple[int, int, int]]:
    """``(start, length, times)`` of the repetitions in a row, from left to right, the ones that cover most first."""
    cover, length = _best(np.array(signs), np.cumsum([0, *worth]))
    found = []
    start = 0
    while start < len(signs):
        if cover[start]:
            found.append((start, int(length[start]), int(cover[start] // length[start])))
        start += int(cover[start]) or 1
    return found


def _best(row: np.ndarray, worth: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """How many members the best repetition from each place on covers (0: there is none), and its length."""
    cover, best = np.zeros(len(row), int), np.ones(len(row), int)
    for length in range(1, min(LONGEST, len(row) // LEAST_TIMES) + 1):
        times = _runs(row[:-length] == row[length:]) // length + 1
        many = np.where(worth[length:-1] > worth[: -length - 1], MANY_CELLS, MANY_OPS)
        covered = np.where((times >= LEAST_TIMES) & (length * times > many), length * times, 0)
        better = covered > cover[:-length] + best[:-length]  # a few more members are not worth a longer body
        cover[:-length][better] = covered[better]
        best[:-length][better] = length
    return cover, best


def _runs(alike: np.ndarray) -> np.ndarray:
    """For every place, how many True stand in a row from there on."""
    places = np.arange(len(alike))
    ends = np.where(alike, len(alike), places)
    return np.minimum.accumulate(ends[::-1])[::-1] - places
