"""The cut detective: a finding for every drawn node, the culprit, the marked edges."""

from __future__ import annotations

import json

import numpy as np
import pytest
from browser.programs import PROGRAMS
from widgets.four_programs import node_of, run_program

import teachcell as tc
from teachcell import Tensor, nn, ops
from teachcell_widgets import CutDetective, Explorer


@pytest.mark.parametrize("name", PROGRAMS)
def test_every_node_with_a_value_has_an_answer(name: str) -> None:
    detective = run_program(name, "CutDetective")["explorer"]
    data = detective.panels["cut_detective"]["data"]
    drawn = {name for name, node in detective.steps.scene.nodes.items() if node.value is not None}
    assert set(data["nodes"]) == drawn and json.dumps(data, allow_nan=False)
    edges = set(detective.steps.scene.edges)
    for told in data["nodes"].values():
        assert told["head"] and told["why"] and set(told["edges"]) <= edges
        assert told["at"] is None or told["at"] in detective.view["nodes"]
    detective.close()
    with pytest.raises(RuntimeError, match="closed"):
        detective.cut_detective.why(next(iter(drawn)))


def test_a_rule_that_gives_zeros_is_the_culprit_of_all_behind() -> None:
    explorer = run_program("mlp")["explorer"]
    explorer.open_panel("cut_detective")
    assert explorer.panels["cut_detective"]["data"]["odd"] == []
    explorer.set_rule("relu", "no gradient")
    data = explorer.panels["cut_detective"]["data"]
    relu, fc1, x = (node_of(explorer, title) for title in ("relu", "fc1", "x"))
    assert data["odd"][0] == fc1 and {fc1, x} <= set(data["odd"]) and relu not in data["odd"]
    assert data["nodes"][x]["at"] == relu and data["nodes"][x]["why"][-1] == "relu's bprop returned zeros."
    (edge,) = (explorer.steps.scene.edges[name] for name in data["nodes"][x]["edges"])
    assert (edge.source, edge.target) == (fc1, relu)


def test_a_run_without_a_backward_pass_says_so(caplog: pytest.LogCaptureFixture) -> None:
    detective = CutDetective(nn.SequentialCell(nn.Dense(1, 2), nn.Dense(3, 1)), Tensor([[1.0]]))
    assert "must be in_channels" in caplog.text
    assert detective.panels["cut_detective"]["data"]["backward"] is False
    assert CutDetective(nn.ReLU(), Tensor([1.0])).panels["cut_detective"]["data"]["backward"] is True
    tc.set_language("zh")
    try:
        assert detective.cut_detective.why("x").why[0] == "没有运行反向。"
    finally:
        tc.set_language("en")


def test_in_a_folded_cell_the_culprit_is_the_cell() -> None:
    class Block(nn.Cell):
        def construct(self, x):
            return ops.stop_gradient(x * 2) + 1

    explorer = Explorer(nn.SequentialCell(nn.Tanh(), Block()), Tensor([1.0, 2.0]))
    explorer.open_panel("cut_detective")
    found = explorer.panels["cut_detective"]["data"]["nodes"][node_of(explorer, "x")]
    assert found["state"] == "cut" and found["at"] == node_of(explorer, "1")


def test_a_cell_and_a_parameter_are_asked_for_by_name() -> None:
    explorer = run_program("mlp")["explorer"]
    explorer.set_rule("relu", "no gradient")
    assert explorer.cut_detective.why("fc1") == explorer.cut_detective.why(node_of(explorer, "fc1"))
    assert explorer.cut_detective.why("fc1.weight").why[-1] == "relu's bprop returned zeros."
    assert explorer.cut_detective.why("relu").state != "zero"


def test_what_is_no_node_is_refused() -> None:
    detective = CutDetective(nn.ReLU(), Tensor([1.0]))
    with pytest.raises(ValueError, match="'op99' is no Cell that returned a value, .*; there are x$"):
        detective.cut_detective.why("op99")


def test_markup_in_names_stays_text_and_chinese_is_there() -> None:
    def f(x):
        return ops.relu(x - 10)

    f.__name__ = "<b>f</b>"
    tc.set_language("zh")
    try:
        detective = CutDetective(f, Tensor(np.ones(2, np.float32)))
        found = detective.panels["cut_detective"]["data"]["nodes"]
        assert any("斜率为 0" in text for told in found.values() for text in told["why"])
    finally:
        tc.set_language("en")


def test_names_that_can_be_asked_about_and_a_hook_that_put_new_data_in() -> None:
    class Net(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.fc1, self.relu, self.fc2 = nn.Dense(3, 4), nn.ReLU(), nn.Dense(4, 2)
            self.relu.register_forward_hook(fresh)

        def construct(self, x: Tensor) -> Tensor:
            return self.fc2(self.relu(self.fc1(x)))

    def fresh(cell, inputs, output):
        return Tensor(output.asnumpy())

    why = CutDetective(Net(), Tensor(np.ones((2, 3), np.float32))).cut_detective.why
    with pytest.raises(ValueError, match=r"there are fc1, relu, fc2, x, fc1\.weight"):
        why("fc9")
    hook = "relu's forward hook fresh returned new data, not computed from its output"
    assert f"{hook}; this is that new data, and no ops lead to it." in why("relu").why
    assert f"Further back it is cut: {hook}." in why("").why
    assert why("fc1").state == "cut" and "Further" not in repr(why("fc2.weight"))
