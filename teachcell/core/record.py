"""Running an op: convert the operands, run the kernel, attach a Node while recording, tell observers.

:func:`apply` does it for any op. :func:`unary` and :func:`binary` are the same thing written out for the
two commonest shapes, since at lesson sizes the bookkeeping costs more than the arithmetic: an operator on
8 x 8 arrays takes about 1 µs with recording, a third of it NumPy's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any, NoReturn

import numpy as np

from ..texts import say
from . import dtypes, tracing
from .errors import explain
from .events import OBSERVERS, emit
from .modes import recording
from .op import Node, Op, next_seq
from .tensor import Tensor, node_of, to_array, wrap
from .views import join_family

ndarray = np.ndarray
asarray = np.asarray
_new = object.__new__

# Python numbers as cached, read-only 0-d arrays, by the number of a float dtype. Never 0 (-0.0 == 0.0) or NaN.
_NUMBERS: dict[int, dict[Any, np.ndarray]] = {d.numpy.num: {} for d in (dtypes.float32, dtypes.float64, dtypes.float16)}
_MOST_NUMBERS = 4096


def number(value: Any, dtype: np.dtype) -> np.ndarray:
    """A Python number as a 0-d array of ``dtype``, from the cache where that is safe."""
    cache = _NUMBERS.get(dtype.num)
    found = cache.get(value) if cache is not None else None
    if found is None:
        limits = np.iinfo(dtype) if dtype.kind in "iu" else None
        if limits is not None and not limits.min <= value <= limits.max:  # NumPy 1 would wrap
            raise OverflowError(say("errors.number_range", number=value, dtype=dtypes.of_array(dtype)))
        with np.errstate(all="ignore"):
            found = np.array(value, dtype)
        found.flags.writeable = False
        if cache is not None and value and value == value and len(cache) < _MOST_NUMBERS:
            cache[value] = found
    return found


def operand(value: Any, like: np.dtype | None = None) -> Tensor:
    """Any allowed operand as a Tensor; a number takes the dtype it has beside a ``like`` Tensor."""
    if isinstance(value, Tensor):
        return value
    if isinstance(value, np.generic):
        value = value.item() if like is not None else np.asarray(value)
    if like is not None and isinstance(value, (bool, int, float)):
        return wrap(number(value, dtypes.with_number(like, value)))
    return wrap(to_array(value, None))


def float_operand(value: Any, like: np.dtype | None = None) -> Tensor:
    """Any allowed operand as a Tensor of floats: integers and Bool become float32."""
    tensor = operand(value, like)
    return tensor if tensor._array.dtype.kind == "f" else tensor.astype(dtypes.float32)


def convert(op: Op, inputs: Sequence[Any]) -> Sequence[Tensor]:
    """The inputs as Tensors of the dtypes that the op computes with (``op.promotes``, ``op.floats``)."""
    for tensor in inputs:
        if not isinstance(tensor, Tensor):
            return _converted(op, inputs)
    if op.promotes:
        shared = inputs if op.promotes is True else [inputs[i] for i in op.promotes]
        for tensor in shared:
            if tensor._array.dtype is not shared[0]._array.dtype:
                return _converted(op, inputs)
    for i in op.floats:
        if inputs[i]._array.dtype.kind != "f":
            return _converted(op, inputs)
    return inputs


def _converted(op: Op, inputs: Sequence[Any]) -> list[Tensor]:
    like = next((t._array.dtype for t in inputs if isinstance(t, Tensor)), None)
    try:
        tensors = [operand(t, like) for t in inputs]
    except (TypeError, OverflowError) as error:
        raise type(error)(say("errors.operand", op=op.label, why=error)) from None
    for i in op.floats:
        tensors[i] = float_operand(tensors[i])
    positions = range(len(tensors)) if op.promotes is True else op.promotes
    if len(positions) > 1:
        common = reduce(dtypes.promote, [tensors[i]._array.dtype for i in positions])
        for i in positions:
            if tensors[i]._array.dtype != common:
                tensors[i] = tensors[i].astype(dtypes.of_array(common))
    return tensors


def apply(op: Op, inputs: Sequence[Any], attrs: dict[str, Any] | None = None) -> Any:
    """Run ``op`` on Tensors (or what can become one) and return its Tensor, or a tuple of them."""
    tensors = convert(op, inputs)
    arrays = [t._array for t in tensors]
    try:
        if tracing.current is not None:
            result = tracing.current.kernel(op.name, op.kernel, arrays, attrs or {})
        else:
            result = op.kernel(*arrays) if attrs is None else op.kernel(*arrays, **attrs)
    except Exception as error:
        if OBSERVERS:
            emit("op_failed", op, tensors, attrs, error)
        raise explain(op, arrays, attrs, error) from None
    given = attrs
    if op.saves:
        result, saved = result
        attrs = {**attrs, **saved} if attrs else saved
    if op.outputs == 1:
        out: Any = attach(op, tensors, arrays, tracing.asarray(result), attrs)
        if op.undo is not None and recording() is not None:
            join_family(out, tensors[0], op, given)
    else:
        out = attach_several(op, [node_of(t) for t in tensors], arrays, [tracing.asarray(r) for r in result], attrs)
    if OBSERVERS:
        emit("op_forward", op, tensors, out, given)
    return out


def attach(op: Op, tensors: Sequence[Tensor], arrays: list[Any], result: np.ndarray, attrs: Any) -> Tensor:
    """The result as a Tensor, with a Node when an input has one and somebody records."""
    node, mode = None, recording()
    if mode is not None and op.rules is not None and result.dtype.kind == "f":
        parents = tuple([node_of(t) for t in tensors])
        if any(parents):
            node = Node(
                op, parents,
                arrays if op.keeps_inputs or mode.keeps_all else None,
                result if op.keeps_output or mode.keeps_all else None,
                attrs, next_seq(), result.shape,
            )  # fmt: skip
    return wrap(result, node)


def attach_several(
    op: Op, parents: Sequence[Node | None], arrays: Any, results: Sequence[np.ndarray], attrs: Any
) -> tuple[Tensor, ...]:
    """Several outputs: one Node and a PICK Node per float output."""
    if recording() is None or not any(parents):
        return tuple([wrap(r) for r in results])
    outs = tuple(results)
    node = Node(op, tuple(parents), arrays, outs, attrs, next_seq(), tuple([r.shape for r in outs]))
    return tuple([wrap(r, pick(node, i) if r.dtype.kind == "f" else None) for i, r in enumerate(outs)])


def pick(node: Node, i: int) -> Node:
    """The Node of output ``i`` of a Node with several; gradients that reach it add into the Node's list."""
    return Node(PICK, (node,), None, node.out[i] if node.out else None, {"i": i}, next_seq(), node.shape[i])


