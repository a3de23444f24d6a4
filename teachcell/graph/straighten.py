"""Long edges without needless bends: an edge that passes several rows keeps to one x where that is free."""

from __future__ import annotations

from collections import defaultdict

from .sketch import LANE, Sketch, Task

Span = tuple[float, float]


def straightened(task: Task, sketch: Sketch) -> Sketch:
    """``sketch`` with the lanes of every edge moved into line as far as blocks and other lanes allow."""
    blocks: dict[int, list[Span]] = defaultdict(list)
    for name, row in sketch.rows.items():
        x, block = sketch.spines[name], task.blocks[name]
        blocks[row].append((x - block.left, x + block.right))
    for edge in task.edges:
        lane = sketch.lanes.get(edge.id, [])
        if len(set(lane)) < 2:
            continue
        first = sketch.rows[edge.source] + 1
        others = _other_lanes(task, sketch, edge.id)
        start = 0
        while start < len(lane):
            end, x = _longest(lane, start, lambda row, x, f=first, o=others: _is_free(x, blocks[f + row], o[f + row]))
            lane[start:end] = [x] * (end - start)
            start = end
    return sketch


def _longest(lane: list[float], start: int, is_free) -> tuple[int, float]:
    """How far one of the lane's own x positions stays free, from row ``start`` on."""
    best, best_x = start + 1, lane[start]
    for x in dict.fromkeys(lane[start:]):
        end = start
        while end < len(lane) and (is_free(end, x) or lane[end] == x):
            end += 1
        if end > best:
            best, best_x = end, x
    return best, best_x


def _other_lanes(task: Task, sketch: Sketch, but: str) -> dict[int, list[float]]:
    lanes = defaultdict(list)
    for edge in task.edges:
        if edge.id != but:
            for row, x in enumerate(sketch.lanes.get(edge.id, []), sketch.rows[edge.source] + 1):
                lanes[row].append(x)
    return lanes


def _is_free(x: float, blocks: list[Span], lanes: list[float]) -> bool:
    return all(x + LANE / 2 <= left or right + LANE / 2 <= x for left, right in blocks) and all(
        abs(x - lane) >= LANE for lane in lanes
    )
