"""Ops as functions, written out: :func:`teachcell.core.record.apply` becomes straight-line code for one op.

At lesson sizes the bookkeeping costs more than the arithmetic: an operator on 8 x 8 arrays takes 0.7 µs, 1.1 with
recording, 0.3 of them NumPy's; through ``apply`` it is 2, through one function for all ops 0.05 more. A function is
written when it is first called; ``print(source(OPS["multiply"]))`` shows one. What is not of the commonest shape (no
Tensor, two dtypes, a capture of jit) goes through ``apply``. Where somebody watches, a second function runs, which
tells of the op: 1 µs less than ``apply``.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from textwrap import indent
from types import FunctionType
from typing import Any, NoReturn

import numpy as np

from ..kernels.precision import NUMBERS, number_of
from ..texts import say
from . import tracing, written
from .errors import explain
from .events import OBSERVERS
from .modes import recording
from .op import Node, Op, serial
from .record import apply
from .tensor import Tensor
from .views import join_family

_MEANS = {
    "__name__": __name__, "OBSERVERS": OBSERVERS, "NUMBERS": NUMBERS, "Node": Node, "Tensor": Tensor, "apply": apply,
    "asarray": np.asarray, "explain": explain, "join_family": join_family, "ndarray": np.ndarray,
    "new": object.__new__, "number_of": number_of, "recording": recording, "serial": serial, "tracing": tracing,
}  # fmt: skip

# How a function begins: one that has a second for where somebody watches, one that has none, and that second.
_UNWATCHED = """\
if OBSERVERS:
    return watched({inputs}{more})
"""
_GENERAL = """\
if OBSERVERS:
    {otherwise}
"""
_WATCHED = """\
if tracing.current is not None or op.rules is None:
    {otherwise}
"""
# Operands: their arrays a, b and Nodes first, second. {otherwise} is the call of ``apply``.
_ONE = """\
try:
    a, first = x._array, x._node
except AttributeError:  # no Tensor
    {otherwise}
"""
_TWO = """\
try:
    a, b = x._array, y._array
except AttributeError:  # no Tensor
    {otherwise}
first, second = x._node, y._node
"""
_ALIKE = """\
if a.dtype is not b.dtype:  # equal but distinct dtype objects only take the longer way
    {otherwise}
"""
_TWO_OR_NUMBER = """\
kind = type(y)
try:
    a, first = x._array, x._node
    if kind is float or kind is int:
        cache, second = NUMBERS[a.dtype.num], None
        b = cache.get(y)
        if b is None:
            b = number_of(a.dtype, y)
    else:
        b, second = y._array, y._node
        if a.dtype is not b.dtype:  # equal but distinct dtype objects only take the longer way
            {otherwise}
except (AttributeError, KeyError):  # no Tensor, or no floats
    {otherwise}
"""
_REFLECTED = """\
b, kind, first, second = y._array, type(x), None, y._node
cache = NUMBERS.get(b.dtype.num)
if cache is None or not (kind is float or kind is int):
    {otherwise}
a = cache.get(x)
if a is None:
    a = number_of(b.dtype, x)
"""
_ONLY_FLOATS = """\
if first is None and a.dtype.kind != "f":  # who has a Node holds floats
    {otherwise}
"""
_RUN = """\
try:
    result = {run}
except Exception as error:{tell}
    raise explain(op, [{arrays}], {attrs}, error) from None
"""
_TELL_FAILED = """
    for observer in [*OBSERVERS]:
        observer.op_failed(op, {given_to}, {attrs}, error)"""
_GIVEN = """\
given = attrs
"""
_TELL = """\
for observer in [*OBSERVERS]:
    observer.op_forward(op, {given_to}, out, {given})
"""
_SAVE = """\
result, saved = result
attrs = {**attrs, **saved} if attrs else saved
"""
_WRAP = """\
if type(result) is not ndarray:
    result = asarray(result)
out = new(Tensor)
out._array = result
out._extra = out._node = None
"""
# Nodes of calls that are over are nobody's parents; a Parameter's has the number 0.
_LINK_ONE = """\
if first is not None{only_floats}:
    mode = recording()
    if mode is not None and (first.seq >= mode.since or mode.shares(first)):
        out._node = node = Node()
        node.parents = (first,)
        node.shape = {shape}
