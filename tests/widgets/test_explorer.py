"""The Explorer without a browser: every action on the four programs, and what single nets show."""

from __future__ import annotations

from typing import Any

import pytest
from widgets.four_programs import check_view, checked, first_input, node_of, run_program, select, send

import teachcell as tc
from teachcell import Parameter, Tensor, nn, ops
from teachcell.core.op import OPS
from teachcell_widgets import Explorer

X = Tensor([[1.0, 2.0]])


def mode_of(explorer: Explorer, path: str) -> dict[str, Any]:
    """The mode of a Cell, with its words."""
    (scope,) = [scope for scope in explorer.view["scopes"] if scope["path"] == path]
    return scope | explorer.view["modes"][scope["words"]]


# Each action ----------------------------------------------------------------------------------------------


def test_at_first_sight(explorer: Explorer) -> None:
    check_view(explorer)
    view = explorer.view
    assert explorer.position == len(view["steps"]) == len(explorer.outcome.document["events"])
    assert view["error"] is None and explorer.panel == "node" and not view["stale"]
    assert view["code"] == ""
    assert not explorer.selected.startswith("value")
    relu = view["nodes"][node_of(explorer, "relu")]
    assert relu["path"] == "relu" and [r["id"] for r in relu["rules"]] == ["engine", "no gradient"]
    assert relu["value"]["min"] >= 0 and relu["formula"][0] == {"class": "val", "text": "y = max(x, 0)", "shape": ""}
    assert relu["source"] == "lambda F, g, out, x: F.relu_grad(g, out)"


def test_another_rule_and_back(names: dict[str, Any], explorer: Explorer) -> None:
    select(explorer, "relu")
    before, relu = first_input(explorer)["grad"], explorer.experiment.cell("relu")
    send(explorer, do="rule", path="relu", value="no gradient")
    check_view(explorer)
    line = explorer.view["code"]
    assert line.endswith("relu.bprop = no_gradient") and line in explorer.view["script"]
    assert relu.bprop is names["no_gradient"] and first_input(explorer)["grad"] != before
    panel = explorer.view["nodes"][explorer.selected]
    assert panel["rule"] == "no gradient" and "def no_gradient" in panel["source"]
    assert panel["formula"][-1]["text"] == "∂x by no gradient"
    send(explorer, do="rule", path="relu", value="engine")
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
        now = mode_of(explorer, scope["path"])
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
    whole = mode_of(explorer, "")
    assert (
        whole["says"] == "training False · phase 'train'"
        and whole["mode"] == "predict"
        and "phase is 'train'" in whole["tip"]
    )
    explorer.set_train()
    assert mode_of(explorer, "")["tip"] == ""


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
    scope = mode_of(explorer, "")
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
