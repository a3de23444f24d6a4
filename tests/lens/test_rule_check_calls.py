"""Check rule: which inputs and calls are looked at, and that a check leaves no trace."""

from __future__ import annotations

import numpy as np
import pytest
from lens.checking import Then, check, normal

import teachcell as tc
from teachcell import Parameter, Tensor, nn, ops
from teachcell.lens import Experiment
from teachcell.lens.check.rule_check import check_rule

# Inputs and calls -----------------------------------------------------------------------------------------


class Bilinear(nn.Cell):
    def construct(self, x, n, *, y, pair=None, flip=True):
        return x * y * n + (pair[0] * 3 + pair[1]["b"] if pair is not None else 0)


def test_several_inputs_of_all_sorts() -> None:
    cell = Bilinear()

    def program(x, y, a, b):
        return cell(x, 2, y=y, pair=(a, {"b": b}), flip=False)

    found = check(program, normal(3), normal(3), normal(3), normal(3), path="cell")
    assert found["ok"] and [row["name"] for row in found["inputs"]] == ["∂x", "∂y", "∂pair[0]", "∂pair[1]"]


def test_the_input_that_is_wrong_is_named() -> None:
    class Product(nn.Cell):
        def construct(self, x, y):
            return x * y

        def bprop(self, x, y, out, dout):
            return dout * y, dout * x * 0.5

    found = check(Product(), normal(3), normal(3))
    assert found["text"] == "∂y: off by the constant factor 0.5 (= 1 / 2)."


def test_one_value_in_two_inputs() -> None:
    class Product(nn.Cell):
        def construct(self, x, y):
            return x * y

    product = Product()
    found = check(lambda x: product(x, x), normal(3), path="product")
    assert found["ok"] and [row["name"] for row in found["inputs"]] == ["∂x", "∂y"]


def test_internal_parameters_are_checked_too() -> None:
    class Owner(nn.Cell):
        def __init__(self, factor: float) -> None:
            super().__init__()
            self.w = Parameter([2.0, 3.0], name="w")
            self.internal_params = [self.w]
            self.factor = factor

        def construct(self, x):
            return self.w * x

        def bprop(self, x, out, dout):
            return (self.w * dout,), {self.w: x * dout * self.factor}

    right, wrong = check(Then(Owner(1)), normal(2), path="cell"), check(Then(Owner(3)), normal(2), path="cell")
    assert right["ok"] and [row["name"] for row in right["inputs"]] == ["∂x", "∂w"]
    assert wrong["text"] == "∂w: off by the constant factor 3 (= factor)."


def test_a_cell_called_twice() -> None:
    cell = nn.Tanh()
    first = check(lambda x: cell(cell(x) * 2), normal(3), path="cell")
    second = check(lambda x: cell(cell(x) * 2), normal(3), path="cell", call=2)
    assert first["ok"] and second["ok"]
    assert first["title"] == "cell · call 1 of 2" and second["title"] == "cell · call 2 of 2"
    assert first["inputs"][0]["values"] != second["inputs"][0]["values"]


def test_without_a_gradient_ones_are_taken() -> None:
    cell = nn.Sigmoid()
    for program in (lambda x: ops.stop_gradient(cell(x)) + x, lambda x: cell(x) * 0.0 + x):
        found = check(program, normal(3), path="cell")
        assert found["ok"] and "1 is taken for it" in found["note"]
        assert any(value for value in found["inputs"][0]["maps"][0]["data"])


