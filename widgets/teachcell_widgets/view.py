"""The one dict that the Explorer's browser side draws from."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from teachcell.graph import Scene, draw_svg, fold, place
from teachcell.lens import Experiment
from teachcell.lens.steps import write_steps
from teachcell.texts import get_language, say, table

from .panels import Panels

ODD_STATES = ("cut", "dead", "nan", "nan starts")


def write_view(
    document: dict[str, Any], experiment: Experiment, opened: Collection[int], width: int
) -> tuple[dict[str, Any], Scene]:
    """View of a run, without what only the widget knows (errors, the last switch's code, a check)."""
    scene = fold(document, opened)
    placed = place(scene, width)
    panels = Panels(document, scene, experiment).all()
    capture = experiment.capture
    view = {
        "title": document["title"],
        "svg": draw_svg(placed, document, live=True),
        "uid": "",
        "steps": steps_on(document, scene),
        "nodes": panels,
        "order": [name for name in scene.nodes if name in panels],
        "scopes": scopes(experiment),
        "capture": {"on": capture is not None, "path": (capture.path or document["title"]) if capture is not None else ""},
        "note": "" if experiment.program.loss is not None else say("explorer.summed"),
        "texts": {key.partition(".")[2]: say(key) for key in table("browser")},
        "lang": get_language(),
        "odd": [name for name, node in scene.nodes.items() if _is_odd(document, node.value)],
    }
    return view, scene


def steps_on(document: dict[str, Any], scene: Scene) -> list[dict[str, Any]]:
    """The sentences of all events, each with the node and edges it points at in this folding."""
    steps = write_steps(document)
    for step, event in zip(steps, document["events"], strict=True):
        step["node"] = scene.node_of(event) or ""
        step["edges"] = scene.edges_of(event)
    return steps


def scopes(experiment: Experiment) -> list[dict[str, Any]]:
    """What the mode switch can be applied to: the whole net and each Cell, with their modes in words."""
    program = experiment.program
    if not program.is_cell and not program.cells:
        whole = {"path": "", "label": say("explorer.whole_net"), "mode": None, "says": "", "tip": say("explorer.a_function")}
        return [whole]
    return [_scope(experiment, path) for path in program.cells]


def _scope(experiment: Experiment, path: str) -> dict[str, Any]:
    cell, mode = experiment.cell(path), experiment.mode(path)
    key = "explorer.says_mixed" if mode == "mixed" else "explorer.says"
    fresh = cell.phase == "train" and not cell.training
    return {
        "path": path,
        "label": f"{path} · {type(cell).__name__}" if path else say("explorer.whole_net"),
        "mode": mode,
        "says": say(key, training=cell.training, phase=cell.phase),
        "tip": say("explorer.phase_tip") if fresh else "",
    }


def _is_odd(document: dict[str, Any], value: int | None) -> bool:
    if value is None:
        return False
    seen = document["values"][value]
    return seen["value_state"] in ODD_STATES or seen["grad_state"] in ODD_STATES
