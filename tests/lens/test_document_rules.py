"""The document of programs with backward rules of their own."""

from __future__ import annotations

import numpy as np
from lens.looking import Look

import teachcell as tc
from teachcell import Tensor, nn

X = Tensor([1.0, -2.0, 3.0])


def test_a_function_with_its_own_backward() -> None:
    class Double(tc._Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, g):
            return g * 7

    look = Look(lambda x: Double.apply(x) + 1, X).passed()
    assert look.order() == ["multiply", "add", "∂add", "bprop Double"]
    assert look.calls[1]["cls"] == "Double" and look.calls[1]["rule"] == "own bprop"
    assert look.gradient("x") == [7, 7, 7]


def test_a_rule_for_a_result_that_no_op_made() -> None:
    class Step(nn.Cell):
        def construct(self, x):
            return Tensor((x.asnumpy() > 0).astype(np.float32))

        def bprop(self, x, out, dout):
            return (dout * 4,)

    look = Look(Step(), X, loss=lambda y: y * 2).passed()
    assert [(o["op"], o["label"]) for o in look.ops] == [("construct", "Step"), ("multiply", "Mul")]
    assert look.ops[0]["inputs"] == [0] and look.gradient("x") == [8, 8, 8]


def test_a_rule_around_an_identity() -> None:
    class Reverse(nn.Cell):
        def construct(self, x):
            return x

        def bprop(self, x, out, dout):
            return (-dout,)

    look = Look(Reverse(), X, loss=lambda y: y * 2).passed()
    assert look.order() == ["construct", "multiply", "∂multiply", "bprop "]
    assert look.gradient("x") == [-2, -2, -2] and look.made_by("construct")["grad"]["strip"] == [2, 2, 2]


def test_nested_rules_the_outer_one_counts() -> None:
    class Inner(nn.Cell):
        def construct(self, x):
            return x * 2

        def bprop(self, x, out, dout):
            raise AssertionError

    class Outer(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.inner = Inner()

        def construct(self, x):
            return self.inner(x) + 1

        def bprop(self, x, out, dout):
            return (dout * 9,)

    look = Look(Outer(), X).passed()
    assert [c["rule"] for c in look.calls] == ["own bprop", "engine"]
    assert look.gradient("x") == [9, 9, 9]
    assert look.made_by("multiply")["why"] == "Outer ran a bprop instead of this"


def test_several_outputs_of_a_rule_and_one_unused() -> None:
    class Split(nn.Cell):
        def construct(self, x):
            return x * 2, x * 3

        def bprop(self, x, out, dout):
            return (dout[0] * 10 + dout[1] * 100,)

    class Net(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.split = Split()

        def construct(self, x):
            return self.split(x)[0] * 1

    look = Look(Net(), X).passed()
    assert look.gradient("x") == [10, 10, 10]
    assert look.events[-1]["incoming"] == [look.calls[1]["outputs"][0]]
    assert look.values[look.calls[1]["outputs"][1]]["why"] == "no op uses it"
