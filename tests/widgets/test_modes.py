"""Modes as a view and as a widget of its own: the tree, its flags, switches, the twin run, on the four programs."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from browser.programs import PROGRAMS
from widgets.four_programs import node_of, run_program, send

import teachcell as tc
from teachcell import Tensor, nn
from teachcell_widgets import Modes


def told(widget: Any) -> dict[str, Any]:
    panel = widget.panels["modes"]
    assert panel["error"] is None and len(json.dumps(panel, allow_nan=False)) < 1_000_000
    return panel["data"]


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_tree_holds_every_cell(name: str) -> None:
    widget = run_program(name, "Modes")["explorer"]
    data = told(widget)
    cells = widget.experiment.program.cells
    assert [row["path"] for row in data["rows"]] == list(cells) and data["twin"] is None
    for row in data["rows"]:
        assert (row["training"], row["phase"]) == (cells[row["path"]].training, cells[row["path"]].phase)
    path = data["rows"][-1]["path"]
    send(widget, panel="modes", do="mode", path=path, value="train")
    assert cells[path].training and told(widget)["rows"][-1]["mode"] == "train"
    send(widget, panel="modes", do="twin", path="")
    twin = told(widget)["twin"]
    assert set(twin["svg"]) == {"value", "gradient"} and twin["gradients"]
    assert all(cell["node"] in widget.view["nodes"] for cell in twin["cells"])
    send(widget, panel="modes", do="leave_twin")
    assert told(widget)["twin"] is None
    widget.close()
    with pytest.raises(RuntimeError, match="closed"):
        widget.modes.twin()


def test_a_fresh_cell_is_a_trap_and_inner_phases_are_stale() -> None:
    net = nn.SequentialCell(nn.Dense(2, 2), nn.Dropout(p=0.5))
    widget = Modes(net, Tensor(np.ones((2, 2), np.float32)))
    data = told(widget)
    assert data["notes"][0].startswith("Never switched: SequentialCell. phase says 'train', but training is False")
    assert [row["acts"] for row in data["rows"]] == ["", "", "acts as in prediction"]
    assert [row["depends"] for row in data["rows"]] == [False, False, True]
    widget.modes.set_train()
    assert told(widget)["notes"] == [] and told(widget)["rows"][2]["acts"] == "acts as in training"
    widget.modes.set_train(False)
    assert told(widget)["notes"][0].startswith("set_train() writes training on all Cells below, but phase only")
    widget.modes.set_train(True, "1")
    assert told(widget)["notes"][-1] == "Modes are mixed: 1 of 3 Cells train."
    assert [row["mode"] for row in told(widget)["rows"]] == ["mixed", "predict", "train"]
    assert [row["depth"] for row in told(widget)["rows"]] == [0, 1, 1]


def test_a_loss_that_was_never_switched_is_no_trap() -> None:
    widget = run_program("mlp", "Modes")["explorer"]
    assert told(widget)["notes"] == [] and told(widget)["rows"][-1]["path"] == "loss"


def test_the_twin_run_follows_what_is_changed() -> None:
    widget = run_program("mlp", "Modes")["explorer"]
    before = [(cell.training, cell.phase) for cell in widget.experiment.program.cells.values()]
    found = widget.modes.twin()
    assert found["sentence"]["value"].startswith("Train and predict agree up to relu. They part at dropout: largest")
    assert [(cell.training, cell.phase) for cell in widget.experiment.program.cells.values()] == before
    assert told(widget)["twin"]["nodes"]["value"] == node_of(widget, "dropout")
    kept = told(widget)["twin"]["cells"][0]["words"][1]
    widget.new_draw()
    assert told(widget)["twin"]["cells"][0]["words"][1] != kept or told(widget)["twin"]["sentence"] != found["sentence"]
    widget.modes.twin("dropout")
    assert told(widget)["twin"]["path"] == "dropout"
    with pytest.raises(KeyError, match="nothing"):
        widget.modes.twin("nothing")
    send(widget, panel="modes", do="twin", path="nothing")
    assert "nothing" in widget.view["error"]["detail"]


def test_in_the_explorer_it_leads_to_compare() -> None:
    explorer = run_program("mlp")["explorer"]
    explorer.modes.twin()
    assert explorer.panel == "modes"
    send(explorer, panel="compare", do="choose", a="train", b="predict")
    assert explorer.panel == "compare" and explorer.panels["compare"]["data"]["names"] == ["train", "predict"]


def test_what_has_no_cell_and_markup_and_chinese() -> None:
    widget = Modes(lambda x: x * 2, Tensor([1.0]))
    assert told(widget)["rows"] == [] and told(widget)["notes"] == ["a plain function has no modes"]
    with pytest.raises(ValueError, match="has no Cell"):
        widget.modes.twin()

    class Net(nn.Cell):
        def construct(self, x):
            return x * 2

    Net.__name__ = "<b>Net</b>"
    tc.set_language("zh")
    try:
        widget = Modes(Net(), Tensor([1.0]))
        assert "<b>Net</b>" in told(widget)["notes"][0] and "从未切换过" in told(widget)["notes"][0]
        assert "&lt;b&gt;" in widget.view["svg"] or "<b>" not in widget.view["svg"]
    finally:
        tc.set_language("en")


def test_many_cells() -> None:
    layers = [layer for _ in range(200) for layer in (nn.Dense(2, 2), nn.Dropout(p=0.1))]
    widget = Modes(nn.SequentialCell(*layers), Tensor(np.ones((2, 2), np.float32)))
    data = told(widget)
    assert len(data["rows"]) <= 300 and data["notes"][-1].endswith("more Cells are not listed.")
    widget.modes.twin()
    told(widget)
