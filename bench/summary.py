"""All workloads in one table, and what was aimed at beside what was reached: Markdown, for RESULTS.md."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from .libraries import PEERS
from .start import GOALS
from .timing import Measurement
from .workloads import WORKLOADS

COLUMNS = ("teachcell", "teachcell+jit", "torch", "autograd", "mygrad")


def ratios(measured: Mapping[str, Measurement]) -> str:
    """CPU time in multiples of NumPy by hand, workload by workload."""
    rows = []
    for measurement in measured.values():
        if "numpy" not in measurement.seconds or not set(COLUMNS) & set(measurement.seconds):
            continue
        cells = [
            f"{measurement.ratio(name, 'numpy').median:.2f}" if name in measurement.seconds else "–" for name in COLUMNS
        ]
        rows.append((measurement.title, *cells))
    return _table(("CPU time / NumPy by hand", *COLUMNS), rows)


def goals(measured: Mapping[str, Measurement]) -> str:
    """Every goal whose contenders were measured."""
    aims = {(name, *pair): goal for name, workload in WORKLOADS.items() for pair, goal in workload.goals.items()}
    aims.update({(part, "teachcell", "numpy"): goal for part, goal in GOALS.items()})
    rows = []
    for (name, contender, reference), goal in aims.items():
        measurement = measured.get(name)
        if measurement is None or not {contender, reference} <= measurement.seconds.keys():
            continue
        reached = measurement.ratio(contender, reference).median
        verdict = "yes" if reached <= goal else f"{reached / goal:.2f} x too dear"
        rows.append((name, contender, reference, f"{goal:.2f}", f"{reached:.2f}", verdict))
    return _table(("part", "contender", "CPU time / of", "goal", "found", "reached"), rows)


def dearer(measured: Mapping[str, Measurement]) -> str:
    """Where a peer does the same work in less CPU time."""
    found = []
    for measurement in measured.values():
        for peer in PEERS if "teachcell" in measurement.seconds else ():
            ratio = measurement.ratio("teachcell", peer).median if peer in measurement.seconds else 0
            if ratio > 1:
                found.append(f"- {measurement.title}: {ratio:.2f} x {peer}")
    return "\n".join(["Dearer than a peer:", *(found or ["- nowhere"])])


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    head = list(head)
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
