"""A scene with positions: what layout returns and drawing reads."""

from __future__ import annotations

from dataclasses import dataclass

from ..scene import Scene
from .blocks import Metrics
from .headers import Header
from .routes import Route


@dataclass(frozen=True)
class Box:
    """A rectangle in px."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        return self.x + self.width

    @property
    def bottom(self) -> float:
        return self.y + self.height

    @property
    def middle(self) -> float:
        return self.y + self.height / 2

    def overlaps(self, other: Box) -> bool:
        across = self.x < other.right and other.x < self.right
        return across and self.y < other.bottom and other.y < self.bottom


@dataclass(frozen=True)
class Note:
    """Why the gradient is cut on an edge: words at the left, a leader, scissors on the edge."""

    box: Box
    lines: tuple[str, ...]
    scissors: tuple[float, float]


@dataclass
class Placed:
    """A scene with positions, ready to be drawn."""

    scene: Scene
    sizes: Metrics
    width: float
    height: float
    boxes: dict[str, Box]  # node -> its box
    frames: dict[str, Box]
    headers: dict[str, Header]  # frame -> its header
    routes: dict[str, Route]  # edge -> its line
    notes: dict[str, Note]  # edge -> why the gradient is cut there
    legend_in_row: bool  # the legend has no free corner and stands above the graph
    engine: str  # "graphviz" | "plain"
