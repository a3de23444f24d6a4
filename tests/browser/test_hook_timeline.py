"""The hook timeline in JupyterLab on the four programs, and on a bare page without a kernel."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from browser.fake_widget import FakeExplorer
from browser.lab import run_code, screenshot, set_theme
from browser.programs import PROGRAMS, program_as
from lens.test_examples import ONE, AddRelu, doubled, listen, watch
from playwright.sync_api import Locator, Page, expect

from teachcell import Tensor, nn, set_language
from teachcell_widgets import HookTimeline

pytestmark = pytest.mark.browser
MARK = "rgb(134, 25, 143)"
INK = "rgb(22, 25, 29)"


def events(root: Locator) -> Locator:
    return root.get_by_role("group", name="events by Cell").get_by_role("button")


def told(root: Locator) -> Locator:
    return root.locator(".tc-look")


def style(node: Locator, name: str) -> str:
    return node.evaluate("(node, name) => getComputedStyle(node)[name]", name)


@pytest.mark.parametrize("name", PROGRAMS)
def test_hooks_of_a_program_and_a_click(run_cells: Callable[..., Locator], page: Page, name: str) -> None:
    hooks = """
relu = getattr(explorer.net, 'relu', globals().get('relu'))
relu.register_forward_hook(lambda cell, inputs, output: output * 2)
relu.register_backward_hook(lambda cell_id, grad_input, grad_output: None)
explorer.run()
"""
    root = run_cells(program_as(name, "HookTimeline")).locator(".tc-explorer")
    expect(root).to_contain_text("No hooks of your own.")
    run_code(page, hooks)
    expect(root.get_by_text("No hooks of your own.")).to_be_hidden()
    forward = events(root).and_(root.get_by_label("forward hook <lambda>")).first
    assert style(forward, "borderBottomColor") == MARK and style(forward, "borderBottomStyle") == "solid"
    forward.click()
    expect(told(root)).to_contain_text("⇄ replaced")
    expect(told(root)).to_contain_text("⇄ in its place")
    steps = run_code(page, "print(explorer.view['steps'][explorer.position - 1]['hook'])")
    assert steps.strip() == "▶"
    backward = events(root).and_(root.get_by_label("backward hook <lambda>")).first
    backward.click()
    table = told(root).get_by_role("table")
    expect(table.get_by_role("columnheader").nth(1)).to_contain_text("older ✓ this hook")
    expect(table).to_contain_text("cell_id")
    expect(root.get_by_role("slider")).to_have_attribute("aria-valuetext", "backward hook <lambda> of relu only looked")
    for theme in ("light", "dark"):
        set_theme(page, theme)
        screenshot(root, f"hook-timeline-{name}-{theme}")


# Without a kernel -----------------------------------------------------------------------------------------------


def joint() -> AddRelu:
    net = AddRelu()
    net.relu.register_forward_pre_hook(watch)
    net.relu.register_forward_hook(doubled)
    net.relu.register_backward_hook(listen)
    return net


def show(page: Page, widget: HookTimeline, **state: Any) -> FakeExplorer:
    frame = {"parts": list(widget.parts), "panels": ["hook_timeline"], "live": False}
    opened = {"panel": "hook_timeline", "panels": widget.panels, "selected": widget.selected}
    return FakeExplorer(page, widget.view, **(opened | {"frame": frame} | state))


def test_the_order_of_time_from_left_to_right_and_by_keys(page: Page) -> None:
    shown = show(page, HookTimeline(joint(), ONE, ONE))
    expect(told(shown.root)).to_contain_text("Choose an event")
    labels = [
        "pre-hook watch", "construct, relu", "forward hook doubled", "by the engine's rules, relu", "backward hook"
    ]  # fmt: skip
    places = [events(shown.root).and_(shown.root.get_by_label(label)).bounding_box() for label in labels]
    left = [place["x"] for place in places if place]
    assert len(left) == len(labels) and left == sorted(set(left))
    rows = [place["y"] + place["height"] / 2 for place in places if place]
    assert max(rows) - min(rows) < 4  # one lane
    events(shown.root).and_(shown.root.get_by_label("pre-hook watch")).first.click()
    expect(told(shown.root)).to_contain_text("inputs[2](1,)")
    expect(told(shown.root)).to_contain_text("only looked")
    shown.press("ArrowRight", "ArrowRight")
    expect(told(shown.root)).to_contain_text("⇄ in its place[4](1,)")
    glyph = told(shown.root).get_by_text("▶", exact=True)
    assert style(glyph, "borderBottomColor") == MARK
    shown.press("End")
    expect(told(shown.root)).to_contain_text("incoming[2](1,)outgoing[2](1,)")
    expect(told(shown.root)).to_contain_text("At the result of that hook the gradient is [1].")
    rows = told(shown.root).get_by_role("row").all_inner_texts()
    assert [row.split("\t") for row in rows[-3::2]] == [
        ["incoming", "grad_input", "grad_output"], ["outgoing", "grad_output", "grad_input"]
    ]  # fmt: skip
    pressed = events(shown.root).and_(shown.root.locator("[aria-pressed=true]"))
    expect(pressed).to_be_focused()
    shown.press("ArrowUp")
    expect(told(shown.root)).to_contain_text("AddRelu")
    shown.root.get_by_role("slider").focus()
    shown.press("Home")  # the transport takes the timeline along
    expect(told(shown.root)).to_contain_text("Choose an event")
    shown.press("ArrowRight", "ArrowRight")
    expect(told(shown.root)).to_contain_text("pre-hook watch")
    assert shown.sent() == []


def test_silent_hooks_and_markup_in_names(page: Page) -> None:
    net = joint()
    net.relu.register_forward_hook(lambda cell, inputs, output: Tensor([5.0]))
    net.spare = nn.Tanh()
    net.spare.register_forward_hook(doubled)
    widget = HookTimeline(net, ONE, ONE)
    data = widget.panels["hook_timeline"]["data"]
    for entry in data["entries"]:
        entry["title"] = "<img src=x onerror=alert(1)>"
    shown = show(page, widget, position=2)
    expect(shown.root).to_contain_text("◀ silent")
    items = shown.root.get_by_role("listitem")
    expect(items.first).to_contain_text("backward hook listen · relu")
    expect(items.first).to_contain_text("no gradient came here: relu's forward hook <lambda> returned new data")
    expect(items.last).to_contain_text("the Cell was not called in this run")
    expect(told(shown.root)).to_contain_text("<img src=x onerror=alert(1)>")
    assert shown.root.locator("img").count() == 0


def test_it_fits_344_px_in_both_languages_and_colours_follow_the_theme(page: Page) -> None:
    x = Tensor(np.random.RandomState(0).randn(6, 40).astype(np.float32))
    try:
        for language, words in (("en", "The same event in three namings"), ("zh", "同一事件的三种命名")):
            set_language(language)
            net = nn.SequentialCell(nn.Dense(40, 40), nn.ReLU(), nn.Dense(40, 2), nn.Tanh())
            for cell in net:
                cell.register_backward_hook(listen)
            widget = HookTimeline(net, x)
            hooks = [i for i, event in enumerate(widget.hook_timeline.events()) if event["hook"]]
            widget.hook_timeline.select(hooks[-1])
            page.set_viewport_size({"width": 360, "height": 900})
            shown = show(page, widget, position=widget.position)
            expect(told(shown.root)).to_contain_text(words)
            view = shown.root.locator(".tc-hook-timeline")
            assert view.evaluate("node => node.scrollWidth <= node.clientWidth")
            chosen, name = shown.root.locator("[aria-pressed=true]").last, shown.root.locator(".tc-lane-name").first
            inside = "(node, name) => node.getBoundingClientRect().left >= name.getBoundingClientRect().right - 1"
            assert chosen.evaluate(inside, name.element_handle())  # scrolled to where it is seen
            passes = shown.root.locator(".tc-lanes-pass > span").filter(visible=True)
            assert passes.last.evaluate(inside, name.element_handle())  # and so is its heading
            assert style(chosen, "outlineColor") == INK
            sizes = view.evaluate(
                "node => [...node.querySelectorAll('*')].map((e) => parseFloat(getComputedStyle(e).fontSize))"
            )
            assert min(sizes) >= 12.5
    finally:
        set_language("en")


def test_a_cell_without_those_around_it_has_its_whole_name(page: Page) -> None:
    inner = AddRelu()
    inner.relu.register_forward_hook(doubled)

    class Outer(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.encoder = inner

        def construct(self, x):
            return self.encoder(x, x)

    shown = show(page, HookTimeline(Outer(), ONE))
    name = shown.root.locator(".tc-lane-title", has_text="relu")
    expect(name).to_have_text("relu")
    shown.root.get_by_role("button", name="Only Cells with hooks").click()
    expect(name).to_have_text("encoder.relu")
    shown.root.get_by_role("button", name="Only Cells with hooks").click()
    expect(name).to_have_text("relu")


def test_only_cells_with_hooks(page: Page) -> None:
    shown = show(page, HookTimeline(joint(), ONE, ONE))
    lanes = shown.root.locator(".tc-lane-name")
    expect(lanes.filter(visible=True)).to_have_count(2)
    shown.root.get_by_role("button", name="Only Cells with hooks").click()
    expect(lanes.filter(visible=True)).to_have_text(["relu"])
    events(shown.root).first.click()
    shown.press("End", "Home")
    expect(told(shown.root)).to_contain_text("pre-hook watch")
    shown.press("ArrowUp")  # no other lane
    expect(told(shown.root)).to_contain_text("pre-hook watch")
