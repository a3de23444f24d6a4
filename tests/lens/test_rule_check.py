"""Check rule: right for every layer, and planted faults are named."""

from __future__ import annotations

import numpy as np
import pytest
from lens.checking import RNG, Then, check, normal

import teachcell as tc
from teachcell import Tensor, nn, ops
from teachcell.lens import Experiment
from teachcell.lens.check.rule_check import check_rule
from teachcell.lens.check.window import size_for

LAYERS = {
    "dense": (nn.Dense(4, 3), normal(5, 4)),
    "dense on a vector": (nn.Dense(4, 3), normal(4)),
    "convolution": (nn.Conv2d(2, 3, 3, has_bias=True), normal(2, 2, 5, 5)),
    "strided": (nn.Conv2d(2, 4, 3, stride=2, pad_mode="pad", padding=1, group=2), normal(1, 2, 6, 6)),
    "batch norm, train": (nn.BatchNorm2d(3).set_train(), normal(2, 3, 4, 4)),
    "batch norm, predict": (nn.BatchNorm2d(3), normal(2, 3, 4, 4)),
    "dropout, train": (nn.Dropout(p=0.4).set_train(), normal(6, 7)),
    "dropout, predict": (nn.Dropout(p=0.4), normal(6, 7)),
    "relu": (nn.ReLU(), normal(4, 5)),
    "relu6": (nn.ReLU6(), Tensor([[-1.0, 3.0, 7.0]])),
    "sigmoid": (nn.Sigmoid(), normal(4, 5)),
    "tanh": (nn.Tanh(), normal(3)),
    "softmax": (nn.Softmax(), normal(3, 4)),
    "flatten": (nn.Flatten(), normal(2, 3, 4)),
    "sequence": (nn.SequentialCell(nn.Dense(3, 3), nn.Tanh(), nn.Dense(3, 2)), normal(2, 3)),
    "scalar": (nn.Tanh(), Tensor(0.3)),
    "half": (nn.Sigmoid(), normal(3, 3, dtype=np.float16)),
    "double": (nn.Sigmoid(), normal(3, 3, dtype=np.float64)),
}


@pytest.mark.parametrize("name", LAYERS)
def test_every_layer_matches(name: str) -> None:
    cell, x = LAYERS[name]
    found = check(Then(cell), x, path="cell")
    assert found["ok"] and found["head"] == "Matches." and found["marks"] == ["✓", "✓", ""], found["text"]
    assert found["inputs"][0]["maps"][1] is None and found["inputs"][0]["errors"][1] is None
    assert found["note"].startswith("Numeric: central difference, float64, h = 1e−5;")


def test_the_loss_cell() -> None:
    found = check(
        nn.Dense(4, 3), normal(5, 4), loss=nn.CrossEntropyLoss(), targets=Tensor([0, 1, 2, 1, 0]), path="loss"
    )
    assert found["ok"] and [row["name"] for row in found["inputs"]] == ["∂logits"]  # labels are no float Tensor


def test_maps_numbers_and_the_worst_element() -> None:
    def off_at_one(x, out, dout):
        g = 2 * x * dout
        return (g + dout * Tensor(np.array([[0, 0, 0], [0, 0.5, 0]], np.float32)),)

    class Square(nn.Cell):
        def construct(self, x):
            return x * x

    x = Tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    found = check(Square(), x, rule="off", bprops={"": {"off": off_at_one}})
    assert not found["ok"] and found["text"] == "∂x: differs at (1, 1): 1 of 6."
    (row,) = found["inputs"]
    assert (row["name"], row["window"], row["worst"], row["at"]) == ("∂x", "(2, 3)", [1, 1], "[1, 1]")
    assert [m["data"] for m in row["maps"]] == [[2, 4, 6, 8, 10, 12], [2, 4, 6, 8, 10.5, 12], [2, 4, 6, 8, 10, 12]]
    assert row["values"] == ["10", "10.5", "10"] and row["max_abs"][1] == "0.5" and row["max_rel"][1] == "0.0417"
    assert row["errors"][0]["data"] == [0] * 6 and row["errors"][1]["data"] == [0, 0, 0, 0, 0.5, 0]
    assert found["marks"] == ["✓", "≠", ""] and found["columns"] == ["engine rule", "off", "numeric"]
    assert "def off_at_one" in found["code"] and found["title"] == "Square"
    assert [r["id"] for r in found["rules"]][:3] == ["engine", "off", "straight_through"] and found["rule"] == "off"


# Planted faults -------------------------------------------------------------------------------------------


def faulty(answer):
    def rule(x, out, dout):
        return answer(x, out, dout)

    return rule


