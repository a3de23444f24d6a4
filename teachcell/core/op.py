"""Op: everything the house knows about one operation, and the two floors a rule is written against.

A rule ``rule(F, g, out, *inputs, **attrs)`` is written once and touches values only through ``F``. In first
order ``F`` is :data:`ARRAYS` (kernels on raw ndarrays, nothing recorded); when the gradient is itself being
differentiated ``F`` is :data:`TENSORS` (the public ops), so second derivatives follow from the same text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from types import SimpleNamespace
from typing import Any, Literal

next_seq = count(1).__next__  # serial numbers of Nodes
ARRAYS = SimpleNamespace()
TENSORS = SimpleNamespace()
OPS: dict[str, Op] = {}

Rule = Callable[..., Any]
Rules = tuple["Rule | None", ...] | Rule | None


class Op:
    """One operation: its kernel, its backward rules and the facts the sweep, the lens and the tests need.

    Attributes:
        name: ``"multiply"``; also its name in :data:`ARRAYS` and :data:`TENSORS`.
        label: the name shown to a reader, ``"MatMul"``.
        kernel: ndarrays in, ndarray out; ``(out, saved)`` when ``saves`` is not empty.
        rules: one rule per input (None: not differentiable), or one joint rule for all inputs, or None.
        keeps_inputs, keeps_output: whether the rules read these values.
        saves: names of further values that the kernel hands to the rules as keywords.
        boxed: the rules always get Tensors (taps, a Cell's bprop, user functions).
        always: the rule is run even when no gradient arrives (input taps close their call there).
        outputs: number of outputs.
        arity: number of Tensor inputs; None: any number, given as one sequence.
        inputs: their names.
        attrs: names of the other arguments, in order.
        promotes: positions of the inputs brought to a common dtype; True: all.
        floats: positions of the inputs whose integers and Bools are taken as float32.
        alias: the result may share memory with the first input.
        inplace: inputs whose memory the result may take.
        effect: ``"random"`` or ``"state"``: the op is more than a function of its inputs.
        elementwise: each rule's value has the output's shape (before a broadcast is undone).
        card: formulas in the field's notation: the value first, then one per differentiable input;
            or a function of the attributes that returns them.
        domain: interval in which the generated tests draw inputs.
        step: the specialised first-order step of the sweep, where the op has a plain shape.
    """

    __slots__ = (
        "alias", "always", "arity", "attrs", "boxed", "card", "domain", "effect", "elementwise", "floats", "inplace",
        "inputs", "keeps_inputs", "keeps_output", "kernel", "label", "name", "outputs", "promotes", "rules",
        "saves", "step",
    )  # fmt: skip

    name: str
    label: str
    kernel: Callable[..., Any]
    rules: Rules
    keeps_inputs: bool
    keeps_output: bool
    saves: tuple[str, ...]
    boxed: bool
    always: bool
    outputs: int
    arity: int | None
    inputs: tuple[str, ...]
    attrs: tuple[str, ...]
    promotes: Sequence[int] | Literal[True]
    floats: Sequence[int]
    alias: bool
    inplace: tuple[int, ...]
    effect: str | None
    elementwise: bool
    card: Any
    domain: tuple[float, float]
    step: Callable[..., None] | None

    def __init__(
        self, name: str, label: str, kernel: Callable[..., Any], rules: Rules, *, keeps_inputs: bool = False,
        keeps_output: bool = False, saves: tuple[str, ...] = (), boxed: bool = False, always: bool = False,
        outputs: int = 1, arity: int | None = None, inputs: tuple[str, ...] = (), attrs: tuple[str, ...] = (),
        promotes: Sequence[int] | Literal[True] = (), floats: Sequence[int] = (), alias: bool = False,
        inplace: tuple[int, ...] = (), effect: str | None = None, elementwise: bool = False, card: Any = (),
        domain: tuple[float, float] = (-2.0, 2.0),
    ):  # fmt: skip
        self.name, self.label, self.kernel, self.rules = name, label, kernel, rules
        self.keeps_inputs, self.keeps_output, self.saves = keeps_inputs, keeps_output, saves
        self.boxed, self.always, self.outputs, self.arity = boxed, always, outputs, arity
        self.inputs, self.attrs, self.promotes, self.floats = inputs, attrs, promotes, floats
        self.alias, self.inplace, self.effect, self.elementwise = alias, inplace, effect, elementwise
        self.card, self.domain, self.step = card, domain, None

    def __repr__(self) -> str:
        return f"<op {self.name}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return OPS.__getitem__, (self.name,)

    @contextmanager
    def override(self, rules: Rules) -> Iterator[None]:
        """Use other backward rules inside a ``with`` block. Rules are looked up when the sweep runs.

        A rule gets the same arguments as the one it replaces: ``rule(F, g, out, *inputs, **attrs)``.
        Record the forward under ``modes.keeping_all()`` if the new rule reads values the old one did not.
        """
        old = self.rules, self.step
        self.rules, self.step = rules, None
        try:
            yield
        finally:
            self.rules, self.step = old

    def formulas(self, attrs: dict[str, Any] | None) -> tuple[str, ...]:
        """The card's formulas for these attributes: the value's, then one per differentiable input."""
        return self.card(**(attrs or {})) if callable(self.card) else self.card


class Node:
    """One recorded run of an op. Holds parents and raw arrays, never a Tensor.

    Attributes:
        op: the Op.
        parents: one Node or None per input.
        args: the inputs' arrays, or None where the op's rules need none.
        out: the output array (a tuple for several outputs), or None where the rules do not need it.
        attrs: the op's other arguments and its saved values, or None.
        seq: serial number; parents have smaller ones. 0 is a Parameter's leaf, which belongs to every call.
        shape: shape of the output, or a tuple of shapes for several outputs.
        hooks: Tensor hooks on the output, or None.
        grad: the gradient gathered so far; used by one sweep at a time.
    """

    __slots__ = ("args", "attrs", "grad", "hooks", "op", "out", "parents", "seq", "shape")

    def __init__(self, op: Op, parents: tuple[Any, ...], args: Any, out: Any, attrs: Any, seq: int, shape: Any):
        self.op = op
        self.parents = parents
        self.args = args
        self.out = out
        self.attrs = attrs
        self.seq = seq
        self.shape = shape
        self.hooks: list[Callable[..., Any]] | None = None
        self.grad: Any = None

    def __repr__(self) -> str:
        return f"<{self.op.name} #{self.seq}>"


class Dropped:
    """Stands for a value that the op's rules said they do not need: it has a shape, and raises when used."""

    __slots__ = ("name", "shape")

    def __init__(self, name: str, shape: tuple[int, ...] | None):
        self.name = name
        self.shape = shape

    def _refuse(self, *_: Any, **__: Any) -> Any:
        from ..texts import say

        raise RuntimeError(say("errors.dropped", op=self.name))

    __array__ = __array_ufunc__ = __array_function__ = __getitem__ = _refuse
    _array = dtype = property(_refuse)
