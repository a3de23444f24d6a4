"""draw: the picture of a run, without widgets."""

from __future__ import annotations

import re

import numpy as np
import pytest

import teachcell as tc
from teachcell import Tensor, nn, ops

X = Tensor([[1.0, -2.0]])


class Net(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.fc = nn.Dense(2, 3, weight_init="ones", bias_init="zeros")
        self.relu = nn.ReLU()

    def construct(self, x):
        return self.relu(self.fc(x))


def test_a_cell_as_svg_and_as_text_for_graphviz() -> None:
    picture = tc.draw(Net(), X)
    assert picture._repr_svg_() == picture.svg and picture.svg.startswith("<svg") and ">fc<" in picture.svg
    assert picture.to_dot().startswith("digraph") and "fc" in picture.to_dot()
    assert repr(picture) == "Picture(Net: 3 ops)"
    assert tc.draw(Net(), X).svg == picture.svg


def test_open_cells_show_their_ops() -> None:
    closed, opened = tc.draw(Net(), X), tc.draw(Net(), X, open_cells=True)
    assert "bias_add" in opened.svg and "bias_add" not in closed.svg
    assert "bias_add" in opened.to_dot() and "bias_add" not in closed.to_dot()


def test_a_function_with_a_loss_and_one_target() -> None:
    picture = tc.draw(lambda x: x * 2, X, loss=lambda y, t: ((y - t) ** 2).sum(), targets=X)
    assert picture.document["loss"] is not None and picture.document["values"][1]["name"] == "t"


def test_saving(tmp_path) -> None:
    picture = tc.draw(Net(), X)
    picture.save(tmp_path / "net.svg")
    assert (tmp_path / "net.svg").read_text(encoding="utf-8") == picture.svg


def test_what_the_program_raises_is_raised() -> None:
    def program(x):
        raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine"):
        tc.draw(program, X)
    with pytest.raises(TypeError, match="no float Tensor"):
        tc.draw(lambda x: x > 0, X)


def test_drawing_leaves_everything_as_it_was() -> None:
    net = nn.BatchNorm1d(2).set_train()
    before = net.moving_mean.asnumpy().copy()
    tc.draw(net, Tensor(np.random.rand(4, 2).astype(np.float32)))
    assert (net.moving_mean.asnumpy() == before).all()


def test_drawing_does_not_need_the_graph_to_live() -> None:
    picture = tc.draw(lambda x: x * x, X)
    assert picture.svg == type(picture)(picture.document).svg


def test_a_picture_is_saved_as_svg_or_dot_and_as_nothing_else(tmp_path) -> None:
    picture = tc.draw(Net(), X)
    picture.save(tmp_path / "a.svg")
    picture.save(str(tmp_path / "a.dot"))
    assert (tmp_path / "a.svg").read_text(encoding="utf-8") == picture.svg
    assert (tmp_path / "a.dot").read_text(encoding="utf-8") == picture.to_dot()
    with pytest.raises(ValueError, match=r"'\.gif'"):
        picture.save(tmp_path / "a.gif")
    assert len(list(tmp_path.iterdir())) == 2


def test_it_says_where_its_gradients_are_those_of_a_sum() -> None:
    x = Tensor([1.0, 2.0])

    def times_said(f) -> int:
        return tc.draw(f, x).svg.count("the gradients are those of their sum")

    assert times_said(lambda x: x * x) == times_said(lambda x: (x.sum(), (x * x).sum())) == 2  # drawn, and described
    assert times_said(lambda x: (x * x).sum()) == times_said(lambda x: (x * x).mean() + ops.argmax(x) * 0) == 0


def test_elements_that_are_all_the_same_have_no_range() -> None:
    written = re.sub(r"<[^>]+>", " ", tc.draw(lambda x: ops.tanh(x).sum(), Tensor([0.5, 1.0])).svg)
    assert " all 1 " in written and "1 … 1" not in written and " 0.5 … 1 " in written
