"""Every conformance case, as a test of its own; all run in one child process, each in a fork of it.

Forks need a process without threads, which pytest's own is not.
"""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from conformance.run import HERE, case_name, case_paths, same

NAMES = [case_name(path) for path in case_paths()]


@pytest.fixture(scope="session")
def reports(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The runner's report of each case, empty where it passed."""
    file = tmp_path_factory.mktemp("conformance") / "reports.json"
    command = [sys.executable, str(HERE / "run.py"), "--json", str(file)]
    run = subprocess.run(command, check=False, capture_output=True, text=True)
    assert file.exists(), run.stdout + run.stderr
    return json.loads(file.read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", NAMES)
def test_case(name: str, reports: dict[str, str]) -> None:
    assert not reports[name], reports[name]


@pytest.mark.parametrize(
    ("got", "want", "equal"),
    [
        ("[1.0, 2.00004]\n", "[1.0,  2.0]", True),
        ("[1.0, 2.001]", "[1.0, 2.0]", False),
        ("(2,) done", "(2,) done", True),
        ("(2,) done", "(2,)", False),
        ("ReLU(3)", "ReLU(4)", False),
    ],
)
def test_outputs_are_compared_number_by_number(got: str, want: str, equal: bool) -> None:
    assert same(got, want) is equal
