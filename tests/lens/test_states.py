"""Why a gradient looks as it does: every state, on the right values, with the right cause."""

from __future__ import annotations

import numpy as np
import pytest
from lens.looking import Look

import teachcell as tc
from teachcell import Parameter, Tensor, nn, ops

X = Tensor([1.0, -2.0, 3.0])


class Around(nn.Cell):
    """x * w, then a Cell of the test's choice, then * 2."""

    def __init__(self, cell: nn.Cell) -> None:
        super().__init__()
        self.w = Parameter([1.0, 1.0, 1.0])
        self.cell = cell

    def construct(self, x):
        return self.cell(x * self.w) * 2


def test_stop_gradient_cuts_what_lies_before_and_not_what_lies_beside() -> None:
    look = Look(lambda x: ops.stop_gradient(x * 3) * x, X).passed()
    assert look.gradient("x") == [3, -6, 9]
    assert look.made_by("multiply")["grad_state"] == "cut"
    assert look.made_by("multiply")["why"] == "StopGradient passes no gradient on"
    after = look.made_by("stop_gradient")
    assert (after["grad_state"], after["why"]) == (
        "not needed",
        "StopGradient, which it was computed with, passes no gradient on: none would get any further",
    )
    assert look.order()[-1] == "cut at stop_gradient" and look.events[-1]["op"] == 1


def test_everything_cut_leaves_no_backward_pass() -> None:
    look = Look(lambda x: ops.stop_gradient(x) * 2, X).passed()
    assert look.states() == {"x": "cut"} and look.values[look.document["outputs"][0]]["grad_state"] == "not needed"
    assert look.order() == ["stop_gradient", "multiply", "cut at stop_gradient"]


@pytest.mark.parametrize(
    ("detour", "op"),
    [
        (lambda x: (x > 0).astype(tc.float32), "Greater"),
        (lambda x: x.astype(tc.int32).astype(tc.float32), "Cast"),
        (lambda x: ops.sign(x), "Sign"),
        (lambda x: ops.floor(x), "Floor"),
    ],
)
def test_steps_and_int_casts_cut(detour, op) -> None:
    look = Look(lambda x: detour(x * 1) * 5, X).passed()
    assert look.states() == {"x": "cut"} and look.value("x")["why"] == f"{op} passes no gradient on"
    assert look.made_by("multiply")["grad_state"] == "cut"


def test_a_way_around_the_cut_is_no_cut() -> None:
    look = Look(lambda x: ops.floor(x) * x, X).passed()
    assert look.states() == {"x": "computed"} and look.gradient("x") == [1, -2, 3]
    assert look.made_by("floor")["grad_state"] == "not needed"
    assert not [e for e in look.events if e["kind"] == "cut"]


def test_what_only_a_print_uses_is_no_cut() -> None:
    def program(x):
        y = x * 2
        ops.floor(y)
        return y

    assert Look(program, X).passed().gradient("x") == [2, 2, 2]


def test_dead_ends() -> None:
    look = Look(lambda x: (x * 2, x * 5)[0], X).passed()
    assert look.made_by("multiply", 1)["why"] == "no op uses it"
    look = Look(lambda x: (ops.exp(x * 5), x)[1], X).passed()
    assert look.made_by("multiply")["why"].startswith("no ops lead from it to the result")


def test_frozen_parameters_and_what_only_they_feed() -> None:
    net = Around(nn.ReLU())
    net.w.requires_grad = False
    look = Look(net, Tensor([1, 2, 3])).passed()
    assert look.states() == {"x": "not differentiable", "w": "not needed"}
    assert look.value("w")["why"] == "frozen: requires_grad is False"
    assert (
        look.made_by("multiply")["why"]
        == "no ops lead to it from a Parameter, or from an input whose gradient is asked for"
    )
    assert look.order() == ["cast", "multiply", "relu", "multiply"]


