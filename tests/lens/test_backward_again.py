"""Only the backward pass runs again after a rule was changed, and gives what a whole run gives."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from browser.programs import PROGRAMS
from lens.test_random_programs import make_program
from widgets.four_programs import run_program

import teachcell as tc
from teachcell import Parameter, Tensor, nn, ops
from teachcell.lens import Experiment
from teachcell.lens.lab.op_rules import BY_ENGINE
from teachcell.lens.lab.ready import READY
from teachcell.lens.lab.spots import spots_of


class Counted(nn.Cell):
    """A net that counts its forward passes where nobody puts them back."""

    runs: list[int] = []

    def __init__(self) -> None:
        super().__init__()
        self.fc, self.relu, self.drop = nn.Dense(3, 4), nn.ReLU(), nn.Dropout(p=0.5)
        self.block = nn.SequentialCell(nn.Dense(4, 4), nn.Tanh())

    def construct(self, x):
        Counted.runs.append(1)
        return self.block(self.drop(self.relu(self.fc(x)))) * 2


def counted(**options: Any) -> Experiment:
    x = Tensor(np.random.default_rng(1).normal(size=(5, 3)).astype(np.float32))
    experiment = Experiment(Counted().set_train(), [x], **options)
    experiment.run()
    Counted.runs.clear()
    return experiment


def plain(document: dict[str, Any]) -> Any:
    """A document without what may differ in the last digit: numbers rounded."""

    def rounded(value: Any) -> Any:
        if isinstance(value, float):
            return float(f"{value:.4g}")
        if isinstance(value, dict):
            return {key: rounded(v) for key, v in value.items()}
        return [rounded(v) for v in value] if isinstance(value, (list, tuple)) else value

    return rounded(document)


def check_same(experiment: Experiment) -> None:
    """The backward pass alone, and then a whole run, tell the same."""
    again = experiment.run_backward()
    whole = experiment.run()
    assert plain(again.document) == plain(whole.document)
    assert (again.error is None) == (whole.error is None)
    assert again.recorder.sums == whole.recorder.sums and again.recorder.severed == whole.recorder.severed


def test_the_forward_pass_is_not_run_again() -> None:
    experiment = counted()
    for path, rule in (("relu", "zero"), ("fc", "engine"), ("block", "zero"), ("relu", "engine"), ("", "zero")):
        experiment.rules.use(path, rule)
        assert experiment.run_backward().error is None
    recorder = experiment.run_backward().recorder
    spot = next(spot for _, spot in spots_of(recorder, experiment.program) if spot.op == "tanh")
    experiment.op_rules.use(spot, experiment.op_rules.find("tanh", "identity"))
    experiment.run_backward()
    assert Counted.runs == []
    experiment.run()
    assert len(Counted.runs) == 1


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("seed", range(3))
def test_any_rules_give_what_a_whole_run_gives(name: str, seed: int) -> None:
    experiment = run_program(name)["explorer"].experiment
    draw = random.Random(seed)
    recorder = experiment.run().recorder
    spots = [spot for _, spot in spots_of(recorder, experiment.program)]
    for _ in range(4):
        path = draw.choice(list(experiment.program.cells))
        experiment.rules.use(path, draw.choice(["engine", "zero"]))
        spot = draw.choice(spots)
        choice = draw.choice([BY_ENGINE, experiment.op_rules.find(spot.op, "zero")])
        experiment.op_rules.use(spot, None if choice is BY_ENGINE else choice, every=draw.random() < 0.3)
        check_same(experiment)
    experiment.close()


def test_hooks_taps_and_own_rules() -> None:
    class Own(nn.Cell):
        def construct(self, x):
            return x * 3

        def bprop(self, x, out, dout):
            return (dout * 10,)

    class Net(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.relu, self.own, self.tanh = nn.ReLU(), Own(), nn.Tanh()

        def construct(self, x):
            y = self.relu(x)
            return self.own(y) + self.tanh(y) * y

    net, seen = Net(), []
    net.relu.register_backward_hook(lambda cell, left, arrived: seen.append("backward"))
    net.tanh.register_forward_hook(lambda cell, inputs, output: seen.append("forward"))
    net.own.register_backward_hook(lambda cell, left, arrived: (left[0] * 2,))
    experiment = Experiment(net, [Tensor([-1.0, 0.5, 2.0])])
    experiment.run()
    assert seen == ["forward", "backward"]
    experiment.rules.use("own", "zero")
    experiment.rules.use("tanh", "zero")
    check_same(experiment)
    assert seen == ["forward", "backward", "backward", "forward", "backward"]  # the hook of the forward pass only once
    for path, rule in (("own", "engine"), ("relu", "reversal"), ("own", "own"), ("relu", "engine")):
        experiment.rules.use(path, rule)
        check_same(experiment)


def test_internal_parameters_and_shared_values() -> None:
    class Scale(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.w = Parameter([2.0, 3.0], name="w")
            self.internal_params = [self.w]

        def construct(self, x, power=2):
            return self.w * x**power

    class Net(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.scale = Scale()

        def construct(self, x):
            return self.scale(x) * self.scale(x, 3)

    net = Net()

    def rule(x, power, out, dout):
        return (dout * power, None), {net.scale.w: x * dout}

    experiment = Experiment(net, [Tensor([1.0, 2.0])], bprops={"scale": {"mine": rule}})
    experiment.run()
    experiment.rules.use("scale", "mine")
    check_same(experiment)
    experiment.rules.use("scale", "engine")
    check_same(experiment)


def test_a_rule_that_raises_and_then_one_that_does_not() -> None:
    experiment = counted(bprops={"relu": {"bad": lambda x, out, dout: 1 / 0}})
    experiment.rules.use("relu", "bad")
    check_same(experiment)
    experiment.rules.use("relu", "zero")
    check_same(experiment)


def test_draws_are_those_that_followed_the_forward_pass() -> None:
    def noisy(x, out, dout):
        return (dout * ops.standard_normal(x.shape),)

    experiment = counted(bprops={"relu": {"noisy": noisy}})
    experiment.rules.use("relu", "noisy")
    check_same(experiment)


def test_moving_statistics_are_those_that_the_forward_pass_left() -> None:
    class Net(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.bn, self.relu = nn.BatchNorm1d(3), nn.ReLU()

        def construct(self, x):
            return self.relu(self.bn(x))

    net = Net().set_train()
    before = net.bn.moving_mean.asnumpy().copy()
    seen = []

    def rule(x, out, dout):
        seen.append(net.bn.moving_mean.asnumpy().copy())
        return (dout,)

    x = Tensor(np.random.default_rng(1).normal(size=(5, 3)).astype(np.float32))
    experiment = Experiment(net, [x], bprops={"relu": {"mine": rule}})
    experiment.run()
    experiment.rules.use("relu", "mine")
    check_same(experiment)
    assert len(seen) == 2 and (seen[0] == seen[1]).all() and (seen[0] != before).all()
    assert (net.bn.moving_mean.asnumpy() == before).all()


CHANGES = {
    "a Parameter": lambda net, x: net.fc.weight.set_data(net.fc.weight * 2),
    "an input": lambda net, x: x.asnumpy().__setitem__(0, 1),
    "a mode": lambda net, x: net.drop.set_train(False),
    "a hook": lambda net, x: net.drop.register_forward_hook(lambda cell, i, o: None),
    "a Tensor hook": lambda net, x: x.register_hook(lambda g: g * 2),
    "another Cell": lambda net, x: setattr(net, "relu", nn.ReLU6()),
    "a frozen Parameter": lambda net, x: setattr(net.fc.weight, "requires_grad", False),
}


@pytest.mark.parametrize("what", CHANGES)
def test_all_is_run_again_where_the_forward_pass_would_be_another(what: str) -> None:
    net = Counted().set_train()
    x = Tensor(np.random.default_rng(1).normal(size=(5, 3)).astype(np.float32))
    experiment = Experiment(net, [x])
    experiment.run()
    Counted.runs.clear()
    CHANGES[what](net, x)
    experiment.op_rules.use(next(s for _, s in spots_of(experiment.run_backward().recorder, experiment.program)), None)
    assert len(Counted.runs) == 1
    check_same(experiment)


def test_a_net_that_remembers_or_is_large_is_run_again() -> None:
    class Remembers(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.mask, self.runs = None, []

        def construct(self, x):
            self.mask = (x > 0).astype(x.dtype)
            return x * self.mask

        def bprop(self, x, out, dout):
            return (dout * self.mask,)

    for net, x in ((Remembers(), Tensor([1.0, -1.0])), (nn.ReLU(), Tensor(np.ones((600, 600), np.float32)))):
        experiment = Experiment(net, [x])
        experiment.run()
        experiment.rules.use("", "zero")
        check_same(experiment)


def test_a_new_draw_a_capture_and_the_end() -> None:
    experiment = counted()
    experiment.new_draw()
    experiment.run_backward()
    experiment.set_capture("relu")
    experiment.run_backward()
    assert len(Counted.runs) == 2 and experiment.capture is not None and experiment.capture.rows(slice(0, 1))
    experiment.close()
    experiment.run_backward()
    assert len(Counted.runs) == 3


def test_a_value_from_inside_that_is_used_outside_keeps_its_own_way() -> None:
    class Leaks(nn.Cell):
        def construct(self, x):
            self.inner = x * 2
            return self.inner + 1

    class Net(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.leaks = Leaks()

        def construct(self, x):
            return self.leaks(x) + self.leaks.inner

    experiment = Experiment(Net(), [Tensor([1.0])])
    experiment.run()
    experiment.rules.use("leaks", "zero")
    check_same(experiment)


def test_every_ready_rule_on_a_cell_of_one_op() -> None:
    experiment = counted()
    for rule in READY:
        experiment.rules.use("relu", rule)
        again = experiment.run_backward()
        assert again.error is None and again.document["calls"][2]["rule"] == READY[rule].label
    assert Counted.runs == []


@pytest.mark.parametrize("seed", range(25))
def test_random_programs(seed: int) -> None:
    """With hooks, rules, cuts and writes."""
    tc.set_seed(seed)
    program, _ = make_program(seed)
    numbers, draw = np.random.default_rng(seed), random.Random(seed)
    experiment = Experiment(program, [Tensor(numbers.normal(size=6).astype(np.float32)) for _ in range(2)])
    spots = [spot for _, spot in spots_of(experiment.run().recorder, experiment.program)]
    for _ in range(2):
        for path in experiment.program.cells:
            experiment.rules.use(path, draw.choice([*experiment.rules.ids(path), "zero"]))
        spot = draw.choice(spots)
        choice = experiment.op_rules.find(spot.op, "zero") if draw.random() < 0.5 else None
        experiment.op_rules.use(spot, choice)
        check_same(experiment)
