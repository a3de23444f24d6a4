"""Makes ``docs/explorer.png``: an MLP half way through its backward pass, one Cell open, in JupyterLab and Chromium.

Run ``python docs/tools/explorer_picture.py`` after a change that is seen.
"""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image  # comes with matplotlib
from playwright.sync_api import Browser, sync_playwright

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY / "tests"))

from browser.lab import (  # noqa: E402 - the steps of the browser tests, found through the path above
    CHROMIUM_FLAGS,
    NO_CHROMIUM,
    Lab,
    find_chromium,
    open_notebook,
    run_all,
    run_code,
    running_lab,
    write_notebook,
)

NOTEBOOK = """
import numpy as np
import teachcell as tc
from teachcell import Tensor, nn
from teachcell_widgets import Explorer

class MLP(nn.Cell):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Dense(64, 128)
        self.relu = nn.ReLU()
        self.dropout = nn.Dropout(p=0.2)
        self.fc2 = nn.Dense(128, 10)

    def construct(self, x):
        return self.fc2(self.dropout(self.relu(self.fc1(x))))

tc.set_seed(2)
net = MLP()
net.set_train()
x = Tensor(np.random.RandomState(0).randn(32, 64).astype(np.float32))
explorer = Explorer(net, x, loss=nn.CrossEntropyLoss(), targets=Tensor(np.arange(32) % 10))
explorer.toggle("call4")
explorer
"""
TO_THE_FIRST_MATMUL = """
steps = explorer.view["steps"]
backward = [i for i, s in enumerate(steps) if s["pass"] == "backward" and "MatMul" in s["sentence"][0][1]]
explorer.position = backward[0] + 1
"""


def make(path: Path) -> None:
    """Write the picture to ``path``."""
    chromium = find_chromium()
    if chromium is None:
        sys.exit(NO_CHROMIUM)
    with TemporaryDirectory() as root, running_lab(Path(root)) as lab, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=CHROMIUM_FLAGS)
        _photograph(browser, lab, path)
        browser.close()


def _photograph(browser: Browser, lab: Lab, path: Path) -> None:
    viewport = {"width": 1400, "height": 1300}
    page = browser.new_context(viewport=viewport, device_scale_factor=1.5).new_page()  # type: ignore[arg-type]
    name = lab.new_name("explorer.ipynb")
    write_notebook(lab.root / name, [NOTEBOOK])
    panel = open_notebook(page, lab, name)
    run_all(page)
    explorer = panel.locator(".tc-explorer")
    explorer.scroll_into_view_if_needed()
    explorer.locator(".tc-node").filter(has=page.locator(".tc-name", has_text="matmul")).first.click()
    run_code(page, TO_THE_FIRST_MATMUL)
    explorer.locator(".tc-count", has_text=run_code(page, "print(explorer.position)").strip()).wait_for()
    page.wait_for_timeout(500)  # for what fades in
    explorer.screenshot(path=path)
    with Image.open(path) as picture:
        small = picture.quantize(256, dither=Image.Dither.NONE)  # looks the same in 90 KB instead of 230
    small.save(path, optimize=True)


if __name__ == "__main__":
    make(REPOSITORY / "docs" / "explorer.png")
