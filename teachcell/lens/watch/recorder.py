"""Recorder: notes what happens in a run as it comes, and makes of it what was seen when somebody first asks.

Where a program is watched, but looked at only now and then, that is most of the price: in a training step of a small
MLP (1 ms) noting takes a fifth of what ``watched.py`` takes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from sys import getrefcount
from threading import get_ident
from typing import Any

import numpy as np

from ...core.op import Node, Op, new_node
from ...core.owned import ALONE
from ...core.record import LEAF
from ...core.tensor import Tensor, wrap
from ...nn.parameter import Parameter
from .kept import CAP_ALL, CAP_BYTES
from .watched import Watched

CAP_NOTED = CAP_ALL // 4  # bytes of Tensors in notes; their gradients come on top. Where there are more, nothing waits
_LATER = frozenset(vars(Watched()))

# A Tensor when it was first met: its array, its Node's serial number or a Parameter's Node, and the Parameter.
Met = tuple[np.ndarray, "int | Node | None", "Tensor | None"]
Tensors = dict[int, Any]  # by serial number, as they were then


class Recorder(Watched):
    """An observer (see ``core.events``) of the run of one program.

    As long as nobody asks and only the most usual things happen, it only notes them. Any other event and any question
    makes it read its notes; from then on it does at once what Watched does. Notes hold arrays, and no Tensors or Nodes
    but Parameters'. What others could write into unheard is copied: at once what no op made, and in the end what they
    still refer to.

    Args:
        program: the Cell whose call is the program itself, or None for a function.
        random_state: called at every Cell's start to note the state of the random draws.
    """

    def __init__(self, program: Any = None, random_state: Callable[[], Any] | None = None):
        self.forward, self._thread = True, get_ident()
        self._arguments = program, random_state
        self._notes: list[tuple[Any, ...]] | None = []  # a function below and what it is given; serials for Tensors
        self._met: dict[int, Met] = {}
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
            held.clear()  # before references to arrays are counted
        self.forward, self._thread = forward, thread
        if self._finished:
            super().finish()

    def _tell(self, notes: list[tuple[Any, ...]]) -> None:
        tensors: Tensors = {serial: _then(serial, *met) for serial, met in self._met.items()}
        tensors[0] = None
        for told, *about in notes:
            told(self, tensors, *about)
        self.parameters = [self._met[then.serial()][2] for then in self.parameters]

    def _serials(self, tensors: Sequence[Any]) -> list[int] | None:
        """The serial numbers of Tensors, 0 for None, if they may all be noted."""
        serials, met = [], self._met
        for tensor in tensors:
            extra = getattr(tensor, "_extra", None)
            serial = None if extra is None else extra.serial
            if serial not in met:
                serial = self._meets(tensor)
                if serial is None:
                    return None
            elif met[serial][1] != ((node := tensor._node) and (node.seq or node)):
                return None  # another handle to the same value
            serials.append(serial)
        return serials

    def _meets(self, tensor: Any) -> int | None:
        """The serial number of a Tensor that no op made, whose array is copied; None: it may not be noted."""
        if tensor is None:
            return 0
        if not isinstance(tensor, Tensor) or not self._fits(tensor._array):
            return None
        serial, node = tensor.serial(), tensor._node
        parameter = tensor if tensor.is_parameter else None
        self._met[serial] = tensor._array.copy(), node and (node.seq or node), parameter
        return serial

    def _fits(self, array: np.ndarray) -> bool:
        size = array.nbytes
        self._room -= size
        return self._room >= 0 and size <= CAP_BYTES

    def finish(self) -> None:
        """The run is over: what others may still write into is kept as a copy."""
        if self._notes is None:
            return super().finish()
        self._finished, met = True, self._met
        for serial in met:
            if getrefcount(met[serial][0]) != ALONE:
                met[serial] = met[serial][0].copy(), *met[serial][1:]
        gradients, known = _occurrences([note[3:] for note in self._notes if note[0] in (_rule, _sum)])
        for key in gradients:
            if getrefcount(gradients[key]) != ALONE + known[key] or gradients[key].base is not None:
                self._copies[key] = gradients[key].copy()

    # Events -----------------------------------------------------------------------------------------------

    def op_forward(self, op: Op, inputs: Any, outputs: Any, attrs: Any) -> None:
        """Note an op, its inputs and its results."""
        notes = self._notes if self.forward and get_ident() == self._thread else None
        if notes is not None and type(outputs) is Tensor and (given := self._serials(inputs)) is not None:
            array, node, serial = outputs._array, outputs._node, outputs.serial()
            same = [tensor for tensor in inputs if tensor is not None and tensor._array is array]
            if not same and serial not in self._met and self._fits(array):
                self._met[serial] = array if array.base is None else array.copy(), node and node.seq, None
                notes.append((_op, op, attrs, serial, given))
                return
        super().op_forward(op, inputs, outputs, attrs)

    def cell_enter(self, cell: Any, args: Any, kwargs: Any) -> None:
        """Note that a call begins."""
        notes = self._notes if self.forward and get_ident() == self._thread else None
        if notes is not None and not kwargs and (given := self._serials(args)) is not None:
            notes.append((_enter, cell, given))
        else:
            super().cell_enter(cell, args, kwargs)

    def cell_ran(self, cell: Any, args: Any, kwargs: Any, output: Any) -> None:
        """Note what ``construct`` was given and returned."""
        notes = self._notes if self.forward and get_ident() == self._thread else None
        if notes is not None and not kwargs and (given := self._serials((*args, output))) is not None:
            notes.append((_ran, cell, given))
        else:
            super().cell_ran(cell, args, kwargs, output)

    def cell_exit(self, cell: Any, output: Any) -> None:
        """Note that a call ends."""
        notes = self._notes if self.forward and get_ident() == self._thread else None
        if notes is not None and (given := self._serials((output,))) is not None:
            notes.append((_exit, cell, given))
        else:
            super().cell_exit(cell, output)

    def op_backward(self, node: Node, incoming: Any, outgoing: Any) -> None:
        """Note which gradients arrived at an op and which left."""
        notes, op = self._notes, node.op
        if notes is None or self.forward or type(incoming) is not np.ndarray or op.boxed:
            super().op_backward(node, incoming, outgoing)
        elif get_ident() == self._thread:
            notes.append((_rule, op, node.seq, incoming, *outgoing))

    def accumulate(self, leaf: Node, gradient: Any) -> None:
        """Note the gradient of an input or Parameter."""
        notes = self._notes
        if notes is None or self.forward or type(gradient) is not np.ndarray:
            super().accumulate(leaf, gradient)
        elif get_ident() == self._thread:
            notes.append((_sum, leaf.op, leaf.seq or leaf, gradient))

    def sweep_starts(self, create: bool) -> None:
        """A gradient taken inside the program starts, or the program's own does."""
        if self._watching(forward=True):
            super().sweep_starts(create)

    def before_write(self, tensor: Tensor) -> None:
        """A Parameter in use is written: one value stands for it in all the run, the one of its first use."""
        notes = self._notes
        if notes is None or not tensor.is_parameter:
            super().before_write(tensor)
        elif self._watching(forward=True) and tensor.serial() in self._met:
            notes.append((_written, tensor.serial()))

    def array_shared(self, tensor: Tensor) -> None:
        """The array may be written into from now on: what it held is kept as a copy."""
        if self._notes is None or get_ident() == self._thread:
            super().array_shared(tensor)
        elif (met := self._met.get(tensor.serial())) is not None:
            self._met[tensor.serial()] = met[0].copy(), *met[1:]


