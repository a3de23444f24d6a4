"""Replay: the step that was just done, told in full: formula, numbers, the split to the inputs, running sums."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from teachcell.lens.replay.story import Story
from teachcell.texts import say
from teachcell.texts.numbers import shape

from .messages import Message
from .panel import Panel
from .told import Lines
from .view import fitting
from .workbench import Workbench

MOST_BYTES = 400_000
SIDES = (32, 16, 8, 4)  # of the maps: the more steps, the smaller
STEPS = (60, 200)  # up to so many have the largest maps, the next ones
MOST_SENTENCES = 12  # of a step that holds several events


class ReplayPanel(Panel):
    """Every step of the run in formulas and numbers; stepping asks nobody."""

    name = "replay"

    def __init__(self, bench: Workbench):
        super().__init__(bench)
        self._chosen: dict[tuple[int, int], tuple[int, ...]] = {}  # event and row to an index
        self._told: dict[str, Any] | None = None

    def data(self) -> dict[str, Any]:
        """All steps, and the arrays that they show."""
        if self.bench.retired:  # what was recorded is gone
            if self._told is None:
                self.bench.refuse_if_retired()
            return self._told or {}
        count = len(self.bench.steps.steps)
        first = sum(count > most for most in STEPS)
        story = self._story(SIDES[first])
        steps = [_lean(self._step(story, i)) for i in range(count)]
        told = {"steps": steps, "arrays": story.arrays.pictures}
        self._told = fitting(told, MOST_BYTES, SIDES[first + 1 :])
        return self._told

    def tell(self, step: int | None = None) -> Lines:
        """A step in lines of text: the one just done, or the ``step``-th, counted from 1.

        Raises:
            IndexError: there is no such step.
            RuntimeError: the widget is closed.
        """
        self.bench.refuse_if_retired()
        if step is None and self.bench.position == 0:
            return Lines(say("replay.start"))
        return Lines("\n".join(_lines(self._step(self._story(), self._number(step)))))

    def choose(self, index: Sequence[int] | int | None, row: int = 0) -> Lines:
        """Write out another element in the step just done, and return that step in lines of text.

        Args:
            index: of the element; None: the largest, as at first.
            row: which of the arrays that the step makes, from 0.

        Raises:
            IndexError: no such step, array or element.
            RuntimeError: the widget is closed.
        """
        self.bench.refuse_if_retired()
        number = self._number(None)
        event = self.bench.steps.events_of(number)[-1]
        size = self._size(self._row(number, row))
        self._chosen.pop((event, row), None)
        if index is not None:
            self._chosen[event, row] = _checked(index, size)
        self.bench.show()
        return self.tell()

    def ran(self) -> None:
        """Another run has other steps: the largest elements are shown again."""
        self._chosen.clear()

    def act(self, message: Message) -> None:
        """``choose``: another element of a row, by its place in the array."""
        if message.do == "choose":
            self._choose_place(message.get("place", int), message.get("row", int))
        else:
            super().act(message)

    def _choose_place(self, place: int, row: int) -> None:
        """Choose an element by its place in the flat array of a row."""
        size = self._size(self._row(self._number(None), row))
        (place,) = _checked(place, (math.prod(size),))
        self.choose([int(i) for i in np.unravel_index(place, size)], row)

    # Telling ----------------------------------------------------------------------------------------------

    def _story(self, side: int = SIDES[-1]) -> Story:
        outcome = self.bench.outcome
        return Story(outcome.document, outcome.recorder, self._rule_of, self._chosen, side)

    def _rule_of(self, path: str) -> Any:
        """The function behind the backward rule at a path; None for the engine's."""
        rules, cells = self.bench.experiment.rules, self.bench.experiment.program.cells
        return rules.function(path, rules.in_use(path)) if path in cells else None

    def _number(self, step: int | None) -> int:
        count = len(self.bench.steps.steps)
        step = min(self.bench.position, count) if step is None else step
        if not 1 <= step <= count:
            raise IndexError(say("replay.no_step", count=count))
        return step - 1

    def _step(self, story: Story, number: int) -> dict[str, Any]:
        events = self.bench.steps.events_of(number)
        if len(events) == 1:
            return story.tell(events[0])
        sentences = [story.sentence(event) for event in events[:MOST_SENTENCES]]
        if len(events) > MOST_SENTENCES:
            sentences.append([["soft", say("replay.more_events", count=len(events) - MOST_SENTENCES)]])
        title = say("replay.many", count=len(events))
        return {"kind": "many", "title": title, "words": [["soft", say("replay.many_note")]], "sentences": sentences}

    def _row(self, number: int, row: int) -> dict[str, Any]:
        """One of the arrays that a step makes."""
        rows: list[dict[str, Any]] = self._step(self._story(), number).get("outputs", [])
        if not 0 <= row < len(rows) or rows[row]["element"] is None:
            raise IndexError(say("replay.no_row", count=len(rows), row=row))
        return rows[row]

    def _size(self, row: dict[str, Any]) -> tuple[int, ...]:
        """The shape of the array in a row."""
        return tuple(self.bench.outcome.document["values"][row["value"]]["shape"])


class Replay(Workbench):
    """The replay as a widget of its own, with the graph; arguments as for :class:`Explorer`."""

    parts = ("header", "stage", "now_line", "transport")
    panel_types = (ReplayPanel,)

    replay: ReplayPanel


def _lean(part: Any) -> Any:
    """Without what is empty, and without what only Python reads."""
    if isinstance(part, dict):
        return {k: _lean(v) for k, v in part.items() if k != "value" and v not in (None, "", [])}
    return [_lean(item) for item in part] if isinstance(part, list) else part


def _checked(index: Sequence[int] | int, size: tuple[int, ...]) -> tuple[int, ...]:
    """An index as non-negative numbers."""
    given = (index,) if isinstance(index, int) else tuple(index)
    if len(given) != len(size) or not all(-n <= i < n for i, n in zip(given, size, strict=True)):
        raise IndexError(say("replay.index", index=list(given), shape=shape(size)))
    return tuple(i % n for i, n in zip(given, size, strict=True))


def _lines(step: dict[str, Any]) -> list[str]:
    """A step as plain text."""
    lines = [" · ".join(filter(None, (step["title"], step.get("place", ""))))]
    lines += [text for _, text in step["words"]]
    lines += ["".join(text for _, text in sentence) for sentence in step.get("sentences", ())]
    for kind in ("incoming", "inputs", "outputs"):
        for row in step.get(kind, ()):
            lines.append(f"{row['name']} · {row['of']} {row['shape']}")
            lines += [f"  {text}" for text in (row["formula"], row["written"]) if text]
            lines += [f"  {text}" for _, text in row["words"]]
            if row["sum"]:
                lines.append(f"  {row['sum']['nth']}: {row['sum']['text']}".rstrip(": "))
    return lines
