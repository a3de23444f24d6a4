"""Evidence: the engine's gradient by one variable beside the numeric one, for two different gradients arriving."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from .repeat import Repeat, Variable
from .slopes import Weighed, slopes_at

MOST_KEPT = 2_000_000  # elements of a Jacobian
MOST_WHOLE = 10_000  # elements of a variable that are all moved, one after the other
MOST_SLOPES = 100_000_000  # outputs times elements, the same
SAMPLE = (50, 500)  # elements that are moved where all would be too many: fewer the more outputs there are


@dataclass(frozen=True)
class Tolerance:
    """How far a gradient may be from the numeric one."""

    rtol: float
    atol: float

    def room(self, wanted: np.ndarray) -> np.ndarray:
        """The same for each element."""
        return self.atol + self.rtol * np.abs(wanted)


@dataclass(frozen=True, eq=False)
class Numeric:
    """A numeric gradient; the fields are those of :class:`Weighed`, element by element."""

    middle: np.ndarray
    low: np.ndarray
    high: np.ndarray
    kink: np.ndarray
    noise: np.ndarray

    @classmethod
    def of(cls, weighed: list[Weighed], shape: tuple[int, ...]) -> Numeric:
        """The slopes of all elements in order."""
        return cls(*(np.array(column).reshape(shape) for column in zip(*weighed, strict=True)))

    @classmethod
    def smooth(cls, middle: np.ndarray) -> Numeric:
        """A gradient that is known exactly."""
        return cls(middle, middle, middle, np.zeros(middle.shape, bool), np.zeros(middle.shape))

    def accepts(self, gradient: np.ndarray, tolerance: Tolerance) -> np.ndarray:
        """Whether each element is right; at a kink any slope between both sides is."""
        room = tolerance.room(self.middle) + self.noise
        return (gradient >= self.low - room) & (gradient <= self.high + room)


@dataclass(frozen=True, eq=False)
class Evidence:
    """What is known of the gradient by one variable.

    Attributes:
        x: the variable's value.
        got: the engine's gradient, for each of the two gradients arriving.
        numeric: the numeric one, likewise.
        jacobian: the numeric slope of every output (rows) by every element; None if that is too much, or unknown.
        places: the index of each element, where these are a part of something larger.
        whole: the shape of that.
    """

    variable: Variable
    x: np.ndarray
    got: tuple[np.ndarray, ...]
    numeric: tuple[Numeric, ...]
    tolerance: Tolerance
    jacobian: np.ndarray | None = None
    places: Sequence[tuple[int, ...]] | None = None
    whole: tuple[int, ...] | None = None

    def right(self, which: int = 0) -> np.ndarray:
        """Whether each element is right."""
        return self.numeric[which].accepts(self.got[which], self.tolerance)

    @property
    def wanted(self) -> np.ndarray:
        """The numeric gradient."""
        return self.numeric[0].middle

    @property
    def smooth(self) -> np.ndarray:
        """The elements where there is one right value."""
        return ~self.numeric[0].kink & np.isfinite(self.wanted)

    def part(self, gradient: np.ndarray) -> np.ndarray:
        """What of a whole gradient is looked at here."""
        if self.whole is None or self.places is None:
            return gradient
        return gradient[tuple(np.transpose(self.places))]

    def indices(self, mask: np.ndarray) -> list[tuple[int, ...]]:
        """Where ``mask`` is True."""
        if self.places is not None:
            return [place for place, true in zip(self.places, mask.flat, strict=True) if true]
        return [tuple(int(k) for k in place) for place in np.argwhere(mask)]

    def fits(self, candidate: np.ndarray) -> bool:
        """Whether ``candidate`` explains a wrong gradient: the engine's is that, wherever there is one right value."""
        if candidate.shape != self.got[0].shape or not (self.smooth & ~self.right()).any():
            return False
        room = self.tolerance.room(candidate) + self.numeric[0].noise
        near = np.abs(self.got[0] - candidate) <= room
        return bool(near[self.smooth & np.isfinite(candidate)].all())


