"""The hook timeline as a view of the Explorer and as a widget of its own, on the four programs."""

from __future__ import annotations

import json
import logging

import numpy as np
import pytest
from browser.programs import PROGRAMS
from lens.test_examples import ONE, AddRelu, doubled, listen, watch
from widgets.four_programs import run_program, send

from teachcell import Tensor, nn
from teachcell.texts import set_language
from teachcell_widgets import Explorer, HookTimeline

KINDS = {
    "forward_pre_hook", "construct", "forward_hook", "backward_pre_hook", "bprop", "backward_hook", "accumulate"
}  # fmt: skip


@pytest.mark.parametrize("name", PROGRAMS)
def test_every_event_is_told_at_once(name: str) -> None:
    widget = run_program(name, "HookTimeline")["explorer"]
    assert isinstance(widget, HookTimeline) and widget.frame["panels"] == ["hook_timeline"]
    told = widget.panels["hook_timeline"]
    assert told["error"] is None
    json.dumps(told, allow_nan=False)
    entries, last = told["data"]["entries"], len(widget.view["steps"])
    assert entries and {e["event"] for e in entries} <= KINDS and all(0 <= e["position"] <= last for e in entries)
    assert [e["event"] for e in widget.hook_timeline.events()] == [e["event"] for e in entries]
    for entry in entries:
        for row in entry["rows"]:
            assert row["array"] is None or row["array"] in told["data"]["arrays"]
            assert row["text"] or row["array"] is not None


def joint() -> Explorer:
    net = AddRelu()
    net.relu.register_forward_pre_hook(watch)
    net.relu.register_forward_hook(doubled)
    net.relu.register_backward_hook(listen)
    return Explorer(net, ONE, ONE)


def test_an_order_quiz() -> None:
    timeline = joint().hook_timeline
    order = [event["event"] for event in timeline.events("relu")]
    assert order == ["forward_pre_hook", "construct", "forward_hook", "bprop", "backward_hook"]
    last = timeline.events("relu")[-1]
    assert last["hook"] == "listen" and last["saw"]["incoming"][0].tolist() == [2] and not last["replaced"]
    last["saw"]["incoming"][0][:] = 0  # a copy
    assert timeline.events("relu")[-1]["saw"]["incoming"][0].tolist() == [2]
    with pytest.raises(KeyError, match=r"no Cell 'tanh' ran here; there were '', 'relu'"):
        timeline.events("tanh")


def test_select_goes_there_and_tells() -> None:
    explorer = joint()
    timeline = explorer.hook_timeline
    number = next(i for i, e in enumerate(timeline.events()) if e["event"] == "backward_hook")
    text = timeline.select(number)
    assert text.splitlines()[0] == "◀ backward hook listen · relu"
    assert "outgoing (neutral), grad_output (older), grad_input (newer): ([2],)" in text
    assert explorer.panel == "hook_timeline" and set(explorer.panels) == {"hook_timeline"}
    assert explorer.panels["hook_timeline"]["data"]["chosen"] == number
    assert explorer.view["steps"][explorer.position - 1]["hook"] == "◀"
    for bad in (-1, 99):
        with pytest.raises(IndexError, match=rf"no event {bad} here; events\(\) lists 7, from 0 on"):
            timeline.select(bad)
    explorer.run()
    assert explorer.panels["hook_timeline"]["data"]["chosen"] is None


def test_silent_hooks_and_the_capture_of_the_explorer() -> None:
    explorer = run_program("called_twice")["explorer"]
    net = explorer.net
    net.relu.register_forward_hook(watch_three)
    before = len(explorer.hook_timeline.events())
    explorer.set_capture("fc")
    assert len(explorer.hook_timeline.events()) == before + 2 and explorer.hook_timeline.silent() == []
    net.spare = nn.Tanh()
    net.spare.register_backward_hook(listen)
    explorer.run()
    assert explorer.hook_timeline.silent() == [
        {"hook": "listen", "kind": "backward", "cell": "spare", "times": 0,
         "why": "the Cell was not called in this run"}
    ]  # fmt: skip


def watch_three(cell, inputs, output):
    pass


def test_after_closing_the_picture_stays() -> None:
    explorer = joint()
    explorer.open_panel("hook_timeline")
    entries = explorer.panels["hook_timeline"]["data"]["entries"]
    explorer.close()
    explorer.panel = "node"
    explorer.panel = "hook_timeline"
    assert explorer.panels["hook_timeline"]["data"]["entries"] == entries
    for act in (explorer.hook_timeline.events, explorer.hook_timeline.silent, lambda: explorer.hook_timeline.select(0)):
        with pytest.raises(RuntimeError, match="closed or replaced"):
            act()


def test_names_with_markup_and_a_hook_that_raises(caplog: pytest.LogCaptureFixture) -> None:
    def broken(cell, inputs):
        raise ValueError("<b>bold</b>")

    broken.__name__ = "<img src=x>"
    net = AddRelu()
    net.relu.register_forward_pre_hook(broken)
    with caplog.at_level(logging.ERROR):
        widget = HookTimeline(net, ONE, ONE)
    told = widget.panels["hook_timeline"]
    (entry,) = [e for e in told["data"]["entries"] if e["raised"]]
    assert told["error"] is None and entry["title"] == "pre-hook <img src=x>" and "<b>bold</b>" in caplog.text
    send(widget, panel="hook_timeline", do="jump")
    assert "'jump'" in widget.view["error"]["detail"]


def test_large_arrays_and_many_ops_stay_small() -> None:
    class Deep(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.layers = nn.SequentialCell(*[nn.Dense(64, 64) for _ in range(100)])
            self.layers[50].register_backward_hook(listen)

        def construct(self, x):
            return self.layers(x)

    widget = HookTimeline(Deep(), Tensor(np.ones((64, 64), np.float32)))
    told = widget.panels["hook_timeline"]["data"]
    assert len(json.dumps(told)) < 400_000 and any(e["event"] == "backward_hook" for e in told["entries"])
    assert len(told["notes"]) == 2


def none_of_ones_own(widget: Explorer) -> str:
    widget.open_panel("hook_timeline")
    return widget.panels["hook_timeline"]["data"]["none"]


def test_where_there_are_no_hooks_it_says_what_can_be_done_here() -> None:
    explorer = Explorer(nn.SequentialCell(nn.ReLU(), nn.Tanh()), ONE)
    assert "for example net[0].register_forward_hook(f)" in none_of_ones_own(explorer)
    explorer.set_capture("1")
    assert "Capture hooks are on 1;" in none_of_ones_own(explorer)
    explorer.net[0].register_forward_hook(doubled)
    explorer.run()
    assert none_of_ones_own(explorer) == ""
    assert "ops.HookBackward(f)" in none_of_ones_own(Explorer(lambda x: x * x, ONE))


def test_in_chinese() -> None:
    set_language("zh")
    try:
        told = HookTimeline(AddRelu(), ONE, ONE).panels["hook_timeline"]["data"]
    finally:
        set_language("en")
    assert told["entries"][-1]["title"] == "按引擎规则反向"
