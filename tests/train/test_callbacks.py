"""Callbacks: what they print, keep, save, and change in a run."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import teachcell as tc
from teachcell import Tensor, nn, train
from teachcell.train import Model

X = np.array([[0.0, 0.0], [1.0, 2.0], [2.0, 4.0], [3.0, 6.0]], np.float32)
Y = np.array([[0.0], [1.0], [2.0], [3.0]], np.float32)
DATA = [(X[:2], Y[:2]), (X[2:], Y[2:])]


class Unsized:
    """A data set that does not tell its size."""

    def __iter__(self) -> Any:
        return iter(DATA)


def made(rate: Any = 0.01, **options: Any) -> tuple[Any, Model]:
    net = nn.Dense(2, 1, "ones", "zeros")
    return net, Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), rate), metrics={"mae"}, **options)


# Monitors -----------------------------------------------------------------------------------------------------------


def test_the_loss_is_printed(capsys: Any) -> None:
    _, model = made()
    model.train(2, DATA, train.LossMonitor())
    assert capsys.readouterr().out.splitlines() == [
        "epoch: 1 step: 1, loss is 2", "epoch: 1 step: 2, loss is 23.2754",
        "epoch: 2 step: 1, loss is 0.160801", "epoch: 2 step: 2, loss is 2.313",
    ]  # fmt: skip
    _, model = made()
    model.fit(2, DATA, DATA, callbacks=train.LossMonitor(3))
    assert [line.partition(",")[0] for line in capsys.readouterr().out.splitlines()] == [
        "Eval result: epoch 1", "epoch: 2 step: 1", "Eval result: epoch 2"
    ]  # fmt: skip
    _, model = made()
    model.train(2, DATA, train.LossMonitor(0))
    assert [line.partition(",")[0] for line in capsys.readouterr().out.splitlines()] == [
        "epoch: 1 step: 2", "epoch: 2 step: 2"
    ]  # fmt: skip
    tc.set_language("zh")
    try:
        model.train(1, DATA[:1], train.LossMonitor())
    finally:
        tc.set_language("en")
    assert capsys.readouterr().out.startswith("轮次：1 步：1，损失为 ")


def test_a_loss_that_is_not_finite_ends_the_run() -> None:
    _, model = made()
    bad = [(X, np.where(Y == 1, np.float32(np.nan), Y))]
    with pytest.raises(ValueError, match="in epoch 1, step 1, the loss is nan; look for a learning rate"):
        model.train(3, bad, train.LossMonitor())


def test_losses_in_other_outputs(capsys: Any) -> None:
    net, _ = made()
    step = lambda x: (net(x), 1)  # noqa: E731
    Model(step).train(1, [X[:2]], train.LossMonitor())
    assert capsys.readouterr().out == "epoch: 1 step: 1, loss is 1.5\n"
    Model(lambda x: None).train(1, [X], train.LossMonitor())
    assert not capsys.readouterr().out


def test_the_time_is_printed(capsys: Any) -> None:
    _, model = made()
    model.train(2, DATA, train.TimeMonitor())
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2 and all(line.startswith("Train epoch time: ") for line in lines)
    spent, per_step = (float(part.split()[-1]) for part in lines[0].removesuffix(" ms").split(" ms,"))
    assert per_step == pytest.approx(spent / 2, abs=1e-3)


def test_history() -> None:
    _, model = made()
    history = train.History()
    model.fit(2, DATA, DATA, callbacks=history)
    assert history.epoch == {"epoch": [1, 2]} and list(history.history) == ["net_output", "mae"]
    assert history.history["net_output"] == pytest.approx([23.275398, 2.312996], rel=1e-5)
    assert len(history.history["mae"]) == 2
    model.eval(DATA, history)
    model.train(1, DATA, history)
    assert history.epoch == {"epoch": [1]} and list(history.history) == ["net_output"]


def test_the_bar(capsys: Any) -> None:
    pytest.importorskip("tqdm")
    _, model = made()
    model.train(2, DATA, train.ProgressBar())
    shown = capsys.readouterr().err
    assert "2/2: 100%" in shown and "4/4" in shown and "loss=2.313" in shown
    model.train(2, Unsized(), train.ProgressBar())
    assert "4/4" in capsys.readouterr().err


def test_the_bar_needs_tqdm(monkeypatch: Any) -> None:
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    with pytest.raises(ImportError, match=r"ProgressBar needs tqdm, .* pip install 'teachcell\[lab\]'"):
        train.ProgressBar()


# Learning rates -----------------------------------------------------------------------------------------------------


def test_a_schedule_of_learning_rates() -> None:
    net, model = made()
    told: list[tuple[float, int]] = []

    def halved(rate: float, step: int) -> float:
        told.append((rate, step))
        return rate / 2

    model.train(1, DATA, train.LearningRateScheduler(halved))
    assert told == [(0.01, 1), (0.005, 2)] and model._optimizer.learning_rate.item() == pytest.approx(0.0025)


def watched(callback: Any, values: list[float], name: str = "eval_loss") -> list[tuple[bool, float]]:
    """Per epoch whether the callback asked for the end, and the learning rate."""
    net = nn.Dense(1, 1)
    facts = {"network": net, "optimizer": nn.SGD(net.trainable_params(), 1.0), "cur_epoch_num": 0}
    context = train.RunContext(train.callback.base.RunFacts(facts))
    callback.on_train_begin(context)
    seen = []
    for i, value in enumerate(values, 1):
        context.original_args().update(cur_epoch_num=i, eval_results={name: value})
        callback.on_train_epoch_end(context)
        seen.append((context.get_stop_requested(), context.original_args().optimizer.learning_rate.item()))
    callback.on_train_end(context)
    return seen


@pytest.mark.parametrize(
    ("options", "values", "stops"),
    [
        ({"patience": 0}, [3, 2, 2, 1], 3), ({"patience": 1}, [3, 2, 2, 1], 3), ({"patience": 2}, [3, 2, 2, 2, 1], 4),
        ({"patience": 2}, [3, 2, 2, 1, 1], 6), ({"min_delta": 1}, [5, 3, 2.5], 3), ({"mode": "max"}, [1, 2, 1], 3),
        ({"monitor": "acc", "patience": 1}, [0.1, 0.5, 0.4], 3), ({"baseline": 2.0, "patience": 2}, [3, 2.5, 1], 2),
    ],
    ids=str,
)  # fmt: skip
def test_early_stopping(options: dict[str, Any], values: list[float], stops: int, capsys: Any) -> None:
    callback = train.EarlyStopping(verbose=True, **options)
    seen = [stop for stop, _ in watched(callback, values, options.get("monitor", "eval_loss"))]
    assert seen.index(True) + 1 == stops if any(seen) else stops > len(values)
    assert capsys.readouterr().out == (f"Epoch {stops}: early stopping\n" if any(seen) else "")


def test_the_best_weights_come_back() -> None:
    net, model = made(0.05)  # too large: the loss grows
    kept: list[Any] = []
    note = train.LambdaCallback(on_train_epoch_end=lambda c: kept.append(net.weight.tolist()))
    losses = train.History()
    stop = train.EarlyStopping("mae", patience=2, mode="min", restore_best_weights=True)
    model.fit(9, DATA, DATA, callbacks=[note, losses, stop])
    best = int(np.argmin(losses.history["mae"]))
    assert len(kept) == best + 3 and net.weight.tolist() == kept[best] != kept[-1]


@pytest.mark.parametrize(
    ("options", "rates"),
    [
        ({"patience": 0}, [1, 1, 0.5, 0.25, 0.125]), ({"patience": 1}, [1, 1, 0.5, 0.25, 0.125]),
        ({"patience": 2}, [1, 1, 1, 0.5, 0.5]), ({"patience": 1, "cooldown": 2}, [1, 1, 0.5, 0.5, 0.25]),
        ({"patience": 1, "min_lr": 0.4}, [1, 1, 0.5, 0.4, 0.4]),
        ({"patience": 1, "mode": "max"}, [1, 0.5, 0.25, 0.125, 0.0625]),
    ],
    ids=str,
)  # fmt: skip
def test_smaller_rates_on_a_plateau(options: dict[str, Any], rates: list[float]) -> None:
    callback = train.ReduceLROnPlateau(factor=0.5, **options)
    assert [rate for _, rate in watched(callback, [3, 2, 2, 2, 2])] == pytest.approx(rates)


def test_what_is_watched(capsys: Any) -> None:
    net, model = made()
    model.train(3, DATA, train.ReduceLROnPlateau("loss", 0.5, 1, True, min_delta=100.0))
    assert capsys.readouterr().out == (
        "Epoch 2: ReduceLROnPlateau reduces the learning rate to 0.005\n"
        "Epoch 3: ReduceLROnPlateau reduces the learning rate to 0.0025\n"
    )
    with pytest.warns(UserWarning, match="EarlyStopping watches 'acc', which this run does not have; it has: mae"):
        model.fit(1, DATA, DATA, callbacks=train.EarlyStopping("acc"))
    with pytest.warns(UserWarning, match="it has: loss"):
        model.train(1, DATA, train.EarlyStopping())


# Checkpoints --------------------------------------------------------------------------------------------------------


def saved(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.glob("*.ckpt"))


def test_checkpoints(tmp_path: Path) -> None:
    net, model = made()
    callback = train.ModelCheckpoint("net", tmp_path / "all")
    model.train(2, DATA, callback)
    assert saved(tmp_path / "all") == ["net-1_1.ckpt", "net-1_2.ckpt", "net-2_1.ckpt", "net-2_2.ckpt"]
    assert callback.latest_ckpt_file_name == str(tmp_path / "all" / "net-2_2.ckpt")
    found = tc.load_checkpoint(callback.latest_ckpt_file_name)
    assert found["weight"].tolist() == net.weight.tolist() and found["global_step"].tolist() == [4]
    model.train(1, DATA[:1], train.ModelCheckpoint("net", tmp_path / "all"))
    assert "net_1-1_1.ckpt" in saved(tmp_path / "all") and len(saved(tmp_path / "all")) == 5


@pytest.mark.parametrize(
    ("options", "files"),
    [
        ({"save_checkpoint_steps": 2, "keep_checkpoint_max": 2}, ["CKP-2_2.ckpt", "CKP-3_2.ckpt"]),
        ({"save_checkpoint_steps": 4}, ["CKP-2_2.ckpt", "CKP-3_2.ckpt"]),
        ({"save_checkpoint_steps": 0}, ["CKP-3_2.ckpt"]),
        ({"save_checkpoint_steps": 0, "save_checkpoint_seconds": 3600}, ["CKP-3_2.ckpt"]),
        ({"keep_checkpoint_max": 0, "keep_checkpoint_per_n_minutes": 60}, ["CKP-3_2.ckpt"]),
        ({"keep_checkpoint_max": 0}, [f"CKP-{e}_{s}.ckpt" for e in (1, 2, 3) for s in (1, 2)]),
        ({}, ["CKP-1_2.ckpt", "CKP-2_1.ckpt", "CKP-2_2.ckpt", "CKP-3_1.ckpt", "CKP-3_2.ckpt"]),
    ],
    ids=str,
)
def test_when_checkpoints_are_saved_and_kept(tmp_path: Path, options: dict[str, Any], files: list[str]) -> None:
    _, model = made()
    model.train(3, DATA, train.ModelCheckpoint(directory=tmp_path, config=train.CheckpointConfig(**options)))
    assert saved(tmp_path) == files


def test_what_is_saved(tmp_path: Path, monkeypatch: Any) -> None:
    net, model = made()
    config = train.CheckpointConfig(saved_network=net, append_info=["epoch_num", "step_num", {"rate": 0.5}])
    monkeypatch.chdir(tmp_path)
    model.train(2, DATA[:1], train.ModelCheckpoint("only", config=config))
    found = tc.load_checkpoint("only-2_1.ckpt")
    assert {name: p.tolist() for name, p in found.items() if name not in ("weight", "bias")} == {
        "epoch_num": 2, "step_num": 2, "rate": 0.5
    }  # fmt: skip
    other = nn.Dense(2, 1)
    assert tc.load_param_into_net(other, found)[0] == [] and other.weight.tolist() == net.weight.tolist()


@pytest.mark.parametrize(
    ("act", "kind", "text"),
    [
        (lambda m: train.LossMonitor(-1), ValueError, "LossMonitor: per_print_times must be an int >= 0, got -1"),
        (lambda m: train.TimeMonitor(1.5), ValueError, "TimeMonitor: data_size must"),
        (lambda m: train.LearningRateScheduler(3), TypeError, "LearningRateScheduler needs a function, got int"),
        (lambda m: train.EarlyStopping(patience=-1), ValueError, "EarlyStopping: patience must be an int >= 0"),
        (lambda m: train.EarlyStopping(mode="best"), ValueError, "EarlyStopping.mode must be one of 'auto', 'min'"),
        (lambda m: train.ReduceLROnPlateau(factor=1.0), ValueError, r"ReduceLROnPlateau.factor must"),
        (lambda m: train.CheckpointConfig(-1), ValueError, "save_checkpoint_steps must be an int >= 0"),
        (lambda m: train.CheckpointConfig(append_info=["lr"]), ValueError, "append_info must be one of 'epoch_num'"),
        (lambda m: train.ModelCheckpoint("a/b"), ValueError, "the prefix must be a str without '/', got 'a/b'"),
        (lambda m: train.ModelCheckpoint(config=3), TypeError, "config must be a CheckpointConfig, got int"),
        (
            lambda m: m([0.1, 0.2]).train(1, DATA, train.LearningRateScheduler(lambda rate, step: rate)),
            TypeError, "the optimizer's learning_rate must be one number to be changed, got Parameter",
        ),
    ],
)  # fmt: skip
def test_callbacks_refuse(act: Any, kind: type[Exception], text: str) -> None:
    with pytest.raises(kind, match=text):
        act(lambda rate: made(rate)[1])


def test_the_tensor_of_a_rate_keeps_its_shape() -> None:
    net, model = made(Tensor(0.5))
    model.train(1, DATA, train.LearningRateScheduler(lambda rate, step: 0.25))
    assert model._optimizer.learning_rate.shape == () and model._optimizer.get_lr().item() == 0.25
