"""Recorder: notes what happens in a run as it comes, and makes of it what was seen when somebody first asks.

Where a program is watched, but looked at only now and then, that is most of the price: of a training step of a small
MLP (1 ms) noting takes 5 %, and what ``watched.py`` does 25 %.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import chain
from sys import getrefcount
from threading import get_ident
from typing import Any

import numpy as np

from ...core.op import Node, Op
from ...core.tensor import Tensor
from ...kernels.buffers import has_own
from ...nn.parameter import Parameter
from .kept import CAP_BYTES
from .watched import Watched

CAP_NOTED = 1 << 24  # bytes of the arrays in notes; where there are more, nothing is put off
_LATER = frozenset(vars(Watched()))


Met = tuple[Tensor, np.ndarray, "Node | None"]  # a Tensor in notes, and its array and Node when it was first met
Tensors = dict[int, Any]  # likewise, as they were then; None stands for itself


class Recorder(Watched):
    """An observer (see ``core.events``) of the run of one program.

    As long as nobody asks and only the most usual things happen, it only notes them: with Tensors and Nodes, so that
    the graph lives as long as the notes. Any other event and any question makes it read its notes; from then on it
    does at once what Watched does. What could be written into meanwhile is copied: at once what no op made, in the
    end what others refer to. All else is written into only after ``before_write`` or ``array_shared``.

    Args:
        program: the Cell whose call is the program itself, or None for a function.
        random_state: called at every Cell's start to note the state of the random draws.
    """

    def __init__(self, program: Any = None, random_state: Callable[[], Any] | None = None):
        self.forward, self._thread = True, get_ident()
        self._arguments = program, random_state
        self._notes: list[tuple[Any, ...]] | None = []  # a function below, and what it is given; Tensors by identity
        self._met: dict[int, Met] = {}  # Tensors in notes, by identity
        self._copies: dict[int, np.ndarray] = {}  # of arrays in notes of the backward pass, by identity
        self._room, self._finished = CAP_NOTED, False
        if random_state is not None:
            self._read()

    def __getattr__(self, name: str) -> Any:
        if name not in _LATER or self.__dict__.get("_notes") is None:
            raise AttributeError(name)
        self._read()
        return self.__dict__[name]

    def _read(self) -> None:
        """Do what was put off."""
        notes, self._notes, forward, thread = self._notes or [], None, self.forward, self._thread
        super().__init__(*self._arguments)
        self._tell(notes)
        for held in (notes, self._met, self._copies):
            held.clear()  # the graph goes, before references to arrays are counted
        self.forward, self._thread = forward, thread
        if self._finished:
            super().finish()

    def _tell(self, notes: list[tuple[Any, ...]]) -> None:
        tensors: Tensors = {key: _then(*met) for key, met in self._met.items()}
        tensors[id(None)] = None
        for told, *about in notes:
            told(self, tensors, *about)
        real = {id(tensors[key]): met[0] for key, met in self._met.items()}
        self.parameters = [real[id(then)] for then in self.parameters]

    def _known(self, tensors: Sequence[Any]) -> list[int] | None:
        """The identities of Tensors, if all are that may be noted; the array of one that no op made is copied."""
        met, keys = self._met, []
        for tensor in tensors:
            key = id(tensor)
            keys.append(key)
            if key not in met and tensor is not None:
                if not isinstance(tensor, Tensor) or not self._fits(tensor._array):
                    return None
                met[key] = tensor, tensor._array.copy(), tensor._node
                tensor.serial()  # so that other handles of it are told to be the same
        return keys

    def _fits(self, array: np.ndarray) -> bool:
        self._room -= array.nbytes
        return self._room >= 0 and array.nbytes <= CAP_BYTES

    def finish(self) -> None:
        """The run is over: what others may still write into is kept as a copy."""
        if self._notes is None:
            return super().finish()
        self._finished = True
        met = [one for one in self._met.values() if one[1] is one[0]._array]
        nodes = {node for _, _, node in met if node is not None}
        known = Counter(map(id, chain([node.out for node in nodes], *[node.args or () for node in nodes])))
        for one in met:
            tensor, array, node = one
            if getrefcount(tensor) != _OWN + 1 or getrefcount(array) != known[id(array)] + _OWN + 2:
                self._met[id(tensor)] = tensor, array.copy(), node
        gradients = [note[2:] for note in self._notes if note[0] in (_rule, _sum)]
        known = Counter(map(id, chain(*gradients)))
        for several in gradients:
            for array in several:  # which their notes refer to as well
                alone = array is None or (getrefcount(array) == 2 * known[id(array)] + _OWN and has_own(array))
                if not alone and id(array) not in self._copies:
                    self._copies[id(array)] = array.copy()

    # Events -----------------------------------------------------------------------------------------------

    def op_forward(self, op: Op, inputs: Any, outputs: Any, attrs: Any) -> None:
        """Note an op, its inputs and its results."""
        notes = self._notes if self.forward and get_ident() == self._thread else None
        if notes is not None and type(outputs) is Tensor and (given := self._known(inputs)) is not None:
            array = outputs._array
            if self._fits(array) and not any([t is not None and t._array is array for t in inputs]):
                self._met[id(outputs)] = outputs, array if has_own(array) else array.copy(), outputs._node
                outputs.serial()
                notes.append((_op, op, attrs, id(outputs), given))
                return
        super().op_forward(op, inputs, outputs, attrs)

    def cell_enter(self, cell: Any, args: Any, kwargs: Any) -> None:
        """Note that a call begins."""
        notes = self._notes if self.forward and get_ident() == self._thread else None
        if notes is not None and not kwargs and (given := self._known(args)) is not None:
            notes.append((_enter, cell, given))
        else:
            super().cell_enter(cell, args, kwargs)

    def cell_ran(self, cell: Any, args: Any, kwargs: Any, output: Any) -> None:
        """Note what ``construct`` was given and returned."""
        notes = self._notes if self.forward and get_ident() == self._thread else None
        if notes is not None and not kwargs and (given := self._known((output, *args))) is not None:
            notes.append((_ran, cell, given))
        else:
            super().cell_ran(cell, args, kwargs, output)

    def cell_exit(self, cell: Any, output: Any) -> None:
        """Note that a call ends."""
        notes = self._notes if self.forward and get_ident() == self._thread else None
        if notes is not None and self._known((output,)) is not None:
            notes.append((_exit, cell, id(output)))
        else:
            super().cell_exit(cell, output)

    def op_backward(self, node: Node, incoming: Any, outgoing: Any) -> None:
        """Note which gradients arrived at an op and which left."""
        notes = self._notes
        if notes is None or self.forward or type(incoming) is not np.ndarray or node.op.boxed:
            super().op_backward(node, incoming, outgoing)
        elif get_ident() == self._thread:
            notes.append((_rule, node, incoming, *outgoing))

    def accumulate(self, leaf: Node, gradient: Any) -> None:
        """Note the gradient of an input or Parameter."""
        notes = self._notes
        if notes is None or self.forward or type(gradient) is not np.ndarray:
            super().accumulate(leaf, gradient)
        elif get_ident() == self._thread:
            notes.append((_sum, leaf, gradient))

    def sweep_starts(self, create: bool) -> None:
        """A gradient taken inside the program starts, or the program's own does."""
        if self._watching(forward=True):
            super().sweep_starts(create)

    def before_write(self, tensor: Tensor) -> None:
        """A Parameter in use is written: one value stands for it in all the run, the one of its first use."""
        notes = self._notes
        if notes is None or not tensor.is_parameter:
            super().before_write(tensor)
        elif self._watching(forward=True) and id(tensor) in self._met:
            notes.append((_written, id(tensor)))

    def array_shared(self, tensor: Tensor) -> None:
        """The array may be written into from now on: what it held is kept as a copy."""
        if self._notes is None or get_ident() == self._thread:
            super().array_shared(tensor)
        elif id(tensor) in self._met:
            self._met[id(tensor)] = tensor, tensor._array.copy(), tensor._node


