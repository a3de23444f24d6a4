"""A real widget on a bare page: Python on this side, its browser side on the page, what one says told to the other."""

from __future__ import annotations

import sys
from pathlib import Path

from browser.fake_widget import FakeExplorer
from playwright.sync_api import Page
from widgets.four_programs import run_program, send

from teachcell_widgets.shared import Shared

THEMES = Path(sys.prefix) / "share/jupyter/lab/themes/@jupyterlab"
TRAITS = sorted(Shared.class_own_traits(sync=True))


class Offline:
    """One of the four programs in a widget, without JupyterLab and without a kernel."""

    def __init__(self, page: Page, program: str, widget: str = "Explorer", position: int | None = None) -> None:
        self.page = page
        self.explorer = run_program(program, widget)["explorer"]
        if position is not None:
            self.explorer.position = position
        state = {name: getattr(self.explorer, name) for name in TRAITS}
        self.fake = FakeExplorer(page, state.pop("view"), **state)
        self.root = self.fake.root

    def relay(self) -> None:
        """Python answers what was asked for on the page since the last time."""
        for name in ("position", "selected", "panel"):
            setattr(self.explorer, name, self.fake.get(name))
        for message in self.fake.sent():
            send(self.explorer, **message)
        self.show()

    def show(self) -> None:
        """The page hears what Python has changed."""
        for name in TRAITS:
            self.fake.set(name, getattr(self.explorer, name))

    def open(self, panel: str) -> None:
        """Open a view."""
        self.explorer.open_panel(panel)
        self.show()
        self.page.wait_for_timeout(30)

    def set_theme(self, theme: str) -> None:
        """The colours of JupyterLab's ``"light"`` or ``"dark"`` theme."""
        style = (THEMES / f"theme-{theme}-extension" / "index.css").read_text(encoding="utf-8")
        self.page.evaluate(
            """([style, light]) => {
              document.querySelector("#theme")?.remove();
              const sheet = Object.assign(document.createElement("style"), { id: "theme", textContent: style });
              document.head.prepend(sheet);
              document.body.dataset.jpThemeLight = light;
              document.body.style.background = "var(--jp-layout-color0)";
            }""",
            [style, "true" if theme == "light" else "false"],
        )
