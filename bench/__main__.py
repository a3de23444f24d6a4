"""``python -m bench``: time everything, print tables, keep the numbers.

    python -m bench                       all of it: about two minutes, and one more with Valgrind
    python -m bench per_op w1             these parts
    python -m bench --json numbers.json   keep every round's seconds
    python -m bench --smoke               run each once and only check that all agree

TEACHCELL_BENCH_TORCH names a Python interpreter that can import torch; it adds PyTorch as a column.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
from contextlib import ExitStack
from dataclasses import asdict
from datetime import date
from pathlib import Path

import numpy as np

import teachcell

from . import instructions, per_op, w1
from .timing import Measurement, measure
from .worker import WORKLOADS, Worker
from .workload import check

PARTS = ("per_op", *WORKLOADS)


def interpreters() -> dict[str, str]:
    """The contenders at hand and the interpreter of each."""
    found = {"numpy": sys.executable, "teachcell": sys.executable}
    if torch := os.environ.get("TEACHCELL_BENCH_TORCH"):
        found["torch"] = torch
    return found


def compare(name: str, rounds: int, smoke: bool) -> Measurement | None:
    """Check that the contenders of a workload agree; then, unless it is a smoke test, time them."""
    workload = WORKLOADS[name]
    with ExitStack() as stack:
        workers = {c: stack.enter_context(Worker(name, c, python)) for c, python in interpreters().items()}
        check({contender: worker.outcome() for contender, worker in workers.items()})
        if smoke:
            return None
        return measure(workload.title, {contender: worker.seconds for contender, worker in workers.items()}, rounds)


def count_instructions() -> dict[str, float]:
    """Instructions per op of W1, forward and backward together."""
    return {contender: instructions.per_step("w1", contender) / w1.OPS for contender in ("numpy", "teachcell")}


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
    parser.add_argument("--rounds", type=int, default=25, help="turns of each contender (25)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every round's seconds to FILE")
    parser.add_argument("--smoke", action="store_true", help="run each once, check agreement, time nothing")
    given = parser.parse_args()
    if unknown := set(given.parts) - set(PARTS):
        parser.error(f"unknown part {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}")
    return given


def main() -> None:
    given = arguments()
    parts = given.parts or PARTS
    facts = machine()
    print(", ".join(f"{key} {value}" for key, value in facts.items()))
    kept: dict[str, object] = {"machine": facts}
    for part in parts:
        if part == "per_op":
            per_op.check()
            measurement = None if given.smoke else per_op.run(given.rounds)
        else:
            measurement = compare(part, given.rounds, given.smoke)
        if measurement is None:
            print(f"{part}: agrees")
            continue
        kept[part] = asdict(measurement)
        print(f"\n{measurement.table(('torch',) if 'torch' in measurement.seconds else ())}")
    if "per_op" in parts and not given.smoke and instructions.available():
        kept["instructions"] = counts = count_instructions()
        print("\nInstructions per op of W1, forward and backward (callgrind, Python's default allocator)")
        print("\n".join(f"  {contender:9} {count:8.0f}" for contender, count in counts.items()))
    if given.json:
        given.json.write_text(json.dumps(kept, indent=1) + "\n")


if __name__ == "__main__":
    main()
