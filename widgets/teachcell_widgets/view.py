"""The one dict that the Explorer's browser side draws from."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from typing import Any

from teachcell import GRAPH_MODE, get_context
from teachcell.graph import Scene, draw_svg, fold, place
from teachcell.lens import Experiment, Outcome
from teachcell.lens.collector import held
from teachcell.lens.watch.summary import coarser
from teachcell.texts import get_language, say, table

from .node_details import NodeDetails
from .steps import Steps

ODD_STATES = ("cut", "dead", "nan", "nan starts")
MOST_BYTES = 600_000  # what is left of 1 MB is for the data of a panel
MOST_NODES = (200, 100, 50)  # drawn, where the whole would be too large
SIDES = (16, 8, 4)  # of the maps, the same


@held()
def write_view(
    outcome: Outcome, experiment: Experiment, opened: Collection[int], width: int, chosen: Collection[int] = ()
) -> tuple[dict[str, Any], Steps]:
    """View of a run, without what only the widget knows (errors, the last switch's code, a check).

    A view that would be too large has smaller maps, and then fewer nodes.
    """
    for most in MOST_NODES:
        steps = Steps(outcome.document, fold(outcome.document, opened, chosen, most))
        view = _view(outcome, experiment, steps, width)
        for side in SIDES:
            if len(json.dumps(view)) <= MOST_BYTES:
                return view, steps
            view["nodes"] = with_smaller_maps(view["nodes"], side)
    return view, steps


def _view(outcome: Outcome, experiment: Experiment, steps: Steps, width: int) -> dict[str, Any]:
    document, scene, capture = outcome.document, steps.scene, experiment.capture
    captured = "" if capture is None else capture.path or document["title"]
    return {
        "title": document["title"],
        "svg": draw_svg(place(scene, width), document, live=True),
        "steps": steps.steps,
        "nodes": NodeDetails(outcome, scene, experiment).all(),
        "cards": document["cards"],
        "order": list(_order(scene)),
        "scopes": scopes(experiment),
        "capture": {"on": capture is not None, "path": captured},
        "note": _note(experiment),
        **labels(),
        "odd": [name for name, node in scene.nodes.items() if _is_odd(document, node.value)],
    }


def labels() -> dict[str, Any]:
    """The language in use, and what the browser side says in it."""
    return {"texts": {key.partition(".")[2]: say(key) for key in table("browser")}, "lang": get_language()}


def _note(experiment: Experiment) -> str:
    notes = ["explorer.summed"] if experiment.program.loss is None else []
    notes += ["explorer.graph_mode"] if get_context("mode") == GRAPH_MODE else []
    return " ".join(map(say, notes))


def with_smaller_maps(part: Any, side: int) -> Any:
    """Plain data with every map in it of at most ``side`` × ``side`` squares."""
    if isinstance(part, dict):
        return {k: coarser(v, side) if k == "map" and v else with_smaller_maps(v, side) for k, v in part.items()}
    return [with_smaller_maps(item, side) for item in part] if isinstance(part, list) else part


def _order(scene: Scene) -> Iterator[str]:
    """Nodes along the path; an open Cell, by its fold id, stands before what is inside."""
    entered: set[str] = set()
    for name, node in scene.nodes.items():
        frames = []
        frame = node.frame
        while frame is not None and frame not in entered:
            frames.append(frame)
            frame = scene.frames[frame].parent
        entered.update(frames)
        yield from reversed(frames)
        yield name


def scopes(experiment: Experiment) -> list[dict[str, Any]]:
    """What the mode switch can be applied to: the whole net and each Cell, with their modes in words."""
    cells = experiment.program.cells
    if not cells:
        nothing = {"mode": None, "says": "", "tip": say("explorer.a_function")}
        return [{"path": "", "label": say("explorer.whole_net"), **nothing}]
    return [_scope(experiment, path) for path in cells]


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
