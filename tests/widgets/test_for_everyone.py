"""Language and scale at run time; widgets that are not used keep no run."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import numpy as np
import pytest
from browser.programs import PROGRAMS
from widgets.four_programs import run_program, send

import teachcell as tc
from teachcell import Tensor, nn
from teachcell_widgets import Explorer
from teachcell_widgets.awake import MOST_AWAKE

CHINESE = re.compile("[\u4e00-\u9fff]")
X = Tensor(np.ones((2, 3), np.float32))


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    yield
    tc.set_language("en")


@pytest.mark.parametrize("program", PROGRAMS)
def test_an_open_widget_follows_the_language_and_stays_where_it_is(program: str) -> None:
    explorer = run_program(program)["explorer"]
    english = json.dumps([explorer.view, explorer.panels], ensure_ascii=False)
    for panel in explorer.frame["panels"]:
        explorer.open_panel(panel)
        explorer.position = 3
        explorer.selected = explorer.view["order"][-1]
        place = explorer.position, explorer.selected, explorer.panel
        run = explorer.outcome.recorder
        tc.set_language("zh")
        assert (explorer.position, explorer.selected, explorer.panel) == place
        assert explorer.view["lang"] == "zh" and explorer.view["texts"]["train"] == "训练"
        assert CHINESE.search(json.dumps(explorer.view["steps"], ensure_ascii=False))
        assert explorer.outcome.recorder is run  # nothing was run
        tc.set_language("en")
        assert (explorer.position, explorer.selected, explorer.panel) == place
    explorer.open_panel("node")
    again = {**explorer.view, "answer": 1}, explorer.panels
    assert json.dumps(again, ensure_ascii=False) == re.sub(r'"answer": \d+', '"answer": 1', english)


def test_why_a_gradient_is_missing_is_said_in_the_other_language_too() -> None:
    net = nn.SequentialCell(nn.Dense(3, 2))
    net[0].bias.requires_grad = False
    explorer = Explorer(net, X)
    explorer.toggle("call1")
    notes = [node["grad_note"] for node in explorer.view["nodes"].values() if node["grad_note"]]
    assert notes and not CHINESE.search("".join(notes))
    net[0].set_train(False)  # behind its back: it is not what was run
    send(explorer, do="language", value="zh")
    notes = [node["grad_note"] for node in explorer.view["nodes"].values() if node["grad_note"]]
    assert notes and all(map(CHINESE.search, notes))


def test_the_check_of_a_rule_follows_the_language() -> None:
    explorer = run_program("mlp")["explorer"]
    explorer.rule_lab.check("relu")
    assert explorer.panels["rule_lab"]["data"]["head"] == "Matches."
    tc.set_language("zh")
    assert CHINESE.search(explorer.panels["rule_lab"]["data"]["head"])


def raises(x, out, dout):
    raise ValueError


def takes_too_few(x, dout):
    return (dout,)


@pytest.mark.parametrize("where", ["relu", "relu/relu"])
@pytest.mark.parametrize("rule", [raises, takes_too_few])
def test_what_the_rule_lab_told_before_follows_the_language(
    where: str, rule: object, caplog: pytest.LogCaptureFixture
) -> None:
    explorer = run_program("mlp")["explorer"]
    explorer.rule_lab.use("zero", where)
    explorer.rule_lab.use(rule, where)
    before = explorer.panels["rule_lab"]["data"]
    logged = len(caplog.records)
    tc.set_language("zh")
    after = explorer.panels["rule_lab"]["data"]
    stale = after["stale"]
    assert before["stale"]["columns"][1] == "zero"
    assert all(map(CHINESE.search, [after["head"], stale["says"], stale["note"], *stale["columns"]])), stale
    assert after["columns"][1] == rule.__name__
    assert [row["maps"] for row in stale["inputs"]] == [row["maps"] for row in before["stale"]["inputs"]]
    assert len(caplog.records) == logged  # it is no other failure


def test_trainings_in_the_rule_lab_follow_the_language() -> None:
    explorer = run_program("mlp")["explorer"]
    explorer.rule_lab.use("zero", "relu")
    explorer.rule_lab.train(2)
    before = explorer.panels["rule_lab"]["data"]["effect"]
    tc.set_language("zh")
    effect = explorer.panels["rule_lab"]["data"]["effect"]
    assert all(map(CHINESE.search, [effect["text"], *effect["labels"]]))
    assert (effect["engine"], effect["chosen"]) == (before["engine"], before["chosen"])


def test_a_replaced_widget_still_changes_its_labels() -> None:
    net = nn.ReLU()
    old = Explorer(net, X)
    Explorer(net, X)
    tc.set_language("zh")
    assert old.view["lang"] == "zh" and old.view["texts"]["train"] == "训练"


@pytest.mark.parametrize("scale", [0.5, 1, 1.5, np.float32(3)])
def test_scale_is_given_or_set_later(scale: float) -> None:
    explorer = Explorer(nn.ReLU(), X, scale=scale)
    assert explorer.scale == scale
    explorer.scale = 1.25
    assert explorer.scale == 1.25


@pytest.mark.parametrize(
    ("scale", "kind", "words"),
    [
        (0.4, ValueError, "from 0.5 (half size) to 3"),
        (3.01, ValueError, "not 3.01"),
        (-1, ValueError, "not -1"),
        (float("nan"), ValueError, "not nan"),
        (float("inf"), ValueError, "not inf"),
        ("2", TypeError, "not '2'"),
        (True, TypeError, "not True"),
        (None, TypeError, "not None"),
    ],
)
def test_what_is_no_scale_is_refused_and_changes_nothing(scale: object, kind: type[Exception], words: str) -> None:
    net = nn.ReLU()
    explorer = Explorer(net, X, scale=2)
    with pytest.raises(kind, match=re.escape(words)):
        explorer.scale = scale
    assert explorer.scale == 2
    with pytest.raises(kind, match=re.escape(words)):
        Explorer(net, X, scale=scale)
    explorer.run()  # the refused one has not taken over the net


def large() -> tuple[nn.Cell, Tensor]:
    return nn.SequentialCell(nn.Dense(50, 300), nn.ReLU()), Tensor(np.ones((100, 50), np.float32))


def test_a_notebook_cell_run_again_and_again_keeps_a_few_runs_only() -> None:
    made = [Explorer(*large()) for _ in range(3 * MOST_AWAKE)]
    awake = [explorer for explorer in made if explorer.runs.shown is not None]
    assert awake == made[-MOST_AWAKE:]
    first = made[0]
    assert first.view["svg"] and first.view["nodes"]  # the picture is there


def test_a_widget_that_is_used_again_runs_again_and_shows_the_same() -> None:
    old = Explorer(*large())
    old.position, old.selected = 2, old.view["order"][1]
    view, place = old.view, (old.position, old.selected)
    for _ in range(MOST_AWAKE):
        Explorer(nn.ReLU(), X)
    assert old.runs.shown is None and old.error is None
    old.open_panel("replay")
    assert old.runs.shown is not None
    assert (old.position, old.selected) == place
    assert old.panels["replay"]["data"]["steps"]
    assert {**old.view, "answer": 0} == {**view, "answer": 0}
    for act in (old.run, old.new_draw, lambda: old.rule_lab.check("1"), lambda: send(old, do="fold", node="call1")):
        old.fall_asleep()
        act()
        assert old.error is None and old.view["error"] is None


def test_a_failed_run_is_not_let_go_of() -> None:
    def rule(x: Tensor, out: Tensor, dout: Tensor) -> tuple[Tensor]:
        raise ZeroDivisionError

    explorer = Explorer(nn.SequentialCell(nn.ReLU()), X, bprops={"0": {"bad": rule}})
    explorer.set_rule("0", "bad")
    explorer.fall_asleep()
    assert isinstance(explorer.error, ZeroDivisionError) and explorer.outcome.error is None


def test_closing_one_that_sleeps_runs_nothing() -> None:
    ran = []
    net = nn.ReLU()
    explorer = Explorer(lambda x: ran.append(1) or net(x), X)
    explorer.fall_asleep()
    explorer.close()
    assert len(ran) == 1
