"""JupyterLab in Chromium: the steps that browser tests are made of.

`conftest.py` beside this file starts one server and one browser a session; a test gets a `page` and acts
with the functions here, or takes the `run_cells` and `open_lesson` fixtures, which do the usual beginning.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import nbformat
from playwright.sync_api import Locator, Page

REPOSITORY = Path(__file__).resolve().parents[2]
LESSONS = REPOSITORY / "notebooks"
ARTIFACTS = REPOSITORY / "test-artifacts"

CHROMIUM_FLAGS = [
    "--no-sandbox",  # containers have none to offer; the only pages visited are our own
    "--no-first-run",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--disable-sync",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
]
CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
CHROMIUM_ON_MACOS = (
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)
NO_CHROMIUM = (
    "No Chromium found, so JupyterLab is not tested in a browser. Get one with "
    "'apt-get install chromium' (Debian), 'brew install --cask chromium' (macOS), or install "
    "Google Chrome; or name one in the environment variable TEACHCELL_CHROMIUM."
)


def find_chromium() -> str | None:
    """The Chromium or Chrome to drive: TEACHCELL_CHROMIUM (empty: none), else one on PATH, else macOS's."""
    named = os.environ.get("TEACHCELL_CHROMIUM")
    if named is not None:
        return named or None
    on_path = filter(None, map(shutil.which, CHROMIUM_NAMES))
    return next(on_path, None) or next(filter(os.path.exists, CHROMIUM_ON_MACOS), None)


@dataclass(frozen=True)
class Lab:
    """A running JupyterLab server; notebooks written under `root` can be opened."""

    url: str
    token: str
    root: Path

    def new_name(self, name: str) -> str:
        """`name` with a number before it under which nothing is served yet."""
        return f"{len(list(self.root.iterdir())) + 1}-{name}"

    def request(self, path: str, method: str = "GET") -> bytes:
        headers = {"Authorization": f"token {self.token}"}
        request = urllib.request.Request(f"{self.url}/{path}", method=method, headers=headers)
        with urllib.request.urlopen(request, timeout=10) as answer:
            return answer.read()

    def shut_down_kernels(self) -> None:
        for session in json.loads(self.request("api/sessions")):
            self.request(f"api/sessions/{session['id']}", method="DELETE")


