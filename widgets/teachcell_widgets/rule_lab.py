"""Rule lab: choose another backward rule and see it beside the engine's and a numeric gradient."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from teachcell.lens.check.rule_check import check_rule

from .panel import Panel
from .workbench import Workbench


class RuleLabPanel(Panel):
    """The evidence for and against the rule of one call of a Cell."""

    name = "rule_lab"
    _target: tuple[str, int] | None = None  # path and call number
    _found: dict[str, Any] | None = None

    def check(self, path: str, call: int = 1) -> dict[str, Any]:
        """Hold the backward rule of the Cell at ``path`` against a numeric gradient, show and return the result.

        Raises:
            KeyError: no Cell is there.
            RuntimeError: the widget is closed.
        """
        self.bench.refuse_if_retired()
        self._found = found = check_rule(self.bench.experiment, path, self.bench.outcome.recorder, call)
        self._target = path, call
        self.bench.open_panel(self.name)
        return found

    def ran(self) -> None:
        """The same Cell is checked in the new run, if it is still there."""
        cells = self.bench.experiment.program.cells
        if self._target is None or self._target[0] not in cells:
            self._target = self._found = None
        else:
            path, call = self._target
            self._found = check_rule(self.bench.experiment, path, self.bench.outcome.recorder, call)

    def data(self) -> dict[str, Any]:
        """The last check, or nothing yet."""
        return self._found or {}

    def act(self, do: str, content: Mapping[str, Any]) -> None:
        """``check``: the Cell of the selected node."""
        if do == "check":
            self.check(*self.bench.selected_cell())
        else:
            super().act(do, content)


class RuleLab(Workbench):
    """The rule lab as a widget of its own; arguments as for :class:`Explorer`."""

    parts = ("header", "stage")
    panel_types = (RuleLabPanel,)

    rule_lab: RuleLabPanel
