"""Recorder: notes what happens in a run as it comes, and makes of it what was seen when somebody first asks.

Where a program is watched, but looked at only now and then, that is most of the price: in a training step of a small
MLP (1 ms) noting takes a fifth of what ``watched.py`` takes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain, islice
from operator import itemgetter
from sys import getrefcount
from threading import RLock, get_ident
from typing import Any

import numpy as np

from ...core.events import KEEPERS, keep
from ...core.op import OVERRIDDEN, Node, Op, new_node
from ...core.owned import SideBySide, alone
from ...core.record import LEAF
from ...core.references import ALONE
from ...core.tensor import Tensor, wrap
from ...kernels.buffers import has_own
from ...nn.parameter import Parameter
from .kept import CAP_ALL, CAP_BYTES
from .watched import Watched

ndarray = np.ndarray  # looked up in NumPy each time it costs 0.5 µs in all
CAP_NOTED = CAP_ALL // 4  # bytes of Tensors in notes; their gradients come on top. Where there are more, nothing waits

# A Tensor that no op made when it was first met: its array, its Node's number or a Parameter's Node, its own serial
# number, and the Parameter.
Given = tuple[Any, "int | Node | None", int, "Tensor | None"]
Tensors = dict[int, Any]  # by identity, as they were then
_first = itemgetter(0)
_NONE = id(None)


class Recorder(Watched):
    """An observer (see ``core.events``) of the run of one program.

    As long as nobody asks and only the most usual things happen, it only notes them. Any other event and any question
    makes it read its notes; from then on it does at once what Watched does. Notes hold arrays, and no Tensors or Nodes
    but Parameters'. What others could write into unheard is copied at once: what no op made, unless only an argument or
    a Parameter holds it. All else is copied once a Tensor tells that somebody may write there, be it long after the
    run: to count in the end who else holds each array would cost a step of an MLP 2 %. An optimizer writes elsewhere.

    Args:
        program: the Cell whose call is the program itself, or None for a function.
        random_state: called at every Cell's start to note the state of the random draws.
    """

    def __init__(self, program: Any = None, random_state: Callable[[], Any] | None = None):
        self.forward, self._thread = True, get_ident()
        self._arguments = program, random_state
        self._reading = RLock()  # one thread may ask while another writes
        self._notes: list[tuple[Any, ...]] | None = []  # a function below and what it is given; identities for Tensors
        self._met: Tensors = {_NONE: None}  # so that their identities stay, until the sweep starts
        self._given: dict[int, Given] = {}  # of these
        self._arrays: list[Any] = []  # what ops made and what the backward pass sent, in the order of the notes
        self._raw: dict[int, np.ndarray] = {}  # by identity: arrays of which notes hold copies
        self._alone: dict[int, np.ndarray] = {}  # by identity: arrays that only an argument or a Parameter held
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
            for held in (notes, self._met, self._given, self._arrays, self._raw, self._alone):
                held.clear()  # before references to arrays are counted
            self.forward, self._thread = forward, thread
            if self._finished:
                super().finish()  # which copies what anybody holds
                KEEPERS.pop(id(self), None)

    def _tell(self, notes: list[tuple[Any, ...]]) -> None:
        tensors: Tensors = {key: _then(*given) for key, given in self._given.items()}
        tensors[_NONE], arrays = None, iter(self._arrays)
        for told, *about in notes:
            told(self, tensors, arrays, *about)
        parameters = {serial: tensor for _, _, serial, tensor in self._given.values()}
        self.parameters = [parameters[then.serial()] for then in self.parameters]

    def _meets(self, tensor: Any) -> bool:
        """Keep the array of a Tensor that no op made; False: it may not be noted."""
        if not isinstance(tensor, Tensor):
            return False
        theirs = id(tensor._array) in self._alone or alone(tensor)
        array, node, size = tensor._array, tensor._node, tensor._array.nbytes
        self._room = room = self._room - size
        if room < 0 or size > CAP_BYTES:
            return False
        if not theirs:
            self._raw[id(array)] = array
            array = array.copy()
        key = id(tensor)
        self._met[key] = tensor
        self._given[key] = array, node and (node.seq or node), tensor.serial(), tensor if tensor.is_parameter else None
        return True

    def own(self, array: Any) -> None:
        """An array may be written into from now on: what notes hold of its memory is kept as a copy."""
        with self._reading:
            memory, copies = _memory(array), {}
            self._alone.pop(id(memory), None)
            if not self._finished:
                self._raw[id(array)] = array
            for i, one in enumerate([*self._arrays]):
                if _memory(one) is memory:
                    if id(one) not in copies:
                        copies[id(one)] = one.copy()
                    self._arrays[i] = copies[id(one)]
            for key, (one, *rest) in [*self._given.items()]:
                if _memory(one) is memory:
                    self._given[key] = one.copy(), *rest

    def finish(self) -> None:
        """The run is over: from now on who may write into what notes hold will say so."""
        if self._notes is None:
            return super().finish()
        self._finished = True
        for kept in (self._met, self._alone, self._raw):
            kept.clear()
        keep(self)

    # Events -----------------------------------------------------------------------------------------------

    def op_forward(self, op: Op, inputs: Any, outputs: Any, attrs: Any) -> None:
        """Note an op, its inputs and its results."""
        notes, met = self._notes, self._met
        if notes is None or not self.forward or get_ident() != self._thread or type(outputs) is not Tensor:
            return super().op_forward(op, inputs, outputs, attrs)
        given, key, array, node = [], id(outputs), outputs._array, outputs._node
        for tensor in inputs:
            known = id(tensor)
            if known not in met and not self._meets(tensor):
                return super().op_forward(op, inputs, outputs, attrs)
            given.append(known)
        size = array.nbytes
        self._room = room = self._room - size
        if key in met or room < 0 or size > CAP_BYTES:
            return super().op_forward(op, inputs, outputs, attrs)
        if (array.base is not None and _shares(array)) or (self._raw and id(array) in self._raw):
            array = array.copy()
        met[key] = outputs
        self._arrays.append(array)
        notes.append((_op, op, attrs, given, key, node and node.seq, outputs.serial()))

    def call_starts(self, args: Sequence[Any]) -> None:
        """See which arguments' arrays nobody else holds: soon handles will."""
        if self._notes is not None and get_ident() == self._thread:
            for a in args:
                if isinstance(a, Tensor) and alone(a):
                    self._alone[id(a._array)] = a._array

    def cell_enter(self, cell: Any, args: Any, kwargs: Any) -> None:
        """Note that a call begins."""
        notes = self._notes if self.forward and get_ident() == self._thread else None
        if notes is None or kwargs:
            return super().cell_enter(cell, args, kwargs)
        given, met = [], self._met
        for tensor in args:  # as in op_forward: to call a function for both costs as much again
            key = id(tensor)
            if key not in met and not self._meets(tensor):
                return super().cell_enter(cell, args, kwargs)
            given.append(key)
        notes.append((_enter, cell, given))
        if parameters := cell.__dict__.get("_params"):
            for p in parameters.values():  # before any op of the Cell holds their arrays, too
                if p is not None and alone(p):
                    self._alone[id(p._array)] = p._array

    def cell_exit(self, cell: Any, output: Any) -> None:
        """Note that a call ends."""
        notes = self._notes if self.forward and get_ident() == self._thread else None
        if notes is not None and (id(output) in self._met or self._meets(output)):
            notes.append((_exit, cell, id(output)))
        else:
            super().cell_exit(cell, output)

    def op_backward(self, node: Node, incoming: Any, outgoing: Any) -> None:
        """Note which gradients arrived at an op and which left."""
        notes, op = self._notes, node.op
        if notes is None or self.forward or type(incoming) is not ndarray or op.boxed or node.hooks:
            super().op_backward(node, incoming, outgoing)
        elif get_ident() == self._thread:
            self._arrays.append(incoming)
            self._arrays += outgoing
            notes.append((_rule, op, node.seq, len(outgoing)))

    def accumulate(self, leaf: Node, gradient: Any) -> None:
        """Note the gradient of an input or Parameter."""
        notes = self._notes
        if notes is None or self.forward or type(gradient) is not ndarray or leaf.hooks:
            super().accumulate(leaf, gradient)
        elif get_ident() == self._thread:
            self._arrays.append(gradient)
            notes.append((_sum, leaf.op, leaf.seq or leaf))

    def sweep_starts(self, create: bool) -> None:
        """A gradient taken inside the program starts, or the program's own does."""
        if not self.forward:
            self._met.clear()
            if OVERRIDDEN:  # such a rule may keep an array and write there
                self._read()
        elif get_ident() == self._thread:
            super().sweep_starts(create)

    def before_move(self, parameters: Sequence[Tensor]) -> None:
        """Parameters in use are given other arrays: one value stands for each in all the run, that of its first use."""
        if self._notes is None:
            super().before_move(parameters)
        elif self._watching(forward=True):
            self._notes += [(_written, id(tensor)) for tensor in parameters if id(tensor) in self._met]

    def before_write(self, tensor: Tensor) -> None:
        """As before_move, but its array is written into."""
        viewed = tensor._extra is not None and tensor._extra.views  # a write into a view makes it another value
        if self._notes is not None and (viewed or not tensor.is_parameter):
            self._read()
        super().before_write(tensor)

    def array_shared(self, tensor: Tensor) -> None:
        """The array may be written into from now on: what it held is kept as a copy."""
        if self._notes is None or (get_ident() == self._thread and not self._copies(tensor._array)):
            super().array_shared(tensor)
        else:
            self.own(tensor._array)

    def _copies(self, array: np.ndarray) -> bool:
        """Whether to copy an array is enough: what the backward pass sent may come again, and a view may be of any."""
        made = sum([note[0] is _op for note in self._notes or ()])
        known = chain(self._arrays[:made], map(_first, self._given.values()), self._raw.values())
        return any(one is array for one in known) and not any(one is array for one in self._arrays[made:])


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


