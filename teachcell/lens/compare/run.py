"""Run: what is kept of a run to compare it with others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...texts import say
from ..experiment import Outcome
from ..watch.seen import ValueSeen


@dataclass(frozen=True)
class Run:
    """A run under a name. It holds arrays and plain data, no Tensors: it survives other runs, and keeps no graph alive.

    Attributes:
        seed: of its random draws; None where that is not known.
        error: what it raised, in words; "" for one that ran to its end.
        quoted: the name was given by a user: it may be that of a Cell, and keeps its capitals.
    """

    name: str
    document: dict[str, Any]
    values: list[ValueSeen]
    seed: int | None = None
    error: str = ""
    quoted: bool = False

    @property
    def said(self) -> str:
        """Its name in a sentence."""
        return say("compare.quoted", name=self.name) if self.quoted else self.name

    @classmethod
    def of(cls, name: str, outcome: Outcome, seed: int | None = None) -> Run:
        """What an Outcome holds, under this name."""
        told = outcome.document["error"]
        return cls(name, outcome.document, outcome.recorder.values, seed, told["message"] if told else "")

    def is_same(self, other: Run) -> bool:
        """Whether it is the same run under the same name."""
        return self.document is other.document and self.name == other.name

    def release(self) -> None:
        """Let go of large arrays; what they looked like stays."""
        for value in self.values:
            value.release()