def test_constants_and_integers() -> None:
    look = Look(lambda x: x * Tensor([2.0, 2.0, 2.0]) + Tensor([1, 2, 3]), X).passed()
    constant, whole = [v for v in look.values if v["kind"] == "constant"]
    assert constant["why"] == "no ops lead to it from a Parameter, or from an input whose gradient is asked for"
    assert whole["grad_state"] == "not differentiable"


def test_dead_relu_and_the_zeros_before_it() -> None:
    look = Look(Around(nn.ReLU()), Tensor([-1.0, -2.0, -3.0])).passed()
    relu = look.made_by("relu")
    assert (relu["value_state"], relu["grad_state"]) == ("dead", "computed")
    assert look.states() == {"x": "zero", "w": "zero"} and look.made_by("multiply")["grad_state"] == "zero"
    assert look.made_by("multiply", 1)["value_state"] == "computed"  # 0, but no ReLU
    assert Look(ops.relu, Tensor(np.zeros((0,), np.float32))).made_by("relu")["value_state"] == "computed"


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_nan_and_inf_from_the_start_on(bad) -> None:
    look = Look(lambda x: (x * 2).sum(), Tensor([1.0, bad])).passed()
    assert [v["value_state"] for v in look.values if v["shape"] or v["op"] is not None] == ["nan starts", "nan", "nan"]
    value = look.value("x")["value"]
    assert value["strip"] == [1.0, None] and value["nan"] + value["inf"] == 1 and value["max"] == 1


def test_where_nan_starts_forward() -> None:
    look = Look(lambda x: ops.sqrt(x - 1) * 2, Tensor([2.0, 0.0])).passed()
    assert look.value("x")["value_state"] == look.made_by("subtract")["value_state"] == "computed"
    assert look.made_by("sqrt")["value_state"] == "nan starts" and look.made_by("multiply")["value_state"] == "nan"


def test_where_inf_starts_backward() -> None:
    look = Look(lambda x: ops.sqrt(x * 1) * 3, Tensor([4.0, 0.0])).passed()
    assert {v["value_state"] for v in look.values} == {"computed"}
    assert look.made_by("sqrt")["grad_state"] == "computed"
    assert look.made_by("multiply")["grad_state"] == "nan starts"
    assert look.value("x")["grad_state"] == "nan" and look.gradient("x") == [0.75, None]


def test_nan_starts_at_the_path_that_brings_it() -> None:
    # x's gradient is complete only at the end, so it is NaN, but the NaN comes out of sqrt, not out of exp
    look = Look(lambda x: ops.exp(x) + ops.sqrt(x * 0), Tensor([1.0])).passed()
    assert look.made_by("multiply")["grad_state"] == "nan starts"
    assert look.made_by("exp")["grad_state"] == "computed" and look.value("x")["grad_state"] == "nan"


# Hooks ----------------------------------------------------------------------------------------------------


def test_new_data_from_a_forward_hook() -> None:
    net = Around(nn.ReLU())
    net.cell.register_forward_hook(lambda cell, inputs, output: Tensor(output.asnumpy() * 2))
    look = Look(net, X).passed()
    why = "cell's forward hook <lambda> returned new data, not computed from its output"
    assert {v["why"] for v in look.values if v["grad_state"] == "cut"} == {why}
    assert look.states() == {"x": "cut", "w": "cut"} and look.made_by("relu")["grad_state"] == "cut"
    assert look.values[look.calls[1]["outputs"][0]]["replaces"] == look.made_by("relu")["id"]


def test_a_hook_that_detaches_names_the_op() -> None:
    net = Around(nn.ReLU())
    net.cell.register_forward_pre_hook(lambda cell, inputs: (ops.stop_gradient(inputs[0]),))
    look = Look(net, X).passed()
    assert look.value("x")["why"] == "StopGradient passes no gradient on" and look.outcome.recorder.severed == []