@contextmanager
def running_lab(root: Path) -> Iterator[Lab]:
    """A JupyterLab server of its own: no setting, extension state or workspace of the user's is touched."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    served = root / "served"
    served.mkdir()
    lab = Lab(url=f"http://127.0.0.1:{port}", token=secrets.token_hex(16), root=served)
    options = [
        "--no-browser",
        "--allow-root",
        "--ServerApp.ip=127.0.0.1",
        f"--ServerApp.port={port}",
        "--ServerApp.port_retries=0",
        f"--ServerApp.root_dir={served}",
        f"--IdentityProvider.token={lab.token}",
        "--LabApp.expose_app_in_browser=True",  # window.jupyterapp, which the functions below use
        "--LabApp.news_url=",
        "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
    ]
    log = root / "server.log"
    with log.open("wb") as output:
        server = subprocess.Popen(
            [sys.executable, "-m", "jupyterlab", *options],
            env=private_environment(root),
            cwd=served,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
        try:
            wait_until_answering(lab, server, log)
            yield lab
            lab.shut_down_kernels()
        finally:
            stop(server)


def private_environment(root: Path) -> dict[str, str]:
    """The environment with every place where Jupyter keeps something moved under `root`."""
    settings = root / "settings"
    news = settings / "@jupyterlab" / "apputils-extension"
    news.mkdir(parents=True)
    quiet = {"fetchNews": "false", "checkForUpdates": False}
    (news / "notification.jupyterlab-settings").write_text(json.dumps(quiet), encoding="utf-8")
    return dict(
        os.environ,
        IPYTHONDIR=str(root / "ipython"),
        JUPYTER_CONFIG_DIR=str(root / "config"),
        JUPYTER_DATA_DIR=str(root / "data"),
        JUPYTER_RUNTIME_DIR=str(root / "runtime"),
        JUPYTERLAB_SETTINGS_DIR=str(settings),
        JUPYTERLAB_WORKSPACES_DIR=str(root / "workspaces"),
    )


def wait_until_answering(lab: Lab, server: subprocess.Popen[bytes], log: Path, seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while True:
        try:
            lab.request("api/status")
            return
        except (urllib.error.URLError, OSError):
            if server.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"JupyterLab did not start:\n{log.read_text(errors='replace')}") from None
            time.sleep(0.1)


def stop(server: subprocess.Popen[bytes]) -> None:
    server.terminate()
    try:
        server.wait(5)
    except subprocess.TimeoutExpired:  # it may wait for a kernel that does not end
        server.kill()
        server.wait()


def write_notebook(path: Path, cells: Sequence[str]) -> None:
    """A notebook with these code cells."""
    notebook = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(source) for source in cells],
        metadata={"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}},
    )
    nbformat.write(notebook, path)


# The toolbar says "idle" before there is a kernel, and running then asks for one, so the application is
# asked. Synchronous on purpose: a promise counts as true at once.
KERNEL_READY = """() => {
  const app = window.jupyterapp;
  if (!app?.commands?.hasCommand('notebook:run-all-cells')) return false;
  const panel = app.shell.currentWidget;
  if (!panel?.content?.model || !panel.sessionContext?.isReady) return false;
  const kernel = panel.sessionContext.session?.kernel;
  return !!kernel && kernel.status === 'idle' && kernel.connectionStatus === 'connected';
}"""


def open_notebook(page: Page, lab: Lab, name: str, seconds: float = 60) -> Locator:
    """Open a notebook of the server's root and wait for its kernel; returns the notebook's panel."""
    page.goto(f"{lab.url}/lab/tree/{name}?token={lab.token}&reset", wait_until="domcontentloaded")
    page.wait_for_function(KERNEL_READY, timeout=1000 * seconds, polling=100)
    set_theme(page, "light")  # the server remembers what an earlier test chose
    return page.locator(".jp-NotebookPanel:not(.lm-mod-hidden)")


def start_all(page: Page) -> None:
    """Begin to run every cell and return at once, to act while they run."""
    page.evaluate("() => { window.running = jupyterapp.commands.execute('notebook:run-all-cells'); }")


def run_all(page: Page, seconds: float = 120) -> None:
    """Run every cell to the end; fails with the cells' errors when one raises."""
    start_all(page)
    wait_for_all(page, seconds)


def wait_for_all(page: Page, seconds: float = 120) -> None:
    """Wait for the run that `start_all` began."""
    passed = page.evaluate(
        """ms => Promise.race([window.running, new Promise((_, reject) =>
             setTimeout(() => reject(new Error('the cells did not end in time')), ms))])""",
        1000 * seconds,
    )
    assert passed, "\n".join(cell_errors(page))


def cell_errors(page: Page) -> list[str]:
    """What cells wrote to stderr, and their tracebacks."""
    kinds = ("application/vnd.jupyter.stderr", "application/vnd.jupyter.error")
    return page.locator(", ".join(f"[data-mime-type='{kind}']" for kind in kinds)).all_inner_texts()


def run_code(page: Page, code: str) -> str:
    """Run code in the notebook's kernel, in no cell; returns what it printed."""
    printed, error = page.evaluate(
        """async code => {
             const kernel = jupyterapp.shell.currentWidget.sessionContext.session.kernel;
             const run = kernel.requestExecute({code});
             let printed = '', error = '';
             run.onIOPub = ({header, content}) => {
               if (header.msg_type === 'stream') printed += content.text;
               if (header.msg_type === 'error') error = content.traceback.join('\\n');
             };
             await run.done;
             return [printed, error];
           }""",
        code,
    )
    assert not error, error
    return printed


def set_theme(page: Page, theme: str) -> None:
    """Switch JupyterLab to its `"light"` or `"dark"` theme."""
    name = f"JupyterLab {theme.capitalize()}"
    page.evaluate("theme => jupyterapp.commands.execute('apputils:change-theme', {theme})", name)
    page.locator(f"body[data-jp-theme-name='{name}']").wait_for(state="attached")
    page.locator("#jupyterlab-splash").wait_for(state="detached")  # it lies over everything meanwhile


def screenshot(what: Page | Locator, name: str) -> Path:
    """Keep a picture of a page or a part of it as test-artifacts/NAME.png."""
    assert re.fullmatch(r"[\w-]+", name), name
    path = ARTIFACTS / f"{name}.png"
    what.screenshot(path=path)  # makes the folder
    return path
