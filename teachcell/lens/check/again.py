"""One recorded step computed again in float64, as often as a numeric gradient needs: a call of a Cell, or one op."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any

import numpy as np

from ...autodiff.check.repeat import flat
from ...autodiff.check.slopes import DOUBLE, Weighed, slopes_at
from ...autodiff.check.watching import Narrowest
from ...autodiff.grad import grad
from ...core.events import observing
from ...core.nested import tensors_in
from ...core.protect import Protection
from ...core.tensor import Tensor, wrap
from ..rules import own_bprop
from ..watch.recorder import Recorder


class Again:
    """Σ incoming · output of a recorded step, as a function of its float inputs and of Parameters inside.

    Inputs, random draws and the incoming gradient are those of the run. The incoming gradient is scaled to a
    largest element of 1, so that tolerances mean the same everywhere; where none arrived, or NaN or an
    infinity, it is 1 throughout.

    Args:
        given: ids of the values that went in, in order.
        returned: ids of those that came out.
        weights: Parameters inside.

    Attributes:
        names: of the variables: the inputs', the Parameters'.
        arrays: their values in float64.
        precision: what the step keeps of float64 inside; known after :meth:`slopes`.
        scale: what the incoming gradient was divided by.
        made_up: whether no gradient had arrived, or one that is not finite.
        complete: whether all arrays were kept.
        inside: the Cells that it runs.
        ruled: those below the step's own Cell that have a bprop of their own.
        answered: how many of the variables a rule answers for: the inputs, and the internal Parameters.
        left_out: how many Parameters there are beyond those that are looked at.
        length: how many ops it runs.
    """

    inside: Sequence[Any] = ()
    ruled: Sequence[Any] = ()
    answered: int
    left_out = 0
    length = 1

    def __init__(self, recorder: Recorder, given: Sequence[int], returned: Sequence[int], weights: Sequence[Any]):
        values = recorder.values
        self.given: list[Any] = [values[v].value.array for v in given]
        self.positions = [i for i, v in enumerate(given) if values[v].value.dtype.kind == "f"]
        self.weights = list(weights)
        arrived = [values[v].gradient for v in returned]
        here = [g for g in arrived if g is not None]
        self.made_up = all(g.zero for g in here) or not all(g.finite for g in here)
        self.incoming: list[Any] = [
            np.ones(values[v].value.shape) if self.made_up
            else np.zeros(values[v].value.shape) if g is None
            else g.array
            for v, g in zip(returned, arrived, strict=True)
        ]  # fmt: skip
        self.precision = DOUBLE
        self.complete = all(a is not None for a in (*self.given, *self.incoming))
        if self.complete:
            self.scale = max((float(np.abs(a).max(initial=0)) for a in self.incoming), default=1.0) or 1.0
            self.incoming = [a.astype(np.float64) / self.scale for a in self.incoming]
            self.names = self._names()
            variables = [*(self.given[i] for i in self.positions), *(w._array for w in self.weights)]
            self.arrays = [a.astype(np.float64) for a in variables]

    @abstractmethod
    def _names(self) -> list[str]:
        """Of all variables."""

    @contextmanager
    @abstractmethod
    def ready(self, rule: Any) -> Iterator[None]:
        """Inside, Parameters are float64, hooks and prints are silent, and ``rule`` counts (None: the engine's)."""
        yield

    @abstractmethod
    def _outputs(self, inputs: Sequence[Tensor]) -> list[Tensor]:
        """What comes out for these float inputs, from the same random state each time."""

    def gradients(self, rule: Any, times: float = 1.0) -> list[np.ndarray]:
        """By all variables under a rule, per unit of the incoming gradient.

        The rule gets ``times`` the gradient that really arrived: what it makes of that need not grow with it.
        """
        with self.ready(rule):
            inputs = [wrap(a.copy()) for a in self.arrays[: len(self.positions)]]
            positions = tuple(range(len(inputs)))
            found = grad(self._weighted, positions, self.weights)(*inputs, factor=times * self.scale)
            return [g._array / self.scale for g in tensors_in(found)]

    def by_engine(self, but: Any = None) -> list[np.ndarray]:
        """The same under the engine's rules throughout: no bprop counts, but that of the Cell ``but``."""
        with ExitStack() as stack:
            for cell in self.ruled:
                if cell is not but:
                    stack.enter_context(own_bprop(cell, None))
            return self.gradients(None)

    def slopes(self, variable: int, places: Sequence[tuple[int, ...]]) -> list[Weighed]:
        """Numeric slopes at some elements of a variable.

        Raises:
            PrecisionLost: they would be noise.
        """
        arrays = [a.copy() for a in self.arrays]
        with self.ready(None), Protection(self.inside) as protection:
            narrowest = Narrowest()
            with observing(narrowest):
                here = self._run(arrays, protection)
            narrowest.look(here)  # also what no op made
            self.precision = narrowest.precision()
            floats = [i for i, a in enumerate(here) if a.dtype.kind == "f"]
            incoming = flat(self.incoming[i] for i in floats)

            def run() -> np.ndarray:
                outputs = self._run(arrays, protection)
                return flat(outputs[i] for i in floats)

            start = flat(here[i] for i in floats)
            return [slopes_at(run, arrays[variable], p, start, self.precision).weighed(incoming) for p in places]

    def _run(self, arrays: list[np.ndarray], protection: Protection) -> list[np.ndarray]:
        """The outputs for these values; what a Cell remembers from call to call is the same each time."""
        given = [a.copy() for a in arrays]
        for weight, array in zip(self.weights, given[len(self.positions) :], strict=True):
            weight._array = array
        outputs = self._outputs(list(map(wrap, given[: len(self.positions)])))
        found = [t._array.copy() for t in outputs]  # an output may be an input, which changes next
        protection.put_back()
        return found

    def _weighted(self, *inputs: Tensor, factor: float = 1.0) -> Tensor:
        outputs = self._outputs(inputs)
        parts = [(t * wrap(g)).sum() for t, g in zip(outputs, self.incoming, strict=True) if t._array.dtype.kind == "f"]
        return sum(parts, wrap(np.zeros(()))) * factor

    def _filled(self, inputs: Sequence[Tensor]) -> list[Tensor]:
        """All that went in, with these in the places of the float inputs."""
        floats = dict(zip(self.positions, inputs, strict=True))
        return [floats[i] if i in floats else wrap(np.array(a)) for i, a in enumerate(self.given)]
