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
    command = [sys.executable, "-m", "bench", *arguments]
    return subprocess.run(command, cwd=REPOSITORY, env=environment, capture_output=True, text=True, timeout=600)


def test_every_part_runs_and_agrees() -> None:
    from bench.__main__ import SMOKED

    run = bench("--smoke")
    assert run.returncode == 0, run.stderr
    assert run.stdout.splitlines()[1:] == [f"{part}: agrees" for part in SMOKED]


def test_a_part_that_does_not_exist_is_refused() -> None:
    run = bench("w0")
    assert run.returncode == 2
    assert "unknown part w0" in run.stderr


@pytest.mark.parametrize("spoilt", ["loss", "W1", "b3"])
def test_disagreement_is_noticed(spoilt: str) -> None:
    from bench.workload import check, outcome
    from bench.workloads.mlp import by_hand, with_teachcell

    found = {"numpy": outcome(by_hand(2)), "teachcell": outcome(with_teachcell(2))}
    check(found)
    found["teachcell"][spoilt] = found["teachcell"][spoilt] * 1.001
    with pytest.raises(AssertionError, match=spoilt):
        check(found)


def test_a_gradient_that_is_missing_is_noticed() -> None:
    from bench.workload import check, outcome
    from bench.workloads.small_ops import ByHand

    complete = outcome(ByHand())
    with pytest.raises(AssertionError, match="different gradients"):
        check({"numpy": complete, "teachcell": {"loss": complete["loss"]}})


def test_a_worker_that_ends_is_reported() -> None:
    from bench.worker import Worker

    with Worker("small-ops", "nobody") as worker, pytest.raises(RuntimeError, match="by nobody: the process ended"):
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


def test_a_peer_that_is_not_there_is_no_column() -> None:
    from bench.worker import chosen, interpreters

    pythons = interpreters(None)
    assert set(pythons) == {"numpy", "teachcell"}
    assert list(chosen("lstm", pythons)) == ["numpy", "teachcell", "teachcell+jit"]


def test_growth_and_garbage_are_seen() -> None:
    from bench.memory import footprint
    from teachcell.kernels import buffers

    kept: list[bytearray] = []

    def step() -> None:
        kept.append(bytearray(b"x" * 2**20))
        circle: list[object] = []
        circle.append(circle)

    buffers.clear()  # what other tests left would serve these steps
    found = footprint(step, 20)
    assert found["growth"] > 10
    assert found["garbage"] == 1
    assert found["peak"] > found["growth"]


def test_the_summary_says_what_was_reached() -> None:
    from bench.summary import dearer, goals, ratios
    from bench.timing import Measurement

    measured = {"lenet": Measurement("LeNet", {"numpy": [1.0, 1.0], "teachcell": [2.7, 2.7], "torch": [9.0, 9.0]})}
    measured["vgg"] = Measurement("VGG", {"teachcell": [3.0, 3.0], "torch": [2.0, 2.0]})
    assert ratios(measured).splitlines()[2] == "| LeNet | 2.70 | – | 9.00 | – | – |"
    assert goals(measured).splitlines()[2:] == [
        "| lenet | teachcell | numpy | 1.35 | 2.70 | 2.00 x too dear |",
        "| lenet | teachcell | torch | 0.88 | 0.30 | yes |",
    ]
    assert dearer(measured).splitlines()[1:] == ["- VGG: 1.50 x torch"]


def test_the_profile_finds_the_dear_line(monkeypatch: pytest.MonkeyPatch) -> None:
    from bench import profile

    monkeypatch.setattr(profile, "SECONDS", 0.1)
    found, seconds = profile.lines(lambda: sum(range(100_000)))
    assert {file for file, _, _ in found} <= {__file__, profile.__file__}
    assert seconds > 0
