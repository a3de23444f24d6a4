"""The folded graph as data: one dataclass per thing drawn, before anything has a place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

Document = Mapping[str, Any]
Event = Mapping[str, Any]


@dataclass(frozen=True)
class Pill:
    """A short remark on the border of a node; ``mark`` asks for attention."""

    text: str
    mark: bool = False


@dataclass(frozen=True)
class Repeat:
    """Which iterations of a repetition a node stands for, counted from 1, both ends included."""

    first: int
    last: int
    of: int
    op: int  # the first op of the first iteration
    ops: int  # in each iteration

    @property
    def all_ops(self) -> range:
        """The ops of all iterations."""
        return range(self.op, self.op + self.ops * self.of)


@dataclass(frozen=True)
class Node:
    """One box: an op, a folded Cell, a folded run of ops, or a leaf (parameter, input, constant)."""

    id: str
    kind: str  # "op" | "cell" | "parameter" | "input" | "constant"
    title: str
    subtitle: str  # what it is and its shape, as one line: "MatMul (32, 10)"
    shape: str
    frame: str | None  # id of the innermost open Cell around it
    value: int | None  # the value id shown on its face
    value_at: int | None  # after this event its value is known; -1: from the start; None: never
    grad_at: int | None  # the same for the gradient of its value
    ops: tuple[int, ...] = ()
    call: int | None = None  # the call that a Cell's node stands for
    pills: tuple[Pill, ...] = ()
    foldable: bool = False
    beside: str | None = None  # a leaf drawn at the left of this node, its only user
    slim: bool = False  # a name without strips
    failed: bool = False
    repeat: Repeat | None = None  # it stands for iterations of a repetition, or belongs to one that is drawn

    @property
    def is_leaf(self) -> bool:
        return self.kind in ("parameter", "input", "constant")

    @property
    def is_repetition(self) -> bool:
        """Does it stand for several iterations?"""
        return self.repeat is not None and self.repeat.first < self.repeat.last


@dataclass(frozen=True)
class Frame:
    """An open Cell: a frame around its nodes."""

    id: str
    call: int
    title: str
    subtitle: str
    parent: str | None
    pills: tuple[Pill, ...] = ()


@dataclass(frozen=True)
class Edge:
    """One value on its way from a node to a user; ``grad``: a gradient comes back along it."""

    id: str
    source: str
    target: str
    value: int
    op: int | None  # what made the value; None: it came from outside
    value_at: int | None
    grad_at: int | None
    grad_label: str = ""
    cut: str | None = None  # the gradient is cut on this edge, and why

    @property
    def grad(self) -> bool:
        return self.grad_at is not None


@dataclass(frozen=True)
class Row:
    """What one of two runs has at a node."""

    state: str  # as in the document; "absent": nothing
    summary: Mapping[str, Any] | None


@dataclass(frozen=True)
class Twins:
    """Two runs side by side in one picture: at each node the row of A above that of B, at one scale."""

    names: tuple[str, str]
    gradient: bool  # gradients are shown, not values
    rows: Mapping[str, tuple[Row, Row]]  # node -> what A and B have there
    words: Mapping[str, str]  # node -> how they differ, for screen readers


@dataclass
class Scene:
    """What is drawn, in order of execution, and which drawn thing stands for what happened."""

    title: str
    nodes: dict[str, Node]
    edges: dict[str, Edge]
    frames: dict[str, Frame]
    op_nodes: dict[int, str] = field(repr=False)  # op id -> id of the node that stands for it
    call_nodes: dict[int, tuple[str, str]] = field(repr=False)  # call id -> what its hooks point at, by pass
    gradients: bool = True  # they are drawn beside the values; a plan has values only

    def node_of(self, event: Event) -> str | None:
        """The id of the node an event points at; of the frame, when it happens to an open Cell as a whole."""
        if "op" in event:
            return self.op_nodes.get(event["op"])
        first, last = self.call_nodes.get(event["call"], (None, None))
        return first if event.get("hook") in ("forward_pre", "backward") else last

    def edges_of(self, event: Event) -> list[str]:
        """Ids of the edges that an event feeds: forward the values made, backward the gradients sent on."""
        if event["kind"] == "forward":
            return [edge.id for edge in self.edges.values() if edge.op == event["op"]]
        if event["kind"] in ("hook", "cut"):
            return []
        place, sent = self.node_of(event), set(event["outgoing"])
        fed = (edge for edge in self.edges.values() if edge.grad and edge.value in sent)
        return [edge.id for edge in fed if place in (edge.target, *self.around(self.nodes[edge.target].frame))]

    def around(self, frame: str | None) -> Iterator[str]:
        """``frame`` and the frames around it, inside out."""
        while frame is not None:
            yield frame
            frame = self.frames[frame].parent
