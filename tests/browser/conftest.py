"""Fixtures of the browser tests: one JupyterLab server and one Chromium a session, a page a test."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator

import pytest
from browser.lab import (
    CHROMIUM_FLAGS,
    LESSONS,
    NO_CHROMIUM,
    Lab,
    find_chromium,
    open_notebook,
    run_all,
    running_lab,
    write_notebook,
)
from playwright.sync_api import Browser, Locator, Page, sync_playwright


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say once, not for each test, why the browser tests were skipped."""
    skipped = terminalreporter.stats.get("skipped", [])
    if count := sum(NO_CHROMIUM in str(report.longrepr) for report in skipped):
        terminalreporter.section("browser tests skipped", yellow=True)
        terminalreporter.write_line(f"{count} tests skipped. {NO_CHROMIUM}")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    chromium = find_chromium()
    if chromium is None:
        if os.environ.get("TEACHCELL_REQUIRE_BROWSER"):
            pytest.fail(NO_CHROMIUM)
        pytest.skip(NO_CHROMIUM)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=CHROMIUM_FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def lab(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    """The server; it asks for the browser first, so that none is started where tests are skipped."""
    with running_lab(tmp_path_factory.mktemp("lab")) as lab:
        yield lab


@pytest.fixture
def page_errors() -> list[str]:
    """What scripts on the page raised or wrote to the console's errors; a test may take what it expects."""
    return []


@pytest.fixture
def page(browser: Browser, lab: Lab, page_errors: list[str]) -> Iterator[Page]:
    """A page of its own; the test fails when `page_errors` is not empty in the end."""
    context = browser.new_context(viewport={"width": 1400, "height": 1000})
    page = context.new_page()
    page.on("pageerror", lambda error: page_errors.append(str(error)))
    page.on("console", lambda line: page_errors.append(line.text) if line.type == "error" else None)
    yield page
    context.close()
    lab.shut_down_kernels()
    assert not page_errors, "\n".join(page_errors)


@pytest.fixture
def run_cells(page: Page, lab: Lab) -> Callable[..., Locator]:
    """`run_cells("import x", "x.show()")` opens a notebook of these cells, runs it, returns its panel."""

    def run(*cells: str) -> Locator:
        name = lab.new_name("cells.ipynb")
        write_notebook(lab.root / name, cells)
        panel = open_notebook(page, lab, name)
        run_all(page)
        return panel

    return run


@pytest.fixture
def open_lesson(page: Page, lab: Lab) -> Callable[[str], Locator]:
    """`open_lesson("01_x.ipynb")` opens a copy of a lesson, not run yet, and returns its panel."""

    def open_copy(name: str) -> Locator:
        copy = lab.new_name(name)
        shutil.copy(LESSONS / name, lab.root / copy)
        return open_notebook(page, lab, copy)

    return open_copy
