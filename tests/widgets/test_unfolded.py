"""Repetitions and search in the widget: an iteration is drawn, what is found is opened, and folded for the next."""

from __future__ import annotations

import json

import numpy as np
import pytest
from widgets.four_programs import run_program, send
from widgets.test_steps import Recurrent

from teachcell import Tensor, nn, ops
from teachcell_widgets import Explorer, GradientGraph

X = Tensor(np.ones((2, 4), np.float32))


def titles(explorer: Explorer) -> list[str]:
    return [details["title"] for details in explorer.view["nodes"].values()]


def test_an_iteration_is_drawn_exchanged_and_folded_again() -> None:
    explorer = Explorer(Recurrent(50), X)
    assert titles(explorer)[1:] == ["50 × Step"]
    explorer.toggle("times0")
    assert titles(explorer)[1:3] == ["step", "49 × Step"]
    send(explorer, do="iterate", node="call1", number=10)
    assert [t for t in titles(explorer) if "×" in t or t == "step"] == ["9 × Step", "step", "40 × Step"]
    send(explorer, do="iterate", node=explorer.steps.scene.op_nodes[0], number=0)
    assert titles(explorer)[1:] == ["50 × Step"]


def test_opening_a_repetition_draws_the_iteration_of_the_step() -> None:
    explorer = Explorer(Recurrent(50), X)
    explorer.iterate("times0", 20)
    drawn = explorer.steps.scene.op_nodes[19 * 6]
    explorer.position = [step["node"] for step in explorer.view["steps"]].index("times120") + 1  # forward, 21 … 50
    explorer.toggle("times120")
    last = explorer.steps.scene.op_nodes[299]
    assert drawn not in explorer.view["nodes"] and explorer.view["nodes"][last]["repeat"]["first"] == 50


def test_a_cell_is_opened_by_its_path() -> None:
    explorer = Explorer(nn.SequentialCell(nn.SequentialCell(nn.Dense(4, 2), nn.ReLU()), nn.Tanh()), X)
    explorer.toggle("0")
    assert titles(explorer)[1:4] == ["0", "1", "1"]
    explorer.toggle("0.0")
    assert "matmul" in titles(explorer)
    explorer.toggle("0")
    assert titles(explorer)[1:] == ["0", "1"]
    with pytest.raises(ValueError, match="'one' is no Cell that can be opened; there are '0', '0.0', '0.1', '1'$"):
        explorer.toggle("one")


@pytest.mark.parametrize(("node", "number"), [("times0", 51), ("times0", -1), ("value0", 1), ("gone", 1)])
def test_no_such_iteration(node: str, number: int) -> None:
    explorer = Explorer(Recurrent(50), X)
    with pytest.raises(ValueError):
        explorer.iterate(node, number)
    send(explorer, do="iterate", node=node, number=number)
    assert explorer.view["error"] is not None and titles(explorer)[1:] == ["50 × Step"]


def test_search_opens_what_it_finds_and_folds_it_for_the_next() -> None:
    explorer = Explorer(Recurrent(50), X)
    assert explorer.find("tanh") == 50
    first = explorer.selected
    assert explorer.view["nodes"][first]["kind"] == "Tanh" and "call1" in explorer.view["nodes"]
    assert explorer.view["found"] == {"text": "tanh", "number": 1, "of": 50}
    send(explorer, do="find", text="tanh")
    assert explorer.view["found"]["number"] == 2 and explorer.selected != first
    assert "call1" not in explorer.steps.scene.frames and len(explorer.view["nodes"]) < 30
    send(explorer, do="find", text="tanh", back=True)
    send(explorer, do="find", text="tanh", back=True)
    assert explorer.view["found"]["number"] == 50
    assert explorer.find("w.weight") == 1  # one Parameter, used in every step
    assert explorer.view["nodes"][explorer.selected]["title"] in ("weight", "w.weight")


def test_nothing_found_and_nothing_asked() -> None:
    explorer = run_program("mlp")["explorer"]
    selected = explorer.selected
    assert explorer.find("<b>nothing</b>") == 0 == explorer.find("")
    assert explorer.selected == selected and explorer.view["error"] is None
    assert explorer.find("fc2") == 3  # the Cell and its two Parameters
    assert explorer.view["nodes"][explorer.selected]["title"] == "fc2"
    assert explorer.find("fc2") == 3
    assert explorer.view["nodes"][explorer.selected]["title"] == "weight"


def test_the_graph_of_the_gradient_opens_repetitions_too() -> None:
    def loop(x: Tensor) -> Tensor:
        for _ in range(100):
            x = ops.sin(x)
        return x

    widget = GradientGraph(loop, X)
    drawn = widget.panels["gradient_graph"]["data"]["nodes"]
    repeated = next(name for name in drawn if name.startswith("times"))
    send(widget, panel="gradient_graph", do="fold", node=repeated)
    assert len(widget.panels["gradient_graph"]["data"]["nodes"]) > len(drawn)


class Block(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.fc, self.norm = nn.Dense(16, 16), nn.LayerNorm((16,))

    def construct(self, x: Tensor) -> Tensor:
        return x + ops.relu(self.norm(self.fc(x)))


def loop_of_5000(x: Tensor) -> Tensor:
    for _ in range(5000):
        x = x * 0.999
    return x


def mixed_5000(x: Tensor) -> Tensor:
    kinds = (ops.sin, ops.tanh, ops.cos, ops.exp, ops.sigmoid)
    for i in np.random.RandomState(0).randint(len(kinds), size=5000):
        x = kinds[i](x) * 0.5
    return x


LARGE = {
    "recurrent": (lambda: Recurrent(500), X),
    "deep": (lambda: nn.SequentialCell(*[Block() for _ in range(100)]), Tensor(np.ones((4, 16), np.float32))),
    "loop": (lambda: loop_of_5000, X),
    "mixed": (lambda: mixed_5000, Tensor(np.ones((8, 8), np.float32))),
}


@pytest.mark.parametrize("name", LARGE)
def test_large_runs_stay_small_in_the_browser(name: str) -> None:
    make, x = LARGE[name]
    explorer = Explorer(make(), x)
    assert explorer.error is None and len(explorer.view["nodes"]) <= 200
    for panel in [kind.name for kind in Explorer.panel_types]:
        explorer.open_panel(panel)
        assert explorer.panels[panel]["error"] is None, panel
        sizes = len(json.dumps(explorer.view)), len(json.dumps(explorer.panels))
        assert sum(sizes) < 1_000_000, (panel, sizes)
