"""The one dict that the Explorer's browser side draws from."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Sequence
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
        view = fitting(_view(outcome, experiment, steps, width), MOST_BYTES)
        if fits(view, MOST_BYTES):
            break
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
        **scopes(experiment),
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


def fits(told: Any, most: int) -> bool:
    """Whether plain data takes at most so many bytes on its way to the browser."""
    return len(json.dumps(told)) <= most


def fitting(told: dict[str, Any], most: int, sides: Sequence[int] = SIDES) -> dict[str, Any]:
    """Plain data with its maps made smaller, one of these sizes after the other, until it fits."""
    for side in sides:
        if fits(told, most):
            break
        told = _with_smaller_maps(told, side)
    return told


def _with_smaller_maps(part: Any, side: int) -> Any:
    """Plain data with every map in it of at most ``side`` × ``side`` squares."""
    if isinstance(part, dict):
        return {k: coarser(v, side) if k == "map" and v else _with_smaller_maps(v, side) for k, v in part.items()}
    return [_with_smaller_maps(item, side) for item in part] if isinstance(part, list) else part


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


def scopes(experiment: Experiment) -> dict[str, list[dict[str, Any]]]:
    """What the mode switch can be applied to: ``scopes``, the whole net and each Cell; ``modes``, what each of them is
    in, in words. Many Cells are in the same: a scope has the place of its own."""
    program, found = experiment.program, []
    modes: dict[tuple[str, str], int] = {}  # words to their place
    for path in program.cells or [""]:
        mode, words = _mode(experiment, path)
        label = f"{path} · {type(program.cells[path]).__name__}" if path else say("explorer.whole_net")
        found.append({"path": path, "label": label, "mode": mode, "words": modes.setdefault(words, len(modes))})
    return {"scopes": found, "modes": [{"says": says, "tip": tip} for says, tip in modes]}


def _mode(experiment: Experiment, path: str) -> tuple[str | None, tuple[str, str]]:
    """The mode of a Cell; the same in words, and what may be misread in it."""
    mode = experiment.mode(path)
    if mode is None:
        return None, ("", say("explorer.a_function"))
    cell = experiment.cell(path)
    says = say("explorer.says_mixed" if mode == "mixed" else "explorer.says", training=cell.training, phase=cell.phase)
    return mode, (says, say("explorer.phase_tip") if cell.phase == "train" and not cell.training else "")


def _is_odd(document: dict[str, Any], value: int | None) -> bool:
    if value is None:
        return False
    seen = document["values"][value]
    return seen["value_state"] in ODD_STATES or seen["grad_state"] in ODD_STATES
