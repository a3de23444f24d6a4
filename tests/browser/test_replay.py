"""The replay: a step told in formulas and numbers, in JupyterLab and on a bare page without a kernel."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from browser.fake_widget import FakeExplorer
from browser.lab import run_code, screenshot, set_theme
from browser.programs import PROGRAMS, program_as
from playwright.sync_api import Locator, Page, expect

from teachcell import Tensor, ops, set_language
from teachcell_widgets import Replay

pytestmark = pytest.mark.browser


def told(root: Locator) -> Locator:
    return root.locator(".tc-replay")


@pytest.mark.parametrize("name", PROGRAMS)
def test_each_step_is_told_as_it_is_done(run_cells: Callable[..., Locator], page: Page, name: str) -> None:
    root = run_cells(program_as(name, "Replay")).locator(".tc-explorer")
    expect(told(root)).to_contain_text("outgoing, to each input")
    page.keyboard.press("Escape")  # leaves the cell
    root.get_by_role("slider").focus()
    page.keyboard.press("Home")
    expect(told(root)).to_contain_text("No step is done yet.")
    page.keyboard.press("ArrowRight")
    expect(told(root)).to_contain_text("result")
    steps = int(run_code(page, "print(len(explorer.view['steps']))"))
    for number in (1, steps // 2 + 1, steps):
        page.keyboard.press("Home")
        for _ in range(number):
            page.keyboard.press("ArrowRight")
        lines = run_code(page, f"print(explorer.replay.tell({number}))").splitlines()
        for line in lines[1:]:
            if line.startswith("  "):  # formulas, numbers, sums, in words
                expect(told(root)).to_contain_text(re.compile(re.escape(line.strip().split(": ")[0])))
    for theme in ("light", "dark"):
        set_theme(page, theme)
        screenshot(root, f"replay-{name}-{theme}")


def test_a_click_writes_another_element_out(run_cells: Callable[..., Locator], page: Page) -> None:
    root = run_cells(program_as("function", "Replay")).locator(".tc-explorer")
    expect(told(root)).to_contain_text("∂x[5] = 8 · 2 = 16")
    picture = told(root).locator("[data-row='0'] svg")
    box = picture.evaluate("(svg) => svg.getBoundingClientRect().toJSON()")  # waits where it is just drawn anew
    picture.click(position={"x": 0.75 * box["width"], "y": box["height"] / 2})  # the fifth of six
    expect(told(root)).to_contain_text("∂x[4] =")
    told(root).locator("[data-row='0']").focus()
    page.keyboard.press("ArrowRight")
    expect(told(root)).to_contain_text("∂x[5] = 8 · 2 = 16")
    expect(told(root).locator("[data-row='0']")).to_be_focused()


# Without a kernel -----------------------------------------------------------------------------------------------


def doubled(a: Tensor) -> Tensor:
    b = a + a
    return b + b


def show(page: Page, widget: Replay, live: bool = True, **state: Any) -> FakeExplorer:
    frame = {"parts": list(widget.parts), "panels": ["replay"], "live": live}
    opened = {"panel": "replay", "panels": widget.panels, "selected": widget.selected}
    return FakeExplorer(page, widget.view, **(opened | {"frame": frame} | state))


def test_running_sums_and_no_question_asked(page: Page) -> None:
    shown = show(page, Replay(doubled, Tensor(3.0)))
    text = told(shown.root)
    shown.root.get_by_role("slider").focus()
    shown.press("Home", *["ArrowRight"] * 3)
    expect(text).to_contain_text("incoming")
    expect(text).to_contain_text("1 of 2")
    expect(text).to_contain_text("still to come: Add")
    expect(text).to_contain_text("1 + 1 = 2")
    expect(text).to_contain_text("complete")
    shown.press("ArrowRight")
    expect(text).to_contain_text("The sum of 2 gradients that came to it.")
    expect(text).to_contain_text("2 + 2 = 4")
    shown.press("ArrowLeft", "ArrowLeft")
    expect(text).to_contain_text("z = 6 + 6 = 12")
    expect(text).not_to_contain_text("incoming")
    assert shown.sent() == []
    colour = text.locator("b").first.evaluate("node => getComputedStyle(node).color")
    assert colour == "rgb(11, 92, 173)"  # a value


def test_offline_no_element_can_be_asked_for(page: Page) -> None:
    widget = Replay(lambda x: ops.relu(x), Tensor(np.array([[1.0, -2.0], [3.0, 4.0]], np.float32)))
    offline = show(page, widget, live=False, position=1)
    expect(told(offline.root)).to_contain_text("y[1, 1] = max(4, 0) = 4")
    assert told(offline.root).locator("[data-row]").count() == 0
    told(offline.root).locator("svg").last.click()
    assert offline.sent() == []
    shown = show(page, widget, position=1)
    told(shown.root).locator("[data-row] svg").click(position={"x": 5, "y": 5})
    assert shown.sent() == [{"do": "choose", "panel": "replay", "row": 0, "place": 0}]


def test_it_fits_344_px_in_both_languages(page: Page) -> None:
    x = Tensor(np.random.RandomState(0).randn(8, 40).astype(np.float32))
    try:
        for language, words in (("en", "values in use"), ("zh", "用到的值")):
            set_language(language)
            widget = Replay(lambda x: ops.softmax(x * 2 + x, -1).sum(), x)
            page.set_viewport_size({"width": 360, "height": 900})
            shown = show(page, widget, position=len(widget.view["steps"]) - 2)
            expect(told(shown.root)).to_contain_text(words)
            assert told(shown.root).evaluate("node => node.scrollWidth <= node.clientWidth")
    finally:
        set_language("en")


def test_names_with_markup_are_text(page: Page) -> None:
    widget = Replay(doubled, Tensor(3.0))
    for step in widget.panels["replay"]["data"]["steps"]:
        for row in step.get("outputs", ()):
            row["of"] = "<img src=x onerror=alert(1)>"
    shown = show(page, widget, position=2)
    expect(told(shown.root)).to_contain_text("<img src=x onerror=alert(1)>")
    assert told(shown.root).locator("img").count() == 0
