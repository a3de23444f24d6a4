"""gradcheck: finds wrong rules and names the fault, and passes right ones."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from autodiff.checking import By, X, look, normal
from ops.samples import SAMPLES
from ops.test_gradients import DIFFERENTIABLE, smooth

import teachcell as tc
from teachcell import Tensor, gradcheck, nn, ops
from teachcell.core.op import OPS
from teachcell.core.protect import random_state

# Right rules ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("op", DIFFERENTIABLE)
def test_every_op_is_right_in_float32(op: str) -> None:
    for sample in SAMPLES[op]:
        function, tensors = smooth(sample)
        if sum(t.size for t in tensors):
            assert gradcheck(function, *(t.astype(tc.float32) for t in tensors)), sample


def test_float32_layers_pass() -> None:
    for cell in (nn.Dense(3, 2), nn.SequentialCell(nn.Dense(3, 4, activation="tanh"), nn.Dense(4, 1)), nn.Softmax()):
        assert gradcheck(cell, X, order=2)
    assert X.dtype.name == "float32"


def test_a_right_rule_passes_to_second_order() -> None:
    report = gradcheck(By(ops.tanh, lambda x, out, dout: (dout * (1 - out * out),)), X, order=2)
    assert report and report.verdict == "right" and report.cause == "right"
    assert [(e.name, e.kind, e.order, e.cause) for e in report.entries] == [
        ("inputs[0]", "input", 1, "right"), ("inputs[0]", "input", 2, "right"), ("dout", "dout", 2, "right"),
    ]  # fmt: skip
    assert all(e.max_abs < 1e-9 and e.max_rel < 1e-9 for e in report.entries)


def test_random_ops_are_repeated_with_the_same_draws() -> None:
    class Noisy(nn.Cell):
        def construct(self, x: Tensor) -> Tensor:
            return ops.dropout(x * x, 0.5) * np.random.normal() * random.random()

    before = random_state()
    for cell in (nn.Dropout(0.5).set_train(), Noisy()):
        assert gradcheck(cell, X, order=2)
    assert random_state() == before


def test_several_inputs_outputs_and_integers() -> None:
    report = gradcheck(lambda x, i, y: (x * y, {"a": [x[0], i]}, "text"), X, Tensor(3), Tensor(2.0), order=2)
    assert [e.name for e in report.entries] == ["x", "y", "x", "y", "dout[0]", "dout[1]"]


def test_inputs_in_containers_and_other_arguments() -> None:
    def function(pair: Any, *, by: Any = None) -> Tensor:
        return pair[0] * pair[1]["b"]

    report = gradcheck(function, (X, {"b": X}))
    assert [e.name for e in report.entries] == ["pair[0]", "pair[1]"]
    assert gradcheck(lambda x, axes, flag, word: ops.transpose(x, axes), X, (1, 0), True, "word")
    assert gradcheck(lambda *xs: xs[0] * xs[1], X, X).entries[1].name == "xs[1]"


def test_an_input_without_influence_is_right_with_a_zero() -> None:
    report = gradcheck(lambda x, y: x * 2, X, X)
    assert report and [e.cause for e in report.entries] == ["right", "right_unused"]


def test_empty_and_scalar_inputs() -> None:
    assert gradcheck(ops.exp, Tensor(0.5), order=2)
    assert gradcheck(lambda x, y: (x.sum(), y * 2), Tensor(np.zeros((0, 3))), X, order=2)


# Planted faults ---------------------------------------------------------------------------------------------------

TANH_FAULTS = {
    "ignores_dout": lambda x, out, dout: (1 - out * out,),
    "differs_everywhere": lambda x, out, dout: (dout * (1 - out),),
    "misplaced": lambda x, out, dout: ((dout * (1 - out * out))[:, ::-1],),
    "factor": lambda x, out, dout: (dout * (1 - out * out) * 1.001,),
    "nan": lambda x, out, dout: (dout * float("nan"),),
    "cut": lambda x, out, dout: (None,),
    "zero": lambda x, out, dout: (dout * 0,),
    "sign": lambda x, out, dout: (-dout * (1 - out * out),),
    "constant": lambda x, out, dout: (ops.ones_like(x) * dout.mean(),),
    "not_linear": lambda x, out, dout: (ops.clamp(dout, -1.5, 1.5) * (1 - out * out),),
    "only_for_some": lambda x, out, dout: (ops.abs(dout) * (1 - out * out),),
    "only_at": lambda x, out, dout: (dout * (1 - out * out + (x > 0.45).astype(x.dtype)),),
    "differs": lambda x, out, dout: (dout * (1 - out * out + (x > 1.25).astype(x.dtype)),),
}


@pytest.mark.parametrize("cause", TANH_FAULTS)
def test_faults_in_the_rule_of_tanh(cause: str) -> None:
    cell = By(ops.tanh, TANH_FAULTS[cause])
    report = look(cell, X)
    assert not report and report.cause == cause
    with pytest.raises(AssertionError, match=r"∂inputs\[0\]: the gradient at \(\d, \d\) is .*, central differences"):
        gradcheck(cell, X)


def matmul(dx: Any, dw: Any) -> nn.Cell:
    return By(ops.matmul, lambda x, w, out, dout: (dx(x, w, dout), dw(x, w, dout)))


def right_dx(x: Tensor, w: Tensor, dout: Tensor) -> Tensor:
    return ops.matmul(dout, w.T)


def right_dw(x: Tensor, w: Tensor, dout: Tensor) -> Tensor:
    return ops.matmul(x.T, dout)


MATMUL_FAULTS: dict[str, tuple[Any, Any, str]] = {
    "right": (right_dx, right_dw, "right"),
    "w not transposed": (lambda x, w, dout: ops.matmul(dout, w), right_dw, "right for a transposed inputs[1]"),
    "x not transposed": (right_dx, lambda x, w, dout: ops.matmul(x, dout), "right for a transposed inputs[0]"),
    "dout transposed": (lambda x, w, dout: ops.matmul(dout.T, w.T), right_dw, "right for a transposed dout"),
    "the whole": (right_dx, lambda x, w, dout: ops.matmul(dout.T, x), "∂inputs[1]: transposed"),
    "exchanged": (right_dw, right_dx, "gradient of the wrong input (exchanged): it is that of inputs[1]"),
    "first row": (right_dx, lambda x, w, dout: ops.matmul(x[:1].T, dout[:1]), "sum over axis 0 of dout is missing"),
    "mean over rows": (right_dx, lambda x, w, dout: ops.matmul(x.T, dout) / 3, "(= 1 / 3, the length of axis 0"),
}


@pytest.mark.parametrize("fault", MATMUL_FAULTS)
def test_faults_in_the_rules_of_matmul(fault: str) -> None:
    dx, dw, words = MATMUL_FAULTS[fault]
    report = look(matmul(dx, dw), normal(3, 3), normal(3, 3))
    assert words in report.verdict and bool(report) == (fault == "right"), report


def test_a_transposed_gradient_put_into_shape() -> None:
    cell = matmul(right_dx, lambda x, w, dout: ops.matmul(dout.T, x).reshape(w.shape))
    assert look(cell, normal(2, 3), normal(3, 4)).cause == "transposed"


@pytest.mark.parametrize(
    ("keep", "name"),
    [("keep_prob", "(= keep_prob)"), ("p", "(= 1 − p)"), ("rescale", "(= 1 / rescale)")],
)
def test_dropout_that_forgets_to_divide(keep: str, name: str) -> None:
    value = {"keep_prob": 0.8, "p": 0.2, "rescale": 1.25}[keep]

    class Dropout(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            setattr(self, keep, value)
            self.mask: Any = None

        def construct(self, x: Tensor) -> Tensor:
            self.mask = Tensor((np.random.random(x.shape) < 0.8).astype(np.float32))
            return x * self.mask / 0.8

        def bprop(self, x: Tensor, out: Tensor, dout: Tensor) -> Any:
            return (dout * self.mask,)

    cell = Dropout()
    report = look(cell, normal(4, 5))
    assert report.verdict == f"∂x: off by the constant factor 0.8 {name}" and cell.mask is None


def test_a_dropout_rule_without_its_mask() -> None:
    with OPS["dropout"].override((lambda F, g, out, x, p, mask: F.multiply(g, 1 / (1 - p)),)):
        report = look(lambda x: ops.dropout(x, 0.5), normal(3, 4))
    assert report.cause in ("differs", "only_at") and "those where the numeric gradient is 0" in report.verdict


def bias_add(rule: Any) -> Any:
    return By(lambda x, b: ops.bias_add(x, b), lambda x, b, out, dout: (dout, rule(b, dout)))


BIAS_FAULTS: dict[str, tuple[Any, str]] = {
    "first row only": (lambda b, dout: dout[0], "the sum over the broadcast axis is missing: only index 0 of axis 0"),
    "last row only": (lambda b, dout: dout[-1], "the sum over the broadcast axis is missing: only index 3 of axis 0"),
    "mean": (lambda b, dout: dout.mean(0), "off by the constant factor 0.25 (= 1 / 4, the length of axis 0"),
    "ones": (lambda b, dout: ops.ones_like(b), "the rule ignores dout"),
    "counted": (lambda b, dout: ops.ones_like(b) * 4, "the rule ignores dout"),
    "twice": (lambda b, dout: dout.sum(0) * 2, "off by the constant factor 2"),
    "all": (lambda b, dout: ops.ones_like(b) * dout.sum(), "constant gradient"),
}


@pytest.mark.parametrize("fault", BIAS_FAULTS)
def test_faults_in_the_rule_of_bias_add(fault: str) -> None:
    rule, words = BIAS_FAULTS[fault]
    report = look(bias_add(rule), normal(4, 3), normal(3))
    assert words in report.verdict and report.entries[0].right and not report.entries[1].right


def test_the_sum_along_the_wrong_axis() -> None:
    assert "right for a transposed dout" in look(bias_add(lambda b, dout: dout.sum(1)), normal(3, 3), normal(3)).verdict


def test_a_scalar_that_is_broadcast_everywhere() -> None:
    cell = By(lambda x, s: x * s, lambda x, s, out, dout: (dout * s, (dout * x)[0].sum()))
    assert look(cell, normal(4, 3), Tensor(2.0)).cause == "sum_broadcast"


def test_the_rules_of_a_relu6_without_its_upper_bound() -> None:
    with OPS["relu6"].override((lambda F, g, out, x: g * (x > 0),)):
        report = look(lambda x: ops.relu6(x), Tensor([-1.0, 2.0, 5.5, 6.5, 8.0]))
    assert report.verdict == "∂x: differs at (3,), (4,): 2 of 5, those with x ≥ 6.5"


def test_right_only_at_a_few() -> None:
    report = look(By(ops.relu, lambda x, out, dout: (dout,)), Tensor([-1.0, -2.0, 5.5]))
    assert report.verdict == "∂inputs[0]: right only at (2,); wrong: 2 of 3, those with inputs[0] ≤ −1"


def test_inputs_exchanged() -> None:
    report = look(By(lambda x, y: x * y, lambda x, y, out, dout: (dout * x, dout * y)), normal(3), normal(3))
    assert [e.cause for e in report.entries] == ["exchanged", "exchanged"] and "that of inputs[1]" in report.verdict
    minus = By(lambda x, y: x - y, lambda x, y, out, dout: (dout, dout))
    assert [e.cause for e in look(minus, normal(3), normal(3)).entries] == ["right", "sign"]


def test_the_gradient_of_one_output_is_ignored() -> None:
    cell = By(lambda x: (x * 2, x * x), lambda x, out, dout: (2 * dout[0],))
    assert look(cell, normal(3)).verdict == "∂inputs[0]: the rule ignores dout of output 1"


@pytest.mark.parametrize("cut", [ops.stop_gradient, lambda x: Tensor(x.asnumpy())])
def test_a_cut_is_named(cut: Any) -> None:
    report = look(lambda x, y: cut(x) * y, normal(3), normal(3))
    assert [e.cause for e in report.entries] == ["cut", "right"] and "no gradient reaches this input" in report.verdict


def test_a_surrogate_over_a_step() -> None:
    spike = By(lambda x: (x > 0).astype(x.dtype), lambda x, out, dout: (dout * ops.exp(-x * x),))
    assert look(spike, normal(4)).cause == "surrogate"


def test_numbers_of_closures_and_defaults_name_a_factor() -> None:
    alpha = 0.3

    def rule(x: Tensor, out: Tensor, dout: Tensor, beta: float = 7.0) -> Any:
        return (dout * beta,) if alpha > 1 else (dout * alpha,)

    assert "0.3 (= alpha)" in look(By(ops.positive, rule), normal(3)).verdict
    alpha = 2.0
    assert "7 (= beta)" in look(By(ops.positive, rule), normal(3)).verdict
    halved = By(lambda x: x * x, lambda x, out, dout: (dout * x,))
    assert "0.5 (= 1 / 2)" in look(halved, normal(3)).verdict


def test_a_mean_that_is_not_divided() -> None:
    cell = By(lambda x: x.mean(), lambda x, out, dout: (dout * ops.ones_like(x),))
    assert "15 (= 15, the number of elements of inputs[0])" in look(cell, normal(3, 5)).verdict


# Kinks ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("slope", [0.0, 0.5, 1.0])
def test_a_kink_is_no_fault(slope: float) -> None:
    def rule(x: Tensor, out: Tensor, dout: Tensor) -> Any:
        return (dout * ((x > 0).astype(x.dtype) + slope * (x == 0).astype(x.dtype)),)

    report = gradcheck(By(ops.relu, rule), Tensor([-1.0, 0.0, 1.0]))
    assert report and report.entries[0].kinks == ((1,),) and report.entries[0].cause == "right_kink"
    assert report.entries[0].verdict.startswith("right; kink at (1,)") and report.entries[0].max_abs < 1e-9


def test_beyond_both_slopes_is_a_fault_even_at_a_kink() -> None:
    cell = By(ops.relu, lambda x, out, dout: (dout * ((x > 0).astype(x.dtype) + 3 * (x == 0).astype(x.dtype)),))
    report = look(cell, Tensor([-1.0, 0.0, 1.0]))
    assert report.cause == "differs" and report.entries[0].worst == (1,) and report.entries[0].kinks == ((1,),)


def test_kinks_of_outputs_that_cancel() -> None:
    assert gradcheck(lambda x: (ops.relu(x), ops.relu(-x), x.max()), Tensor([0.0, 0.0, 0.0]))


def test_close_to_a_kink_there_is_none() -> None:
    report = gradcheck(ops.relu, Tensor([1e-6, -1e-6, 3e-9]))
    assert report and not report.entries[0].kinks


def test_where_the_function_is_not_finite() -> None:
    report = look(ops.log, Tensor([0.0, 1.0]))
    assert report.cause == "undefined" and "cannot be checked at (0,)" in report.verdict
    infinite = look(lambda x: ops.exp(x), Tensor([2.5, 800.0]))
    assert infinite.verdict == "∂x: NaN or Inf at (1,)" and infinite.entries[0].rule == np.inf


def test_a_jump_counts_as_a_kink() -> None:
    (entry,) = gradcheck(lambda x: ops.floor(x) + x, Tensor([1.0, 2.5])).entries
    assert entry.kinks == ((0,),) and entry.max_abs < 1e-9 < entry.max_rel * 1e9


# Second order -----------------------------------------------------------------------------------------------------


def test_a_rule_right_in_first_order_only() -> None:
    stopped = By(ops.tanh, lambda x, out, dout: (dout * ops.stop_gradient(1 - out * out),))
    assert gradcheck(stopped, X)
    report = look(stopped, X, order=2)
    assert report.verdict == "first order right, second order wrong: the rule treats inputs[0] as constant"
    with pytest.raises(AssertionError, match="first order right"):
        gradcheck(stopped, X, order=2)


def test_a_part_taken_for_a_constant_and_the_incoming_gradient() -> None:
    half = By(lambda x: x * x * x, lambda x, out, dout: (3 * dout * x * Tensor(x.asnumpy()),))
    report = look(half, X, order=2)
    assert report.cause == "constant_part" and "something made of inputs[0] as constant" in report.verdict
    by_array = By(ops.positive, lambda x, out, dout: (Tensor(dout.asnumpy()),))
    report = look(by_array, X, order=2)
    assert report.verdict == "first order right, second order wrong: the rule treats dout as constant"