def test_of_two_hooks_the_one_that_cuts_is_named() -> None:
    def double(cell, inputs):
        return inputs[0] * 2

    def renew(cell, inputs):
        return Tensor(inputs[0].asnumpy())

    net = Around(nn.ReLU())
    net.cell.register_forward_pre_hook(double)
    net.cell.register_forward_pre_hook(renew)
    look = Look(net, X).passed()
    assert "renew" in look.value("x")["why"]
    doubled = look.made_by("multiply", 1)
    assert doubled["grad_state"] == "cut"
    assert [v["replaces"] for v in look.values if v["replaces"] is not None] == [doubled["id"]]


def test_a_hook_that_returns_one_known_tensor_in_two_calls() -> None:
    fixed = Tensor([1.0, 1.0, 1.0])
    relu = nn.ReLU()
    relu.register_forward_pre_hook(lambda cell, inputs: fixed)
    look = Look(lambda x, y: relu(x * 2) + relu(y * 3), X, X).passed()
    assert look.states() == {"x": "cut", "y": "cut"}
    first, second = [v["replaces"] for v in look.values if v["replaces"] is not None]
    assert (first, second) == (look.made_by("multiply")["id"], look.made_by("multiply", 1)["id"])


def test_a_hook_that_puts_a_parameter_in_its_place() -> None:
    weight = Parameter([1.0, 2.0, 3.0], name="given")
    net = Around(nn.ReLU())
    net.cell.register_forward_pre_hook(lambda cell, inputs: weight * 1)
    look = Look(net, X).passed()
    assert look.states() == {"x": "cut", "w": "cut", "given": "computed"} and look.gradient("given") == [2, 2, 2]


def test_hooks_that_return_what_they_got_replace_nothing() -> None:
    net = Around(nn.ReLU())
    net.cell.register_forward_pre_hook(lambda cell, inputs: inputs)
    net.cell.register_forward_hook(lambda cell, inputs, output: output)
    net.cell.register_backward_pre_hook(lambda cell, arrived: arrived)
    net.cell.register_backward_hook(lambda cell, left, arrived: left)
    look = Look(net, X).passed()
    hooks = [e for e in look.events if e["kind"] == "hook"]
    assert [e["hook"] for e in hooks] == ["forward_pre", "forward", "backward_pre", "backward"]
    assert not any(e["replaced"] for e in hooks) and look.outcome.recorder.severed == []


def test_backward_hooks_that_replace_what_flows_on() -> None:
    net = Around(nn.Dense(3, 3, weight_init=Tensor(np.eye(3, dtype=np.float32)), has_bias=False))
    net.cell.register_backward_pre_hook(lambda cell, arrived: (arrived[0] * 10,))
    net.cell.register_backward_hook(lambda cell, left, arrived: (left[0] * 100,))
    look = Look(net, Tensor([[1.0, 2.0, 3.0]])).passed()
    assert [e["replaced"] for e in look.events if e["kind"] == "hook"] == [True, True]
    assert look.gradient("x") == [2000] * 3
    assert look.value("cell.weight")["grad"]["map"]["data"][:3] == [20, 40, 60]  # its own: before the backward hook


def test_two_hooks_with_one_name_are_told_apart() -> None:
    net = Around(nn.ReLU())
    look_at, put = (lambda cell, inputs: None), (lambda cell, inputs: inputs[0] * 2)
    for hook in (look_at, put, put):
        net.cell.register_forward_pre_hook(hook)
    look = Look(net, X).passed()
    assert {e["glyph"] for e in look.events if e["kind"] == "hook"} <= set("▷▶◁◀")
    assert [(e["attached"], e["replaced"]) for e in look.events if e["kind"] == "hook"] == [
        (0, False), (1, True), (2, True)
    ]  # fmt: skip


def test_with_kwargs_hooks() -> None:
    class Scale(nn.Cell):
        def construct(self, x, *, by):
            return x * by

    scale = Scale()
    scale.register_forward_pre_hook(lambda cell, args, kwargs: (args, {"by": kwargs["by"] * 2}), with_kwargs=True)
    look = Look(lambda x, f: scale(x, by=f), X, Tensor([3.0])).passed()
    assert look.gradient("x") == [6, 6, 6] and look.events[1]["replaced"]


