"""The way from a widget in the browser to the kernel and back, with nothing of ours in between."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from browser.lab import run_code, screenshot, set_theme, start_all, wait_for_all
from playwright.sync_api import Locator, Page, expect

pytestmark = pytest.mark.browser

COUNTER = '''
import anywidget
import traitlets

class Counter(anywidget.AnyWidget):
    _esm = """
    export default {
      render({ model, el }) {
        const button = document.createElement("button");
        const show = () => { button.textContent = `clicked ${model.get("clicks")}`; };
        button.addEventListener("click", () => {
          model.set("clicks", model.get("clicks") + 1);
          model.save_changes();
        });
        model.on("change:clicks", show);
        show();
        el.append(button);
      },
    };
    """
    clicks = traitlets.Int(0).tag(sync=True)

counter = Counter()
counter
'''

RunCells = Callable[..., Locator]


def test_a_click_reaches_the_kernel_and_the_kernel_the_button(page: Page, run_cells: RunCells) -> None:
    panel = run_cells(COUNTER)
    button = panel.get_by_role("button", name="clicked")
    button.click()
    expect(button).to_have_text("clicked 1")
    assert run_code(page, "print(counter.clicks)") == "1\n"
    run_code(page, "counter.clicks = 41")
    expect(button).to_have_text("clicked 41")


def test_the_theme_can_be_switched_and_kept_as_a_picture(page: Page, run_cells: RunCells) -> None:
    panel = run_cells("print('hello')")
    brightness = []
    for theme in ("dark", "light"):
        set_theme(page, theme)
        assert screenshot(panel, f"lab-{theme}").stat().st_size > 1000
        notebook = panel.locator(".jp-Notebook")
        background = notebook.evaluate("element => getComputedStyle(element).backgroundColor")
        brightness.append(sum(map(int, re.findall(r"\d+", background))))
    dark, light = brightness
    assert dark < 200 < 600 < light


def test_a_cell_that_raises_fails_the_run_with_its_error(page: Page, run_cells: RunCells) -> None:
    with pytest.raises(AssertionError, match="ZeroDivisionError"):
        run_cells("1 / 0")


def test_code_that_raises_in_the_kernel_fails_with_its_traceback(page: Page, run_cells: RunCells) -> None:
    run_cells("x = 1")
    with pytest.raises(AssertionError, match="NameError"):
        run_code(page, "print(y)")


def test_one_can_act_while_cells_run(page: Page, run_cells: RunCells) -> None:
    run_cells("import time", "time.sleep(1)")
    start_all(page)
    status = "jupyterapp.shell.currentWidget.sessionContext.session.kernel.status"
    page.wait_for_function(f"() => {status} === 'busy'", timeout=5000)
    wait_for_all(page)
    page.wait_for_function(f"() => {status} === 'idle'", timeout=5000)


def test_errors_of_scripts_are_noted(page: Page, page_errors: list[str], run_cells: RunCells) -> None:
    run_cells("pass")
    assert page_errors == []
    page.evaluate("() => { console.error('written'); setTimeout(() => { throw new Error('raised'); }); }")
    page.wait_for_timeout(100)
    assert page_errors == ["written", "raised"]
    page_errors.clear()
