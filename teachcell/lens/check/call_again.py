"""One recorded call of a Cell, computed again in float64: as often as a numeric gradient needs."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from io import StringIO
from typing import Any

import numpy as np

from ...autodiff.grad import grad
from ...core import modes
from ...core.events import observing
from ...core.nested import tensors_in
from ...core.protect import Protection, restore_random
from ...core.tensor import Tensor, wrap
from ..watch.recorder import Recorder
from ..watch.seen import CallSeen, Slot, mapped


@dataclass(frozen=True)
class Precision:
    """A numeric gradient's step and tolerances, and what difference between its two sides is a kink.

    Attributes:
        near: of an element this small, the step is relative once a wider one has failed.
        tenths: how often a step may then be divided by 10 before rounding is all that is left.
    """

    dtype: str
    h: float
    rtol: float
    atol: float
    kink: float
    near: float
    tenths: int

    def steps(self, x: float) -> list[float]:
        """Steps from an element: first the one with the least rounding, then those that pass by poles and kinks."""
        size = abs(x)
        narrow = self.h * max(size, self.near)
        found = {self.h * max(size, 1.0), *(narrow / 10**i for i in range(self.tenths + 1))}
        return sorted(found | {self.h * size} - {0.0}, reverse=True)

    def differ(self, slopes: np.ndarray) -> np.ndarray:
        """Whether slopes to the left and to the right (last axis) are two, or not finite."""
        low, high = np.sort(slopes, axis=-1).T
        return ~(high - low <= self.kink * np.maximum(np.abs(low), np.abs(high)) + self.atol).T


DOUBLE = Precision("float64", 1e-5, 1e-4, 1e-7, 1e-3, near=1e-3, tenths=4)
SINGLE = Precision("float32", 5e-3, 3e-3, 1e-4, 5e-2, near=1e-1, tenths=1)
SAME_GAP = 0.1  # how much the difference between two slopes may change with the step and count as the same


class PrecisionLost(Exception):
    """The Cell casts to fewer digits than float32 inside."""


class _Narrowest:
    """An observer: the smallest float among the results of ops."""

    def __init__(self) -> None:
        self.itemsize = 8

    def op_forward(self, op: Any, inputs: Any, outputs: Any, attrs: Any) -> None:
        """Look at the results."""
        self.look(t._array for t in tensors_in(outputs))

    def look(self, arrays: Iterable[np.ndarray]) -> None:
        """Take in some results."""
        self.itemsize = min([self.itemsize, *(a.dtype.itemsize for a in arrays if a.dtype.kind == "f")])


class CallAgain:
    """Σ incoming · output of a recorded call, as a function of its float inputs and of its internal Parameters.

    Inputs, random draws and the incoming gradient are those of the call. The incoming gradient is scaled to a
    largest element of 1, so that tolerances mean the same everywhere; where none arrived it is 1 throughout.

    Attributes:
        names: of the variables: the inputs' as ``construct`` calls them, the Parameters'.
        arrays: their values in float64.
        precision: what the Cell keeps of float64 inside; known after :meth:`slopes`.
        scale: what the incoming gradient was divided by.
        made_up: whether no gradient had arrived.
        complete: whether all arrays were kept.
    """

    def __init__(self, cell: Any, call: CallSeen, recorder: Recorder):
        self.cell, self.call = cell, call
        self.inside = [part for _, part in cell.cells_and_names()]
        slots: list[int] = []
        mapped(call.arguments, Slot, slots.append)
        self.given: list[Any] = [recorder.values[v].value.array for v in slots]
        self.positions = [i for i, v in enumerate(slots) if recorder.values[v].value.dtype.kind == "f"]
        self.weights = [w for w in getattr(cell, "internal_params", None) or () if w._node is not None]
        arrived = [recorder.values[v].gradient for v in call.returned]
        self.made_up = not any(g is not None and not g.zero for g in arrived)
        self.incoming: list[Any] = [
            np.ones(recorder.values[v].value.shape) if self.made_up
            else np.zeros(recorder.values[v].value.shape) if g is None
            else g.array
            for v, g in zip(call.returned, arrived, strict=True)
        ]  # fmt: skip
        self.precision = DOUBLE
        self.complete = all(a is not None for a in (*self.given, *self.incoming))
        if self.complete:
            self.scale = max((float(np.abs(a).max(initial=0)) for a in self.incoming), default=1.0) or 1.0
            self.incoming = [a.astype(np.float64) / self.scale for a in self.incoming]
            self.names = [*self._names(), *(w.name.rpartition(".")[2] for w in self.weights)]
            variables = [*(self.given[i] for i in self.positions), *(w._array for w in self.weights)]
            self.arrays = [a.astype(np.float64) for a in variables]

    def _names(self) -> list[str]:
        """Names of the float inputs; those inside a tuple or a dict are numbered."""
        args, kwargs = self.call.arguments
        bound = inspect.signature(self.cell.construct).bind(*args, **kwargs)
        names: list[str] = []
        for name, value in bound.arguments.items():
            start = len(names)
            mapped(value, Slot, names.append)
            count = len(names) - start
            names[start:] = [name] if isinstance(value, Slot) else [f"{name}[{i}]" for i in range(count)]
        return [names[i] for i in self.positions]

    @contextmanager
    def ready(self, rule: Any) -> Iterator[None]:
        """Inside, Parameters are float64, hooks and prints are silent, and the Cell has ``rule`` (None: automatic)."""
        own = self.cell.__dict__.get("bprop", self)
        casts = [(part, part.__dict__.pop("_dtype")) for part in self.inside if "_dtype" in part.__dict__]
        with Protection(self.inside), modes.silencing(), redirect_stdout(StringIO()), np.errstate(all="ignore"):
            for _, p in self.cell.parameters_and_names():
                if p._array.dtype.kind == "f":
                    p._array = p._array.astype(np.float64)
            self.cell.__dict__["bprop"] = rule
            try:
                yield
            finally:
                if own is self:
                    del self.cell.__dict__["bprop"]
                else:
                    self.cell.__dict__["bprop"] = own
                for part, dtype in casts:
                    part.__dict__["_dtype"] = dtype

    def gradients(self, rule: Any, times: float = 1.0) -> list[np.ndarray]:
        """By all variables under a rule, per unit of the incoming gradient.

        The rule gets ``times`` the gradient that really arrived: what it makes of that need not grow with it.
        """
        with self.ready(rule):
            inputs = [wrap(a.copy()) for a in self.arrays[: len(self.positions)]]
            positions = tuple(range(len(inputs)))
            found = grad(self._weighted, positions, self.weights)(*inputs, factor=times * self.scale)
            return [g._array / self.scale for g in tensors_in(found)]

    def slopes(self, variable: int, places: Sequence[tuple[int, ...]]) -> np.ndarray:
        """Numeric slopes at some elements of a variable, to the left and to the right: a row of two for each.

        Raises:
            PrecisionLost: they would be noise.
        """
        arrays = [a.copy() for a in self.arrays]
        x = arrays[variable]
        found = np.empty((len(places), 2))
        with self.ready(None):
            narrowest = _Narrowest()
            with observing(narrowest):
                here = self._run(arrays)
            narrowest.look(here)  # also what no op made
            if narrowest.itemsize < 4:
                raise PrecisionLost
            self.precision = DOUBLE if narrowest.itemsize == 8 else SINGLE
            for row, place in zip(found, places, strict=True):
                row[:] = self._two_slopes(arrays, x, place, here)
        return found

    def _two_slopes(
        self, arrays: list[np.ndarray], x: np.ndarray, place: tuple[int, ...], here: list[np.ndarray]
    ) -> np.ndarray:
        """To the left and to the right of an element. Smaller steps are taken while these differ, until a smaller
        one changes nothing: then they differ in the limit, a kink."""
        old, gap = x[place], np.nan
        slopes = np.full(2, np.nan)
        for step in self.precision.steps(float(old)):
            x[place] = old - step
            below = self._run(arrays)
            x[place] = old + step
            above = self._run(arrays)
            x[place] = old
            slopes = np.array([self._rise(below, here), self._rise(here, above)]) / step
            gap, before = abs(slopes[1] - slopes[0]), gap
            if not self.precision.differ(slopes) or abs(gap - before) <= SAME_GAP * before:
                break
        return slopes

    def _rise(self, start: list[np.ndarray], end: list[np.ndarray]) -> float:
        """Σ incoming · (end − start): the differences first, which loses fewer digits."""
        parts = zip(self.incoming, start, end, strict=True)
        return sum(float((g * (b - a)).sum()) for g, a, b in parts if a.dtype.kind == "f")

    def _run(self, arrays: list[np.ndarray]) -> list[np.ndarray]:
        with Protection(self.inside):  # what the Cell remembers from call to call must be the same each time
            for weight, array in zip(self.weights, arrays[len(self.positions) :], strict=True):
                weight._array = array
            outputs = self._outputs([wrap(a.copy()) for a in arrays[: len(self.positions)]])
            return [t._array.copy() for t in outputs]  # an output may be an input, which changes next

    def _weighted(self, *inputs: Tensor, factor: float = 1.0) -> Tensor:
        outputs = self._outputs(inputs)
        parts = [(t * wrap(g)).sum() for t, g in zip(outputs, self.incoming, strict=True) if t._array.dtype.kind == "f"]
        return sum(parts, wrap(np.zeros(()))) * factor

    def _outputs(self, inputs: Sequence[Tensor]) -> list[Tensor]:
        """What the Cell returns for these float inputs, from the same random state each time."""
        restore_random(self.call.random_state)
        floats = dict(zip(self.positions, inputs, strict=True))
        tensors = iter([floats[i] if i in floats else wrap(np.array(a)) for i, a in enumerate(self.given)])
        args, kwargs = mapped(self.call.arguments, Slot, lambda _: next(tensors))
        return list(tensors_in(self.cell(*args, **kwargs)))
