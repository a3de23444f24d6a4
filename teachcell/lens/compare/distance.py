"""Distance: how far apart two arrays are that belong to one place in two runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..replay.elements import index_of
from ..watch.seen import Seen
from ..watch.summary import SURE

ROUNDING = 4  # units in the last place of an element that count as rounding
SAME = ("equal", "rounding", "alike", "none")  # states that are no difference
SHOWN = ("min", "max", "mean", "std", "zeros", "nan", "inf", "strip", "map")  # of summaries that are compared


@dataclass(frozen=True)
class Distance:
    """How two arrays differ.

    Attributes:
        state: ``"equal"`` (in every bit, two NaN are equal), ``"rounding"`` (each element within 4 units in its last
            place), ``"differs"``, ``"nan"`` (a NaN or infinity that the other has not), ``"shape"``, ``"dtype"`` (the
            numbers are equal), ``"only_a"``, ``"only_b"``, ``"none"`` (neither is there), ``"alike"`` (too large to
            be kept; their statistics and pictures are equal).
        largest: the largest absolute difference; None where there is none that is finite.
        relative: the largest difference of an element beside the larger of the two.
        at: the index of the largest difference.
        count: how many elements differ.
        at_least: whether ``largest`` is only known to be no less, from the statistics of arrays too large to be kept.
    """

    state: str
    largest: float | None = None
    relative: float | None = None
    at: tuple[int, ...] | None = None
    count: int = 0
    at_least: bool = False

    @property
    def same(self) -> bool:
        """Whether this is no difference."""
        return self.state in SAME

    def plain(self) -> dict[str, Any]:
        """As plain data."""
        at = None if self.at is None else list(self.at)
        return {
            "state": self.state, "same": self.same, "largest": self.largest, "relative": self.relative, "at": at,
            "count": self.count, "at_least": self.at_least,
        }  # fmt: skip


def distance(a: Seen | None, b: Seen | None) -> Distance:
    """How what was seen in one run differs from what was seen in the other; None: nothing was there."""
    if a is None or b is None:
        return Distance("none" if a is b else "only_b" if a is None else "only_a")
    if a.shape != b.shape:
        return Distance("shape")
    found = _by_elements(a.array, b.array) if a.array is not None and b.array is not None else _by_summary(a, b)
    return Distance("dtype") if found.same and a.dtype != b.dtype else found


def _by_elements(a: np.ndarray, b: np.ndarray) -> Distance:
    if a is b or np.array_equal(a, b):
        return Distance("equal", 0.0, 0.0)
    with np.errstate(all="ignore"):
        x, y = a.astype(np.float64), b.astype(np.float64)
        apart = np.where((x == y) | (np.isnan(x) & np.isnan(y)), 0.0, np.abs(x - y))
        if not apart.any():
            return Distance("equal", 0.0, 0.0)
        count, size = int(np.count_nonzero(apart)), np.maximum(np.abs(x), np.abs(y))
        odd = ~np.isfinite(apart)
        if odd.any() and not (np.isfinite(x) & np.isfinite(y))[odd].all():
            return Distance("nan", at=index_of(odd.argmax(), a.shape), count=count)
        relative = np.where(apart > 0, apart / size, 0.0)
        narrow = [np.finfo(v.dtype).eps for v in (a, b) if v.dtype.kind == "f"]
        state = "rounding" if narrow and (apart <= ROUNDING * max(narrow) * size).all() else "differs"
    largest = float(apart.max())
    at = index_of(apart.argmax(), a.shape)
    return Distance(state, largest if np.isfinite(largest) else None, float(relative.max()), at, count)


def _by_summary(a: Seen, b: Seen) -> Distance:
    """Of arrays that were too large to keep: extremes and means cannot be further apart than the elements are."""
    x, y = a.summary(), b.summary()
    if all(x[key] == y[key] for key in SHOWN):
        return Distance("alike")
    if (x["nan"], x["inf"]) != (y["nan"], y["inf"]):
        return Distance("nan")
    if x["min"] is None or y["min"] is None:
        return Distance("differs", at_least=True)
    means = abs(x["mean"] - y["mean"]) - SURE * (x["std"] + y["std"])
    return Distance("differs", max(abs(x["min"] - y["min"]), abs(x["max"] - y["max"]), means), at_least=True)
