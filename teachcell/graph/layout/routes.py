"""Edges as lines: where they leave and enter their nodes, and the twin paths of value and gradient."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from ..drawing.elements import px
from ..scene import Edge
from .blocks import Metrics
from .sketch import Sketch

APART = 9  # value and gradient run at this distance from the middle of an edge
APART_SIDEWAYS = 6.5
HEAD = 7  # px of a line's end that its arrow head covers
PITCH = 40  # between edges that meet a node on the same side
EDGE_OF_NODE = 16  # px at the corners of a node where no edge meets it
SAMPLES = 24  # points of a swing when looking where it runs
BEND = 1.3  # how much more than APART the two lines of an edge part where it swings sideways

Knots = list[tuple[float, float]]


@dataclass(frozen=True)
class Route:
    """The middle line of an edge, from its source to its target; it runs straight or swings between knots."""

    knots: Knots
    sideways: bool = False

    def value_path(self) -> str:
        return self._path(self.knots, -APART, -APART_SIDEWAYS)

    def grad_path(self) -> str:
        return self._path(self.knots[::-1], APART, APART_SIDEWAYS)

    def value_head(self) -> str:
        x, y = self.knots[-1]
        if self.sideways:
            return f"M{px(x)} {px(y - APART_SIDEWAYS)}l-8-5v10z"
        return f"M{px(x - APART)} {px(y)}l-5-8h10z"

    def grad_head(self) -> str:
        x, y = self.knots[0]
        if self.sideways:
            return f"M{px(x + 0.5)} {px(y + APART_SIDEWAYS)}l8-5v10z"
        return f"M{px(x + APART)} {px(y + 0.5)}l-5 8h10z"

    def reach_at(self, top: float, bottom: float) -> tuple[float, float] | None:
        """The leftmost and rightmost x of the middle line between two heights."""
        near = [(a, b) for a, b in pairwise(self.knots) if a[1] <= bottom and top <= b[1]]
        xs = [x for a, b in near for x, y in _points(a, b) if top <= y <= bottom]
        return (min(xs), max(xs)) if xs else None

    def _path(self, knots: Knots, across: float, down: float) -> str:
        """The line shifted to its side, ending where the head begins."""
        if self.sideways:
            (x0, y0), (x1, y1) = knots
            end = x1 - HEAD if x1 > x0 else x1 + HEAD
            if abs(y1 - y0) < 1:
                return f"M{px(x0)} {px(y0 + down)}H{px(end)}"
            middle = px((x0 + x1) / 2)
            y0, y1 = y0 + down, y1 + down
            return f"M{px(x0)} {px(y0)}C{middle} {px(y0)} {middle} {px(y1)} {px(end)} {px(y1)}"
        *between, (x1, y1) = [(x + across, y) for x, y in knots]
        end = y1 - HEAD if y1 > between[-1][1] else y1 + HEAD
        points = [*between, (x1, end)]
        path = f"M{px(points[0][0])} {px(points[0][1])}"
        for (x0, y0), (x2, y2) in pairwise(points):
            path += _swing(x0, y0, x2, y2, across)
        return path


def _points(start: tuple[float, float], end: tuple[float, float]) -> Iterator[tuple[float, float]]:
    """Points along the swing between two knots, as :func:`_swing` draws it on the middle line."""
    (x0, y0), (x1, y1) = start, end
    for step in range(SAMPLES + 1):
        t = step / SAMPLES
        ends, whole = t * t * (3 - 2 * t), 1.5 * t * (1 - t) + t**3
        yield x0 + (x1 - x0) * ends, y0 + (y1 - y0) * whole


def _swing(x0: float, y0: float, x1: float, y1: float, across: float) -> str:
    """From one height to another: straight down, or an S that keeps its distance from its twin."""
    if abs(x1 - x0) < 0.5:
        return f"V{px(y1)}"
    rightwards = 1 if (x1 > x0) == (y1 > y0) else -1
    bend = -across * BEND * rightwards * min(1.0, abs(x1 - x0) / 80)
    middle = (y0 + y1) / 2 + bend
    return f"C{px(x0)} {px(middle)} {px(x1)} {px(middle)} {px(x1)} {px(y1)}"


def without_idle_knots(knots: Knots) -> Knots:
    """The same line without the knots at which it just goes on straight."""
    kept: Knots = []
    for knot in knots:
        if len(kept) > 1 and kept[-2][0] == kept[-1][0] == knot[0]:
            kept.pop()
        if not kept or kept[-1] != knot:
            kept.append(knot)
    return kept


def meeting_points(edges: list[Edge], sketch: Sketch, sizes: Metrics) -> dict[str, tuple[float, float]]:
    """x at which every edge leaves and enters; a straight one keeps the spine, the others go to its sides."""
    leaving, entering = defaultdict(list), defaultdict(list)
    for edge in edges:
        lane = sketch.lanes.get(edge.id, [])
        leaving[edge.source].append(([*lane, sketch.spines[edge.target]][0], edge.id))
        entering[edge.target].append(([sketch.spines[edge.source], *lane][-1], edge.id))
    starts, ends = {}, {}
    for node, fan in leaving.items():
        starts.update(_spread(fan, sketch.spines[node], sizes))
    for node, fan in entering.items():
        ends.update(_spread(fan, sketch.spines[node], sizes))
    return {edge.id: (starts[edge.id], ends[edge.id]) for edge in edges}


def _spread(fan: list[tuple[float, str]], spine: float, sizes: Metrics) -> dict[str, float]:
    """Places for edges that meet a node, in the order of where they come from."""
    fan = sorted(fan)
    straight = next((i for i, (x, _) in enumerate(fan) if abs(x - spine) < 1), None)
    centre = (len(fan) - 1) / 2 if straight is None else straight
    left_pitch = min(PITCH, (sizes.spine - EDGE_OF_NODE) / max(centre, 1))
    right_pitch = min(PITCH, (sizes.main - sizes.spine - EDGE_OF_NODE) / max(len(fan) - 1 - centre, 1))
    steps = {name: index - centre for index, (_, name) in enumerate(fan)}
    return {name: spine + step * (left_pitch if step < 0 else right_pitch) for name, step in steps.items()}
