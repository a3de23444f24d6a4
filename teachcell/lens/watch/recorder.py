"""Recorder: notes what happens in a run as it comes, and makes of it what was seen when somebody first asks.

Where a program is watched, but looked at only now and then, that is most of the price: in a training step of a small
MLP (1 ms) noting takes a fifth of what ``watched.py`` takes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from operator import itemgetter
from sys import getrefcount
from threading import RLock, get_ident
from typing import Any

import numpy as np

from ...core.events import KEEPERS, keep
from ...core.op import Node, Op, new_node
from ...core.owned import SideBySide, alone, beside
from ...core.record import LEAF
from ...core.references import ALONE
from ...core.tensor import Tensor, wrap
from ...kernels.buffers import has_own
from ...nn.parameter import Parameter
from .kept import CAP_ALL, CAP_BYTES
from .watched import Watched

CAP_NOTED = CAP_ALL // 4  # bytes of Tensors in notes; their gradients come on top. Where there are more, nothing waits

# A Tensor when it was first met: its array, serial number, its Node's or a Parameter's Node, and the Parameter.
Met = tuple[Any, int, "int | Node | None", "Tensor | None"]
Tensors = dict[int, Any]  # by identity, as they were then
_first = itemgetter(0)
_NONE, _NOTHING = id(None), (None, 0, None, None)  # of None itself


class Recorder(Watched):
    """An observer (see ``core.events``) of the run of one program.

    As long as nobody asks and only the most usual things happen, it only notes them. Any other event and any question
    makes it read its notes; from then on it does at once what Watched does. Notes hold arrays, and no Tensors or Nodes
    but Parameters'. What others could write into unheard is copied: at once what no op made, in the end what others
    still refer to. An array that only an argument or a Parameter holds is copied once that Tensor tells that somebody
    may write into it, be it long after the run: an optimizer writes elsewhere, so a step of training copies none.

    Args:
        program: the Cell whose call is the program itself, or None for a function.
        random_state: called at every Cell's start to note the state of the random draws.
    """

    def __init__(self, program: Any = None, random_state: Callable[[], Any] | None = None):
        self.forward, self._thread = True, get_ident()
        self._arguments = program, random_state
        self._reading = RLock()  # one thread may ask while another writes
        self._notes: list[tuple[Any, ...]] | None = []  # a function below and what it is given; serials for Tensors
        self._met: dict[int, Met] = {_NONE: _NOTHING}  # by identity
        self._raw: dict[int, np.ndarray] = {}  # by identity: arrays of which notes hold copies
        self._held: list[Tensor] = []  # those that were met, so that their identity stays, until the sweep starts
        self._alone: dict[int, np.ndarray] = {}  # by identity: arrays that only an argument or a Parameter held
        self._sent: dict[int, np.ndarray] = {}  # by identity: what notes of the backward pass are about
        self._room, self._finished = CAP_NOTED, False
        if random_state is not None:
            self._read()

    def _read(self) -> None:
        """Do what was put off, unless another thread just did."""
        with self._reading:
            if self._notes is None:
                return
            notes, self._notes, forward, thread = self._notes, None, self.forward, self._thread
            super().__init__(*self._arguments)
            self._kept.ours = True  # notes hold nothing else
            self._tell(notes)
            self._kept.ours = False
            for held in (notes, self._met, self._held, self._raw, self._alone, self._sent):
                held.clear()  # before references to arrays are counted
            self.forward, self._thread = forward, thread
            if self._finished:
                super().finish()  # which copies what anybody holds
                KEEPERS.pop(id(self), None)

    def _tell(self, notes: list[tuple[Any, ...]]) -> None:
        tensors: Tensors = {key: _then(*met) for key, met in self._met.items() if key != _NONE}
        tensors[_NONE] = None
        for told, *about in notes:
            told(self, tensors, *about)
        parameters = {met[1]: met[3] for met in self._met.values()}
        self.parameters = [parameters[then.serial()] for then in self.parameters]

    def _noted(self, tensors: Iterable[Any]) -> list[int] | None:
        """The identities of Tensors or None, if they may all be noted."""
        met, found = self._met, []
        for tensor in tensors:
            key = id(tensor)
            if key not in met and not self._meets(tensor):
                return None
            found.append(key)
        return found

    def _meets(self, tensor: Any) -> bool:
        """Keep the array of a Tensor that no op made; False: it may not be noted."""
        if not isinstance(tensor, Tensor):
            return False
        if id(tensor._array) not in self._alone and alone(tensor):
            self._alone[id(tensor._array)] = tensor._array
        node, array = tensor._node, tensor._array
        self._room = room = self._room - array.nbytes
        if room < 0 or array.nbytes > CAP_BYTES:
            return False
        if id(array) not in self._alone:
            self._raw[id(array)] = array
            array = array.copy()
        parameter = tensor if tensor.is_parameter else None
        self._met[id(tensor)] = array, tensor.serial(), node and (node.seq or node), parameter
        self._held.append(tensor)
        return True

    def own(self, array: Any) -> None:
        """An array may be written into from now on: what it held is kept as a copy."""
        with self._reading:
            while isinstance(array, np.ndarray):
                self._alone.pop(id(array), None)
                for key, met in list(self._met.items()):
                    if met[0] is array:
                        self._met[key] = array.copy(), *met[1:]
                array = array.base

    def finish(self) -> None:
        """The run is over: what others may still write into is kept as a copy."""
        if self._notes is None:
            return super().finish()
        self._finished, met, sent, theirs = True, self._met, self._sent, {*self._alone}
        for kept in (self._alone, self._raw, self._held):
            kept.clear()
        met.pop(_NONE, None)
        # Counted without a loop that would hold each array itself, which takes half of the time, too.
        for key, count in zip(met, map(getrefcount, map(_first, met.values())), strict=True):
            array = met[key][0]
            if count == ALONE and array.base is None:
                continue  # as nearly all
            held = count - ALONE - beside(array)
            if held == 1 and id(array) in theirs:  # only its Tensor still: who writes there will say so
                keep(self)
            elif held or _shares(array):
                met[key] = array.copy(), *met[key][1:]
        sent.pop(_NONE, None)
        for key, count in zip(sent, map(getrefcount, sent.values()), strict=True):
            if count != ALONE or (sent[key].base is not None and _shares(sent[key])):
                sent[key] = sent[key].copy()

    # Events -----------------------------------------------------------------------------------------------

    def op_forward(self, op: Op, inputs: Any, outputs: Any, attrs: Any) -> None:
        """Note an op, its inputs and its results."""
        notes, met = self._notes, self._met
        if notes is None or not self.forward or get_ident() != self._thread or type(outputs) is not Tensor:
            return super().op_forward(op, inputs, outputs, attrs)
        given, key, array, node = [], id(outputs), outputs._array, outputs._node
        for tensor in inputs:  # as in _noted, whose call costs as much
            known = id(tensor)
            if known not in met and not self._meets(tensor):
                return super().op_forward(op, inputs, outputs, attrs)
            given.append(known)
        self._room = room = self._room - array.nbytes
        if key in met or room < 0 or array.nbytes > CAP_BYTES:
            return super().op_forward(op, inputs, outputs, attrs)
        if (array.base is not None and _shares(array)) or id(array) in self._raw:
            array = array.copy()
        met[key] = array, outputs.serial(), node and node.seq, None
        self._held.append(outputs)
        notes.append((_op, op, attrs, key, given))

    def call_starts(self, args: Sequence[Any]) -> None:
        """See which arguments' arrays nobody else holds: soon handles will."""
        if self._notes is not None and get_ident() == self._thread:
            self._alone |= {id(a._array): a._array for a in args if isinstance(a, Tensor) and alone(a)}

    def cell_enter(self, cell: Any, args: Any, kwargs: Any) -> None:
        """Note that a call begins."""
        notes = self._notes if self.forward and get_ident() == self._thread else None
        if notes is not None and not kwargs and (given := self._noted(args)) is not None:
            notes.append((_enter, cell, given))
            for p in cell.__dict__.get("_params", {}).values():  # before any op of the Cell holds their arrays, too
                if p is not None and alone(p):
                    self._alone[id(p._array)] = p._array
        else:
            super().cell_enter(cell, args, kwargs)

    def cell_exit(self, cell: Any, output: Any) -> None:
        """Note that a call ends."""
        notes = self._notes if self.forward and get_ident() == self._thread else None
        if notes is not None and (id(output) in self._met or self._meets(output)):
            notes.append((_exit, cell, id(output)))
        else:
            super().cell_exit(cell, output)

    def op_backward(self, node: Node, incoming: Any, outgoing: Any) -> None:
        """Note which gradients arrived at an op and which left."""
        notes, op, sent = self._notes, node.op, self._sent
        if notes is None or self.forward or type(incoming) is not np.ndarray or op.boxed:
            super().op_backward(node, incoming, outgoing)
        elif get_ident() == self._thread:
            sent[id(incoming)] = incoming
            for gradient in outgoing:
                sent[id(gradient)] = gradient
            notes.append((_rule, op, node.seq, id(incoming), *map(id, outgoing)))

    def accumulate(self, leaf: Node, gradient: Any) -> None:
        """Note the gradient of an input or Parameter."""
        notes = self._notes
        if notes is None or self.forward or type(gradient) is not np.ndarray:
            super().accumulate(leaf, gradient)
        elif get_ident() == self._thread:
            self._sent[id(gradient)] = gradient
            notes.append((_sum, leaf.op, leaf.seq or leaf, id(gradient)))

    def sweep_starts(self, create: bool) -> None:
        """A gradient taken inside the program starts, or the program's own does."""
        if self.forward:
            if get_ident() == self._thread:
                super().sweep_starts(create)
        else:
            self._held.clear()

    def before_move(self, parameters: Sequence[Tensor]) -> None:
        """Parameters in use are given other arrays: one value stands for each in all the run, that of its first use."""
        if self._notes is None:
            super().before_move(parameters)
        elif self._watching(forward=True):
            self._notes += [(_written, id(tensor)) for tensor in parameters if id(tensor) in self._met]

    def before_write(self, tensor: Tensor) -> None:
        """As before_move, but its array is written into."""
        if self._notes is not None and not tensor.is_parameter:
            self._read()
        super().before_write(tensor)

    def array_shared(self, tensor: Tensor) -> None:
        """The array may be written into from now on: what it held is kept as a copy."""
        array, ours = tensor._array, get_ident() == self._thread
        if self._notes is None or (ours and (id(array) in self._sent or not self._knows(array))):
            super().array_shared(tensor)
        else:
            self.own(array)

    def _knows(self, array: np.ndarray) -> bool:
        return id(array) in self._raw or any(met[0] is array for met in self._met.values())


