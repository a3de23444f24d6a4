"""Panels: the views of one Workbench, told of each run and asked for what the browser draws them from."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from teachcell.lens.failure import told_in_full
from teachcell.texts import say

from .panel import Panel

if TYPE_CHECKING:
    from .workbench import Workbench

logger = logging.getLogger("teachcell")


class Panels:
    """The views, by name, in the order of their tabs."""

    def __init__(self, bench: Workbench, kinds: Sequence[type[Panel]]):
        self._bench = bench
        self._panels = {kind.name: kind(bench) for kind in kinds}
        self._told: dict[str, dict[str, Any]] = {}  # what each showed last of this run

    def __iter__(self) -> Iterator[Panel]:
        return iter(self._panels.values())

    def __contains__(self, name: str) -> bool:
        return name in self._panels

    def __getitem__(self, name: str) -> Panel:
        if name not in self._panels:
            raise ValueError(say("explorer.no_panel", panel=name, known=", ".join(self._panels)))
        return self._panels[name]

    @property
    def names(self) -> list[str]:
        return list(self._panels)

    def ran(self) -> None:
        """There is another run."""
        self._told.clear()
        for panel in self:
            panel.ran()

    def shown(self, name: str) -> dict[str, Any]:
        """What the browser draws the open view from. One that fails says so in its place; the rest is shown."""
        if name not in self:
            return {}
        told = self._prepared(name, self[name].data)
        if told["error"] is None:
            self._told[name] = told
        return {name: told}

    def saved(self) -> dict[str, Any]:
        """What every view is drawn from that works without a kernel."""
        told = {panel.name: self._prepared(panel.name, panel.saved) for panel in self}
        return {name: each for name, each in told.items() if each["data"] is not None or each["error"]}

    def _prepared(self, name: str, data: Callable[[], Mapping[str, Any] | None]) -> dict[str, Any]:
        try:
            return {"data": data(), "error": None}
        except Exception as error:
            if self._bench.retired and name in self._told:  # what was recorded is gone, the picture stays
                return self._told[name]
            logger.exception("the view %s of a widget failed", name)
            return {"data": None, "error": told_in_full(error)}
