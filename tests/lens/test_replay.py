"""The story of a run: hand-worked examples in formulas and numbers, running sums, and what is told in words."""

from __future__ import annotations

import numpy as np
import pytest
from lens.looking import Look
from ops.samples import SAMPLES, WRITES

from teachcell import Parameter, Tensor, nn, ops
from teachcell.core.op import OPS
from teachcell.lens.replay import elements
from teachcell.lens.replay.notation import Formula, Quantity, Unreadable
from teachcell.lens.replay.story import Story


class Told(Look):
    """A run, and its story."""

    def run(self) -> Told:
        super().run()
        self.story = Story(self.document, self.outcome.recorder, lambda path: None)
        self.steps = [self.story.tell(i) for i in range(len(self.events))]
        return self

    def row(self, step: int, name: str) -> dict:
        """The row of this name among what a step makes."""
        return next(row for row in self.steps[step]["outputs"] if row["name"] == name)

    def written(self, step: int) -> list[str]:
        return [row["written"] for row in self.steps[step]["outputs"]]

    def sums(self, step: int) -> list[tuple[str, str] | None]:
        return [row["sum"] and (row["sum"]["nth"], row["sum"]["text"]) for row in self.steps[step]["outputs"]]

    def array(self, step: int, name: str) -> list[float]:
        return self.story.arrays.pictures[self.row(step, name)["array"]]["map"]["data"]


def words(row: dict) -> str:
    return " ".join(text for _, text in row["words"])


# Hand-worked examples -------------------------------------------------------------------------------------------


def test_a_doubled_twice_adds_up_four() -> None:
    def f(a):
        b = a + a
        return b + b

    told = Told(f, Tensor(3.0)).passed()
    assert told.order() == ["add", "add", "∂add", "∂add"]
    assert told.written(0) == ["z = 3 + 3 = 6"] and told.written(1) == ["z = 6 + 6 = 12"]
    assert told.written(2) == ["∂x = g = 1", "∂y = g = 1"] and told.written(3) == ["∂x = g = 2", "∂y = g = 2"]
    assert told.sums(2) == [("1 of 2", "1"), ("2 of 2", "1 + 1 = 2")]
    assert told.sums(3) == [("1 of 2", "2"), ("2 of 2", "2 + 2 = 4")]
    assert told.row(2, "∂x")["sum"]["to_come"] == ["Add"] and told.row(2, "∂y")["sum"]["to_come"] == []
    assert "2 gradients will come back" in words(told.steps[0]["outputs"][0])
    assert words(told.steps[3]["incoming"][0]) == "The sum of 2 gradients that came to it."


def test_x_squared_y_z() -> None:
    told = Told(lambda x, y, z: x * x * y * z, Tensor(3.0), Tensor(5.0), Tensor(1.0)).passed()
    assert [told.gradient(name) for name in "xyz"] == [[30], [9], [45]]
    assert told.written(3) == ["∂x = 1 · 1 = 1", "∂y = 1 · 45 = 45"]
    assert told.written(4) == ["∂x = 1 · 5 = 5", "∂y = 1 · 9 = 9"]
    assert told.written(5) == ["∂x = 5 · 3 = 15", "∂y = 5 · 3 = 15"]
    assert told.sums(5) == [("1 of 2", "15"), ("2 of 2", "15 + 15 = 30")]
    assert told.row(5, "∂x")["formula"] == "∂x = g · y" and told.row(5, "∂x")["of"] == "x"


def test_one_of_two_copies_stopped_halves_the_gradient() -> None:
    def both(x, y):
        return x * y + x * y

    def one(x, y):
        return x * y + ops.stop_gradient(x * y)

    assert Told(both, Tensor(2.0), Tensor(5.0)).passed().gradient("x") == [10]
    told = Told(one, Tensor(2.0), Tensor(5.0)).passed()
    assert told.gradient("x") == [5]
    assert words(told.steps[2]["outputs"][0]) == (
        "The value passes, the gradient will not: nothing goes back from here."
    )
    assert words(told.row(4, "∂y")) == "Not wanted: StopGradient lies before it and passes nothing on."
    assert told.row(4, "∂y")["array"] is None and told.steps[-1]["kind"] == "cut"
    assert "No gradient reaches result of Mul" in told.steps[-1]["words"][1][1]


