"""One recorded call of a Cell, computed again in float64: as often as a numeric gradient needs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from ...autodiff.check.repeat import argument_names, flat, in_float64, silent
from ...autodiff.check.slopes import DOUBLE, Weighed, slopes_at
from ...autodiff.check.watching import Narrowest
from ...autodiff.grad import grad
from ...core import modes
from ...core.events import observing
from ...core.nested import tensors_in
from ...core.protect import Protection, restore_random
from ...core.tensor import Tensor, wrap
from ..watch.recorder import Recorder
from ..watch.seen import CallSeen, Slot, mapped


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
            args, kwargs = call.arguments
            names = argument_names(cell.construct, args, kwargs, _slots_in)
            self.names = [*(names[i] for i in self.positions), *(w.name.rpartition(".")[2] for w in self.weights)]
            variables = [*(self.given[i] for i in self.positions), *(w._array for w in self.weights)]
            self.arrays = [a.astype(np.float64) for a in variables]

    @contextmanager
    def ready(self, rule: Any) -> Iterator[None]:
        """Inside, Parameters are float64, hooks and prints are silent, and the Cell has ``rule`` (None: automatic)."""
        own = self.cell.__dict__.get("bprop", self)
        parameters = [p for _, p in self.cell.parameters_and_names()]
        with Protection(self.inside), modes.silencing(), silent(), in_float64(self.inside, parameters):
            self.cell.__dict__["bprop"] = rule
            try:
                yield
            finally:
                if own is self:
                    del self.cell.__dict__["bprop"]
                else:
                    self.cell.__dict__["bprop"] = own

    def gradients(self, rule: Any, times: float = 1.0) -> list[np.ndarray]:
        """By all variables under a rule, per unit of the incoming gradient.

        The rule gets ``times`` the gradient that really arrived: what it makes of that need not grow with it.
        """
        with self.ready(rule):
            inputs = [wrap(a.copy()) for a in self.arrays[: len(self.positions)]]
            positions = tuple(range(len(inputs)))
            found = grad(self._weighted, positions, self.weights)(*inputs, factor=times * self.scale)
            return [g._array / self.scale for g in tensors_in(found)]

    def slopes(self, variable: int, places: Sequence[tuple[int, ...]]) -> list[Weighed]:
        """Numeric slopes at some elements of a variable.

        Raises:
            PrecisionLost: they would be noise.
        """
        arrays = [a.copy() for a in self.arrays]
        with self.ready(None):
            narrowest = Narrowest()
            with observing(narrowest):
                here = self._run(arrays)
            narrowest.look(here)  # also what no op made
            self.precision = narrowest.precision()
            floats = [i for i, a in enumerate(here) if a.dtype.kind == "f"]
            incoming = flat(self.incoming[i] for i in floats)

            def run() -> np.ndarray:
                outputs = self._run(arrays)
                return flat(outputs[i] for i in floats)

            start = flat(here[i] for i in floats)
            return [slopes_at(run, arrays[variable], p, start, self.precision).weighed(incoming) for p in places]

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


def _slots_in(value: Any) -> int:
    """How many Tensors an argument holds."""
    found: list[int] = []
    mapped(value, Slot, found.append)
    return len(found)
