"""Running an op: convert the operands, run the kernel, attach a Node while recording, tell observers.

:func:`apply` does it for any op; ``calls.py`` writes it out for the commonest shapes.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Any

import numpy as np

from ..kernels.precision import number_of
from ..texts import say
from . import dtypes, tracing
from .errors import explain
from .events import OBSERVERS
from .modes import recording
from .op import Node, Op, new_node, next_seq
from .tensor import Tensor, node_of, to_array, wrap
from .views import join_family

ndarray = np.ndarray
asarray = np.asarray


def number(value: Any, dtype: np.dtype) -> np.ndarray:
    """A Python number as a 0-d array of ``dtype``."""
    limits = np.iinfo(dtype) if dtype.kind in "iu" else None
    if limits is not None and not limits.min <= value <= limits.max:  # NumPy 1 would wrap
        raise OverflowError(say("errors.number_range", number=value, dtype=dtypes.of_array(dtype)))
    return number_of(dtype, value)


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


def _fit(op: Op, arrays: Sequence[np.ndarray]) -> bool:
    """Whether arrays have the dtypes that the op computes with (``op.promotes``, ``op.floats``)."""
    if op.promotes:
        shared = arrays if op.promotes is True else [arrays[i] for i in op.promotes]
        for array in shared:
            if array.dtype is not shared[0].dtype:
                return False
    return all([arrays[i].dtype.kind == "f" for i in op.floats])


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
    try:
        arrays = [t._array for t in inputs]
        fit = not (op.promotes or op.floats) or _fit(op, arrays)
    except AttributeError:  # no Tensor
        fit = False
    if not fit:
        inputs = _converted(op, inputs)
        arrays = [t._array for t in inputs]
    try:
        if tracing.current is not None:
            result = tracing.current.kernel(op.name, op.kernel, arrays, attrs or {})
        else:
            result = op.kernel(*arrays) if attrs is None else op.kernel(*arrays, **attrs)
    except Exception as error:
        for observer in [*OBSERVERS]:
            observer.op_failed(op, inputs, attrs, error)
        raise explain(op, arrays, attrs, error) from None
    given = attrs
    if op.saves:
        result, saved = result
        attrs = {**attrs, **saved} if attrs else saved
    if op.outputs == 1:
        out: Any = attach(op, inputs, arrays, result if type(result) is ndarray else tracing.asarray(result), attrs)
        if op.undo is not None and recording() is not None:
            join_family(out, inputs[0], op, given)
    else:
        out = attach_several(op, [node_of(t) for t in inputs], arrays, [tracing.asarray(r) for r in result], attrs)
    for observer in [*OBSERVERS]:
        observer.op_forward(op, inputs, out, given)
    return out


def attach(op: Op, tensors: Sequence[Tensor], arrays: list[Any], result: np.ndarray, attrs: Any) -> Tensor:
    """The result as a Tensor, with a Node when an input has one and somebody records."""
    mode = recording()
    if mode is None or op.rules is None:
        return wrap(result)
    since = mode.since  # Recording.links, written out
    nodes = [t._node for t in tensors]
    parents = tuple([n if n is not None and (n.seq >= since or mode.shares(n)) else None for n in nodes])
    if not any(parents) or result.dtype.kind != "f":
        return wrap(result)
    node = Node()
    node.op = op
    node.parents = parents
    node.args = arrays if op.keeps_inputs or mode.keeps_all else None
    node.out = result if op.keeps_output or mode.keeps_all else None
    node.attrs = attrs
    node.hooks = node.grad = None
    node.seq = next_seq()
    node.shape = result.shape
    mode.tape.append(node)
    return wrap(result, node)


def attach_several(
    op: Op, parents: Sequence[Node | None], arrays: Any, results: Sequence[np.ndarray], attrs: Any
) -> tuple[Tensor, ...]:
    """Several outputs: one Node and a PICK Node per float output."""
    mode = recording()
    if mode is None or not any(parents):
        return tuple([wrap(r) for r in results])
    outs = tuple(results)
    node = mode.add(new_node(op, tuple(parents), arrays, outs, attrs, next_seq(), tuple([r.shape for r in outs])))
    return tuple([wrap(r, pick(node, i) if r.dtype.kind == "f" else None) for i, r in enumerate(outs)])


def pick(node: Node, i: int) -> Node:
    """The Node of output ``i`` of a Node with several; gradients that reach it add into the Node's list."""
    found = Node()  # written out as in ``attach``: a Cell of LSTM makes four of them a step
    found.op = PICK
    found.parents = (node,)
    found.out = node.out[i] if node.out else None
    found.attrs = {"i": i}
    found.args = found.hooks = found.grad = None
    found.seq = next_seq()
    found.shape = node.shape[i]
    mode = recording()
    if mode is not None:
        mode.tape.append(found)
    return found


def _leaf_rule(F: Any, g: Any, out: Any, x: Any) -> Any:
    return g


def _identity(x: Any) -> Any:
    return x


LEAF = Op("leaf", "leaf", _identity, (_leaf_rule,), arity=1)
PICK = Op("pick", "pick", _identity, None, arity=1)
