"""Where there is no Chromium: one clear message, and a failure where a browser is required."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from browser.lab import NO_CHROMIUM


def run_browser_tests(**environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--maxfail=1"]
    return subprocess.run(
        [*command, str(Path(__file__).with_name("test_lab.py"))],
        env={**os.environ, "TEACHCELL_CHROMIUM": "", "COLUMNS": "1000", **environment},
        check=False,
        capture_output=True,
        text=True,
    )


def test_browser_tests_are_skipped_and_say_how_to_get_one() -> None:
    run = run_browser_tests(TEACHCELL_REQUIRE_BROWSER="")
    assert run.returncode == 0, run.stdout
    assert run.stdout.count(NO_CHROMIUM) == 1


def test_browser_tests_fail_where_a_browser_is_required() -> None:
    run = run_browser_tests(TEACHCELL_REQUIRE_BROWSER="1")
    assert run.returncode == 1, run.stdout
    assert NO_CHROMIUM in run.stdout