def _memory(array: Any) -> Any:
    """The array in whose memory one lies. Of arrays side by side each has its own."""
    while isinstance(base := getattr(array, "base", None), np.ndarray) and type(base) is not SideBySide:
        array = base
    return array


def _shares(array: np.ndarray) -> bool:
    """Whether another array may lie in the same memory. What is turned, as images are, is a view of its own memory."""
    if has_own(array) or type(array.base) is SideBySide:
        return False
    return getrefcount(array.base) != ALONE or not has_own(array.base)  # type: ignore[arg-type]


# What the notes tell Watched.


def _op(
    recorder: Recorder, tensors: Tensors, arrays: Any, op: Op, attrs: Any, given: list[int], made: int, *then: Any
) -> None:  # fmt: skip
    tensors[made] = _then(next(arrays), *then)
    Watched.op_forward(recorder, op, [tensors[key] for key in given], tensors[made], attrs)


def _enter(recorder: Recorder, tensors: Tensors, arrays: Any, cell: Any, given: list[int]) -> None:
    Watched.cell_enter(recorder, cell, tuple([tensors[key] for key in given]), {})


def _exit(recorder: Recorder, tensors: Tensors, arrays: Any, cell: Any, output: int) -> None:
    Watched.cell_exit(recorder, cell, tensors[output])


