"""Steps: one per event, or one per drawn node where there are very many; and where a new run stands."""

from __future__ import annotations

import json

import numpy as np
import pytest

from teachcell import Tensor, nn, ops
from teachcell.graph import fold
from teachcell.lens import Experiment
from teachcell_widgets import Explorer, steps
from teachcell_widgets.steps import Steps, same_place

X = Tensor(np.linspace(-1, 1, 8).reshape(2, 4).astype(np.float32))


class Step(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.w, self.u = nn.Dense(4, 4), nn.Dense(4, 4, has_bias=False)

    def construct(self, x, h):
        return ops.tanh(self.w(x) + self.u(h)) * 0.9


class Recurrent(nn.Cell):
    def __init__(self, times: int) -> None:
        super().__init__()
        self.step, self.times = Step(), times

    def construct(self, x):
        h = x
        for _ in range(self.times):
            h = self.step(x, h)
        return h


@pytest.fixture
def few_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(steps, "MOST_STEPS", 20)


def run(net, *inputs):
    outcome = Experiment(net, inputs).run()
    assert outcome.error is None
    return outcome.document


def test_one_step_per_event() -> None:
    document = run(Recurrent(3), X)
    made = Steps(document, fold(document))
    assert len(made.steps) == len(document["events"])
    for events in range(len(document["events"]) + 1):
        assert made.events_done(made.steps_done(events)) == events
    assert made.at(None) is None and made.at(-1) == -1 and made.at(7) == 7


def test_many_events_at_one_node_are_one_step(few_steps: None) -> None:
    document = run(Recurrent(6), X)
    scene = fold(document)
    made = Steps(document, scene)
    assert [step["node"] for step in made.steps] == [f"call{1 + 3 * i}" for i in (*range(6), *reversed(range(6)))]
    assert [step["pass"] for step in made.steps] == ["forward"] * 6 + ["backward"] * 6
    assert made.steps[0]["sentence"] == [["b", "6 ops forward"], ["", " → "], ["val", "(2, 4)"]]
    first, last = scene.nodes["call1"], scene.nodes["call16"]
    assert made.scene.nodes["call1"].value_at == 0 and made.scene.nodes["call16"].value_at == 5
    assert made.scene.nodes["call16"].grad_at == 6 and (first.value_at, last.value_at) == (5, 35)
    (edge,) = [e for e in made.scene.edges.values() if (e.source, e.target) == ("call1", "call4")]
    assert edge.id in made.steps[0]["edges"] and edge.id in made.steps[10]["edges"] and edge.grad_at == 10
    assert made.events_done(1) == 6 and made.steps_done(6) == 1 and made.steps_done(7) == 2
    assert made.events_done(0) == made.steps_done(0) == 0 and made.events_done(99) == len(document["events"])


def test_a_cut_stays_a_step_of_its_own(few_steps: None) -> None:
    def loop(x):
        for _ in range(30):
            x = x * 2
        return ops.stop_gradient(x)

    document = run(loop, X)
    steps = Steps(document, fold(document)).steps
    assert steps[-1]["sentence"][0][0] == "mark" and steps[-1]["hook"] is None


def test_a_run_without_events() -> None:
    document = run(lambda x: x, X)
    made = Steps(document, fold(document))
    assert made.steps == [] and made.events_done(0) == made.steps_done(0) == made.steps_done(5) == 0


# The same event in another run ----------------------------------------------------------------------------


def test_same_place_when_ops_are_added_before() -> None:
    net = nn.SequentialCell(nn.Dense(4, 4), nn.ReLU(), nn.Dense(4, 1))
    before = run(net, X)
    net[0].register_forward_hook(lambda cell, inputs, output: output + output * 2)
    now = run(net, X)
    for done in range(len(before["events"]) + 1):
        at = same_place(before, now, done)
        if 0 < done < len(before["events"]):
            old, new = before["events"][done - 1], now["events"][at - 1]
            assert (old["kind"], before["ops"][old["op"]]["op"]) == (new["kind"], now["ops"][new["op"]]["op"])
            assert before["calls"][old["call"]]["path"] == now["calls"][new["call"]]["path"]
    assert same_place(before, now, 0) == 0 and same_place(before, now, len(before["events"])) == len(now["events"])


def test_same_place_when_the_event_is_gone() -> None:
    net = nn.SequentialCell(nn.ReLU(), nn.Tanh())
    before = run(net, X)  # relu tanh ∂tanh ∂relu
    net[1].bprop = lambda x, out, dout: (dout,)
    now = run(net, X)  # relu tanh bprop ∂relu
    assert [same_place(before, now, done) for done in range(5)] == [0, 1, 2, 2, 4]
    assert same_place(before, run(lambda x: x, X), 2) == 0


# Large nets -----------------------------------------------------------------------------------------------


def test_a_large_net_is_shown_under_a_megabyte() -> None:
    explorer = Explorer(Recurrent(700), X)  # 4200 ops
    assert explorer.error is None and len(explorer.outcome.document["ops"]) == 4200
    assert len(json.dumps(explorer.view, allow_nan=False)) < 1_000_000
    assert len(explorer.view["steps"]) < 1000 and len(explorer.view["nodes"]) <= 200
    assert explorer.view["nodes"]["times0"]["title"] == "700 × Step"
    explorer.iterate("times0", 350)
    panel = explorer.view["nodes"][explorer.steps.scene.op_nodes[349 * 6]]
    assert panel["path"] == "step" and panel["repeat"] == {"first": 350, "last": 350, "of": 700}
    assert len(panel["calls"]) == 8 and panel["value"]["map"] is not None


def test_a_large_net_keeps_its_place_when_it_is_opened() -> None:
    explorer = Explorer(Recurrent(120), X)
    explorer.position = 1
    explorer.iterate("times0", 1)
    assert explorer.steps.events_done(explorer.position) >= 1
    explorer.position = 2
    done = explorer.steps.events_done(2)
    explorer.iterate("call1", 0)
    assert explorer.position == 1 and explorer.steps.events_done(1) >= done > 0


def test_wide_layers_are_shown_under_a_megabyte() -> None:
    layers = [layer for i in range(64, 94) for layer in (nn.Dense(i, i + 1), nn.ReLU())]
    explorer = Explorer(nn.SequentialCell(*layers), Tensor(np.random.rand(64, 64).astype(np.float32)))
    explorer.set_capture("0")
    assert explorer.error is None and len(json.dumps(explorer.view)) < 1_000_000
    sizes = {panel["value"]["map"]["rows"] for panel in explorer.view["nodes"].values() if panel["value"]}
    assert max(sizes) in (4, 8, 16)
    small = Explorer(nn.SequentialCell(*layers[:4]), Tensor(np.random.rand(64, 64).astype(np.float32)))
    assert {p["value"]["map"]["rows"] for p in small.view["nodes"].values() if p["value"]} == {32}
