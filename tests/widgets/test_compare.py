"""Compare as a view and as a widget of its own: pins, choices, what the browser draws from, on the four programs."""

from __future__ import annotations

import json
import re
from collections import OrderedDict
from typing import Any

import numpy as np
import pytest
from browser.programs import PROGRAMS
from widgets.four_programs import node_of, run_program, send

import teachcell as tc
from teachcell import Tensor, nn
from teachcell_widgets import Compare, Explorer
from teachcell_widgets.compare import MOST_PINS


def told(widget: Any) -> dict[str, Any]:
    """What the view is drawn from; checked to be plain, small and about drawn nodes."""
    panel = widget.panels["compare"]
    assert panel["error"] is None
    data = panel["data"]
    assert len(json.dumps(data, allow_nan=False)) < 1_000_000
    for side, svg in data.get("svg", {}).items():
        drawn = set(re.findall(r'data-node="([^"]+)"', svg)) | set(re.findall(r'data-fold="([^"]+)"', svg))
        assert drawn <= set(widget.view["nodes"]) and set(data["nodes"]) <= set(widget.view["nodes"])
        assert data["first"][side] is None or data["first"][side] in widget.view["nodes"]
    return data


@pytest.mark.parametrize("name", PROGRAMS)
def test_pin_change_compare(name: str) -> None:
    widget = run_program(name, "Compare")["explorer"]
    assert isinstance(widget, Compare) and "svg" not in told(widget)
    assert widget.compare.pin("before") == "before"
    data = told(widget)
    assert data["names"] == ["before", "present"] and data["first"] == {"value": None, "gradient": None}
    x = widget.experiment.program.inputs[0]
    x[...] = x + 1
    widget.run()
    data = told(widget)
    assert data["first"]["value"] == node_of(widget, "x") and data["changes"] == ["Inputs changed: x."]
    (value,) = [p for p in widget.compare.between("before")["places"] if p["name"] == "x"]
    assert value["value"]["largest"] == pytest.approx(1, rel=1e-6)
    rows = data["nodes"][data["first"]["value"]]["value"]["rows"]
    assert [row["summary"]["mean"] for row in rows] != [rows[0]["summary"]["mean"]] * 2
    widget.close()
    with pytest.raises(RuntimeError, match="closed"):
        widget.compare.between("before")


@pytest.mark.parametrize("name", PROGRAMS)
def test_train_and_predict_are_always_there(name: str) -> None:
    explorer = run_program(name)["explorer"]
    before = [cell.training for cell in explorer.experiment.program.cells.values()]
    explorer.compare.choose("train", "predict")
    data = told(explorer)
    assert [cell.training for cell in explorer.experiment.program.cells.values()] == before
    if name == "mlp":
        assert explorer.selected == data["first"]["value"] == node_of(explorer, "dropout")
        sentence = "".join(text for _, text in data["sentence"]["value"])
        assert sentence.startswith("Train and predict agree up to relu. They part at dropout: largest difference ")
        assert [line["lines"][0][1] for line in data["nodes"][explorer.selected]["formula"]] == [
            "y = x · mask / (1 − p)", "y = x"
        ]  # fmt: skip
    else:
        assert data["first"]["value"] is None


def test_the_formula_of_a_folded_cell_says_which_op_it_is_of() -> None:
    explorer = Explorer(nn.SequentialCell(nn.Dense(4, 2), nn.ReLU()), Tensor(np.ones((3, 4), np.float32)))
    explorer.compare.choose("train", "predict")
    nodes = {node["name"]: node["formula"] for node in told(explorer)["nodes"].values()}
    assert nodes["0 Dense"][0]["lines"][:2] == [["val", "BiasAdd: y = x + b"], ["grad", "BiasAdd: ∂x = g"]]
    assert nodes["1 ReLU"][0]["lines"][0] == ["val", "y = max(x, 0)"]