@pytest.mark.parametrize(
    ("stopped", "gradients"), [(False, [1.326189, 1.015891, 1.042165]), (True, [0.326189, 0.015891, 0.042165])]
)
def test_all_outputs_are_summed_unless_one_is_stopped(stopped: bool, gradients: list[float]) -> None:
    ones, zeros = Tensor(np.ones(3, np.float32)), Tensor(np.zeros(3, np.float32))
    logits = np.array([3.8211915, -2.994512, -1.932323], np.float32)

    def f(b):
        z = b * 1
        loss = ops.binary_cross_entropy_with_logits(z, zeros, ones, ones)
        return loss, ops.stop_gradient(z) if stopped else z

    told = Told(f, Tensor(logits)).passed()
    assert told.value("b")["grad"]["strip"] == pytest.approx(gradients, abs=1e-3)
    last = told.steps[-2 if stopped else -1]
    if stopped:
        assert last["incoming"][0]["words"] == []
        return
    assert words(last["incoming"][0]).startswith("One of 2 outputs. They are summed, so each starts with 1.")
    sums = [row["sum"] for step in told.steps for row in step["outputs"] if row["sum"]]
    assert sums[0]["from"] == ["the output itself"] and sums[0]["nth"] == "2 of 3"
    assert sums[-1]["nth"] == "3 of 3" and last["outputs"][0]["written"] == "∂x[0] = 1.33 · 1 = 1.33"


def test_e1_a_hook_on_the_way_changes_what_arrives() -> None:
    tap = ops.HookBackward(lambda grad: (grad[0] * 2,))
    told = Told(lambda x, y: tap(x * y) * y, Tensor(1.0), Tensor(2.0)).passed()
    assert told.written(3) == ["∂x = 1 · 2 = 2", "∂y = 1 · 2 = 2"]
    assert told.written(4) == ["∂x = 4"]  # no formula of the card gives that: the hook did
    assert told.written(5) == ["∂x = 4 · 2 = 8", "∂y = 4 · 1 = 4"]
    assert told.sums(5)[1] == ("2 of 2", "2 + 4 = 6")


def test_a_tensor_hook_that_changes_a_sum_is_told() -> None:
    def f(x):
        y = x * 1
        y.register_hook(lambda g: g * 10)
        return y * y

    told = Told(f, Tensor(3.0)).passed()
    assert words(told.steps[-1]["incoming"][0]) == (
        "The sum of 2 gradients that came to it. A hook changed what arrived: 6 became 60."
    )


def test_a_broadcast_is_undone_in_words_and_numbers() -> None:
    x, w = Tensor(np.array([[1.0, 2.0], [3.0, 4.0]], np.float32)), Tensor(np.array([5.0, 6.0], np.float32))
    told = Told(lambda x, w: x * w, x, w).passed()
    assert told.row(1, "∂y")["written"] == "∂y[1] = 1 · 2 + 1 · 4 = 6"
    assert words(told.row(1, "∂y")) == "Summed over axis 0: (2,) was broadcast to (2, 2)."
    assert told.array(1, "∂y") == [4, 6] and told.array(1, "∂x") == [5, 6, 5, 6]


