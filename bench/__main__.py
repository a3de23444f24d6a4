"""``python -m bench``: time everything, print tables, keep the numbers.

    python -m bench                        all of it; with peers about ten minutes
    python -m bench per-op small-ops       these parts
    python -m bench --peers .../bin/python columns for torch, autograd and mygrad, as far as that Python has them
    python -m bench --json numbers.json    keep every round's seconds
    python -m bench --smoke                run each once and only check that all agree
"""

from __future__ import annotations

import argparse
import json
import platform
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np

import teachcell

from . import instructions, memory, per_op, start, summary
from .timing import Measurement, measure
from .worker import Worker, chosen, interpreters
from .workload import check
from .workloads import WORKLOADS, small_ops

SMOKED = ("per-op", *WORKLOADS, "memory", "start")
PARTS = (*SMOKED, "instructions")


@dataclass
class Run:
    """What was asked for, and what has been found so far."""

    pythons: Mapping[str, str]
    rounds: int
    smoke: bool
    measured: dict[str, Measurement] = field(default_factory=dict)
    kept: dict[str, Any] = field(default_factory=dict)

    def part(self, name: str) -> None:
        """Run one of the PARTS and print its table."""
        if name in WORKLOADS:
            self.compare(name)
        else:
            {"per-op": self.per_op, "memory": self.memory, "start": self.start, "instructions": self.count}[name]()
        if self.smoke:
            print(f"{name}: agrees", flush=True)

    def note(self, name: str, measurement: Measurement) -> None:
        """Keep and print a table."""
        self.measured[name] = measurement
        print(f"\n{measurement.table(('torch',) if 'torch' in measurement.seconds else ())}", flush=True)

    def compare(self, name: str) -> None:
        """Check that the contenders of a workload agree; then, unless it is a smoke test, time them."""
        workload = WORKLOADS[name]
        with ExitStack() as stack:
            contenders = chosen(name, self.pythons).items()
            workers = {c: stack.enter_context(Worker(name, c, python)) for c, python in contenders}
            check({contender: worker.outcome() for contender, worker in workers.items()})
            if not self.smoke:
                timers = {contender: worker.seconds for contender, worker in workers.items()}
                self.note(name, measure(workload.title, timers, self.rounds))

    def per_op(self) -> None:
        per_op.check()
        if not self.smoke:
            self.note("per-op", per_op.run(self.rounds))

    def memory(self) -> None:
        for name in memory.WORKLOADS:
            found = {}
            for contender, python in chosen(name, self.pythons).items():
                with Worker(name, contender, python) as worker:
                    found[contender] = worker.footprint(1 if self.smoke else memory.STEPS)
            if not self.smoke:
                self.kept.setdefault("memory", {})[name] = found
                print(f"\n{memory.table(WORKLOADS[name].title, found)}", flush=True)

    def start(self) -> None:
        for part in start.PARTS:
            if self.smoke:
                for seconds in start.timers(part, self.pythons).values():
                    seconds(1)
            else:
                self.note(part, start.run(part, self.pythons, self.rounds))

    def count(self) -> None:
        """Instructions per op of W1, forward and backward together."""
        if not instructions.available():
            return
        contenders = ("numpy", "teachcell")
        self.kept["instructions"] = {c: instructions.per_step("small-ops", c) / small_ops.OPS for c in contenders}
        print("\nInstructions per op of W1, forward and backward (callgrind, Python's default allocator)")
        print("\n".join(f"  {contender:9} {count:8.0f}" for contender, count in self.kept["instructions"].items()))


def machine() -> dict[str, str]:
    """What the numbers depend on."""
    cpuinfo = Path("/proc/cpuinfo")
    lines = cpuinfo.read_text().splitlines() if cpuinfo.exists() else []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return {
        "date": date.today().isoformat(),
        "processor": f"{models[0]}, {len(models)} cores" if models else platform.processor(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "numpy": np.__version__,
        "teachcell": teachcell.__version__,
    }


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench", description="What teachcell costs.")
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"any of {', '.join(PARTS)}; default: all")
    parser.add_argument("--peers", metavar="PYTHON", help="an interpreter with any of torch, autograd, mygrad")
    parser.add_argument("--rounds", type=int, default=25, help="turns of each contender (25)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every round's seconds to FILE")
    parser.add_argument("--smoke", action="store_true", help="run each once, check agreement, time nothing")
    given = parser.parse_args()
    if unknown := set(given.parts) - set(PARTS):
        parser.error(f"unknown part {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}")
    return given


def main() -> None:
    given, facts = arguments(), machine()
    print(", ".join(f"{key} {value}" for key, value in facts.items()))
    run = Run(interpreters(given.peers), given.rounds, given.smoke)
    for part in given.parts or (SMOKED if given.smoke else PARTS):
        run.part(part)
    if run.measured:
        print("", summary.ratios(run.measured), summary.goals(run.measured), summary.dearer(run.measured), sep="\n\n")
    if given.json:
        measured = {name: measurement.rounded() for name, measurement in run.measured.items()}
        given.json.write_text(json.dumps({"machine": facts, **measured, **run.kept}) + "\n")


if __name__ == "__main__":
    main()
