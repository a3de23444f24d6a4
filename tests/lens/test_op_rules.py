"""Rules of ops: put in at one op or at all of a kind, for the runs of one experiment, values worked by hand."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from teachcell import Tensor, grad, nn, ops
from teachcell.core.arity import misfit
from teachcell.core.op import OPS
from teachcell.lens import Experiment
from teachcell.lens.check.rule_check import check_op, check_rule
from teachcell.lens.lab.op_rules import Choice
from teachcell.lens.lab.ready import READY, ready_for
from teachcell.lens.lab.spots import Spot, spots_of
from teachcell.lens.lab.targets import OfCell, argument_names, find, spelled
from teachcell.lens.write.steps import write_steps
from teachcell.texts.numbers import number


def put(experiment: Experiment, where: str, rule: str | Callable[..., Any], every: bool = False, call: int = 1) -> Spot:
    """Give an op a rule, as the rule lab does."""
    spot = find(experiment, experiment.run().recorder, where, call)
    assert isinstance(spot, Spot)
    if isinstance(rule, str):
        experiment.op_rules.use(spot, experiment.op_rules.find(spot.op, rule), every)
    else:
        experiment.op_rules.use(spot, Choice("mine", rule), every)
    return spot


def gradients(experiment: Experiment) -> list[list[float]]:
    outcome = experiment.run()
    assert outcome.error is None
    values = [v for v in outcome.recorder.values if v.kind == "input"]
    return [[] if v.gradient is None else v.gradient.array.reshape(-1).tolist() for v in values]


def cube(x, y):
    return x * x * y


def at(*numbers: float) -> Experiment:
    return Experiment(cube, [Tensor(n) for n in numbers])


@pytest.mark.parametrize(
    ("where", "rule", "every", "wanted"),
    [
        ("/multiply", "engine", False, [30, 9]),
        ("/multiply", "zero", False, [0, 9]),  # x·x passes nothing on
        ("/multiply", "identity", False, [10, 9]),  # y arrives, twice
        ("/multiply[2]", "straight_through", False, [6, 1]),  # 1 arrives at x·x
        ("/multiply[2]", "reversal", False, [-6, -1]),
        ("/multiply", "straight_through", True, [2, 1]),
        ("/multiply", lambda x, y, out, dout: (dout * out, None), False, [45, 9]),  # 5 arrives, times 9
    ],
)
def test_the_gradient_of_a_cube(where: str, rule: Any, every: bool, wanted: list[float]) -> None:
    experiment = at(3.0, 5.0)
    put(experiment, where, rule, every)
    assert gradients(experiment) == [[wanted[0]], [wanted[1]]]
    assert [float(g) for g in grad(cube, (0, 1))(Tensor(3.0), Tensor(5.0))] == [30, 9]  # nobody else sees it
    assert gradients(at(3.0, 5.0)) == [[30], [9]]
    experiment.close()
    assert gradients(experiment) == [[30], [9]]


def test_one_of_a_kind_keeps_the_engines() -> None:
    experiment = at(3.0, 5.0)
    put(experiment, "/multiply", "zero", every=True)
    spot = put(experiment, "/multiply[2]", "engine")
    assert gradients(experiment) == [[0], [9]] and not experiment.op_rules.is_of_kind(spot)
    with experiment.op_rules.without(Spot("", 1, "multiply", 1)):
        assert gradients(experiment) == [[30], [9]]
    assert gradients(experiment) == [[0], [9]]


@pytest.mark.parametrize("step", [ops.sign, ops.floor, ops.round])
def test_a_step_that_the_engine_has_no_rule_for(step: Callable[..., Any]) -> None:
    def program(x):
        return step(x) * 3

    experiment = Experiment(program, [Tensor([-0.5, 0.0, 0.5, 1.0])])
    name = step.op.name
    assert gradients(experiment) == [[]]
    put(experiment, name, "straight_through")
    assert gradients(experiment) == [[3, 3, 3, 3]] and OPS[name].rules is None
    for surrogate, wanted in (
        ("sigmoid", [0.35052, 1.25, 0.35052, 0.03324]),
        ("triangle", [0.5, 1, 0.5, 0]),
        ("arctan", [0.28840, 1, 0.28840, 0.09199]),  # 1 / (1 + (π/2)²), 1 / (1 + π²)
    ):
        put(experiment, name, surrogate)
        np.testing.assert_allclose(gradients(experiment)[0], np.multiply(3, wanted), atol=3e-5)
    put(experiment, name, "engine")
    assert gradients(experiment) == [[]]


def test_surrogates_far_away_and_in_half_precision() -> None:
    for name in ("sigmoid", "triangle", "arctan"):
        for dtype in (np.float16, np.float32, np.float64):
            x = Tensor(np.array([-200, 200], dtype))
            with np.errstate(over="ignore"):  # as in every backward pass
                (slope,) = READY[name].function(x, None, ops.ones_like(x))
            assert slope.dtype == x.dtype and np.isfinite(slope.asnumpy()).all() and (slope.asnumpy() < 1e-4).all()


def test_ready_rules_are_offered_where_they_fit() -> None:
    all_of_them = list(READY)
    assert ready_for([(2, 3)], (2, 3)) == all_of_them
    assert ready_for([(2, 3), (3,)], (2, 3)) == ["straight_through", "zero", "reversal"]  # a broadcast is undone
    assert ready_for([(2, 3), (3, 4)], (2, 4)) == ready_for([(2, 3)], None) == ["zero"]
    assert ready_for([], (2,)) == []


def test_the_code_of_a_ready_rule_is_what_it_does() -> None:
    x, dout = Tensor([-0.3, 0.2]), Tensor([2.0, 3.0])
    for ready in READY.values():
        scope: dict[str, Any] = {"ops": ops, "math": __import__("math")}
        exec(ready.code(["x"]), scope)
        (mine,), (theirs,) = scope[ready.function.__name__](x, x, dout), ready.function(x, x, dout)
        np.testing.assert_allclose(mine.asnumpy(), theirs.asnumpy(), rtol=1e-6)


def test_an_axis_reaches_a_rule_that_has_a_name_for_it() -> None:
    seen = []

    def rule(x, out, dout, *, axis):
        seen.append(axis)
        return (dout * 0 + 7,)

    experiment = Experiment(lambda x: ops.softmax(x, axis=0), [Tensor([[1.0, 2.0]])])
    put(experiment, "softmax", rule)
    assert gradients(experiment) == [[7, 7]] and seen == [0]


def test_an_op_of_several_results_gets_a_gradient_for_each() -> None:
    def program(x):
        first, second = ops.split(x, 1)
        return first * 2

    def rule(x, out, dout):
        assert len(out) == len(dout) == 2
        return (ops.concat([dout[0], dout[1] + 5]),)

    experiment = Experiment(program, [Tensor([1.0, 2.0])])
    name = next(op.op.name for op in experiment.run().recorder.ops if len(op.outputs) == 2)
    put(experiment, name, rule)
    assert gradients(experiment) == [[2, 5]]


class Twice(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.relu = nn.ReLU()

    def construct(self, x):
        return self.relu(self.relu(x) * 3 - 2)


def test_the_op_of_one_call_alone() -> None:
    experiment = Experiment(Twice(), [Tensor([0.5, 2.0])])  # 1.5, 6 → −0.5, 4
    assert gradients(experiment) == [[0, 3]]
    put(experiment, "relu/relu", "straight_through", call=2)
    assert gradients(experiment) == [[3, 3]]
    put(experiment, "relu/relu", "zero", call=1)
    assert gradients(experiment) == [[0, 0]]


def test_an_op_that_is_gone_keeps_its_rule_for_later() -> None:
    net = nn.Dropout(p=0.5).set_train()
    experiment = Experiment(net, [Tensor(np.ones(6, np.float32))])
    spot = put(experiment, "dropout", "zero")
    net.set_train(False)
    outcome = experiment.run()
    assert outcome.error is None and check_op(experiment, spot, outcome.recorder)["text"].startswith("This op did not")
    net.set_train()
    assert gradients(experiment) == [[0] * 6]


def test_what_the_document_says() -> None:
    experiment = at(3.0, 5.0)
    put(experiment, "/multiply[2]", "zero")
    document = experiment.run().document
    first, second = document["ops"]
    assert (first["rule"], second["rule"]) == ("", "zero") and second["formula"]["grads"] == []
    assert "def zero" in second["source"] and second["formula"]["value"] == first["formula"]["value"]
    sentences = ["".join(text for _, text in step["sentence"]) for step in write_steps(document)]
    assert sentences[2].startswith("Mul backward by zero incoming () → ()")


# Conventions ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("op", "x", "rule", "wanted"),
    [
        ("relu", [-1.0, 0.0, 2.0], "engine", [0, 0, 1]),
        ("relu", [-1.0, 0.0, 2.0], "kink_middle", [0, 0.5, 1]),
        ("relu", [-1.0, 0.0, 2.0], "kink_right", [0, 1, 1]),
        ("relu6", [0.0, 6.0, 3.0], "engine", [0, 1, 1]),
        ("relu6", [0.0, 6.0, 3.0], "kink_right", [1, 0, 1]),
        ("absolute", [-2.0, 0.0, 3.0], "kink_left", [-1, -1, 1]),
        ("hardtanh", [-1.0, 0.5, 1.0], "kink_middle", [0.5, 1, 0.5]),
    ],
)
def test_another_convention_at_a_kink(op: str, x: list[float], rule: str, wanted: list[float]) -> None:
    function = getattr(ops, op, None) or ops.abs
    experiment = Experiment(lambda x: function(x) * 3, [Tensor(x)])
    spot = put(experiment, op, rule)
    assert gradients(experiment) == [[3 * slope for slope in wanted]]
    found = check_op(experiment, spot, experiment.run().recorder)
    assert found["ok"] and "is a convention, not an error" in found["text"] and found["conventions"]


def test_conventions_are_offered_where_the_sides_are_known() -> None:
    def offered(function: Callable[..., Any], *inputs: Tensor) -> list[str]:
        experiment = Experiment(function, inputs)
        recorder = experiment.run().recorder
        spot = next(spot for _, spot in spots_of(recorder, experiment.program))
        return [r["id"] for r in check_op(experiment, spot, recorder)["rules"] if r["id"].startswith("kink")]

    x = Tensor([0.0, 1.0])
    assert offered(ops.relu, x) == ["kink_middle", "kink_right"] and offered(ops.tanh, x) == []
    assert offered(ops.sqrt, x) == offered(lambda x: ops.maximum(x, x), x) == []  # infinite; a tie of two inputs
    assert offered(lambda x: ops.leaky_relu(x, 0.3), x) == []  # whose slopes depend on its argument
    labels = [c.label for c in Experiment(ops.relu, [x]).op_rules.offered(OPS["relu"], None, ())]
    assert labels == ["engine rule", "at x = 0: slope 0.5", "at x = 0: slope 1"]
    code = Experiment(ops.relu6, [x]).op_rules.find("relu6", "kink_right").function.shown
    assert "g = ops.where(x == 0, 1 * dout, g)" in code and "g = ops.where(x == 6, 0 * dout, g)" in code


# Bad rules ------------------------------------------------------------------------------------------------

BAD = {
    "raises": (lambda x, out, dout: 1 / 0, "ZeroDivisionError"),
    "count": (lambda x, out, dout: (dout, dout), "returned 2 gradient(s) for 1 input(s)"),
    "shape": (lambda x, out, dout: (ops.concat([dout, dout]),), "has shape (4,), the input (2,)"),
    "kind": (lambda x, out, dout: ("x",), "must be a Tensor or None, got str"),
    "nothing": (lambda x, out, dout: None, "must return a tuple of 1 gradient(s)"),
    "arguments": (lambda x, dout: (dout,), "takes 2 positional arguments but 3 were given"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_rule_is_the_ops_failure(name: str) -> None:
    rule, words = BAD[name]
    experiment = Experiment(lambda x: ops.tanh(x), [Tensor([1.0, 2.0])])
    spot = put(experiment, "tanh", rule)
    outcome = experiment.run()
    assert outcome.error is not None and outcome.document["error"]["op"] == 0
    assert words in outcome.document["error"]["message"]
    told: list[Exception] = []
    found = check_op(experiment, spot, outcome.recorder, told.append)
    assert not found["ok"] and words in found["failed"] and [type(e) for e in told] == [type(outcome.error)]
    experiment.close()
    assert experiment.run().error is None


def test_a_rule_that_gives_nan_is_told() -> None:
    experiment = Experiment(lambda x: ops.tanh(x), [Tensor([1.0, 2.0])])
    spot = put(experiment, "tanh", lambda x, out, dout: (dout / 0 * 0,))
    found = check_op(experiment, spot, experiment.run().recorder)
    assert found["head"] == "NaN or Inf." and found["text"] == "∂x: NaN or Inf at (0,), (1,)."


# Checks ---------------------------------------------------------------------------------------------------


def checked(program: Any, where: str, rule: Any, *inputs: Tensor) -> dict[str, Any]:
    experiment = Experiment(program, inputs)
    spot = put(experiment, where, rule)
    found = check_op(experiment, spot, experiment.run().recorder)
    json.dumps(found, allow_nan=False)
    return found


def weighed(y: Tensor) -> Tensor:
    return y * Tensor(np.cos(np.arange(y.size)).reshape(y.shape).astype(np.float32))


X = Tensor(np.linspace(-2, 7, 6).reshape(2, 3).astype(np.float32))
W = Tensor(np.linspace(1, -1, 6).reshape(3, 2).astype(np.float32))


def test_the_wrong_rules_of_the_old_text() -> None:
    """A MatMul that returns x + 1 and y + 1, a ReLU6 that ignores dout."""
    found = checked(lambda x, w: weighed(ops.matmul(x, w)), "matmul", lambda x, w, out, dout: (x + 1, w + 1), X, W)
    assert found["text"] == "∂x: the rule ignores dout: another incoming gradient gives the same result."
    assert [row["name"] for row in found["inputs"]] == ["∂x", "∂y (w)"] and found["marks"] == ["✓", "≠", ""]

    def relu6(x, out, dout):
        return (ops.logical_and(x > 0, x < 6).astype(x.dtype),)

    found = checked(lambda x: weighed(ops.relu6(x)), "relu6", relu6, X)
    assert found["text"].startswith("∂x: the rule ignores dout") and "def relu6" in found["code"]


def test_every_op_of_a_net_matches() -> None:
    net = nn.SequentialCell(nn.Conv2d(2, 3, 3), nn.BatchNorm2d(3), nn.ReLU(), nn.Dropout(p=0.5), nn.Flatten())
    net.set_train()
    x = Tensor(np.random.default_rng(0).normal(size=(2, 2, 4, 4)).astype(np.float32))
    experiment = Experiment(net, [x], loss=lambda y: ops.softmax(y, axis=-1)[0, 3])
    recorder = experiment.run().recorder
    for _, spot in spots_of(recorder, experiment.program):
        found = check_op(experiment, spot, recorder)
        assert found["ok"], (spot, found["text"])
        assert found["columns"] == ["engine rule", "engine rule", "numeric"] and found["code"]


def test_an_op_of_integers_has_no_rule_to_check() -> None:
    experiment = Experiment(lambda x: (x > 0).astype(x.dtype) * x, [X])
    spot = find(experiment, recorder := experiment.run().recorder, "greater")
    found = check_op(experiment, spot, recorder)
    assert not found["ok"] and found["head"] == "Takes no rule." and found["inputs"] == []
    assert found["text"].startswith("Greater returns bool: such values have no slope, so no gradient comes back to it")
    assert [rule["id"] for rule in found["rules"]] == ["engine"]


def test_zero_on_purpose_is_told_as_that() -> None:
    experiment = Experiment(lambda x: (ops.stop_gradient(x) * ops.exp(x)).sum(), [X])
    recorder = experiment.run().recorder
    found = check_op(experiment, find(experiment, recorder, "stop_gradient"), recorder)
    assert not found["ok"] and found["head"] == "Does not match, on purpose."
    told = "∂x: StopGradient passes nothing on, whatever arrives; the numeric slope is not zero: up to 1."
    assert found["text"] == told and "1 is taken for it" in found["note"]  # nothing arrives where nothing is recorded
    spot = find(experiment, recorder, "exp")
    experiment.op_rules.use(spot, experiment.op_rules.find("exp", "zero"))
    found = check_op(experiment, spot, experiment.run().recorder)
    slope = number(float(np.abs(np.exp(X.asnumpy()) * X.asnumpy()).max()))
    assert found["text"] == f"∂x: the chosen rule is constant zero; the numeric slope is not: up to {slope}."


def test_the_gradients_of_a_cells_parameters() -> None:
    dense = nn.Dense(3, 2)
    experiment = Experiment(nn.SequentialCell(dense), [X])
    found = check_rule(experiment, "0", experiment.run().recorder)
    assert found["ok"] and [row["name"] for row in found["inputs"]] == ["∂x", "∂weight", "∂bias"]
    assert found["inputs"][1]["window"] == "(2, 3)"
    experiment.rules.add("0", "mine", lambda x, out, dout: (dout @ dense.weight,))
    experiment.rules.use("0", "mine")
    found = check_rule(experiment, "0", experiment.run().recorder)
    assert not found["ok"] and found["text"].startswith("∂weight: the rule gives it no gradient, so it does not train")
    experiment.close()
    assert "bprop" not in dense.__dict__


def test_of_many_parameters_smaller_windows_are_checked() -> None:
    net = nn.SequentialCell(*(nn.Dense(3, 3) for _ in range(8)))
    experiment = Experiment(net, [X])
    found = check_rule(experiment, "", experiment.run().recorder)
    assert found["ok"] and len(found["inputs"]) == 13 and "Parameters not looked at: 4." in found["note"]


def test_a_bprop_replaces_the_derivative_entirely() -> None:
    class Product(nn.Cell):
        def construct(self, x, y):
            return x * y * y

        def bprop(self, x, y, out, dout):
            return x + y, x * y

    experiment = Experiment(Product(), [Tensor(1.0), Tensor(2.0)])
    assert gradients(experiment) == [[3], [2]]
    found = check_rule(experiment, "", experiment.run().recorder)
    assert not found["ok"] and [row["values"] for row in found["inputs"]] == [["4", "3", "4"], ["4", "2", "4"]]
    experiment.rules.use("", "engine")
    assert gradients(experiment) == [[4], [4]]
    experiment.close()
    assert gradients(experiment) == [[3], [2]]


# Targets --------------------------------------------------------------------------------------------------


def test_how_a_target_is_written() -> None:
    experiment = Experiment(Twice(), [Tensor([1.0])])
    recorder = experiment.run().recorder
    for target in (OfCell("relu", 2), Spot("relu", 2, "relu", 1), Spot("", 1, "subtract", 1)):
        assert find(experiment, recorder, spelled(target), target.call) == target
    assert find(experiment, recorder, "subtract") == Spot("", 1, "subtract", 1)
    for unknown in ("tanh", "/multiply[9]", "<b>", "relu/tanh", ""):
        if unknown:
            with pytest.raises(KeyError, match="there are '', 'relu', 'relu/relu', '/multiply', '/subtract'"):
                find(experiment, recorder, unknown)
    assert find(experiment, recorder, "") == OfCell("", 1)
    alone = Experiment(cube, [Tensor(1.0), Tensor(2.0)])
    with pytest.raises(KeyError, match=r"'multiply' is no Cell.*'/multiply', '/multiply\[2\]'"):
        find(alone, alone.run().recorder, "multiply")


def test_what_a_rule_is_called_with() -> None:
    class Several(nn.Cell):
        def construct(self, x, *more, flag=True):
            return x * more[0] + more[1]

    experiment = Experiment(Several(), [Tensor(1.0), Tensor(2.0), Tensor(3.0)])
    recorder = experiment.run().recorder
    names = argument_names(experiment, recorder, OfCell("", 1))
    assert names == ["x", "more0", "more1", "flag", "out", "dout"]
    assert argument_names(experiment, recorder, Spot("", 1, "multiply", 1)) == ["x", "y", "out", "dout"]
    assert argument_names(experiment, recorder, Spot("", 1, "tanh", 1)) is None
    fits = ["x", "out", "dout"]
    assert misfit(lambda x, out, dout: x, fits, bound=False) == misfit(lambda *all: all, fits, bound=True) == ""
    assert misfit(lambda self, x, out, dout: x, fits, bound=True) == ""

    def short(x, dout):
        return x

    wanted = "short(x, dout) is called as short(x, out, dout): too many positional arguments"
    assert misfit(short, fits, bound=False) == wanted and misfit(short, None, bound=False) == ""
