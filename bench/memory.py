"""W9: what training steps leave in memory."""

from __future__ import annotations

import gc
import resource
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

WORKLOADS = ("mlp-64", "lenet")
STEPS, WARM_UP, COUNTED = 500, 5, 3

# Goals of teachcell: MB that may be added in STEPS steps, and at the peak to what NumPy by hand needs.
MAY_GROW, MAY_PEAK_ABOVE = 0.5, 10


def resident() -> float:
    """MB of this process that are in memory now; where the system does not tell, the most there ever were."""
    return _status("VmRSS") or _most()


def peak() -> float:
    """MB of this process that ever were in memory at once (Linux' ``ru_maxrss`` begins with the parent's)."""
    return _status("VmHWM") or _most()


def _status(key: str) -> float | None:
    """A number of MB from Linux' table of the process."""
    status = Path("/proc/self/status")
    lines = status.read_text().splitlines() if status.exists() else []
    return next((int(line.split()[1]) / 2**10 for line in lines if line.startswith(key)), None)


def _most() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)


def footprint(step: Callable[[], object], steps: int) -> dict[str, float]:
    """Growth in MB over ``steps`` after a warm-up, the peak in MB, and objects per step that only gc can free."""
    for _ in range(WARM_UP):
        step()
    gc.collect()
    before = resident()
    for _ in range(steps):
        step()
    gc.collect()
    growth = resident() - before
    gc.disable()
    for _ in range(COUNTED):
        step()
    garbage = gc.collect() / COUNTED
    gc.enable()
    return {"growth": growth, "peak": peak(), "garbage": garbage}


def table(title: str, found: Mapping[str, Mapping[str, float]]) -> str:
    """What the contenders leave."""
    lines = [f"{title}: memory", f"  {'':16} growth in {STEPS} steps, MB   peak, MB   objects left to gc per step"]
    for name, of_contender in found.items():
        growth, most, garbage = (of_contender[key] for key in ("growth", "peak", "garbage"))
        lines.append(f"  {name:16} {growth:26.2f} {most:10.0f} {garbage:29.1f}")
    lines.append(f"  goal: below {MAY_GROW} MB, at most {MAY_PEAK_ABOVE} MB above numpy, none")
    return "\n".join(lines)
