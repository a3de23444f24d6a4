"""The replay as a view of the Explorer and as a widget of its own, on the four programs."""

from __future__ import annotations

import json

import numpy as np
import pytest
from browser.programs import PROGRAMS
from widgets.four_programs import run_program, send

import teachcell as tc
from teachcell import Tensor, nn, ops
from teachcell_widgets import Explorer, Replay, replay

KINDS = {"forward", "backward", "bprop", "hook", "cut", "many"}


def test_capturing_hooks_are_told_without_their_code() -> None:
    explorer = Explorer(nn.ReLU(), Tensor([1.0]))
    explorer.set_capture("")
    assert explorer.replay.tell(1).splitlines()[-1].startswith("Capture hooks put it there.")
    explorer.open_panel("replay")
    assert "code" not in explorer.panels["replay"]["data"]["steps"][0]


@pytest.mark.parametrize("name", PROGRAMS)
def test_every_step_is_told_at_once(name: str) -> None:
    widget = run_program(name, "Replay")["explorer"]
    assert isinstance(widget, Replay) and widget.frame["panels"] == ["replay"]
    told = widget.panels["replay"]
    assert told["error"] is None and len(told["data"]["steps"]) == len(widget.view["steps"])
    json.dumps(told, allow_nan=False)
    for step in told["data"]["steps"]:
        assert step["kind"] in KINDS and step["title"]
        for row in (*step.get("incoming", ()), *step.get("inputs", ()), *step.get("outputs", ())):
            assert row["array"] in told["data"]["arrays"] if "array" in row else row["words"]
    widget.position = 1
    assert widget.replay.tell().splitlines()[0].startswith(told["data"]["steps"][0]["title"])


def test_the_tab_opens_it_in_the_explorer() -> None:
    explorer = run_program("mlp")["explorer"]
    assert explorer.frame["panels"][1] == "replay" and set(explorer.panels) == {"node"}
    explorer.panel = "replay"
    assert set(explorer.panels) == {"replay"}
    explorer.set_rule("relu", "no gradient")
    (step,) = [s for s in explorer.panels["replay"]["data"]["steps"] if s["kind"] == "bprop"]
    assert "dout * 0" in step["code"] and step["outputs"][0]["written"].endswith("= 0")


def test_another_element_by_code_and_by_click() -> None:
    x = Tensor(np.array([[1.0, -2.0], [3.0, 4.0]], np.float32))
    widget = Replay(lambda x: ops.relu(x), x)
    widget.position = 1
    assert "y[1, 1] = max(4, 0) = 4" in widget.replay.tell()
    assert "y[0, 1] = max(−2, 0) = 0" in widget.replay.choose((0, -1))
    assert widget.panels["replay"]["data"]["steps"][0]["outputs"][0]["element"] == 1
    send(widget, panel="replay", do="choose", row=0, place=2)
    assert "y[1, 0] = max(3, 0) = 3" in widget.replay.tell()
    assert "y[1, 1]" in widget.replay.choose(None)
    widget.replay.choose((0, 0))
    widget.run()
    assert "y[1, 1]" in widget.replay.tell(1)


def test_what_cannot_be_chosen_is_refused() -> None:
    widget = Replay(lambda x: ops.relu(x), Tensor(np.ones((2, 2), np.float32)))
    widget.position = 1
    for index in ((2, 0), (0,), 0, (0, 0, 0)):
        with pytest.raises(IndexError, match=r"is not an index of an array of shape \(2, 2\)"):
            widget.replay.choose(index)
    with pytest.raises(IndexError, match="this step lists 1 arrays"):
        widget.replay.choose((0, 0), row=3)
    with pytest.raises(IndexError, match="steps go from 1 to 2"):
        widget.replay.tell(3)
    widget.position = 0
    with pytest.raises(IndexError, match="at the start none is done"):
        widget.replay.choose((0, 0))
    send(widget, panel="replay", do="choose", row=0, place=0)
    assert "at the start none is done" in widget.view["error"]["detail"]
    send(widget, panel="replay", do="jump")
    assert "'jump'" in widget.view["error"]["detail"]


def test_after_closing_the_story_stays_and_nothing_is_asked_of_it() -> None:
    widget = run_program("mlp", "Replay")["explorer"]
    steps = widget.panels["replay"]["data"]["steps"]
    widget.close()
    widget.show()
    assert widget.panels["replay"]["data"]["steps"] == steps
    with pytest.raises(RuntimeError, match="closed"):
        widget.replay.tell(1)


def test_a_view_never_opened_says_so_after_closing() -> None:
    explorer = run_program("mlp")["explorer"]
    Explorer(explorer.net, *explorer.experiment.program.inputs)  # takes over the net
    explorer.panel = "replay"
    assert "closed or replaced" in explorer.panels["replay"]["error"]


def test_a_failed_run_is_told_up_to_the_failure() -> None:
    def f(x):
        return ops.matmul(ops.relu(x), x)

    widget = Replay(f, Tensor(np.ones((2, 3), np.float32)))
    (step,) = widget.panels["replay"]["data"]["steps"]
    assert step["title"] == "ReLU" and "no backward pass ran" in step["outputs"][0]["words"][0][1]


def test_many_events_share_a_step_and_the_data_stay_small(monkeypatch: pytest.MonkeyPatch) -> None:
    net = nn.SequentialCell([nn.Dense(32, 32) for _ in range(4)] + [nn.ReLU()])

    def f(x):
        for _ in range(60):
            x = net(x)
        return x

    widget = Replay(f, Tensor(np.ones((32, 32), np.float32)))
    told = widget.panels["replay"]["data"]
    many = [step for step in told["steps"] if step["kind"] == "many"]
    assert many and "events in one step" in many[0]["title"] and many[0]["sentences"]
    assert len(json.dumps(told)) < 1_000_000
    monkeypatch.setattr(replay, "MOST_BYTES", 1000)
    widget.show()
    assert all(max(a["map"]["rows"], a["map"]["cols"]) <= 4 for a in widget.panels["replay"]["data"]["arrays"].values())


def test_names_with_markup_stay_text() -> None:
    class Net(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.w = nn.Dense(2, 2)
            self.w.weight.name = "<b>w</b>"

        def construct(self, x):
            return self.w(x)

    assert Replay(Net(), Tensor(np.ones((1, 2), np.float32))).panels["replay"]["error"] is None


def test_at_the_start_nothing_is_told_but_that() -> None:
    replay = run_program("mlp", "Replay")["explorer"]
    replay.position = 0
    assert repr(replay.replay.tell()) == "Start: nothing done yet."
    tc.set_language("zh")
    try:
        assert replay.replay.tell() == "起点：还没有执行任何一步。"
    finally:
        tc.set_language("en")
