"""Several names in a sentence."""

from __future__ import annotations

from collections.abc import Iterable

from ...texts import say

MOST_NAMES = 4


def listed(names: Iterable[str]) -> str:
    """The first few different ones, and how many more there are."""
    different = list(dict.fromkeys(names))
    first, more = ", ".join(different[:MOST_NAMES]), len(different) - MOST_NAMES
    return say("compare.and_more", names=first, count=more) if more > 0 else first or "–"