def unary(op: Op) -> Callable[[Any], Tensor]:
    """``apply`` written out for one Tensor input and no attributes."""
    kernel, keeps_inputs, keeps_output = op.kernel, op.keeps_inputs, op.keeps_output
    differentiable, floats = op.rules is not None, op.floats

    def call(x: Any) -> Tensor:
        if OBSERVERS:
            return apply(op, (x,))
        try:
            a = x._array
        except AttributeError:  # no Tensor
            return apply(op, (x,))
        parent = x._node
        if floats and parent is None and a.dtype.kind != "f":
            return apply(op, (x,))
        try:
            result = kernel(a)
        except Exception as error:
            raise explain(op, [a], None, error) from None
        if type(result) is not ndarray:
            result = asarray(result)
        out = _new(Tensor)
        out._array = result
        out._extra = out._node = None
        if parent is not None and differentiable:
            mode = recording()
            if mode is not None and (parent.seq >= mode.since or not parent.seq):
                out._node = node = _new(Node)
                node.op = op
                node.parents = (parent,)
                node.args = (a,) if keeps_inputs or mode.keeps_all else None
                node.out = result if keeps_output or mode.keeps_all else None
                node.attrs = node.hooks = node.grad = None
                node.seq = next_seq()
                node.shape = result.shape
        return out

    return _named(call, op.called)


def binary(op: Op) -> Callable[[Any, Any], Tensor]:
    """``apply`` written out for two inputs of one dtype, or a float Tensor and a Python number."""
    kernel, keeps_inputs, keeps_output = op.kernel, op.keeps_inputs, op.keeps_output
    differentiable, floats = op.rules is not None, op.floats

    def call(x: Any, y: Any) -> Tensor:
        if OBSERVERS:
            return apply(op, (x, y))
        try:
            a = x._array
        except AttributeError:  # no Tensor
            return apply(op, (x, y))
        kind = type(y)
        if kind is Tensor or isinstance(y, Tensor):
            b = y._array
            second = y._node
            # equal but distinct dtype objects only take the longer way
            if a.dtype is not b.dtype or (floats and a.dtype.kind != "f"):
                return apply(op, (x, y))
        elif kind is float or kind is int:
            cache = _NUMBERS.get(a.dtype.num)
            b = cache.get(y) if cache is not None else None  # type: ignore[assignment]
            if b is None:
                if cache is None:
                    return apply(op, (x, y))
                b = number(y, a.dtype)
            second = None
        else:
            return apply(op, (x, y))
        try:
            result = kernel(a, b)
        except Exception as error:
            raise explain(op, [a, b], None, error) from None
        if type(result) is not ndarray:
            result = asarray(result)
        out = _new(Tensor)
        out._array = result
        out._extra = out._node = None
        first = x._node
        if (first is not None or second is not None) and differentiable:
            mode = recording()
            if mode is None:
                return out
            since = mode.since
            if first is not None and first.seq < since and first.seq:
                first = None
            if second is not None and second.seq < since and second.seq:
                second = None
            if first is not None or second is not None:
                out._node = node = _new(Node)
                node.op = op
                node.parents = (first, second)
                node.args = (a, b) if keeps_inputs or mode.keeps_all else None
                node.out = result if keeps_output or mode.keeps_all else None
                node.attrs = node.hooks = node.grad = None
                node.seq = next_seq()
                node.shape = result.shape
        return out

    return _named(call, op.called)


def _named(call: Callable[..., Tensor], names: Sequence[str]) -> Callable[..., Tensor]:
    """``call`` with parameters of these names: accepting any by ``**kwargs`` would cost each call a dict."""
    code = call.__code__
    call.__code__ = code.replace(co_varnames=(*names, *code.co_varnames[len(names) :]))
    return call


def general(op: Op) -> Callable[..., Any]:
    """The functional form of any other op: ``f(inputs..., attributes...)``, attributes also by keyword."""
    count, names = len(op.called), op.attrs

    def call(*args: Any, **kwargs: Any) -> Any:
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
        return apply(op, inputs[0] if op.arity is None else inputs, kwargs or None)

    return call


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


def _leaf_rule(F: Any, g: Any, out: Any, x: Any) -> Any:
    return g


def _identity(x: Any) -> Any:
    return x


LEAF = Op("leaf", "leaf", _identity, (_leaf_rule,), arity=1)
PICK = Op("pick", "pick", _identity, None, arity=1)
