"""Functions written out for single ops: they record what the general way records."""

from __future__ import annotations

import contextlib
from typing import Any

import numpy as np
import pytest
from ops.samples import NOT_DIFFERENTIABLE, SAMPLES
from ops.test_gradients import smooth

from teachcell import Tensor, grad
from teachcell.core import modes
from teachcell.core.calls import functional, source
from teachcell.core.events import OBSERVERS, Observer, observing
from teachcell.core.nested import tensors_in
from teachcell.core.op import OPS, Node, Op, new_node, next_seq
from teachcell.core.record import LEAF, apply
from teachcell.core.tensor import wrap


def told(node: Node | None, leaves: list[Node]) -> Any:
    """A Node and all it leads to, as values that can be compared."""
    if node is None or node in leaves:
        return node and leaves.index(node)
    values = [x is not None and [np.shape(a) for a in (x if isinstance(x, (tuple, list)) else [x])]
              for x in (node.args, node.out)]
    attrs = sorted(node.attrs or ())
    return node.op.name, [told(p, leaves) for p in node.parents], values, attrs, node.shape, node.hooks, node.grad


def graphs(function: Any, tensors: list[Tensor]) -> Any:
    leaves = [new_node(LEAF, (), (t._array,), None, None, next_seq(), t.shape) for t in tensors]
    out = function(*[wrap(t._array, leaf) for t, leaf in zip(tensors, leaves, strict=True)])
    return [told(t._node, leaves) for t in tensors_in(out)]


class Compared(Observer):
    """An observer that runs every op of which it is told once more, in the general way."""

    def __init__(self) -> None:
        self.ops = 0

    def op_forward(self, op: Op, inputs: Any, outputs: Any, attrs: Any) -> None:
        OBSERVERS.remove(self)
        try:
            again = apply(op, inputs, attrs)
        finally:
            OBSERVERS.append(self)
        leaves = list({id(t._node): t._node for t in tensors_in(inputs) if t._node is not None}.values())
        for one, other in zip(tensors_in(outputs), tensors_in(again), strict=True):
            assert told(one._node, leaves) == told(other._node, leaves), op.name
        self.ops += 1


@pytest.mark.parametrize("op", [name for name in SAMPLES if name not in NOT_DIFFERENTIABLE])
def test_written_functions_and_the_general_way_record_the_same(op: str) -> None:
    compared = Compared()
    for sample in SAMPLES[op][:4]:
        function, tensors = smooth(sample)
        with modes.Recording(since=next_seq()):
            written = graphs(function, tensors)
            with observing(compared):
                watched = graphs(function, tensors)
        assert written == watched, sample
    assert compared.ops


def test_a_function_holds_no_line_its_op_does_not_need() -> None:
    assert "node.args = (a, b)\n" in source(OPS["multiply"]) and "attrs)" not in source(OPS["multiply"])
    assert "node.args = (a,) if mode.keeps_all else None" in source(OPS["tanh"])
    assert "recording" not in source(OPS["floor"]) and "join_family" in source(OPS["reshape"])


def test_functions_are_written_once_and_keep_the_names_of_their_inputs() -> None:
    sqrt, add = functional(OPS["sqrt"]), functional(OPS["add"])
    x, before = Tensor([1.0, 4.0]), sqrt.__code__
    assert sqrt(x=x).asnumpy().tolist() == [1.0, 2.0]
    written = sqrt.__code__
    assert written is not before and sqrt(x).asnumpy().tolist() == [1.0, 2.0] and sqrt.__code__ is written
    assert add(input=x, other=1.0).asnumpy().tolist() == (1 + x).asnumpy().tolist() == [2.0, 5.0]


def test_a_function_first_called_while_its_op_has_no_rule_records_afterwards() -> None:
    tanh = functional(OPS["tanh"])
    x = Tensor([0.5])
    with OPS["tanh"].override(None):
        assert grad(tanh)(x).asnumpy().tolist() == [0.0]
    assert grad(tanh)(x).asnumpy() == pytest.approx(1 - np.tanh(0.5) ** 2)


def test_no_two_variables_of_a_function_share_a_name() -> None:
    """A tracer copies them out and in again by name, up to Python 3.12."""
    for op in map(OPS.get, SAMPLES):
        if op is not None and op.arity in (1, 2) and not (op.attrs or op.saves):
            function: Any = functional(op)
            with contextlib.suppress(Exception):
                function(*[None] * op.arity)
            names = function.__code__.co_varnames
            assert len(set(names)) == len(names), op.name
