"""Strips: a value or a gradient at a glance, and the states that take its place.

Up and in hue is positive, down and in grey is negative, a gap is exactly 0; height and depth of colour are
the size, on a scale of the strip's own. Every state has a word, and a line or a hatching of its own, so that
nothing is told by colour alone.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from math import prod
from typing import Any

from teachcell.texts import say

from ..folding.labels import scalar
from ..layout.placed import Box
from ..measure import fit, text_width
from .elements import group, path, px, rect, text

WORD_SIZE = 12
WORD_GAP = 6  # between a word and the line or hatching around it
ICON = 15  # px that an icon takes before its word
DEAD_ICON = 17  # the same for its crossed circle
SHADES = 5  # depths of colour
PALEST = 0.35
LEAST_BAR = 0.6  # px; only exactly 0 is a gap
HATCH_STEP = 6
DEAD_RADIUS = 5

STATE_CLASSES = {
    "computed": "tc-state-computed",
    "zero": "tc-state-zero",
    "cut": "tc-state-cut",
    "not needed": "tc-state-not-needed",
    "not asked": "tc-state-not-needed",
    "not differentiable": "tc-state-not-needed",
    "dead": "tc-state-dead",
    "nan starts": "tc-state-nan",
    "nan": "tc-state-nan",
    "absent": "tc-state-not-needed",
}
STATE_WORDS = {
    "zero": "graph.zero",
    "cut": "graph.cut",
    "not needed": "graph.not_needed",
    "not asked": "graph.not_asked",
    "not differentiable": "graph.not_differentiable",
    "nan starts": "graph.nan_starts",
    "nan": "graph.nan",
    "absent": "graph.absent",
}
SHORT_WORDS = {"dead": "graph.dead_short", "nan starts": "graph.nan_starts_short"}  # for a narrow strip


def state_word(state: str, summary: Mapping[str, Any] | None) -> str:
    """The word for a state; a dead unit also says how many there are."""
    if state == "dead":
        shape = summary["shape"] if summary else []
        return say("graph.dead", units=prod(shape[1:] if len(shape) > 1 else shape))
    return say(STATE_WORDS[state]) if state in STATE_WORDS else ""


def track(box: Box, words: bool = True, cls: str = "tc-track") -> str:
    """The place of a strip that is not computed yet; as ``tc-shown``, of one that never will be."""
    inside = rect("tc-blank", box.x, box.y + 0.5, box.width, box.height - 1, rx=3)
    if words:
        word = fit(say("graph.not_yet"), box.width, WORD_SIZE)
        inside += text("tc-blank", box.x + box.width / 2, box.middle + 4, word, anchor="middle")
    return group(cls, inside)


def shown(state: str, summary: Mapping[str, Any] | None, box: Box, scale: float | None = None) -> str:
    """What a strip shows once it is known; ``scale`` is the number of a full bar, by default the strip's largest."""
    if state == "computed" or (state not in STATE_WORDS and state != "dead"):
        return group("tc-shown", _numbers(summary, box, scale))
    word = state_word(state, summary)
    icon = DEAD_ICON if state == "dead" else 0
    if state in SHORT_WORDS and text_width(word, WORD_SIZE, bold=True) > box.width - icon:
        word = say(SHORT_WORDS[state])
    if state == "zero":
        return group("tc-shown", _lined(word, box, bold=True))
    draw = {"cut": _cut, "dead": _dead, "nan": _hatched, "nan starts": _hatched}.get(state, _lined)
    return group("tc-shown", draw(word, box))


def _numbers(summary: Mapping[str, Any] | None, box: Box, scale: float | None) -> str:
    if summary is None:
        return ""
    if summary["size"] == 1:
        return text("tc-number", box.x + 2, box.middle + 4.5, scalar(summary))
    if summary["size"] == 0:
        return _lined(say("graph.empty"), box)
    frame = rect("tc-strip-frame", box.x, box.y, box.width, box.height)
    axis = path("tc-axis", f"M{px(box.x)} {px(box.middle)}h{px(box.width)}")
    return frame + axis + _bars(summary["strip"], box, largest_in(summary["strip"]) if scale is None else scale)


def largest_in(strip: Sequence[float | None]) -> float:
    """The largest magnitude: its scale."""
    return max((abs(x) for x in strip if x is not None), default=0.0)


