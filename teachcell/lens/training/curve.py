"""The loss of every step so far, in a bounded number of buckets."""

from __future__ import annotations

from typing import Any

import numpy as np

CAPACITY = 240  # buckets; a screen has few pixels more


class Curve:
    """Least, largest and last value of each bucket of steps.

    A bucket is one step at first. When all are full, neighbours become one and a bucket has twice as many steps, so
    adding costs the same after a million steps as after ten.

    Args:
        capacity: the most buckets, an even number.

    Attributes:
        width: steps in a bucket.
        low, high, last: one number per bucket; None where no finite number fell into it.
    """

    def __init__(self, capacity: int = CAPACITY):
        self.capacity = capacity
        self.clear()

    def clear(self) -> None:
        """Forget all."""
        self.width = 1
        self.low: list[float | None] = []
        self.high: list[float | None] = []
        self.last: list[float | None] = []

    def add(self, step: int, value: float | None) -> None:
        """The value at a step, counted from 1; steps come in order and may be left out."""
        at = (step - 1) // self.width
        while at >= self.capacity:
            self._halve()
            at = (step - 1) // self.width
        for numbers in (self.low, self.high, self.last):
            numbers.extend([None] * (at + 1 - len(numbers)))
        if value is None or not np.isfinite(value):
            return
        low, high = self.low[at], self.high[at]
        self.low[at] = value if low is None else min(low, value)
        self.high[at] = value if high is None else max(high, value)
        self.last[at] = value

    def _halve(self) -> None:
        self.width *= 2
        self.low = [min(_known(pair), default=None) for pair in _pairs(self.low)]
        self.high = [max(_known(pair), default=None) for pair in _pairs(self.high)]
        self.last = [next(reversed(_known(pair)), None) for pair in _pairs(self.last)]

    def data(self) -> dict[str, Any]:
        """The curve as plain data of four digits."""
        lines = {"low": self.low, "high": self.high, "last": self.last}
        shortened = {name: [None if n is None else short(n) for n in numbers] for name, numbers in lines.items()}
        return {"width": self.width, **shortened}


def _pairs(numbers: list[float | None]) -> list[list[float | None]]:
    return [numbers[i : i + 2] for i in range(0, len(numbers), 2)]


def _known(numbers: list[float | None]) -> list[float]:
    return [number for number in numbers if number is not None]


def short(number: float) -> float:
    """Four digits: enough for a picture and a read-out of three."""
    return float(f"{number:.4g}")
