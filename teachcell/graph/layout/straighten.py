"""Long edges without needless bends: an edge that passes several rows keeps to one x where that is free."""

from __future__ import annotations

from ..scene import Edge
from .sketch import LANE, Sketch, Task

Span = tuple[float, float]


def straightened(task: Task, sketch: Sketch) -> Sketch:
    """``sketch`` with the lanes of every edge moved into line as far as blocks and other lanes allow."""
    for edge in task.edges:
        lane = sketch.lanes.get(edge.id, [])
        if lane:
            ends = sketch.spines[edge.target], sketch.spines[edge.source]
            sketch.lanes[edge.id] = _aligned(lane, ends, _obstacles(task, sketch, edge))
    return sketch


def _obstacles(task: Task, sketch: Sketch, passing: Edge) -> list[list[Span]]:
    """For every row that ``passing`` passes, what is in its way there."""
    first, last = sketch.rows[passing.source] + 1, sketch.rows[passing.target]
    spans: list[list[Span]] = [[] for _ in range(first, last)]
    for name, row in sketch.rows.items():
        if first <= row < last:
            x, block = sketch.spines[name], task.blocks[name]
            spans[row - first].append((x - block.left, x + block.right))
    for edge in task.edges:
        if edge is not passing:
            for row, x in enumerate(sketch.lanes.get(edge.id, []), sketch.rows[edge.source] + 1):
                if first <= row < last:
                    spans[row - first].append((x - LANE / 2, x + LANE / 2))
    return spans


def _aligned(lane: list[float], ends: Span, obstacles: list[list[Span]]) -> list[float]:
    """From the top, the one of the ends' and the lane's own positions that stays free for most rows, and so on."""
    aligned: list[float] = []
    while len(aligned) < len(lane):
        start = len(aligned)
        reaches = {x: _reach(x, start, lane, obstacles) for x in dict.fromkeys([*ends, *lane[start:]])}
        best = max(reaches, key=lambda x: reaches[x])
        aligned += [best] * (max(reaches[best], start + 1) - start)
    return aligned


def _reach(x: float, start: int, lane: list[float], obstacles: list[list[Span]]) -> int:
    """The first row from ``start`` on in which ``x`` is not free."""
    row = start
    while row < len(lane) and (lane[row] == x or _is_free(x, obstacles[row])):
        row += 1
    return row


def _is_free(x: float, spans: list[Span]) -> bool:
    return all(x + LANE / 2 <= left or right <= x - LANE / 2 for left, right in spans)