SIGMOID_FAULTS = {
    "right": (lambda x, out, dout: (dout * out * (1 - out),), "The rule agrees with the numeric gradient."),
    "bare Tensor": (lambda x, out, dout: dout * out * (1 - out), "The rule agrees"),
    "factor": (lambda x, out, dout: (dout * out * (1 - out) * 0.8,), "∂x: off by the constant factor 0.8."),
    "sign": (lambda x, out, dout: (-dout * out * (1 - out),), "∂x: sign reversed."),
    "dout": (lambda x, out, dout: (out * (1 - out),), "∂x: the rule ignores dout"),
    "zero": (lambda x, out, dout: (dout * 0,), "∂x: zero gradient"),
    "none": (lambda x, out, dout: (None,), "∂x: zero gradient"),
    "nan": (lambda x, out, dout: (dout / 0 * 0,), "∂x: NaN or Inf at (0, 0), (0, 1)"),
    "wrong": (lambda x, out, dout: (dout * out,), "∂x: differs at every element"),
    "shape": (lambda x, out, dout: (dout.sum(),), "()"),
    "raises": (lambda x, out, dout: dout.no_such_method(), "rule: return answer(x, out, dout)"),
    "count": (lambda x, out, dout: (dout, dout), "2"),
    "kind": (lambda x, out, dout: ("x",), "str"),
    "nothing": (lambda x, out, dout: None, "None"),
}


@pytest.mark.parametrize("name", SIGMOID_FAULTS)
def test_faults_are_named(name: str) -> None:
    answer, words = SIGMOID_FAULTS[name]
    found = check(Then(nn.Sigmoid()), normal(3, 5), path="cell", rule="r", bprops={"cell": {"r": faulty(answer)}})
    assert words in found["text"] and found["ok"] == (name in ("right", "bare Tensor"))
    broken = name in ("shape", "raises", "count", "kind", "nothing")
    assert found["head"] == ("Cannot be checked." if broken else found["head"])
    assert (found["inputs"] == []) == broken


def test_a_right_rule_shows_three_maps_and_blank_errors() -> None:
    rule = {"r": lambda x, out, dout: (dout * out * (1 - out),)}
    (row,) = check(nn.Sigmoid(), normal(2, 3), rule="r", bprops={"": rule})["inputs"]
    assert all(row["maps"]) and all(row["errors"])
    assert row["errors"][0]["data"] == row["errors"][1]["data"] == [0] * 6


def test_a_fault_that_ones_hide() -> None:
    """Alone in a test, with an incoming gradient of 1, a rule that ignores it looks right."""
    found = check(
        nn.Sigmoid(), normal(3), rule="r", bprops={"": {"r": lambda x, out, dout: (out * (1 - out),)}}
    )  # fmt: skip
    assert (
        not found["ok"]
        and "ignores dout" in found["text"]
        and found["inputs"][0]["max_abs"][1] in ("0", found["inputs"][0]["max_abs"][0])
    )


def test_only_some_elements_wrong_in_a_large_array() -> None:
    def rule(x, out, dout):
        g = dout.asnumpy() * (x.asnumpy() > 0)
        g[25, 99] *= 3
        return (Tensor(g),)

    x = Tensor(np.abs(RNG.normal(size=(64, 128))).astype(np.float32))
    found = check(Then(nn.ReLU()), x, path="cell", rule="r", bprops={"cell": {"r": rule}})
    (row,) = found["inputs"]
    assert row["at"] == "[25, 99]" and row["window"] == "rows 20–29, cols 92–105" and row["worst"] == [5, 7]
    assert "∂x: differs at (25, 99): 1 of 140" in found["text"]
    assert [(m["rows"], m["cols"]) for m in row["maps"]] == [(10, 14)] * 3


@pytest.mark.parametrize("forward", ["engine", "numpy"])
def test_a_surrogate_over_a_step(forward: str) -> None:
    class Spike(nn.Cell):
        def construct(self, x):
            return (x > 0).astype(tc.float32) if forward == "engine" else Tensor((x.asnumpy() > 0).astype(np.float32))

        def bprop(self, x, out, dout):
            s = ops.sigmoid(x * 5.0)
            return (dout * 5.0 * s * (1 - s),)

    x = Tensor([-1.0, -0.3, 0.4, 2.0])
    found = check(Then(Spike()), x, path="cell")
    assert not found["ok"] and "the forward is a step, and the rule is a surrogate" in found["text"]
    assert found["note"].startswith("Numeric: central difference, float32, h = 5e−3")
    assert found["marks"] == ["✓", "≠", ""]
    assert check(Then(Spike()), x, path="cell", rule="engine")["ok"]  # the step's true derivative