class _Later:
    """What Watched has and a Recorder has not before it has read its notes.

    A ``__getattr__`` would make every attribute of a Recorder slow: 20 µs in a training step.
    """

    def __init__(self, name: str):
        self.name = name

    def __get__(self, recorder: Recorder, _: Any) -> Any:
        if recorder._notes is None:
            raise AttributeError(self.name)
        recorder._read()
        return recorder.__dict__[self.name]


for _name in vars(Watched()).keys() - {"forward", "_thread"}:
    setattr(Recorder, _name, _Later(_name))


def _shares(array: np.ndarray) -> bool:
    """Whether another array may lie in the same memory. What is turned, as images are, is a view of its own memory."""
    if has_own(array) or type(array.base) is SideBySide:
        return False
    return getrefcount(array.base) != ALONE or not has_own(array.base)  # type: ignore[arg-type]


# What the notes tell Watched.


def _op(recorder: Recorder, tensors: Tensors, op: Op, attrs: Any, output: int, inputs: list[int]) -> None:
    Watched.op_forward(recorder, op, [tensors[key] for key in inputs], tensors[output], attrs)


def _enter(recorder: Recorder, tensors: Tensors, cell: Any, given: list[int]) -> None:
    Watched.cell_enter(recorder, cell, tuple([tensors[key] for key in given]), {})


