"""The Explorer without a browser: every action on the four programs, errors, closing, and what a notebook keeps."""

from __future__ import annotations

import gc
import json
import re
import weakref
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from browser.programs import PROGRAMS
from widgets.four_programs import node_of, run_program, select, send

import teachcell as tc
from teachcell import Parameter, Tensor, nn, ops
from teachcell.core.op import OPS
from teachcell_widgets import Explorer

KEYS = {
    "title", "svg", "steps", "nodes", "order", "scopes", "capture", "code", "note", "error", "stale", "script",
    "texts", "lang", "odd", "answer", "cards", "found",
}  # fmt: skip
X = Tensor([[1.0, 2.0]])


@pytest.fixture(params=PROGRAMS)
def names(request: pytest.FixtureRequest) -> Iterator[dict[str, Any]]:
    names = run_program(request.param)
    yield names
    names["explorer"].close()


@pytest.fixture
def explorer(names: dict[str, Any]) -> Explorer:
    return names["explorer"]


@pytest.fixture
def mlp() -> Explorer:
    return run_program("mlp")["explorer"]


def check_view(explorer: Explorer) -> None:
    """What the browser relies on in every view."""
    view = explorer.view
    text = json.dumps(view, allow_nan=False)
    assert set(view) == KEYS and len(text) < 1_000_000
    nodes, svg = view["nodes"], view["svg"]
    drawn = set(re.findall(r'data-node="([^"]+)"', svg)) | set(re.findall(r'data-fold="([^"]+)"', svg))
    assert drawn <= set(nodes) and set(view["order"]) <= set(nodes) and set(view["odd"]) <= set(nodes)
    edges = set(re.findall(r'data-edge="([^"]+)"', svg))
    for step in view["steps"]:
        assert step["node"] in nodes and set(step["edges"]) <= edges and step["sentence"]
    for panel in nodes.values():
        for key in ("value_at", "grad_at"):
            assert panel[key] is None or -1 <= panel[key] < len(view["steps"])
        assert panel["grad"] is not None or panel["grad_note"] or panel["value"] is None
        assert all(call["node"] in nodes for call in panel["calls"])
        assert panel["card"] == "" or panel["card"] in view["cards"]
    assert explorer.selected in nodes and 0 <= explorer.position <= len(view["steps"])


def checked(explorer: Explorer) -> dict[str, Any]:
    """What the rule lab shows."""
    return explorer.panels["rule_lab"]["data"]


def first_input(explorer: Explorer) -> dict[str, Any]:
    return next(v for v in explorer.outcome.document["values"] if v["kind"] == "input")


# Each action ----------------------------------------------------------------------------------------------


def test_at_first_sight(explorer: Explorer) -> None:
    check_view(explorer)
    view = explorer.view
    assert explorer.position == len(view["steps"]) == len(explorer.outcome.document["events"])
    assert view["error"] is None and explorer.panel == "node" and not view["stale"]
    assert view["code"] == ""
    assert not explorer.selected.startswith("value")
    relu = view["nodes"][node_of(explorer, "relu")]
    assert relu["path"] == "relu" and [r["id"] for r in relu["rules"]] == ["automatic", "no gradient"]
    assert relu["value"]["min"] >= 0 and relu["formula"][0] == {"class": "val", "text": "y = max(x, 0)", "shape": ""}
    assert relu["source"] == "lambda F, g, out, x: F.relu_grad(g, out)"


def test_another_rule_and_back(names: dict[str, Any], explorer: Explorer) -> None:
    select(explorer, "relu")
    before, relu = first_input(explorer)["grad"], explorer.experiment.cell("relu")
    send(explorer, do="rule", path="relu", value="no gradient")
    check_view(explorer)
    line = explorer.view["code"]
    assert line.endswith("relu.bprop = bprops['relu']['no gradient']") and line in explorer.view["script"]
    assert relu.bprop is names["no_gradient"] and first_input(explorer)["grad"] != before
    panel = explorer.view["nodes"][explorer.selected]
    assert panel["rule"] == "no gradient" and "def no_gradient" in panel["source"]
    assert panel["formula"][-1]["text"] == "∂x by no gradient"
    send(explorer, do="rule", path="relu", value="automatic")
    assert relu.bprop is None and first_input(explorer)["grad"] == before


