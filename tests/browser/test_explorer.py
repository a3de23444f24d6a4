"""The Explorer in JupyterLab: what a learner clicks, presses and reads, on four kinds of program."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from browser.lab import run_code, screenshot, set_theme
from browser.programs import PROGRAMS
from playwright.sync_api import Locator, Page, expect

pytestmark = pytest.mark.browser

RunCells = Callable[..., Locator]


@pytest.fixture(params=PROGRAMS)
def program(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture
def explorer(run_cells: RunCells, program: str) -> Locator:
    """The Explorer of one of the programs, shown and drawn."""
    root = run_cells(PROGRAMS[program]).locator(".tc-explorer")
    expect(root.locator("svg.tc-graph")).to_be_visible()
    return root


def node(explorer: Locator, name: str) -> Locator:
    """The first node with this name on its face."""
    name_text = explorer.page.locator(".tc-name", has_text=re.compile(rf"^\W*{name}$"))
    return explorer.locator(".tc-node").filter(has=name_text).first


def select(explorer: Locator, name: str) -> None:
    node(explorer, name).click()
    expect(title(explorer)).to_have_text(re.compile(rf"^{name}\b"))


def title(explorer: Locator) -> Locator:
    """The heading of the panel."""
    return explorer.locator(".tc-panel h3")


def numbers(explorer: Locator, column: int) -> list[str]:
    """min, max, mean, std and zeros of the panel's value (0) or gradient (1)."""
    return explorer.locator(".tc-panel table.tc-stats").nth(column).locator("td").all_inner_texts()


def sentence(explorer: Locator) -> Locator:
    return explorer.locator(".tc-now-line")


def brightness(what: Locator, style: str) -> float:
    """Mean of red, green and blue (0 to 255) of a computed colour."""
    colour = what.evaluate("(element, style) => getComputedStyle(element)[style]", style)
    return sum(map(float, re.findall(r"[\d.]+", colour)[:3])) / 3


def test_the_graph_is_drawn_with_real_values_and_gradients(explorer: Locator, program: str, page: Page) -> None:
    relu = node(explorer, "relu")
    expect(relu.locator(".tc-value-strip .tc-shown")).to_be_visible()
    expect(relu.locator(".tc-grad-strip .tc-shown")).to_be_visible()
    select(explorer, "relu")
    expect(explorer.locator(".tc-panel")).to_contain_text("y = max(x, 0)")
    largest = run_code(
        page,
        "d = explorer.outcome.document\n"
        "first = next(o for o in d['ops'] if o['op'] == 'relu')\n"
        "print(f\"{d['values'][first['outputs'][0]]['value']['max']:.3g}\")",
    )
    assert numbers(explorer, 0)[1] == largest.strip()
    for theme, light in (("light", True), ("dark", False)):
        set_theme(page, theme)
        name, box = relu.locator(".tc-name"), relu.locator(".tc-box")
        assert (brightness(name, "fill") < brightness(box, "fill") - 120) is light
        assert (brightness(explorer, "color") < brightness(explorer, "backgroundColor") - 120) is light
        screenshot(explorer, f"explorer-{program}-{theme}")


def test_steps_go_both_ways_in_the_browser(explorer: Locator, page: Page) -> None:
    steps = int(run_code(page, "print(len(explorer.view['steps']))"))
    expect(sentence(explorer)).to_contain_text(f"{steps} / {steps}")
    explorer.get_by_role("button", name="to start").click()
    relu = node(explorer, "relu")
    expect(relu.locator(".tc-value-strip .tc-shown")).to_be_hidden()
    expect(relu.locator(".tc-grad-strip .tc-shown")).to_be_hidden()
    forth = explorer.get_by_role("button", name="step", exact=True)
    forth.click()
    expect(sentence(explorer)).to_contain_text(f"1 / {steps}")
    expect(sentence(explorer)).to_contain_text("forward")
    for _ in range(steps - 1):
        forth.click()
    expect(sentence(explorer)).to_contain_text("backward")
    expect(relu.locator(".tc-grad-strip .tc-shown")).to_be_visible()
    explorer.get_by_role("button", name="step back").click()
    expect(sentence(explorer)).to_contain_text(f"{steps - 1} / {steps}")


def test_everything_by_keyboard(explorer: Locator, page: Page) -> None:
    explorer.locator(".tc-node[tabindex='0'], [data-fold][tabindex='0']").first.focus()
    page.keyboard.press("Home")
    expect(sentence(explorer)).to_contain_text("0 /")
    page.keyboard.press("ArrowRight")
    expect(sentence(explorer)).to_contain_text("1 /")
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")
    before = run_code(page, "print(explorer.selected)")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_timeout(200)  # the trait travels to Python
    assert run_code(page, "print(explorer.selected)") != before


def test_another_bprop_changes_the_gradients_and_the_check(explorer: Locator, program: str) -> None:
    select(explorer, "x")
    by_engine = numbers(explorer, 1)
    select(explorer, "relu")
    explorer.get_by_role("button", name="Check rule").click()
    check = explorer.locator(".tc-check")
    expect(check).to_contain_text("Matches.")
    check.get_by_role("combobox").select_option(label="no gradient")
    expect(check).to_contain_text("zero gradient, where it should not be.")
    screenshot(explorer, f"explorer-{program}-check")
    explorer.get_by_role("tab", name="Node").click()
    expect(explorer).to_contain_text("relu.bprop = no_gradient")
    select(explorer, "x")
    without = numbers(explorer, 1)
    assert without != by_engine
    select(explorer, "relu")
    explorer.locator(".tc-panel").get_by_role("combobox").select_option(label="engine rule")
    expect(explorer).to_contain_text("relu.bprop = None")
    select(explorer, "x")
    assert numbers(explorer, 1) == by_engine


