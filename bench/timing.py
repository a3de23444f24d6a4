"""How everything here is timed: CPU time, in interleaved rounds, compared within a round.

A shared machine slows whatever runs at the moment. Contenders therefore take turns (A B C, A B C, …), and a
ratio is the median of the ratios of neighbours, which moves far less than a ratio of two medians.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from statistics import median, quantiles
from time import process_time
from typing import NamedTuple

Timer = Callable[[int], float]  # runs that many repeats and returns their CPU seconds

TURN = 0.05  # CPU seconds of one contender's turn


def timer(step: Callable[[], object]) -> Timer:
    """A Timer of a function without arguments."""

    def seconds(repeats: int) -> float:
        started = process_time()
        for _ in range(repeats):
            step()
        return process_time() - started

    return seconds


class Ratio(NamedTuple):
    """Median and quartiles of the rounds' ratios."""

    median: float
    low: float
    high: float


@dataclass
class Measurement:
    """CPU seconds per repeat, one number per round, by contender; the first is what the others are compared to."""

    title: str
    seconds: dict[str, list[float]]

    def ratio(self, name: str, reference: str) -> Ratio:
        """How much dearer ``name`` is than ``reference``."""
        of_rounds = [a / b for a, b in zip(self.seconds[name], self.seconds[reference], strict=True)]
        low, middle, high = quantiles(of_rounds, n=4, method="inclusive")
        return Ratio(middle, low, high)

    def rounded(self) -> dict[str, object]:
        """For a file: four digits say all that is known."""
        seconds = {name: [float(f"{s:.4g}") for s in found] for name, found in self.seconds.items()}
        return {"title": self.title, "seconds": seconds}

    def table(self, references: tuple[str, ...] = ()) -> str:
        """The measurement as text, with a column of ratios to the first contender and to each of ``references``."""
        names = list(self.seconds)
        references = (names[0], *references)
        width = max(map(len, names))
        lines = [self.title, f"  {'':{width}} {'µs':>8}" + "".join(f"   {'x ' + r:<18}" for r in references)]
        for name in names:
            ratios = [self.ratio(name, reference) for reference in references]
            cells = [f"   {r.median:6.2f} ({r.low:.2f}–{r.high:.2f})".ljust(21) for r in ratios]
            lines.append(f"  {name:{width}} {median(self.seconds[name]) * 1e6:8.2f}" + "".join(cells))
        return "\n".join(line.rstrip() for line in lines)


def measure(title: str, timers: Mapping[str, Timer], rounds: int) -> Measurement:
    """Time the contenders in turn, each round once."""
    repeats = {name: _enough(seconds) for name, seconds in timers.items()}
    found: dict[str, list[float]] = {name: [] for name in timers}
    for _ in range(rounds):
        for name, seconds in timers.items():
            found[name].append(seconds(repeats[name]) / repeats[name])
    return Measurement(title, found)


def _enough(seconds: Timer) -> int:
    """How many repeats fill a turn. Finding out is the warm-up; the first ones, in which jit captures, do not count."""
    seconds(2)
    repeats = 1
    while (spent := seconds(repeats)) < TURN / 2:
        repeats *= 2
    return max(1, round(repeats * TURN / spent))
