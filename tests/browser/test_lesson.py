"""The first lesson as a learner goes through it: open, run all, touch the pictures."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from browser.lab import cell_errors, run_all, run_code, screenshot, set_theme
from playwright.sync_api import Locator, Page, expect

pytestmark = pytest.mark.browser

LESSON = "01_cells_hooks_and_your_own_backward.ipynb"
OpenLesson = Callable[..., Locator]


@pytest.fixture
def lesson(open_lesson: OpenLesson, page: Page) -> Locator:
    panel = open_lesson(LESSON)
    run_all(page)
    assert not cell_errors(page)
    return panel


def explorer(lesson: Locator, net: str) -> Locator:
    """The Explorer with this title."""
    found = lesson.locator(".tc-explorer").filter(has=lesson.page.locator("h2", has_text=re.compile(f"^{net}$")))
    found.scroll_into_view_if_needed()
    expect(found.locator("svg.tc-graph")).to_be_visible()
    return found


def node(picture: Locator, name: str) -> Locator:
    words = picture.page.locator(".tc-name", has_text=re.compile(rf"^\W*{name}$"))
    return picture.locator(".tc-node").filter(has=words)


def test_training_makes_dropout_drop(lesson: Locator, page: Page) -> None:
    net = explorer(lesson, "Net")
    node(net, "dropout").click()
    zeros = net.locator(".tc-panel tr", has_text="zeros").first
    before = zeros.inner_text()
    net.get_by_role("button", name="Train").click()
    expect(net).to_contain_text("net.set_train()")
    expect(zeros).not_to_have_text(before)
    expect(net.locator(".tc-panel")).to_contain_text("mask")
    assert run_code(page, "print(net.dropout.training)").strip() == "True"
    screenshot(net, "lesson-train")
    set_theme(page, "dark")
    screenshot(net, "lesson-train-dark")


def test_the_cut_is_marked_and_named(lesson: Locator) -> None:
    cut = explorer(lesson, "AddRelu")
    expect(cut.locator(".tc-cut")).to_contain_text("fresh_ones")
    expect(cut.locator(".tc-now-line")).to_contain_text("Gradient cut")
    colours = cut.locator(".tc-cut .tc-word").evaluate_all("els => els.map(el => getComputedStyle(el).fill)")
    assert set(colours) == {"rgb(134, 25, 143)"}
    screenshot(cut, "lesson-cut")


def test_the_wrong_rule_is_found_and_the_right_one_accepted(lesson: Locator, page: Page) -> None:
    clip = explorer(lesson, "Tripled")
    check = clip.locator(".tc-check")
    expect(check).to_contain_text("the rule ignores dout")
    gradient = "print(clipped.outcome.document['values'][0]['grad']['max'])"
    assert float(run_code(page, gradient)) == 1
    check.get_by_role("combobox").select_option(label="with dout")
    expect(check).to_contain_text("Matches.")
    assert float(run_code(page, gradient)) == 3
    expect(check.locator(".tc-verdict")).to_contain_text("✓")
    screenshot(clip, "lesson-check")


def test_without_the_surrogate_nothing_comes_back(lesson: Locator, page: Page) -> None:
    spiking = explorer(lesson, "Spiking")
    node(spiking, "node").first.dblclick()
    node(spiking, "spike").first.click()
    expect(spiking.locator(".tc-panel h3")).to_have_text(re.compile("^spike"))
    spiking.locator(".tc-panel").get_by_role("combobox").select_option(label="engine rule")
    expect(spiking).to_contain_text("net.node.spike.bprop = None")
    state = "print([v['grad_state'] for v in lab.outcome.document['values'] if v['name'] == 'w'])"
    page.wait_for_timeout(300)
    assert run_code(page, state).strip() != "['computed']"
    screenshot(spiking, "lesson-spiking")
