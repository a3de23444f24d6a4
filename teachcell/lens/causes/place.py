"""A place in a run where a gradient ended."""

from __future__ import annotations

from typing import NamedTuple


class Place(NamedTuple):
    """The way of the gradient from an op (or from a Cell's own rule or hook, ``op`` None) back to a value."""

    op: int | None
    call: int
    value: int
