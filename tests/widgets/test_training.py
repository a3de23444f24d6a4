"""Live training without a browser: the four programs, an event loop, loops of one's own, and what goes wrong."""

from __future__ import annotations

import asyncio
import json
import threading
import warnings
from typing import Any

import numpy as np
import pytest
from browser.programs import PROGRAMS
from widgets.four_programs import run_program, send

import teachcell as tc
from teachcell import Tensor, nn
from teachcell.core.events import OBSERVERS
from teachcell.nn.hooks import HookNote
from teachcell.train import Model
from teachcell_widgets import Explorer, Training

X = Tensor(np.random.RandomState(0).randn(8, 6).astype(np.float32))
Y = Tensor(np.arange(8) % 3)
MISSING = {"two_outputs": "nothing to train", "function": "nothing to train", "called_twice": "Give loss=…"}


def mlp(widget: type = Explorer, **given: Any) -> Any:
    """A widget of a small net, with an optimizer."""
    tc.set_seed(1)
    net = nn.SequentialCell(nn.Dense(6, 16), nn.ReLU(), nn.Dropout(p=0.5), nn.Dense(16, 3)).set_train()
    optimizer = nn.Momentum(net.trainable_params(), 0.1, 0.9)
    return widget(net, X, targets=Y, **{"loss": nn.CrossEntropyLoss(), "optimizer": optimizer, **given})


def numbers(explorer: Any) -> list[bytes]:
    return [p.asnumpy().tobytes() for p in explorer.net.get_parameters()]


@pytest.mark.parametrize("name", PROGRAMS)
def test_alone_it_trains_or_says_what_is_missing(name: str) -> None:
    widget = run_program(name, "Training")["explorer"]
    assert isinstance(widget, Training) and widget.frame["parts"] == ["header", "training", "side"]
    assert widget.panels["training"]["error"] is None
    if name in MISSING:
        assert widget.progress["state"] == "off" and MISSING[name] in widget.progress["missing"]
        with pytest.raises(ValueError, match=MISSING[name]):
            widget.training.run(1)
        return
    seen = widget.panels["training"]["data"]
    assert seen["looked"] == "seen in a run without a step" and [row["name"] for row in seen["relus"]] == ["relu"]
    first = widget.training.run(1)
    assert widget.training.run(200) < first and widget.training.step == 201
    seen = widget.panels["training"]["data"]
    assert seen["looked"] == "seen in step 201" and len(seen["moved"]) == 4
    text = json.dumps([widget.progress, widget.panels], allow_nan=False)
    assert len(text) < 20_000
    widget.close()
    with pytest.raises(RuntimeError, match="closed"):
        widget.training.run(1)


def test_the_row_is_there_with_an_optimizer() -> None:
    assert mlp().frame["parts"][-1] == "training" and "training" not in mlp(optimizer=None).frame["parts"]
    with pytest.raises(TypeError, match="must have the Parameters it trains"):
        mlp(optimizer=nn.SGD)


def test_run_is_a_loop_by_hand_whoever_looks() -> None:
    states = []
    for panel in ("node", "training"):
        explorer = mlp()
        explorer.open_panel(panel)
        tc.set_seed(len(panel))  # draws of others do not matter
        losses = [explorer.training.run(7), explorer.training.run(3)]
        states.append((losses, numbers(explorer)))
    assert states[0] == states[1]
    explorer = mlp()
    names = {"net": explorer.net, "input": X, "loss": explorer.experiment.program.loss, "label": Y}
    explorer.training.run(4)
    explorer.training.run(6)
    assert explorer.view["code"].startswith("for _ in range(6): value, gradients = step(")
    code, trained = explorer.code(), numbers(explorer)
    assert "optimizer" in code.splitlines()[0] and "for _ in range(10):" in code
    explorer.training.back_to_start()
    assert "optimizer" not in explorer.code() and numbers(explorer) != trained
    program = explorer.experiment.program
    names |= dict(zip([*program.input_names(), *program.target_names()], [X, Y], strict=True))
    names["optimizer"] = explorer.optimizer
    exec(code, names)
    assert numbers(explorer) == trained == states[0][1]


def test_afterwards_a_fresh_run_is_shown_and_the_way_back_is_open() -> None:
    explorer = mlp()
    before, run, parameters = explorer.view["answer"], explorer.outcome, numbers(explorer)
    explorer.training.run(20)
    assert explorer.view["answer"] > before and explorer.outcome is not run
    assert explorer.progress["state"] == "idle" and explorer.progress["can_go_back"]
    send(explorer, panel="training", do="back_to_start")
    assert numbers(explorer) == parameters and explorer.training.step == 0 and explorer.progress["loss"] == "–"
    explorer.training.run(5)
    explorer.reset()  # the button for all of the widget
    assert numbers(explorer) == parameters


