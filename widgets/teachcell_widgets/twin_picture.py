"""The graph of two runs: strips of A above B at every drawn node, and how far apart they are on its border."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any

from teachcell.graph import Edge, Node, Pill, Placed, Row, Scene, Twins, draw_svg, place
from teachcell.lens.compare.align import Alignment
from teachcell.lens.compare.differences import SIDES, Differences, Place
from teachcell.lens.compare.distance import Distance
from teachcell.lens.compare.run import Run
from teachcell.texts import say
from teachcell.texts.numbers import number

ABSENT = Row("absent", None)
LARGE = 250_000  # letters of a picture, of which one at a time travels


class TwinPicture:
    """The runs A and B in the drawing of a third run, the one on the stage, which may be one of them.

    Attributes:
        scene: what is drawn.
        places: the place in A and B of each drawn node, as far as they have one.
    """

    def __init__(self, differences: Differences, scene: Scene, drawn: Run):
        self.differences, self.scene, self.drawn = differences, scene, drawn
        self._places = _places_of(differences, drawn)
        self.places = {name: self._places[v] for name, v in self._values().items() if v in self._places}
        self._op_places = self._by_op()
        self._layout: tuple[int, Placed] | None = None

    def _values(self) -> dict[str, int]:
        """The value that each node, and each open Cell, shows."""
        calls = self.drawn.document["calls"]
        nodes = {name: node.value for name, node in self.scene.nodes.items() if node.value is not None}
        frames = {name: calls[frame.call]["outputs"] for name, frame in self.scene.frames.items()}
        return nodes | {name: values[0] for name, values in frames.items() if values}

    def _by_op(self) -> dict[int, list[Place]]:
        """The places that belong to an op of the drawn run: its results, and what it alone takes from outside."""
        found: dict[int, list[Place]] = {}
        document = self.drawn.document
        for op in document["ops"]:
            values = [*op["outputs"], *(v for v in op["inputs"] if document["values"][v]["kind"] == "parameter")]
            found[op["id"]] = [self._places[v] for v in values if v in self._places]
        return found

    @cached_property
    def _nodes(self) -> dict[int, str]:
        """Identity of a place to the node that shows it, or hides it inside."""
        found: dict[int, str] = {id(shown): name for name, shown in self.places.items()}
        for op, hidden in self._op_places.items():
            for each in hidden:
                if op in self.scene.op_nodes:
                    found.setdefault(id(each), self.scene.op_nodes[op])
        return found

    def node_of(self, place: Place | None) -> str | None:
        """The drawn node that shows a place, or hides it inside."""
        return None if place is None else self._nodes.get(id(place))

    def inside(self, node: Node, side: str) -> Distance | None:
        """The largest difference that a node which shows none hides."""
        if len(node.ops) < 2:
            return None
        hidden = [p.of(side) for op in node.ops for p in self._op_places.get(op, ()) if not p.of(side).same]
        return max(hidden, key=lambda found: found.largest or 0.0, default=None)

    def svg(self, side: str, width: int) -> str:
        """The picture for the browser."""
        gradient, differences = side == "gradient", self.differences
        scene = replace(
            self.scene,
            nodes={name: self._node(node, side) for name, node in self.scene.nodes.items()},
            edges={name: _edge(edge, gradient) for name, edge in self.scene.edges.items()},
            frames={name: replace(frame, pills=()) for name, frame in self.scene.frames.items()},
        )
        twins = Twins(
            names=(differences.a.name, differences.b.name),
            gradient=gradient,
            rows={name: self._rows(self.places[name], gradient) for name in scene.nodes if name in self.places},
            words={name: self._words(place, side) for name, place in self.places.items()},
        )
        return draw_svg(self._placed(scene, width), self.drawn.document, live=True, twins=twins)

    def _placed(self, scene: Scene, width: int) -> Placed:
        """Both pictures have the same layout, unless a cut is explained in one of them."""
        if any(edge.cut is not None for edge in self.scene.edges.values()):
            return place(scene, width)
        if self._layout is None or self._layout[0] != width:
            self._layout = width, place(scene, width)
        return replace(self._layout[1], scene=scene)

    def pictures(self, first: str, width: int) -> dict[str, str]:
        """Of values and of gradients; of a large graph only the one that is shown ``first``."""
        found = {first: self.svg(first, width)}
        if len(found[first]) <= LARGE:
            found |= {side: self.svg(side, width) for side in SIDES if side != first}
        return found

    def _node(self, node: Node, side: str) -> Node:
        place = self.places.get(node.id)
        pills: tuple[Pill, ...] = ()
        if place is not None and not place.of(side).same:
            pills = (Pill(pill(place.of(side)), mark=True),)
        elif (hidden := self.inside(node, side)) is not None:
            pills = (Pill(_pill_inside(hidden), mark=True),)
        return replace(node, pills=pills, value_at=-1, grad_at=-1, failed=False)

    def _rows(self, found: Place, gradient: bool) -> tuple[Row, Row]:
        one = _row(self.differences.a, found.a, gradient)
        return one, (one if found.of("gradient" if gradient else "value").state == "equal" else
                     _row(self.differences.b, found.b, gradient))  # fmt: skip

    def _words(self, place: Place, side: str) -> str:
        return "".join(text for _, text in self.differences.told(place, side))


def _places_of(differences: Differences, drawn: Run) -> Mapping[int, Place]:
    """The place of each value of the drawn run."""
    for run, places in ((differences.b, differences.of_b), (differences.a, differences.of_a)):
        if run.document is drawn.document:
            return places
    in_b = Alignment(drawn.document, differences.b.document).values
    in_a = Alignment(drawn.document, differences.a.document).values
    found = {value: differences.of_a[x] for value, x in in_a.items() if x in differences.of_a}
    return found | {value: differences.of_b[y] for value, y in in_b.items() if y in differences.of_b}


def _row(run: Run, value: int | None, gradient: bool) -> Row:
    if value is None:
        return ABSENT
    told = run.document["values"][value]
    return Row(told["grad_state"], told["grad"]) if gradient else Row(told["value_state"], told["value"])


def _edge(edge: Edge, gradient: bool) -> Edge:
    """All of it has flowed; gradients are drawn only when they are shown, without their labels."""
    shown = gradient and edge.grad
    return replace(edge, value_at=-1, grad_at=-1 if shown else None, grad_label="", cut=edge.cut if gradient else None)


def pill(found: Distance) -> str:
    """A difference in a word."""
    if found.state in ("only_a", "only_b"):
        return say("compare.pill_only", side=found.state[-1].upper())
    if found.state in ("shape", "dtype", "nan"):
        return say(f"compare.pill_{found.state}")
    if found.largest is None:
        return say("compare.pill_huge")
    return say("compare.pill_at_least" if found.at_least else "compare.pill", number=number(found.largest))


def _pill_inside(found: Distance) -> str:
    if found.largest is None:
        return say("compare.pill_inside_other")
    return say("compare.pill_inside", number=number(found.largest))


def summary_of(run: Run, value: int | None, gradient: bool) -> dict[str, Any] | None:
    """The numbers of a value or its gradient, with pictures; None where there is none."""
    if value is None:
        return None
    seen = run.values[value].gradient if gradient else run.values[value].value
    return None if seen is None else seen.summary()
