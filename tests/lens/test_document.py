"""The document of many kinds of programs, by hand-worked examples."""

from __future__ import annotations

from collections import namedtuple

import numpy as np
import pytest
from lens.looking import Look

import teachcell as tc
from teachcell import Parameter, Tensor, nn, ops
from teachcell.core.card import Kink
from teachcell.core.op import OPS

X = Tensor([1.0, -2.0, 3.0])


class MLP(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.fc1 = nn.Dense(2, 2, weight_init=Tensor([[1.0, 0.0], [0.0, -1.0]]), bias_init="zeros")
        self.relu = nn.ReLU()
        self.fc2 = nn.Dense(2, 1, weight_init=Tensor([[2.0, 3.0]]), bias_init="ones")

    def construct(self, x):
        return self.fc2(self.relu(self.fc1(x)))


def test_a_network_of_cells() -> None:
    # fc1: (1, -2); relu: (1, 0); fc2: 2 + 1 = 3
    look = Look(MLP(), Tensor([[1.0, 2.0]])).passed()
    assert look.document["title"] == "MLP" and look.document["loss"] is None
    assert look.order() == [
        "matmul", "bias_add", "relu", "matmul", "bias_add", "∂bias_add", "∂matmul", "∂relu", "∂bias_add", "∂matmul"
    ]  # fmt: skip
    assert [(c["path"], c["cls"], c["parent"], c["call"], c["of"]) for c in look.calls] == [
        ("", "MLP", None, 1, 1), ("fc1", "Dense", 0, 1, 1), ("relu", "ReLU", 0, 1, 1), ("fc2", "Dense", 0, 1, 1)
    ]  # fmt: skip
    assert {c["phase"] for c in look.calls} == {"train"} and {c["training"] for c in look.calls} == {False}
    assert look.values[look.document["outputs"][0]]["value"]["first"] == 3
    assert look.gradient("fc2.weight") == [1, 0] and look.gradient("fc2.bias") == [1]
    assert look.gradient("fc1.bias") == [2, 0] and look.gradient("x") == [2, 0]
    assert look.value("fc1.weight")["grad"]["map"]["data"] == [2, 4, 0, 0]
    assert look.made_by("relu")["grad"]["strip"] == [2, 3]  # incoming, before the kink
    assert look.calls[3]["inputs"] == look.calls[2]["outputs"] == look.ops[2]["outputs"]


def test_a_loss_cell_is_part_of_the_program() -> None:
    loss = nn.CrossEntropyLoss()
    look = Look(MLP(), Tensor([[1.0, 2.0], [2.0, 1.0]]), loss=lambda y, t: (y - t) ** 2, targets=Tensor([[0.0], [0.0]]))
    assert look.passed().states()["t"] == "not asked"
    assert len(look.document["outputs"]) == 1 and look.document["loss"] == look.document["outputs"][0]
    net = nn.Dense(2, 3)
    look = Look(net, Tensor([[1.0, 2.0]]), loss=loss, targets=[Tensor([1])]).passed()
    assert [c["path"] for c in look.calls] == ["", "loss"] and look.calls[1]["cls"] == "CrossEntropyLoss"
    assert look.value("labels")["grad_state"] == "not differentiable"
    assert look.values[look.document["loss"]]["grad"]["first"] == 1


def test_two_outputs_are_summed() -> None:
    class Both(nn.Cell):
        def construct(self, x):
            return x * 2, x * x

    look = Look(Both(), X).passed()
    assert look.gradient("x") == [4, -2, 8]  # 2 + 2x
    assert len(look.document["outputs"]) == 2 and look.document["loss"] is None


Pair = namedtuple("Pair", "left right")


@pytest.mark.parametrize(
    "shape_up",
    [
        lambda a, b: [a, b], lambda a, b: {"a": a, "b": b}, lambda a, b: (a, (b,)), lambda a, b: {"all": [a, {"b": b}]},
        lambda a, b: (a, None, "text", 3, b), lambda a, b: [a, (a > 0), b],
    ],
)  # fmt: skip
def test_structured_outputs(shape_up) -> None:
    look = Look(lambda x: shape_up(x * 2, x * 3), X).passed()
    assert look.gradient("x") == [5, 5, 5] and len(look.document["outputs"]) == 2


def test_a_value_used_twice_and_one_never() -> None:
    look = Look(lambda x, unused, n: (x * x + x) * n, X, Tensor([1.0]), Tensor([1, 2, 3])).passed()
    assert look.gradient("x") == [3, -6, 21]  # n (2x + 1)
    assert look.states() == {"x": "computed", "unused": "not needed", "n": "not differentiable"}
    assert look.value("unused")["why"] == "no op uses it"
    assert look.value("n")["why"] == "int64 has no gradient"
    assert look.events[-1]["outgoing"] == [0, 0]  # x · x sends to x twice


def test_one_tensor_given_twice_is_two_inputs() -> None:
    look = Look(lambda x, y: x * y * y, X, X).passed()
    assert look.gradient("x") == [1, 4, 9] and look.gradient("y") == [2, 8, 18]
    net = nn.Dense(3, 3)
    loss = Look(net, X, loss=lambda y, target: (y - target) ** 2, targets=X).passed()
    assert loss.states()["x"] == "computed" and loss.states()["target"] == "not asked"


def test_a_hook_on_a_tensor_given_twice_acts_on_both() -> None:
    x = Tensor([2.0])
    x.register_hook(lambda g: g * 10)
    look = Look(lambda a, b: a * b, x, x).passed()
    assert look.gradient("a") == look.gradient("b") == [20]


def test_parameters_and_cells_by_closure_and_global() -> None:
    weight, named, dense = Parameter([2.0]), Parameter([3.0], name="scale"), nn.Dense(1, 1)
    layers = [nn.ReLU(), nn.Tanh()]

    def inner(x):
        return layers[1](x * weight)

    def program(x):
        return [layers[0](dense(inner(x))) * named for _ in range(1)]

    look = Look(program, Tensor([[1.0]])).passed()
    assert look.document["title"] == "program" and look.calls[0]["cls"] == "function"
    assert sorted(look.experiment.program.cells) == ["dense", "layers.0", "layers.1"]
    assert [c["path"] for c in look.calls] == ["", "layers.1", "dense", "layers.0"]
    assert {v["name"] for v in look.values if v["kind"] == "parameter"} == {
        "weight",
        "scale",
        "dense.weight",
        "dense.bias",
    }
    assert look.calls[0]["inputs"] == [0] and look.calls[0]["outputs"] == look.document["outputs"]


def test_a_cell_called_twice() -> None:
    class Twice(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.fc = nn.Dense(1, 1, weight_init=Tensor([[3.0]]), bias_init="zeros")

        def construct(self, x):
            return self.fc(self.fc(x))

    look = Look(Twice(), Tensor([[2.0]])).passed()  # y = w²x
    assert look.gradient("fc.weight") == [12] and look.gradient("x") == [9] and look.gradient("fc.bias") == [4]
    assert [(c["path"], c["call"], c["of"]) for c in look.calls[1:]] == [("fc", 1, 2), ("fc", 2, 2)]
    assert sum(v["kind"] == "parameter" for v in look.values) == 2
    assert look.run().calls[1]["call"] == 1  # counted anew in each run


def test_a_net_that_the_loss_calls_again() -> None:
    net = nn.Dense(1, 1, weight_init=Tensor([[2.0]]), has_bias=False)
    look = Look(net, Tensor([[1.0]]), loss=lambda y: net(y)).passed()
    assert [(c["path"], c["parent"], c["call"], c["of"]) for c in look.calls] == [("", None, 1, 2), ("", 0, 2, 2)]
    assert look.gradient("weight") == [4]


def test_keyword_inputs_of_a_cell() -> None:
    class Scale(nn.Cell):
        def construct(self, x, *, by, flip=False):
            return -x * by if flip else x * by

    class Net(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.scale = Scale()

        def construct(self, x, factor):
            return self.scale(by=factor, x=x, flip=True)

    look = Look(Net(), X, Tensor([2.0])).passed()
    assert look.gradient("x") == [-2, -2, -2] and look.gradient("factor") == [-2]
    assert sorted(look.calls[1]["inputs"]) == [0, 1]


def test_keyword_inputs_of_a_cell_with_a_rule_meet_their_gradients() -> None:
    class Scale(nn.Cell):
        def construct(self, x, by):
            return x * by

        def bprop(self, x, by, out, dout):
            return dout * 10, dout * 100

    class Net(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.scale = Scale()

        def construct(self, x, factor):
            return self.scale(by=factor, x=x)

    look = Look(Net(), X, Tensor([2.0, 2.0, 2.0])).passed()
    assert look.gradient("x") == [10] * 3 and look.gradient("factor") == [100] * 3
    assert look.events[-1]["outgoing"] == [look.value("x")["id"], look.value("factor")["id"]]


def test_nested_inputs_are_named_and_not_asked() -> None:
    look = Look(lambda x, pair: x * pair[0] + pair[1]["b"], X, (Tensor([2.0]), {"b": Tensor([1.0])})).passed()
    assert look.states() == {"x": "computed", "pair[0]": "not asked", "pair[1]": "not asked"}


def test_a_parameter_as_an_input() -> None:
    weight = Parameter([2.0], name="w")
    look = Look(lambda x, p: x * p, Tensor([3.0]), weight).passed()
    assert look.gradient("p") == [3] and look.gradient("x") == [2]
    twice = Look(lambda a, b: a * a * b, weight, weight).passed()
    assert twice.gradient("a") == [8] and twice.gradient("b") == [4]


def test_an_input_that_is_also_reached_by_its_name_is_a_constant_there() -> None:
    x = Tensor([2.0, 3.0])
    look = Look(lambda a: (a * x).sum(), x).passed()
    first, second = look.ops[0]["inputs"]
    assert first != second and look.values[second]["kind"] == "constant" and look.gradient("a") == [2, 3]
    assert look.values[second]["grad"] is None


def test_a_parameter_that_is_also_an_input_is_a_parameter_there() -> None:
    p = Parameter([2.0, 3.0], name="p")
    look = Look(lambda a: a * a * p, p).passed()
    assert look.gradient("a") == [8, 18] and look.gradient("p") == [4, 9]


def test_a_function_that_returns_its_input() -> None:
    look = Look(lambda x: x, X).passed()
    assert look.ops == look.events == [] and look.gradient("x") == [1, 1, 1]


def test_functions_without_arguments() -> None:
    weight = Parameter([2.0], name="w")
    assert Look(lambda: weight * weight).passed().gradient("w") == [4]


def test_an_inner_grad_is_part_of_the_program_and_its_sweep_is_not() -> None:
    def slope(x):
        return tc.grad(lambda u: u * u * u)(x).sum()

    look = Look(slope, X).passed()
    assert look.gradient("x") == [6, -12, 18]  # 6x
    kinds = [event["kind"] for event in look.events]
    assert kinds == sorted(kinds, key=["forward", "backward"].index)
    assert len(look.events) == len({(e["kind"], e["op"]) for e in look.events})


def test_an_inner_grad_of_a_hooked_cell_fires_no_backward_events_in_the_forward_pass() -> None:
    relu = nn.ReLU()
    relu.register_backward_hook(lambda cell, left, arrived: None)

    def program(x):
        return relu(x) * tc.grad(lambda u: (relu(u) * 3).sum())(x)

    look = Look(program, Tensor([2.0])).passed()
    passes = [
        "forward" if e["kind"] == "forward" or "forward" in e.get("hook", "") else "backward" for e in look.events
    ]
    assert passes == sorted(passes, reverse=True)


def test_ops_inside_rules_and_backward_hooks_are_not_drawn() -> None:
    class Own(nn.Cell):
        def construct(self, x):
            return x * 2

        def bprop(self, x, out, dout):
            inner = tc.grad(lambda u: (u * u).sum())(x)
            return (dout * 2 + inner * 0,)

    class Net(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.own = Own()
            self.own.register_backward_hook(lambda cell, left, arrived: (left[0] * 5,))

        def construct(self, x):
            return self.own(x * 1)

    look = Look(Net(), X).passed()
    assert look.order() == ["multiply", "multiply", "bprop own", "backward <lambda>", "∂multiply"]
    assert look.gradient("x") == [10, 10, 10]


def test_writing_into_a_tensor_while_recording() -> None:
    def program(x):
        y = x * 1
        y[0] = 5.0
        return y * y

    look = Look(program, X).passed()
    assert look.order()[:3] == ["multiply", "setitem", "multiply"]
    assert look.ops[2]["inputs"] == look.ops[1]["outputs"] * 2  # what comes later uses the new value
    assert look.gradient("x") == [0, -4, 6]


def test_writing_into_an_input_stays_inside() -> None:
    x = Tensor([1.0, 2.0])

    def program(x):
        x[1] = 0.0
        return x * 3

    look = Look(program, x).passed()
    assert look.gradient("x") == [3, 0] and look.value("x")["value"]["strip"] == [1, 2]
    assert x.asnumpy().tolist() == [1, 2]


def test_an_op_with_several_outputs() -> None:
    look = Look(nn.BatchNorm2d(2).set_train(), Tensor(np.arange(8, dtype=np.float32).reshape(2, 2, 2, 1))).passed()
    (op,) = look.ops
    assert len(op["outputs"]) == 3 and [look.values[v]["output"] for v in op["outputs"]] == [0, 1, 2]
    assert [look.values[v]["grad_state"] for v in op["outputs"]] == ["computed", "not needed", "not needed"]


@pytest.mark.parametrize("dtype", [np.float16, np.float64])
@pytest.mark.parametrize("shape", [(), (1,), (3,), (0,), (2, 0, 3), (2, 3, 4, 5)])
def test_shapes_and_dtypes(dtype, shape) -> None:
    x = np.full(shape, 0.5, dtype)
    look = Look(lambda x: x * x, Tensor(x)).passed()
    value = look.value("x")
    assert value["shape"] == list(shape) and value["dtype"] == np.dtype(dtype).name
    assert value["grad_state"] == "computed"
    assert value["grad"]["mean"] == (1 if x.size else None)


def test_attributes_and_sources_are_words() -> None:
    look = Look(lambda x: ops.sum(x[1:], dim=0), X).passed()
    assert look.ops[0]["attrs"]["index"] == "slice(1, None, None)" and look.ops[1]["attrs"] == {"dim": "0"}
    assert look.ops[0]["source"].startswith("lambda F, g, out, x, index")
    assert look.made_by("getitem")["grad"]["strip"] == [1, 1]
    assert [text for text, _ in look.ops[1]["formula"]["grads"]] and look.ops[1]["formula"]["value"]


def test_one_card_for_all_runs_of_an_op_in_both_languages(monkeypatch) -> None:
    monkeypatch.setattr(OPS["relu6"], "kinks", (Kink((0.0,), (0.0,)), Kink((6.0,), (0.0,))))

    def program(x):
        return ops.matmul(ops.relu6(x), ops.relu6(x))

    cards = Look(program, X).passed().document["cards"]
    assert set(cards) == {"relu6", "matmul"}  # by the ops' names, however often they ran
    assert cards["relu6"]["conventions"] == ["At x = 0: ∂x = 0.", "At x = 6: ∂x = 0."]
    assert cards["matmul"]["words"] and cards["matmul"]["source"].startswith("Source: ")
    tc.set_language("zh")
    try:
        chinese = Look(program, X).document["cards"]
    finally:
        tc.set_language("en")
    assert chinese["relu6"]["conventions"][0].startswith("在 x = 0 处")
    assert chinese["matmul"]["words"] != cards["matmul"]["words"]


def test_names_with_markup_and_other_scripts() -> None:
    class Odd(nn.Cell):
        def construct(self, x):
            return x * self.weight

    Odd.__name__ = "<b>&\"网络'"
    net = Odd()
    net.weight = Parameter([2.0], name='</svg><script>"')
    look = Look(net, X).passed()
    assert look.document["title"] == "<b>&\"网络'" and look.value("weight")["grad_state"] == "computed"


def test_a_cell_made_on_the_way_is_known_by_its_class() -> None:
    look = Look(lambda x: nn.ReLU()(x), X).passed()
    assert (look.calls[1]["path"], look.calls[1]["name"]) == ("ReLU", "ReLU")


def test_graph_and_tensors_are_not_kept() -> None:
    import gc
    import weakref

    alive = []

    class Track(nn.Cell):
        def construct(self, x):
            y = x * 2
            alive.append(weakref.ref(y))
            return y * y

    look = Look(Track(), X).passed()
    gc.collect()
    assert alive[0]() is None and look.outcome.recorder.values