@pytest.mark.parametrize(
    ("cell", "x"), [(nn.ReLU(), [0.0, 1.0, -1.0]), (nn.ReLU6(), [0.0, 6.0, 3.0])], ids=["relu", "relu6"]
)
@pytest.mark.parametrize("at_the_kink", [0.0, 0.5, 1.0])
def test_a_kink_is_a_convention(cell, x, at_the_kink: float) -> None:
    def rule(x, out, dout):
        inside = ((x > 0) & (x < 6)).astype(x.dtype)
        edge = ((x == 0) | (x == 6)).astype(x.dtype)
        return (dout * (inside + edge * at_the_kink),)

    found = check(Then(cell), Tensor(x), path="cell", rule="r", bprops={"cell": {"r": rule}})
    kinks = 1 if isinstance(cell, nn.ReLU) and not isinstance(cell, nn.ReLU6) else 2
    assert found["ok"] and f"Kinks: {kinks};" in found["text"] and found["marks"] == ["✓", "✓", ""]


def test_beyond_the_kink_is_wrong() -> None:
    found = check(
        Then(nn.ReLU()), Tensor([0.0, 1.0]), path="cell", rule="r",
        bprops={"cell": {"r": lambda x, out, dout: (dout * (1 + (x == 0).astype(x.dtype)),)}},
    )  # fmt: skip
    assert not found["ok"] and "differs at (0,): 1 of 2" in found["text"] and found["inputs"][0]["at"] == "[0]"


class By(nn.Cell):
    """A function as a Cell."""

    def __init__(self, function) -> None:
        super().__init__()
        self.function = function

    def construct(self, x):
        return self.function(x)


NEAR = {
    "log": (lambda x: -ops.log(x), [3e-6, 0.5], None),
    "pole": (lambda x: 1 / x, [5e-6, -2e-7, 1.0], None),
    "pole, large": (lambda x: 1 / (x - 1000), [1000.0625], None),
    "root": (lambda x: ops.sqrt(x), [1e-8, 4.0], None),
    "kink": (nn.ReLU(), [1e-6, -1e-6, 3e-9], None),
    "zeros": (lambda x: ops.tanh(x) + 1000, [0.0] * 3, None),
    "wrong at a pole": (lambda x: 1 / x, [5e-6], lambda x, out, dout: (dout * 5,)),
    "wrong by a kink": (nn.ReLU(), [1e-6], lambda x, out, dout: (dout * 0.5,)),
}


@pytest.mark.parametrize("case", NEAR)
def test_near_poles_and_kinks(case: str) -> None:
    function, x, rule = NEAR[case]
    options = {"rule": "r", "bprops": {"cell": {"r": rule}}} if rule else {}
    found = check(Then(By(function)), Tensor(x), path="cell", **options)
    assert found["ok"] == (rule is None) and "Kinks" not in found["text"], found["text"]


def test_a_construct_that_writes_into_its_inputs_array() -> None:
    def function(x):
        x.asnumpy()[:] += 1
        return x * x

    found = check(Then(By(function)), Tensor([1.0, 2.0]), path="cell")
    assert found["ok"] and "Kinks" not in found["text"]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("rule", [None, lambda x, out, dout: (dout,), lambda x, out, dout: (dout / (x - x),)])
def test_infinite_slopes_are_checked_without_warnings(capfd: pytest.CaptureFixture[str], rule) -> None:
    options = {"rule": "r", "bprops": {"cell": {"r": rule}}} if rule else {}
    for function in (ops.sqrt, ops.log, lambda x: 1 / x, lambda x: x**0.5 * x):
        for x in ([0.0], [0.0, 1.0], [-1.0]):
            with np.errstate(all="ignore"):
                experiment = Experiment(Then(By(function)), [Tensor(x)], bprops=options.get("bprops"))
                experiment.rules.use("cell", options.get("rule", "engine"))
                recorder = experiment.run().recorder
            check_rule(experiment, "cell", recorder)
    assert capfd.readouterr().err == ""


def test_small_gradients_are_checked_as_strictly() -> None:
    def rule(x, out, dout):
        return (dout * out,)

    sigmoid = nn.Sigmoid()
    found = check(lambda x: sigmoid(x) * 1e-12, normal(4), path="sigmoid", rule="r", bprops={"sigmoid": {"r": rule}})
    assert not found["ok"] and "differs at every element" in found["text"]
    assert all("e−1" in value for value in found["inputs"][0]["values"])  # shown as they were


