"""The steps of the transport: the events of a document, those of one drawn node together where there are many."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypeVar

from teachcell.graph import Edge, Node, Scene
from teachcell.lens.write.steps import write_steps
from teachcell.texts import say
from teachcell.texts.numbers import shape

Drawn = TypeVar("Drawn", Node, Edge)
MOST_STEPS = 500


class Steps:
    """The events of a document as steps in one folding.

    Up to 500 events each is a step. Where there are more, neighbours that happen at one drawn node are one step.

    Attributes:
        steps: as the browser reads them.
        scene: the Scene, its times counted in steps.
    """

    def __init__(self, document: dict[str, Any], scene: Scene):
        self.events = document["events"]
        nodes = [scene.node_of(event) or "" for event in self.events]
        written = write_steps(document)
        self._step_of: list[int] = []  # event to step
        self._last: list[int] = []  # step to its last event
        self.steps: list[dict[str, Any]] = []
        for i, (event, node, step) in enumerate(zip(self.events, nodes, written, strict=True)):
            if self._joins(i, nodes, written):
                self._last[-1] = i
                self._join(scene, event)
            else:
                self._last.append(i)
                self.steps.append(step | {"node": node, "edges": scene.edges_of(event), "ops": 1})
            self._step_of.append(len(self.steps) - 1)
        for step in self.steps:
            if (count := step.pop("ops")) > 1:
                step["sentence"] = _many(step["pass"], count, scene.nodes[step["node"]].shape)
        self.scene = self._in_steps(scene)

    def _joins(self, i: int, nodes: list[str], written: list[dict[str, Any]]) -> bool:
        """Whether event ``i`` belongs to the step of the one before."""
        if len(self.events) <= MOST_STEPS or i == 0 or self.events[i]["kind"] == "cut":
            return False
        return nodes[i] == nodes[i - 1] and written[i]["pass"] == written[i - 1]["pass"]

    def _join(self, scene: Scene, event: dict[str, Any]) -> None:
        step = self.steps[-1]
        step["ops"] += "op" in event
        step["edges"] += [edge for edge in scene.edges_of(event) if edge not in step["edges"]]

    def _in_steps(self, scene: Scene) -> Scene:
        nodes = {name: self._timed(node) for name, node in scene.nodes.items()}
        return replace(scene, nodes=nodes, edges={name: self._timed(edge) for name, edge in scene.edges.items()})

    def _timed(self, drawn: Drawn) -> Drawn:
        return replace(drawn, value_at=self.at(drawn.value_at), grad_at=self.at(drawn.grad_at))

    def at(self, event: int | None) -> int | None:
        """The step of an event; -1 (from the start) and None (never) stay."""
        return event if event is None or event < 0 else self._step_of[event]

    def events_of(self, step: int) -> range:
        """The events that are one step."""
        return range(self._last[step - 1] + 1 if step else 0, self._last[step] + 1)

    def events_done(self, position: int) -> int:
        """How many events have happened after so many steps."""
        return self._last[min(position, len(self._last)) - 1] + 1 if position > 0 and self._last else 0

    def steps_done(self, events: int) -> int:
        """How many steps it takes until so many events have happened."""
        return self._step_of[min(events, len(self._step_of)) - 1] + 1 if events > 0 and self._step_of else 0


def _many(section: str, count: int, shown: str) -> list[list[str]]:
    key = "lens.many_forward" if section == "forward" else "lens.many_backward"
    return [["b", say(key, count=count)], ["", " → "], ["val" if section == "forward" else "grad", shown or shape(())]]


def same_place(before: dict[str, Any], now: dict[str, Any], done: int) -> int:
    """How many events of another run to take as done: up to the same event, or the nearest earlier one there is."""
    if done >= len(before["events"]):
        return len(now["events"])
    places = {key: i for i, key in enumerate(_keys(now))}
    for key in reversed(_keys(before)[:done]):
        if key in places:
            return places[key] + 1
    return 0


def _keys(document: dict[str, Any]) -> list[tuple[Any, ...]]:
    """A name for each event that does not depend on the ops elsewhere: what, in which call, for how manieth time."""
    times: dict[tuple[Any, ...], int] = {}
    keys = []
    for event in document["events"]:
        call = document["calls"][event["call"]]
        op = document["ops"][event["op"]]["op"] if "op" in event else None
        what = (event["kind"], event.get("hook"), event.get("name"), op, call["path"], call["call"])
        times[what] = times.get(what, 0) + 1
        keys.append((*what, times[what]))
    return keys
