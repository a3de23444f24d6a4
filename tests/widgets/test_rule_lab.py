"""The rule lab as a widget of its own, on the four programs."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from browser.programs import PROGRAMS
from widgets.four_programs import node_of, run_program, select, send

from teachcell import Tensor, grad, nn, ops
from teachcell.core.op import OPS
from teachcell_widgets import Explorer, RuleLab

OP_OF = {"mlp": "relu/relu", "two_outputs": "split/tanh", "function": "/multiply[2]", "called_twice": "relu/relu"}


def lab_of(name: str) -> RuleLab:
    return run_program(name, "RuleLab")["explorer"]


def shown(lab: Any) -> dict[str, Any]:
    data = lab.panels["rule_lab"]["data"]
    assert lab.panels["rule_lab"]["error"] is None
    json.dumps(data, allow_nan=False)
    return data


def first_gradient(lab: Any) -> np.ndarray:
    return next(v for v in lab.outcome.recorder.values if v.kind == "input").gradient.array


@pytest.mark.parametrize("name", PROGRAMS)
def test_alone_it_checks_the_selected_cell(name: str) -> None:
    lab = lab_of(name)
    assert isinstance(lab, RuleLab) and lab.frame["panels"] == ["rule_lab"]
    assert lab.panels == {"rule_lab": {"data": {}, "error": None}}
    select(lab, "relu")
    send(lab, panel="rule_lab", do="check")
    assert shown(lab)["ok"] and lab.selected == shown(lab)["node"] == node_of(lab, "relu")
    lab.set_rule("relu", "no gradient")
    assert shown(lab)["text"] == "∂x: zero gradient, where it should not be."
    lab.close()
    with pytest.raises(RuntimeError, match="closed"):
        lab.rule_lab.check("relu")


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_rule_for_one_op_and_back(name: str) -> None:
    lab, where = lab_of(name), OP_OF[name]
    before, rules = first_gradient(lab), OPS["relu"].rules
    assert lab.rule_lab.check(where)["ok"] and shown(lab)["target"] == where
    send(lab, panel="rule_lab", do="use", where=where, rule="reversal")
    assert not np.array_equal(first_gradient(lab), before) and shown(lab)["rule"] == "reversal"
    assert shown(lab)["code"].startswith("def reversal(x") and "trained to make the loss larger" in shown(lab)["about"]
    assert lab.view["code"] == f"# explorer.rule_lab.use('reversal', '{where}')"
    assert "rule: gradient reversal" in lab.view["svg"] and "backward by gradient reversal" in json.dumps(lab.view)
    assert OPS["relu"].rules is rules
    lab.reset()
    assert np.array_equal(first_gradient(lab), before) and shown(lab) == {} and lab.view["code"] == ""


def test_nothing_reaches_another_widget_or_the_net() -> None:
    names = run_program("mlp")
    first, x, net = names["explorer"], names["x"], names["net"]
    before = first_gradient(first)
    first.rule_lab.use("zero", "relu/relu", every=True)
    other = Explorer(lambda x: ops.relu(x), x)
    assert first_gradient(other).any() and not first_gradient(first).any()
    net.set_train(False)
    assert grad(lambda x: net(x).sum())(x).asnumpy().any()
    first.close()
    net.set_train()
    again = Explorer(net, x, loss=names["explorer"].experiment.program.loss, targets=names["labels"])
    assert np.array_equal(first_gradient(again), before)


def test_a_typed_rule_is_offered_and_typed_again() -> None:
    lab = lab_of("called_twice")

    @lab.rule_lab.rule("relu")
    def mine(x, out, dout):
        return (dout * 0,)

    assert callable(mine) and not first_gradient(lab).any()
    assert shown(lab)["rule"] == "mine" and "def mine(x, out, dout):" in shown(lab)["code"]
    assert {"id": "mine", "label": "mine"} in shown(lab)["rules"] and lab.view["code"] == "net.relu.bprop = mine"
    assert "net.relu.bprop = mine" in lab.code()
    lab.rule_lab.use("engine", "relu")
    before = first_gradient(lab)
    lab.rule_lab.use("mine", "relu")

    @lab.rule_lab.rule("relu")
    def mine(x, out, dout):
        return (dout * (x > 0).astype(x.dtype),)

    assert shown(lab)["ok"] and np.array_equal(first_gradient(lab), before)
    found = lab.rule_lab.use(lambda x, out, dout: (dout,), "relu/relu", call=2, name="<b>bold</b>")
    assert found["rule"] == "<b>bold</b>" and "<b>" not in lab.view["svg"]
    assert lab.rule_lab.use(lambda x, out, dout: (dout,), "relu")["rule"] == "typed rule"


def raises(x, out, dout):
    return (1 / 0,)


def returns_two(x, out, dout):
    return dout, dout


def returns_one_row(x, out, dout):
    return (dout[0],)


def takes_too_few(x, dout):
    return (dout,)


@pytest.mark.parametrize("where", ["relu", "relu/relu"])
@pytest.mark.parametrize(
    ("rule", "words", "line"),
    [
        (raises, "ZeroDivisionError", "raises: return (1 / 0,)"),
        (returns_two, "returned 2 gradient(s) for 1 input(s)", "returns_two: return dout, dout"),
        (returns_one_row, "has shape (16,), the input (8, 16)", "returns_one_row: return (dout[0],)"),
        (takes_too_few, "is called as takes_too_few(x, out, dout)", "def takes_too_few(x, dout):"),
    ],
)
def test_a_rule_that_fails_is_told_above_the_last_good_result(
    caplog: pytest.LogCaptureFixture, where: str, rule: Any, words: str, line: str
) -> None:
    lab = lab_of("mlp")
    good = lab.rule_lab.check(where)
    caplog.clear()
    found = lab.rule_lab.use(rule, where)
    assert not found["ok"] and words in found["text"].splitlines()[0] and found["text"].splitlines()[1] == line
    stale = shown(lab)["stale"]
    assert stale["inputs"] == good["inputs"] and stale["marks"] == ["✓", "✓", ""]
    assert stale["columns"][1] == "engine rule" and "of: engine rule" in stale["says"]
    assert found["columns"][1] == rule.__name__ and found["inputs"] == [] and found["marks"] == ["", "", ""]
    assert repr(found).startswith(f"{good['title']} · {rule.__name__}: Cannot be checked. ")
    assert len(caplog.records) == 1 and words in caplog.text
    assert lab.view["svg"] and lab.outcome.error is None
    assert lab.rule_lab.use("engine", where)["ok"] and not shown(lab)["stale"] and lab.error is None


def test_a_rule_that_gives_nan_is_no_failure() -> None:
    lab = lab_of("mlp")
    found = lab.rule_lab.use(lambda x, out, dout: (dout * float("nan"),), "relu")
    assert found["head"] == "NaN or Inf." and not found["stale"] and lab.error is None


def test_all_of_a_kind_from_the_browser() -> None:
    lab = lab_of("called_twice")
    lab.rule_lab.check("relu/relu", call=2)
    assert shown(lab)["every"] == {"count": 2, "on": False, "label": "at all 2 of them"}
    assert [t["id"] for t in shown(lab)["targets"]] == ["relu", "relu/relu"]
    send(lab, panel="rule_lab", do="use", where="relu/relu", rule="zero", every=True)
    assert shown(lab)["every"]["on"] and [op["rule"] for op in lab.outcome.document["ops"]].count("zero") == 2
    send(lab, panel="rule_lab", do="check", where="relu", call=2)
    assert shown(lab)["title"] == "relu · call 2 of 2" and shown(lab)["every"] is None


def test_what_is_refused() -> None:
    lab = lab_of("mlp")
    for call, error, words in (
        (lambda: lab.rule_lab.check("nowhere"), KeyError, "'nowhere' is no Cell, no drawn node"),
        (lambda: lab.rule_lab.use("unheard", "relu"), KeyError, "has no rule 'unheard'"),
        (lambda: lab.rule_lab.use("unheard", "relu/relu"), KeyError, "has no rule 'unheard'; known: engine"),
        (lambda: lab.rule_lab.use("own", "relu"), KeyError, "has no rule 'own'"),
        (lambda: lab.rule_lab.use(3, "relu"), TypeError, "a rule is a function"),
        (lambda: lab.rule_lab.use(nn.ReLU, "relu"), TypeError, "a rule is a function"),
        (lambda: lab.rule_lab.use("zero", "relu", every=True), ValueError, "every=True is for ops"),
    ):
        with pytest.raises(error, match=words):
            call()
    assert lab.error is None and lab.outcome.error is None


def test_by_the_names_of_drawn_nodes() -> None:
    explorer = run_program("function")["explorer"]
    node = node_of(explorer, "multiply", 1)
    assert explorer.rule_lab.check(node)["title"] == "Mul" and shown(explorer)["target"] == "/multiply[2]"
    assert shown(explorer)["node"] == node and explorer.view["nodes"][node]["checkable"]
    select(explorer, "x")
    send(explorer, panel="rule_lab", do="check")
    assert explorer.view["error"]["detail"] == "ValueError: Choose a node that belongs to a Cell first."


def test_the_effect_on_training() -> None:
    lab = lab_of("mlp")
    before = {p.name: p.asnumpy().copy() for p in lab.net.get_parameters()}
    lab.rule_lab.use("zero", "relu")
    found = lab.rule_lab.train(5)
    assert len(found["engine"]) == len(found["chosen"]) == 6 and found["engine"][0] == found["chosen"][0]
    assert shown(lab)["effect"] == found and found["text"].startswith("5 steps from loss 0.928: engine rule ends at")
    assert all((p.asnumpy() == before[p.name]).all() for p in lab.net.get_parameters())
    send(lab, panel="rule_lab", do="train", steps=0, rate=0.1)
    assert shown(lab)["effect"] == {"error": "ValueError: steps must be a whole number from 1 to 2000, not 0"}
    assert lab.rule_lab.train(2, nn.Adam)["optimizer"] == "Adam"
    lab.rule_lab.use("reversal", "relu")
    assert shown(lab)["effect"] == {}


def test_the_widgets_own_optimizer_is_used() -> None:
    names = run_program("mlp")
    net, momentum = names["net"], nn.Momentum(names["net"].trainable_params(), 0.1, 0.9)
    loss = names["explorer"].experiment.program.loss
    lab = RuleLab(net, names["x"], loss=loss, targets=names["labels"], optimizer=momentum)
    lab.rule_lab.use("zero", "relu")
    assert lab.rule_lab.train(2)["optimizer"] == shown(lab)["optimizer"] == "Momentum"
    assert int(momentum.global_step.asnumpy()[0]) == 0


def test_the_effect_where_nothing_can_be_trained(caplog: pytest.LogCaptureFixture) -> None:
    lab = lab_of("two_outputs")
    lab.rule_lab.use("zero", "relu")
    send(lab, panel="rule_lab", do="train", steps=3, rate=0.1)
    assert "no Parameter with requires_grad" in shown(lab)["effect"]["error"] and "no Parameter with" in caplog.text


def test_only_the_backward_pass_runs_again(capsys: pytest.CaptureFixture[str]) -> None:
    class Prints(nn.Cell):
        def construct(self, x):
            print("forward")
            return ops.relu(x) * 3

    lab = RuleLab(Prints(), Tensor([-1.0, 2.0]))
    assert capsys.readouterr().out == "forward\n"
    for rule in ("zero", "identity", lambda x, out, dout: (dout,), "engine"):
        lab.rule_lab.use(rule, "/relu")
    lab.set_rule("", "zero")
    lab.set_rule("", "engine")
    assert capsys.readouterr().out == "" and first_gradient(lab).tolist() == [0, 3]
    lab.run()
    assert capsys.readouterr().out == "forward\n"


def test_a_widget_that_fell_asleep_runs_again() -> None:
    lab = lab_of("mlp")
    lab.rule_lab.use("zero", "relu")
    lab.fall_asleep()
    assert lab.rule_lab.use("reversal", "relu")["rule"] == "reversal" and first_gradient(lab).any()


def test_the_sample_to_type_can_be_run() -> None:
    lab = lab_of("function")
    lab.rule_lab.check("/add")
    exec(shown(lab)["typing"], {"explorer": lab})
    assert shown(lab)["rule"] == "my_rule" and shown(lab)["ok"]  # of a sum, dout for both is right


def test_a_surrogate_makes_a_spiking_net_train() -> None:
    class Spike(nn.Cell):
        def construct(self, x):
            return (x > 0).astype(x.dtype)

    class Net(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.fc, self.spike, self.out = nn.Dense(2, 8), Spike(), nn.Dense(8, 1)

        def construct(self, x):
            return self.out(self.spike(self.fc(x)))

    lab = RuleLab(Net(), Tensor([[0.5, -1.0], [1.0, 2.0]]), loss=nn.MSELoss(), targets=Tensor([[1.0], [0.0]]))
    assert next(v for v in lab.outcome.recorder.values if v.kind == "input").gradient is None
    assert "the rule is a surrogate for it" in lab.rule_lab.use("sigmoid", "spike")["text"]
    assert first_gradient(lab).any()


def test_a_view_that_fails_is_told_and_logged(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    lab = lab_of("mlp")
    monkeypatch.setattr(lab.rule_lab, "data", lambda: 1 / 0)
    lab.show()
    assert lab.panels["rule_lab"]["data"] is None and "division by zero" in lab.panels["rule_lab"]["error"]
    assert "ZeroDivisionError" in caplog.text and lab.view["svg"]


def test_a_view_that_it_has_not_is_refused() -> None:
    lab = lab_of("mlp")
    with pytest.raises(ValueError, match="there is no view 'node' here, only rule_lab"):
        lab.open_panel("node")


def test_an_op_whose_result_has_no_gradient_takes_no_rule() -> None:
    lab = RuleLab(lambda x: ((x > 0).astype(x.dtype) * x).sum(), Tensor([1.0, -2.0]))
    for rule in ("zero", lambda *given: given[:-2]):
        with pytest.raises(ValueError, match=r"Greater returns bool: .* no rule can act here"):
            lab.rule_lab.use(rule, "greater")
        assert shown(lab)["head"] == "Takes no rule." and not lab.experiment.op_rules
    assert lab.rule_lab.use("engine", "greater")["rule"] == "engine"


def test_of_a_whole_net_the_cells_with_their_own_rules_are_offered() -> None:
    class Half(nn.Cell):
        def construct(self, x: Tensor) -> Tensor:
            return x * x

        def bprop(self, x: Tensor, out: Tensor, dout: Tensor) -> tuple[Tensor]:
            return (x * dout,)

    class Net(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.sq = Half()

        def construct(self, x: Tensor) -> Tensor:
            return self.sq(x).sum()

    lab = RuleLab(Net(), Tensor([1.0, 2.0]))
    assert repr(lab.rule_lab.check("")).startswith("Net · own bprop of sq: Does not match. ∂x: off by")
    assert {"id": "sq", "label": "Cell sq"} in shown(lab)["targets"]
    send(lab, panel="rule_lab", do="check", where="sq", call=1)
    assert shown(lab)["title"] == "sq" and not shown(lab)["ok"]


def test_ready_rules_have_the_names_that_are_shown() -> None:
    lab = lab_of("mlp")
    for where in ("relu", "relu/relu"):
        assert "straight-through" in repr(lab.rule_lab.use("straight-through", where))
        lab.rule_lab.use("surrogate: arctan", where)
        assert shown(lab)["rule"] == "arctan"
        lab.rule_lab.use("engine rule", where)
        assert shown(lab)["rule"] == "engine"