def test_at_most_30_updates_a_second_and_the_last_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    explorer = mlp()
    sent: list[tuple[int, float]] = []
    explorer.observe(lambda change: sent.append((change.new["step"], explorer.training.clock())), "progress")
    explorer.training.run(300)
    times = [time for step, time in sent if 0 < step < 300]
    assert all(b - a >= 0.033 for a, b in zip(times, times[1:], strict=False)) and len(times) < 60
    assert explorer.progress["step"] == 300


# In an event loop -----------------------------------------------------------------------------------------


def test_play_and_pause_while_switches_act() -> None:
    explorer = mlp()

    async def use() -> None:
        panel = explorer.training
        send(explorer, panel="training", do="play")
        assert explorer.progress["state"] == "playing" and panel.playing
        longest = 0.0
        for value in ("predict", "train"):
            begin, step = panel.clock(), panel.step
            while panel.step == step:
                await asyncio.sleep(0)
                longest, begin = max(longest, panel.clock() - begin), panel.clock()
            send(explorer, do="mode", scope="", value=value)
            assert explorer.net.training is (value == "train") and panel.playing
        assert longest < 0.5  # a slice is 33 ms; the machine may be busy
        send(explorer, panel="training", do="pause")
        done = panel.step
        await asyncio.sleep(0.05)
        assert panel.step == done > 0 and not panel.playing and explorer.progress["state"] == "idle"
        send(explorer, panel="training", do="run", steps=25)
        while panel.playing:
            await asyncio.sleep(0.001)
        assert panel.step == done + 25 and explorer.progress["steps"] == 25
        send(explorer, panel="training", do="play")
        explorer.close()
        await asyncio.sleep(0.05)

    asyncio.run(use())
    assert explorer.view["error"] is None and not OBSERVERS


def test_without_an_event_loop_play_says_so() -> None:
    explorer = mlp()
    with pytest.raises(RuntimeError, match="needs a running event loop"):
        explorer.training.play()
    assert not explorer.training.playing


def test_what_another_thread_asks_waits_for_the_end_of_a_step() -> None:
    explorer = mlp()
    inside: list[bool] = []

    class Loss(nn.CrossEntropyLoss):
        def construct(self, *given: Any) -> Any:
            if explorer.training.step == 3 and not inside and explorer.inbox.trained_in is not None:
                asked = {"do": "mode", "scope": "", "value": "predict"}
                click = threading.Thread(target=send, args=(explorer,), kwargs=asked)
                click.start()
                click.join()
                inside.append(explorer.net.training)
            return super().construct(*given)

    explorer = Explorer(explorer.net, X, loss=Loss(), targets=Y)
    explorer.training.run(10)
    assert inside == [True] and not explorer.net.training and explorer.training.step == 10


# Loops of one's own ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("known", [True, False])
def test_a_loop_by_hand(known: bool) -> None:
    explorer = mlp(**({} if known else {"optimizer": None}))
    explorer.open_panel("training")
    optimizer = explorer.optimizer or nn.SGD(explorer.net.trainable_params(), 0.1)
    loss, before = explorer.experiment.program.loss, numbers(explorer)
    step = tc.value_and_grad(lambda x: loss(explorer.net(x), Y), None, optimizer.parameters)
    with explorer.training.watch(steps=30):
        assert explorer.progress["state"] == "busy"
        for _ in range(30):
            value, gradients = step(X)
            optimizer(gradients)
    assert explorer.training.step == 30 and explorer.training.loss == float(value.asnumpy())
    assert explorer.progress["state"] == "idle" and explorer.panels["training"]["data"]["moved"] and not OBSERVERS
    assert optimizer._hooks.empty() and "range" not in explorer.code()
    explorer.training.back_to_start()
    assert numbers(explorer) == before


def test_a_loop_in_jit_says_itself_when_a_step_ends() -> None:
    explorer = mlp()
    explorer.open_panel("training")
    net, loss, optimizer = explorer.net, explorer.experiment.program.loss, explorer.optimizer
    gradient = tc.value_and_grad(lambda x: loss(net(x), Y), None, optimizer.parameters)

    @tc.jit
    def step(x: Any) -> Any:
        value, gradients = gradient(x)
        optimizer(gradients)
        return value

    with warnings.catch_warnings():  # that hooks are silent there
        warnings.simplefilter("ignore", HookNote)
        with explorer.training.watch():
            step(X)
    assert explorer.progress["error"]["title"] == "No step was seen"
    with explorer.training.watch() as watching:
        losses = [step(X) for _ in range(5) if watching(0.5) is None]
    assert explorer.training.step == 5 and explorer.training.loss == 0.5 and len(losses) == 5
    assert explorer.progress["error"] is None and explorer.panels["training"]["data"]["moved"]


def test_a_loop_by_hand_that_fails() -> None:
    explorer = mlp()
    with pytest.raises(ZeroDivisionError), explorer.training.watch() as watching:
        watching(1.0)
        watching(1 / 0)
    assert explorer.progress["error"]["title"] == "Step 2 failed" and not OBSERVERS
    with pytest.raises(ValueError, match="whole number"):
        explorer.training.watch(steps=0)


