"""Capture: real hooks on one Cell, and what they saw in each call of a run."""

from __future__ import annotations

import numpy as np
import pytest
from lens.looking import Look

from teachcell import Tensor, nn, ops
from teachcell.lens import Experiment

X = Tensor([[1.0, -2.0]])


class Twice(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.fc = nn.Dense(2, 2, weight_init=Tensor([[1.0, 2.0], [3.0, 4.0]]), has_bias=False)

    def construct(self, x):
        return self.fc(self.fc(x))


def captured(experiment: Experiment) -> list[dict[str, list]]:
    return [
        {k: [t if t is None else t.asnumpy().tolist() for t in v] for k, v in call.items()}
        for call in experiment.capture.calls
    ]


def test_inputs_outputs_incoming_and_outgoing_of_each_call() -> None:
    experiment = Experiment(Twice(), [X])
    code = experiment.set_capture("fc")
    assert code.startswith('handles = [getattr(net.fc, f"register_{kind}_hook")(capture) for kind in (')
    assert experiment.run().error is None
    first, second = captured(experiment)
    assert first == {
        "inputs": [[[1, -2]]], "outputs": [[[-3, -5]]], "incoming": [[[4, 6]]], "outgoing": [[[22, 32]]]
    }  # fmt: skip
    assert second == {
        "inputs": [[[-3, -5]]], "outputs": [[[-13, -29]]], "incoming": [[[1, 1]]], "outgoing": [[[4, 6]]]
    }  # fmt: skip
    experiment.run()
    assert len(experiment.capture.calls) == 2  # each run anew


def test_the_hooks_are_real_and_go_away() -> None:
    net = Twice()
    experiment = Experiment(net, [X])
    experiment.set_capture("fc")
    hooks = net.fc._hooks
    assert [len(getattr(hooks, k)) for k in ("forward_pre", "forward", "backward_pre", "backward")] == [1, 1, 1, 1]
    net(X)  # a call of the learner's own is not part of a run
    assert experiment.capture.calls == []
    experiment.set_capture("")
    assert hooks.empty() and not net._hooks.empty()
    assert experiment.set_capture(None) == "for handle in handles: handle.remove()"
    assert net._hooks.empty() and experiment.set_capture(None) == ""


def test_gradients_go_to_their_call_when_one_gets_none() -> None:
    relu = nn.ReLU()

    def program(x):
        first, second, third = relu(x * 1), relu(x * 2), relu(x * 3)
        return first * 10 + third * 30 + ops.stop_gradient(second)

    experiment = Experiment(program, [Tensor([1.0])])
    experiment.set_capture("relu")
    experiment.run()
    assert [call.get("incoming") for call in captured(experiment)] == [[[10]], None, [[30]]]
    assert [call["outputs"] for call in captured(experiment)] == [[[1]], [[2]], [[3]]]


def test_a_cell_inside_itself() -> None:
    class Nest(nn.Cell):
        def construct(self, x, depth):
            return self(x * 2, depth - 1) if depth else x

    experiment = Experiment(Nest(), [Tensor([1.0]), 2])
    experiment.set_capture("")
    assert experiment.run().error is None
    assert [call["inputs"][0] for call in captured(experiment)] == [[1], [2], [4]]
    assert [call["outgoing"][0] for call in captured(experiment)] == [[4], [2], [1]]


def test_several_outputs_of_all_sorts() -> None:
    class Split(nn.Cell):
        def construct(self, x):
            return {"a": x * 2, "b": x * 3}

    split = Split()
    experiment = Experiment(lambda x: split(x)["b"] * 1, [Tensor([1.0])])
    experiment.set_capture("split")
    experiment.run()
    (call,) = captured(experiment)
    assert call["outputs"] == [[2], [3]] and call["incoming"] == [None, [1]] and call["outgoing"] == [[3]]
    assert [row["text"] for row in experiment.capture.rows()[0]["rows"]] == [
        "(1,) 1",
        "(1,) 2",
        "(1,) 3",
        "None",
        "(1,) 1",
        "(1,) 3",
    ]


def test_capturing_changes_nothing_but_the_marks() -> None:
    look = Look(Twice(), X).passed()
    bare = look.document
    look.experiment.set_capture("fc")
    hooked = look.run().document
    assert hooked["values"] == bare["values"] and hooked["calls"] == bare["calls"]  # not listed among the learner's
    assert [e for e in look.order() if " " not in e] == Look(Twice(), X).order()
    assert look.order().count("backward capture") == 2


def test_what_was_captured_stays_as_it_was() -> None:
    relu = nn.ReLU()

    def program(x):
        y = relu(x)
        y[0] = 9.0
        return y

    experiment = Experiment(program, [Tensor([1.0, 2.0])])
    experiment.set_capture("relu")
    experiment.run()
    assert captured(experiment)[0]["outputs"] == [[1, 2]]


def test_rows_for_the_panel() -> None:
    experiment = Experiment(Twice(), [Tensor(np.arange(8, dtype=np.float32).reshape(4, 2))])
    experiment.set_capture("fc")
    experiment.run()
    first, second = experiment.capture.rows()
    assert first["call"] == "call 1 of 2"
    assert [(row["label"], row["class"]) for row in first["rows"]] == [
        ("inputs", "val"), ("outputs", "val"), ("incoming", "grad"), ("outgoing", "grad")
    ]  # fmt: skip
    assert first["rows"][0]["text"] == "(4, 2) 0 … 7, mean 3.5" and first["rows"][0]["summary"]["map"]["rows"] == 4
    assert experiment.capture.rows(slice(1, 2)) == [second]


def test_a_run_that_fails_shows_what_was_seen_so_far() -> None:
    class Net(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.fc = nn.Dense(2, 2)

        def construct(self, x):
            self.fc(x)
            raise RuntimeError

    experiment = Experiment(Net(), [X])
    experiment.set_capture("fc")
    assert experiment.run().error is not None
    (call,) = experiment.capture.calls
    assert sorted(call) == ["inputs", "outputs"]


def test_no_cell_at_that_path_leaves_the_capture_alone() -> None:
    experiment = Experiment(Twice(), [X])
    experiment.set_capture("fc")
    with pytest.raises(KeyError, match="no Cell at 'fd'"):
        experiment.set_capture("fd")
    assert experiment.capture.path == "fc" and not experiment.cell("fc")._hooks.empty()
