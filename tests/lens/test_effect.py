"""What a rule does to training: losses worked by hand, and everything put back."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

import numpy as np
import pytest

from teachcell import Parameter, Tensor, nn, ops
from teachcell.lens import Experiment
from teachcell.lens.lab.effect import compare_training
from teachcell.lens.lab.op_rules import Choice
from teachcell.lens.lab.spots import Spot


class Square(nn.Cell):
    """(w · x)²: at x = 1 a step of 0.1 makes w 0.8 times as large."""

    def __init__(self) -> None:
        super().__init__()
        self.w = Parameter(Tensor(1.0), name="w")

    def construct(self, x):
        return ops.square(self.w * x)


SPOT = Spot("", 1, "square", 1)


def compare(rule: Any, net: Any = None, **options: Any) -> dict[str, Any]:
    net = Square() if net is None else net
    experiment = Experiment(net, [Tensor(1.0)])
    choice = experiment.op_rules.find("square", rule) if isinstance(rule, str) else Choice("mine", rule)
    experiment.op_rules.use(SPOT, choice)
    found = compare_training(experiment, lambda: experiment.op_rules.without(SPOT), "mine", **options)
    assert float(net.w) == 1 and experiment.op_rules.at(SPOT) is choice
    return found


@pytest.mark.parametrize(
    ("rule", "wanted"), [("zero", [1, 1, 1]), ("reversal", [1, 1.21, 1.44]), ("identity", [1, 0.81, 0.64])]
)
def test_the_losses_of_a_square(rule: str, wanted: list[float]) -> None:
    found = compare(rule, steps=2)
    np.testing.assert_allclose(found["engine"], [1, 0.64, 0.4096], rtol=1e-6)
    np.testing.assert_allclose(found["chosen"], wanted, rtol=1e-6)  # ±1 arrives at w: it moves by 0.1 each time


def test_in_words() -> None:
    assert compare("zero", steps=2)["text"] == "2 steps from loss 1: engine rule ends at 0.41, mine ends at 1."
    same = compare(lambda x, out, dout: (2 * x * dout,), steps=2)
    assert same["text"] == "2 steps: both trainings are the same, the loss ends at 0.41."
    blown = compare(lambda x, out, dout: (-1e30 * x * dout,), steps=4)
    assert blown["chosen"] == [1, None, None, None, None] and "mine ends at NaN or Inf (after step 1)" in blown["text"]


def test_the_optimizer_that_is_given() -> None:
    net = Square()
    momentum = nn.Momentum(net.trainable_params(), 0.1, 0.5)
    found = compare("zero", net, steps=2, optimizer=momentum)
    np.testing.assert_allclose(found["engine"], [1, 0.64, 0.2916], rtol=1e-5)  # v: 2, 2.6; w: 0.8, 0.54
    assert found["optimizer"] == "Momentum" and int(momentum.global_step.asnumpy()[0]) == 0
    assert not any(p.asnumpy().any() for p in momentum.moments)
    faster = compare("zero", optimizer=lambda parameters: nn.SGD(parameters, 0.25), steps=1)
    np.testing.assert_allclose(faster["engine"], [1, 0.25])
    assert compare("zero", steps=1, rate=0.25)["engine"] == faster["engine"]


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"steps": 0}, ValueError, "from 1 to 2000, not 0"),
        ({"steps": True}, ValueError, "from 1 to 2000, not True"),
        ({"steps": 2.5}, ValueError, "not 2.5"),
        ({"optimizer": "adam"}, TypeError, "got str"),
        ({"optimizer": lambda parameters: None}, TypeError, "got NoneType"),
        ({"optimizer": nn.SGD([Parameter([1.0], name="other")], 0.1)}, ValueError, "does not train: other"),
    ],
)
def test_what_cannot_be_trained_with(options: dict[str, Any], error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        compare("zero", **options)


def test_what_cannot_be_trained() -> None:
    with pytest.raises(ValueError, match="no Parameter with requires_grad"):
        compare_training(Experiment(ops.square, [Tensor(1.0)]), nullcontext, "mine")
    with pytest.raises(ValueError, match="makes one number smaller"):
        compare_training(Experiment(nn.Dense(2, 2), [Tensor([[1.0, 2.0]])]), nullcontext, "mine")


def test_a_rule_that_raises_leaves_everything_as_it_was() -> None:
    net = Square()
    with pytest.raises(ZeroDivisionError):
        compare(lambda x, out, dout: 1 / 0, net)
    assert float(net.w) == 1


def test_a_cells_rule_and_its_state(capsys: pytest.CaptureFixture[str]) -> None:
    class Net(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.fc, self.bn, self.relu, self.drop = nn.Dense(3, 4), nn.BatchNorm1d(4), nn.ReLU(), nn.Dropout(p=0.5)
            self.calls = 0

        def construct(self, x):
            print("running")
            self.calls += 1
            return self.drop(self.relu(self.bn(self.fc(x))))

    net = Net().set_train()
    x = Tensor(np.random.default_rng(0).normal(size=(6, 3)).astype(np.float32))
    experiment = Experiment(net, [x], loss=nn.CrossEntropyLoss(), targets=Tensor([0, 1, 2, 3, 0, 1]))
    before = {p.name: p.asnumpy().copy() for p in net.get_parameters()}
    drawn = np.random.get_state()[1].tolist()
    experiment.rules.use("relu", "zero")
    found = compare_training(experiment, lambda: experiment.rules.without("relu"), "zero", 5)
    assert found["engine"][0] == found["chosen"][0] and found["engine"] != found["chosen"]
    assert found["chosen"] == compare_training(experiment, nullcontext, "zero", 5)["engine"]  # the same draws
    assert experiment.rules.in_use("relu") == "zero" and net.calls == 0 and capsys.readouterr().out == ""
    assert np.random.get_state()[1].tolist() == drawn
    assert all((p.asnumpy() == before[p.name]).all() for p in net.get_parameters())
