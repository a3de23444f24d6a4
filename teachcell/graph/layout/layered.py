"""Layout without Graphviz: rows in order of execution, paths as straight columns packed side by side.

Frames take rows of their own, so nothing foreign can end up inside them. From the innermost frame outwards,
what a frame holds is packed against a skyline: the longest path first, then the paths beside it, then lanes
for the edges that pass rows. A packed frame is one wide item of the frame around it.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from .sketch import COLUMN_GAP, FRAME_MARGIN, LANE, Sketch, Task

Skyline = dict[int, float]  # row -> the rightmost x taken


def sketch(task: Task) -> Sketch:
    rows = _assign_rows(task)
    packer = _Packer(task, rows)
    for frame in sorted(task.scene.frames, key=packer.depth, reverse=True):
        packer.pack(frame)
    packer.pack(None)
    return packer.unpack()


# Rows


def _assign_rows(task: Task) -> dict[str, int]:
    """Every block below what feeds it; entering or leaving a frame starts a row below all earlier ones."""
    order = _frame_by_frame(task)
    feeds: dict[str, list[str]] = {name: [] for name in order}
    for edge in task.edges:
        feeds[edge.target].append(edge.source)
    rows: dict[str, int] = {}
    stretches: list[list[str]] = []  # blocks that follow each other in one frame
    frame, floor = None, 0
    for name in order:
        if not stretches or task.blocks[name].node.frame != frame:
            frame, floor = task.blocks[name].node.frame, max(rows.values(), default=-1) + 1
            stretches.append([])
        stretches[-1].append(name)
        rows[name] = max([floor, *(rows[source] + 1 for source in feeds[name])])
    for stretch in stretches:
        _pull_down(stretch, feeds, rows)
    return rows


def _pull_down(stretch: list[str], feeds: dict[str, list[str]], rows: dict[str, int]) -> None:
    """What serves only one block, with all that it hangs on, goes down to that block."""
    users: dict[str, set[str]] = {name: set() for name in feeds}
    for name, sources in feeds.items():
        for source in sources:
            users[source].add(name)
    hanging: set[str] = set()
    for name in feeds:
        if all(source in hanging and len(users[source]) == 1 for source in feeds[name]):
            hanging.add(name)
    end = max(rows[name] for name in stretch)
    for name in reversed(stretch):
        if name in hanging and users[name]:
            rows[name] = min(end, min(rows[user] for user in users[name]) - 1)


def _frame_by_frame(task: Task) -> list[str]:
    """Blocks in order, but an input that is used inside a frame comes before the frame."""
    order = list(task.blocks)
    first_in: dict[str, int] = {}
    for index, name in enumerate(order):
        for frame in task.scene.around(task.blocks[name].node.frame):
            first_in.setdefault(frame, index)
    places = {name: (index, 1) for index, name in enumerate(order)}
    for edge in task.edges:
        around = list(task.scene.around(task.blocks[edge.target].node.frame))
        if task.blocks[edge.source].node.is_leaf and around:
            places[edge.source] = min(places[edge.source], (first_in[around[-1]], 0))
    return sorted(order, key=lambda name: (places[name], order.index(name)))


# Columns


@dataclass
class _Item:
    """A block or a packed frame inside one frame: its rows and its reach from its spine."""

    first: int
    last: int
    left: float
    right: float
    follower: str | None = None  # the next item of its path
    has_leader: bool = False


@dataclass
class _Packed:
    """What a frame holds, with x measured from the spine of its first path."""

    spines: dict[str, float] = field(default_factory=dict)  # block or inner frame -> x
    lanes: dict[str, list[float]] = field(default_factory=dict)
    left: float = 0.0
    right: float = 0.0


class _Packer:
    def __init__(self, task: Task, rows: dict[str, int]) -> None:
        self.task, self.rows = task, rows
        self.packed: dict[str | None, _Packed] = {}
        self.spans = task.frame_rows(rows)

    def depth(self, frame: str) -> int:
        return len(list(self.task.scene.around(frame)))

    def pack(self, frame: str | None) -> None:
        items = self._items(frame)
        inside = self.packed[frame] = _Packed()
        skyline: Skyline = {}
        straight: set[str] = set()
        edges = self._join(frame, items, straight)
        for path in _paths(items):
            self._place_path(path, items, inside, skyline)
        for edge_id, (source, target) in edges.items():
            passed = range(self.rows[source] + 1, self.rows[target])
            if edge_id in straight:
                x = inside.spines[self._item_of(frame, source)]
            else:
                x = max((skyline.get(row, 0) for row in passed), default=0) + LANE
                skyline.update(dict.fromkeys(passed, x))
                inside.right = max(inside.right, x if passed else 0)
            inside.lanes[edge_id] = [x] * len(passed)
        if frame is not None:
            inside.left -= FRAME_MARGIN
            inside.right = max(inside.right + FRAME_MARGIN, inside.left + self.task.header_widths[frame])

    def _items(self, frame: str | None) -> dict[str, _Item]:
        items = {}
        for name, block in self.task.blocks.items():
            if block.node.frame == frame:
                items[name] = _Item(self.rows[name], self.rows[name], block.left, block.right)
        for inner in self.task.scene.frames.values():
            if inner.parent == frame:
                packed = self.packed[inner.id]
                items[inner.id] = _Item(*self.spans[inner.id], -packed.left, packed.right)
        return dict(sorted(items.items(), key=lambda item: item[1].first))

    def _item_of(self, frame: str | None, block: str) -> str:
        """The item of ``frame`` that is or holds ``block``; "" when the block is outside."""
        chain = [block, *self.task.scene.around(self.task.blocks[block].node.frame), None]
        return chain[chain.index(frame) - 1] or "" if frame in chain else ""

    def _join(self, frame: str | None, items: dict[str, _Item], straight: set[str]) -> dict[str, tuple[str, str]]:
        """Link items to paths, the main path first; returns the edges between items, short ones first."""
        main = self.task.main_path()
        between = {}
        for edge in sorted(self.task.edges, key=lambda e: self.rows[e.target] - self.rows[e.source]):
            source, target = self._item_of(frame, edge.source), self._item_of(frame, edge.target)
            if source and target and source != target:
                between[edge.id] = edge.source, edge.target
        for edge_id in sorted(between, key=lambda name: name not in main):
            source, target = between[edge_id]
            follower = self._item_of(frame, target)
            above, below = items[self._item_of(frame, source)], items[follower]
            if above.follower is None and not below.has_leader and above.last < below.first:
                above.follower, below.has_leader = follower, True
                if self.rows[source] == above.last and self.rows[target] == below.first:
                    straight.add(edge_id)
        return between

    def _place_path(self, path: list[str], items: dict[str, _Item], inside: _Packed, skyline: Skyline) -> None:
        first, last = items[path[0]].first, items[path[-1]].last
        reach = {row: (LANE / 2, LANE / 2) for row in range(first, last + 1)}
        for name in path:
            item = items[name]
            reach.update(dict.fromkeys(range(item.first, item.last + 1), (item.left, item.right)))
        taken = [skyline[row] + COLUMN_GAP + left for row, (left, _) in reach.items() if row in skyline]
        x = max(taken, default=0.0)
        for row, (left, right) in reach.items():
            skyline[row] = x + right
            inside.left = min(inside.left, x - left)
            inside.right = max(inside.right, x + right)
        inside.spines.update(dict.fromkeys(path, x))

    def unpack(self) -> Sketch:
        result = Sketch(self.rows, {}, {}, {})
        offsets: dict[str | None, float] = {None: 0.0}
        for frame in [None, *sorted(self.task.scene.frames, key=self.depth)]:
            inside, offset = self.packed[frame], offsets[frame]
            for name, x in inside.spines.items():
                if name in self.task.blocks:
                    result.spines[name] = offset + x
                else:
                    offsets[name] = offset + x
            if frame is not None:
                result.frames[frame] = offset + inside.left, offset + inside.right
            for edge_id, lane in inside.lanes.items():
                result.lanes[edge_id] = [offset + x for x in lane]
        return result


def _paths(items: dict[str, _Item]) -> list[list[str]]:
    """The paths that the items form, longest first."""
    paths = []
    for name, item in items.items():
        if not item.has_leader:
            path = [name]
            while (follower := items[path[-1]].follower) is not None:
                path.append(follower)
            paths.append(path)
    return sorted(paths, key=lambda path: items[path[0]].first - items[path[-1]].last)
