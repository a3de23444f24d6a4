"""Look: what one step of training did, seen while it runs: outputs of layers, their gradients, ReLUs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ...core.events import Observer
from ...core.nested import tensors_in
from ...core.op import Node
from ...core.record import PICK
from ...nn.cell import Cell
from ...nn.optim.optimizer import Optimizer
from ..program import Program
from ..watch.seen import array_of
from ..watch.summary import histogram
from ..write.states import RELUS
from .curve import short
from .silent import units_on

SAMPLE = 4096  # numbers of an array that a picture is made from
MOST_LAYERS = 24


class Layers:
    """The Cells of a program that are shown: those without Cells inside, the loss left out.

    Attributes:
        shown: identity of a Cell to the name of its row.
        paths: the same for all Cells.
        count: how many layers there are, of which at most 24, evenly spread, are shown.
    """

    def __init__(self, program: Program):
        self.paths = {id(cell): path or program.title for path, cell in program.cells.items()}
        loss = program.loss.cells_and_names() if isinstance(program.loss, Cell) else ()
        left_out = {id(cell) for _, cell in loss}
        all_of_it = {path: cell for path, cell in program.cells.items() if id(cell) not in left_out}
        lowest = {path: cell for path, cell in all_of_it.items() if not any(cell._cells.values())} or all_of_it
        self.count = len(lowest)
        chosen = np.unique(np.linspace(0, len(lowest) - 1, min(len(lowest), MOST_LAYERS)).round().astype(int))
        cells = list(lowest.values())
        self.shown = {id(cells[i]): self.paths[id(cells[i])] for i in chosen}


class Look(Observer):
    """An observer (see ``core.events``) of one step. It makes its pictures at once and keeps no array of the step.

    Args:
        layers: what to look at.
        stepped: called with an optimizer that ran.

    Attributes:
        values, gradients: by the name of a layer, a picture of its output and of the gradient there, of its last call.
        relus: by name, which units of each ReLU were on, and in how many samples.
        number: the last single number computed before the backward pass: the loss, where nothing else tells it.
    """

    def __init__(self, layers: Layers, stepped: Callable[[Any], None] | None = None):
        self.values: dict[str, dict[str, Any]] = {}
        self.gradients: dict[str, dict[str, Any]] = {}
        self.relus: dict[str, tuple[np.ndarray, int]] = {}
        self.number: float | None = None
        self._layers, self._stepped = layers, stepped
        self._stack: list[Any] = []
        self._names: dict[tuple[int, int], list[str]] = {}  # of layers, by the place where their gradient arrives
        self._places: dict[str, tuple[int, int]] = {}
        self._backward = False

    def cell_enter(self, cell: Any, args: Any, kwargs: Any) -> None:
        """Observer: a Cell begins."""
        self._stack.append(cell)

    def cell_exit(self, cell: Any, output: Any) -> None:
        """Observer: a Cell is done; the output of a layer is looked at."""
        if self._stack and self._stack[-1] is cell:
            self._stack.pop()
        if self._stepped is not None and isinstance(cell, Optimizer):
            self._stepped(cell)
        name = self._layers.shown.get(id(cell))
        if name is None:
            return
        tensor = next((t for t in tensors_in(output) if t._array.dtype.kind == "f"), None)
        if tensor is not None and not self._backward:
            self.values[name] = picture(tensor._array)
            self._expect(name, tensor._node)

    def _expect(self, name: str, node: Node | None) -> None:
        """Remember where the gradient of a layer's output arrives."""
        if name in self._places:
            self._names[self._places.pop(name)].remove(name)  # of an earlier call
        if node is not None:
            place = (node.parents[0].seq, node.attrs["i"]) if node.op is PICK else (node.seq, 0)  # type: ignore
            self._names.setdefault(place, []).append(name)
            self._places[name] = place

    def op_forward(self, op: Any, inputs: Any, outputs: Any, attrs: Any) -> None:
        """Observer: an op ran."""
        if self._backward or isinstance(outputs, tuple):
            return
        array = outputs._array
        if op.name in RELUS and array.ndim:
            on = units_on(array)
            self.relus[self._relu_name(op)] = on, array.size // max(on.size, 1)
        elif array.size == 1 and array.dtype.kind == "f":
            self.number = float(array.reshape(()))

    def _relu_name(self, op: Any) -> str:
        """Path of the Cell that runs it, with a number from its second call on."""
        paths = self._layers.paths
        name = next((paths[id(cell)] for cell in reversed(self._stack) if id(cell) in paths), op.label)
        same = sum(known.partition(" #")[0] == name for known in self.relus)
        return f"{name} #{same + 1}" if same else name

    def op_backward(self, node: Node, incoming: Any, outgoing: Any) -> None:
        """Observer: a rule ran; the gradient that arrived at a layer's output is looked at."""
        self._backward = True
        for i, gradient in enumerate(incoming if isinstance(incoming, list) else (incoming,)):
            if gradient is not None:
                for name in self._names.get((node.seq, i), ()):
                    self.gradients[name] = picture(array_of(gradient))


def picture(array: np.ndarray) -> dict[str, Any]:
    """Histogram and statistics of an array, of a large one on an evenly spaced sample; None where there are none."""
    sample = array.reshape(-1)
    sample = sample[:: max(1, sample.size // SAMPLE)].astype(np.float64)
    finite = np.isfinite(sample)
    good = sample[finite]
    if not good.size:
        return {"hist": None, "mean": None, "std": None, "zeros": None, "nan": int(sample.size)}
    with np.errstate(all="ignore"):
        return {
            "hist": histogram(good) if good.size > 1 else None,
            "mean": short(good.mean()),
            "std": short(good.std()),
            "zeros": short(np.count_nonzero(good == 0) / good.size),
            "nan": int(sample.size - good.size),
        }


def moved(before: Mapping[str, np.ndarray], now: Mapping[str, np.ndarray]) -> list[dict[str, Any]]:
    """How far each Parameter moved beside its size before, ‖Δw‖ / ‖w‖; None where that is 0 or not finite."""
    rows = []
    for name, old in before.items():
        with np.errstate(all="ignore"):
            size, step = float(np.linalg.norm(old)), float(np.linalg.norm(now[name] - old))
        rows.append({"name": name, "ratio": step / size if size and np.isfinite(step / size) else None})
    return rows
