"""Cut detective: why a gradient is zero, missing or NaN, and on which edge that happened."""

from __future__ import annotations

from typing import Any

from teachcell.lens.causes import Causes, Finding
from teachcell.lens.causes.place import Place
from teachcell.texts import say

from .panel import Panel
from .workbench import Workbench

MOST_NAMES = 40
MOST_NODES = 2000  # of which each has its own finding; in a larger drawing only odd ones have


class CutDetectivePanel(Panel):
    """An answer for every drawn node, and a list of those that are odd."""

    name = "cut_detective"

    def why(self, node: str) -> Finding:
        """Why the gradient of a Cell (by its path), a Parameter, an input or a drawn node (``"op3"``) is as it is.

        Raises:
            ValueError: no node of that name is drawn, or it stands for no value.
            RuntimeError: the widget is closed.
        """
        value = self._values().get(node, self._named(node))
        if value is None:
            raise ValueError(say("explorer.no_value", node=node, known=", ".join(self._names())))
        return self._causes().of(value)

    def data(self) -> dict[str, Any]:
        """``nodes``: node to finding. ``odd``: the nodes to look at, those right before the cause first.

        ``backward``: whether there was a backward pass."""
        causes, values = self._causes(), self._values()
        found = {node: causes.of(value) for node, value in list(values.items())[:MOST_NODES]}
        told = {node: self._told(finding) for node, finding in found.items()}
        odd = [node for node, finding in found.items() if finding.odd]
        odd.sort(key=lambda node: all(place.value != values[node] for place in found[node].places))
        backward = any(event["kind"] in ("backward", "bprop") for event in self.bench.outcome.document["events"])
        titles = {node: self._title(node) for node in values}
        return {"nodes": told, "odd": odd, "titles": titles, "backward": backward}

    def _named(self, name: str) -> int | None:
        """The input or Parameter of this name, or what the last call of the Cell at this path returned."""
        document = self.bench.outcome.document
        found = [value["id"] for value in document["values"] if value["name"] == name]
        found += [call["outputs"][0] for call in document["calls"] if call["path"] == name and call["outputs"]]
        return found[-1] if found else None

    def _names(self) -> list[str]:
        """What a learner may ask about: Cells, Parameters, inputs; without such names, drawn nodes."""
        document = self.bench.outcome.document
        cells = [call["path"] for call in document["calls"] if call["outputs"]]
        named = [v["name"] for v in document["values"] if v["kind"] in ("input", "parameter")]
        return list(dict.fromkeys(filter(None, [*cells, *named])))[:MOST_NAMES] or list(self._values())

    def _causes(self) -> Causes:
        self.bench.refuse_if_retired()
        return Causes(self.bench.outcome.recorder, self.bench.outcome.document)

    def _values(self) -> dict[str, int]:
        nodes = self.bench.steps.scene.nodes
        return {name: node.value for name, node in nodes.items() if node.value is not None}

    def _title(self, node: str) -> str:
        details = self.bench.view["nodes"][node]
        return f"{details['title']} {details['shape']}"

    def _told(self, finding: Finding) -> dict[str, Any]:
        at = [node for node in map(self._node, finding.places) if node is not None]
        edges = {edge for place in finding.places for edge in self._edges(place)}
        return {
            "state": finding.state,
            "odd": finding.odd,
            "head": finding.head,
            "why": list(finding.why),
            "at": at[0] if at else None,
            "edges": sorted(edges),
        }

    def _node(self, place: Place) -> str | None:
        scene = self.bench.steps.scene
        if place.op is not None:
            return scene.op_nodes.get(place.op)
        return scene.call_nodes.get(place.call, (None, None))[1]

    def _edges(self, place: Place) -> list[str]:
        """The edges on which the gradient ended: the value's way to the node where it happened."""
        scene, node = self.bench.steps.scene, self._node(place)
        ways = [edge for edge in scene.edges.values() if edge.value == place.value]
        there = [e.id for e in ways if node in (e.target, *scene.around(scene.nodes[e.target].frame))]
        return there or [edge.id for edge in ways]


class CutDetective(Workbench):
    """The cut detective as a widget of its own, beside the graph; arguments as for :class:`Explorer`."""

    parts = ("header", "stage")
    panel_types = (CutDetectivePanel,)

    cut_detective: CutDetectivePanel
