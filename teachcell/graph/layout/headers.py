"""The header line of an open Cell: how wide it is and where it finds room between the edges."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ..measure import text_width
from ..scene import Frame, Pill
from .blocks import KIND_SIZE, NAME_SIZE

HEADER_INDENT = 10
HEADER_GAP = 7  # between name, kind and pills
PILL_GAP = 6
PILL_SIZE = 12
PILL_PADDING = 7
EDGE_CLEARANCE = 17  # from the middle of an edge to a word beside it
LONGEST = 340
KIND_LEAST = 50  # px of the words after the name that are worth having

Reach = tuple[float, float]  # the leftmost and rightmost x of an edge


def pill_width(pill: Pill) -> float:
    return text_width(pill.text, PILL_SIZE, bold=pill.mark) + 2 * PILL_PADDING


def title_width(frame: Frame) -> float:
    return text_width(f"▾ {frame.title}", NAME_SIZE, bold=True)


def words_width(frame: Frame) -> float:
    words = title_width(frame) + HEADER_GAP + text_width(frame.subtitle, KIND_SIZE)
    return min(words, LONGEST) + HEADER_GAP


def pills_width(frame: Frame) -> float:
    return sum(pill_width(pill) + PILL_GAP for pill in frame.pills)


def header_width(frame: Frame) -> float:
    return words_width(frame) + pills_width(frame) + HEADER_INDENT


@dataclass(frozen=True)
class Header:
    """Where the words of a header begin, how far they may go, and where the pills begin."""

    x: float
    room: float
    pills_x: float


def place_header(frame: Frame, left: float, right: float, edges: Iterable[Reach]) -> Header:
    """Words and pills each take the first place between the edges that has room for them."""
    gaps = _gaps(left + HEADER_INDENT, right - HEADER_INDENT, sorted(edges))
    words, pills = words_width(frame), pills_width(frame)
    title = min(words, title_width(frame) + KIND_LEAST)
    start, end = next((gap for gap in gaps if gap[1] - gap[0] >= title), (left + HEADER_INDENT, right))
    room = min(words, end - start)
    after = [max(a, start + room) for a, b in gaps if b - max(a, start + room) >= pills]
    return Header(start, room, after[0] if after else start + room)


def _gaps(left: float, right: float, edges: list[Reach]) -> list[Reach]:
    """What the edges leave free, from the left."""
    gaps = []
    for start, end in edges:
        gaps.append((left, start - EDGE_CLEARANCE))
        left = max(left, end + EDGE_CLEARANCE)
    return [(a, b) for a, b in [*gaps, (left, right)] if a < b]
