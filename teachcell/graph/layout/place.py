"""Scene -> Placed: a place for everything, inside a picture of the given width."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from itertools import pairwise
from typing import Literal

from ..scene import Edge, Scene
from . import blocks as b
from . import graphviz_engine, layered
from .headers import Header, header_width, place_header
from .placed import Box, Note, Placed
from .routes import Route, meeting_points, without_idle_knots
from .sketch import LANE, Sketch, Task
from .straighten import straightened

COMPACT_BELOW = 520  # px of width
MARGIN = 10
TOP_MARGIN, BOTTOM_MARGIN = 18, 12  # flags stand on the first nodes
EMPTY_HEIGHT = 60
ROW_GAP = 20
FRAME_HEADER = 24
FRAME_BOTTOM, FRAME_BOTTOM_LABELLED = 8, 18  # below parameters stands the label of their gradient
SWING_GAP, SWING_MAX = 14, 40  # more room for edges that swing sideways
SCISSORS_ABOVE = 17  # from the node behind which the gradient is cut
LEGEND_WIDTH, LEGEND_HEIGHT, LEGEND_ROW = 168, 82, 34

Layout = Literal["auto", "graphviz", "plain"]


def place(scene: Scene, width: float, layout: Layout = "auto", ranges: bool = False) -> Placed:
    """Give every node, frame and edge of ``scene`` its place.

    ``width`` is the room there is; a graph that needs more becomes wider. ``layout`` is ``"graphviz"``,
    ``"plain"`` (no program needed) or ``"auto"``: Graphviz where it runs. ``ranges`` leaves room for
    min … max at the right of the nodes and none for a legend, as the static picture wants it.
    """
    compact = width < COMPACT_BELOW
    main, least = float(b.MAIN_MAX), b.least_main(scene)
    while True:  # the engine tells how many nodes stand side by side; then they are made as wide as fits
        sizes = b.metrics(scene, main, compact, ranges)
        blocks = b.build_blocks(scene, sizes)
        task = Task(scene, blocks, {frame.id: header_width(frame) for frame in scene.frames.values()})
        sketch, engine = _run(task, layout)
        left, right = _extent(task, sketch)
        excess = right - left + 2 * MARGIN - width
        if excess <= 0 or (main <= least and compact):
            return _Placing(task, sketch, sizes, width, engine).placed()
        compact = compact or main <= least
        columns = max(Counter(sketch.rows.values()).values(), default=1)
        main = max(least, math.floor(main - excess / columns))


def _run(task: Task, layout: Layout) -> tuple[Sketch, str]:
    if layout != "plain":
        try:
            return straightened(task, graphviz_engine.sketch(task)), "graphviz"
        except graphviz_engine.EngineMissing:
            if layout == "graphviz":
                raise
    return layered.sketch(task), "plain"


def _extent(task: Task, sketch: Sketch) -> tuple[float, float]:
    """The leftmost and rightmost x of what is drawn."""
    spines = sketch.spines.items()
    lanes = [x for lane in sketch.lanes.values() for x in lane]
    lefts = [x - task.blocks[name].left for name, x in spines] + [left for left, _ in sketch.frames.values()]
    rights = [x + task.blocks[name].right for name, x in spines] + [r for _, r in sketch.frames.values()]
    return min([*lefts, *(x - LANE / 2 for x in lanes)], default=0), max(
        [*rights, *(x + LANE / 2 for x in lanes)], default=0
    )


class _Placing:
    """Turns rows and columns into pixels."""

    def __init__(self, task: Task, sketch: Sketch, sizes: b.Metrics, width: float, engine: str) -> None:
        self.task, self.sketch, self.sizes, self.engine = task, sketch, sizes, engine
        self.scene, self.blocks = task.scene, task.blocks
        self.width = width
        self.meets = meeting_points(task.edges, sketch, sizes)
        self.spans = task.frame_rows(sketch.rows)
        self.tops, self.bottoms = self._rows()

    def placed(self) -> Placed:
        left, right = _extent(self.task, self.sketch)
        room = max(self.width - (right - left) - 2 * MARGIN, 0)
        has_sides = any(block.sides or block.note for block in self.blocks.values())
        for indent in (0.0 if has_sides else room / 2, min(room, LEGEND_WIDTH)):
            placed = self._at(MARGIN - left + indent, 0.0)
            if self.sizes.ranges or _is_free(placed, Box(0, 0, LEGEND_WIDTH, LEGEND_HEIGHT)):
                return placed
        placed = self._at(MARGIN - left, LEGEND_ROW)
        placed.legend_in_row = True
        return placed

    # Rows

    def _rows(self) -> tuple[list[float], list[float]]:
        """Top and bottom of every row."""
        count = max(self.sketch.rows.values(), default=-1) + 1
        heights = [0.0] * count
        for name, row in self.sketch.rows.items():
            heights[row] = max(heights[row], self.blocks[name].height)
        above, below = [0.0] * count, [0.0] * count
        for frame, (first, last) in self.spans.items():
            above[first] = max(above[first], self._above(frame))
            below[last] = max(below[last], self._below(frame))
        swings = self._swings(count)
        tops: list[float] = []
        bottoms: list[float] = []
        y: float = TOP_MARGIN - ROW_GAP
        for row in range(count):
            y += ROW_GAP + above[row] + swings[row]
            tops.append(y)
            y += heights[row]
            bottoms.append(y)
            y += below[row]
        return tops, bottoms

    def _swings(self, count: int) -> list[float]:
        """More room above rows that edges reach sideways."""
        swings = [0.0] * count
        for edge in self.task.edges:
            start, end = self.meets[edge.id]
            xs = [start, *self.sketch.lanes.get(edge.id, []), end]
            for row, (x0, x1) in enumerate(pairwise(xs), self.sketch.rows[edge.source] + 1):
                if abs(x1 - x0) > 1:
                    swings[row] = max(swings[row], min(SWING_MAX, SWING_GAP + abs(x1 - x0) / 12))
        return swings

    def _above(self, frame: str) -> float:
        """From the top of a frame to the top of its first row: its header and those of frames inside."""
        inner = [f.id for f in self.scene.frames.values() if f.parent == frame]
        same = [self._above(name) for name in inner if self.spans[name][0] == self.spans[frame][0]]
        return FRAME_HEADER + max(same, default=0)

    def _below(self, frame: str) -> float:
        last = self.spans[frame][1]
        inner = [f.id for f in self.scene.frames.values() if f.parent == frame]
        same = [self._below(name) for name in inner if self.spans[name][1] == last]
        if same:
            return max(same) + FRAME_BOTTOM
        in_row = [self.blocks[name] for name, row in self.sketch.rows.items() if row == last]
        has_sides = any(block.sides for block in in_row if block.node.frame == frame)
        return FRAME_BOTTOM_LABELLED if has_sides else FRAME_BOTTOM

    # Pixels

    def _at(self, dx: float, dy: float) -> Placed:
        boxes: dict[str, Box] = {}
        notes: dict[str, Box] = {}
        for name in self.blocks:
            self._place_block(name, dx, dy, boxes, notes)
        frames = {}
        for frame, (first, last) in self.spans.items():
            left, right = self.sketch.frames[frame]
            top = self.tops[first] - self._above(frame) + dy
            bottom = self.bottoms[last] + self._below(frame) + dy
            frames[frame] = Box(left + dx, top, right - left, bottom - top)
        routes = self._routes(boxes, dx, dy)
        _, right = _extent(self.task, self.sketch)
        bottom = max([box.bottom for box in [*boxes.values(), *frames.values(), *notes.values()]], default=0)
        return Placed(
            scene=self.scene,
            sizes=self.sizes,
            width=math.ceil(max(self.width, right + dx + MARGIN)),
            height=math.ceil(bottom + BOTTOM_MARGIN) if boxes else EMPTY_HEIGHT,
            boxes=boxes,
            frames=frames,
            headers={name: self._header(name, box, routes) for name, box in frames.items()},
            routes=routes,
            notes=self._notes(notes, routes),
            legend_in_row=False,
            engine=self.engine,
        )

    def _place_block(self, name: str, dx: float, dy: float, boxes: dict[str, Box], notes: dict[str, Box]) -> None:
        block, sizes, row = self.blocks[name], self.sizes, self.sketch.rows[name]
        x = self.sketch.spines[name] - sizes.spine + dx
        behind = b.BEHIND if block.node.kind == "cell" else 0
        y = (self.tops[row] + self.bottoms[row] - block.node_height - behind) / 2 + dy
        boxes[name] = Box(x, y, sizes.main, block.node_height)
        heights = b.stack_heights(block.sides, block.note)
        side_x = x - sizes.side_gap - b.POINT - sizes.side
        side_y = boxes[name].middle - (sum(heights) + b.SIDE_GAP * (len(heights) - 1)) / 2
        for index, height in enumerate(heights):
            if block.note and index == 0:
                notes[name] = Box(side_x, side_y, sizes.side + b.POINT, height)
            else:
                side = block.sides[index - bool(block.note)]
                point = b.POINT if side.kind == "parameter" else 0
                boxes[side.id] = Box(side_x, side_y, sizes.side + point, height)
            side_y += height + b.SIDE_GAP

    def _routes(self, boxes: dict[str, Box], dx: float, dy: float) -> dict[str, Route]:
        routes = {}
        by_user: dict[str, list[str]] = defaultdict(list)
        for edge in self.scene.edges.values():
            if edge.source in self.blocks:
                routes[edge.id] = self._down(edge, boxes, dx, dy)
            else:
                by_user[edge.target].append(edge.id)
        for target, edges in by_user.items():
            box = boxes[target]
            pitch = min(b.SIDE_PITCH + 6, box.height / len(edges))
            for index, edge_id in enumerate(edges):
                source = boxes[self.scene.edges[edge_id].source]
                y = box.middle + (index - (len(edges) - 1) / 2) * pitch
                routes[edge_id] = Route([(source.right, source.middle), (box.x, y)], sideways=True)
        return routes

    def _down(self, edge: Edge, boxes: dict[str, Box], dx: float, dy: float) -> Route:
        start, end = self.meets[edge.id]
        source, target = self.blocks[edge.source], boxes[edge.target]
        row = self.sketch.rows[edge.source]
        behind = b.BEHIND if source.node.kind == "cell" else 0
        knots = [(start, boxes[edge.source].bottom + behind), (start, self.bottoms[row] + dy)]
        for x in self.sketch.lanes.get(edge.id, []):
            row += 1
            knots += [(x, self.tops[row] + dy), (x, self.bottoms[row] + dy)]
        knots += [(end, self.tops[row + 1] + dy), (end, target.y)]
        return Route(without_idle_knots([(x + dx, y) for x, y in knots]))

    def _header(self, name: str, box: Box, routes: dict[str, Route]) -> Header:
        band = box.y + 3, box.y + FRAME_HEADER - 3
        crossing = [route.reach_at(*band) for route in routes.values() if not route.sideways]
        inside = [reach for reach in crossing if reach and box.x < reach[1] and reach[0] < box.right]
        return place_header(self.scene.frames[name], box.x, box.right, inside)

    def _notes(self, boxes: dict[str, Box], routes: dict[str, Route]) -> dict[str, Note]:
        notes = {}
        for edge in self.scene.edges.values():
            if edge.cut is not None and edge.target in boxes:
                x, y = routes[edge.id].knots[-1]
                scissors = (x, y - SCISSORS_ABOVE) if not routes[edge.id].sideways else (x - 18, y)
                notes[edge.id] = Note(boxes[edge.target], self.blocks[edge.target].note, scissors)
        return notes


def _is_free(placed: Placed, region: Box) -> bool:
    drawn = [*placed.boxes.values(), *placed.frames.values(), *(note.box for note in placed.notes.values())]
    knots = [knot for route in placed.routes.values() for knot in route.knots]
    return not any(box.overlaps(region) for box in drawn) and not any(
        x < region.right and y < region.bottom for x, y in knots
    )
