"""Why a gradient is zero, missing or NaN: the cause and its place, on programs worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest
from lens.looking import Look

from teachcell import Parameter, Tensor, nn, ops
from teachcell.lens import Experiment
from teachcell.lens.causes import Causes, Finding

X = Tensor([1.0, -2.0, 3.0])


def finding(f, *inputs, name: str = "x", **options) -> tuple[Finding, Look]:
    look = Look(f, *inputs, **options).passed()
    return Causes(look.outcome.recorder, look.document).of(look.value(name)["id"]), look


def place_ops(found: Finding, look: Look) -> list[str]:
    return ["" if p.op is None else look.ops[p.op]["op"] for p in found.places]


@pytest.mark.parametrize(
    ("f", "says", "op"),
    [
        (lambda x: ops.relu(x - 10) * 2, "ReLU is off at all 3 of them", "relu"),
        (lambda x: x * Tensor([0.0, 0.0, 0.0]), "The other factor of Mul is 0 at all 3", "multiply"),
        (lambda x: ops.clamp(x, 5.0, 6.0), "outside the bounds of", "clamp"),
        (lambda x: ops.maximum(x, Tensor([9.0, 9.0, 9.0])), "took the other input, which is larger", "maximum"),
        (lambda x: ops.minimum(x, Tensor([-9.0] * 3)), "took the other input, which is smaller", "minimum"),
        (lambda x: ops.tanh(x * 100), "Tanh is saturated at all 3", "tanh"),
    ],
)
def test_the_rule_that_makes_it_zero(f, says: str, op: str) -> None:
    found, look = finding(f, X)
    assert found.state == "zero" and found.odd and says in " ".join(found.why)
    assert place_ops(found, look) == [op]


def test_select_says_that_the_other_branch_was_taken() -> None:
    found, look = finding(lambda x, y: ops.select(x > 9, x, y), X, Tensor([4.0, 5.0, 6.0]))
    assert "took the other branch at all 3 of them" in found.why[0] and place_ops(found, look) == ["select"]


def test_a_zero_further_on_is_followed_to_its_rule() -> None:
    found, look = finding(lambda x: ops.relu(ops.exp(x) - 100) * 5, X)
    assert found.why[-1].startswith("ReLU is off at all 3") and found.why[0] == "What arrived at Exp was already 0."
    assert place_ops(found, look) == ["relu"]


def test_exact_cancellation_names_the_terms() -> None:
    found, look = finding(lambda x: 3 * x - x * 3, X)
    assert found.why == ("It is used several times and what comes back cancels exactly: (−3) + 3 = 0, from Mul, Mul.",)
    assert place_ops(found, look) == ["multiply", "multiply"]


def test_a_sum_over_a_broadcast_that_cancels() -> None:
    found, _ = finding(lambda x: x * Tensor([1.0, -1.0]), Tensor([2.0]))
    assert found.why == ("It was used with the broadcast shape (2,); summed back to (1,), its parts cancel exactly.",)


def test_a_bprop_that_returns_zeros_and_a_hook_that_puts_zeros_in() -> None:
    class Zero(nn.Cell):
        def construct(self, x):
            return x * 2

        def bprop(self, x, out, dout):
            return (dout * 0,)

    found, look = finding(Zero(), X)
    assert found.why == ("Zero's bprop returned zeros.",) and found.places[0].op is None

    net = nn.SequentialCell(nn.ReLU(), nn.Tanh())
    net[1].register_backward_hook(lambda cell, grad_in, grad_out: (grad_in[0] * 0,))
    found, look = finding(net, Tensor([1.0, 2.0]))
    assert found.state == "zero" and found.why[-1] == (
        "The rules sent something else than 0; a hook put zeros in its place."
    )


def test_some_elements_are_zero() -> None:
    found, look = finding(lambda x: ops.relu(x), X)
    assert found.state == "some zero" and not found.odd
    assert found.why[0] == "1 of 3 elements are exactly 0." and found.why[1].startswith("ReLU is off at all 1")


def test_missing_is_not_zero() -> None:
    found, look = finding(lambda x: ops.stop_gradient(x * 2) + x.sum() * 0 + Tensor([1.0]) * 0, X)
    cut = Causes(look.outcome.recorder, look.document).of(look.made_by("multiply")["id"])
    assert cut.state == "cut" and cut.why[0] == "StopGradient passes no gradient on."
    assert "not the same as a gradient of 0" in cut.why[1] and place_ops(cut, look) == ["stop_gradient"]

    class Frozen(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.w = Parameter([1.0], requires_grad=False)
            self.unused = Parameter([1.0])

        def construct(self, x):
            return x * self.w

    found, _ = finding(Frozen(), X, name="w")
    assert found.state == "not needed" and found.why[0] == "Frozen: requires_grad is False."


def test_new_data_of_a_hook_is_named_E3() -> None:
    net = nn.ReLU()
    outer = nn.SequentialCell(net)
    net.register_forward_pre_hook(lambda cell, inputs: Tensor([1.0]))
    found, look = finding(outer, Tensor([1.0]))
    assert found.state == "cut" and "pre-hook <lambda> returned new data" in found.why[0]
    assert found.places[0].op is None and look.calls[found.places[0].call]["path"] == "0"


# NaN and infinity ------------------------------------------------------------------------------------------


def test_the_first_op_that_made_a_value_infinite() -> None:
    look = Look(lambda x: ops.log(x) * 2 + 1, Tensor([1.0, 0.0])).passed()
    causes = Causes(look.outcome.recorder, look.document)
    assert causes.of(look.made_by("log")["id"]).why == ("Log made it: 0 → −∞ at [1].",)
    later = causes.of(look.made_by("add")["id"])
    assert later.why == ("Log made it: 0 → −∞ at [1].", "From there it spread to here.")
    assert place_ops(later, look) == ["log"]


def test_nan_that_came_in() -> None:
    look = Look(lambda x: x * 2, Tensor([1.0, np.nan])).passed()
    found = Causes(look.outcome.recorder, look.document).of(look.made_by("multiply")["id"])
    assert found.why[0] == "x came in with NaN."


def test_nan_behind_a_mask_says_what_to_do() -> None:
    found, look = finding(lambda x: ops.select(x > 0, ops.sqrt(x), Tensor([0.0, 0.0])), Tensor([4.0, 0.0]))
    assert found.state == "nan starts" and place_ops(found, look) == ["sqrt"]
    assert "at [1]" in found.why[0] and "g = 0" in found.why[0] and "Mask the input before the op" in found.why[1]


def test_every_value_of_a_broken_run_has_a_finding() -> None:
    look = Look(lambda x: ops.matmul(ops.relu(x), Tensor(np.ones((5, 5), np.float32))), X)
    assert look.error is not None
    causes = Causes(look.outcome.recorder, look.document)
    assert all(causes.of(value["id"]).why for value in look.values)


def test_a_zero_from_thousands_of_ops_away() -> None:
    def far(x: Tensor) -> Tensor:
        y = x
        for _ in range(2000):
            y = y + 1
        return y * 0

    outcome = Experiment(far, (Tensor([1.0, 2.0]),)).run()
    finding = Causes(outcome.recorder, outcome.document).of(0)
    assert len(finding.why) <= 6 and finding.places[0].op == 2000
    assert finding.why[0] == "What arrived at Add was already 0."


LARGE = Tensor(np.ones((1100, 1100), np.float32))  # more than is kept of an array


@pytest.mark.parametrize(
    ("f", "says"),
    [
        (lambda x: ops.relu(x - 100), "ReLU's rule gives 0 here"),
        (lambda x: x * 0, "Mul is 0 at all"),
        (lambda x: x - x, "it cancels, or a hook put zeros in its place"),
        (lambda x: _hooked(x * 2) ** 2, "a hook put zeros in its place"),
    ],
)
def test_zeros_of_an_array_too_large_to_keep_are_not_laid_to_a_hook(f, says: str) -> None:
    found, look = finding(f, LARGE)
    assert found.state == "zero" and says in found.why[-1], found.why
    assert ("hook" in found.why[-1]) == ("hook" in says)


def _hooked(x: Tensor) -> Tensor:
    x.register_hook(lambda gradient: gradient * 0)
    return x


def test_what_cancels_only_after_rounding_is_no_hook() -> None:
    found, _ = finding(lambda x: x * 1e8 + x - x * 1e8, Tensor([1.0]))
    assert found.why[0].startswith("It is used several times and what comes back cancels in float32: ")


def test_a_gradient_that_is_neither_zero_nor_odd_is_told_in_numbers() -> None:
    assert finding(lambda x: x * Tensor([2.0, -5.0, 7.0]), X)[0].why == (
        "Its elements are finite and not all 0: from −5 to 7, sent by Mul.",
    )
    assert finding(lambda x: x * 3, X)[0].why == ("Each of its elements is 3, sent by Mul.",)
    assert finding(lambda x: x * 3, Tensor(2.0))[0].why == ("It is 3, sent by Mul.",)


def test_an_empty_slice_takes_nothing() -> None:
    found, look = finding(lambda x: x[0:0].sum(), X)
    assert found.state == "zero" and place_ops(found, look) == ["getitem"]
    assert found.why == ("Of it GetItem used no element: what arrived there has the shape (0,).",)
    empty, _ = finding(lambda x: x.sum(), Tensor(np.zeros((0, 2), np.float32)))
    assert not empty.odd and repr(empty) == (
        "No elements. Its shape is (0, 2): there is nothing that could get a gradient."
    )


def test_sentences_begin_large_and_names_keep_their_letters() -> None:
    look = Look(lambda x: x * Tensor([np.inf, 1.0, 1.0]), X).passed()
    told = Causes(look.outcome.recorder, look.document).of(look.ops[0]["outputs"][0])
    assert told.why[0] == "A constant came in with ∞."
    net = nn.SequentialCell(nn.ReLU())
    net[0].register_forward_pre_hook(lambda cell, inputs: ops.ones_like(inputs[0]))
    assert finding(net, X)[0].why[0].startswith("0's pre-hook <lambda> returned new data")
