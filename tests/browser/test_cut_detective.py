"""The cut detective in JupyterLab: the answer, the list, the marked edge."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from browser.lab import run_code, screenshot, set_theme
from browser.programs import PROGRAMS
from playwright.sync_api import Locator, Page, expect

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("program", PROGRAMS)
def test_why_a_gradient_is_zero(run_cells: Callable[..., Locator], page: Page, program: str) -> None:
    explorer = run_cells(PROGRAMS[program]).locator(".tc-explorer")
    explorer.get_by_role("tab", name="Why?").click()
    answer = explorer.get_by_text("Why is its gradient like this?").locator("xpath=../..")
    expect(answer).to_contain_text("every gradient that is needed arrived")
    run_code(page, "explorer.set_rule('relu', 'no gradient')")
    row = answer.get_by_role("button").filter(has_text="Exactly 0").first
    row.click()
    expect(answer).to_contain_text("relu's bprop returned zeros.")
    edges = explorer.locator("[data-edge] .tc-value-edge")
    colours = edges.evaluate_all("all => all.map((edge) => getComputedStyle(edge).stroke)")
    marked = [colour for colour in colours if re.findall(r"\d+", colour)[:3] == ["134", "25", "143"]]
    assert 1 <= len(marked) < len(colours)
    for theme in ("light", "dark"):
        set_theme(page, theme)
        screenshot(explorer, f"cut-detective-{program}-{theme}")
    explorer.get_by_role("tab", name="Node").click()
    expect(explorer.locator(".tc-panel")).to_be_visible()
    after = edges.evaluate_all("all => all.map((edge) => getComputedStyle(edge).strokeWidth)")
    assert "4px" not in after