def test_pins_survive_runs_failures_and_other_seeds() -> None:
    explorer = run_program("mlp")["explorer"]
    explorer.compare.pin("first")
    loss = explorer.outcome.document["values"][explorer.outcome.document["loss"]]["value"]["first"]
    explorer.new_draw()
    assert "Random draws from seed 0 in A, 1 in B." in told(explorer)["changes"]

    def bad(x, out, dout):
        raise ZeroDivisionError("no rule today")

    other = Compare(explorer.net, *explorer.experiment.program.inputs, bprops={"relu": {"bad": bad}})
    other.compare.pin("good")
    other.set_rule("relu", "bad")
    assert other.error is not None and other.compare.names[-1] == "failed run"
    assert told(other)["first"] == {"value": None, "gradient": None}  # the picture is from before the error
    other.compare.choose("good", "failed run")
    data = told(other)
    assert data["first"]["value"] is None and data["first"]["gradient"] == node_of(other, "relu")
    assert any("no rule today" in sentence for sentence in data["changes"])
    other.set_rule("relu", "engine")
    assert "failed run" not in other.compare.names and told(other)["b"] == "present"

    explorer = run_program("mlp")["explorer"]
    explorer.compare.pin("first")
    explorer.run()
    places = explorer.compare.between("first")["places"]
    assert all(place["value"]["same"] and place["gradient"]["same"] for place in places)
    assert loss == explorer.outcome.document["values"][explorer.outcome.document["loss"]]["value"]["first"]


def test_a_net_whose_control_flow_differs() -> None:
    class Loop(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.times, self.act = 2, nn.Tanh()

        def construct(self, x):
            for _ in range(self.times):
                x = self.act(x) * 2
            return x

    net = Loop()
    widget = Compare(net, Tensor([0.5, -1.0]))
    widget.compare.pin("two")
    net.times = 4
    widget.run()
    data = told(widget)
    assert data["first"]["value"] == node_of(widget, "act", 2)  # the third call
    assert "≠ only in B" in data["svg"]["value"] and data["elsewhere"] == []
    net.times = 1
    widget.run()
    assert data["first"]["value"] in ("op4", "op2") and told(widget)["elsewhere"] == ["act #2", "multiply"]


def test_the_same_scale_for_both_and_a_word_for_each_difference() -> None:
    x = Tensor([1.0, -1.0])
    widget = Compare(lambda x: x * 2, x)
    widget.compare.pin("small")
    x[...] = x * 4
    widget.run()
    strips = re.findall(r'class="tc-bar-pos" d="M[\d.]+ [\d.]+v-([\d.]+)', told(widget)["svg"]["value"])
    a, b = float(strips[0]), float(strips[1])  # of x: 1 in A, 4 in B
    assert b == pytest.approx(4 * a, abs=0.3)
    assert "largest difference 3" in told(widget)["svg"]["value"]  # for screen readers


def test_inside_a_folded_cell() -> None:
    explorer = run_program("mlp")["explorer"]
    explorer.compare.pin("before")
    explorer.net.fc1.weight.set_data(explorer.net.fc1.weight * 1.0 + 0.0)
    explorer.set_rule("relu", "no gradient")
    explorer.compare.choose(of="gradient")
    data = told(explorer)
    assert data["of"] == "gradient" and explorer.selected == data["first"]["gradient"] == node_of(explorer, "fc1")


def test_what_cannot_be_pinned_or_chosen_is_refused() -> None:
    explorer = run_program("function")["explorer"]
    compare = explorer.compare
    with pytest.raises(ValueError, match="'present' is a name that every comparison has"):
        compare.pin("present")
    for bad in ("", "  ", 3):
        with pytest.raises(TypeError, match="a text that is not empty"):
            compare.pin(bad)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="there is no run 'x', only present, train, predict"):
        compare.choose("x")
    with pytest.raises(ValueError, match="not 'both'"):
        compare.choose(of="both")
    names = [compare.pin() for _ in range(MOST_PINS)]
    assert names[:2] == ["run 1", "run 2"] and compare.pin("run 1") == "run 1"
    with pytest.raises(ValueError, match="unpin one first: run 1, "):
        compare.pin()
    compare.choose("run 1", "run 2")
    compare.unpin("run 2")
    assert told(explorer)["b"] == "present" and told(explorer)["a"] == "run 1"
    compare.unpin("run 1")
    assert "svg" not in told(explorer)
    with pytest.raises(ValueError, match="no run 'run 1'"):
        compare.unpin("run 1")

    plain = Compare(lambda x: x * 2, Tensor([1.0]))
    assert plain.compare.names == ["present"]
    with pytest.raises(ValueError, match="there is no run 'train', only present"):
        plain.compare.between("train")