def _exit(recorder: Recorder, tensors: Tensors, cell: Any, output: int) -> None:
    Watched.cell_exit(recorder, cell, tensors[output])


def _written(recorder: Recorder, tensors: Tensors, parameter: int) -> None:
    Watched.before_move(recorder, (tensors[parameter],))


def _rule(recorder: Recorder, tensors: Tensors, op: Op, seq: int, incoming: int, *outgoing: int) -> None:
    recorder.forward, sent = False, recorder._sent
    Watched.op_backward(recorder, _node(op, seq), sent[incoming], [sent.get(gradient) for gradient in outgoing])


def _sum(recorder: Recorder, tensors: Tensors, op: Op, leaf: int | Node, gradient: int) -> None:
    recorder.forward = False
    Watched.accumulate(recorder, _node(op, leaf), recorder._sent[gradient])


def _node(op: Op, seq: Any) -> Any:
    """What stands for a Node, by its serial number; a Parameter's stands for itself."""
    return new_node(op, (), None, None, None, seq, ()) if isinstance(seq, int) else seq


def _then(array: np.ndarray, serial: int, seq: int | Node | None, parameter: Any) -> Tensor:
    """What stands for a Tensor as it was when it was first met."""
    then: Any = wrap(array, _node(LEAF, seq)) if parameter is None else object.__new__(Parameter)
    if parameter is not None:
        then._array, then._node, then._extra, then.name = array, seq, None, parameter.name
    then.extra().serial = serial
    return then
