"""Leave everything as it was: a run under :class:`Protection` changes no Parameter, buffer or random state."""

from __future__ import annotations

import random as python_random
from collections.abc import Iterable
from typing import Any

import numpy as np

from ..core import events
from ..core.tensor import Tensor
from ..kernels import random


def random_state() -> Any:
    """The state of every generator that a learner's code may draw from."""
    return random.state(), np.random.get_state(), python_random.getstate()


def restore_random(state: Any) -> None:
    """Go back to a state given by :func:`random_state`."""
    random.restore(state[0])
    np.random.set_state(state[1])
    python_random.setstate(state[2])


def seed_random(seed: int) -> None:
    """Start every generator from ``seed``."""
    random.seed(seed)
    np.random.seed(seed)
    python_random.seed(seed)


class Protection:
    """Undoes, at the end of a ``with`` block, all writes to Tensors, attributes of Cells and random draws.

    Args:
        cells: Cells whose attributes are put back where a Tensor, number or None was exchanged (the membrane
            potential that a spiking neuron keeps, say).
    """

    def __init__(self, cells: Iterable[Any]):
        self.cells = list(cells)
        self._written: dict[int, tuple[Tensor, np.ndarray, np.ndarray]] = {}

    def before_write(self, tensor: Tensor) -> None:
        """Observer: keep a Tensor's data before their first change."""
        if id(tensor) not in self._written:
            self._written[id(tensor)] = tensor, tensor._array, tensor._array.copy()

    def __enter__(self) -> Protection:
        self._random = random_state()
        self._attributes = [dict(cell.__dict__) for cell in self.cells]
        events.OBSERVERS.append(self)
        return self

    def __exit__(self, *_: object) -> None:
        events.OBSERVERS.remove(self)
        for tensor, array, copy in self._written.values():
            if not array.flags.writeable:
                array = copy
            else:
                array[...] = copy
            tensor._array = array
        for cell, before in zip(self.cells, self._attributes, strict=True):
            _put_back(cell, before)
        restore_random(self._random)


def _put_back(cell: Any, before: dict[str, Any]) -> None:
    now = cell.__dict__
    for name in [n for n, value in now.items() if n not in before and isinstance(value, Tensor)]:
        del now[name]
    for name, value in before.items():
        if now.get(name) is not value and _is_state(value) and _is_state(now.get(name)):
            now[name] = value


def _is_state(value: Any) -> bool:
    return value is None or isinstance(value, (Tensor, int, float))
