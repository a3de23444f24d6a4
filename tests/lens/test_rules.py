"""Rules: a real switch between the engine's, own and given backward rules, and back."""

from __future__ import annotations

import pytest

from teachcell import Tensor, grad, nn
from teachcell.lens import Experiment
from teachcell.lens.rules import ENGINE, OWN

X = Tensor([2.0])


class Own(nn.Cell):
    def construct(self, x):
        return x * 3

    def bprop(self, x, out, dout):
        return (dout * 10,)


class Static(nn.Cell):
    def construct(self, x):
        return x * 3

    @staticmethod
    def bprop(x, out, dout):
        return (dout * 20,)


class Net(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.plain, self.own, self.static = nn.ReLU(), Own(), Static()

    def construct(self, x):
        return self.static(self.own(self.plain(x)))


def hundred(x, out, dout):
    return (dout * 100,)


def with_self(self, x, out, dout):
    return (dout * (1000 if isinstance(self, nn.ReLU) else 0),)


BPROPS = {"plain": {"hundred": hundred, "self": with_self}, "own": {"hundred": hundred}}


@pytest.fixture
def net() -> Net:
    return Net()


@pytest.fixture
def experiment(net: Net) -> Experiment:
    return Experiment(net, [X], bprops=BPROPS)


def slope(net: Net) -> float:
    return float(grad(net)(X))


def test_what_there_is_to_choose_from(experiment: Experiment) -> None:
    rules = experiment.rules
    assert rules.ids("plain") == [ENGINE, "hundred", "self"] and rules.ids("own") == [ENGINE, OWN, "hundred"]
    assert rules.ids("static") == [ENGINE, OWN] and rules.ids("") == [ENGINE]
    assert [rules.in_use(path) for path in ("", "plain", "own", "static")] == [ENGINE, ENGINE, OWN, OWN]
    assert [rules.label(rule) for rule in (ENGINE, OWN, "hundred")] == ["engine rule", "own bprop", "hundred"]
    with pytest.raises(KeyError, match="'plain' has no rule 'own'"):
        rules.use("plain", OWN)
    with pytest.raises(KeyError, match="no Cell at 'relu'"):
        rules.use("relu", ENGINE)


@pytest.mark.parametrize(
    ("path", "rule", "code", "wanted"),
    [
        ("plain", "hundred", "net.plain.bprop = hundred", 100 * 10 * 20),
        ("plain", "self", "net.plain.bprop = with_self.__get__(net.plain)", 1000 * 10 * 20),
        ("own", ENGINE, "net.own.bprop = None", 3 * 20),
        ("own", "hundred", "net.own.bprop = hundred", 100 * 20),
        ("static", ENGINE, "net.static.bprop = None", 10 * 3),
    ],
)
def test_the_switch_acts_on_the_real_net_and_back(net, experiment, path, rule, code, wanted) -> None:
    start = slope(net)
    assert experiment.rules.use(path, rule) == code
    assert slope(net) == wanted and experiment.rules.in_use(path) == rule
    outcome = experiment.run()
    assert outcome.error is None and outcome.document["values"][0]["grad"]["first"] == wanted
    labels = {call["path"]: call["rule"] for call in outcome.document["calls"]}
    assert labels[path] == ("engine" if rule == ENGINE else rule)
    experiment.close()
    assert slope(net) == start and "bprop" not in net.plain.__dict__ | net.own.__dict__ | net.static.__dict__
    assert experiment.rules.in_use(path) == (ENGINE if path == "plain" else OWN)


def test_back_to_its_own(net: Net, experiment: Experiment) -> None:
    experiment.rules.use("own", ENGINE)
    experiment.rules.use("own", "hundred")
    assert experiment.rules.use("own", OWN) == "del net.own.bprop"
    assert slope(net) == 200 and "bprop" not in net.own.__dict__
    assert experiment.rules.function("own", OWN) == net.own.bprop
    experiment.rules.use("static", ENGINE)
    assert experiment.rules.function("static", OWN)(X, X, X)[0].item() == 40


def test_a_rule_that_the_learner_set_on_the_instance_is_its_own(net: Net) -> None:
    net.plain.bprop = hundred
    experiment = Experiment(net, [X], bprops=BPROPS)
    assert experiment.rules.in_use("plain") == OWN
    experiment.rules.use("plain", "self")
    assert experiment.rules.ids("plain") == [ENGINE, OWN, "hundred", "self"]
    assert experiment.rules.use("plain", OWN) == "net.plain.bprop = hundred" and net.plain.bprop is hundred
    experiment.rules.use("plain", ENGINE)
    experiment.close()
    assert net.plain.bprop is hundred


def test_a_learner_who_changes_the_rule_later_is_followed(net: Net, experiment: Experiment) -> None:
    def mine(x, out, dout):
        return (dout * 7,)

    experiment.rules.use("plain", "hundred")
    net.plain.bprop = mine
    assert experiment.rules.in_use("plain") == OWN and experiment.rules.function("plain", OWN) is mine
    experiment.close()
    assert net.plain.bprop is mine  # not ours to undo
    experiment.rules.use("plain", ENGINE)
    experiment.close()
    assert net.plain.bprop is mine


def test_modes_and_their_code(net: Net, experiment: Experiment) -> None:
    assert experiment.mode("") == "predict" and experiment.set_train() == "net.set_train()"
    assert experiment.mode("plain") == "train" and experiment.set_train(False, "own") == "net.own.set_train(False)"
    assert experiment.mode("") == "mixed" and not net.own.training and net.plain.training
    assert Experiment(lambda x: x, [X]).mode("") is None
    with pytest.raises(KeyError, match="'static'"):
        experiment.set_train(True, "nowhere")


@pytest.mark.parametrize("name", ["straight_through", "straight-through", "straight-through (identity)", "identity"])
def test_ready_rules_are_found_by_the_names_that_are_shown(net: Net, experiment: Experiment, name: str) -> None:
    experiment.rules.use("plain", name)
    assert experiment.rules.in_use("plain") == "straight_through" and slope(net) == 200
    experiment.rules.use("plain", "engine rule")
    experiment.close()


def test_a_rule_that_there_is_not_is_told_with_all_that_there_are(experiment: Experiment) -> None:
    with pytest.raises(KeyError) as caught:
        experiment.rules.use("plain", "straight")
    assert str(caught.value) == (
        "'plain' has no rule 'straight'; known: engine, hundred, self, "
        "straight_through, zero, reversal, sigmoid, triangle, arctan"
    )
