"""``python -m bench.profile WORKLOAD [CONTENDER]``: on which lines the CPU time of a step goes.

A timer of CPU time interrupts the process a thousand times a second, and the line that runs is noted: no call
is made dearer, as by cProfile. What NumPy does counts for the line that called it.
"""

from __future__ import annotations

import linecache
import signal
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from time import process_time
from types import FrameType

from .workloads import WORKLOADS

ROWS, SECONDS, INTERVAL = 20, 5.0, 0.001
Line = tuple[str, int, str]  # file, line, function


def lines(step: Callable[[], object]) -> tuple[Counter[Line], float]:
    """How often each line ran when the timer rang, and the CPU seconds of one step."""
    found: Counter[Line] = Counter()

    def ring(_: int, frame: FrameType | None) -> None:
        if frame is not None:
            found[frame.f_code.co_filename, frame.f_lineno or 0, frame.f_code.co_name] += 1

    step()
    before = signal.signal(signal.SIGPROF, ring)
    signal.setitimer(signal.ITIMER_PROF, INTERVAL, INTERVAL)
    started, steps = process_time(), 0
    while (spent := process_time() - started) < SECONDS:
        step()
        steps += 1
    signal.setitimer(signal.ITIMER_PROF, 0)
    signal.signal(signal.SIGPROF, before)
    return found, spent / steps


def main(workload: str, contender: str = "teachcell") -> None:
    """Print the ROWS dearest lines."""
    found, seconds = lines(WORKLOADS[workload].contenders[contender]().step)
    print(f"{WORKLOADS[workload].title}: {contender}, {seconds * 1e6:.0f} µs a step\n  share      µs   line")
    for (file, line, name), count in found.most_common(ROWS):
        share = count / found.total()
        where, code = "/".join(Path(file).parts[-3:]), linecache.getline(file, line).strip()
        print(f"  {share:5.1%} {share * seconds * 1e6:7.0f}   {where}:{line} {name}: {code}")


if __name__ == "__main__":
    main(*sys.argv[1:])
