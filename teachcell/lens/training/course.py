"""Course: what is known of a training: steps, losses, and the last step that was looked at."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ...core import events
from ..program import Program
from .curve import Curve
from .look import Layers, Look, moved
from .silent import SilentUnits


def is_trained(parameter: Any) -> bool:
    """Whether training moves a Parameter."""
    return parameter.requires_grad and parameter._array.dtype.kind == "f"


class Course:
    """One training, made here or watched.

    Args:
        program: what is trained.

    Attributes:
        step: steps done.
        loss: the last one known.
        curve: all of them.
        looked: number of the step that was looked at last; None: none yet.
    """

    def __init__(self, program: Program):
        self.program = program
        self.curve = Curve()
        self.clear()

    def clear(self) -> None:
        """Nothing has happened."""
        self.step = 0
        self.loss: float | None = None
        self.looked: int | None = None
        self.curve.clear()
        self.find_layers()

    def find_layers(self) -> None:
        """The net has other parts now, or none was looked at yet."""
        self.layers = Layers(self.program)
        self._silent: dict[str, SilentUnits] = {}
        self._look = Look(self.layers)
        self._moved: list[dict[str, Any]] = []

    def note(self, loss: float | None) -> None:
        """A step is done; its loss, where it is known."""
        self.step += 1
        if loss is not None:
            self.loss = loss
        self.curve.add(self.step, loss)

    def correct(self, loss: float | None) -> None:
        """The loss of the last step, after all."""
        self.loss = loss
        self.curve.add(self.step, loss)

    def __contains__(self, parameter: Any) -> bool:
        """Whether a Parameter is one of the program's."""
        return any(parameter is p for p, _ in self.program.parameter_names())

    def begin_look(self, stepped: Callable[[Any], None] | None = None) -> Callable[[], Look]:
        """Look at what runs from now on; call the result to end that.

        Args:
            stepped: called with an optimizer that ran.
        """
        look = Look(self.layers, stepped)
        before = {name: parameter._array.copy() for parameter, name in self._trained()}
        events.OBSERVERS.append(look)

        def end() -> Look:
            if look in events.OBSERVERS:
                events.OBSERVERS.remove(look)
                now = {name: parameter._array for parameter, name in self._trained()}
                self._moved = moved({n: array for n, array in before.items() if n in now}, now)
                self._keep(look, self.step + 1)
            return look

        return end

    @contextmanager
    def peeking(self) -> Iterator[None]:
        """Look at a run that is no step of training: it moves nothing."""
        look = Look(self.layers)
        with events.observing(look):
            yield
        self._keep(look, self.step)

    def _keep(self, look: Look, step: int) -> None:
        self._look, self.looked = look, step
        for name, (on, samples) in look.relus.items():
            self._silent.setdefault(name, SilentUnits()).note(on, samples)

    def _trained(self) -> Iterator[tuple[Any, str]]:
        return ((p, name) for p, name in self.program.parameter_names() if is_trained(p))

    def data(self) -> dict[str, Any]:
        """The last look as plain data."""
        look = self._look
        return {
            "looked": self.looked,
            "layers": [
                {"name": name, "value": value, "gradient": look.gradients.get(name)}
                for name, value in look.values.items()
            ],
            "layer_count": self.layers.count,
            "relus": [{"name": name, **units.data()} for name, units in self._silent.items()],
            "moved": self._moved,
        }