# What the notes tell Watched.


def _op(recorder: Recorder, tensors: Tensors, op: Op, attrs: Any, output: int, inputs: list[int]) -> None:
    Watched.op_forward(recorder, op, [tensors[key] for key in inputs], tensors[output], attrs)


def _enter(recorder: Recorder, tensors: Tensors, cell: Any, given: list[int]) -> None:
    Watched.cell_enter(recorder, cell, tuple([tensors[key] for key in given]), {})


def _ran(recorder: Recorder, tensors: Tensors, cell: Any, given: list[int]) -> None:
    output, *args = [tensors[key] for key in given]
    Watched.cell_ran(recorder, cell, tuple(args), {}, output)


def _exit(recorder: Recorder, tensors: Tensors, cell: Any, output: int) -> None:
    Watched.cell_exit(recorder, cell, tensors[output])


def _written(recorder: Recorder, tensors: Tensors, parameter: int) -> None:
    Watched.before_write(recorder, tensors[parameter])


def _rule(recorder: Recorder, tensors: Tensors, node: Node, incoming: Any, *outgoing: Any) -> None:
    recorder.forward, copies = False, recorder._copies
    sent = [copies.get(id(gradient), gradient) for gradient in outgoing]
    Watched.op_backward(recorder, node, copies.get(id(incoming), incoming), sent)


def _sum(recorder: Recorder, tensors: Tensors, leaf: Node, gradient: np.ndarray) -> None:
    recorder.forward = False
    Watched.accumulate(recorder, leaf, recorder._copies.get(id(gradient), gradient))


def _then(tensor: Tensor, array: np.ndarray, node: Node | None) -> Tensor:
    """A Tensor as it was."""
    then = object.__new__(type(tensor))
    then._array, then._node, then._extra = array, node, None
    then.extra().serial = tensor.serial()
    if isinstance(then, Parameter):
        then.name = tensor.name
    return then


def _own() -> int:
    """How many references to a thing are those of a variable and of asking."""
    for thing in [object()]:
        return getrefcount(thing) - 1
    raise AssertionError


_OWN = _own()  # which depends on the version of Python
