"""Leave everything as it was: a run under :class:`Protection` changes no Parameter, buffer or random state."""

from __future__ import annotations

import random as python_random
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from ..core import events
from ..core.nested import tensors_in
from ..core.tensor import Tensor
from ..kernels import random
from ..nn.registry import Registry


def random_state() -> Any:
    """The state of every generator that a learner's code may draw from, as values that can be compared."""
    kind, keys, *rest = np.random.get_state()
    return random.state(), (kind, np.asarray(keys).tobytes(), *rest), python_random.getstate()


def restore_random(state: Any) -> None:
    """Go back to a state given by :func:`random_state`."""
    random.restore(state[0])
    kind, keys, *rest = state[1]
    np.random.set_state((kind, np.frombuffer(keys, np.uint32), *rest))
    python_random.setstate(state[2])


def seed_random(seed: int) -> None:
    """Start every generator from ``seed``."""
    random.seed(seed)
    np.random.seed(seed)
    python_random.seed(seed)


class _Kept:
    """A Tensor as it was."""

    def __init__(self, tensor: Tensor):
        self.tensor, self.array, self.node = tensor, tensor._array, tensor._node
        self.copy = tensor._array.copy()
        self.trained = tensor.requires_grad if tensor.is_parameter else None

    def put_back(self) -> None:
        """Same array, same contents, same Node."""
        if self.array.flags.writeable:
            self.array[...] = self.copy
        tensor = self.tensor
        tensor._array, tensor._node = self.array, self.node
        if self.trained is not None:
            tensor._requires_grad = self.trained  # type: ignore[attr-defined]
            if self.node is not None:
                self.node.shape = self.array.shape


class Protection:
    """Undoes, at the end of a ``with`` block, all writes to Tensors, attributes of Cells and random draws.

    Tensors that hang on the Cells are kept beforehand, so that writes past the engine (``asnumpy()``) are undone
    too; others when the engine tells of a first write. Attributes are put back where plain data or Tensors were
    exchanged (the membrane potential that a spiking neuron keeps, a list it appends to).

    Args:
        cells: Cells to protect.
        tensors: what else is known to be in use: inputs, targets.
    """

    def __init__(self, cells: Iterable[Any], tensors: Iterable[Tensor] = ()):
        self.cells, self.tensors = list(cells), list(tensors)
        self._kept: dict[int, _Kept] = {}

    def before_write(self, tensor: Tensor) -> None:
        """Observer: keep a Tensor before its first change."""
        if id(tensor) not in self._kept:
            self._kept[id(tensor)] = _Kept(tensor)

    def __enter__(self) -> Protection:
        self._random = random_state()
        self._attributes = [_Attributes(cell.__dict__) for cell in self.cells]
        for tensor in (*self.tensors, *(t for a in self._attributes for t in a.tensors())):
            self.before_write(tensor)
        events.OBSERVERS.append(self)
        return self

    def __exit__(self, *_: object) -> None:
        events.OBSERVERS.remove(self)
        for kept in self._kept.values():
            kept.put_back()
        for attributes in self._attributes:
            attributes.put_back()
        restore_random(self._random)


class _Attributes:
    """The plain data and Tensors among a Cell's attributes, as they were."""

    def __init__(self, now: dict[str, Any]):
        self.now = now
        self.before = {name: value for name, value in now.items() if name not in Registry.OWN and _is_data(value)}
        self.names = set(now)
        containers = (*self.before.values(), now["_params"], now["_buffers"])
        self.contents = [(c, c.copy()) for c in containers if isinstance(c, (list, dict, set))]

    def tensors(self) -> Iterator[Tensor]:
        """Every Tensor among them."""
        return tensors_in([self.before, self.now["_params"], self.now["_buffers"]])

    def put_back(self) -> None:
        """Undo what was exchanged, added or taken away; Cells and functions stay."""
        for container, content in self.contents:
            container.clear()
            container.extend(content) if isinstance(container, list) else container.update(content)
        for name in [n for n, value in self.now.items() if n not in self.names | Registry.OWN and _is_data(value)]:
            del self.now[name]
        self.now.update({n: value for n, value in self.before.items() if _is_data(self.now.get(n))})


def _is_data(value: Any) -> bool:
    return value is None or isinstance(value, (Tensor, np.ndarray, int, float, str, tuple, list, dict, set))