def test_a_dense_layer_with_its_loss() -> None:
    class Net(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.w = Parameter(np.array([[1.0, 0.0], [0.0, 2.0]], np.float32), requires_grad=True)
            self.frozen = Parameter(np.ones((1, 2), np.float32), requires_grad=False)

        def construct(self, x):
            return ops.relu(ops.matmul(x, self.w) + self.frozen)

    told = Told(Net(), Tensor(np.array([[3.0, -4.0]], np.float32))).passed()
    assert told.order() == ["matmul", "add", "relu", "∂relu", "∂add", "∂matmul"]
    assert told.written(0) == ["y[0, 1] = −4 · 2 = −8"]
    assert told.written(3) == ["∂x[0, 0] = 1 · [4 > 0] = 1"]
    assert words(told.row(4, "∂y")) == "Not wanted: frozen: requires_grad is False."
    assert told.row(5, "∂b")["written"] == "∂b[1, 0] = 1 · (−4) = −4" and told.row(5, "∂b")["of"] == "w"


def test_unused_and_integer_inputs_are_told() -> None:
    def f(x, i):
        ops.tanh(x)
        return ops.gather(x, i, 0)

    told = Told(f, Tensor(np.array([1.0, 2.0, 3.0], np.float32)), Tensor(np.array([2, 2], np.int32))).passed()
    assert words(told.steps[0]["outputs"][0]) == "No gradient will come back here: no op uses it."
    assert words(told.steps[2]["outputs"][1]) == "Not wanted: the op has no rule for this input."
    assert told.written(2)[0] == "∂x[2] = 1 + 1 = 2"


def test_of_several_results_some_get_nothing() -> None:
    def f(x):
        largest, _ = ops.max(x, axis=0)
        parts = ops.split(x, 1)
        return largest + parts[0].sum()

    told = Told(f, Tensor(np.array([1.0, 5.0, 3.0], np.float32))).passed()
    step = next(s for s in told.steps if s["kind"] == "backward" and len(s["incoming"]) == 2)
    assert "No gradient arrived here" in words(step["incoming"][1])


def test_an_own_rule_and_its_code() -> None:
    class Third(nn.Cell):
        def construct(self, x):
            return x * 1

        def bprop(self, x, out, dout):
            return (dout * 3,)

    cell = Third()
    look = Look(cell, Tensor(2.0)).passed()
    story = Story(look.document, look.outcome.recorder, lambda path: cell.bprop)
    step = story.tell(len(look.events) - 1)
    assert step["kind"] == "bprop" and "dout * 3" in step["code"]
    assert step["outputs"][0]["written"] == "∂x = 3" and "own bprop" in step["words"][0][1]


def test_hooks_are_told_with_their_code() -> None:
    def fresh(cell, inputs):
        return ops.ones_like(inputs[0])

    net = nn.ReLU()
    net.register_forward_pre_hook(fresh)
    told = Told(net, Tensor([2.0])).passed()
    assert "def fresh" in told.steps[0]["code"]
    assert [kind for kind, _ in told.steps[0]["words"]] == ["", "mark", "mark"]


def test_a_backward_hook_on_a_cell_and_the_values_in_use() -> None:
    class Net(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.conv = nn.Conv2d(1, 2, 2, pad_mode="valid", weight_init="ones")
            self.bn = nn.BatchNorm2d(2, eps=1e-5, momentum=0.99)

        def construct(self, x):
            return self.bn(self.conv(x))

    net = Net()
    net.bn.register_backward_hook(lambda cell, left, arrived: (left[0] * 3,) if isinstance(left, tuple) else left * 3)
    told = Told(net, Tensor(np.ones((1, 1, 2, 2), np.float32))).passed()  # E5, with a hook that triples
    assert told.written(0) == ["y[0, 0, 0, 0] = 1 · 1 + 1 · 1 + 1 · 1 + 1 · 1 = 4"]
    assert told.written(2)[0] == "∂x[0, 0, 0, 0] = 1 · 1 / √(1 + 1e−5) ≈ 1"
    assert [row["name"] for row in told.steps[2]["inputs"]] == ["x", "w", "variance"]
    assert words(told.steps[-1]["incoming"][0]) == "A hook changed what arrived [0, 0, 0, 0]: 1 became 3."
    assert [row["name"] for row in told.steps[-1]["inputs"]] == ["x", "w"]
    assert told.written(-1)[1] == "∂w[0, 0, 0, 0] = 3 · 1 = 3"


def test_another_element_can_be_chosen() -> None:
    look = Look(lambda x: ops.relu(x), Tensor(np.array([1.0, -2.0, 3.0], np.float32))).passed()
    story = Story(look.document, look.outcome.recorder, lambda path: None, {(0, 0): (1,)})
    row = story.tell(0)["outputs"][0]
    assert row["written"] == "y[1] = max(−2, 0) = 0" and row["element"] == 1


def test_large_arrays_are_told_without_numbers() -> None:
    x = Tensor(np.ones((1100, 1100), np.float32))
    told = Told(lambda x: ops.relu(x).sum(), x).passed()
    assert told.written(0) == ["array not kept (over 4 MB)"]
    assert words(told.steps[-1]["outputs"][0]) == "array not kept (over 4 MB)"


# The notation ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("formula", "numbers", "written", "value"),
    [
        ("g · y", {"g": 2, "y": 3}, "2 · 3", 6),
        ("−g · z / y", {"g": 2, "y": -3, "z": 4}, "−2 · 4 / (−3)", 8 / 3),
        ("g · [x > 0]", {"g": 0.5, "x": -1.25}, "0.5 · [−1.25 > 0]", 0),
        ("g · [¬c]", {"g": 0.5, "c": 0}, "0.5 · [¬0]", 0.5),
        ("1 / (1 + e⁻ˣ)", {"x": 0}, "1 / (1 + e^(−0))", 0.5),
        ("x²", {"x": -3}, "(−3)²", 9),
        ("√(x² + y²)", {"x": 3, "y": 4}, "√(3² + 4²)", 5),
        ("2 (x − y)", {"x": 1, "y": -2}, "2 (1 − (−2))", 6),
        ("x^(y−1)", {"x": 3, "y": 3}, "3^(3−1)", 9),
        ("max(x, 0) + alpha · min(x, 0)", {"x": -2, "alpha": 0.1}, "max(−2, 0) + 0.1 · min(−2, 0)", -0.2),
        ("⌊x⌋ · |x|", {"x": -1.5}, "⌊−1.5⌋ · |−1.5|", -3),
        ("g · 2ˣ⁻ᶻ", {"g": 1, "x": 1, "z": 3}, "1 · 2^(1 − 3)", 0.25),
    ],
)
def test_formulas_are_read(formula: str, numbers: dict[str, float], written: str, value: float) -> None:
    known = {name: Quantity(number) for name, number in numbers.items()}
    read = Formula(formula, known)
    assert read.written(known) == written and read.value(known) == pytest.approx(value)


def test_a_sum_runs_along_the_fibre() -> None:
    known = {"x": Quantity(0.0, np.array([0.0, np.log(3.0)]))}
    read = Formula("eˣ / Σ eˣ", known)
    assert read.written(known) == "e^0 / 4" and read.value(known) == pytest.approx(0.25)


@pytest.mark.parametrize("text", ["x · wᵀ", "x ∗ w", "sin", "max x", "x +", "(x", "x y", "Π x", "", "unknown", "x⁻"])
def test_what_is_no_such_formula_is_refused(text: str) -> None:
    with pytest.raises(Unreadable):
        Formula(text, ("x", "y", "w"))


# Every op -------------------------------------------------------------------------------------------------------

#: Ops whose cards say more than the reader knows: only the number is told.
TOLD_BY_NUMBER = 0.65


@pytest.mark.filterwarnings("ignore")
def test_every_op_is_told_and_most_are_written_out() -> None:
    full = total = 0
    for name in sorted(set(OPS) & set(SAMPLES) - set(WRITES)):
        sample = max(SAMPLES[name], key=lambda s: sum(map(len, (g for g in s.given if isinstance(g, tuple)))))
        look = Look(lambda *xs, s=sample: s.run(list(xs)), *map(Tensor, sample.inputs))
        story = Story(look.document, look.outcome.recorder, lambda path: None)
        for number, event in enumerate(look.events):
            if event["kind"] in ("forward", "backward"):
                lines = [row["written"] for row in story.tell(number)["outputs"] if row["written"]]
                total += len(lines)
                full += sum(line.count("=") + line.count("≈") > 1 for line in lines)
    assert full / total > TOLD_BY_NUMBER


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        ([np.nan, 1], [np.nan, 1], True),
        ([np.inf, 1], [np.inf, 2], False),
        ([np.inf, 1], [-np.inf, 1], False),
        ([1e6, 1], [1e6, 1.5], True),
        ([], [], True),
    ],
)
def test_gradients_with_numbers_that_are_not_finite_are_compared(a: list, b: list, same: bool) -> None:
    assert elements.close(np.array(a, np.float32), np.array(b, np.float32)) is same


def test_float16_rounding_is_the_same_gradient() -> None:
    assert elements.close(np.array([1000.0], np.float16), np.array([1001.0], np.float16))
