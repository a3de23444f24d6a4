"""An Explorer of each of the four programs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from browser.programs import PROGRAMS
from widgets.four_programs import run_program

from teachcell_widgets import Explorer


@pytest.fixture(params=PROGRAMS)
def names(request: pytest.FixtureRequest) -> Iterator[dict[str, Any]]:
    names = run_program(request.param)
    yield names
    names["explorer"].close()


@pytest.fixture
def explorer(names: dict[str, Any]) -> Explorer:
    return names["explorer"]


@pytest.fixture
def mlp() -> Explorer:
    return run_program("mlp")["explorer"]