def test_a_hook_that_takes_itself_off() -> None:
    net = Around(nn.ReLU())
    handle = net.cell.register_forward_pre_hook(lambda cell, inputs: handle.remove())
    look = Look(net, X).passed()
    for _ in range(2):  # it is put back, so that every run is the same
        assert [e["attached"] for e in look.run().events if e["kind"] == "hook"] == [0]
    assert len(net.cell._hooks.forward_pre) == 1


# Cells ----------------------------------------------------------------------------------------------------


def test_new_data_from_a_construct() -> None:
    class Clip(nn.Cell):
        def construct(self, x):
            return Tensor(x.asnumpy().clip(-1, 1))

    look = Look(Around(Clip()), X).passed()
    why = "cell returned new data, not computed from its input by ops"
    assert look.value("x")["why"] == look.value("w")["why"] == why
    assert look.order() == ["multiply", "new_data", "multiply", "cut at new_data"]
    assert look.ops[1]["label"] == "Clip" and look.ops[1]["formula"]["value"] == "y = new data"


def test_a_cell_that_returns_a_table_is_no_cut() -> None:
    class Shift(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.table = Tensor([1.0, 2.0, 3.0])

        def construct(self, x):
            return x + 1, self.table

    shift = Shift()
    look = Look(lambda x: sum(shift(x)), X).passed()
    assert look.gradient("x") == [1, 1, 1] and not [e for e in look.events if e["kind"] == "cut"]


def test_a_rule_without_a_gradient_for_a_parameter_or_an_input() -> None:
    class Partial(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.w = Parameter([2.0])

        def construct(self, x, y):
            return x * self.w + y

        def bprop(self, x, y, out, dout):
            return dout, None

    look = Look(Partial(), X, X).passed()
    assert look.states() == {"x": "computed", "w": "cut", "y": "cut"}
    assert look.value("w")["why"] == look.value("y")["why"] == "Partial's bprop returned no gradient for it"


def test_a_cut_behind_a_cell_with_a_rule_is_named() -> None:
    class Own(nn.Cell):
        def construct(self, x):
            return x * 3

        def bprop(self, x, out, dout):
            return (dout,)

    own = Own()
    look = Look(lambda x: ops.stop_gradient(own(x)) * x, X).passed()
    assert look.made_by("multiply")["why"] == "StopGradient passes no gradient on"
    look = Look(lambda x: ops.stop_gradient(own(x)) * 2, X).passed()
    assert look.value("x")["why"] == "StopGradient passes no gradient on"


# Large arrays ---------------------------------------------------------------------------------------------


def test_arrays_over_the_cap_keep_their_states() -> None:
    big = np.full((1100, 1100), -1, np.float32)
    look = Look(lambda x: ops.relu(x) * 2, Tensor(big)).passed()
    assert look.outcome.recorder.values[0].value.array is None
    assert look.made_by("relu")["value_state"] == "dead" and look.states() == {"x": "zero"}
    big[5, 5] = np.nan
    look = Look(lambda x: ops.sqrt(x) + x * 0, Tensor(big)).passed()
    assert look.value("x")["value_state"] == "nan starts" and look.value("x")["value"]["nan"] == 1
    assert look.value("x")["grad_state"] == "nan starts"  # the seed is fine: what sqrt sends to x is not
    big[:] = 0
    look = Look(lambda x: ops.sqrt(x * 1), Tensor(big)).passed()
    assert look.made_by("multiply")["grad_state"] == "nan starts"


def test_a_cut_inside_a_program_with_a_rule_of_its_own_is_none() -> None:
    class Root(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.relu = nn.ReLU()
            self.relu.register_forward_pre_hook(lambda cell, inputs: ops.ones_like(inputs[0]))

        def construct(self, x):
            value, _ = tc.value_and_grad(lambda x: self.relu(x * 3).sum())(x)
            return value * 2

        def bprop(self, x, out, dout):
            return (dout * x,)

    look = Look(Root(), X).passed()
    assert look.order() == ["multiply", "forward_pre <lambda>", "relu", "sum", "multiply", "bprop "]
    assert look.states() == {"x": "computed"} and look.gradient("x") == [1, -2, 3]
    assert look.made_by("multiply")["why"] == "Root ran a bprop instead of this"


def test_a_parameter_written_between_two_uses_is_seen_as_at_the_first() -> None:
    class Writes(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.w = Parameter([2.0, 2.0, 2.0])
            self.kept = Parameter([1.0, 1.0, 1.0])

        def construct(self, x):
            ops.assign(self.kept, x)  # before its first use
            y = x * self.w
            ops.assign(self.w, y)
            return y * self.w * self.kept

    look = Look(Writes(), X).passed()
    assert look.value("w")["value"]["strip"] == [2, 2, 2] and look.value("w")["rewritten"]
    assert look.value("kept")["value"]["strip"] == [1, -2, 3] and not look.value("kept")["rewritten"]


# Ways through NumPy ---------------------------------------------------------------------------------------


class Line(nn.Cell):
    """exp, then a Cell, then sigmoid."""

    def __init__(self, cell: nn.Cell) -> None:
        super().__init__()
        self.cell = cell

    def construct(self, x):
        return ops.sigmoid(self.cell(ops.exp(x)))


@pytest.mark.parametrize("kind", ["forward_pre", "forward"])
@pytest.mark.parametrize("answer", [lambda t: t.asnumpy() * 2, lambda t: 0.1, lambda t: np.float32(0.5)])
def test_hooks_that_return_arrays_or_numbers_cut(kind: str, answer) -> None:
    net = Line(nn.Tanh())

    def hook(cell, *args):
        return answer(args[0][0] if kind == "forward_pre" else args[-1])

    getattr(net.cell, f"register_{kind}_hook")(hook)
    look = Look(net, X).passed()
    words = {"forward_pre": "cell's pre-hook hook returned", "forward": "cell's forward hook hook returned"}[kind]
    before = look.made_by("exp" if kind == "forward_pre" else "tanh")
    (new,) = [value for value in look.values if value["replaces"] is not None]
    assert before["grad_state"] == look.value("x")["grad_state"] == "cut" and words in look.value("x")["why"]
    assert new["replaces"] == before["id"] and look.events[-1]["kind"] == "cut"


def test_of_two_inputs_the_one_that_a_hook_replaces_is_cut() -> None:
    net = nn.Cell()
    net.construct = lambda x, y: x * y
    net.register_forward_pre_hook(lambda cell, inputs: (inputs[0], inputs[1].asnumpy() * 2))
    look = Look(lambda a, b: net(a * 3, b * 3), X, Tensor([4.0, 5.0, 6.0])).passed()
    assert look.states() == {"a": "computed", "b": "cut"}


def test_a_copy_through_numpy_is_a_cut() -> None:
    look = Look(lambda x: ops.tanh(Tensor(ops.exp(x).asnumpy())), Tensor([1.0, 2.0])).passed()
    assert look.states()["x"] == "cut" and "its numbers went on as new data" in look.made_by("exp")["why"]
    assert look.order() == ["exp", "tanh", "cut at "]


def test_equal_numbers_beside_a_way_with_ops_are_no_cut() -> None:
    x = Tensor([1.0, 2.0])
    look = Look(lambda a: a * x + ops.stop_gradient(a), x).passed()
    assert look.states()["a"] == "computed" and not [e for e in look.events if e["kind"] == "cut"]
    look = Look(lambda a: ops.stop_gradient(a) * x, x).passed()
    assert look.value("a")["why"] == "StopGradient passes no gradient on"


def test_a_construct_that_goes_on_in_numpy_cuts() -> None:
    class Detour(nn.Cell):
        def construct(self, x):
            return Tensor(ops.relu(x).asnumpy() * 2)

    look = Look(Line(Detour()), X).passed()
    assert look.order() == ["exp", "relu", "new_data", "sigmoid", "cut at new_data"]
    assert look.value("x")["why"] == "cell returned new data, not computed from its input by ops"
