"""The header line of an open Cell: how wide it is and where it finds room between the edges."""

from __future__ import annotations

from collections.abc import Iterable

from .measure import text_width
from .scene import Frame, Pill

HEADER_INDENT = 10
HEADER_GAP = 7  # between name, kind and pills
NAME_SIZE, KIND_SIZE, PILL_SIZE = 14, 12.5, 12
PILL_PADDING = 7
EDGE_CLEARANCE = 17  # from the middle of an edge to a word beside it
LONGEST = 340


def pill_width(pill: Pill) -> float:
    return text_width(pill.text, PILL_SIZE, bold=pill.mark) + 2 * PILL_PADDING


def title_width(frame: Frame) -> float:
    return text_width(f"▾ {frame.title}", NAME_SIZE, bold=True)


def header_width(frame: Frame) -> float:
    words = title_width(frame) + HEADER_GAP + text_width(frame.subtitle, KIND_SIZE)
    pills = sum(pill_width(pill) + HEADER_GAP for pill in frame.pills)
    return min(words, LONGEST) + pills


def header_x(frame: Frame, left: float, right: float, edges: Iterable[float]) -> float:
    """The first x from the left at which no edge runs through the words; the left end when there is none."""
    width = header_width(frame)
    crossing = sorted(edges)
    starts = [left + HEADER_INDENT, *(x + EDGE_CLEARANCE for x in crossing)]
    for start in starts:
        is_free = all(x + EDGE_CLEARANCE <= start or start + width + EDGE_CLEARANCE <= x for x in crossing)
        if is_free and left + HEADER_INDENT <= start and start + width <= right:
            return start
    return left + HEADER_INDENT
