"""Machine instructions per step, counted by ``valgrind --tool=callgrind``: a figure that a busy machine does not move.

Two runs that differ only in the number of steps; start-up cancels in the difference. It is no time (a cache
miss counts as one instruction, and Valgrind offers NumPy no AVX-512), but the same program gives the same
count to about 0.1 %, so that a commit which makes the per-op path dearer is seen.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess

from .worker import ONE_THREAD, ROOT, command

FEW, MANY = 50, 150


def available() -> bool:
    """Whether Valgrind is on the PATH."""
    return shutil.which("valgrind") is not None


def per_step(workload: str, contender: str) -> float:
    """Instructions of one step, Python's default allocator and all."""
    return (_of_run(workload, contender, MANY) - _of_run(workload, contender, FEW)) / (MANY - FEW)


def _of_run(workload: str, contender: str, steps: int) -> int:
    environment = {**os.environ, **ONE_THREAD, "PYTHONHASHSEED": "0"}
    environment.pop("PYTHONMALLOC", None)
    run = subprocess.run(
        ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *command(workload, contender, str(steps))],
        cwd=ROOT, env=environment, check=True, capture_output=True, text=True,
    )  # fmt: skip
    found = re.search(r"Collected\s*:\s*(\d+)", run.stderr)
    if found is None:
        raise RuntimeError(f"callgrind printed no count:\n{run.stderr}")
    return int(found[1])