def tripled(cell: nn.Cell) -> nn.Cell:
    """A net in which a gradient of 3 arrives at ``cell``."""

    class Tripled(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.cell = cell

        def construct(self, x):
            return self.cell(x) * 3

    return Tripled()


def test_the_numbers_shown_are_those_that_the_rule_returned() -> None:
    class Clip(nn.Cell):
        def construct(self, x):
            return tc.ops.clamp(x, 0.0, 6.0)

        def bprop(self, x, out, dout):
            return (tc.ops.logical_and(x > 0, x < 6).astype(tc.float32),)

    look = Experiment(tripled(Clip()), [Tensor([-1.0, 0.5, 7.0])])
    check = check_rule(look, "cell", look.run().recorder)
    assert not check["ok"] and check["inputs"][0]["values"] == ["3", "1", "3"]


def test_a_rule_that_is_right_only_for_a_gradient_of_one_is_wrong() -> None:
    class Exp(nn.Cell):
        def construct(self, x):
            return tc.ops.exp(x)

        def bprop(self, x, out, dout):
            return (dout * dout * out,)

    look = Experiment(tripled(Exp()), [Tensor([0.5, 1.0])])
    check = check_rule(look, "cell", look.run().recorder)
    assert not check["ok"] and "not linear in dout" in check["text"]


def test_an_incoming_nan_is_not_laid_to_the_function() -> None:
    class Nan(nn.Cell):
        def construct(self, x):
            return x * 2

        def bprop(self, x, out, dout):
            return (dout * float("nan"),)

    experiment = Experiment(nn.SequentialCell(nn.Tanh(), Nan()), (Tensor([1.0, 2.0]),))
    found = check_rule(experiment, "0", experiment.run().recorder)
    assert found["ok"] and "none, 0, NaN or ∞" in found["note"]


class HalfStopped(nn.Cell):
    """x² + 3x by the way that counts, and x² by one that does not."""

    def __init__(self, wrong: bool = False) -> None:
        super().__init__()
        self.wrong = wrong

    def construct(self, x):
        seen = Tensor(x.asnumpy()) if self.wrong else x
        return x * x + 3 * seen + ops.stop_gradient(x * x)


def test_a_stop_gradient_inside_a_cell_is_named() -> None:
    x = Tensor([1.0, 2.0])
    found = check(HalfStopped(), x)
    assert not found["ok"] and found["head"] == "Does not match, on purpose."
    assert found["text"].startswith("∂x: StopGradient inside cuts one way to it;")
    assert found["inputs"][0]["maps"][0]["data"] == [5, 7] and found["inputs"][0]["maps"][2]["data"] == [7, 11]
    assert check(HalfStopped(wrong=True), x)["head"] == "Does not match."  # it is not that alone


def test_a_constant_gradient_is_told_in_the_numbers_of_the_run() -> None:
    net = Then(nn.Tanh())
    net.cell.bprop = lambda x, out, dout: (ops.ones_like(x) * dout.max() / 4,)
    found = check(net, normal(3), path="cell")
    assert found["text"] == "∂x: constant gradient 0.25, where the numeric one varies."


def test_the_more_there_is_to_run_the_smaller_the_window() -> None:
    assert [size_for(count) for count in (1, 4, 7)] == [(10, 14), (6, 8), (4, 6)]
    assert [size_for(2, length) for length in (100, 1000, 2000, 50_000)] == [(10, 14), (6, 8), (4, 6), (2, 3)]

    class Long(nn.Cell):
        def construct(self, x):
            for _ in range(1000):
                x = x * 0.999
            return x

    found = check(Long(), normal(20, 20))
    assert found["ok"] and found["inputs"][0]["maps"][0]["rows"] == 6


class Half(nn.Cell):
    def construct(self, x):
        return x * x

    def bprop(self, x, out, dout):
        return (x * dout,)


class Right(nn.Cell):
    def construct(self, x):
        return x * x

    def bprop(self, x, out, dout):
        return (2 * x * dout,)


def test_a_wrong_rule_of_a_cell_inside_is_named_and_the_engine_is_not_blamed() -> None:
    net = nn.SequentialCell(nn.Dense(3, 3), Half(), Right(), nn.Tanh())
    found = check(net, normal(2, 3))
    assert found["columns"] == ["engine rule", "own bprop of 1, own bprop of 2", "numeric"]
    assert found["marks"] == ["✓", "≠", ""] and found["inside"] == ["1", "2"]
    assert "off by the constant factor 0.5 (= 1 / 2)" in found["text"]
    assert found["text"].endswith("By the engine's rules alone it matches: the rule at fault is that of 1 inside.")
    assert "bprop" not in net[1].__dict__


def test_right_rules_inside_are_told_as_what_was_checked() -> None:
    found = check(nn.SequentialCell(Right(), nn.Tanh()), normal(2, 3))
    assert found["ok"] and found["columns"][1] == "own bprop of 0" and found["marks"] == ["✓", "✓", ""]