def test_a_model_trains() -> None:
    explorer = mlp()
    model = Model(explorer.net, explorer.experiment.program.loss, explorer.optimizer)
    model.train(3, [(X, Y)] * 4, callbacks=explorer.training.callback())
    assert explorer.training.step == 12 and explorer.training.loss is not None and not OBSERVERS


# What goes wrong ------------------------------------------------------------------------------------------


def test_a_step_that_raises(caplog: pytest.LogCaptureFixture) -> None:
    class Fragile(nn.Cell):
        count = 0

        def construct(self, x: Any) -> Any:
            type(self).count += 1
            if self.count == 5:
                raise ValueError("five <b>is</b> enough")
            return x

    tc.set_seed(1)
    net = nn.SequentialCell(nn.Dense(6, 3), Fragile())
    explorer = Explorer(net, X, loss=nn.CrossEntropyLoss(), targets=Y)
    explorer.training.run(10)
    told = explorer.progress["error"]
    assert told["title"] == "Step 4 failed in 1" and "ValueError: five <b>is</b> enough" in told["detail"]
    assert explorer.training.step == 3 and isinstance(explorer.training.error, ValueError)
    assert "five" in caplog.text and explorer.view["error"] is None
    explorer.training.run(10)
    assert explorer.training.step == 13 and explorer.progress["error"] is None


def test_of_a_run_that_failed_no_layers_are_counted(caplog: pytest.LogCaptureFixture) -> None:
    widget = Training(nn.SequentialCell(nn.Dense(6, 2), nn.Dense(3, 1)), X, loss=nn.MSELoss(), targets=Tensor([1.0]))
    assert "must be in_channels" in caplog.text
    told = widget.panels["training"]["data"]
    assert not told["layers"] and told["layers_note"] == ""


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_a_loss_that_explodes_stops_with_the_last_good_numbers() -> None:
    explorer = mlp(loss=lambda y, t: (y * y * y).sum(), optimizer=None)
    explorer.training.step_size = 1e10
    explorer.training.run(50)
    told = explorer.progress["error"]
    assert "The loss is" in told["detail"] and told["title"] == f"Step {explorer.training.step + 1} failed"
    explorer.training.back_to_start()
    assert explorer.progress["error"] is None
    assert all(np.isfinite(p.asnumpy()).all() for p in explorer.net.get_parameters())


def test_an_interrupt_keeps_the_steps_done() -> None:
    explorer = mlp()

    def loss(y: Any, t: Any) -> Any:
        if explorer.training.step == 6 and explorer.inbox.trained_in is not None:
            raise KeyboardInterrupt
        return nn.CrossEntropyLoss()(y, t)

    explorer = Explorer(explorer.net, X, loss=loss, targets=Y)
    with pytest.raises(KeyboardInterrupt):
        explorer.training.run(10)
    assert explorer.training.step == 6 and explorer.progress["error"]["title"] == "Interrupted in step 7"
    assert explorer.progress["state"] == "idle"


@pytest.mark.parametrize("steps", [0, -1, 2.5, "10", True])
def test_steps_that_are_none(steps: Any) -> None:
    explorer = mlp()
    with pytest.raises(ValueError, match="whole number"):
        explorer.training.run(steps)
    send(explorer, panel="training", do="run", steps=steps)
    assert "whole number" in explorer.view["error"]["detail"]


def test_the_step_size_of_the_row() -> None:
    explorer = mlp()
    send(explorer, panel="training", do="step_size", value=0.02)
    assert explorer.progress["step_size"] == "0.02" == f"{explorer.training.step_size:g}"
    assert "optimizer.learning_rate.set_data(0.02)" in explorer.code()
    send(explorer, panel="training", do="step_size", value="fast")
    assert "step size must be a number" in explorer.view["error"]["detail"]
    send(explorer, panel="training", do="fly")
    assert "fly" in explorer.view["error"]["detail"]


def test_reset_puts_back_the_step_size_that_was_found() -> None:
    net = nn.Dense(2, 1)
    optimizer = nn.SGD(net.trainable_params(), 0.25)
    explorer = Explorer(net, Tensor([[1.0, 2.0]]), optimizer=optimizer)
    explorer.training.step_size = 0.5
    explorer.training.step_size = 2
    explorer.training.back_to_start()
    assert explorer.training.step_size == 2
    explorer.reset()
    assert explorer.training.step_size == 0.25 and "learning_rate" not in explorer.code()


def test_a_net_frozen_meanwhile_has_nothing_to_train() -> None:
    net = nn.Dense(2, 1)
    explorer = Explorer(net, Tensor([[1.0, 2.0]]))
    explorer.training.run(1)
    for parameter in net.get_parameters():
        parameter.requires_grad = False
    explorer.run()
    assert explorer.progress["state"] == "off" and "nothing to train" in explorer.progress["missing"]
    with pytest.raises(ValueError, match="nothing to train"):
        explorer.training.run(1)
