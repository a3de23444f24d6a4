"""The bar above the graph: find, iterations, zoom, hand; on a bare page and, for a long run, in JupyterLab."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from browser.fake_widget import FakeExplorer
from browser.lab import screenshot
from browser.programs import program_as
from playwright.sync_api import Locator, Page, expect
from widgets.test_steps import Recurrent

from teachcell import Tensor, set_language
from teachcell_widgets import Explorer

pytestmark = pytest.mark.browser

LONG = """
from teachcell import Tensor, nn, ops
from teachcell_widgets import Explorer
import numpy as np

class Step(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w, self.u = nn.Dense(4, 4), nn.Dense(4, 4, has_bias=False)

    def construct(self, x, h):
        return ops.tanh(self.w(x) + self.u(h))

class Recurrent(nn.Cell):
    def __init__(self):
        super().__init__()
        self.step = Step()

    def construct(self, x):
        h = x
        for _ in range(100):
            h = self.step(x, h)
        return h

explorer = Explorer(Recurrent(), Tensor(np.ones((2, 4), np.float32)))
explorer
"""


def show(page: Page, explorer: Explorer, live: bool = True) -> FakeExplorer:
    frame = {"parts": ["header", "stage", "now_line", "transport"], "panels": ["node"], "live": live}
    return FakeExplorer(page, explorer.view, frame=frame, selected=explorer.selected)


def size(root: Locator) -> tuple[float, float]:
    box = root.locator(".tc-graph").bounding_box()
    assert box is not None
    return box["width"], box["height"]


def test_zoom_by_buttons_keys_and_ctrl_wheel_never_by_the_plain_wheel(page: Page) -> None:
    shown = show(page, Explorer(Recurrent(3), Tensor(np.ones((2, 4), np.float32))))
    page.add_style_tag(content="body { height: 4000px }")
    width, height = size(shown.root)
    shown.root.get_by_role("button", name="larger").click()
    assert size(shown.root) == pytest.approx((1.25 * width, 1.25 * height), rel=0.01)
    expect(shown.root.locator(".tc-zoom-level")).to_have_text("125 %")
    assert shown.root.locator(".tc-graph").evaluate("svg => getComputedStyle(svg).transform") == "none"  # not blurred
    shown.root.locator("[data-node]").first.focus()
    shown.press("-", "-")
    assert size(shown.root)[0] == pytest.approx(0.8 * width, rel=0.01)
    shown.press("0")
    assert size(shown.root)[0] == pytest.approx(width, rel=0.01)
    shown.press("f")
    canvas = shown.root.locator(".tc-canvas").bounding_box()
    assert canvas is not None and size(shown.root)[1] <= canvas["height"] + 1
    shown.press("0")
    page.mouse.move(canvas["x"] + 100, canvas["y"] + 100)
    page.keyboard.down("Control")
    page.mouse.wheel(0, -200)
    page.keyboard.up("Control")
    page.wait_for_function("document.querySelector('.tc-zoom-level').textContent > '140 %'")
    assert page.evaluate("scrollY") == 0
    shown.root.get_by_role("button", name="back to 100").click()
    page.mouse.move(canvas["x"] + 100, canvas["y"] + 100)
    for _ in range(12):
        page.mouse.wheel(0, 400)
    page.wait_for_function("scrollY > 0")  # the page's own scroll goes on
    assert size(shown.root)[0] == pytest.approx(width, rel=0.01)


def test_the_hand_drags_and_chooses_nothing(page: Page) -> None:
    shown = show(page, Explorer(Recurrent(9), Tensor(np.ones((2, 4), np.float32))))
    before = shown.get("selected")
    shown.root.get_by_role("button", name="Hand").click()
    canvas = shown.root.locator(".tc-canvas")
    expect(canvas).to_have_css("cursor", "grab")
    top = canvas.evaluate("node => (node.scrollTop = 200)")
    box = shown.root.locator(".tc-canvas").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 300, box["y"] + 100)
    page.mouse.down()
    page.mouse.move(box["x"] + 300, box["y"] + 200, steps=4)
    page.mouse.up()
    assert canvas.evaluate("node => node.scrollTop") == pytest.approx(top - 100, abs=2)
    assert shown.get("selected") == before


def test_without_a_kernel_what_is_drawn_is_found(page: Page) -> None:
    shown = show(page, Explorer(Recurrent(3), Tensor(np.ones((2, 4), np.float32))), live=False)
    shown.root.get_by_role("slider").focus()
    shown.press("/")
    field = shown.root.get_by_label("find by name")
    expect(field).to_be_focused()
    page.keyboard.type("STEP")
    shown.press("Enter")
    expect(shown.root.locator(".tc-found")).to_have_text("1 / 3")
    first = shown.get("selected")
    shown.press("Enter")
    expect(shown.root.locator(".tc-found")).to_have_text("2 / 3")
    assert shown.get("selected") != first
    page.keyboard.type("<b>")
    shown.press("Enter")
    expect(shown.root.locator(".tc-found")).to_have_text("nothing found")
    shown.press("Escape")
    assert page.evaluate("document.activeElement.closest('[data-node], [data-fold]') !== null")
    assert shown.sent() == []


def test_it_fits_a_narrow_panel_in_both_languages(page: Page) -> None:
    try:
        for language in ("en", "zh"):
            set_language(language)
            explorer = Explorer(Recurrent(100), Tensor(np.ones((2, 4), np.float32)))
            for width in (700, 360):
                page.set_viewport_size({"width": width, "height": 900})
                shown = show(page, explorer)
                bar = shown.root.locator(".tc-graph-bar")
                assert bar.evaluate("bar => bar.scrollWidth <= bar.clientWidth")
    finally:
        set_language("en")


def test_a_long_run_is_opened_where_it_is_asked_for(run_cells: Callable[..., Locator], page: Page) -> None:
    root = run_cells(LONG).locator(".tc-explorer")
    repeated = root.locator("[data-node=times0]")
    expect(repeated).to_contain_text("100 × Step")
    repeated.click()
    number = root.get_by_label("iteration", exact=True)
    expect(number).to_have_attribute("placeholder", "1…100")
    number.fill("7")
    number.press("Enter")
    expect(root.locator(".tc-graph")).to_contain_text("iteration 7 of 100")
    expect(root.locator(".tc-graph")).to_contain_text("93 × Step")
    expect(number).to_have_value("7")
    screenshot(root, "graph-bar-iteration")
    root.get_by_role("button", name="Fold", exact=True).click()
    expect(root.locator(".tc-graph")).to_contain_text("100 × Step")
    field = root.get_by_label("find by name")
    field.fill("tanh")
    field.press("Enter")
    expect(root.locator(".tc-found")).to_have_text("1 / 100")
    field.press("Enter")
    expect(root.locator(".tc-found")).to_have_text("2 / 100")
    expect(field).to_be_focused()
    expect(root.locator(".tc-panel h3")).to_contain_text("tanh")
    expect(root.locator(".tc-frame")).to_have_count(1)
    screenshot(root, "graph-bar-found")


def test_small_programs_have_the_bar_too(run_cells: Callable[..., Locator]) -> None:
    root: Any = run_cells(program_as("mlp", "Explorer")).locator(".tc-explorer")
    field = root.get_by_label("find by name")
    field.fill("fc2.weight")
    field.press("Enter")
    expect(root.locator(".tc-found")).to_have_text("1 / 1")
    expect(root.locator(".tc-panel h3")).to_contain_text("weight")
