"""Both modes from one seed: nothing is left changed, and each Cell's difference is told, by hand-worked numbers."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from lens.looking import Look

import teachcell as tc
from teachcell import Tensor, nn, ops
from teachcell.core.protect import random_state
from teachcell.lens import Experiment
from teachcell.lens.compare.by_mode import gradients_told, told_by_mode
from teachcell.lens.compare.twin import Twins, twin_run


def twin(net: Any, *inputs: Any, path: str = "", **options: Any) -> Twins:
    return twin_run(Experiment(net, inputs, **options), path)


def output(run: Any) -> np.ndarray:
    return run.values[run.document["outputs"][0]].value.array


def gradient(run: Any, name: str) -> np.ndarray:
    (number,) = [v["id"] for v in run.document["values"] if v["name"] == name]
    return run.values[number].gradient.array


def test_dropout_by_hand() -> None:
    x = Tensor(np.arange(1, 41, dtype=np.float32))
    found = twin(nn.Dropout(p=0.2), x)
    train, predict = output(found.train), output(found.predict)
    kept = train != 0
    np.testing.assert_allclose(train[kept], x.asnumpy()[kept] * 1.25, rtol=1e-6)  # 1 / (1 − 0.2)
    np.testing.assert_array_equal(predict, x.asnumpy())
    np.testing.assert_allclose(gradient(found.train, "x"), kept * 1.25, rtol=1e-6)
    np.testing.assert_array_equal(gradient(found.predict, "x"), np.ones(40))

    (told,) = told_by_mode(found, found.differences)
    assert told["words"][0].startswith("In training it keeps each element with probability 0.8")
    assert told["words"][0].endswith("1 / 0.8 = 1.25.")
    assert told["words"][1].startswith(f"In this draw {kept.sum()} of the 40 elements that are not 0 were kept")
    assert told["words"][2] == "In prediction it passes its input through." and not told["same"]
    mask = np.array(told["mask"]["map"]["data"])
    assert set(mask.tolist()) <= {1.0, -1.0}
    tc.set_seed(0)  # the same draw by hand
    np.testing.assert_array_equal(nn.Dropout(p=0.2).set_train()(x).asnumpy(), train)


def test_dropout_of_channels_and_with_nothing_to_drop() -> None:
    (told,) = _told(nn.Dropout2d(0.5), Tensor(np.ones((2, 3, 2, 2), np.float32)))
    assert "keeps each channel with probability 0.5" in told["words"][0] and told["mask"]["shape"] == [2, 3, 2, 2]
    (told,) = _told(nn.Dropout(p=0.0), Tensor([1.0, 2.0]))
    assert told["words"] == ["Its result was the same in both."] and told["same"]


def _told(net: Any, *inputs: Any) -> list[dict[str, Any]]:
    found = twin(net, *inputs)
    return told_by_mode(found, found.differences)


def test_e5_one_value_per_channel() -> None:
    net = nn.SequentialCell(
        nn.Conv2d(1, 2, 2, pad_mode="valid", weight_init="ones"), nn.BatchNorm2d(2, eps=1e-5, momentum=0.99), nn.ReLU()
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # which says the same
        found = twin(net, Tensor(np.ones((1, 1, 2, 2), np.float32)))
    # prediction: incoming 1 at the norm, on 1 / √(1 + 1e−5) = 0.999995 per channel, at the input the sum of both
    expected = np.full((1, 1, 2, 2), 2 / np.sqrt(1 + 1e-5))
    np.testing.assert_allclose(gradient(found.predict, "x"), expected, rtol=1e-6)
    np.testing.assert_array_equal(gradient(found.train, "x"), np.zeros((1, 1, 2, 2)))
    (told,) = told_by_mode(found, found.differences)
    assert told["words"][:3] == [
        "In training it normalises by this batch: mean 4, variance 0.",
        "In prediction by the moving statistics: mean 0, variance 1.",
        "There is one value per channel, so its variance is 0: in training the normalised value and the gradient of "
        "the input are exactly 0.",
    ]
    # momentum 0.99: 0.99 · 0 + 0.01 · 4 = 0.04, and 0.99 · 1 + 0.01 · 0
    assert told["words"][3:] == [
        "The run in training moved moving_mean from 0 to 0.04.",
        "The run in training moved moving_variance from 1 to 0.99.",
        "Afterwards this was put back.",
    ]
    assert net[1].moving_mean.asnumpy().tolist() == [0, 0] and net[1].moving_variance.asnumpy().tolist() == [1, 1]
    words = gradients_told(found.differences)
    assert "x (2)" in words[0] and words[1].startswith("Exactly 0 in training: ") and "x" in words[1]


def test_batch_norm_by_hand() -> None:
    # one channel with 1, 3: mean 2, variance 1 (unbiased 2); momentum 0.9: 0.2 and 0.9 + 0.2 = 1.1
    net = nn.BatchNorm1d(1)
    found = twin(net, Tensor([[1.0], [3.0]]))
    np.testing.assert_allclose(output(found.train).reshape(-1), [-1, 1], atol=1e-5)
    np.testing.assert_allclose(output(found.predict).reshape(-1), [1, 3], atol=2e-5)
    (told,) = told_by_mode(found, found.differences)
    assert told["words"][0] == "In training it normalises by this batch: mean 2, variance 1."
    assert told["words"][2:4] == [
        "The run in training moved moving_mean from 0 to 0.2.",
        "The run in training moved moving_variance from 1 to 1.1.",
    ]
    assert found.moved[""]["moving_mean"][1].tolist() == pytest.approx([0.2])


def test_a_norm_that_always_takes_the_batch_and_one_that_only_keeps_count() -> None:
    (told,) = _told(nn.BatchNorm1d(1, use_batch_statistics=True), Tensor([[1.0], [3.0]]))
    assert told["same"] and told["words"][-1] == "Its result was the same in both."
    (told,) = _told(nn.InstanceNorm1d(1), Tensor([[[1.0, 3.0]]]))
    assert told["same"] and "moved moving_mean from 0 to" in told["words"][0]


def test_modes_random_state_capture_and_parameters_are_as_before() -> None:
    net = nn.SequentialCell(nn.Dense(3, 3), nn.BatchNorm1d(3), nn.SequentialCell(nn.Dropout(p=0.5), nn.ReLU()))
    net.set_train()
    net[2].set_train(False)
    experiment = Experiment(net, (Tensor(np.random.RandomState(0).randn(4, 3).astype(np.float32)),))
    experiment.set_capture("0")
    experiment.run()
    before = [(cell.training, cell.phase) for _, cell in net.cells_and_names()]
    parameters = [p.asnumpy().copy() for p in net.get_parameters()]
    state, captured = random_state(), experiment.capture.rows()
    found = twin_run(experiment)
    assert [(cell.training, cell.phase) for _, cell in net.cells_and_names()] == before
    assert all(np.array_equal(p.asnumpy(), old) for p, old in zip(net.get_parameters(), parameters, strict=True))
    assert random_state() == state and experiment.capture.rows() == captured
    assert {cell["path"] for cell in told_by_mode(found, found.differences)} == {"1", "2.0"}


def test_only_one_subtree_is_switched() -> None:
    net = nn.SequentialCell(nn.SequentialCell(nn.Dropout(p=0.5)), nn.Dropout(p=0.5))
    net[1].set_train()
    found = twin(net, Tensor(np.ones(16, np.float32)), path="0")
    flags = [[call["training"] for call in run.document["calls"]] for run in (found.train, found.predict)]
    assert flags == [[False, True, True, True], [False, False, False, True]] and found.path == "0"
    with pytest.raises(KeyError, match="5"):
        twin(net, Tensor(np.ones(16, np.float32)), path="5")


def test_a_cell_that_does_not_say_that_it_depends_on_the_mode() -> None:
    class Own(nn.Cell):
        def construct(self, x):
            return ops.tanh(x) if self.training else ops.relu(x)

    (told,) = _told(Own(), Tensor([1.0, -1.0]))
    assert told["words"] == ["In training it runs tanh; in prediction relu."]


def test_a_mode_in_which_the_net_raises() -> None:
    class Only(nn.Cell):
        def construct(self, x):
            if self.training:
                raise ValueError("not for training")
            return x * 2

    net = Only()
    found = twin(net, Tensor([1.0]))
    assert found.train.error.endswith("not for training") and not found.predict.error and not net.training
    assert found.differences.first("value").value.state == "only_b"


def test_a_function_and_what_has_no_cell() -> None:
    drop = nn.Dropout(p=0.5)

    def f(x):
        return drop(x) * 2

    found = twin(f, Tensor(np.ones(8, np.float32)))
    assert found.differences.first("value").name == "drop" and not drop.training
    with pytest.raises(ValueError, match="has no Cell"):
        twin(lambda x: x * 2, Tensor([1.0]))


def test_both_draw_the_same_numbers() -> None:
    """What is drawn outside the mode's reach is the same in both runs."""

    def noise(x):
        return x + Tensor(np.random.rand(3).astype(np.float32))

    class Noisy(nn.Cell):
        def construct(self, x):
            return noise(x)

    assert Look(Noisy(), Tensor([1.0, 2.0, 3.0])).error is None
    found = twin(Noisy(), Tensor([1.0, 2.0, 3.0]))
    assert found.differences.first("value") is None and found.differences.first("gradient") is None