def test_clicks_and_markup_and_chinese() -> None:
    explorer = run_program("mlp")["explorer"]
    explorer.open_panel("compare")
    send(explorer, panel="compare", do="pin", name="<b>x</b>")
    assert told(explorer)["a"] == "<b>x</b>" and "&lt;b&gt;x&lt;/b&gt;" in told(explorer)["svg"]["value"]
    assert "<b>" not in told(explorer)["svg"]["value"]
    send(explorer, panel="compare", do="choose", b="predict")
    assert told(explorer)["names"] == ["<b>x</b>", "predict"]
    send(explorer, panel="compare", do="unpin", name="<b>x</b>")
    assert "svg" not in told(explorer)
    send(explorer, panel="compare", do="choose", a="nothing")
    assert "there is no run 'nothing'" in explorer.view["error"]["detail"]
    tc.set_language("zh")
    try:
        explorer.compare.choose("train", "predict")
        assert "训练与推理直到 relu 都一致" in told(explorer)["sentence"]["value"][0][1]
    finally:
        tc.set_language("en")


def test_large_nets_stay_small() -> None:
    net = nn.SequentialCell(*[nn.Dense(64, 64) for _ in range(60)])
    explorer = Explorer(net, Tensor(np.ones((64, 64), np.float32)))
    explorer.compare.pin("before")
    explorer.net[0].weight.set_data(explorer.net[0].weight + 1)
    explorer.run()
    told(explorer)


def test_of_a_large_graph_one_picture_at_a_time_travels(monkeypatch: pytest.MonkeyPatch) -> None:
    explorer = Explorer(nn.Tanh(), Tensor(np.ones((4, 40), np.float32)))
    explorer.compare.pin("before")
    assert set(told(explorer)["svg"]) == {"value", "gradient"}
    monkeypatch.setattr("teachcell_widgets.twin_picture.LARGE", 100)
    explorer.show()
    assert set(told(explorer)["svg"]) == {"value"}
    send(explorer, panel="compare", do="choose", of="gradient")
    assert set(told(explorer)["svg"]) == {"gradient"} and told(explorer)["of"] == "gradient"
    explorer.modes.twin()
    assert set(explorer.panels["modes"]["data"]["twin"]["svg"]) == {"value"}
    send(explorer, panel="modes", do="side", of="gradient")
    assert set(explorer.panels["modes"]["data"]["twin"]["svg"]) == {"gradient"}


def test_a_run_called_like_a_cell_is_in_quotes_and_keeps_its_letters() -> None:
    net = nn.SequentialCell(OrderedDict(fc=nn.Dense(2, 2, weight_init="ones"), act=nn.ReLU()))
    explorer = Explorer(net, Tensor([[1.0, 2.0]]))
    explorer.compare.pin("act")
    explorer.rule_lab.use("zero", "act")
    found = explorer.compare.between("act")
    assert found["a"] == "act" and found["sentence"]["value"].startswith("“act” and present agree in every value")
    assert "the gradients of “act” and present" in found["sentence"]["gradient"]
    assert found["sentence"]["gradient"].count("“act”") == 1  # where they part is the Cell
