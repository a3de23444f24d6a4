"""What stands behind a jit function, for tests that look at its plans."""

from __future__ import annotations

from typing import Any

from teachcell.jit.function import Jitted
from teachcell.jit.replay import Plan


def inside(jitted: Any) -> Jitted:
    return next(c.cell_contents for c in jitted.__closure__ if isinstance(c.cell_contents, Jitted))


def plans_of(jitted: Any) -> list[Plan]:
    return [plan for plans in inside(jitted).plans.values() for plan in plans]
