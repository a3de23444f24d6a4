"""The benchmark runs, its contenders agree, and it notices when they do not. Nothing here looks at a time."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

REPOSITORY = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def importable(monkeypatch: pytest.MonkeyPatch) -> None:
    """bench is no part of the installed package."""
    monkeypatch.syspath_prepend(str(REPOSITORY))


def bench(*arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONWARNINGS": "error"}  # reaches the workers too
    environment.pop("TEACHCELL_BENCH_TORCH", None)
    command = [sys.executable, "-m", "bench", *arguments]
    return subprocess.run(command, cwd=REPOSITORY, env=environment, capture_output=True, text=True, timeout=120)


def test_every_part_runs_and_agrees() -> None:
    from bench.__main__ import PARTS

    run = bench("--smoke")
    assert run.returncode == 0, run.stderr
    assert run.stdout.splitlines()[1:] == [f"{part}: agrees" for part in PARTS]


def test_a_part_that_does_not_exist_is_refused() -> None:
    run = bench("w0")
    assert run.returncode == 2
    assert "unknown part w0" in run.stderr


@pytest.mark.parametrize("spoilt", ["loss", "W1", "b3"])
def test_disagreement_is_noticed(spoilt: str) -> None:
    from bench.mlp import Hand, Teachcell
    from bench.workload import check, outcome

    found = {"numpy": outcome(Hand(2)), "teachcell": outcome(Teachcell(2))}
    check(found)
    found["teachcell"][spoilt] = found["teachcell"][spoilt] * 1.001
    with pytest.raises(AssertionError, match=spoilt):
        check(found)


def test_a_gradient_that_is_missing_is_noticed() -> None:
    from bench.w1 import Hand
    from bench.workload import check, outcome

    complete = outcome(Hand())
    with pytest.raises(AssertionError, match="different gradients"):
        check({"numpy": complete, "teachcell": {"loss": complete["loss"]}})


def test_a_worker_that_ends_is_reported() -> None:
    from bench.worker import Worker

    with Worker("w1", "nobody") as worker, pytest.raises(RuntimeError, match="w1 by nobody: the process ended"):
        worker.outcome()


def test_a_ratio_compares_neighbours() -> None:
    """The machine is ten times slower in the middle round; both contenders feel it, and the ratio does not."""
    from bench.timing import Measurement

    measurement = Measurement("work", {"numpy": [1.0, 10.0, 1.0], "teachcell": [3.0, 30.0, 3.0]})
    assert measurement.ratio("teachcell", "numpy") == (3, 3, 3)
    assert measurement.table().splitlines()[-1].split() == ["teachcell", "3000000.00", "3.00", "(3.00–3.00)"]


def test_the_parts_of_the_per_op_path_run() -> None:
    from bench.per_op import timers

    assert all(np.isfinite(seconds(1)) for seconds in timers().values())
