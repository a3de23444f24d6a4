"""What observers are told. Observers watch and never change a value; hooks are another thing (``nn``).

With none subscribed an op pays one truth test. Who tells goes over a copy of ``OBSERVERS``, since an observer may leave
while it is told.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from weakref import ref

from . import tracing


class Observer:
    """Base class of all observers: each method says when it is called; a subclass overrides those it wants."""

    def op_forward(self, op: Any, inputs: Any, outputs: Any, attrs: Any) -> None:
        """After an op ran; inputs and outputs are Tensors."""

    def op_failed(self, op: Any, inputs: Any, attrs: Any, error: Exception) -> None:
        """When its kernel raised."""

    def call_starts(self, args: Sequence[Any]) -> None:
        """Before a differentiated call makes handles of its arguments."""

    def sweep_starts(self, create: bool) -> None:
        """Before the first rule of a reverse sweep; whether it is recorded itself."""

    def op_backward(self, node: Any, incoming: Any, outgoing: Any) -> None:
        """After a rule ran; a gradient is None, an array, or a Tensor where the sweep is itself recorded."""

    def accumulate(self, leaf: Any, gradient: Any) -> None:
        """When a leaf's gradient is complete."""

    def before_write(self, tensor: Any) -> None:
        """Before a Tensor's data are written in place."""

    def before_move(self, parameters: Sequence[Any]) -> None:
        """Before an optimizer changes Parameters: it writes into no array that anybody else holds."""

    def array_shared(self, tensor: Any) -> None:
        """Before a Tensor's array is handed out, which may then be written past it."""

    def cell_enter(self, cell: Any, args: Any, kwargs: Any) -> None:
        """Before a Cell's pre-hooks."""

    def cell_exit(self, cell: Any, output: Any) -> None:
        """After its forward hooks; output None if it raised."""

    def cell_ran(self, cell: Any, args: Any, kwargs: Any, output: Any) -> None:
        """Between its hooks: what ``construct`` was given and what it returned; only where that is not what
        ``cell_enter`` and ``cell_exit`` tell."""

    def hook_starts(self, cell: Any, kind: str, hook: Any, given: Any, tap: Any) -> None:
        """Before a Cell hook is called: ``given`` holds what it is shown, as "inputs" and "output", or "incoming" and
        "outgoing"."""

    def hook_fired(self, cell: Any, kind: str, hook: Any, result: Any, tap: Any) -> None:
        """After a Cell hook returned: ``result`` is what it put in the place of what it got, or None; a backward hook
        names its tap."""

    def hooks_silent(self, cell: Any) -> None:
        """When a hooked Cell runs where hooks do not act: in jit, in graph mode."""

    def construct_direct(self, cell: Any) -> None:
        """When a hooked Cell's ``construct`` is called past its hooks."""

    def cell_tapped(self, cell: Any, tap: Any) -> None:
        """When a Cell's inputs passed the tap of its backward hooks (``tap.seq``)."""

    def bprop_recorded(self, cell: Any, node: Any, inputs: Any) -> None:
        """When a Cell's own rule got its Node; it answers for these inputs."""


OBSERVERS: list[Observer] = []

# Observers whose run is over, by identity, and which still hold Tensors' arrays as they are: before one may be written
# into they are told by ``own(array)``, to copy it. To copy 200 KB at once takes as long as to note 20 ops.
KEEPERS: dict[int, ref[Any]] = {}


class observing:  # a class, since a generator costs three times as much
    """Subscribe ``observer`` for the time of a ``with`` block."""

    __slots__ = ("observer",)

    def __init__(self, observer: Observer):
        self.observer = observer

    def __enter__(self) -> None:
        OBSERVERS.append(self.observer)

    def __exit__(self, *_: object) -> None:
        OBSERVERS.remove(self.observer)


def keep(keeper: Any) -> None:
    """From now on, as long as it lives, a keeper is told of arrays that may be written into."""
    key = id(keeper)
    KEEPERS[key] = ref(keeper, lambda _: KEEPERS.pop(key, None))


def tell_shared(tensor: Any) -> None:
    """Tell of a Tensor whose array is handed out."""
    for observer in [*OBSERVERS]:
        observer.array_shared(tensor)
    _tell_keepers(tensor)


def tell_written(tensor: Any) -> None:
    """Tell of a Tensor whose array is written into."""
    for observer in [*OBSERVERS]:
        observer.before_write(tensor)
    _tell_keepers(tensor)


def _tell_keepers(tensor: Any) -> None:
    if KEEPERS:
        array = tracing.held(tensor._array)
        for known in [*KEEPERS.values()]:  # some may leave meanwhile
            if (keeper := known()) is not None:
                keeper.own(array)
