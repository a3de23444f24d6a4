"""Claims: which widget holds which Cells.

A widget puts hooks on Cells and rules in them, and in the end puts back what it found. Two at the same Cell would put
back what the other one left, so a net belongs to the widget that ran it last.
"""

from __future__ import annotations

import weakref
from typing import Any, Protocol

from teachcell.lens import Experiment


class Holder(Protocol):
    """What holds the Cells of an experiment until it is retired."""

    net: Any
    experiment: Experiment

    def retire(self) -> None: ...


_holders: weakref.WeakSet[Holder] = weakref.WeakSet()


def take_over(widget: Holder) -> None:
    """Retire every other widget that has a Cell of this one's, or its net."""
    cells = set(map(id, widget.experiment.program.cells.values()))
    for other in list(_holders):
        theirs = map(id, other.experiment.program.cells.values())
        if other is not widget and (other.net is widget.net or not cells.isdisjoint(theirs)):
            other.retire()


def hold(widget: Holder) -> None:
    """The net of this widget is its own, until another one takes it over."""
    _holders.add(widget)


def give_up(widget: Holder) -> None:
    """This widget holds nothing any more."""
    _holders.discard(widget)