def _bars(strip: Sequence[float | None], box: Box, largest: float) -> str:
    """One path per sign and shade, instead of an element per bar."""
    step = box.width / max(len(strip), 1)
    gap = 0.6 if step > 2 else 0.0
    shades: dict[tuple[bool, int], str] = defaultdict(str)
    for index, x in enumerate(strip):
        if not x or not largest:
            continue
        share = abs(x) / largest
        height = max(share * box.height / 2, LEAST_BAR)
        left, up = px(box.x + index * step + gap / 2), "-" if x > 0 else ""
        bar = f"M{left} {px(box.middle)}v{up}{px(height)}h{px(step - gap)}V{px(box.middle)}z"
        shades[x > 0, round(share * (SHADES - 1))] += bar
    return "".join(
        path(
            "tc-bar-pos" if positive else "tc-bar-neg",
            d,
            fill_opacity=f"{PALEST + (1 - PALEST) * shade / (SHADES - 1):.2f}",
        )
        for (positive, shade), d in sorted(shades.items())
    )


def _word(word: str, box: Box, icon: float = 0.0, bold: bool = True) -> tuple[str, float, float]:
    """A word in the middle of a strip, after room for an icon; with where the two begin and end."""
    word = fit(word, box.width - icon, WORD_SIZE, bold)
    wide = text_width(word, WORD_SIZE, bold) + icon
    left = box.x + (box.width - wide) / 2
    centre = left + icon + (wide - icon) / 2
    return text("tc-word", centre, box.middle + 4, word, anchor="middle"), left, left + wide


def _lines(box: Box, left: float, right: float) -> str:
    """A line on both sides of a word, where there is room for it."""
    y = px(box.middle)
    ends = (box.x, left - WORD_GAP), (right + WORD_GAP, box.right)
    d = "".join(f"M{px(a)} {y}H{px(b)}" for a, b in ends if b - a > 2)
    return path("tc-rule-line", d) if d else ""


def _lined(word: str, box: Box, bold: bool = False) -> str:
    words, left, right = _word(word, box, bold=bold)
    return _lines(box, left, right) + words


def _cut(word: str, box: Box) -> str:
    words, left, right = _word(word, box, ICON)
    return _lines(box, left, right) + scissors(left + 6, box.middle, 0.62) + words


def _dead(word: str, box: Box) -> str:
    words, left, right = _word(word, box, DEAD_ICON)
    x, y, r = left + 7, box.middle, DEAD_RADIUS
    circle = f"M{px(x - r)} {px(y)}a{r} {r} 0 1 1 {2 * r} 0a{r} {r} 0 1 1 -{2 * r} 0"
    return _lines(box, left, right) + path("tc-icon", f"{circle}M{px(x - 3.5)} {px(y + 3.5)}l7-7") + words


def _hatched(word: str, box: Box) -> str:
    words, left, right = _word(word, box)
    left, right = left - WORD_GAP, right + WORD_GAP
    parts = Box(box.x, box.y, left - box.x, box.height), Box(right, box.y, box.right - right, box.height)
    d = "".join(_hatch(part) for part in parts if part.width > HATCH_STEP)
    return (path("tc-hatch", d) if d else "") + words


def _hatch(box: Box) -> str:
    """Slanted lines that fill a box, cut off at its borders."""
    d, high = "", box.height
    start = -high + HATCH_STEP
    while start < box.width:
        x0, x1 = max(start, 0.0), min(start + high, box.width)
        y0, y1 = box.bottom - (x0 - start), box.bottom - (x1 - start)
        d += f"M{px(box.x + x0)} {px(y0)}L{px(box.x + x1)} {px(y1)}"
        start += HATCH_STEP
    return d


def scissors(x: float, y: float, size: float = 1.0) -> str:
    """Open scissors around a point, pointing up."""
    s = size

    def at(dx: float, dy: float) -> str:
        return f"{px(x + dx * s)} {px(y + dy * s)}"

    def ring(dx: float) -> str:
        r = px(3 * s)
        return f"M{at(dx - 3, 7)}a{r} {r} 0 1 1 {px(6 * s)} 0a{r} {r} 0 1 1 -{px(6 * s)} 0"

    blades = f"M{at(-3.4, 4.6)}L{at(4.6, -8)}M{at(3.4, 4.6)}L{at(-4.6, -8)}"
    return path("tc-icon", ring(-5) + ring(5) + blades)