def _written(recorder: Recorder, tensors: Tensors, arrays: Any, parameter: int) -> None:
    Watched.before_move(recorder, (tensors[parameter],))


def _rule(recorder: Recorder, tensors: Tensors, arrays: Any, op: Op, seq: int, left: int) -> None:
    recorder.forward = False
    Watched.op_backward(recorder, _node(op, seq), next(arrays), [*islice(arrays, left)])


def _sum(recorder: Recorder, tensors: Tensors, arrays: Any, op: Op, leaf: int | Node) -> None:
    recorder.forward = False
    Watched.accumulate(recorder, _node(op, leaf), next(arrays))


def _node(op: Op, seq: Any) -> Any:
    """What stands for a Node, by its serial number; a Parameter's stands for itself."""
    return new_node(op, (), None, None, None, seq, ()) if isinstance(seq, int) else seq


def _then(array: np.ndarray, seq: int | Node | None, serial: int, parameter: Any = None) -> Tensor:
    """What stands for a Tensor as it was when it was first met."""
    node = _node(LEAF, seq)  # a Parameter that was written through a view has a usual one
    then: Any = wrap(array, node) if parameter is None else object.__new__(Parameter)
    if parameter is not None:
        then._array, then._node, then._extra, then.name = array, node, None, parameter.name
    then.extra().serial = serial
    return then
