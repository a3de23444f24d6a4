"""What methods return: plain data that prints as the sentence it comes down to."""

from __future__ import annotations

import json
import pickle

import pytest
from widgets.four_programs import run_program

import teachcell_widgets
from teachcell import Tensor, draw, nn, set_language
from teachcell_widgets import Explorer


def test_a_check_prints_as_its_verdict(mlp: Explorer) -> None:
    found = mlp.rule_lab.check("fc1")
    assert repr(found) == "fc1 · engine rule: Matches. The rule agrees with the numeric gradient."
    assert found["ok"] and json.loads(json.dumps(found))["title"] == "fc1" and found == dict(found)
    used = mlp.rule_lab.use("no gradient", "relu")
    assert repr(used) == "relu · no gradient: Does not match. ∂x: zero gradient, where it should not be."
    again = pickle.loads(pickle.dumps(used))
    assert again == used and repr(again) == repr(used)


def test_one_op_is_one() -> None:
    assert repr(Explorer(nn.ReLU(), Tensor([1.0]))) == "Explorer(ReLU: 1 op)"
    assert repr(draw(nn.ReLU(), Tensor([1.0]))) == "Picture(ReLU: 1 op)"


def test_code_and_checks_are_told_in_chinese(mlp: Explorer) -> None:
    set_language("zh")
    try:
        assert mlp.code().startswith("# 已有：net, x, labels, loss\n")
        assert repr(mlp.rule_lab.check("fc1")) == "fc1 · 引擎规则：一致。规则与数值梯度一致。"
    finally:
        set_language("en")


def test_trainings_print_as_their_ends(mlp: Explorer) -> None:
    mlp.rule_lab.use("no gradient", "relu")
    found = mlp.rule_lab.train(2)
    assert repr(found) == found["text"] and found["text"].startswith("2 steps from loss ")


def test_runs_compared_print_as_where_they_part(mlp: Explorer) -> None:
    mlp.compare.pin("before")
    same = "“before” and present agree in every value and every gradient."
    assert repr(mlp.compare.between("before")) == same  # once, not for values and for gradients
    found = mlp.compare.between("train", "predict")
    assert repr(found).splitlines() == [found["sentence"]["value"], found["sentence"]["gradient"]]
    twin = repr(mlp.modes.twin()).splitlines()
    assert twin[:2] == repr(found).splitlines() and twin[2].startswith("dropout · Dropout: In training it keeps")


def test_events_print_in_a_line_each(mlp: Explorer) -> None:
    mlp.net.relu.register_forward_hook(double)
    mlp.run()
    events = mlp.hook_timeline.events()
    lines = repr(events).splitlines()
    assert len(lines) == len(events)
    assert lines[0] == "  0  construct · MLP · inputs (8, 6) output (8, 3)"
    assert lines[3] == "  3  forward_hook double · relu · inputs (8, 16) output (8, 16) result (8, 16) · replaced"
    assert lines[-1].endswith("accumulate fc2.bias Σ · fc2 · gradient (3,)")
    assert repr(mlp.hook_timeline.silent()) == "[]"


def double(cell: nn.Cell, inputs, output):
    return output * 2


def test_texts_print_without_quotes(mlp: Explorer) -> None:
    for text in (mlp.code(), mlp.replay.tell(), mlp.hook_timeline.select(1)):
        assert repr(text) == text and isinstance(text, str) and "\n" in text


def test_runs_and_findings_are_told_in_short() -> None:
    explorer = run_program("mlp")["explorer"]
    assert repr(explorer.outcome) == "MLP: a run of 7 ops in 6 calls"
    assert repr(explorer.gradient_graph.draw()).startswith("gradient of MLP: a run of ")
    explorer.set_rule("relu", "no gradient")
    assert repr(explorer.cut_detective.why("fc1")).endswith("relu's bprop returned zeros.")
    assert repr(explorer.gradient_graph.draw(order=2)).startswith("second-order gradient of MLP: a run of ")
    assert repr(explorer.replay) == "ReplayPanel(Explorer(MLP: 7 ops, 4 Cells))"


def test_a_training_prints_as_a_sentence_and_is_a_number(mlp: Explorer) -> None:
    loss = mlp.training.run(2)
    assert repr(loss).startswith("After 2 steps the loss is ") and f"{loss:.2f}" == f"{float(loss):.2f}"
    assert str(loss) == f"{loss}" == str(float(loss)) and pickle.loads(pickle.dumps(loss)) == loss


def test_what_capturing_hooks_saw(mlp: Explorer) -> None:
    with pytest.raises(ValueError, match=r"explorer\.set_capture\(path\) attaches some"):
        mlp.hook_timeline.captured()
    mlp.set_capture("relu")
    seen = mlp.hook_timeline.captured()
    assert [call["cell"] for call in seen] == ["relu"] and (seen[0]["outputs"][0] >= 0).all()
    assert seen[0]["incoming"][0].shape == seen[0]["outgoing"][0].shape == (8, 16)
    assert "incoming (8, 16) " in repr(seen)


def test_events_say_which_call_they_are_of() -> None:
    explorer = run_program("called_twice")["explorer"]
    lines = repr(explorer.hook_timeline.events("relu")).splitlines()
    assert "construct · relu · call 1 of 2 · inputs" in lines[0] and any("call 2 of 2" in line for line in lines)


def test_a_misspelt_widget_is_told_with_the_nearest() -> None:
    with pytest.raises(AttributeError, match=r"teachcell_widgets has no 'Explore'.* Nearest: Explorer"):
        teachcell_widgets.Explore  # noqa: B018


@pytest.mark.parametrize(("name", "near"), [("los", " Nearest: loss"), ("target", " Nearest: targets"), ("qqq", "")])
def test_a_misspelt_argument_is_told_with_the_nearest_in_the_widgets_name(name: str, near: str) -> None:
    known = "loss, targets, bprops, seed, optimizer, scale"
    wanted = f"{{}} has no argument {name!r}; after net and its inputs there are {known}.{near}"
    for widget in (teachcell_widgets.Explorer, teachcell_widgets.RuleLab):
        with pytest.raises(TypeError) as raised:
            widget(nn.ReLU(), Tensor([1.0]), **{name: 1})
        assert str(raised.value) == wanted.format(widget.__name__)