# What the notes tell Watched.


def _op(recorder: Recorder, tensors: Tensors, op: Op, attrs: Any, output: int, inputs: list[int]) -> None:
    Watched.op_forward(recorder, op, [tensors[serial] for serial in inputs], tensors[output], attrs)


def _enter(recorder: Recorder, tensors: Tensors, cell: Any, given: list[int]) -> None:
    Watched.cell_enter(recorder, cell, tuple([tensors[serial] for serial in given]), {})


def _ran(recorder: Recorder, tensors: Tensors, cell: Any, given: list[int]) -> None:
    *args, output = [tensors[serial] for serial in given]
    Watched.cell_ran(recorder, cell, tuple(args), {}, output)


def _exit(recorder: Recorder, tensors: Tensors, cell: Any, given: list[int]) -> None:
    Watched.cell_exit(recorder, cell, tensors[given[0]])


def _written(recorder: Recorder, tensors: Tensors, parameter: int) -> None:
    Watched.before_write(recorder, tensors[parameter])


def _rule(recorder: Recorder, tensors: Tensors, op: Op, seq: int, incoming: Any, *outgoing: Any) -> None:
    recorder.forward, copies = False, recorder._copies
    sent = [copies.get(id(gradient), gradient) for gradient in outgoing]
    Watched.op_backward(recorder, _node(op, seq), copies.get(id(incoming), incoming), sent)


def _sum(recorder: Recorder, tensors: Tensors, op: Op, leaf: int | Node, gradient: np.ndarray) -> None:
    recorder.forward = False
    Watched.accumulate(recorder, _node(op, leaf), recorder._copies.get(id(gradient), gradient))


def _node(op: Op, seq: Any) -> Any:
    """What stands for a Node, by its serial number; a Parameter's stands for itself."""
    return new_node(op, (), None, None, None, seq, ()) if isinstance(seq, int) else seq


def _then(serial: int, array: np.ndarray, seq: int | Node | None, parameter: Any) -> Tensor:
    """What stands for a Tensor as it was when it was first met."""
    then: Any = wrap(array, _node(LEAF, seq)) if parameter is None else object.__new__(Parameter)
    if parameter is not None:
        then._array, then._node, then._extra, then.name = array, seq, None, parameter.name
    then.extra().serial = serial
    return then


def _occurrences(several: Iterable[Sequence[Any]]) -> tuple[dict[int, Any], dict[int, int]]:
    """The arrays that occur, and how often they do, by identity."""
    found: dict[int, Any] = {}
    times: dict[int, int] = {}
    for some in several:
        for array in some:
            key = id(array)
            found[key], times[key] = array, times.get(key, 0) + 1
    found.pop(id(None), None)
    return found, times
