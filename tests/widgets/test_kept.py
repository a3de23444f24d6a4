"""What stays: of a widget in a notebook, and of nets and memory when a widget was closed or replaced."""

from __future__ import annotations

import copy
import gc
import pickle
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from browser.programs import PROGRAMS
from widgets.four_programs import check_view, run_program, select, send

import teachcell as tc
from teachcell import Parameter, Tensor, nn, ops
from teachcell_widgets import Explorer

X = Tensor([[1.0, 2.0]])


# The end --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("end", ["close", "replace"])
def test_hooks_and_rules_go_at_the_end(names: dict[str, Any], end: str) -> None:
    explorer, relu = names["explorer"], names["explorer"].experiment.cell("relu")
    explorer.set_rule("relu", "no gradient")
    explorer.set_capture("relu")
    select(explorer, "relu")
    picture = explorer.view["svg"]
    if end == "close":
        explorer.close()
        explorer.close()
    else:
        program = explorer.experiment.program
        new = Explorer(
            program.net,
            *program.inputs,
            loss=program.loss,
            targets=program.targets,
            bprops=explorer.experiment.rules.given,
        )
        assert new.experiment.rules.in_use("relu") == "engine"
        new.set_rule("relu", "no gradient")
    assert relu._hooks.empty() and (relu.bprop is None) == (end == "close")
    rule = relu.bprop
    for content in (
        {"do": "rule", "path": "relu", "value": "engine"},
        {"do": "capture", "on": True},
        {"do": "draw"},
    ):
        send(explorer, **content)
        assert "was closed or replaced" in explorer.view["error"]["detail"]
    assert relu.bprop is rule and relu._hooks.empty() and explorer.view["svg"] == picture
    send(explorer, do="fold", node="call1")
    assert explorer.view["error"] is None  # looking goes on
    with pytest.raises(RuntimeError, match="closed or replaced"):
        explorer.set_train(False)


def test_another_net_is_another_explorer(mlp: Explorer) -> None:
    other = Explorer(nn.ReLU(), X)
    mlp.run()
    other.run()
    assert mlp.view["error"] is None and other.view["error"] is None


def test_nothing_stays_alive() -> None:
    names = run_program("mlp")
    explorer = names["explorer"]
    select(explorer, "relu")
    for content in (
        {"do": "capture", "on": True},
        {"panel": "rule_lab", "do": "check"},
        {"do": "mode", "scope": "", "value": "predict"},
    ):
        send(explorer, **content)
    watched = [weakref.ref(thing) for thing in (explorer, explorer.net, names["x"], names["labels"], explorer.outcome)]
    explorer.close()
    del explorer
    names.clear()
    gc.collect()
    assert [ref() for ref in watched] == [None] * 5


def test_a_run_leaves_the_net_as_it_was(names: dict[str, Any], explorer: Explorer) -> None:
    cells = list(explorer.experiment.program.cells.values())
    before = [(p._array, p._array.tobytes()) for cell in cells for p in cell.get_parameters()]
    tc.set_seed(8)
    draw = ops.dropout(Tensor(np.ones(9, np.float32)), 0.5, True).asnumpy().tolist()
    tc.set_seed(8)
    send(explorer, do="draw")
    select(explorer, "relu")
    send(explorer, panel="rule_lab", do="check")
    assert ops.dropout(Tensor(np.ones(9, np.float32)), 0.5, True).asnumpy().tolist() == draw
    assert all(
        p._array is a and a.tobytes() == b
        for (a, b), p in zip(before, (p for c in cells for p in c.get_parameters()), strict=True)
    )


# What a notebook keeps ------------------------------------------------------------------------------------


def test_the_output_has_a_widget_a_picture_and_a_text(explorer: Explorer) -> None:
    data, metadata = explorer._repr_mimebundle_()
    assert set(data) == {"application/vnd.jupyter.widget-view+json", "image/svg+xml", "text/plain"} and metadata == {}
    assert data["image/svg+xml"].startswith("<svg") and "<script" not in data["image/svg+xml"]
    assert data["text/plain"] == repr(explorer)
    again, _ = explorer._repr_mimebundle_()
    assert again == data


@pytest.mark.parametrize("program", PROGRAMS)
def test_texts_and_pictures_are_the_same_every_time(program: str) -> None:
    first, second = run_program(program)["explorer"], run_program(program)["explorer"]
    assert repr(first) == repr(second) and "0x" not in repr(first)
    assert first._repr_mimebundle_()[0]["image/svg+xml"] == second._repr_mimebundle_()[0]["image/svg+xml"]
    assert first.view == second.view


def test_reprs(mlp: Explorer) -> None:
    assert repr(mlp) == "Explorer(MLP: 7 ops, 4 Cells)"
    tc.set_language("zh")
    try:
        assert repr(mlp) == "Explorer(MLP：7 个算子，4 个 Cell)"
        mlp.run()
        assert mlp.view["lang"] == "zh" and mlp.view["texts"]["train"] == "训练"
        check_view(mlp)
    finally:
        tc.set_language("en")


def test_one_message_per_action(mlp: Explorer, monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[dict[str, Any]] = []
    monkeypatch.setattr(mlp.comm, "send", lambda data=None, **_: sent.append(data))
    select(mlp, "relu")
    sent.clear()
    for content in (
        {"do": "fold", "node": "call1"},
        {"do": "capture", "on": True},
        {"panel": "rule_lab", "do": "check"},
    ):
        send(mlp, **content)
        (update,) = sent
        assert update["method"] == "update" and {"view", "panels"} & set(update["state"])
        sent.clear()


def test_names_with_markup_are_escaped_in_the_drawing() -> None:
    class Net(nn.Cell):
        def construct(self, x):
            return x * self.weight

    Net.__name__ = "<img src=x onerror=alert(1)>"
    net = Net()
    net.weight = Parameter([[2.0, 1.0]], name='"><script>alert(1)</script>')
    explorer = Explorer(net, X)
    for svg in (explorer.view["svg"], explorer._repr_mimebundle_()[0]["image/svg+xml"]):
        assert "<script" not in svg and "<img" not in svg


def test_the_message_of_a_failed_action_goes_with_the_next_one_that_works() -> None:
    explorer = run_program("mlp")["explorer"]
    send(explorer, panel="compare", do="unpin", name="none")
    assert explorer.view["error"]["title"] == "That did not work"
    answer = explorer.view["answer"]
    send(explorer, panel="compare", do="pin")
    assert explorer.view["error"] is None and explorer.view["answer"] != answer


@pytest.mark.parametrize("make", [copy.copy, copy.deepcopy, pickle.dumps])
def test_a_copy_is_refused_with_a_way_out(mlp: Explorer, make: Callable[[Any], Any]) -> None:
    with pytest.raises(TypeError, match=r"Explorer: a widget cannot be copied or pickled.* keep code\(\) instead"):
        make(mlp)
