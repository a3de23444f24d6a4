"""Training under the lens: the curve, the pace, dead units, ratios, and steps that equal a loop by hand."""

from __future__ import annotations

import math
import sys
from typing import Any

import numpy as np
import pytest

import teachcell as tc
from teachcell import Parameter, Tensor, nn, ops
from teachcell.core.events import OBSERVERS
from teachcell.lens import Experiment
from teachcell.lens.training.course import Course
from teachcell.lens.training.curve import Curve
from teachcell.lens.training.look import MOST_LAYERS, Layers, moved, picture
from teachcell.lens.training.pace import ENOUGH, PAUSE, Forecast, Pace
from teachcell.lens.training.silent import SilentUnits, units_on
from teachcell.lens.training.trainer import LossNotFinite, Trainer
from teachcell.lens.training.watcher import Watch


class Clock:
    """Seconds that pass only when told."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


# The curve ------------------------------------------------------------------------------------------------


def test_a_full_curve_halves() -> None:
    curve = Curve(capacity=4)
    for step, loss in enumerate([5.0, 3.0, 4.0, 1.0], start=1):
        curve.add(step, loss)
    assert curve.data() == {"width": 1, "low": [5, 3, 4, 1], "high": [5, 3, 4, 1], "last": [5, 3, 4, 1]}
    curve.add(5, 2.0)
    assert curve.data() == {"width": 2, "low": [3, 1, 2], "high": [5, 4, 2], "last": [3, 1, 2]}
    curve.add(6, 7.0)
    assert curve.low[2] == 2 and curve.high[2] == 7 and curve.last[2] == 7


def test_a_curve_leaves_out_what_is_no_number() -> None:
    curve = Curve(capacity=2)
    curve.add(1, math.nan)
    curve.add(2, None)
    assert curve.data() == {"width": 1, "low": [None, None], "high": [None, None], "last": [None, None]}
    curve.add(9, 2.0)  # steps may be left out
    assert curve.data() == {"width": 8, "low": [None, 2], "high": [None, 2], "last": [None, 2]}


def test_a_curve_of_200_000_steps_stays_small() -> None:
    curve, sizes = Curve(), set()
    for step in range(1, 200_001):
        curve.add(step, 1 / step)
        if step % 10_000 == 0:
            sizes.add(sum(map(sys.getsizeof, (curve.low, curve.high, curve.last))))
    assert len(curve.last) <= curve.capacity and curve.width == 1024 and max(sizes) < 10_000
    assert curve.high[0] == 1.0 and curve.low[-1] == 1 / 200_000 == curve.last[-1]


# The pace -------------------------------------------------------------------------------------------------


def test_at_most_30_updates_a_second() -> None:
    clock = Clock()
    pace, shown = Pace(clock), 0
    for _ in range(10_000):
        if pace.due():
            pace.shown(clock())
            shown += 1
        clock.now += 1 / 5000
    assert clock.now == pytest.approx(2) and 55 <= shown <= 61


def test_what_is_costly_to_show_is_shown_less_often() -> None:
    clock = Clock()
    pace = Pace(clock)
    clock.now = 0.1
    pace.shown(0.0, plain=0.02)  # showing took 0.08 of the 0.1 s
    clock.now = 0.1 + 0.319
    assert not pace.due()
    clock.now = 0.1 + 0.321
    assert pace.due() and PAUSE < 0.32


def test_time_left_follows_the_last_seconds() -> None:
    clock = Clock()
    forecast = Forecast(1000, clock)
    assert forecast.left is None and forecast.rate is None
    clock.now = ENOUGH / 2
    forecast.note(5)
    assert forecast.left is None  # too early to tell
    clock.now = 1.0
    forecast.note(100)
    assert forecast.rate == pytest.approx(100) and forecast.left == pytest.approx(9)
    for second in range(2, 12):  # ten times slower from now on
        clock.now = float(second)
        forecast.note(100 + 10 * (second - 1))
    assert forecast.rate == pytest.approx(10) and forecast.left == pytest.approx(80)
    assert Forecast(None, clock).left is None


# What a look sees -----------------------------------------------------------------------------------------


def test_a_unit_is_dead_when_it_was_off_in_all_recent_samples() -> None:
    units = SilentUnits(looks=2)
    units.note(units_on(np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 2.0]])), 2)
    assert units.data() == {"units": 3, "dead": 1, "samples": 2, "map": [0, 2, 0]}
    units.note(units_on(np.array([[0.0, 0.0, 0.0]])), 1)
    assert units.data() == {"units": 3, "dead": 1, "samples": 3, "map": [1, 2, 1]}
    units.note(units_on(np.array([[0.0, 4.0, 0.0]])), 1)
    assert units.data() == {"units": 3, "dead": 2, "samples": 2, "map": [2, 0, 2]}


def test_the_units_of_images_are_channels() -> None:
    output = np.zeros((2, 3, 4, 4))
    output[1, 2, 0, 3] = 1
    assert units_on(output).tolist() == [False, False, True]
    assert units_on(np.zeros((5, 7, 2))).tolist() == [False, False]


def test_how_far_parameters_moved() -> None:
    before = {"w": np.array([3.0, 4.0]), "b": np.zeros(2), "n": np.array([1.0])}
    now = {"w": np.array([3.0, 3.5]), "b": np.ones(2), "n": np.array([np.nan])}
    assert moved(before, now) == [
        {"name": "w", "ratio": 0.1}, {"name": "b", "ratio": None}, {"name": "n", "ratio": None}
    ]  # fmt: skip


def test_a_picture_of_numbers() -> None:
    seen = picture(np.array([0.0, 1.0, 2.0, np.nan, 0.0]))
    assert (seen["mean"], seen["zeros"], seen["nan"]) == (0.75, 0.5, 1) and sum(seen["hist"]["counts"]) == 4
    assert picture(np.array([np.inf])) == {"hist": None, "mean": None, "std": None, "zeros": None, "nan": 1}
    assert sum(picture(np.arange(1_000_000.0))["hist"]["counts"]) < 5000  # a sample


class Net(nn.Cell):
    def __init__(self, dropout: float = 0.5):
        super().__init__()
        self.fc1, self.fc2 = nn.Dense(6, 16), nn.Dense(16, 3)
        self.norm, self.dropout = nn.LayerNorm((16,)), nn.Dropout(p=dropout)

    def construct(self, x: Any) -> Any:
        return self.fc2(self.dropout(ops.relu(self.norm(self.fc1(x)))))


X = Tensor(np.random.RandomState(0).randn(8, 6).astype(np.float32))
Y = Tensor(np.arange(8) % 3)


def trainer(**given: Any) -> Trainer:
    tc.set_seed(1)
    net = Net().set_train()
    optimizer = nn.Adam(net.trainable_params(), 0.01)
    return Trainer(Experiment(net, (X,), nn.CrossEntropyLoss(), Y, **given), optimizer)


def numbers(made: Trainer) -> list[bytes]:
    cells = [made.experiment.program.net, made.optimizer]
    return [p.asnumpy().tobytes() for cell in cells for p in cell.get_parameters()]


def test_a_look_sees_layers_gradients_and_units() -> None:
    made = trainer()
    with made.underway():
        made.step(look=True)
    seen = made.course.data()
    assert [row["name"] for row in seen["layers"]] == ["fc1", "norm", "dropout", "fc2"]
    assert all(row["value"]["hist"] and row["gradient"]["hist"] for row in seen["layers"])
    relu = seen["relus"][0]
    assert relu["name"] == "Net" and relu["units"] == 16 and relu["samples"] == 8
    assert [row["name"] for row in seen["moved"]] == [p.name for p in made.optimizer.parameters]
    assert seen["looked"] == 1 and not OBSERVERS


def test_the_gradient_of_a_layer_is_that_at_its_output() -> None:
    net = nn.SequentialCell(nn.Dense(2, 2, weight_init="ones", has_bias=False), nn.ReLU())
    made = Trainer(Experiment(net, (Tensor([[1.0, -3.0]]),), lambda y: (y * Tensor([[1.0, 5.0]])).sum()))
    with made.underway():
        made.step(look=True)
    rows = {row["name"]: row for row in made.course.data()["layers"]}
    assert rows["0"]["value"]["mean"] == -2 and rows["1"]["value"]["mean"] == 0
    assert rows["1"]["gradient"]["mean"] == 3 and rows["0"]["gradient"]["mean"] == 0  # the ReLU is off
    assert made.course.data()["relus"][0]["dead"] == 2


def test_of_many_layers_some_are_shown() -> None:
    layers = Layers(Experiment(nn.SequentialCell(*[nn.ReLU() for _ in range(100)]), (X,)).program)
    assert layers.count == 100 and len(layers.shown) == MOST_LAYERS
    assert {"0", "99"} <= set(layers.shown.values())


# Steps ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("look", [False, True])
def test_steps_are_those_of_a_loop_by_hand(look: bool) -> None:
    made = trainer()
    with made.underway():
        losses = [made.step(look) for _ in range(20)]
    tc.set_seed(1)
    net, loss = Net().set_train(), nn.CrossEntropyLoss()
    optimizer = nn.Adam(net.trainable_params(), 0.01)
    tc.set_seed(0)
    step = tc.value_and_grad(lambda x: loss(net(x), Y), None, optimizer.parameters)
    by_hand = []
    for _ in range(20):
        value, gradients = step(X)
        optimizer(gradients)
        by_hand.append(float(value.asnumpy()))
    assert losses == by_hand
    assert numbers(made) == [p.asnumpy().tobytes() for cell in (net, optimizer) for p in cell.get_parameters()]


def test_training_has_draws_of_its_own() -> None:
    made = trainer()
    tc.set_seed(7)
    expected = ops.standard_normal((3,)).asnumpy()
    tc.set_seed(7)
    with made.underway():
        made.step()
    assert np.array_equal(ops.standard_normal((3,)).asnumpy(), expected)


def test_back_to_the_start() -> None:
    made = trainer()
    before = numbers(made)
    with made.underway():
        losses = [made.step() for _ in range(5)]
    assert numbers(made) != before and made.can_go_back
    made.set_step_size(0.5)
    made.experiment.set_train(False)
    made.back_to_start()
    rate = made.optimizer.learning_rate
    assert made.step_size == 0.5 and not made.experiment.cell("").training  # choices stay
    rate.set_data(0.01)
    made.experiment.set_train(True)
    assert numbers(made) == before and not made.can_go_back and made.course.loss is None
    with made.underway():
        assert [made.step() for _ in range(5)] == losses


def test_buffers_and_states_go_back_too() -> None:
    class Leaky(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.fc, self.norm, self.v = nn.Dense(6, 3), nn.BatchNorm1d(3), None

        def construct(self, x: Any) -> Any:
            now = self.norm(self.fc(x))
            self.v = now if self.v is None else ops.stop_gradient(self.v) * 0.5 + now
            return self.v

    net = Leaky().set_train()
    mean = net.norm.moving_mean.asnumpy().copy()
    made = Trainer(Experiment(net, (X,), nn.CrossEntropyLoss(), Y))
    with made.underway():
        made.step()
    assert net.v is not None and not np.array_equal(net.norm.moving_mean.asnumpy(), mean)
    made.back_to_start()
    assert net.v is None and np.array_equal(net.norm.moving_mean.asnumpy(), mean)


def test_a_loss_that_is_not_finite_moves_nothing() -> None:
    weight = Parameter(Tensor([1.0]), name="w")
    made = Trainer(Experiment(lambda x: (ops.log(weight - 1) * x).sum(), (Tensor([1.0]),)))
    with made.underway(), pytest.raises(LossNotFinite, match="The loss is −∞"):
        made.step(look=True)
    assert weight.asnumpy() == 1.0 and made.course.step == 0 and not OBSERVERS


def test_what_is_missing_is_told() -> None:
    def missing(net: Any, *args: Any, **given: Any) -> str:
        experiment = Experiment(net, (X,), *args)
        return Trainer(experiment, **given).missing(experiment.run().document)

    dense = nn.Dense(6, 3)
    assert missing(nn.ReLU()).startswith("There is nothing to train")
    assert "the net returns (8, 3)" in missing(dense)
    assert "the loss returns (8, 3)" in missing(dense, nn.MSELoss(reduction="none"), Tensor(np.zeros((8, 3), "f4")))
    other = nn.SGD(nn.Dense(2, 2).trainable_params())
    assert "trains none" in missing(dense, nn.CrossEntropyLoss(), Y, optimizer=other)
    assert missing(dense, nn.CrossEntropyLoss(), Y) == "" == missing(lambda x: dense(x).mean())
    with pytest.raises(TypeError, match="must have the Parameters it trains"):
        missing(dense, optimizer=nn.SGD)


def test_the_step_size() -> None:
    made = trainer()
    assert made.set_step_size(0.25) == "optimizer.learning_rate.set_data(0.25)" and made.step_size == 0.25
    for wrong in (-1, math.nan, "0.1", None, True):
        with pytest.raises(ValueError, match="step size must be a number >= 0"):
            made.set_step_size(wrong)
    dense = nn.Dense(6, 3)
    scheduled = Trainer(Experiment(dense, (X,)), nn.SGD(dense.trainable_params(), nn.ExponentialDecayLR(0.1, 0.9, 4)))
    assert scheduled.step_size is None
    with pytest.raises(ValueError, match="schedule"):
        scheduled.set_step_size(0.1)


# A loop of the learner's own ------------------------------------------------------------------------------


def watched(loss: Any, known: bool, steps: int = 50) -> tuple[Course, list[float], list[int]]:
    """A loop by hand, watched by a clock that lets every eleventh step be shown."""
    net = Net().set_train()
    optimizer = nn.SGD(net.trainable_params(), 0.1)
    course = Course(Experiment(net, (X,), loss, Y).program)
    clock, shown, losses = Clock(), [], []
    step = tc.value_and_grad(lambda x: loss(net(x), Y), None, optimizer.parameters)
    with Watch(course, optimizer if known else None, Pace(clock), lambda: shown.append(course.step), lambda: True):
        for _ in range(steps):
            value, gradients = step(X)
            optimizer(gradients)
            losses.append(float(value.asnumpy()))
            clock.now += PAUSE / 9.5
    assert not OBSERVERS and optimizer._hooks.empty()
    return course, losses, shown


@pytest.mark.parametrize("known", [True, False])
def test_a_loop_by_hand_is_watched(known: bool) -> None:
    course, losses, shown = watched(nn.CrossEntropyLoss(), known)
    assert course.step == 50 and course.loss == losses[-1]
    assert course.curve.last == losses and len(course.data()["layers"]) == 4
    assert shown == [1, 12, 23, 34, 45, 50]  # the last state is always shown


def test_the_loss_of_a_function_is_known_in_steps_that_are_looked_at() -> None:
    course, losses, _ = watched(lambda y, t: nn.CrossEntropyLoss()(y, t), known=False)
    assert [i + 1 for i, loss in enumerate(course.curve.last) if loss is not None] == [1, 12, 23, 34, 45]
    assert course.curve.last[11] == pytest.approx(losses[11])


def test_a_loop_may_say_itself_when_a_step_ends() -> None:
    net = Net()
    course = Course(Experiment(net, (X,)).program)
    optimizer = nn.SGD(net.trainable_params(), 0.1)
    with Watch(course, optimizer, Pace(Clock()), lambda: None, lambda: True) as watching:
        for loss in (3.0, Tensor([1.0, 2.0])):
            watching(loss)
            optimizer(tuple(ops.zeros_like(p) for p in optimizer.parameters))
    assert course.step == 2 and course.curve.last == [3.0, 1.5]
