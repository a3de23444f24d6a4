"""Numeric slopes: one element is moved a little to either side, and every output's rise is divided by the step."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

SAME_GAP = 0.1  # how much the difference between two slopes may change with the step and count as the same
ROUNDING = 4.0  # roundings of an output that a slope may be off by


@dataclass(frozen=True)
class Precision:
    """A numeric gradient's step and tolerances, and what difference between its two sides is a kink.

    Attributes:
        near: of an element this small, the step is relative once a wider one has failed.
        tenths: how often a step may then be divided by 10 before rounding is all that is left.
        epsilon: of the dtype.
    """

    dtype: str
    h: float
    rtol: float
    atol: float
    kink: float
    near: float
    tenths: int
    epsilon: float

    def steps(self, x: float) -> list[float]:
        """Steps from an element: first the one with the least rounding, then those that pass by poles and kinks."""
        size = abs(x)
        narrow = self.h * max(size, self.near)
        found = {self.h * max(size, 1.0), *(narrow / 10**i for i in range(self.tenths + 1))}
        return sorted(found | {self.h * size} - {0.0}, reverse=True)

    def differ(self, left: np.ndarray, right: np.ndarray, noise: np.ndarray) -> np.ndarray:
        """Whether slopes to the left and to the right are two, or not finite."""
        room = self.kink * np.maximum(np.abs(left), np.abs(right)) + self.atol + noise
        return ~(np.abs(right - left) <= room)


DOUBLE = Precision("float64", 1e-5, 1e-4, 1e-7, 1e-3, near=1e-3, tenths=4, epsilon=2.3e-16)
SINGLE = Precision("float32", 5e-3, 3e-3, 1e-4, 5e-2, near=1e-1, tenths=1, epsilon=1.2e-7)


class Weighed(NamedTuple):
    """The slope of a weighted sum of outputs.

    Attributes:
        middle: the mean of both sides.
        low, high: at a kink any slope between these is as good: a convention, not an error.
        kink: whether there is one.
        noise: what rounding may have done to it.
    """

    middle: float
    low: float
    high: float
    kink: bool
    noise: float

    def times(self, factor: float) -> Weighed:
        """The same for weights that are ``factor`` (not negative) times as large."""
        return Weighed(factor * self.middle, factor * self.low, factor * self.high, self.kink, factor * self.noise)


class Slopes(NamedTuple):
    """How the outputs change with one element: to the left of it, to the right, and what of that is rounding.

    Attributes:
        outputs: those that change; the fields but ``noise`` are of these alone, and many are mostly none of them.
        two: whether the slopes to both sides are different.
    """

    outputs: np.ndarray
    left: np.ndarray
    right: np.ndarray
    two: np.ndarray
    noise: np.ndarray

    def weighed(self, weights: np.ndarray) -> Weighed:
        """Of the sum of the outputs, each times its weight."""
        here = weights[self.outputs]
        left, right = here * self.left, here * self.right
        two = self.two & (here != 0)
        middle = (left + right) / 2
        low = high = total = float(middle.sum())
        if two.any():
            low, high = (float(np.where(two, side, middle).sum()) for side in np.sort([left, right], axis=0))
        kink = bool(two.any()) and np.isfinite([low, high]).all().item()
        return Weighed(total, low, high, kink, float(np.abs(weights * self.noise).sum()))


def slopes_at(
    run: Callable[[], np.ndarray], x: np.ndarray, place: tuple[int, ...], here: np.ndarray, precision: Precision
) -> Slopes:
    """Slopes of all outputs at one element of ``x``.

    Where left and right differ, smaller steps are taken, until a smaller one changes nothing: then they differ in the
    limit, a kink.

    Args:
        run: the outputs, one after the other, for the present values of ``x``.
        here: the outputs before anything is moved.
    """
    first, *smaller = precision.steps(float(x[place]))
    below, above = _beside(run, x, place, first)
    outputs = np.flatnonzero((below != here) | (above != here))
    start, below, above = here[outputs], below[outputs], above[outputs]
    left, right, noise = _sides(below, start, above, first, precision)
    everywhere = _rounding(here, here, precision) / first
    two = precision.differ(left, right, noise)
    waiting, gap = np.flatnonzero(two), np.abs(right - left)[two]
    for step in smaller if waiting.size else ():
        below, above = (side[outputs[waiting]] for side in _beside(run, x, place, step))
        now = left[waiting], right[waiting], noise[waiting] = _sides(below, start[waiting], above, step, precision)
        two[waiting] = still = precision.differ(*now)
        before, gap = gap, np.abs(now[1] - now[0])
        going_on = still & ~(np.abs(gap - before) <= SAME_GAP * before)
        waiting, gap = waiting[going_on], gap[going_on]
        if not waiting.size:
            break
    everywhere[outputs] = noise
    return Slopes(outputs, left, right, two, everywhere)


def _beside(
    run: Callable[[], np.ndarray], x: np.ndarray, place: tuple[int, ...], step: float
) -> tuple[np.ndarray, np.ndarray]:
    """The outputs for an element that is a step smaller, and a step larger."""
    old = x[place]
    x[place] = old - step
    below = run()
    x[place] = old + step
    above = run()
    x[place] = old
    return below, above


def _sides(
    below: np.ndarray, here: np.ndarray, above: np.ndarray, step: float, precision: Precision
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Slope to the left, to the right, and what rounding may have done to them."""
    return _rise(below, here) / step, _rise(here, above) / step, _rounding(below, above, precision) / step


def _rounding(below: np.ndarray, above: np.ndarray, precision: Precision) -> np.ndarray:
    return ROUNDING * precision.epsilon * np.nan_to_num(np.maximum(np.abs(below), np.abs(above)), posinf=0.0)


def _rise(start: np.ndarray, end: np.ndarray) -> np.ndarray:
    """end − start; 0 where both are the same infinity."""
    return np.where(end == start, 0.0, end - start)