def test_captured_hooks_show_what_the_cell_saw(explorer: Locator, program: str, page: Page) -> None:
    select(explorer, "relu")
    capture = explorer.get_by_role("button", name="Capture hooks")
    capture.click()
    expect(capture).to_have_attribute("aria-pressed", "true")
    seen = run_code(
        page,
        "for row in explorer.view['nodes'][explorer.selected]['captured'][0]['rows']:\n"
        "    print(row['label'], row['text'])",
    ).splitlines()
    assert [line.split()[0] for line in seen] == ["inputs", "outputs", "incoming", "outgoing"]
    captured = explorer.locator(".tc-captured").first
    expect(captured).to_be_visible()
    for line in seen:
        expect(captured).to_contain_text(line.partition(" ")[2])
    screenshot(explorer, f"explorer-{program}-capture")
    assert run_code(page, "print(explorer.experiment.cell('relu')._hooks.empty())").strip() == "False"
    capture.click()
    expect(capture).to_have_attribute("aria-pressed", "false")
    assert run_code(page, "print(explorer.experiment.cell('relu')._hooks.empty())").strip() == "True"


def test_train_and_predict_switch_the_real_net(run_cells: RunCells, page: Page) -> None:
    explorer = run_cells(PROGRAMS["mlp"]).locator(".tc-explorer")
    select(explorer, "dropout")
    expect(node(explorer, "dropout")).to_contain_text("training")
    expect(explorer.locator(".tc-panel")).to_contain_text("mask")
    dropped = numbers(explorer, 0)
    predict, train = (explorer.get_by_role("button", name=name) for name in ("Predict", "Train"))
    predict.click()
    expect(predict).to_have_attribute("aria-pressed", "true")
    expect(explorer).to_contain_text("net.set_train(False)")
    expect(explorer.locator(".tc-panel")).to_contain_text("y = x")
    assert numbers(explorer, 0) != dropped
    assert run_code(page, "print(net.dropout.training, net.phase)").strip() == "False predict"
    explorer.get_by_role("combobox", name="applies to").select_option(label="dropout · Dropout")
    train.click()
    expect(explorer).to_contain_text("net.dropout.set_train()")
    expect(explorer.locator(".tc-panel")).to_contain_text("mask")
    assert numbers(explorer, 0) == dropped  # the same draw
    assert run_code(page, "print(net.training, net.dropout.training)").strip() == "False True"
    screenshot(explorer, "explorer-modes")


def test_a_cell_opens_and_folds(run_cells: RunCells) -> None:
    explorer = run_cells(PROGRAMS["mlp"]).locator(".tc-explorer")
    node(explorer, "fc2").dblclick()
    expect(node(explorer, "bias_add")).to_be_visible()
    expect(node(explorer, "weight")).to_be_visible()
    select(explorer, "bias_add")
    screenshot(explorer, "explorer-opened")
    explorer.locator("[data-fold]", has_text="fc2").first.dblclick()
    expect(node(explorer, "bias_add")).to_be_hidden()


def test_a_rule_that_raises_is_shown_and_the_picture_stays(run_cells: RunCells, page: Page) -> None:
    source = PROGRAMS["mlp"].replace("return (dout * 0,)", "return (dout.no_such_method(),)")
    explorer = run_cells(source).locator(".tc-explorer")
    select(explorer, "relu")
    explorer.locator(".tc-panel").get_by_role("combobox").select_option(label="no gradient")
    expect(explorer.get_by_role("alert")).to_contain_text("no_such_method")
    expect(node(explorer, "relu")).to_be_visible()
    screenshot(explorer, "explorer-error")
    explorer.locator(".tc-panel").get_by_role("combobox").select_option(label="engine rule")
    expect(explorer.get_by_role("alert")).to_be_hidden()


def test_a_narrow_widget_keeps_everything_in_reach(run_cells: RunCells, page: Page) -> None:
    explorer = run_cells(PROGRAMS["mlp"]).locator(".tc-explorer")
    page.set_viewport_size({"width": 1000, "height": 900})
    expect(explorer.locator("svg.tc-graph")).to_be_visible()
    select(explorer, "relu")
    expect(explorer.get_by_role("button", name="Check rule")).to_be_visible()
    screenshot(explorer, "explorer-narrow")


def test_keys_are_the_widgets_also_after_a_click_beside_the_nodes(explorer: Locator) -> None:
    canvas, page = explorer.locator(".tc-canvas").first, explorer.page
    canvas.click(position={"x": 3, "y": canvas.evaluate("canvas => canvas.clientHeight - 3")})
    page.keyboard.press("Home")
    page.keyboard.press("r")  # in the notebook it makes the cell Raw, and the widget would be gone
    expect(explorer.locator("svg.tc-graph")).to_be_visible()
    expect(explorer.locator(".tc-timeline")).to_have_attribute("aria-valuenow", "0")
