"""Two runs compared: the same places found, distances, where they part; on programs worked out by hand."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from lens.looking import Look

from teachcell import Parameter, Tensor, nn, ops
from teachcell.lens.compare.align import Alignment
from teachcell.lens.compare.changes import changes
from teachcell.lens.compare.differences import Differences
from teachcell.lens.compare.distance import distance
from teachcell.lens.compare.run import Run
from teachcell.lens.watch.seen import Seen

X = Tensor([1.0, -2.0, 3.0])


def run(f: Any, *inputs: Any, name: str = "a", **options: Any) -> Run:
    look = Look(f, *inputs, **options)
    return Run.of(name, look.outcome, look.experiment.seed)


def between(f: Any, g: Any, *inputs: Any) -> Differences:
    return Differences(run(f, *inputs), run(g, *inputs, name="b"))


def seen(*numbers: float, dtype: Any = np.float32, keep: bool = True) -> Seen:
    return Seen(np.array(numbers, dtype), keep)


def said(differences: Differences, side: str = "value") -> str:
    return "".join(text for _, text in differences.sentence(side))


# Distances ------------------------------------------------------------------------------------------------


def test_the_largest_difference_and_the_largest_beside_the_size_are_told() -> None:
    found = distance(seen(1.0, 10.0, 0.5), seen(1.0, 12.0, 0.0))
    assert (found.state, found.largest, found.relative, found.at, found.count) == ("differs", 2.0, 1.0, (1,), 2)
    assert not found.same and json.dumps(found.plain(), allow_nan=False)


@pytest.mark.parametrize(
    ("a", "b", "state"),
    [
        (seen(1.0, np.nan, np.inf), seen(1.0, np.nan, np.inf), "equal"),
        (seen(1.0, np.nan), seen(1.0, 2.0), "nan"),
        (seen(np.inf), seen(-np.inf), "nan"),
        (seen(0.0), seen(-0.0), "equal"),
        (seen(1.0), seen(np.nextafter(np.float32(1), np.float32(2))), "rounding"),
        (seen(1e6, 0.01), seen(1e6, 0.02), "differs"),
        (seen(1.0), seen(1.0, 1.0), "shape"),
        (seen(1.0, 2.0), seen(1.0, 2.0, dtype=np.float16), "dtype"),
        (seen(1, 2, dtype=np.int64), seen(1, 3, dtype=np.int64), "differs"),
        (seen(1, 0, dtype=bool), seen(1, 0, dtype=bool), "equal"),
        (seen(), seen(), "equal"),
        (seen(1.0), None, "only_a"),
        (None, seen(1.0), "only_b"),
        (None, None, "none"),
    ],
)
def test_states(a: Seen | None, b: Seen | None, state: str) -> None:
    found = distance(a, b)
    assert found.state == state
    assert found.same == (state in ("equal", "rounding", "none"))
    json.dumps(found.plain(), allow_nan=False)


def test_arrays_that_were_not_kept_are_compared_by_what_was() -> None:
    assert distance(seen(1.0, 2.0, keep=False), seen(1.0, 2.0, keep=False)).state == "alike"
    found = distance(seen(1.0, 2.0, keep=False), seen(1.0, 5.0))
    assert (found.state, found.largest, found.at_least) == ("differs", 3.0, True)
    assert distance(seen(1.0, np.nan, keep=False), seen(1.0, 5.0)).state == "nan"


def test_the_largest_floats_do_not_break_it() -> None:
    found = distance(seen(1e308, dtype=np.float64), seen(-1e308, dtype=np.float64))
    assert found.state == "differs" and found.largest is None


# Alignment ------------------------------------------------------------------------------------------------


def test_one_op_more_does_not_shift_the_rest() -> None:
    found = between(lambda x: ops.relu(x * 2) + 1, lambda x: ops.relu(ops.exp(x * 2)) + 1, X)
    assert found.alignment.ops == {0: 0, 1: 2, 2: 3}
    # 2x = (2, −4, 6), relu: (2, 0, 6); with exp in between: (e², e⁻⁴, e⁶), of which the last is 403.43 − 6 apart
    assert [p.name for p in found.differing("value")] == ["exp", "relu", "add"]
    assert said(found).startswith("A and b agree up to multiply. They part at exp: only b has it")
    assert found.of_b[2].value.state == "only_b" or any(p.value.state == "only_b" for p in found.places)
    relu = next(p for p in found.places if p.name == "relu")
    assert relu.value.largest == pytest.approx(np.exp(6) - 6, rel=1e-6)


def test_an_op_in_the_place_of_another_is_at_the_same_place() -> None:
    found = between(lambda x: ops.relu(x) * 2, lambda x: ops.tanh(x) * 2, X)
    assert found.alignment.ops == {0: 0, 1: 1}
    assert found.first("value").value.largest == pytest.approx(3 - np.tanh(3))


def test_loops_of_another_length() -> None:
    def times(n: int) -> Any:
        def f(x):
            for _ in range(n):
                x = ops.tanh(x * 2)
            return x + 1

        return f

    found = between(times(3), times(5), X)
    assert found.alignment.ops == {0: 0, 1: 1, 2: 2, 3: 3, 4: 4, 5: 5, 6: 10}
    alone = [p for p in found.places if p.value.state == "only_b" and p.kind == "op"]
    assert len(alone) == 4 and not [p for p in found.places if p.value.state == "only_a"]


def test_what_hangs_on_several_cells_and_calls() -> None:
    class Twice(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.act = nn.ReLU()
            self.fc = nn.Dense(2, 2)

        def construct(self, x):
            return self.act(self.fc(self.act(x)))

    net = Twice()
    net.fc.weight.set_data(Tensor([[1.0, 0.0], [0.0, 1.0]]))
    look = Look(net, Tensor([[1.0, 2.0]]))
    one = Run.of("a", look.outcome)
    net.fc.bias.set_data(net.fc.bias + 1)
    found = Differences(one, Run.of("b", look.run().outcome))
    assert said(found) == "A and b agree up to fc · matmul. They part at fc.bias: largest difference 1"
    assert [p.name for p in found.differing("value")] == ["fc.bias", "fc", "act #2"]
    assert changes(found) == ["Parameters changed: fc.bias."]


# Where they part ------------------------------------------------------------------------------------------


def test_runs_that_agree() -> None:
    found = between(lambda x: x * 2, lambda x: x * 2, X)
    assert said(found) == "A and b agree in every value and every gradient."
    assert found.first("value") is None and found.count("value") == "0 of 1 results differ" and changes(found) == []


def test_values_agree_and_gradients_part() -> None:
    # y = 3 · relu(x): incoming 3; by the rule (1, 0, 1) · 3 = (3, 0, 3), by the other 0
    look = Look(_Net(), X, bprops={"act": {"zero": lambda x, out, dout: (dout * 0,)}})
    one = Run.of("a", look.outcome)
    look.experiment.use_rule("act", "zero")
    found = Differences(one, Run.of("b", look.run().outcome))
    assert said(found) == "A and b agree in every value; gradients differ."
    assert said(found, "gradient") == (
        "Going back, the gradients of a and b agree down to act. They part at x: largest difference 3"
    )
    assert changes(found) == ["Backward rule of act: engine rule in A, zero in B."]
    plain = found.plain()
    assert plain["first"] == {"value": None, "gradient": "x"} and json.dumps(plain, allow_nan=False)


class _Net(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.act = nn.ReLU()

    def construct(self, x):
        return self.act(x) * 3


def test_a_rule_that_raises_and_a_net_that_raises_half_way() -> None:
    def bad(x, out, dout):
        raise ZeroDivisionError("no rule today")

    look = Look(_Net(), X, bprops={"act": {"bad": bad}})
    one = Run.of("a", look.outcome)
    look.experiment.use_rule("act", "bad")
    found = Differences(one, Run.of("b", look.run().outcome))
    assert said(found) == "A and b agree in every value; gradients differ."
    assert found.first("gradient").name == "act" and found.first("gradient").gradient.state == "only_a"
    assert any("no rule today" in sentence for sentence in changes(found))

    found = Differences(one, run(lambda x: ops.matmul(ops.relu(x), Tensor(np.ones((2, 2), np.float32))), X, name="b"))
    assert found.first("value").value.state in ("only_a", "only_b") and said(found)


def test_a_hook_that_puts_something_in() -> None:
    net = _Net()
    look = Look(net, X)
    one = Run.of("a", look.outcome)
    net.act.register_forward_hook(lambda cell, inputs, output: Tensor([5.0, 5.0, 5.0]))
    found = Differences(one, Run.of("b", look.run().outcome))
    assert said(found) == (
        "A and b agree up to act · relu. They part at what a hook put in the place of act · relu: only b has it"
    )
    assert "▶" in changes(found)[0]
    # relu(x) · 3 = (3, 0, 9) against 5 · 3 = (15, 15, 15)
    assert found.of_b[look.document["outputs"][0]].value.largest == 15


def test_inputs_and_seeds_that_changed() -> None:
    x = Tensor([1.0, 2.0])
    look = Look(lambda x, w: (x * w).sum(), x, Parameter(Tensor([1.0, 1.0]), name="w"))
    one = Run.of("a", look.outcome, 0)
    x[0] = 7.0
    look.experiment.new_draw()
    found = Differences(one, Run.of("b", look.run().outcome, look.experiment.seed))
    assert changes(found) == ["Random draws from seed 0 in A, 1 in B.", "Inputs changed: x."]
    assert said(found) == "A and b differ from the start. They part at x: largest difference 6"


def test_the_loss_moves() -> None:
    def squares(y, t):
        return ((y - t) ** 2).sum()

    one = run(_Net(), X, loss=squares, targets=Tensor([3.0, 0.0, 9.0]))
    found = Differences(one, run(_Net(), X, name="b", loss=squares, targets=Tensor([3.0, 0.0, 8.0])))
    assert found.count("value").endswith("the loss goes from 0 in A to 1 in B")


def test_alignment_of_a_run_with_itself_is_the_identity() -> None:
    document = run(_Net(), X).document
    alignment = Alignment(document, document)
    assert all(x == y for pairs in (alignment.calls, alignment.ops, alignment.values) for x, y in pairs.items())
    assert len(alignment.values) == len(document["values"])


def test_a_cell_exchanged_for_one_of_another_kind_is_told() -> None:
    net = nn.SequentialCell(nn.Dense(3, 2), nn.Tanh())
    look = Look(net, Tensor([[1.0, 2.0, 3.0]]))
    one = Run.of("a", look.outcome)
    net[1] = nn.Sigmoid()
    assert changes(Differences(one, Run.of("b", look.run().outcome))) == ["1 is a Tanh in A, a Sigmoid in B."]


# What only one run did ------------------------------------------------------------------------------------


class Longer(nn.Cell):
    """A layer, and more behind it when it is asked for."""

    def __init__(self, longer: bool) -> None:
        super().__init__()
        self.first, self.longer = nn.ReLU(), longer
        self.extra = nn.SequentialCell(nn.Tanh(), nn.ReLU())

    def construct(self, x: Tensor) -> Tensor:
        y = self.first(x)
        return ops.exp(self.extra(y)) * y if self.longer else y


def test_what_only_one_run_did_is_told_by_cell_and_op() -> None:
    found = between(Longer(False), Longer(True), X)
    assert changes(found) == ["Only in B (b): the Cell extra (2 ops), exp, multiply."]
    assert changes(Differences(found.b, found.a)) == ["Only in A (b): the Cell extra (2 ops), exp, multiply."]


def test_an_op_in_the_place_of_another_is_told() -> None:
    class Step(nn.Cell):
        def __init__(self, f: Any) -> None:
            super().__init__()
            self.f = f

        def construct(self, x: Tensor) -> Tensor:
            return self.f(x)

    nets = [nn.SequentialCell(Step(f)) for f in (ops.exp, ops.sin)]
    assert changes(between(*nets, X)) == ["exp in A, sin in B: 0 Step."]


def test_of_a_run_that_failed_it_is_not_told_what_it_lacks() -> None:
    def fails(x: Tensor) -> Tensor:
        ops.exp(x)
        raise ValueError

    whole, failed = run(lambda x: (ops.exp(x) * 2).sum(), X), run(fails, X, name="b")
    assert [text[:8] for text in changes(Differences(whole, failed))] == ["b failed"]
