"""Compare and modes in JupyterLab: two runs in the graph and side by side, the tree of Cells, the twin run."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from browser.fake_widget import FakeExplorer
from browser.lab import run_code, screenshot, set_theme
from browser.programs import PROGRAMS, program_as
from playwright.sync_api import Locator, Page, expect

from teachcell import Tensor, nn
from teachcell_widgets import Modes

pytestmark = pytest.mark.browser


def pills(explorer: Locator) -> list[str]:
    """The words on the marked pills in the graph, in the colour that marks."""
    all_texts = explorer.locator("[data-node] text").filter(has_text="≠")
    return all_texts.evaluate_all(
        "all => all.filter((text) => /134, 25, 143/.test(getComputedStyle(text).fill)).map((text) => text.textContent)"
    )


@pytest.mark.parametrize("program", PROGRAMS)
def test_pin_change_and_compare(run_cells: Callable[..., Locator], page: Page, program: str) -> None:
    explorer = run_cells(PROGRAMS[program]).locator(".tc-explorer")
    explorer.locator("[data-node]").first.click()
    page.keyboard.press("c")
    expect(explorer.get_by_role("tab", name="Compare")).to_have_attribute("aria-selected", "true")
    explorer.get_by_role("textbox", name="name").fill("<i>before</i>")
    explorer.get_by_role("button", name="Pin this run").click()
    story = explorer.get_by_text("agree in every value and every gradient", exact=False)
    expect(story.first).to_be_visible()
    assert pills(explorer) == []
    run_code(page, "x[...] = x + 1\nexplorer.run()")
    expect(explorer.get_by_text("Inputs changed: x.")).to_be_visible()
    assert pills(explorer) and explorer.locator("i").count() == 0
    verdict = explorer.get_by_text(re.compile("^“<i>before</i>” and present differ from the start.$"))
    expect(verdict.first).to_be_visible()
    explorer.get_by_role("button", name="Show the first node that differs").click()
    expect(explorer.get_by_text("first node that differs", exact=True)).to_be_visible()
    expect(explorer.get_by_text("A · value")).to_be_visible()
    expect(explorer.get_by_text("B · value")).to_be_visible()
    explorer.get_by_role("button", name="gradient", exact=True).click()
    expect(explorer.get_by_role("button", name="gradient", exact=True)).to_have_attribute("aria-pressed", "true")
    for theme in ("light", "dark"):
        set_theme(page, theme)
        screenshot(explorer, f"compare-{program}-{theme}")
    explorer.get_by_role("button", name="✓ Compare").click()  # the header's: back to the node
    expect(explorer.locator(".tc-panel")).to_be_visible()
    legend = explorer.locator("svg text").filter(has_text="largest difference")
    expect(legend).to_have_count(0)  # the graph is the run's own again


def test_train_and_predict_part_at_dropout(run_cells: Callable[..., Locator], page: Page) -> None:
    explorer = run_cells(program_as("mlp", "Compare")).locator(".tc-explorer")
    explorer.get_by_role("button", name="Compare train and predict").click()
    expect(explorer.get_by_role("heading", name=re.compile("^dropout first node"))).to_be_visible()
    expect(explorer.locator(".tc-sentence")).to_have_text(
        re.compile(r"^Train and predict agree up to relu\. They part at dropout: largest difference [\d.]+$")
    )
    expect(explorer.get_by_text("y = x · mask / (1 − p)")).to_be_visible()
    explorer.get_by_label("A", exact=True).select_option("present")
    expect(explorer.locator(".tc-sentence")).to_contain_text("Present and predict agree up to relu.")
    sizes = explorer.locator(".tc-compare :is(p, td, th, li, label)").evaluate_all(
        "all => all.map((node) => parseFloat(getComputedStyle(node).fontSize))"
    )
    assert min(sizes) >= 12.5


@pytest.mark.parametrize("program", PROGRAMS)
def test_modes(run_cells: Callable[..., Locator], page: Page, program: str) -> None:
    explorer = run_cells(program_as(program, "Modes")).locator(".tc-explorer")
    rows = explorer.get_by_role("treeitem")
    expect(rows.first).to_be_visible()
    tree = explorer.get_by_role("tree")
    assert tree.evaluate("tree => tree.scrollHeight <= tree.clientHeight")  # no Cell of a small net is out of sight
    rows.last.get_by_role("button", name="Train").click()
    expect(rows.last.get_by_role("button", name="Train")).to_have_attribute("aria-pressed", "true")
    expect(rows.last).to_contain_text("training True · phase 'train'")
    rows.first.focus()
    page.keyboard.press("p")
    expect(rows.first.get_by_role("button", name="Predict")).to_have_attribute("aria-pressed", "true")
    expect(rows.first).to_contain_text("training False · phase 'predict'")
    explorer.get_by_role("button", name="Twin run").click()
    told = explorer.get_by_role("heading", name="Gradients").locator("xpath=..")
    expect(told).to_be_visible()
    if program == "mlp":
        expect(told).to_contain_text("multiplies what is kept by 1 / 0.5 = 2.")
        expect(told).to_contain_text("Train and predict agree up to relu.")
        assert any(text.startswith("≠ ") for text in pills(explorer))
    else:
        expect(told).to_contain_text("Train and predict agree in every value and every gradient.")
    for theme in ("light", "dark"):
        set_theme(page, theme)
        screenshot(explorer, f"modes-{program}-{theme}")
    explorer.get_by_role("button", name="Back to the present run").click()
    expect(told).to_be_hidden()


def test_flags_of_inner_cells_keep_off_the_switch(page: Page) -> None:
    deep = nn.SequentialCell(nn.SequentialCell(nn.SequentialCell(nn.SequentialCell(nn.Dropout(), nn.ReLU()))))
    widget = Modes(deep, Tensor([1.0]))
    frame = {"parts": ["stage"], "panels": ["modes"], "live": True}
    state = {"panel": "modes", "panels": widget.panels, "selected": widget.selected}
    page.set_viewport_size({"width": 900, "height": 700})
    row = FakeExplorer(page, widget.view, frame=frame, **state).root.get_by_role("treeitem").last
    flags, switch = (row.locator(part).bounding_box() for part in (".tc-modes-flags", ".tc-switch"))
    assert flags and switch and flags["x"] + flags["width"] <= switch["x"]
