"""The four programs of the browser tests, run here without a browser and without a kernel."""

from __future__ import annotations

import linecache
from typing import Any

from browser.programs import PROGRAMS

from teachcell_widgets import Explorer


def run_program(name: str) -> dict[str, Any]:
    """The names that the program defines."""
    names: dict[str, Any] = {}
    source, file = PROGRAMS[name], f"<{name}>"
    linecache.cache[file] = len(source), None, source.splitlines(keepends=True), file  # as notebooks do
    exec(compile(source, file, "exec"), names)
    return names


def send(explorer: Explorer, **content: Any) -> None:
    """One action, as the browser sends it."""
    explorer._on_message(None, content, [])


def node_of(explorer: Explorer, title: str, nth: int = 0) -> str:
    """Id of the nth node with this title."""
    return [name for name, panel in explorer.view["nodes"].items() if panel["title"] == title][nth]


def select(explorer: Explorer, title: str, nth: int = 0) -> None:
    explorer.selected = node_of(explorer, title, nth)
