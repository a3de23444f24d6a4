"""The graph of the gradient in JupyterLab."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from browser.lab import screenshot, set_theme
from browser.programs import PROGRAMS, program_as
from playwright.sync_api import Locator, Page, expect

pytestmark = pytest.mark.browser
IN_SIGHT = """() => {
  const chosen = document.querySelector(".tc-gradient-graph [data-node].tc-selected");
  const [box, pane] = [chosen, chosen.closest(".tc-canvas")].map((part) => part.getBoundingClientRect());
  return box.left >= pane.left && box.right <= pane.right && box.top >= pane.top && box.bottom <= pane.bottom;
}"""


@pytest.mark.parametrize("program", PROGRAMS)
def test_rules_are_drawn_and_told(run_cells: Callable[..., Locator], page: Page, program: str) -> None:
    widget = run_cells(program_as(program, "GradientGraph")).locator(".tc-explorer")
    expect(widget).to_contain_text("Graph of the gradient")
    box = widget.get_by_role("button", name="∂ ReLU").first
    box.click()
    expect(widget.get_by_role("heading", name="∂ ReLU")).to_be_visible()
    for theme in ("light", "dark"):
        set_theme(page, theme)
        screenshot(widget, f"gradient-graph-{program}-{theme}")
    count = widget.get_by_text(re.compile(r"^\d+ ops: the forward pass"))
    first = count.inner_text()
    widget.get_by_label("derivative").select_option(label="second")
    expect(count).not_to_have_text(first)
    expect(widget.locator("svg").first).to_contain_text("∂")
    expect(widget.get_by_label("derivative")).to_have_value("2")
    if program == "mlp":  # larger than its pane: it comes whole, or as small as can be read
        expect(widget.get_by_title("back to 100 %")).to_have_text(re.compile(r"^(4[5-9]|[5-9]\d) %$"))
    page.wait_for_function(IN_SIGHT)  # the box that is told of below
