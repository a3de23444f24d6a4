"""The four programs of the browser tests, run here without a browser and without a kernel."""

from __future__ import annotations

import linecache
from typing import Any

from browser.programs import program_as

from teachcell_widgets.workbench import Workbench


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
