"""Leave everything as it was: a run under :class:`Protection` changes no Parameter, buffer or random state."""

from __future__ import annotations

import copy
import operator
import random as python_random
from collections.abc import Iterable, Iterator
from itertools import islice
from threading import get_ident
from typing import Any

import numpy as np

from ..kernels import random
from . import events
from .tensor import Tensor


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
        self.hooks = list(tensor._extra.hooks or ()) if tensor._extra is not None else []

    @property
    def changed(self) -> bool:
        """Whether it holds anything else now."""
        now = self.tensor._array
        return now is not self.array or not np.array_equal(now, self.copy, equal_nan=now.dtype.kind == "f")

    def put_back(self) -> None:
        """Same array, same contents, same Node, same hooks."""
        if self.array.flags.writeable:
            self.array[...] = self.copy
        tensor = self.tensor
        tensor._array, tensor._node = self.array, self.node
        if tensor._extra is not None and tensor._extra.hooks is not None:
            tensor._extra.hooks[:] = self.hooks
        if self.trained is not None:
            tensor._requires_grad = self.trained  # type: ignore[attr-defined]
            if self.node is not None:
                self.node.shape = self.array.shape


class Protection(events.Observer):
    """Undoes, at the end of a ``with`` block, all writes to Tensors, attributes of Cells, hooks and random draws.

    Tensors that hang on the Cells are kept beforehand, so that writes past the engine (``asnumpy()``) are undone
    too; others when the engine tells of a first write. Attributes are put back where plain data, Tensors or Cells were
    exchanged or added (the membrane potential that a spiking neuron keeps, a layer made at the first call), and what
    is written inside them: lists in dicts, arrays, a generator's state. Any other Cell is kept when it is first called.

    Args:
        cells: Cells to protect.
        tensors: what else is known to be in use: inputs, targets.
    """

    def __init__(self, cells: Iterable[Any], tensors: Iterable[Tensor] = ()):
        self._cells, self._tensors = list(cells), list(tensors)
        self._kept: dict[int, _Kept] = {}
        self._attributes: dict[int, _Attributes] = {}
        self._from_start = 0, 0  # Tensors and Cells that are kept from the start
        self._thread = get_ident()

    def before_write(self, tensor: Tensor) -> None:
        """Observer: keep a Tensor before its first change."""
        if id(tensor) not in self._kept and get_ident() == self._thread:
            self._kept[id(tensor)] = _Kept(tensor)

    def before_move(self, parameters: Iterable[Tensor]) -> None:
        """Observer: the same for several."""
        for parameter in parameters:
            self.before_write(parameter)

    def cell_enter(self, cell: Any, args: Any, kwargs: Any) -> None:
        """Observer: keep a Cell that no name led to, and all below, before it is first run."""
        known = id(cell) in self._attributes or not hasattr(cell, "cells_and_names")  # as an own Function has not
        if not known and get_ident() == self._thread:
            for _, part in cell.cells_and_names():
                self._keep(part)

    def _keep(self, cell: Any) -> None:
        if id(cell) not in self._attributes:
            attributes = self._attributes[id(cell)] = _Attributes(cell)
            for tensor in attributes.tensors:
                self.before_write(tensor)

    def written(self) -> list[tuple[Tensor, np.ndarray]] | None:
        """The Tensors that were changed so far, with copies of what they hold; None: more was changed than Tensors."""
        if any(attributes.changed for attributes in self._attributes.values()):
            return None
        return [(kept.tensor, kept.tensor._array.copy()) for kept in self._kept.values() if kept.changed]

    def __enter__(self) -> Protection:
        self._random = random_state()
        for cell in self._cells:
            self._keep(cell)
        for tensor in self._tensors:
            self.before_write(tensor)
        self._from_start = len(self._kept), len(self._attributes)
        events.OBSERVERS.append(self)
        return self

    def put_back(self) -> None:
        """Undo what was done so far, and go on: between many runs of one function this takes a third of the time that
        a Protection for each takes."""
        for kept in self._kept.values():
            kept.put_back()
        for attributes in self._attributes.values():
            attributes.put_back()
        restore_random(self._random)
        tensors, cells = self._from_start  # what came later may be gone by the next run
        self._kept = dict(islice(self._kept.items(), tensors))
        self._attributes = dict(islice(self._attributes.items(), cells))

    def __exit__(self, *_: object) -> None:
        events.OBSERVERS.remove(self)
        self.put_back()


