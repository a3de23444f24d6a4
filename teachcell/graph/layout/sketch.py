"""What a layout engine is asked for, and the paths it should keep straight."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ..scene import Edge, Scene
from .blocks import Block

COLUMN_GAP = 30  # between blocks side by side
LANE = 34  # an edge that passes a row: two lines and air
FRAME_MARGIN = 8


@dataclass
class Task:
    """Blocks to be placed in rows, edges between them that point down, frames around some of them."""

    scene: Scene
    blocks: Mapping[str, Block]  # in an order in which every edge points forward
    header_widths: Mapping[str, float]  # what the header of each frame needs
    edges: list[Edge] = field(init=False)

    def __post_init__(self) -> None:
        self.edges = [edge for edge in self.scene.edges.values() if edge.source in self.blocks]

    def main_path(self) -> set[str]:
        """Ids of the edges of the longest path; of two equally long ones, the one that was computed first."""
        length = dict.fromkeys(self.blocks, 0)
        best: dict[str, Edge] = {}
        into: dict[str, list[Edge]] = {name: [] for name in self.blocks}
        for edge in self.edges:
            into[edge.target].append(edge)
        for name in self.blocks:
            for edge in into[name]:
                if length[edge.source] + 1 > length[name]:
                    length[name], best[name] = length[edge.source] + 1, edge
        path: set[str] = set()
        at = max(self.blocks, key=lambda name: length[name], default="")
        while at in best:
            path.add(best[at].id)
            at = best[at].source
        return path

    def frame_rows(self, rows: Mapping[str, int]) -> dict[str, tuple[int, int]]:
        """The first and last row of every frame, given the row of every block."""
        spans: dict[str, tuple[int, int]] = {}
        for name, row in rows.items():
            for frame in self.scene.around(self.blocks[name].node.frame):
                first, last = spans.get(frame, (row, row))
                spans[frame] = min(first, row), max(last, row)
        return spans


@dataclass
class Sketch:
    """Where an engine puts things; heights follow from the rows."""

    rows: dict[str, int]  # block -> row, from the top
    spines: dict[str, float]  # block -> x of its spine
    frames: dict[str, tuple[float, float]]  # frame -> its left and right
    lanes: dict[str, list[float]]  # edge -> x in every row that it passes between its ends
