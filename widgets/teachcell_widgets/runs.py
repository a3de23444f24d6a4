"""Runs: what a Workbench keeps of its experiment: the run that is shown, and the last one where that failed."""

from __future__ import annotations

from typing import Any

from teachcell.lens import Outcome
from teachcell.lens.failure import told_in_full
from teachcell.texts import say


class Runs:
    """The run that is shown and the last one: two, where the last one failed and one before it did not.

    Attributes:
        shown: None where it was let go of.
        last: the same.
    """

    def __init__(self, first: Outcome):
        self.shown: Outcome | None = first
        self.last: Outcome | None = first

    def add(self, run: Outcome) -> bool:
        """There is a new run. A failed one does not take the place of a good one; whether it is shown."""
        self.last = run
        if self.shown is None or run.error is None or self.shown.error is not None:
            self.shown = run
            return True
        return False

    @property
    def error(self) -> Exception | None:
        """What the last run raised."""
        return None if self.last is None else self.last.error

    @property
    def failed(self) -> Outcome | None:
        """The last run, if it failed and an earlier one is shown in its place."""
        return self.last if self.last is not self.shown else None

    def let_go(self) -> bool:
        """Keep nothing, unless something failed: what raised is not raised again. Whether all was let go of."""
        if self.error is not None:
            return False
        self.shown = self.last = None
        return True

    def say_again(self) -> None:
        """Words as in the language in use now."""
        for run in self._all():
            run.say_again()

    def release(self) -> None:
        """Large arrays are let go of; documents stay."""
        for run in self._all():
            run.recorder.release()

    def _all(self) -> list[Outcome]:
        return [run for run in (self.shown, self.failed) if run is not None]

    def failure(self) -> dict[str, str] | None:
        """Which op or Cell failed in the last run, and what it said."""
        if self.last is None or self.last.error is None:
            return None
        document = self.last.document
        told, calls, ops = document["error"], document["calls"], document["ops"]
        where = [] if told["call"] is None else [_name(calls[told["call"]], document)]
        where += [] if told["op"] is None else [ops[told["op"]]["label"]]
        title = say("explorer.error_in", where=" · ".join(where)) if where else say("explorer.error_run")
        return {"title": title, "detail": told_in_full(self.last.error)}


def _name(call: dict[str, Any], document: dict[str, Any]) -> str:
    """Path of the Cell; with its class behind it where the path ends in a number, which says little alone."""
    path = str(call["path"] or document["title"])
    return f"{path} ({call['cls']})" if path.rpartition(".")[2].isdigit() else path
