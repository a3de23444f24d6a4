"""A process of its own for every contender, and the pipe to it.

Contenders do not share a heap (a training step's cost depends on what malloc did before), and each may need
its own interpreter: PyTorch is not among teachcell's dependencies. Requests and replies are pickles.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

from . import mlp, w1
from .timing import timer
from .workload import Outcome, Workload, outcome

ROOT = Path(__file__).resolve().parents[1]
WORKLOADS: dict[str, Workload] = {"w1": w1.WORKLOAD, "mlp-1": mlp.workload(1), "mlp-64": mlp.workload(64)}

# Two threads of a matrix product on a busy core wait for each other and burn CPU time meanwhile.
ONE_THREAD = {name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")}


def command(*arguments: str, python: str = sys.executable) -> list[str]:
    """The command line of a worker."""
    return [python, "-m", "bench.worker", *arguments]


class Worker:
    """This side of the pipe; a context manager that ends the process."""

    def __init__(self, workload: str, contender: str, python: str = sys.executable):
        self.name = f"{workload} by {contender}"
        self.process = subprocess.Popen(
            command(workload, contender, python=python),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT, env={**os.environ, **ONE_THREAD},
        )  # fmt: skip

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.communicate()

    def outcome(self) -> Outcome:
        """What a fresh contender finds."""
        return self._ask("outcome", 0)

    def seconds(self, repeats: int) -> float:
        """CPU seconds of that many steps: a Timer."""
        return self._ask("seconds", repeats)

    def _ask(self, what: str, repeats: int) -> Any:
        assert self.process.stdin is not None and self.process.stdout is not None
        try:
            pickle.dump((what, repeats), self.process.stdin)
            self.process.stdin.flush()
            return pickle.load(self.process.stdout)
        except (BrokenPipeError, EOFError):
            raise RuntimeError(f"{self.name}: the process ended; its error is printed above") from None


def serve(workload: str, contender: str) -> None:
    """The other side: answer until the pipe closes."""
    make = WORKLOADS[workload].contenders[contender]
    timed = timer(make().step)
    while True:
        try:
            what, repeats = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        pickle.dump(outcome(make()) if what == "outcome" else timed(repeats), sys.stdout.buffer)
        sys.stdout.buffer.flush()


def main(workload: str, contender: str, steps: str = "") -> None:
    """Serve; or, given a number of steps, run them and end (for counting instructions)."""
    if not steps:
        return serve(workload, contender)
    step = WORKLOADS[workload].contenders[contender]().step
    for _ in range(int(steps)):
        step()


if __name__ == "__main__":
    main(*sys.argv[1:])