def test_a_single_op_has_its_card_while_its_own_rule_is_in_use(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(OPS["relu"], "source", "<i>Nair & Hinton</i> 2010")
    explorer = run_program("mlp")["explorer"]
    node = node_of(explorer, "relu")
    check_view(explorer)
    assert explorer.view["nodes"][node]["card"] == "relu"
    assert explorer.view["cards"]["relu"]["source"] == "Source: <i>Nair & Hinton</i> 2010."
    explorer.set_rule("relu", "no gradient")
    assert explorer.view["nodes"][node]["card"] == ""


def test_a_closed_cell_of_several_ops_says_that_its_rules_are_inside() -> None:
    explorer = run_program("mlp")["explorer"]
    nodes = explorer.view["nodes"]
    assert nodes[node_of(explorer, "fc1")]["rules_inside"] and not nodes[node_of(explorer, "relu")]["rules_inside"]


def test_the_check_follows_the_rule(explorer: Explorer) -> None:
    select(explorer, "relu")
    send(explorer, panel="rule_lab", do="check")
    assert checked(explorer)["ok"] and checked(explorer)["path"] == "relu"
    send(explorer, do="rule", path="relu", value="no gradient")
    assert checked(explorer)["text"] == "∂x: zero gradient, where it should not be."
    check_view(explorer)
    explorer.panel = "node"
    assert explorer.panels == {"node": {"data": {}, "error": None}}
    assert explorer.rule_lab.check("relu")["rule"] == "no gradient" and explorer.panel == "rule_lab"


def test_capture_and_back(explorer: Explorer) -> None:
    select(explorer, "relu")
    steps, hooks = len(explorer.view["steps"]), explorer.experiment.cell("relu")._hooks
    send(explorer, do="capture", on=True)
    check_view(explorer)
    calls = explorer.experiment.capture.calls
    assert explorer.view["capture"] == {"on": True, "path": "relu"} and len(explorer.view["steps"]) == steps + 4 * len(
        calls
    )
    captured = explorer.view["nodes"][explorer.selected]["captured"]
    assert len(captured) == len(calls)
    assert [row["label"] for row in captured[0]["rows"]] == ["inputs", "outputs", "incoming", "outgoing"]
    send(explorer, do="capture", on=False)
    assert explorer.view["capture"] == {"on": False, "path": ""} and len(explorer.view["steps"]) == steps
    assert explorer.experiment.cell("relu")._hooks.empty() and hooks is None
    assert explorer.view["nodes"][explorer.selected]["captured"] is None


def test_modes(explorer: Explorer) -> None:
    for scope in explorer.view["scopes"]:
        send(explorer, do="mode", scope=scope["path"], value="predict")
        assert not explorer.experiment.cell(scope["path"]).training
        assert explorer.view["code"].endswith(".set_train(False)")
        send(explorer, do="mode", scope=scope["path"], value="train")
        assert explorer.experiment.cell(scope["path"]).training
        (now,) = [s for s in explorer.view["scopes"] if s["path"] == scope["path"]]
        assert now["mode"] == "train" and "training True" in now["says"]
    check_view(explorer)


def test_a_new_draw(explorer: Explorer) -> None:
    send(explorer, do="draw")
    assert explorer.view["code"] == "tc.set_seed(1)" and explorer.error is None
    check_view(explorer)


def test_everything_opens_and_folds(explorer: Explorer) -> None:
    for fold in [f"call{call['id']}" for call in explorer.outcome.document["calls"] if call["parent"] is not None]:
        send(explorer, do="fold", node=fold)
        assert explorer.view["error"] is None
        check_view(explorer)
    for name in reversed([name for name in explorer.view["order"] if name.startswith("call")]):
        send(explorer, do="fold", node=name)
        check_view(explorer)
    assert 'class="tc-frame"' not in explorer.view["svg"]


def test_a_width_is_a_new_layout(explorer: Explorer) -> None:
    before, position = explorer.view["svg"], explorer.position
    explorer.width = 360
    assert explorer.view["svg"] != before and explorer.position == position
    check_view(explorer)


# The single things of the mlp -----------------------------------------------------------------------------


def test_dropout_acts_by_its_mode(mlp: Explorer) -> None:
    select(mlp, "dropout")
    assert mlp.view["nodes"][mlp.selected]["value"]["zeros"] > 0.4
    trained = mlp.view["nodes"][mlp.selected]["value"]
    send(mlp, do="mode", scope="", value="predict")
    assert mlp.view["code"] == "net.set_train(False)" and mlp.net.phase == "predict"
    assert mlp.view["nodes"][mlp.selected]["value"] != trained and mlp.view["nodes"][mlp.selected]["title"] == "dropout"
    send(mlp, do="mode", scope="dropout", value="train")
    assert mlp.view["code"] == "net.dropout.set_train()"
    assert mlp.view["nodes"][mlp.selected]["value"] == trained  # the same draw
    modes = {scope["path"]: scope["mode"] for scope in mlp.view["scopes"]}
    assert modes[""] == "mixed" and modes["dropout"] == "train" and modes["fc1"] == "predict"
    send(mlp, do="draw")
    assert mlp.view["nodes"][mlp.selected]["value"] != trained


def test_a_new_cell_says_train_and_predicts() -> None:
    explorer = Explorer(nn.Dense(2, 2), X)
    (whole,) = explorer.view["scopes"]
    assert (
        whole["says"] == "training False · phase 'train'"
        and whole["mode"] == "predict"
        and "phase is 'train'" in whole["tip"]
    )
    explorer.set_train()
    assert explorer.view["scopes"][0]["tip"] == ""


def test_the_position_stays_at_the_same_event(mlp: Explorer) -> None:
    def here() -> str:
        return "".join(text for _, text in mlp.view["steps"][mlp.position - 1]["sentence"])

    mlp.position = next(i + 1 for i, s in enumerate(mlp.view["steps"]) if "ReLU backward" in str(s["sentence"]))
    told = here()
    select(mlp, "relu")
    send(mlp, do="capture", on=True)
    assert here() == told
    send(mlp, do="mode", scope="", value="predict")
    assert here() == told
    send(mlp, do="fold", node="call1")
    assert here() == told
    send(mlp, do="capture", on=False)
    assert here() == told
    send(mlp, do="rule", path="relu", value="no gradient")  # that event is gone: the nearest earlier one
    assert "Dropout backward" in here() or "backward" in here()
    mlp.position = 0
    send(mlp, do="draw")
    assert mlp.position == 0
    mlp.position = len(mlp.view["steps"])
    send(mlp, do="capture", on=True)
    assert mlp.position == len(mlp.view["steps"])


def test_the_selection_survives_folding(mlp: Explorer) -> None:
    send(mlp, do="fold", node="call1")
    select(mlp, "bias_add")
    send(mlp, do="fold", node="call4")
    assert mlp.view["nodes"][mlp.selected]["title"] == "bias_add"
    send(mlp, do="fold", node="call1")
    assert mlp.selected == "call1" and mlp.view["nodes"]["call1"]["title"] == "fc1"
    send(mlp, do="fold", node="call1")
    assert mlp.selected == "call1"  # now the frame
    select(mlp, "weight")
    send(mlp, do="fold", node="call1")
    assert mlp.selected == "call1"


def test_open_cells_are_on_the_path_of_the_keyboard(mlp: Explorer) -> None:
    send(mlp, do="fold", node="call1")
    order = mlp.view["order"]
    assert order.index("call1") < order.index(node_of(mlp, "bias_add")) and len(order) == len(set(order))


def test_hooks_of_the_learner_are_listed_and_counted() -> None:
    net = nn.SequentialCell(nn.ReLU(), nn.ReLU())
    net[0].register_forward_hook(lambda cell, inputs, output: output * 2)
    net[0].register_forward_hook(lambda cell, inputs, output: None)
    net[0].register_backward_hook(lambda cell, left, arrived: None)
    net[1].register_backward_pre_hook(lambda cell, arrived: None)
    explorer = Explorer(net, Tensor([1.0]), loss=lambda y: ops.stop_gradient(y) + 1.0)
    hooks = explorer.view["nodes"][node_of(explorer, "0")]["hooks"]
    assert hooks["head"] == "3 attached, 2 fired"
    assert [(item["glyph"], item["note"], item["mark"]) for item in hooks["items"]] == [
        ("▶", "called 1 ×, replaced what it was given", True), ("▶", "called 1 ×, only looked", False),
        ("◀", "not called", False),
    ]  # fmt: skip
    assert hooks["items"][0]["code"] == "lambda cell, inputs, output: output * 2"


def test_a_cut_is_the_last_step_and_odd() -> None:
    net = nn.SequentialCell(nn.Dense(2, 2), nn.ReLU())
    net[1].register_forward_pre_hook(lambda cell, inputs: ops.ones_like(inputs[0]))
    explorer = Explorer(net, X)
    assert explorer.view["steps"][-1]["sentence"][0] == ["mark", "Gradient cut: "]
    assert node_of(explorer, "0") in explorer.view["odd"]
    note = explorer.view["nodes"][node_of(explorer, "0")]["grad_note"]
    assert note.startswith("cut: 1's pre-hook <lambda> returned new data")


def test_the_second_call_is_checked_when_it_is_selected() -> None:
    explorer = run_program("called_twice")["explorer"]
    select(explorer, "relu", 1)
    send(explorer, panel="rule_lab", do="check")
    assert checked(explorer)["title"] == "relu · call 2 of 2"
    panel = explorer.view["nodes"][explorer.selected]
    assert [call["label"] for call in panel["calls"]] == ["call 1 of 2", "call 2 of 2"]
    assert panel["calls"][1]["node"] == explorer.selected


def test_a_parameter_that_the_run_writes_is_said_to_be_as_at_its_first_use() -> None:
    class Writes(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.w, self.v = Parameter([1.0, 1.0], name="w"), Parameter([1.0, 1.0], name="v")

        def construct(self, x):
            y = x * self.w * self.v
            ops.assign_add(self.w, y)
            return y

    explorer = Explorer(Writes(), Tensor([1.0, 2.0]))
    kinds = {panel["title"]: panel["kind"] for panel in explorer.view["nodes"].values()}
    assert kinds["w"] == "Parameter at its first use, written later in the run" and kinds["v"] == "Parameter"


def test_no_loss_is_said(mlp: Explorer) -> None:
    assert mlp.view["note"] == "" and "sum of all outputs" in Explorer(nn.ReLU(), X).view["note"]


def test_graph_mode_is_said() -> None:
    explorer = Explorer(nn.ReLU(), X, loss=nn.MSELoss(), targets=X)
    assert explorer.view["note"] == ""
    tc.set_context(mode=tc.GRAPH_MODE)
    try:
        explorer.run()
        assert explorer.view["note"] == "GRAPH_MODE is set: hooks stay silent."
    finally:
        tc.set_context(mode=tc.PYNATIVE_MODE)


def test_a_cell_that_is_exchanged_is_found_again() -> None:
    net = nn.SequentialCell(nn.ReLU(), nn.Tanh())
    removed, explorer = net[1], Explorer(net, X)
    explorer.rule_lab.check("1")
    net[1] = nn.Sigmoid()
    explorer.set_train(True, "1")
    assert net[1].training and not removed.training and node_of(explorer, "1") in explorer.view["nodes"]
    assert checked(explorer)["ok"]
    del net[1]
    explorer.run()
    assert checked(explorer) == {} and explorer.error is None
    check_view(explorer)


@pytest.mark.parametrize(
    ("options", "error"),
    [({"bprops": {"": print}}, TypeError), ({"seed": None}, TypeError), ({"seed": -1}, ValueError)],
)
def test_wrong_options_are_refused_at_once(options: dict[str, Any], error: type[Exception]) -> None:
    with pytest.raises(error, match="must be"):
        Explorer(nn.ReLU(), X, **options)


def test_a_function_without_cells_has_no_modes_and_no_rules() -> None:
    explorer = Explorer(lambda x, w: (x * w).sum(), X, X)
    (scope,) = explorer.view["scopes"]
    assert scope["mode"] is None and scope["tip"] == "a plain function has no modes"
    check_view(explorer)
    select(explorer, "multiply")
    assert explorer.view["nodes"][explorer.selected]["path"] is None
    send(explorer, do="capture", on=True)
    assert explorer.view["error"]["detail"] == "ValueError: Choose a node that belongs to a Cell first."
    send(explorer, panel="rule_lab", do="check")  # which takes an op as well
    assert explorer.view["error"] is None
    send(explorer, do="draw")
    assert explorer.view["error"] is None


# Errors ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ("def no_gradient(x, out, dout):\n    return dout.no_such_method()", "no_such_method"),
        ("def no_gradient(x, out, dout):\n    return (dout, dout)", "2"),
        ("def no_gradient(x, out, dout):\n    return (dout.sum(),)", "()"),
        ("def no_gradient(x, out, dout):\n    return 3", "int"),
    ],
)
@pytest.mark.parametrize("program", PROGRAMS)
def test_a_failing_rule_is_shown_and_the_picture_stays(program: str, rule: str, words: str) -> None:
    names = run_program(program)
    explorer, scope = names["explorer"], {}
    exec(rule, scope)
    explorer.experiment.rules.given["relu"]["no gradient"] = scope["no_gradient"]
    good, position = explorer.view["svg"], explorer.position
    send(explorer, do="rule", path="relu", value="no gradient")
    assert words in explorer.view["error"]["detail"] and explorer.view["error"]["title"] == "relu failed"
    assert explorer.view["stale"] and explorer.view["svg"] == good and explorer.position == position
    assert explorer.error is not None and explorer.outcome.error is None
    check_view(explorer)
    send(explorer, do="fold", node="call1")  # the error stays until the next run
    assert explorer.view["error"] is not None and explorer.view["stale"]
    select(explorer, "relu")
    send(explorer, panel="rule_lab", do="check")
    assert checked(explorer)["head"] == "Cannot be checked."
    send(explorer, do="rule", path="relu", value="automatic")
    assert explorer.view["error"] is None and not explorer.view["stale"] and explorer.error is None
    assert checked(explorer)["ok"]


