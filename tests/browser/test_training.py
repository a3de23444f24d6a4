"""Live training in JupyterLab: the row, the view, clicks while it goes on, and a loop that fails."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from browser.fake_widget import FakeExplorer, small_view
from browser.lab import run_code, screenshot, set_theme
from browser.programs import PROGRAMS, program_as
from playwright.sync_api import Browser, Locator, Page, expect

pytestmark = pytest.mark.browser

OPTIMIZER = "targets=labels, optimizer=nn.SGD(net.trainable_params(), 0.1),"


def step_of(explorer: Locator) -> int:
    """The number of steps that the row shows."""
    return int(re.search(r"step\s*(\d+)", explorer.get_by_role("group", name="Training").inner_text())[1])


def test_clicks_act_while_it_trains(run_cells: Callable[..., Locator], page: Page) -> None:
    explorer = run_cells(PROGRAMS["mlp"].replace("targets=labels,", OPTIMIZER)).locator(".tc-explorer")
    explorer.get_by_role("button", name="Keep training").click()
    pause = explorer.get_by_role("button", name="Pause")
    expect(pause).to_be_visible()
    for mode, flag in (("Predict", "False"), ("Train", "True")):
        before = step_of(explorer)
        explorer.get_by_role("button", name=mode, exact=True).click()
        expect(explorer.get_by_role("button", name=mode, exact=True)).to_have_css("font-weight", "650")
        assert run_code(page, "print(net.training, explorer.training.playing)") == f"{flag} True\n"
        page.wait_for_function(
            "([row, before]) => Number(/step\\s*(\\d+)/.exec(row.innerText)[1]) > before",
            arg=[explorer.get_by_role("group", name="Training").element_handle(), before],
        )
    pause.click()
    expect(explorer.get_by_role("button", name="Keep training")).to_be_visible()
    done = run_code(page, "print(explorer.training.step, explorer.training.playing)").split()
    assert done[1] == "False" and int(done[0]) == step_of(explorer) > 0
    explorer.get_by_label("steps", exact=True).fill("25")
    explorer.get_by_role("button", name="Run 25").click()
    expect(explorer.get_by_text(f"step {int(done[0]) + 25}", exact=True)).to_be_visible()
    explorer.get_by_role("button", name="Back to the start").click()
    expect(explorer.get_by_text("step 0", exact=True)).to_be_visible()
    assert run_code(page, "print(explorer.training.step)") == "0\n"


@pytest.mark.parametrize("program", PROGRAMS)
def test_alone_in_both_themes(run_cells: Callable[..., Locator], page: Page, program: str) -> None:
    widget = run_cells(program_as(program, "Training")).locator(".tc-explorer")
    if program != "mlp":
        expect(widget).to_contain_text("Give loss=…" if program == "called_twice" else "nothing to train")
        expect(widget.get_by_role("button", name="Keep training")).to_be_hidden()
        return
    expect(widget).to_contain_text("seen in a run without a step")
    run_code(page, "_ = explorer.training.run(300)")
    expect(widget).to_contain_text("seen in step 300")
    expect(widget.get_by_role("table")).to_contain_text(["activations", "ReLU units", "Update / weight"])
    for theme, colour in (("light", "rgb(11, 92, 173)"), ("dark", "rgb(111, 188, 245)")):
        set_theme(page, theme)
        line = widget.get_by_role("img", name="Loss of each step").last.locator("path").last
        expect(line).to_have_css("stroke", colour)
        screenshot(widget, f"training-{theme}")


def test_a_loop_of_ones_own_is_shown_while_it_runs(run_cells: Callable[..., Locator], page: Page) -> None:
    loop = """
import time
optimizer = nn.SGD(net.trainable_params(), 0.1)
loss = nn.CrossEntropyLoss()
step = tc.value_and_grad(lambda x: explorer.experiment.program.loss(net(x), labels), None, optimizer.parameters)
seen = []
explorer.observe(lambda change: seen.append(change.new["step"]), "progress")
with explorer.training.watch(steps=400):
    for _ in range(400):
        value, gradients = step(x)
        optimizer(gradients)
"""
    widget = run_cells(program_as("mlp", "Training"), loop).locator(".tc-explorer")
    expect(widget.get_by_text("step 400", exact=True)).to_be_visible()
    expect(widget).to_contain_text(re.compile(r"seen in step \d+"))
    assert int(run_code(page, "print(len(seen))")) < 200
    run_code(page, "explorer.training.step_size = 1e30; _ = explorer.training.run(50)")
    expect(widget.get_by_role("alert").filter(has_text="Step")).to_contain_text("The loss is NaN")


def test_the_row_follows_and_needs_a_kernel(browser: Browser) -> None:
    page = browser.new_context(viewport={"width": 980, "height": 900}).new_page()
    curve = {"width": 1, "low": [3, None, 1], "high": [3, None, 1], "last": [3, None, 1]}
    progress = {
        "state": "idle", "step": 3, "loss": "1", "curve": curve, "pace": "", "missing": "", "step_size": "0.1",
        "steps": 10, "can_go_back": True, "error": None,
    }  # fmt: skip
    frame = {"parts": ["stage", "training"], "panels": ["node"], "live": True}
    explorer = FakeExplorer(page, small_view(), frame=frame, progress=progress)
    row = explorer.root.get_by_role("group", name="Training")
    row.get_by_label("steps", exact=True).fill("7")
    row.get_by_role("button", name="Run 7").click()
    row.get_by_label("step size").fill("0.5")
    row.get_by_label("step size").press("Tab")
    assert explorer.sent() == [
        {"do": "run", "panel": "training", "steps": 7}, {"do": "step_size", "panel": "training", "value": 0.5},
    ]  # fmt: skip
    error = {"title": "Step 4 failed", "detail": "<b>no</b> markup"}
    explorer.set("progress", progress | {"state": "playing", "step": 4, "loss": "NaN", "error": error})
    expect(row.get_by_role("button", name="Pause")).to_be_enabled()
    expect(row.get_by_role("button", name="Run 7")).to_be_disabled()
    expect(explorer.root.get_by_role("alert").last).to_have_text("✕ Step 4 failed\n<b>no</b> markup")
    explorer.set("frame", frame | {"live": False})
    explorer.set("progress", progress)
    expect(row.get_by_role("button", name="Keep training")).to_be_disabled()
    expect(row.get_by_role("img", name="loss")).to_be_visible()
    nothing = {"width": 1, "low": [], "high": [], "last": []}
    explorer.set("progress", progress | {"state": "off", "missing": "Nothing to train.", "curve": nothing})
    expect(row.get_by_role("img", name="loss")).to_be_hidden()
    page.context.close()
