"""Told: what a method returns, plain data that prints in a notebook as the sentences it comes down to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from teachcell.texts import say


class Told(dict[str, Any]):
    """A dict that prints as ``text``."""

    def __init__(self, data: Mapping[str, Any], *lines: str):
        super().__init__(data)
        self.text = "\n".join(dict.fromkeys(filter(None, lines)))

    def __repr__(self) -> str:
        return self.text

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (dict(self), self.text)


class ToldList(list[dict[str, Any]]):
    """A list that prints with a line for each entry, numbered as it is indexed."""

    def __init__(self, entries: Iterable[dict[str, Any]], lines: Iterable[str]):
        super().__init__(entries)
        self.text = "\n".join(f"{i:3}  {line}" for i, line in enumerate(lines))

    def __repr__(self) -> str:
        return self.text or "[]"

    def __reduce__(self) -> tuple[Any, ...]:
        return list, (list(self),)


class ToldNumber(float):
    """A number that a notebook shows with a sentence around it; printed and formatted it is the number alone."""

    def __new__(cls, value: float, text: str) -> ToldNumber:
        told = super().__new__(cls, value)
        told.text = text
        return told

    text: str
    __str__ = float.__repr__

    def __repr__(self) -> str:
        return self.text

    def __reduce__(self) -> tuple[Any, ...]:
        return float, (float(self),)


class Lines(str):
    """A text that prints as it is, without quotes around it."""

    def __repr__(self) -> str:
        return str(self)


def in_short(document: Mapping[str, Any], cells: int) -> str:
    """A run as a line: ``Net: 12 ops, 3 Cells``."""
    count = len(document["ops"])
    ops = say(f"explorer.ops_{min(count, 2)}", count=count)
    return say(f"explorer.text_{min(cells, 2)}", title=document["title"], ops=ops, cells=cells)
