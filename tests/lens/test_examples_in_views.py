"""The examples E1 to E8 of the founding lessons in the views that explain them: where ``test_examples.py`` and
``test_hook_timeline.py`` (E2 to E6) do not already look."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from lens.looking import Look
from lens.test_examples import ONE, AddRelu, NetWithParam, Stubborn, doubled, fresh_ones, watch
from lens.test_hook_timeline import ConvNorm
from lens.test_replay import Told

from teachcell import Tensor, ops
from teachcell.lens import Experiment
from teachcell.lens.causes import Causes
from teachcell.lens.check.rule_check import check_rule
from teachcell.lens.compare.by_mode import gradients_told, told_by_mode
from teachcell.lens.compare.changes import changes
from teachcell.lens.compare.differences import Differences
from teachcell.lens.compare.run import Run
from teachcell.lens.compare.twin import twin_run
from teachcell.lens.gradient_program import gradient_program


def test_e1_in_the_replay_what_the_tap_doubles_is_split_and_summed() -> None:
    tap = ops.HookBackward(lambda grad: (grad[0] * 2,))
    told = Told(lambda x, y: tap(x * y) * y, Tensor(1.0), Tensor(2.0)).passed()
    assert told.order()[3:] == ["∂multiply", "∂hook_backward", "∂multiply"]
    assert told.written(3) == ["∂x = 1 · 2 = 2", "∂y = 1 · 2 = 2"]  # what arrives at the tap: 2
    assert told.written(4) == ["∂x = 4"] and told.written(5) == ["∂x = 4 · 2 = 8", "∂y = 4 · 1 = 4"]
    assert told.sums(3)[1] == ("1 of 2", "2") and told.sums(5)[1] == ("2 of 2", "2 + 4 = 6")


def test_e2_in_compare_a_hook_that_looks_changes_nothing() -> None:
    net = AddRelu()
    look = Look(net, ONE, ONE)
    handle = net.relu.register_forward_pre_hook(watch)
    plain, hooked = Run.of("plain", look.outcome), Run.of("hooked", look.run().outcome)
    found = Differences(plain, hooked)
    assert all(place.value.same and place.gradient.same for place in found.places)
    assert changes(found) == ["Hooks on relu: none in A, ▷ watch in B."]
    handle.remove()
    assert changes(Differences(plain, Run.of("removed", look.run().outcome))) == []


def test_e3_in_the_cut_detective() -> None:
    net = AddRelu()
    net.relu.register_forward_pre_hook(fresh_ones)
    look = Look(net, ONE, ONE).passed()
    for name in "xy":
        found = Causes(look.outcome.recorder, look.document).of(look.value(name)["id"])
        assert found.state == "cut"
        assert found.why[0] == "relu's pre-hook fresh_ones returned new data, not computed from its input."


def test_e4_in_compare_what_the_hook_computes_is_one_op_more() -> None:
    net = AddRelu()
    look = Look(net, ONE, ONE)
    before = Run.of("before", look.outcome)
    net.relu.register_forward_hook(doubled)
    found = Differences(before, Run.of("hooked", look.run().outcome))
    assert changes(found) == ["Hooks on relu: none in A, ▶ doubled in B.", "Only in B (hooked): relu · add."]
    places = {place.name: place for place in found.places}
    assert places["x"].gradient.largest == places["y"].gradient.largest == 1  # 1 became 2
    assert places["relu · relu"].value.same and found.first("value") is places["relu"]


def test_e5_in_both_modes() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        twins = twin_run(Experiment(ConvNorm(), [Tensor(np.ones((1, 1, 2, 2), np.float32))]))
    found = twins.differences
    (told,) = told_by_mode(twins, found)
    assert told["words"][:2] == [
        "In training it normalises by this batch: mean 4, variance 0.",
        "In prediction by the moving statistics: mean 0, variance 1.",
    ]
    (x,) = [place for place in found.places if place.name == "x"]
    assert x.gradient.largest == pytest.approx(2 / np.sqrt(1 + 1e-5), rel=1e-6)
    assert gradients_told(found)[1].startswith("Exactly 0 in training:")


def test_e6_in_the_replay_the_doubling_lies_outside_the_cell() -> None:
    seen: list[tuple[Any, Any]] = []
    net = AddRelu()
    net.relu.register_forward_pre_hook(watch)
    net.relu.register_forward_hook(doubled)
    net.relu.register_backward_hook(lambda cell, left, arrived: seen.append((float(left[0]), float(arrived[0]))))
    told = Told(net, ONE, ONE).passed()
    last = told.order().index("∂add")
    assert told.sums(last) == [("1 of 2", "1"), ("2 of 2", "1 + 1 = 2")]  # 1 arrives at the doubling, 2 at the Cell
    assert told.order()[last:] == ["∂add", "∂relu", "backward <lambda>", "∂add"]
    assert seen == [(2, 2)] and told.gradient("x") == told.gradient("y") == [2]


def test_e7_in_the_rule_lab_the_rule_is_not_the_derivative() -> None:
    experiment = Experiment(Stubborn(), [Tensor(1.0), Tensor(2.0)])
    found = check_rule(experiment, "", experiment.run().recorder)
    assert not found["ok"] and found["text"].startswith("∂x: the rule ignores dout")
    assert [row["values"] for row in found["inputs"]] == [["4", "3", "4"], ["4", "2", "4"]]  # engine, own, numeric


def test_e8_in_the_rule_lab_the_rule_answers_for_its_parameter() -> None:
    experiment = Experiment(NetWithParam(), [Tensor([3.0])])
    found = check_rule(experiment, "", experiment.run().recorder)
    assert found["ok"] and found["text"] == "The rule agrees with the numeric gradient."
    assert [(row["name"], row["values"]) for row in found["inputs"]] == [("∂x", ["2"] * 3), ("∂w", ["3"] * 3)]


def test_e1_in_the_graph_of_the_gradient() -> None:
    program = Experiment(lambda x, y: x * y * y, [Tensor(1.0), Tensor(2.0)]).program
    look = Look(gradient_program(program), *program.inputs).passed()
    results = [look.values[number]["value"]["first"] for number in look.document["outputs"]]
    assert results == [4, 4] and [look.gradient(name) for name in "xy"] == [[4], [2 * 1 + 2 * 2]]  # of their sum
