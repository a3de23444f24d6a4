"""Edges as lines: where they leave and enter their nodes, and through which knots they run."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from ..scene import Edge
from .blocks import Metrics
from .sketch import Sketch

PITCH = 40  # between edges that meet a node on the same side
EDGE_OF_NODE = 16  # px at the corners of a node where no edge meets it
SAMPLES = 24  # points of a swing when looking where it runs

Knots = list[tuple[float, float]]


@dataclass(frozen=True)
class Route:
    """The middle line of an edge, from its source to its target; it runs straight or swings between knots."""

    knots: Knots
    sideways: bool = False

    def reach_at(self, top: float, bottom: float) -> tuple[float, float] | None:
        """The leftmost and rightmost x of the middle line between two heights."""
        near = [(a, b) for a, b in pairwise(self.knots) if a[1] <= bottom and top <= b[1]]
        xs = [x for a, b in near for x, y in _points(a, b) if top <= y <= bottom]
        return (min(xs), max(xs)) if xs else None


def _points(start: tuple[float, float], end: tuple[float, float]) -> Iterator[tuple[float, float]]:
    """Points along the swing between two knots, as it is drawn."""
    (x0, y0), (x1, y1) = start, end
    for step in range(SAMPLES + 1):
        t = step / SAMPLES
        ends, whole = t * t * (3 - 2 * t), 1.5 * t * (1 - t) + t**3
        yield x0 + (x1 - x0) * ends, y0 + (y1 - y0) * whole


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
