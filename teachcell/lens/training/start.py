"""Start: Parameters, buffers, states and random draws as they were before the first step."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from ...core.tensor import Tensor

RATE = "learning_rate"  # how the names of step sizes begin


class Start:
    """The numbers of Cells, an optimizer among them, as they are now; :meth:`put_back` goes back to them.

    Modes, hooks, backward rules and step sizes are choices, no numbers that training changes: they stay.

    Args:
        cells: the Cells.
        tensors: Parameters that no Cell has.
        random_state: of the draws of training.
    """

    def __init__(self, cells: Iterable[Any], tensors: Iterable[Tensor], random_state: Any):
        self.random_state = random_state
        self._kept: dict[int, tuple[Any, np.ndarray]] = {}  # Tensors and plain arrays, with copies
        self._attributes: list[tuple[dict[str, Any], dict[str, Any]]] = []
        for cell in cells:
            now = vars(cell)
            states = {name: v for name, v in now.items() if name not in cell.OWN and _is_state(v) and _no_rate(name)}
            self._attributes.append((now, states))
            parameters = [p for name, p in cell._params.items() if _no_rate(name)]
            self._keep([*parameters, *cell._buffers.values(), *states.values()])
        self._keep(tensors)

    def _keep(self, values: Iterable[Any]) -> None:
        for value in values:
            if value is not None:
                array = value._array if isinstance(value, Tensor) else value
                self._kept.setdefault(id(value), (value, array.copy()))

    def put_back(self) -> None:
        """Every number as it was."""
        for value, array in self._kept.values():
            if not isinstance(value, Tensor):
                value[...] = array
                continue
            value._before_write()
            value._array = array.copy()
            if value._node is not None:
                value._node.shape = array.shape
        for now, states in self._attributes:
            now.update({name: value for name, value in states.items() if _is_state(now.get(name))})


def _is_state(value: Any) -> bool:
    """Whether an attribute holds what a net remembers between steps: a Tensor, an array, or nothing yet."""
    return value is None or isinstance(value, (Tensor, np.ndarray))


def _no_rate(name: str) -> bool:
    return not name.startswith(RATE)