def test_a_rule_that_gives_nan_is_shown_where_it_starts() -> None:
    explorer = run_program("mlp")["explorer"]
    explorer.experiment.rules.given["relu"]["no gradient"] = lambda x, out, dout: (dout / 0 * 0,)
    explorer.set_rule("relu", "no gradient")
    assert explorer.error is None and node_of(explorer, "fc1") in explorer.view["odd"]
    check_view(explorer)
    assert explorer.rule_lab.check("relu")["text"].startswith("∂x: NaN or Inf at ")


def test_a_net_whose_first_call_fails_and_then_works() -> None:
    class Net(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.fc1, self.fc2, self.wrong = nn.Dense(2, 3), nn.Dense(3, 2), True

        def construct(self, x):
            y = self.fc1(x)
            return self.fc2(y @ y if self.wrong else y)

    net = Net()
    explorer = Explorer(net, X)
    check_view(explorer)
    assert explorer.view["error"]["title"] == "Net · MatMul failed" and not explorer.view["stale"]
    assert (
        "(1, 3)" in explorer.view["error"]["detail"]
        and "construct: return self.fc2(y @ y" in explorer.view["error"]["detail"]
    )
    assert "fc1" in {panel["title"] for panel in explorer.view["nodes"].values()}
    data, _ = explorer._repr_mimebundle_()
    assert "<svg" in data["image/svg+xml"]
    explorer.run()
    assert explorer.view["error"] is not None and not explorer.view["stale"]
    net.wrong = False
    explorer.run()
    assert explorer.view["error"] is None and explorer.position == len(explorer.view["steps"])
    net.wrong = True
    explorer.run()
    assert explorer.view["stale"]


def test_a_net_that_fails_before_its_first_op() -> None:
    class Net(nn.Cell):
        def construct(self, x):
            raise ValueError("<b>nothing</b> done")

    explorer = Explorer(Net(), X)
    line = 'raise ValueError("<b>nothing</b> done")'
    told = {"title": "Net failed", "detail": f"ValueError: <b>nothing</b> done\nconstruct: {line}"}
    assert explorer.view["error"] == told
    json.dumps(explorer.view, allow_nan=False)
    assert explorer.view["steps"] == [] and explorer.position == 0
    explorer._repr_mimebundle_()


@pytest.mark.parametrize(
    "content",
    [
        {"do": "rule", "path": "relu", "value": "no such rule"},
        {"do": "rule", "path": "nowhere", "value": "automatic"},
        {"do": "fold", "node": "op1"},
        {"do": "fold", "node": "call99"},
        {"do": "mode", "scope": "no", "value": "train"},
        {"do": "dance"},
        {"do": "rule"},
        {},
    ],
)
def test_an_action_that_cannot_be_done_is_answered(explorer: Explorer, content: dict[str, Any]) -> None:
    answers = []
    explorer.observe(lambda change: answers.append(change.new["error"]), "view")
    for _ in range(2):  # the same answer twice reaches the browser twice
        send(explorer, **content)
    assert [a["title"] for a in answers] == ["That did not work"] * 2
    check_view(explorer)


def test_every_action_is_answered_even_if_nothing_changes(explorer: Explorer) -> None:
    answers: list[str] = []
    explorer.observe(lambda change: answers.append(change.name), ["view", "panels"])
    for content in ({"panel": "rule_lab", "do": "check"}, {"do": "rule", "path": "relu", "value": "automatic"}) * 2:
        answers.clear()
        send(explorer, **content)
        assert answers


@pytest.mark.parametrize(
    ("arguments", "options", "error", "words"),
    [
        ((nn.Dense, X), {}, TypeError, "an instance, not its class"),
        ((nn.Dense(2, 2),), {}, TypeError, "give them after the net"),
        ((nn.Dense(2, 2), X), {"targets": X}, ValueError, "targets are passed to the loss"),
        ((nn.Dense(2, 2), X), {"bprops": {"fc9": {}}}, KeyError, "no Cell at 'fc9'"),
        ((lambda x: x > 0, X), {}, TypeError, "no float Tensor"),
        ((lambda x: None, X), {}, TypeError, "no float Tensor"),
    ],
)  # fmt: skip
def test_bad_arguments_are_refused_at_once(arguments, options, error, words: str) -> None:
    with pytest.raises(error, match=re.escape(words)):
        Explorer(*arguments, **options)


def test_bad_arguments_leave_an_earlier_explorer_alone(mlp: Explorer) -> None:
    mlp.set_rule("relu", "no gradient")
    with pytest.raises(KeyError):
        Explorer(mlp.net, *mlp.experiment.program.inputs, bprops={"no": {}})
    mlp.set_rule("relu", "automatic")
    assert mlp.error is None


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
        assert new.experiment.rules.in_use("relu") == "automatic"
        new.set_rule("relu", "no gradient")
    assert relu._hooks.empty() and (relu.bprop is None) == (end == "close")
    rule = relu.bprop
    for content in (
        {"do": "rule", "path": "relu", "value": "automatic"},
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
    assert repr(mlp) == "Explorer(MLP: 7 ops, 6 Cells)"
    tc.set_language("zh")
    try:
        assert repr(mlp) == "Explorer(MLP：7 个算子，6 个 Cell)"
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