"""
_LINK_TWO = """\
if first is not None or second is not None:
    mode = recording()
    if mode is not None{only_floats}:
        since = mode.since
        if first is not None and first.seq < since and not mode.shares(first):
            first = None
        if second is not None and second.seq < since and not mode.shares(second):
            second = None
        if first is not None or second is not None:
            out._node = node = Node()
            node.parents = (first, second)
            node.shape = {shape}
"""
_NODE = """\
node.op = op
node.args = {args}
node.out = {out}
node.attrs = {attrs}
node.hooks = node.grad = None
node.seq = next(serial)
mode.tape.append(node)
"""
# To take over a parent's tuple is cheaper than to ask the array, which makes a new one.
_SHARED_SHAPE = """(
            first.shape if first is not None and (second is not None and first.shape == second.shape or not b.ndim)
            else result.shape
        )"""
_VIEW = """\
if recording() is not None:
    join_family(out, x, op, {attrs})
"""


def functional(op: Op) -> Callable[..., Any]:
    """The function of an op: ``f(inputs..., attributes...)``, attributes also by keyword."""
    if op.attrs or op.saves or op.outputs != 1 or op.arity not in (1, 2) or (op.arity == 2 and not op.promotes):
        return _general(op)
    return _Written(op, _ONE if op.arity == 1 else _TWO_OR_NUMBER).call


def reflected(op: Op) -> Callable[[Any, Any], Tensor]:
    """The operator with a Python number at its left, ``1 - x``; anything else goes through ``apply``."""
    return _Written(op, _REFLECTED).call


def source(op: Op) -> str:
    """The text of an op's function, for a reader; with attributes that of what it calls."""
    return _Written(op, _ONE if op.arity == 1 else _TWO if op.attrs else _TWO_OR_NUMBER).text


class _Written:
    """A function that writes itself out when it is first called.

    Attributes:
        operands: the text that takes them.
        watched: whether it is the one that runs where somebody watches.
        call: the function.
        text: its lines.
    """

    def __init__(self, op: Op, operands: str):
        assert not (op.saves and op.undo)  # a view's attributes are those of the call
        self.op, self.operands, self.watched = op, operands, False
        self.takes_attrs, self.differentiable = bool(op.attrs or op.saves), op.rules is not None  # also if overridden
        self._begin()

    def _begin(self) -> None:
        means = {**_MEANS, "op": self.op, "kernel": self.op.kernel, "write": self._write}
        means["call"] = self.call = FunctionType(_unwritten.__code__, means, self.op.name)

    def _begin_watched(self) -> None:
        twin = copy(self)
        twin.watched, twin.operands = True, _TWO if self.op.arity == 2 else _ONE  # who watches is told of Tensors
        twin._begin()
        self.call.__globals__["watched"] = twin.call

    def _write(self) -> None:
        found: dict[str, Any] = {"__name__": __name__}
        written.run(self.text, __file__, self.op.name, found)
        if not self.watched:
            self._begin_watched()
        code = found["call"].__code__
        names = () if self.operands is _REFLECTED else self.op.called  # which a call may give by keyword
        # No name stands twice: a debugger copies variables by name.
        rest = [f"{name}_" if name in names else name for name in code.co_varnames[len(names) :]]
        self.call.__code__ = code.replace(co_varnames=(*names, *rest))

    @property
    def text(self) -> str:
        op, takes, reflected = self.op, self.takes_attrs, self.operands is _REFLECTED
        inputs, arrays = ("x, y", "a, b") if op.arity == 2 else ("x", "a")
        attrs, more = ("attrs", ", attrs") if takes else ("None", "")
        words = {
            "inputs": inputs, "more": more, "given_to": f"({inputs}{',' * (op.arity == 1)})", "arrays": arrays,
            "attrs": attrs, "given": "given" if op.saves else attrs, "tell": "",
            "run": f"kernel({arrays})" + f" if attrs is None else kernel({arrays}, **attrs)" * takes,
        }  # fmt: skip
        words["otherwise"] = "return apply(op, {given_to}{more})".format(**words)
        if self.watched:
            words["tell"] = _TELL_FAILED.format(**words)
        general = reflected or not self.differentiable  # what has no rule may be given one where somebody watches
        lines = (_WATCHED if self.watched else _GENERAL if general else _UNWATCHED) + self.operands
        lines += _ALIKE * bool(op.promotes and self.operands is _TWO)
        lines += _ONLY_FLOATS * bool(op.floats and not reflected) + _RUN
        body = lines.format(**words) + (_GIVEN * self.watched + _SAVE) * bool(op.saves) + _WRAP
        if self.differentiable:
            body += self._link(arrays, attrs)
        if op.undo is not None:
            body += _VIEW.format(attrs=attrs)
        body += (_TELL * self.watched).format(**words)
        taken = "y, x" if reflected else inputs
        return f"def call({taken}{more}):\n{indent(body + 'return out', '    ')}\n"

    def _link(self, arrays: str, attrs: str) -> str:
        op, one = self.op, self.op.arity == 1
        own, keep = "first.shape" if one else _SHARED_SHAPE, " if mode.keeps_all else None"
        floats = ' and result.dtype.kind == "f"' * self.takes_attrs
        link = (_LINK_ONE if one else _LINK_TWO).format(
            only_floats=floats, shape=own if op.elementwise else "result.shape"
        )
        node = _NODE.format(
            args=f"({arrays}{',' * one})" + keep * (not op.keeps_inputs), out="result" + keep * (not op.keeps_output),
            attrs=attrs,
        )  # fmt: skip
        return link + indent(node, " " * (8 if one else 12))


