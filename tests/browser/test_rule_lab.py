"""The rule lab in JupyterLab: rules chosen and typed, what fails in its place, the two trainings."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from browser.fake_widget import FakeExplorer, small_check, small_view
from browser.lab import run_code, screenshot, set_theme
from browser.programs import PROGRAMS, program_as
from playwright.sync_api import Browser, Locator, Page, expect

pytestmark = pytest.mark.browser

RAISES = """
@explorer.rule_lab.rule("relu")
def mine(x, out, dout):
    return (dout / 0 + undefined,)
"""


@pytest.mark.parametrize("program", PROGRAMS)
def test_rules_from_the_list_and_from_a_cell(run_cells: Callable[..., Locator], page: Page, program: str) -> None:
    lab = run_cells(program_as(program, "RuleLab")).locator(".tc-explorer")
    lab.locator(".tc-node").filter(has_text="relu").first.locator(".tc-box").click()
    lab.get_by_role("button", name="Check rule: relu").click()
    verdict = lab.locator(".tc-verdict").first
    expect(verdict).to_contain_text("✓ Matches.")
    lab.get_by_role("button", name="op ReLU").click()
    lab.get_by_role("combobox", name="rule").select_option("gradient reversal")
    expect(verdict).to_contain_text("≠ Does not match.")
    expect(verdict).to_have_css("border-left-color", "rgb(134, 25, 143)")
    expect(lab).to_contain_text("def reversal(x, out, dout):")
    expect(lab.locator(".tc-graph")).to_contain_text("rule: gradient reversal")
    lab.get_by_role("button", name="Cell relu").click()
    expect(verdict).to_contain_text("✓ Matches.")
    run_code(page, RAISES)
    expect(verdict).to_contain_text("NameError: name 'undefined' is not defined")
    expect(verdict).to_contain_text("mine: return (dout / 0 + undefined,)")
    expect(lab).to_contain_text("Below is the last check that could be made, of: engine rule.")
    expect(lab.locator(".tc-maps .tc-heat")).not_to_have_count(0)
    for theme in ("light", "dark"):
        set_theme(page, theme)
        screenshot(lab, f"rule-lab-{program}-{theme}")
    lab.get_by_role("combobox", name="rule").select_option("engine rule")
    expect(verdict).to_contain_text("✓ Matches.")


def test_two_trainings(run_cells: Callable[..., Locator]) -> None:
    lab = run_cells(program_as("mlp", "RuleLab"), "explorer.rule_lab.use('zero', 'relu')\nNone").locator(".tc-explorer")
    lab.locator("summary", has_text="Effect on training").click()
    lab.get_by_role("spinbutton", name="steps").fill("4")
    lab.get_by_role("button", name="Train with both").click()
    expect(lab).to_contain_text(re.compile("4 steps from loss 0.928: engine rule ends at .*, zero ends at"))
    lines = lab.locator(".tc-lab-curves path")
    styles = lines.evaluate_all("all => all.map((line) => [getComputedStyle(line).stroke, line.getAttribute('d')])")
    assert [stroke for stroke, _ in styles] == ["rgb(11, 92, 173)", "rgb(168, 67, 0)"]
    assert all(d.count("L") == 4 for _, d in styles) and styles[0][1] != styles[1][1]
    expect(lines.nth(1)).not_to_have_css("stroke-dasharray", "none")
    lab.get_by_role("spinbutton", name="steps").fill("0")
    lab.get_by_role("button", name="Train with both").click()
    expect(lab).to_contain_text("✕ ValueError: steps must be a whole number from 1 to 2000, not 0")


def test_names_are_text_and_keys_stay_inside(browser: Browser) -> None:
    page = browser.new_page(viewport={"width": 700, "height": 900})
    check = small_check() | {"title": "<b>x</b>", "text": "<img src=x>", "code": "<script>", "typing": "<i>"}
    check |= {"targets": [{"id": "first", "label": "<u>one</u>"}, {"id": "/mul", "label": "op Mul"}]}
    check |= {"every": {"count": 2, "on": False, "label": "at all 2"}}
    check |= {"stale": {key: check[key] for key in ("inputs", "columns", "marks", "note")} | {"says": "of <s>this</s>"}}
    data = {"rule_lab": {"data": check, "error": None}}
    explorer = FakeExplorer(page, small_view(), panel="rule_lab", panels=data)
    lab = explorer.root.locator(".tc-check")
    for text in ("<b>x</b>", "<img src=x>", "<script>", "<u>one</u>", "of <s>this</s>"):
        expect(lab).to_contain_text(text)
    assert page.evaluate("document.querySelectorAll('.tc-check :is(img, script, i, u, s)').length") == 0
    page.evaluate("window.leaked = []; document.addEventListener('keydown', ({ key }) => leaked.push(key))")
    lab.get_by_role("checkbox").press(" ")
    assert explorer.sent() == [{"do": "use", "panel": "rule_lab", "where": "first", "rule": "own", "every": True}]
    explorer.set("panels", data)  # until the answer is here, nothing else is asked
    lab.get_by_role("button", name="op Mul").press("Enter")
    assert explorer.sent() == [{"do": "check", "panel": "rule_lab", "where": "/mul", "call": 1}]
    explorer.set("panels", data)
    lab.locator("summary", has_text="Effect on training").press("Enter")
    lab.get_by_role("spinbutton", name="steps").press("ArrowUp")
    lab.get_by_role("button", name="Train with both").press("Enter")
    assert explorer.sent() == [{"do": "train", "panel": "rule_lab", "steps": 31, "rate": 0.1}]
    assert "ArrowUp" not in page.evaluate("leaked") and explorer.get("position") == 0
    page.close()
