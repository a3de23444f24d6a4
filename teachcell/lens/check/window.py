"""Window: the part of one gradient that is checked, and its row in the check view."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...autodiff.check.evidence import Evidence, Numeric, Tolerance
from ...autodiff.check.repeat import Variable
from ...autodiff.check.slopes import Precision, Weighed
from ...texts import say
from ...texts.numbers import number, shape
from ..replay.elements import index_of
from ..watch.summary import array_map

MOST = (10, 14)
SMALLER = {3: (6, 8), 6: (4, 6)}  # for more variables than this: each element costs two runs
SMALLEST = (2, 3)
MOST_WORK = 100_000  # elements times ops, about a second


def size_for(variables: int, ops: int = 1) -> tuple[int, int]:
    """How many rows and columns are checked of each of so many variables, where a run takes so many ops."""
    rows, columns = next((size for count, size in reversed(SMALLER.items()) if variables > count), MOST)
    if variables * rows * columns * ops <= MOST_WORK:
        return rows, columns
    sizes = (size for size in SMALLER.values() if size[0] < rows and variables * size[0] * size[1] * ops <= MOST_WORK)
    return next(sizes, SMALLEST)


class Window:
    """All of a small gradient, else 10 × 14 elements (fewer of many variables) around the worst one, as a matrix.

    Args:
        name: of the variable.
        x: its value.
        engine, chosen: its whole gradient by the engine and by the chosen rule; one object if that is the engine's.
        doubled: by the chosen rule, for twice the incoming gradient.
        most: rows and columns at most.

    Attributes:
        places: the indices inside, in the variable's own shape.
        whole: whether these are all.
    """

    def __init__(
        self, name: str, x: np.ndarray, engine: np.ndarray, chosen: np.ndarray, doubled: np.ndarray,
        most: tuple[int, int] = MOST,
    ):  # fmt: skip
        self.name, self.shape, self.same = name, engine.shape, chosen is engine
        matrix = (-1, engine.shape[-1]) if engine.ndim else (1, 1)
        gaps = np.abs(engine.reshape(matrix) - chosen.reshape(matrix))
        worst = _largest(gaps if gaps.any() else np.abs(engine.reshape(matrix)))
        self.full = gaps.shape
        self.rows, self.columns = (
            _span(worst[axis], self.full[axis], most[axis]) for axis in (0, 1)
        )

        def inside(array: np.ndarray) -> np.ndarray:
            return array.reshape(matrix)[self.rows, self.columns]

        self._inside = inside
        self.engine, self.chosen = inside(engine), inside(chosen)
        self._x, self._doubled = inside(x), inside(doubled)
        self.whole = self.engine.size == engine.size
        order = inside(np.arange(engine.size)).reshape(-1)
        self.places = [index_of(i, self.shape) for i in order] if self.shape else [()]

    def compare(self, slopes: list[Weighed], precision: Precision) -> None:
        """Take in the numeric slopes of all places.

        Where there is a kink, any slope between both sides is as good: a convention, not an error.
        """
        numeric = Numeric.of(slopes, self.engine.shape)
        tolerance = Tolerance(precision.rtol, precision.atol)
        self.numeric, self.kinks = numeric.middle, numeric.kink
        self.right = [numeric.accepts(array, tolerance) for array in (self.engine, self.chosen)]
        twice = Numeric.of([slope.times(2.0) for slope in slopes], self.engine.shape)
        gradients, numerics = (self.chosen, self._doubled), (numeric, twice)
        self.evidence = Evidence(
            Variable(self.name, "input"), self._x, gradients, numerics, tolerance, places=self.places
        )

    def good(self) -> tuple[bool, bool]:
        """Whether the engine's and the chosen gradient are right."""
        return bool(self.right[0].all()), bool(self.right[1].all())

    def takes(self, gradient: np.ndarray) -> bool:
        """Whether another whole gradient would be right, as far as it is seen here."""
        return bool(self.evidence.numeric[0].accepts(self._inside(gradient), self.evidence.tolerance).all())

    def row(self, scale: float) -> dict[str, Any]:
        """The row of the check view, with numbers in the run's own scale."""
        columns = [a * scale for a in (self.engine, self.chosen, self.numeric)]
        errors = [np.abs(a - columns[2]) for a in columns[:2]]
        wrong = [np.where(right, 0.0, e) for e, right in zip(errors, self.right, strict=True)]  # rounding is no error
        largest = [
            float(np.where(self.kinks & right, 0.0, e).max()) for e, right in zip(errors, self.right, strict=True)
        ]
        r, c = _largest(wrong[1] if wrong[1].any() else np.abs(columns[2]))
        place = self.places[r * self.engine.shape[1] + c]
        return {
            "name": f"∂{self.name}",
            "window": self._words(),
            "maps": [None if self.same and i == 1 else array_map(a) for i, a in enumerate(columns)],
            "errors": [None if self.same and i == 1 else array_map(e) for i, e in enumerate(wrong)],
            "worst": [r, c],
            "at": str(list(place)),
            "values": [number(float(a[r, c])) for a in columns],
            "max_abs": [number(e) for e in largest],
            "max_rel": [number(_share(e, float(np.abs(columns[2]).max()))) for e in largest],
        }

    def _words(self) -> str:
        rows, columns = self.rows, self.columns
        if (rows.stop - rows.start, columns.stop - columns.start) == self.full:
            return shape(self.shape)
        return say("lens.window", r0=rows.start, r1=rows.stop - 1, c0=columns.start, c1=columns.stop - 1)


def _largest(matrix: np.ndarray) -> tuple[int, int]:
    """Row and column of the largest element; NaN counts as largest."""
    r, c = divmod(int(np.where(np.isnan(matrix), np.inf, matrix).argmax()), matrix.shape[1])
    return r, c


def _span(centre: int, length: int, most: int) -> slice:
    start = min(max(0, centre - most // 2), max(0, length - most))
    return slice(start, min(length, start + most))


def _share(error: float, size: float) -> float:
    return error / size if size else 0.0 if error == 0 else float("inf")
