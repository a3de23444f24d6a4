"""gradcheck: Parameters, state and hooks are as before, and what the report says."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from autodiff.checking import By, X, look, normal

import teachcell as tc
from teachcell import Parameter, Tensor, gradcheck, nn, ops
from teachcell.core.tensor import wrap

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
