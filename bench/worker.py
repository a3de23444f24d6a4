"""A process of its own for every contender, and the pipe to it.

Contenders do not share a heap (a training step's cost depends on what malloc did before), and each may need
its own interpreter: peers are not among teachcell's dependencies. Requests and replies are pickles.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from .libraries import PEERS
from .memory import footprint
from .timing import timer
from .workload import Arrays, outcome
from .workloads import WORKLOADS

ROOT = Path(__file__).resolve().parents[1]

# Two threads of a matrix product on a busy core wait for each other and burn CPU time meanwhile.
ONE_THREAD = {f"{who}_NUM_THREADS": "1" for who in ("OMP", "OPENBLAS", "MKL", "NUMBA")}


def environment() -> dict[str, str]:
    """That of every process: one thread, and modules are compiled once and for all, as where somebody works."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return kept | ONE_THREAD


def interpreters(peers: str | None) -> dict[str, str]:
    """Python by library; of the peers those that the interpreter ``peers`` can import."""
    found = {"numpy": sys.executable, "teachcell": sys.executable}
    if peers:
        code = f"from importlib.util import find_spec; print(*(p for p in {PEERS} if find_spec(p)))"
        run = subprocess.run([peers, "-c", code], check=True, capture_output=True, text=True)
        found.update(dict.fromkeys(run.stdout.split(), peers))
    return found


def chosen(workload: str, pythons: Mapping[str, str]) -> dict[str, str]:
    """The contenders of a workload whose library is there, and the interpreter of each."""
    libraries = {contender: contender.partition("+")[0] for contender in WORKLOADS[workload].contenders}
    return {contender: pythons[library] for contender, library in libraries.items() if library in pythons}


def command(*arguments: str, python: str = sys.executable) -> list[str]:
    """The command line of a worker."""
    return [python, "-m", "bench.worker", *arguments]


class Worker:
    """This side of the pipe; a context manager that ends the process."""

    def __init__(self, workload: str, contender: str, python: str = sys.executable):
        self.name = f"{workload} by {contender}"
        self.process = subprocess.Popen(
            command(workload, contender, python=python),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT, env=environment(),
        )  # fmt: skip

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.communicate()

    def outcome(self) -> Arrays:
        """What a fresh contender finds."""
        return self._ask("outcome", 0)

    def seconds(self, repeats: int) -> float:
        """CPU seconds of that many steps: a Timer."""
        return self._ask("seconds", repeats)

    def footprint(self, steps: int) -> dict[str, float]:
        """What steps do to the memory of the process."""
        return self._ask("footprint", steps)

    def _ask(self, what: str, number: int) -> Any:
        assert self.process.stdin is not None and self.process.stdout is not None
        try:
            pickle.dump((what, number), self.process.stdin)
            self.process.stdin.flush()
            return pickle.load(self.process.stdout)
        except (BrokenPipeError, EOFError):
            raise RuntimeError(f"{self.name}: the process ended; its error is printed above") from None


def serve(workload: str, contender: str) -> None:
    """The other side: answer until the pipe closes."""
    make = WORKLOADS[workload].contenders[contender]
    step = make().step
    answers = {
        "outcome": lambda _: outcome(make()),
        "seconds": timer(step),
        "footprint": lambda steps: footprint(step, steps),
    }
    while True:
        try:
            what, number = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        pickle.dump(answers[what](number), sys.stdout.buffer)
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
