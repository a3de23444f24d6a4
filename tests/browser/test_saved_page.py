"""A saved page: opened from disk without network and kernel, it can be stepped through and looked at."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from widgets.four_programs import run_program
from widgets.test_export import NASTY

from teachcell import Tensor, nn, ops
from teachcell_widgets import Explorer

pytestmark = pytest.mark.browser


@pytest.fixture
def page(browser: Browser, page_errors: list[str]) -> Iterator[Page]:
    """A page without network; whatever it asks for is an error."""
    context = browser.new_context(viewport={"width": 1060, "height": 860}, offline=True)
    page = context.new_page()
    page.on("pageerror", lambda error: page_errors.append(str(error)))
    page.on("console", lambda line: page_errors.append(line.text) if line.type == "error" else None)
    page.on("request", lambda asked: page_errors.append(asked.url) if not asked.url.startswith("file:") else None)
    page.on("dialog", lambda dialog: page_errors.append(dialog.message))
    yield page
    context.close()
    assert not page_errors, "\n".join(page_errors)


def test_a_lesson_can_be_stepped_through_and_looked_at(page: Page, tmp_path: Path) -> None:
    explorer = run_program("mlp")["explorer"]
    explorer.set_capture("fc1")
    explorer.position = 0
    explorer.export(tmp_path / "lesson.html")
    page.goto((tmp_path / "lesson.html").as_uri())
    root = page.locator(".tc-explorer")
    expect(root).to_contain_text("Saved page: replay and looking work, changes need the notebook.")
    expect(root.get_by_role("button", name="Predict")).to_be_hidden()
    root.get_by_role("button", name="step", exact=True).click()
    expect(root.locator(".tc-count")).to_have_text("1 / 18")
    root.locator("[data-node]", has_text="relu").click()
    expect(root.locator(".tc-panel h3")).to_contain_text("relu")
    for tab, words in (("Step", "pre-hook"), ("Why?", "gradient"), ("Hooks", "fc1"), ("∂ graph", "Gradient")):
        root.get_by_role("tab", name=tab).click()
        expect(root.locator(".tc-side")).to_contain_text(words, ignore_case=True)
        expect(root.locator(".tc-view-waiting")).to_be_hidden()
    page.keyboard.press("End")
    root.get_by_role("slider").focus()
    page.keyboard.press("End")
    expect(root.locator(".tc-count")).to_have_text("18 / 18")
    root.locator("[data-fold]").first.dblclick()
    page.wait_for_timeout(400)  # as long as it would take to say that it waits
    assert root.get_attribute("aria-busy") != "true"


@pytest.mark.parametrize(("scheme", "colour"), [("light", "rgb(11, 92, 173)"), ("dark", "rgb(111, 188, 245)")])
def test_it_follows_the_reader(page: Page, tmp_path: Path, scheme: str, colour: str) -> None:
    run_program("function")["explorer"].export(tmp_path / "a.html")
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    page.goto((tmp_path / "a.html").as_uri())
    assert page.locator(".tc-value-edge").first.evaluate("line => getComputedStyle(line).stroke") == colour


def test_names_with_markup_are_text(page: Page, tmp_path: Path) -> None:
    class Net(nn.Cell):
        def construct(self, x: Tensor) -> Tensor:
            return ops.relu(x)

    Net.__name__ = NASTY
    Explorer(Net(), Tensor([1.0])).export(tmp_path / "a.html")
    page.goto((tmp_path / "a.html").as_uri())
    expect(page.locator(".tc-header h2")).to_have_text(NASTY)
    assert page.title() == NASTY
    expect(page.locator("script")).to_have_count(2)