def arriving(count: int) -> tuple[np.ndarray, np.ndarray]:
    """Two gradients that arrive at ``count`` output elements. All elements differ, so that one that is ignored, or
    lands on the wrong element, shows; the second has both signs and other sizes."""
    draws = np.random.default_rng(7)
    first = draws.uniform(0.5, 1.5, count)
    return first, draws.uniform(0.4, 2.5, count) * draws.choice([-1.0, 1.0], count)


def gather(
    repeat: Repeat, weights: tuple[np.ndarray, ...], here: np.ndarray, tolerance: Tolerance,
    known: Mapping[int, np.ndarray] | None = None, sample: bool = True,
) -> list[Evidence]:  # fmt: skip
    """The evidence on all variables.

    Args:
        weights: the gradients that arrive.
        here: the outputs.
        known: Jacobians that need not be found numerically.
        sample: of a large variable look at a sample of its elements.
    """
    gradients = [repeat.gradients(w) for w in weights]
    found = []
    for i, (variable, x) in enumerate(zip(repeat.variables, repeat.arrays, strict=True)):
        got = tuple(g[i].astype(np.float64) for g in gradients)
        jacobian = known.get(i) if known else None
        if sample and jacobian is None and (x.size > MOST_WHOLE or x.size * here.size > MOST_SLOPES):
            found.append(_sampled(repeat, i, here, weights, got, tolerance))
            continue
        if jacobian is not None:
            numeric = [Numeric.smooth((w @ jacobian).reshape(x.shape)) for w in weights]
        else:
            numeric, jacobian = numeric_gradient(repeat, i, here, weights)
        found.append(Evidence(variable, x.copy(), got, tuple(numeric), tolerance, jacobian))
    return found


def _sampled(
    repeat: Repeat, i: int, here: np.ndarray, weights: tuple[np.ndarray, ...], got: tuple[np.ndarray, ...],
    tolerance: Tolerance,
) -> Evidence:  # fmt: skip
    """The evidence on some elements of variable ``i``, as a vector."""
    x = repeat.arrays[i]
    chosen = _spread(got[0], here.size)
    places = [tuple(map(int, place)) for place in zip(*np.unravel_index(chosen, x.shape), strict=True)]
    rows = [[s.weighed(w) for w in weights]
            for s in (slopes_at(repeat.run, x, place, here, repeat.precision) for place in places)]  # fmt: skip
    numeric = tuple(Numeric.of(list(row), chosen.shape) for row in zip(*rows, strict=True))
    part = tuple(g.reshape(-1)[chosen] for g in got)
    return Evidence(repeat.variables[i], x.reshape(-1)[chosen], part, numeric, tolerance, None, places, x.shape)


def _spread(gradient: np.ndarray, outputs: int) -> np.ndarray:
    """Flat indices of elements to look at, always the same ones: one drawn from each of equal stretches, both ends, and
    the largest gradient, or the first NaN."""
    count = min(max(SAMPLE[0], MOST_SLOPES // max(outputs, 1)), SAMPLE[1], gradient.size)
    edges = np.linspace(0, gradient.size, count + 1).astype(int)
    drawn = np.random.default_rng(7).integers(edges[:-1], edges[1:])
    largest = np.where(np.isnan(gradient), np.inf, np.abs(gradient)).argmax()
    return np.unique([*drawn, 0, gradient.size - 1, largest])


def numeric_gradient(
    repeat: Repeat, i: int, here: np.ndarray, weights: tuple[np.ndarray, ...]
) -> tuple[list[Numeric], np.ndarray | None]:
    """By variable ``i``, for each of the gradients arriving; and the Jacobian, if it is not too large."""
    x = repeat.arrays[i]
    jacobian = np.zeros((here.size, x.size)) if here.size * x.size <= MOST_KEPT else None
    rows: list[list[Weighed]] = [[] for _ in weights]
    for column, place in enumerate(np.ndindex(x.shape)):
        slopes = slopes_at(repeat.run, x, place, here, repeat.precision)
        for row, w in zip(rows, weights, strict=True):
            row.append(slopes.weighed(w))
        if jacobian is not None:
            jacobian[slopes.outputs, column] = (slopes.left + slopes.right) / 2
    return [Numeric.of(row, x.shape) if row else Numeric.smooth(x.copy()) for row in rows], jacobian
