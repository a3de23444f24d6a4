"""Op: everything the house knows about one operation, and the two floors a rule is written against.

A rule ``rule(F, g, out, *inputs, **attrs)`` is written once and touches values only through ``F``. In first
order ``F`` is :data:`ARRAYS` (kernels on raw ndarrays, nothing recorded); when the gradient is itself being
differentiated ``F`` is :data:`TENSORS` (the public ops), so second derivatives follow from the same text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import KW_ONLY, dataclass
from itertools import count
from threading import get_ident
from typing import Any, Literal

from ..texts import say
from .card import Kink
from .loading import Table, namespace
from .modes import keeping_all

serial = count(1)  # numbers of Nodes
next_seq = serial.__next__  # on the hot path ``next(serial)``, which is faster
ARRAYS = namespace("ARRAYS")
TENSORS = namespace("TENSORS")
OPS: Table[Op] = Table()
OVERRIDDEN: list[Op] = []  # whose rules are others at present
REAL = (-2.0, 2.0)
POSITIVE = (0.3, 3.0)

Rule = Callable[..., Any]
Rules = tuple["Rule | None", ...] | Rule | None


@dataclass(slots=True, eq=False, repr=False)
class Op:
    """One operation: its kernel, its backward rules and the facts the sweep, the lens and the tests need.

    Attributes:
        name: ``"multiply"``; also its name in :data:`ARRAYS` and :data:`TENSORS`.
        label: the name shown to a reader, ``"MatMul"``.
        kernel: ndarrays in, ndarray out; ``(out, saved)`` when ``saves`` is not empty.
        rules: None, or a tuple with one rule per input (None: not differentiable), each
            ``rule(F, g, out, *inputs, **attrs)``; or one joint rule for all inputs,
            ``rule(F, g, out, wanted, *inputs, **attrs)``, that returns a gradient or None per input and may leave
            out those whose ``wanted`` is False.
        keeps_inputs, keeps_output: whether the rules read these values.
        saves: names of further values that the kernel hands to the rules as keywords.
        boxed: the rules always get Tensors (taps, a Cell's bprop, user functions).
        anyway: for an op whose rule may have to run although no gradient arrived: ``anyway(node)`` says whether
            (input taps close their call there).
        outputs: number of outputs; None: any number, given as a tuple.
        arity: number of Tensor inputs; None: any number, given as one sequence.
        inputs: their names in formulas.
        called: their names in a call.
        attrs: names of the other arguments, in order.
        promotes: positions of the inputs brought to a common dtype; True: all.
        floats: positions of the inputs whose integers and Bools are taken as float32.
        undo: for an op whose result may share memory with its input: ``undo(base, new, **attrs)`` is the input's
            value after the result became ``new``.
        elementwise: each rule's value has the output's shape (before a broadcast is undone).
        card: formulas in the field's notation: the value first, then one per differentiable input;
            or a function of the attributes that returns them. ``{word}`` stands for a text of ``texts/cards/``.
        kinks: the gradient agreed upon where there is none or more than one: at ties, corners and bounds.
        source: where the formulas come from: a named law of calculus (``"{product_rule}"``) or a publication.
        family: the module in ``ops`` that declares it; the reference is ordered by it.
        domain: interval in which the generated tests draw inputs.
        add_into: for an op whose rule makes an array of zeros with the gradient in some places: in first order
            ``add_into(total, g, **attrs)`` adds it there instead, lest every part of an array cost a whole one.
        step, second_step, observed_step: what the sweep runs for it in first order, in higher order, and in first order
            where somebody observes; see ``steps.py``.
    """

    name: str
    label: str
    kernel: Callable[..., Any]
    rules: Rules
    _: KW_ONLY
    keeps_inputs: bool = False
    keeps_output: bool = False
    saves: Sequence[str] = ()
    boxed: bool = False
    anyway: Callable[[Node], bool] | None = None
    outputs: int | None = 1
    arity: int | None = None
    inputs: tuple[str, ...] = ()
    called: tuple[str, ...] = ()
    attrs: tuple[str, ...] = ()
    promotes: Sequence[int] | Literal[True] = ()
    floats: Sequence[int] = ()
    undo: Callable[..., Any] | None = None
    elementwise: bool = False
    card: Any = ()
    kinks: Sequence[Kink] = ()
    source: str = ""
    family: str = ""
    domain: tuple[float, float] = REAL
    add_into: Callable[..., None] | None = None
    step: Callable[..., None] | None = None
    second_step: Callable[..., None] | None = None
    observed_step: Callable[..., None] | None = None

    def __repr__(self) -> str:
        return f"<op {self.name}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return OPS.__getitem__, (self.name,)

    @contextmanager
    def override(self, rules: Rules) -> Iterator[None]:
        """Use other backward rules, of either kind, inside a ``with`` block. They are looked up when the sweep runs.

        What is recorded by calls that begin inside keeps every value, so that the new rules may read what the old
        ones did not.
        """
        old = self.rules, self.step, self.second_step, self.observed_step
        self.rules, self.step, self.second_step, self.observed_step = rules, None, None, None
        OVERRIDDEN.append(self)
        try:
            with keeping_all():
                yield
        finally:
            self.rules, self.step, self.second_step, self.observed_step = old
            OVERRIDDEN.remove(self)


class Node:
    """One recorded run of an op. Holds parents and raw arrays, never a Tensor. Made by :func:`new_node`.

    Attributes:
        op: the Op.
        parents: one Node or None per input.
        args: the inputs' arrays, or None where the op's rules need none.
        out: the output array (a tuple for several outputs), or None where the rules do not need it.
        attrs: the op's other arguments and its saved values, or None.
        seq: serial number; parents have smaller ones. 0 is a Parameter's (see SharedLeaf).
        shape: shape of the output, or a tuple of shapes for several outputs.
        hooks: Tensor hooks on the output, or None.
        grad: the gradient gathered so far by the running sweep.
    """

    __slots__ = ("args", "attrs", "grad", "hooks", "op", "out", "parents", "seq", "shape")

    op: Op
    parents: tuple[Any, ...]
    args: Any
    out: Any
    attrs: Any
    seq: int
    shape: Any
    hooks: list[Callable[..., Any]] | None
    grad: Any

    def __repr__(self) -> str:
        return f"<{self.op.name} #{self.seq}>"

    def take(self) -> Any:
        """The gradient gathered so far, which is gone from here."""
        gradient, self.grad = self.grad, None
        return gradient


def new_node(op: Op, parents: tuple[Any, ...], args: Any, out: Any, attrs: Any, seq: int, shape: Any) -> Node:
    """A Node. Where ops are recorded this is written out: a class without a constructor is made in 0.05 µs."""
    node = Node()
    node.op = op
    node.parents = parents
    node.args = args
    node.out = out
    node.attrs = attrs
    node.seq = seq
    node.shape = shape
    node.hooks = node.grad = None
    return node


class SharedLeaf(Node):
    """A Parameter's Node: it belongs to every call, so each thread that sweeps has a gradient of its own there."""

    __slots__ = ("_gradients",)

    def __init__(self, op: Op, shape: tuple[int, ...]):
        self._gradients: dict[int, Any] = {}
        self.op, self.parents, self.shape, self.seq = op, (), shape, 0
        self.args = self.out = self.attrs = self.hooks = None

    def take(self) -> Any:
        """This thread's gradient, which is gone from here: 0.1 µs less than to read it and put None."""
        return self._gradients.pop(get_ident(), None)

    @property
    def grad(self) -> Any:  # type: ignore[override]
        """The gradient gathered so far by this thread's sweep."""
        return self._gradients.get(get_ident())

    @grad.setter
    def grad(self, gradient: Any) -> None:
        if gradient is None:
            self._gradients.pop(get_ident(), None)
        else:
            self._gradients[get_ident()] = gradient


class Dropped:
    """Stands for a value that the op's rules said they do not need: it has a shape, and raises when used."""

    __slots__ = ("name", "shape")

    def __init__(self, name: str, shape: tuple[int, ...] | None):
        self.name = name
        self.shape = shape

    def _refuse(self, *_: Any, **__: Any) -> Any:
        raise RuntimeError(say("errors.dropped", op=self.name))

    __array__ = __array_ufunc__ = __array_function__ = __getitem__ = _refuse
    _array = dtype = property(_refuse)