class _Attributes:
    """The plain data, Tensors, generators, hooks and inner Cells of a Cell, as they were.

    Attributes:
        tensors: every Tensor among them.
    """

    def __init__(self, cell: Any):
        self.now: dict[str, Any] = cell.__dict__
        self.registered: frozenset[str] = cell.OWN
        self.before = {n: value for n, value in self.now.items() if n not in self.registered and _is_put_back(value)}
        self.names = set(self.now)
        self.hooks = self.now.get("_hooks")
        self.tensors: list[Tensor] = []
        self.contents: list[tuple[Any, Any]] = []  # containers and arrays with copies, generators with their states
        hooks = [] if self.hooks is None else [getattr(self.hooks, kind) for kind in self.hooks.__slots__]
        for value in _within([self.before, self.now["_params"], self.now["_buffers"], self.now["_cells"], hooks]):
            if isinstance(value, Tensor):
                self.tensors.append(value)
            elif not isinstance(value, tuple):
                self.contents.append((value, _state_of(value)))

    @property
    def changed(self) -> bool:
        """Whether anything but what Tensors hold is another than it was."""
        exchanged = any(self.now.get(n) is not value for n, value in self.before.items())
        inside = not all(_is_as_before(value, state) for value, state in self.contents)
        return inside or exchanged or bool(self._added())

    def _added(self) -> list[str]:
        known = self.names | self.registered
        return [name for name, value in self.now.items() if name not in known and _is_put_back(value)]

    def put_back(self) -> None:
        """Undo what was exchanged, added or taken away; functions stay."""
        for value, state in self.contents:
            _set_state(value, state)
        for name in self._added():
            del self.now[name]
        self.now.update({n: value for n, value in self.before.items() if _is_put_back(self.now.get(n))})
        self.now["_hooks"] = self.hooks


_GENERATORS = (np.random.Generator, np.random.RandomState, python_random.Random)
_CHANGED_INSIDE = (list, tuple, dict, set, np.ndarray, *_GENERATORS)


def _is_put_back(value: Any) -> bool:
    """Whether an attribute with this value is put back: plain data, Tensors and Cells, no functions."""
    plain = value is None or isinstance(value, (Tensor, int, float, str, *_CHANGED_INSIDE))
    return plain or hasattr(type(value), "cells_and_names")


def _within(values: list[Any]) -> Iterator[Any]:
    """All that can change inside, each once: containers, what is in them, arrays, generators, Tensors."""
    waiting, seen = list(values), set()
    while waiting:
        value = waiting.pop()
        if isinstance(value, (Tensor, *_CHANGED_INSIDE)) and id(value) not in seen:
            seen.add(id(value))
            yield value
            if isinstance(value, (list, tuple, dict)):
                waiting.extend(value.values() if isinstance(value, dict) else value)


def _state_of(value: Any) -> Any:
    if isinstance(value, np.random.Generator):
        return copy.deepcopy(value.bit_generator.state)
    if isinstance(value, np.random.RandomState):
        return value.get_state()
    return value.getstate() if isinstance(value, python_random.Random) else value.copy()


def _is_as_before(value: Any, state: Any) -> bool:
    """Whether a container holds the same things, an array the same numbers; not known of a generator."""
    if isinstance(value, np.ndarray):
        return np.array_equal(value, state, equal_nan=value.dtype.kind == "f")
    if isinstance(value, dict):
        return list(value) == list(state) and all(value[key] is state[key] for key in state)
    if isinstance(value, set):
        return value == state
    return isinstance(value, list) and len(value) == len(state) and all(map(operator.is_, value, state))


def _set_state(value: Any, state: Any) -> None:
    if isinstance(value, np.random.Generator):
        value.bit_generator.state = state
    elif isinstance(value, np.random.RandomState):
        value.set_state(state)
    elif isinstance(value, python_random.Random):
        value.setstate(state)
    elif isinstance(value, np.ndarray):
        if value.flags.writeable:
            value[...] = state
    else:
        value.clear()
        value.extend(state) if isinstance(value, list) else value.update(state)
