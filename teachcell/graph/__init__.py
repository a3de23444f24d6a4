"""The graph of a recorded program: plain data -> folded graph -> layout -> DOT or SVG.

``fold`` decides what is drawn, ``place`` where, ``draw_svg`` and ``to_dot`` write it down; ``static_svg``
does all of it for a picture that needs nothing but a viewer. The package reads the document that the lens
writes, knows no other part of teachcell but its texts, and imports ``graphviz`` only when a layout asks for it.
"""

from __future__ import annotations

from collections.abc import Collection

from .dot import to_dot
from .drawing.style import PAINT as GRAPH_STYLE
from .drawing.svg import draw_svg
from .folding.fold import fold
from .folding.search import Match, search
from .layout.graphviz_engine import EngineMissing
from .layout.place import Layout, place
from .layout.placed import Box, Placed
from .scene import Document, Edge, Event, Frame, Node, Pill, Repeat, Row, Scene, Twins

__all__ = [
    "GRAPH_STYLE",
    "Box",
    "Document",
    "Edge",
    "EngineMissing",
    "Event",
    "Frame",
    "Layout",
    "Match",
    "Node",
    "Pill",
    "Placed",
    "Repeat",
    "Row",
    "Scene",
    "Twins",
    "draw_svg",
    "fold",
    "place",
    "search",
    "static_svg",
    "to_dot",
]

STATIC_WIDTH = 740


def static_svg(
    document: Document, opened: Collection[int] = (), layout: Layout = "auto", chosen: Collection[int] = ()
) -> str:
    """The picture of a whole run as one SVG file: no script, no fonts, light and dark."""
    placed = place(fold(document, opened, chosen), STATIC_WIDTH, layout, ranges=True)
    return draw_svg(placed, document, live=False)
