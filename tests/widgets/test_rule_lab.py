"""The rule lab as a widget of its own, on the four programs."""

from __future__ import annotations

import pytest
from browser.programs import PROGRAMS
from widgets.four_programs import node_of, run_program, select, send

from teachcell_widgets import RuleLab


@pytest.mark.parametrize("name", PROGRAMS)
def test_alone_it_checks_the_selected_cell(name: str) -> None:
    lab = run_program(name, "RuleLab")["explorer"]
    assert isinstance(lab, RuleLab) and lab.frame["panels"] == ["rule_lab"]
    assert lab.panels == {"rule_lab": {"data": {}, "error": None}}
    select(lab, "relu")
    send(lab, panel="rule_lab", do="check")
    assert lab.panels["rule_lab"]["data"]["ok"] and lab.selected == node_of(lab, "relu")
    lab.set_rule("relu", "no gradient")
    assert lab.panels["rule_lab"]["data"]["text"] == "∂x: zero gradient, where it should not be."
    lab.close()
    with pytest.raises(RuntimeError, match="closed"):
        lab.rule_lab.check("relu")


def test_a_view_that_fails_is_told_and_logged(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    lab = run_program("mlp", "RuleLab")["explorer"]
    monkeypatch.setattr(lab.rule_lab, "data", lambda: 1 / 0)
    lab.show()
    assert lab.panels["rule_lab"]["data"] is None and "division by zero" in lab.panels["rule_lab"]["error"]
    assert "ZeroDivisionError" in caplog.text and lab.view["svg"]


def test_a_view_that_it_has_not_is_refused() -> None:
    lab = run_program("mlp", "RuleLab")["explorer"]
    with pytest.raises(ValueError, match="there is no view 'node' here, only rule_lab"):
        lab.open_panel("node")
