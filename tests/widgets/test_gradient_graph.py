"""The graph of the gradient: the four programs, orders, folding, what cannot be drawn."""

from __future__ import annotations

import json

import pytest
from browser.programs import PROGRAMS
from widgets.four_programs import run_program, send

from teachcell import Tensor, nn
from teachcell.core.protect import random_state
from teachcell_widgets import Explorer, GradientGraph


@pytest.mark.parametrize("name", PROGRAMS)
def test_rules_are_boxes(name: str) -> None:
    widget = run_program(name, "GradientGraph")["explorer"]
    data = widget.panels["gradient_graph"]["data"]
    assert widget.panels["gradient_graph"]["error"] is None and json.dumps(data, allow_nan=False)
    titles = [box["title"] for box in data["nodes"].values()]
    assert any(title.startswith("∂ ") for title in titles) and data["degree"] == 1
    send(widget, panel="gradient_graph", do="degree", value=2)
    second = widget.panels["gradient_graph"]["data"]
    assert second["degree"] == 2 and widget.view["error"] is None and second["svg"] != data["svg"]
    widget.close()
    with pytest.raises(RuntimeError, match="closed"):
        widget.gradient_graph.draw()


def test_words_for_states_are_whole() -> None:
    widget = run_program("two_outputs")["explorer"]
    widget.gradient_graph.draw()
    svg = widget.panels["gradient_graph"]["data"]["svg"]
    assert ">not needed<" in svg and ">not n" not in svg.replace(">not needed<", "")


def test_a_rule_of_several_ops_opens_and_folds() -> None:
    widget = run_program("two_outputs", "GradientGraph")["explorer"]
    data = widget.panels["gradient_graph"]["data"]
    (folded,) = [id for id, box in data["nodes"].items() if box["title"] == "∂ Tanh"]
    assert folded.startswith("call")
    send(widget, panel="gradient_graph", do="fold", node=folded)
    opened = widget.panels["gradient_graph"]["data"]
    assert len(opened["nodes"]) > len(data["nodes"])
    send(widget, panel="gradient_graph", do="fold", node=folded)
    assert widget.panels["gradient_graph"]["data"] == data


def test_where_the_second_derivative_is_zero_it_says_so() -> None:
    piecewise = run_program("called_twice")["explorer"].gradient_graph  # of relu and products with weights alone
    piecewise.draw(1)
    assert "this derivative is 0" not in piecewise.data()["says"]
    piecewise.draw(2)
    assert piecewise.data()["says"].endswith("this derivative is 0.")
    curved = run_program("function")["explorer"].gradient_graph
    curved.draw(2)
    assert "this derivative is 0" not in curved.data()["says"]


def test_it_follows_the_net_and_leaves_it_alone() -> None:
    explorer = run_program("mlp")["explorer"]
    state = random_state()
    explorer.gradient_graph.draw()
    before = explorer.panels["gradient_graph"]["data"]["svg"]
    explorer.set_train(False)
    assert explorer.panels["gradient_graph"]["data"]["svg"] != before
    assert repr(random_state()) == repr(state)


def test_what_has_no_gradient_says_so_in_its_place() -> None:
    explorer = Explorer(nn.ReLU(), Tensor([1.0]))
    with pytest.raises(ValueError, match="from 1 to 3, not 7"):
        explorer.gradient_graph.draw(7)
    assert explorer.panel == "node"

    class Tired(nn.Cell):
        works = True

        def construct(self, x):
            if not self.works:
                raise RuntimeError("no more")
            return x * 2

    net = Tired()
    widget = GradientGraph(net, Tensor([1.0]))
    net.works = False
    widget.gradient_graph.ran()
    widget.show()
    assert widget.panels["gradient_graph"]["data"] is None and widget.view["svg"]
    assert "no more" in widget.panels["gradient_graph"]["error"]