def _unwritten(*args: Any, **kwargs: Any) -> Any:
    """What a function is before its first call: its globals are those of the written one."""
    write()  # type: ignore[name-defined]  # noqa: F821
    return call(*args, **kwargs)  # type: ignore[name-defined]  # noqa: F821


NOT_CALLED = _unwritten.__code__


def _general(op: Op) -> Callable[..., Any]:
    """The function of an op of any other shape, or with attributes."""
    count, names, known = len(op.called), op.attrs, frozenset(op.attrs)
    most = count + len(names)
    one: Any = _Written(op, _ONE).call if op.arity == 1 and op.outputs == 1 else None
    alike = op.promotes is True or (op.promotes == () and op.floats == (0,))  # or the second is of any dtype
    two: Any = _Written(op, _TWO).call if op.outputs == 1 and not op.undo and op.arity == 2 and alike else None

    def call(*args: Any, **kwargs: Any) -> Any:
        given = len(args)
        if two is not None and given == 2 and (not kwargs or kwargs.keys() <= known):
            return two(*args, kwargs or None)
        if given == count and kwargs.keys() <= known:
            attrs: Any = kwargs
        elif count < given <= most and not kwargs:
            attrs = dict(zip(names, args[count:], strict=False))
            args = args[:count]
        else:
            args, attrs = _bound(op, args, kwargs)
        if one is not None:
            return one(args[0], attrs or None)
        if two is not None:
            return two(*args, attrs or None)
        return apply(op, args if op.arity is not None else args[0], attrs or None)

    return call


def _bound(op: Op, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The inputs and the attributes of a call."""
    count, names = len(op.called), op.attrs
    inputs, rest = args[:count], args[count:]
    if len(inputs) < count:
        inputs = _named_inputs(op, inputs, kwargs)
    for name in kwargs:
        if name not in names:
            _refuse_keyword(op, name)
    if len(rest) > len(names):
        raise TypeError(say("errors.too_many", op=op.name, most=count + len(names), got=len(args)))
    for name, value in zip(names, rest, strict=False):
        if name in kwargs:
            raise TypeError(say("errors.twice", op=op.name, name=name))
        kwargs[name] = value
    return inputs, kwargs


def _named_inputs(op: Op, inputs: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, ...]:
    """The positional inputs and, after them, those given by keyword."""
    names = op.called[len(inputs) :]
    missing = [name for name in names if name not in kwargs]
    if missing:
        raise TypeError(say("errors.missing", op=op.name, names=", ".join(missing)))
    return (*inputs, *[kwargs.pop(name) for name in names])


def _refuse_keyword(op: Op, name: str) -> NoReturn:
    if name in op.called:
        raise TypeError(say("errors.twice", op=op.name, name=name))
    known = ", ".join([*op.called, *op.attrs])
    raise TypeError(say("errors.unknown_argument", op=op.name, name=name, known=known))
