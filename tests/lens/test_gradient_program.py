"""The gradient of a program as a program: each rule a call of its own, values by hand."""

from __future__ import annotations

import pytest
from lens.looking import Look

import teachcell as tc
from teachcell import Parameter, Tensor, nn, ops
from teachcell.lens.gradient_program import gradient_program
from teachcell.lens.program import Program


def look_at(net, *inputs, order: int = 1, **options) -> Look:
    return Look(gradient_program(Program(net, inputs, **options), order), *inputs).passed()


def rules(look: Look) -> dict[str, list[str]]:
    """The ops in the call of each rule."""
    runs = {call["id"]: call["name"] for call in look.calls if call["rule_run"]}
    return {name: [op["op"] for op in look.ops if op["call"] == number] for number, name in runs.items()}


def test_each_rule_is_a_call_with_the_ops_it_ran() -> None:
    look = look_at(lambda x: ops.exp(x) * 3, Tensor([0.0]))
    assert rules(look) == {"∂ Mul": ["multiply"], "∂ Exp": ["multiply"]}
    result = look.values[look.document["outputs"][0]]
    assert result["value"]["first"] == 3 and look.gradient("x") == [3]  # 3 exp(0), and its derivative


def test_second_derivative_of_a_cube_by_hand() -> None:
    x = Tensor([2.0])
    assert look_at(lambda x: x * x * x, x).gradient("x") == [12]  # (3 x²)' = 6 x
    assert look_at(lambda x: x * x * x, x, order=2).gradient("x") == [6]
    assert look_at(lambda x: ops.sin(x), Tensor([0.0])).gradient("x") == [0]


def test_a_bprop_of_ones_own_is_a_rule_too() -> None:
    class Square(nn.Cell):
        def construct(self, x):
            return x * x

        def bprop(self, x, out, dout):
            return (2 * x * dout,)

    look = look_at(Square(), Tensor([3.0]))
    assert look.gradient("x") == [2] and any("multiply" in made for made in rules(look).values())


def test_a_net_of_indices_is_differentiated_by_its_parameters() -> None:
    class Table(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.table = Parameter([[1.0], [2.0]])

        def construct(self, i):
            return self.table[i] * self.table[i]

    look = look_at(Table(), Tensor([1], tc.int32))
    assert look.values[look.document["outputs"][0]]["value"]["max"] == 4


def test_what_cannot_be_is_refused() -> None:
    program = Program(lambda i: i, (Tensor([1], tc.int32),))
    with pytest.raises(ValueError, match="no float input and no Parameter"):
        gradient_program(program)
    with pytest.raises(ValueError, match="from 1 to 3, not 4"):
        gradient_program(program, 4)


def test_a_gradient_inside_a_program_of_ones_own_is_seen_in_the_same_way() -> None:
    look = Look(lambda x: tc.grad(lambda y: ops.tanh(y))(x) * 2, Tensor([0.5])).passed()
    assert list(rules(look)) == ["∂ Tanh"]
