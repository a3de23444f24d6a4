"""What observers are told. Observers watch and never change a value; hooks are another thing (``nn``).

An observer is any object with some of the methods below; with none subscribed an op pays one truth test.

==============================================  ======================================================
method                                          called
==============================================  ======================================================
``op_forward(op, inputs, outputs, attrs)``      after an op ran; inputs and outputs are Tensors
``op_failed(op, inputs, attrs, error)``         when its kernel raised
``call_starts(args)``                           before a differentiated call makes handles of its arguments
``sweep_starts(create)``                        before the first rule of a reverse sweep; whether it is recorded itself
``op_backward(node, incoming, outgoing)``       after a rule ran; a gradient is None, an array, or a Tensor where the
                                                sweep is itself recorded
``accumulate(leaf, gradient)``                  when a leaf's gradient is complete
``before_write(tensor)``                        before a Tensor's data are written in place
``before_move(parameters)``                     before an optimizer changes Parameters: it writes into no array that
                                                anybody else holds
``array_shared(tensor)``                        before a Tensor's array is handed out, which may then be written past it
``cell_enter(cell, args, kwargs)``              before a Cell's pre-hooks
``cell_exit(cell, output)``                     after its forward hooks; output None if it raised
``cell_ran(cell, args, kwargs, output)``        between its hooks: what ``construct`` was given and what it returned;
                                                only where that is not what ``cell_enter`` and ``cell_exit`` tell
``hook_starts(cell, kind, hook, given, tap)``   before a Cell hook is called: ``given`` holds what it is shown, as
                                                "inputs" and "output", or "incoming" and "outgoing"
``hook_fired(cell, kind, hook, result, tap)``   after a Cell hook returned: ``result`` is what it put in the place of
                                                what it got, or None; a backward hook names its tap
``hooks_silent(cell)``                          when a hooked Cell runs where hooks do not act: in jit, in graph mode
``construct_direct(cell)``                      when a hooked Cell's ``construct`` is called past its hooks
``cell_tapped(cell, tap)``                      when a Cell's inputs passed the tap of its backward hooks (``tap.seq``)
``bprop_recorded(cell, node, inputs)``          when a Cell's own rule got its Node; it answers for these inputs
==============================================  ======================================================
"""

from __future__ import annotations

from typing import Any
from weakref import ref

from . import tracing

OBSERVERS: list[Any] = []

# Observers whose run is over, by identity, and which still hold Tensors' arrays as they are: before one may be written
# into they are told by ``own(array)``, to copy it. To copy 200 KB at once takes as long as to note 20 ops.
KEEPERS: dict[int, ref[Any]] = {}


class observing:  # a class, since a generator costs three times as much
    """Subscribe ``observer`` for the time of a ``with`` block."""

    __slots__ = ("observer",)

    def __init__(self, observer: object):
        self.observer = observer

    def __enter__(self) -> None:
        OBSERVERS.append(self.observer)

    def __exit__(self, *_: object) -> None:
        OBSERVERS.remove(self.observer)


def keep(keeper: Any) -> None:
    """From now on, as long as it lives, a keeper is told of arrays that may be written into."""
    key = id(keeper)
    KEEPERS[key] = ref(keeper, lambda _: KEEPERS.pop(key, None))


def emit_written(event: str, tensor: Any) -> None:
    """Tell of a Tensor whose array is, or may be, written into."""
    if OBSERVERS:
        emit(event, tensor)
    if KEEPERS:
        array = tracing.held(tensor._array)
        for known in [*KEEPERS.values()]:  # some may leave meanwhile
            if (keeper := known()) is not None:
                keeper.own(array)


def emit(event: str, *details: Any) -> None:
    """Tell every observer that has a method called ``event``."""
    if len(OBSERVERS) == 1:  # as nearly always: a third off
        method = getattr(OBSERVERS[0], event, None)
        if method is not None:
            method(*details)
        return
    for observer in [*OBSERVERS]:
        method = getattr(observer, event, None)
        if method is not None:
            method(*details)
