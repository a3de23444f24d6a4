"""What goes wrong: rules, nets, actions and arguments that fail are told in words, and nothing is lost."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from browser.programs import PROGRAMS
from widgets.four_programs import check_view, checked, node_of, run_program, select, send

from teachcell import Tensor, nn
from teachcell_widgets import Explorer

X = Tensor([[1.0, 2.0]])


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
    send(explorer, do="rule", path="relu", value="engine")
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
        {"do": "rule", "path": "nowhere", "value": "engine"},
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


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("fold", "The browser sent 'fold'; an action is a dict such as {'do': 'reset'}."),
        (None, "The browser sent None; an action is a dict"),
        ([{"do": "draw"}], "an action is a dict"),
        ({}, "The browser sent {}; 'do' is missing in it."),
        ({"do": 7}, "The browser sent {'do': 7}; 'do' should be a text, not 7."),
        ({"do": "mode", "scope": ""}, "The browser sent {'do': 'mode', 'scope': ''}; 'value' is missing in it."),
        ({"do": "fold", "node": None}, "'node' should be a text, not None."),
        ({"do": "fold", "node": "n" * 9000}, "is no Cell that can be opened"),
        ({"do": "iterate", "node": "op1", "number": True}, "'number' should be a whole number, not True."),
        ({"do": "capture", "on": "yes"}, "'on' should be true or false, not 'yes'."),
        ({"panel": [], "do": "check"}, "'panel' should be a text, not []."),
        ({"panel": "kitchen", "do": "check"}, "there is no view 'kitchen' here, only node, "),
        ({"panel": "node", "do": "check"}, "the action 'check' is not known here"),
        ({"panel": "replay", "do": "choose", "place": 1}, "'row' is missing in it."),
        ({"panel": "replay", "do": "choose", "place": 10**9, "row": 0}, "[1000000000] is not an index"),
        ({"panel": "rule_lab", "do": "train", "steps": [], "rate": 0.1}, "not []"),
        ({"panel": "gradient_graph", "do": "degree", "value": "2"}, "'value' should be a whole number, not '2'."),
        ({"panel": "compare", "do": "choose", "a": 3}, "'a' should be a text, not 3."),
        ({"panel": "training", "do": "run"}, "'steps' is missing in it."),
    ],
)  # fmt: skip
def test_a_malformed_message_is_named(content: Any, words: str, caplog: pytest.LogCaptureFixture) -> None:
    explorer = run_program("mlp")["explorer"]
    before, position = explorer.view, explorer.position
    explorer._on_message(None, content, [])
    told = explorer.view["error"]
    assert told["title"] == "That did not work" and words in told["detail"] and len(told["detail"]) < 700
    assert "failed" in caplog.text and caplog.records[-1].exc_info is not None
    changing = ("error", "answer", "code")
    assert {k: v for k, v in explorer.view.items() if k not in changing} == {
        k: v for k, v in before.items() if k not in changing
    }
    assert explorer.position == position
    send(explorer, do="draw")  # and all goes on
    assert explorer.view["error"] is None


def test_what_waits_behind_a_malformed_message_is_done() -> None:
    explorer = run_program("mlp")["explorer"]
    explorer.inbox.trained_in = -1  # as if another thread was training the net
    for content in ("nothing", {"do": "draw"}):
        explorer._on_message(None, content, [])
    assert explorer.view["code"] == ""
    explorer.inbox.trained_in = None
    explorer.inbox.answer_waiting()
    assert explorer.view["code"] == "tc.set_seed(1)"


def test_every_action_is_answered_even_if_nothing_changes(explorer: Explorer) -> None:
    answers: list[str] = []
    explorer.observe(lambda change: answers.append(change.name), ["view", "panels"])
    for content in ({"panel": "rule_lab", "do": "check"}, {"do": "rule", "path": "relu", "value": "engine"}) * 2:
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
    mlp.set_rule("relu", "engine")
    assert mlp.error is None
