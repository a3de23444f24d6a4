"""gradcheck: finds wrong rules and names the fault, passes right ones, and leaves everything as it was."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from ops.samples import SAMPLES
from ops.test_gradients import DIFFERENTIABLE, smooth

import teachcell as tc
from teachcell import Parameter, Tensor, gradcheck, nn, ops
from teachcell.autodiff.check import GradCheckReport
from teachcell.core.op import OPS
from teachcell.core.protect import random_state
from teachcell.core.tensor import wrap

RNG = np.random.default_rng(5)
X = Tensor([[0.5, 0.6, 0.4], [1.2, 1.3, 1.1]])


def normal(*shape: int) -> Tensor:
    return Tensor(RNG.normal(size=shape).astype(np.float32))


class By(nn.Cell):
    """A function with a rule of its own."""

    def __init__(self, function: Any, rule: Any, **attributes: Any):
        super().__init__()
        self.function, self.bprop = function, rule
        for name, value in attributes.items():
            setattr(self, name, value)

    def construct(self, *inputs: Any) -> Any:
        return self.function(*inputs)


def look(function: Any, *inputs: Any, **options: Any) -> GradCheckReport:
    return gradcheck(function, *inputs, raise_exception=False, **options)


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


# Parameters, state, hooks -----------------------------------------------------------------------------------------


class Scaled(nn.Cell):
    def __init__(self, factor: float = 1.0):
        super().__init__()
        self.w = Parameter(Tensor([2.0, 3.0]), name="w")
        self.fixed = Parameter(Tensor([1.0, 1.0]), name="fixed", requires_grad=False)
        self.internal_params = [self.w]
        self.factor = factor

    def construct(self, x: Tensor) -> Tensor:
        return self.w * x * self.fixed

    def bprop(self, x: Tensor, out: Tensor, dout: Tensor) -> Any:
        return (self.w * dout,), {self.w: (x * dout).sum(0) * self.factor}


def test_parameters_are_checked_and_put_back() -> None:
    cell = Scaled(1.5)
    arrays = cell.w._array, cell.fixed._array
    report = look(cell, normal(3, 2))
    assert [(e.name, e.kind, e.cause) for e in report.entries] == [
        ("x", "input", "right"), ("w", "parameter", "factor_named"),
    ]  # fmt: skip
    assert report.verdict == "∂w: off by the constant factor 1.5 (= factor)"
    assert gradcheck(Scaled(), normal(3, 2), order=2)

    def raising(*_: Any) -> Any:
        raise RuntimeError("in the rule")

    cell.bprop = raising
    with pytest.raises(RuntimeError, match="in the rule"):
        gradcheck(cell, normal(3, 2))
    assert (cell.w._array, cell.fixed._array) == arrays and cell.w.dtype.name == "float32"


def test_a_parameter_that_a_function_uses() -> None:
    p = Parameter(Tensor([1.0]), name="p")
    report = gradcheck(lambda x: x * p, X, order=2)
    assert [e.name for e in report.entries][:2] == ["x", "p"] and p.dtype.name == "float32"
    assert p._node is not None and p._node.grad is None and not p._node.hooks
    assert gradcheck(lambda: p * p)
    assert look(lambda x: x * Tensor(p.asnumpy()) + 0 * p, X).entries[1].cause == "zero"


def test_state_and_prints_of_a_cell(capsys: pytest.CaptureFixture[str]) -> None:
    class Remembers(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.v, self.seen = Tensor([0.5, 0.5]), []  # type: ignore[var-annotated]
            self.norm = nn.BatchNorm1d(2)

        def construct(self, x: Tensor) -> Tensor:
            print("running")
            self.v = self.v + self.norm(x)
            self.seen.append(1)
            return self.v * len(self.seen)

    net = Remembers().set_train()
    mean, v = net.norm.moving_mean.asnumpy().copy(), net.v
    assert gradcheck(net, normal(3, 2), order=2)
    assert net.v is v and net.seen == [] and (net.norm.moving_mean.asnumpy() == mean).all()
    assert capsys.readouterr().out == "running\n"


def test_hooks_belong_to_the_function() -> None:
    cell = nn.Tanh()
    handle = cell.register_forward_hook(lambda cell, inputs, output: output * 3)
    assert gradcheck(cell, X, order=2)
    handle.remove()
    cell.register_backward_hook(lambda cell, left, arrived: (left[0] * 2,))
    assert look(cell, X).verdict == "∂x: off by the constant factor 2"


def test_to_float_does_not_act_and_float16_inside_is_refused() -> None:
    net = nn.Dense(3, 2).to_float(tc.float16)
    assert gradcheck(net, X) and net(X).dtype is tc.float16
    with pytest.raises(ValueError, match="fewer digits than float32"):
        gradcheck(lambda x: x.astype(tc.float16) * 2, X)
    assert "float32, h = 5e−3" in gradcheck(lambda x: ops.tanh(x.astype(tc.float32)), X).text


# The report -------------------------------------------------------------------------------------------------------


def test_the_report_reads_as_a_table_in_both_languages() -> None:
    cell = By(lambda x, w: x * w, lambda x, w, out, dout: (dout * w, dout * x * 0.5))
    report = look(cell, Tensor([1.0, 2.0]), Tensor([3.0, 4.0]))
    lines = str(report).splitlines()
    assert repr(report) == str(report) and lines[0] == f"gradcheck: {report.verdict}"
    heads = ("gradient", "shape", "max abs error", "worst at", "verdict")
    cells = ("∂inputs[1]", "(2,)", "1.4 ", "(1,)", "off by the constant factor 0.5 (= 1 / 2)")
    assert [lines[1].find(head) for head in heads] == [lines[3].find(cell) for cell in cells]
    entry = report.entries[1]
    assert entry.rule == pytest.approx(entry.numeric / 2) and entry.max_abs == pytest.approx(entry.numeric / 2)
    tc.set_language("zh")
    try:
        other = look(cell, Tensor([1.0, 2.0]), Tensor([3.0, 4.0]))
    finally:
        tc.set_language("en")
    assert other.verdict == "∂inputs[1]：差一个常数因子 0.5（= 1 / 2）" and other.cause == report.cause
    assert "结论" in str(other) and "central" not in str(other) and "central" in str(report)


def test_a_small_error_shows_in_the_table() -> None:
    report = look(By(ops.positive, lambda x, out, dout: (dout * 1.0005,)), Tensor([1.0]))
    entry = report.entries[0]
    assert f"{entry.rule:.9g}" in str(report) and entry.cause == "differs_everywhere"


def test_wrapped_arrays_are_not_written_into() -> None:
    array = np.array([1.0, 2.0])
    array.flags.writeable = False
    assert gradcheck(lambda x: x * x, wrap(array), order=2)
