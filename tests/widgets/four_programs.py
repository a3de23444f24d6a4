"""The four programs of the browser tests, run here without a browser and without a kernel."""

from __future__ import annotations

import json
import linecache
import re
from typing import Any

from browser.programs import program_as

from teachcell_widgets.workbench import Workbench

KEYS = {
    "title", "svg", "steps", "nodes", "order", "scopes", "modes", "capture", "code", "note", "error", "stale", "script",
    "texts", "lang", "odd", "answer", "cards", "found",
}  # fmt: skip


def run_program(name: str, widget: str = "Explorer") -> dict[str, Any]:
    """The names that the program defines; ``explorer`` is a widget of this class."""
    names: dict[str, Any] = {}
    source, file = program_as(name, widget), f"<{name}>"
    linecache.cache[file] = len(source), None, source.splitlines(keepends=True), file  # as notebooks do
    exec(compile(source, file, "exec"), names)
    return names


def send(explorer: Workbench, **content: Any) -> None:
    """One action, as the browser sends it."""
    explorer._on_message(None, content, [])


def node_of(explorer: Workbench, title: str, nth: int = 0) -> str:
    """Id of the nth node with this title."""
    return [name for name, panel in explorer.view["nodes"].items() if panel["title"] == title][nth]


def select(explorer: Workbench, title: str, nth: int = 0) -> None:
    explorer.selected = node_of(explorer, title, nth)


def check_view(explorer: Workbench) -> None:
    """What the browser relies on in every view."""
    view = explorer.view
    text = json.dumps(view, allow_nan=False)
    assert set(view) == KEYS and len(text) < 1_000_000
    nodes, svg = view["nodes"], view["svg"]
    drawn = set(re.findall(r'data-node="([^"]+)"', svg)) | set(re.findall(r'data-fold="([^"]+)"', svg))
    assert drawn <= set(nodes) and set(view["order"]) <= set(nodes) and set(view["odd"]) <= set(nodes)
    edges = set(re.findall(r'data-edge="([^"]+)"', svg))
    for step in view["steps"]:
        assert step["node"] in nodes and set(step["edges"]) <= edges and step["sentence"]
    for panel in nodes.values():
        for key in ("value_at", "grad_at"):
            assert panel[key] is None or -1 <= panel[key] < len(view["steps"])
        assert panel["grad"] is not None or panel["grad_note"] or panel["value"] is None
        assert all(call["node"] in nodes for call in panel["calls"])
        assert panel["card"] == "" or panel["card"] in view["cards"]
    assert explorer.selected in nodes and 0 <= explorer.position <= len(view["steps"])


def checked(explorer: Workbench) -> dict[str, Any]:
    """What the rule lab shows."""
    return explorer.panels["rule_lab"]["data"]


def first_input(explorer: Workbench) -> dict[str, Any]:
    return next(v for v in explorer.outcome.document["values"] if v["kind"] == "input")