def test_what_cannot_be_checked_is_said() -> None:
    class Chooses(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.used, self.unused = nn.ReLU(), nn.ReLU()

        def construct(self, x):
            return self.used(x)

    assert "not called" in check(Chooses(), normal(3), path="unused")["text"]
    big = normal(1100, 1100)
    assert "over 4 MB" in check(Chooses(), big, path="used")["text"]

    class Halves(nn.Cell):
        def construct(self, x):
            return (x * 3).astype(tc.float16) * 2

    assert "casts to fewer digits" in check(Halves(), normal(3))["text"]

    class Fill(nn.Cell):
        def construct(self, n):
            return n.astype(tc.float32)

    fill = Fill()
    found = check(lambda x: x + fill(Tensor([1, 2, 3])), normal(3), path="fill")
    assert found["ok"] and found["text"] == "No float Tensor enters this Cell."
    assert check(nn.ReLU(), Tensor(np.zeros((0, 3), np.float32)))["inputs"] == []


def test_a_cell_that_casts_to_float32_inside_raises_no_false_alarm() -> None:
    class Casts(nn.Cell):
        def construct(self, x):
            return ops.tanh(x.astype(tc.float32) * 3)

    assert check(Then(Casts()), normal(4, 4), path="cell")["ok"]
    assert check(Then(nn.Dense(4, 4).to_float(tc.float16)), normal(4, 4), path="cell")["ok"]


# Leaving no trace -----------------------------------------------------------------------------------------


def test_draws_and_state_are_the_same_each_time() -> None:
    class Remembers(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.v, self.drop, self.calls = Tensor([0.5, 0.5]), nn.Dropout(p=0.5), 0

        def construct(self, x):
            self.calls += 1
            self.v = self.v + self.drop(x)
            return self.v * x * self.calls

    net = Remembers().set_train()
    assert check(net, normal(2))["ok"] and net.calls == 0


def test_everything_is_put_back(capsys: pytest.CaptureFixture[str]) -> None:
    class Noisy(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.fc, self.bn = nn.Dense(3, 3), nn.BatchNorm1d(3)

        def construct(self, x):
            print("running")
            return self.bn(self.fc(x))

    fired = []
    net = Noisy().set_train()
    net.fc.register_forward_hook(lambda cell, inputs, output: fired.append("forward"))
    net.bn.register_backward_hook(lambda cell, left, arrived: fired.append("backward"))
    experiment = Experiment(net, [normal(4, 3)])
    outcome = experiment.run()
    arrays = [(p._array, p._array.copy(), p._node) for p in net.get_parameters()]
    hooks, drawn = net.fc._hooks, np.random.get_state()[1].tolist()
    capsys.readouterr()
    assert check_rule(experiment, "", outcome.recorder)["ok"] and check_rule(experiment, "fc", outcome.recorder)["ok"]
    assert capsys.readouterr().out == "" and fired == ["forward", "backward"]
    for p, (array, copy, node) in zip(net.get_parameters(), arrays, strict=True):
        assert p._array is array and (array == copy).all() and array.dtype == np.float32 and p._node is node
    assert net.fc._hooks is hooks and "bprop" not in net.__dict__ and np.random.get_state()[1].tolist() == drawn


def test_the_rule_is_put_back_when_the_check_raises() -> None:
    def rule(x, out, dout):
        raise ValueError

    net = nn.ReLU()
    net.bprop = rule
    experiment = Experiment(net, [normal(3)])
    outcome = experiment.run()
    assert check_rule(experiment, "", outcome.recorder)["head"] == "Cannot be checked." and net.bprop is rule


def test_a_large_cell_is_run_only_for_the_elements_of_its_windows() -> None:
    runs: list[int] = []

    class Counted(nn.Conv2d):
        def construct(self, x):
            runs.append(1)
            return super().construct(x)

    experiment = Experiment(Then(Counted(6, 16, 5, pad_mode="valid")), [normal(4, 6, 14, 14)])
    outcome = experiment.run()
    runs.clear()
    check = check_rule(experiment, "cell", outcome.recorder)
    assert check["ok"] and [row["name"] for row in check["inputs"]] == ["∂x", "∂weight"]
    elements = 10 * 14 + 10 * 5  # of x, and of the weight, whose rows are 5 long
    assert len(runs) == 1 + 2 + 2 * elements  # the engine's gradient; in the middle, twice; to both sides of each
