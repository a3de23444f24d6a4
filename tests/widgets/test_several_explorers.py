"""Explorers that share Cells: only the newest acts, and what was found before the first is left after the last."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from widgets.four_programs import run_program

from teachcell import Tensor, nn
from teachcell_widgets import Explorer

X = Tensor([[1.0, -2.0]])
RULES = {"zero": lambda x, out, dout: (dout * 0,)}
relu = nn.ReLU()


def functions(cell: nn.Cell) -> list[tuple[Any, str]]:
    """Programs that all use one Cell, and its path in each."""
    return [
        (cell, ""),
        (nn.SequentialCell(cell, nn.Tanh()), "0"),
        (nn.SequentialCell(nn.Tanh(), cell), "1"),
        (lambda x: cell(x), "cell"),
        (lambda x: cell(x) * 2, "cell"),
        (cell.construct, "self"),
    ]


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
@pytest.mark.parametrize("first", range(4))
def test_closing_in_any_order_leaves_what_was_there(first: int, order: tuple[int, ...]) -> None:
    cell = nn.ReLU()
    cell.bprop = own = lambda x, out, dout: (dout,)
    cell.register_forward_hook(lambda cell, inputs, output: None)
    opened = []
    for program, path in functions(cell)[first : first + 3]:
        explorer = Explorer(program, X, bprops={path: RULES})
        explorer.set_rule(path, "zero")
        explorer.set_capture(path)
        opened.append(explorer)
    for earlier in opened[:-1]:
        with pytest.raises(RuntimeError, match="closed or replaced"):
            earlier.run()
    assert len(cell._hooks.forward) == 2
    for i in order:
        opened[i].close()
    assert cell.bprop is own and len(cell._hooks.forward) == 1 and not cell._hooks.backward


def test_a_notebook_cell_that_is_run_again() -> None:
    for _ in range(3):
        explorer = Explorer(lambda x: relu(x), X, bprops={"relu": RULES})
        explorer.set_capture("relu")
    assert len(relu._hooks.forward) == 1
    explorer.close()
    assert relu._hooks.empty()


def test_a_cell_that_comes_in_later_is_taken_over_at_the_next_run() -> None:
    shared, net = nn.ReLU(), nn.SequentialCell(nn.Tanh())
    first, second = Explorer(shared, X), Explorer(net, X)
    first.set_capture("")
    net.append(shared)
    second.run()
    assert shared._hooks.empty()
    with pytest.raises(RuntimeError, match="closed or replaced"):
        first.run()


def test_a_replaced_explorer_keeps_its_picture_and_no_large_arrays() -> None:
    large = Tensor(np.ones((100, 200), np.float32))
    net = nn.SequentialCell(nn.Dense(200, 300), nn.ReLU())
    old = Explorer(net, large)
    before = old.view["nodes"]
    assert sum(seen.value.array.nbytes for seen in old.outcome.recorder.values) > 500_000
    Explorer(net, large)
    kept = [s for value in old.outcome.recorder.values for s in (value.value, value.gradient) if s is not None]
    assert sum(seen.array.nbytes for seen in kept if seen.array is not None) < 50_000
    assert old.outcome.recorder.calls == [] and old.outcome.recorder.parameters == []
    old.toggle("call1")
    old.toggle("call1")
    assert old.view["nodes"] == before


def test_what_a_view_showed_stays_when_another_takes_over() -> None:
    first = run_program("mlp")["explorer"]
    shown = {}
    for name in ("cut_detective", "gradient_graph"):
        first.open_panel(name)
        shown[name] = first.panels
    Explorer(first.net, *first.experiment.program.inputs)
    for name in shown:
        first.open_panel(name)
        assert first.panels == shown[name] and first.panels[name]["error"] is None
    first.width = 500
    assert first.panels["gradient_graph"]["data"]
    first.open_panel("rule_lab")
    first.close()
    assert first.panels["rule_lab"]["error"] is None


def test_a_view_of_an_earlier_run_is_not_shown_again() -> None:
    explorer = run_program("mlp")["explorer"]
    explorer.open_panel("cut_detective")
    explorer.open_panel("node")
    explorer.new_draw()
    explorer.close()
    explorer.open_panel("cut_detective")
    assert "closed" in explorer.panels["cut_detective"]["error"]
