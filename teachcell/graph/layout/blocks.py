"""What the layout engines place: blocks.

A block is a node of the main columns together with the leaves at its left. It knows how far it reaches from
its *spine*, the vertical line on which edges enter and leave, so that an engine sees plain boxes:

    ┌─────────╲       ┌──────┬─────────────┐
    │ weight   ╲ ───> │ matmul             │
    └──────────╱      └──────┴─────────────┘
    <─────── left ───────────><── right ───>     the spine is between the two
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from teachcell.texts import say

from ..measure import text_width, wrap
from ..scene import Node, Scene

NODE_HEIGHT, TOP_LEAF_HEIGHT = 44, 36
SIDE_HEIGHT, SLIM_HEIGHT = 42, 30
SIDE_GAP = 18  # room for the label of a gradient under a leaf
POINT = 12  # the point of a parameter's box
BEHIND = 5  # how far the second box of a folded Cell stands out
SIDE_PITCH = 22  # height that each leaf needs on the left side of its user
MAIN_MAX, MAIN_MIN = 400, 210
STRIP_ROOM = 110  # of a node beside its words: the strips hold "not needed" and "no gradient"
VALUE_ROOM = 90  # the same where there are no gradients
ROOMY = 300  # from this width on, every picture has the same text column unless names are long
TEXT_USUAL, TEXT_MIN = 118, 60
NAME_SIZE, KIND_SIZE = 14, 12.5
NOTE_LINE, NOTE_MARGIN, NOTE_LINES = 17, 8, 6
RANGE_WIDTH = 152  # "−0.000114 … 0.000925" at the right of a node in a static picture


@dataclass(frozen=True)
class Metrics:
    """The widths that one drawing uses throughout."""

    main: float  # width of a node of the main columns
    side: float  # width of a leaf at the left, without its point
    side_gap: float
    spine: float  # from the left edge of a node to its spine
    text: float  # width of the words at the left of a node's strips
    ranges: bool  # min … max are written beside the nodes
    compact: bool


@dataclass(frozen=True)
class Block:
    """A node with the leaves at its left; distances are from its spine and from its middle."""

    node: Node
    sides: tuple[Node, ...]
    note: tuple[str, ...]  # why the gradient is cut on the way here, line by line
    node_height: float
    left: float
    right: float
    height: float


def metrics(scene: Scene, main: float, compact: bool, ranges: bool) -> Metrics:
    return Metrics(
        main=main,
        side=112 if compact else 158,
        side_gap=30 if compact else 44,
        spine=56 if compact else 66,
        text=_text_column(scene, main, compact),
        ranges=ranges,
        compact=compact,
    )


def _text_column(scene: Scene, main: float, compact: bool) -> float:
    """Wide enough for every name and kind, within reason: the strips need the rest."""
    widest = _widest(scene)
    if not scene.gradients:
        return min(max(TEXT_MIN, widest), main - VALUE_ROOM)
    return min(max(TEXT_MIN if main < ROOMY else TEXT_USUAL, widest), main / 2, main - STRIP_ROOM)


def _widest(scene: Scene) -> float:
    mains = [node for node in scene.nodes.values() if node.beside is None]
    names = [text_width(node.title, NAME_SIZE, bold=True) + (16 if node.foldable else 0) for node in mains]
    kinds = [text_width(node.subtitle, KIND_SIZE) for node in mains]
    return max([*names, *kinds], default=0)


def least_main(scene: Scene) -> float:
    """The least width of a node: where there are no gradients it keeps room for all words."""
    return MAIN_MIN if scene.gradients else min(max(MAIN_MIN, _widest(scene) + VALUE_ROOM), MAIN_MAX)


def build_blocks(scene: Scene, sizes: Metrics) -> dict[str, Block]:
    """One block per node of the main columns."""
    beside: dict[str, list[Node]] = defaultdict(list)
    for node in scene.nodes.values():
        if node.beside is not None:
            beside[node.beside].append(node)
    cuts = {edge.target: edge.cut for edge in scene.edges.values() if edge.cut is not None}
    notes = {target: _note_lines(why, sizes) for target, why in cuts.items()}
    return {
        node.id: _block(node, tuple(beside[node.id]), notes.get(node.id, ()), sizes)
        for node in scene.nodes.values()
        if node.beside is None
    }


def _note_lines(why: str, sizes: Metrics) -> tuple[str, ...]:
    room = sizes.side + POINT - 2 * NOTE_MARGIN
    return say("graph.cut_here"), *wrap(why, room, KIND_SIZE, NOTE_LINES)


def side_height(node: Node) -> float:
    return SLIM_HEIGHT if node.slim else SIDE_HEIGHT


def note_height(note: tuple[str, ...]) -> float:
    return NOTE_LINE * len(note) + 2 * NOTE_MARGIN if note else 0


def stack_heights(block_sides: tuple[Node, ...], note: tuple[str, ...]) -> list[float]:
    """Heights of what stands at the left of a node, from the top: the note, then the leaves."""
    return [note_height(note)] * bool(note) + [side_height(node) for node in block_sides]


def _block(node: Node, sides: tuple[Node, ...], note: tuple[str, ...], sizes: Metrics) -> Block:
    own = TOP_LEAF_HEIGHT if node.is_leaf else max(NODE_HEIGHT, SIDE_PITCH * len(sides))
    stack = stack_heights(sides, note)
    behind = BEHIND if node.kind == "cell" else 0
    return Block(
        node=node,
        sides=sides,
        note=note,
        node_height=own,
        left=sizes.spine + (sizes.side + POINT + sizes.side_gap if stack else 0),
        right=sizes.main - sizes.spine + behind + (RANGE_WIDTH if sizes.ranges else 0),
        height=max(own + behind, sum(stack) + SIDE_GAP * (len(stack) - 1)),
    )
