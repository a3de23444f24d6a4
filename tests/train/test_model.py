"""Model: runs beside steps by hand, what callbacks are told and when, data sets, loss scales, and what is refused."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import teachcell as tc
from teachcell import Tensor, nn, train, value_and_grad
from teachcell.train import Callback, Model

X = np.array([[0.0, 0.0], [1.0, 2.0], [2.0, 4.0], [3.0, 6.0]], np.float32)
Y = np.array([[0.0], [1.0], [2.0], [3.0]], np.float32)
DATA = [(X[:2], Y[:2]), (X[2:], Y[2:])]


def made(**options: Any) -> tuple[nn.Dense, Model]:
    net = nn.Dense(2, 1, "ones", "zeros")
    return net, Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.01), **options)


class Log(Callback):
    """Every event, with the number of the epoch or step."""

    def __init__(self) -> None:
        self.events: list[str] = []

    def __getattribute__(self, name: str) -> Any:
        if not name.startswith("on_"):
            return super().__getattribute__(name)

        def note(context: Any) -> None:
            facts = context.original_args()
            number = facts.cur_step_num if "step" in name else facts.get("cur_epoch_num", "") if "train" in name else ""
            self.events.append(f"{name.removeprefix('on_')} {number}".strip())

        return note


# Training -----------------------------------------------------------------------------------------------------------


def test_training_is_the_loop_by_hand() -> None:
    net, model = made()
    other = nn.Dense(2, 1, "ones", "zeros")
    opt = nn.SGD(other.trainable_params(), 0.01)
    step = value_and_grad(lambda x, y: nn.MSELoss()(other(x), y), None, opt.parameters)
    losses = []
    for _ in range(3):
        for x, y in DATA:
            loss, gradients = step(Tensor(x), Tensor(y))
            opt(gradients)
            losses.append(loss.item())
    seen: list[float] = []
    keep = train.LambdaCallback(on_train_step_end=lambda c: seen.append(c.original_args().net_outputs.item()))
    model.train(3, DATA, keep)
    assert seen == losses and net.weight.tolist() == other.weight.tolist() and net.bias.tolist() == other.bias.tolist()
    assert losses[:2] == pytest.approx([2.0, 23.2754], rel=1e-5)


@pytest.mark.parametrize("kind", ["list", "dict", "tensors", "class", "bare"])
def test_kinds_of_data_sets(kind: str) -> None:
    class Again:
        def __iter__(self) -> Iterator[Any]:
            return iter(DATA)

    data: Any = {
        "list": [list(batch) for batch in DATA], "dict": [{"data": x, "label": y} for x, y in DATA],
        "tensors": [(Tensor(x), Tensor(y)) for x, y in DATA], "class": Again(), "bare": DATA,
    }[kind]  # fmt: skip
    net, model = made()
    sizes: list[Any] = []
    model.train(2, data, train.LambdaCallback(on_train_epoch_end=lambda c: sizes.append(c.original_args().batch_num)))
    other, reference = made()
    reference.train(2, DATA)
    assert net.weight.tolist() == other.weight.tolist() and sizes == [2, 2]


def test_batches_of_one_input_and_a_network_that_gives_the_loss() -> None:
    net = nn.Dense(2, 1, "ones", "zeros")
    decoder = nn.SequentialCell(net, nn.Dense(1, 2))

    def loss(x: Tensor) -> Tensor:
        return (decoder(x) - x).square().mean()

    model = Model(loss, optimizer=nn.SGD(decoder.trainable_params(), 0.001))
    before = loss(Tensor(X)).item()
    model.train(20, [X])
    assert loss(Tensor(X)).item() < before
    steps: list[Any] = []
    Model(lambda x: steps.append(x)).train(2, [X])  # no optimizer: the network is the step
    assert len(steps) == 2 and isinstance(steps[0], Tensor)


def test_an_iterator_serves_for_one_epoch() -> None:
    net, model = made()
    model.train(1, iter(DATA))
    with pytest.raises(ValueError, match=r"a list_iterator can be gone through only once, but 2 epochs"):
        model.train(2, iter(DATA))
    with pytest.raises(ValueError, match="a generator can be gone through only once"):
        model.fit(2, DATA, (batch for batch in DATA))


def test_modes_and_prediction() -> None:
    tc.set_seed(0)
    net = nn.SequentialCell(nn.Dense(2, 8), nn.Dropout(0.5), nn.Dense(8, 1))
    model = Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.01), {"loss"})
    modes: list[bool] = []
    watch = train.LambdaCallback(
        on_train_step_end=lambda c: modes.append(net.training), on_eval_step_end=lambda c: modes.append(net.training)
    )
    model.fit(2, DATA, DATA[:1], callbacks=watch)
    assert modes == [True, True, False] * 2
    net.set_train()
    assert model.predict(Tensor(X)).tolist() == model.predict(Tensor(X)).tolist() and not net.training


# Evaluation ---------------------------------------------------------------------------------------------------------


def test_evaluation() -> None:
    net, model = made(metrics={"loss", "mae"})
    found = model.eval(DATA)
    assert list(found) == ["loss", "mae"]
    assert found["loss"] == pytest.approx(np.mean([np.mean((x.sum(1, keepdims=True) - y) ** 2) for x, y in DATA]))
    assert found["mae"] == pytest.approx(np.abs(X.sum(1, keepdims=True) - Y).mean())
    assert model.eval(iter(DATA)) == found
    named = Model(net, nn.MSELoss(), metrics={"far": train.MAE(), "again": "mae"})
    assert named.eval(DATA) == {"far": found["mae"], "again": found["mae"]}


def test_evaluation_networks_of_ones_own() -> None:
    net, _ = made()

    def both(x: Tensor, y: Tensor) -> Any:
        return y, net(x), nn.MSELoss()(net(x), y)

    chosen = Model(net, metrics=["loss", "mae"], eval_network=both, eval_indexes=[2, 1, 0])
    _, usual = made(metrics=["loss", "mae"])
    assert chosen.eval(DATA) == usual.eval(DATA)
    everything = Model(net, metrics={"mae": train.MAE().set_indexes([1, 0])}, eval_network=both)
    assert everything.eval(DATA)["mae"] == usual.eval(DATA)["mae"]
    only = Model(net, metrics=["loss"], eval_network=lambda x, y: nn.MSELoss()(net(x), y))
    assert only.eval(DATA)["loss"] == usual.eval(DATA)["loss"]


def test_training_a_classifier() -> None:
    tc.set_seed(1)
    draws = np.random.default_rng(0)
    x = draws.normal(size=(200, 2)).astype(np.float32)
    labels = (x[:, 0] * x[:, 1] > 0).astype(np.int64)
    data = [(x[i : i + 50], labels[i : i + 50]) for i in range(0, 200, 50)]
    net = nn.SequentialCell(nn.Dense(2, 16), nn.Tanh(), nn.Dense(16, 2))
    opt = nn.SGD(net.trainable_params(), 0.5, momentum=0.9)
    model = Model(net, nn.CrossEntropyLoss(), opt, {"acc", "loss"})
    before = model.eval(data)
    model.train(40, data)
    after = model.eval(data)
    assert after["acc"] > 0.95 > before["acc"] and after["loss"] < before["loss"]


# Callbacks ----------------------------------------------------------------------------------------------------------


def test_events_in_order() -> None:
    _, model = made(metrics={"mae"})
    log = Log()
    model.fit(3, DATA[:1], DATA, valid_frequency=2, callbacks=[log], initial_epoch=1)
    assert log.events == [
        "train_begin 1", "train_epoch_begin 2", "train_step_begin 1", "train_step_end 1", "eval_begin",
        "eval_epoch_begin", "eval_step_begin 1", "eval_step_end 1", "eval_step_begin 2", "eval_step_end 2",
        "eval_epoch_end", "eval_end", "train_epoch_end 2", "train_epoch_begin 3", "train_step_begin 2",
        "train_step_end 2", "train_epoch_end 3", "train_end 3",
    ]  # fmt: skip
    log.events.clear()
    model.eval(DATA[:1], log)
    assert log.events == [
        "eval_begin", "eval_epoch_begin", "eval_step_begin 1", "eval_step_end 1", "eval_epoch_end", "eval_end"
    ]  # fmt: skip


def test_older_names_serve_training_and_evaluation() -> None:
    class Older(Callback):
        seen = ""

        def begin(self, run_context: Any) -> None:
            self.seen += "<"

        def epoch_begin(self, run_context: Any) -> None:
            self.seen += "("

        def step_begin(self, run_context: Any) -> None:
            self.seen += "."

        def step_end(self, run_context: Any) -> None:
            self.seen += ","

        def epoch_end(self, run_context: Any) -> None:
            self.seen += ")"

        def end(self, run_context: Any) -> None:
            self.seen += ">"

    _, model = made(metrics={"mae"})
    older = Older()
    model.fit(1, DATA, DATA[:1], callbacks=older)
    assert older.seen == "<(.,.,<(.,)>)>"


def test_facts_and_the_request_to_stop() -> None:
    net, model = made(metrics={"mae"})
    facts: list[Any] = []

    def stop(context: Any) -> None:
        facts.append(context.original_args())
        if facts[-1].cur_step_num == 3:
            context.request_stop()

    ends: list[int] = []
    last = train.LambdaCallback(on_train_end=lambda c: ends.append(c.original_args().cur_epoch_num))
    model.train(5, DATA, [train.LambdaCallback(on_train_step_end=stop), last])
    assert len(facts) == 3 and ends == [2]
    told = facts[0]
    assert told.network is net and told["epoch_num"] == 5 and told.batch_num == 2 and len(told.list_callback) == 2
    assert told.train_network is model.train_network and isinstance(told.loss_fn, nn.MSELoss)
    with pytest.raises(AttributeError, match="no attribute 'loss'"):
        _ = told.loss
    results: list[Any] = []
    model.fit(
        1, DATA, DATA, callbacks=train.LambdaCallback(on_eval_end=lambda c: results.append(c.original_args()))
    )  # fmt: skip
    assert results[0].metrics == {"mae": results[0].eval_results["mae"]} and results[0].eval_results["eval_loss"] > 0


@pytest.mark.parametrize(("frequency", "epochs"), [(1, [1, 2, 3, 4]), (3, [3]), ([1, 4], [1, 4])])
def test_when_fit_evaluates(frequency: Any, epochs: list[int]) -> None:
    _, model = made(metrics={"mae"})
    seen: list[int] = []
    note = train.LambdaCallback(on_eval_end=lambda c: seen.append(c.original_args().cur_epoch_num))
    model.fit(4, DATA, DATA, frequency, note)
    assert seen == epochs


# Loss scales --------------------------------------------------------------------------------------------------------


def test_loss_scale_managers() -> None:
    fixed = train.FixedLossScaleManager(8.0)
    assert fixed.get_loss_scale() == 8.0 and fixed.get_drop_overflow_update()
    assert isinstance(fixed.get_update_cell(), nn.FixedLossScaleUpdateCell)
    fixed.update_loss_scale(True)
    assert fixed.get_loss_scale() == 8.0 and train.FixedLossScaleManager(8.0, False).get_update_cell() is None
    dynamic = train.DynamicLossScaleManager(8, 2, 2)
    seen = []
    for overflow in (False, False, False, True, True, True, True):
        dynamic.update_loss_scale(overflow)
        seen.append(dynamic.get_loss_scale())
    assert seen == [8, 16, 16, 8, 4, 2, 1] and dynamic.get_drop_overflow_update()
    assert isinstance(dynamic.get_update_cell(), nn.DynamicLossScaleUpdateCell)


@pytest.mark.parametrize("scale", ["fixed", "dynamic", "kept"])
def test_scaled_training_is_the_same_training(scale: str) -> None:
    managers = {
        "fixed": train.FixedLossScaleManager(16.0), "dynamic": train.DynamicLossScaleManager(16.0, 2, 1),
        "kept": train.FixedLossScaleManager(16.0, drop_overflow_update=False),
    }  # fmt: skip
    net = nn.Dense(2, 1, "ones", "zeros")
    opt = nn.SGD(net.trainable_params(), 0.01, loss_scale=16.0 if scale == "kept" else 1.0)
    losses: list[str] = []
    model = Model(net, nn.MSELoss(), opt, loss_scale_manager=managers[scale])
    model.train(2, DATA, train.LambdaCallback(on_train_step_end=lambda c: losses.append(c.original_args().net_outputs)))
    other, plain = made()
    plain.train(2, DATA)
    np.testing.assert_allclose(net.weight.asnumpy(), other.weight.asnumpy(), rtol=1e-6)
    assert isinstance(losses[0], tuple) == (scale != "kept")


# What is refused ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("act", "kind", "text"),
    [
        (lambda m, n: m.train(0, DATA), ValueError, "Model: epoch must be a positive int, got 0"),
        (lambda m, n: m.train(1.5, DATA), TypeError, "epoch must be a positive int"),
        (lambda m, n: m.train(2, DATA, initial_epoch=2), ValueError, "initial_epoch must lie in"),
        (lambda m, n: m.train(1, (X, Y)), TypeError, r"such as a list \[\(data, label\), …\]; got tuple"),
        (lambda m, n: m.train(1, Tensor(X)), TypeError, "got Tensor"),
        (lambda m, n: m.train(1, {"x": X}), TypeError, "got dict"),
        (lambda m, n: m.train(1, 3), TypeError, "got int"),
        (lambda m, n: m.train(1, lambda: DATA), TypeError, "got function"),
        (lambda m, n: m.train(1, []), ValueError, "the data set has no batches"),
        (lambda m, n: m.train(1, DATA, 3), TypeError, "callbacks must be instances of Callback, got int"),
        (lambda m, n: m.train(1, DATA, [Log]), TypeError, "got type"),
        (lambda m, n: m.eval(DATA), ValueError, "an evaluation needs metrics"),
        (lambda m, n: m.fit(1, DATA, DATA), ValueError, "an evaluation needs metrics"),
        (lambda m, n: Model(n, metrics={"mae"}), ValueError, "metrics need a loss_fn"),
        (lambda m, n: Model(n, n, metrics="mae"), TypeError, "a set of names, or a dict .* got str"),
        (lambda m, n: Model(n, n, metrics={"nope"}), KeyError, "unknown metric 'nope'; known: F1"),
        (lambda m, n: Model(n, n, amp_level="O2"), ValueError, "amp_level must be 'O0', got 'O2'"),
        (lambda m, n: Model(n, n, eval_indexes=[0, 1]), ValueError, r"three positions, .* got \[0, 1\]"),
        (
            lambda m, n: Model(n, metrics=["mae"], eval_network=lambda x, y: n(x), eval_indexes=[0, 1, 2]).eval(DATA),
            ValueError, r"eval_indexes \(0, 1, 2\) do not fit: the eval_network returned 1 value",
        ),
        (lambda m, n: train.FixedLossScaleManager(0.5), ValueError, r"FixedLossScaleManager.loss_scale must .* 0.5"),
        (lambda m, n: train.DynamicLossScaleManager(1), ValueError, "init_loss_scale must"),
        (lambda m, n: train.RunContext(3), TypeError, "a RunContext is made of a dict of facts, got int"),
        (lambda m, n: train.LambdaCallback(on_train_end=3), TypeError, "on_train_end needs a function, got int"),
    ],
)  # fmt: skip
def test_models_refuse(act: Any, kind: type[Exception], text: str) -> None:
    net, model = made()
    with pytest.raises(kind, match=text):
        act(model, net)
