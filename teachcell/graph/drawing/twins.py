"""The strips of two runs at one node: A's above B's, at one scale."""

from __future__ import annotations

from ..layout.placed import Box
from ..scene import Row, Twins
from .elements import group, text
from .strips import STATE_CLASSES, largest_in, shown

LETTERS = "AB"
LETTER_ROOM = 15  # px before a strip


def twin_strips(twins: Twins, node: str, upper: Box, lower: Box, letters: bool) -> str:
    """The two strips of a node, or one over the height of both where there are no letters and nothing differs."""
    if node not in twins.rows:
        return ""
    rows = twins.rows[node]
    if not letters and rows[0] == rows[1]:
        whole = Box(upper.x, upper.y, upper.width, lower.bottom - upper.y)
        return group("tc-twins", _strip(twins, rows[0], whole, None))
    scale = max(largest_in(row.summary["strip"]) if row.summary else 0.0 for row in rows)
    drawn = []
    for letter, row, box in zip(LETTERS, rows, (upper, lower), strict=True):
        if letters:
            drawn.append(text("tc-kind", box.x, box.middle + 4.5, letter))
            box = Box(box.x + LETTER_ROOM, box.y, box.width - LETTER_ROOM, box.height)
        drawn.append(_strip(twins, row, box, scale))
    return group("tc-twins", *drawn)


def _strip(twins: Twins, row: Row, box: Box, scale: float | None) -> str:
    kind = "tc-grad-strip" if twins.gradient else "tc-value-strip"
    return group(f"{kind} {STATE_CLASSES[row.state]}", shown(row.state, row.summary, box, scale))
