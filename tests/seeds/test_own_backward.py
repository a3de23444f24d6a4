"""Lesson programs with backward rules of one's own, up to a spiking neuron: what they print, layout included."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import teachcell as tc
import teachcell.nn as nn
from teachcell import Parameter, Tensor, grad, gradcheck, ops


class PlusOne(nn.Cell):
    """A product whose rule is no derivative: x + 1 and y + 1, whatever arrives."""

    def __init__(self) -> None:
        super().__init__()
        self.product = ops.MatMul()

    def construct(self, x: Tensor, y: Tensor) -> Tensor:
        return self.product(x, y)

    def bprop(self, x: Tensor, y: Tensor, out: Tensor, dout: Tensor) -> Any:
        return x + 1, y + 1


class Slopes(nn.Cell):
    """All gradients of a Cell, as a Cell."""

    def __init__(self, cell: nn.Cell):
        super().__init__()
        self.cell = cell
        self.operation = ops.GradOperation(get_all=True)

    def construct(self, x: Tensor, y: Tensor) -> Any:
        return self.operation(self.cell)(x, y)


X = Tensor([[0.5, 0.6, 0.4], [1.2, 1.3, 1.1]], dtype=tc.float32)
Y = Tensor([[0.01, 0.3, 1.1], [0.1, 0.2, 1.3], [2.1, 1.2, 3.3]], dtype=tc.float32)


def test_the_rule_replaces_the_derivative(capsys: pytest.CaptureFixture[str]) -> None:
    print(Slopes(PlusOne())(X, Y))
    assert capsys.readouterr().out == (
        "(Tensor(shape=[2, 3], dtype=Float32, value=\n"
        "[[ 1.50000000e+00,  1.60000002e+00,  1.39999998e+00],\n"
        " [ 2.20000005e+00,  2.29999995e+00,  2.09999990e+00]]), Tensor(shape=[3, 3], dtype=Float32, value=\n"
        "[[ 1.00999999e+00,  1.29999995e+00,  2.09999990e+00],\n"
        " [ 1.10000002e+00,  1.20000005e+00,  2.29999995e+00],\n"
        " [ 3.09999990e+00,  2.20000005e+00,  4.30000019e+00]]))\n"
    )
    with pytest.raises(AssertionError, match="central differences give"):
        gradcheck(PlusOne(), X, Y)


class Relu(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.op = ops.ReLU()

    def construct(self, x: Tensor) -> Tensor:
        return self.op(x)


class Relu6(nn.Cell):
    """relu6 whose second derivative is that of relu: the rule is computed by a Cell, which is differentiated."""

    def __init__(self) -> None:
        super().__init__()
        self.op = ops.ReLU6()
        self.slope = Relu()

    def construct(self, x: Tensor) -> Tensor:
        return self.op(x)

    def bprop(self, x: Tensor, out: Tensor, dout: Tensor) -> Any:
        return (self.slope(x),)


def test_the_second_derivative_goes_through_the_rule(capsys: pytest.CaptureFixture[str]) -> None:
    print(ops.grad(ops.grad(Relu6()))(X))
    assert capsys.readouterr().out == "[[1. 1. 1.]\n [1. 1. 1.]]\n"
    with pytest.raises(AssertionError):
        gradcheck(Relu6(), X)


class Weighted(nn.Cell):
    """w · x with a rule that gives the weight's gradient too."""

    def __init__(self) -> None:
        super().__init__()
        self.w = Parameter(Tensor(np.array([2.0], dtype=np.float32)), name="weight")
        self.internal_params = [self.w]

    def construct(self, x: Tensor) -> Tensor:
        return self.w * x

    def bprop(self, *args: Any) -> Any:
        return (self.w * args[-1],), {self.w: args[0] * args[-1]}


def test_a_rule_with_a_weight_inside() -> None:
    net = Weighted()
    by_x, by_w = grad(net, 0, net.w)(Tensor([3.0]))
    assert (by_x.item(), by_w.item()) == (2.0, 3.0)


class Debugging(nn.Cell):
    """x · y · y with a rule that says x + y and x · y."""

    def construct(self, x: Tensor, y: Tensor) -> Tensor:
        z = x * y
        return z * y

    def bprop(self, x: Tensor, y: Tensor, out: Tensor, dout: Tensor) -> Any:
        return x + y, x * y


def test_a_rule_as_a_debugging_tool() -> None:
    found = grad(Debugging(), (0, 1))(Tensor(1, tc.float32), Tensor(2, tc.float32))
    assert str(found) == "(Tensor(shape=[], dtype=Float32, value= 3), Tensor(shape=[], dtype=Float32, value= 2))"


# The spiking neuron ------------------------------------------------------------------------------------------------


class Step(nn.Cell):
    """1 above 0, else 0; backward the slope of a steep sigmoid."""

    def __init__(self) -> None:
        super().__init__()
        self.sigmoid, self.greater = ops.Sigmoid(), ops.Greater()

    def construct(self, x: Tensor) -> Tensor:
        return self.greater(x, 0).astype(tc.float32)

    def bprop(self, x: Tensor, out: Tensor, dout: Tensor) -> Any:
        s = self.sigmoid(x * 5.0)
        return (dout * (1 - s) * s * 5.0,)


class Neuron(nn.Cell):
    """Integrates its input, fires at the threshold, and is set back by what it fired."""

    def __init__(self, threshold: float = 1.0, fire: bool = True):
        super().__init__()
        self.threshold, self.fire, self.step = threshold, fire, Step()

    def construct(self, x: Tensor, v: Tensor) -> Any:
        v = v + x
        if self.fire:
            spike = self.step(v - self.threshold) * self.threshold
            v -= spike
            return spike, v
        return v, v


@pytest.mark.parametrize(
    ("u", "slope"),
    [(0.0, 1.25), (0.5, 0.35052), (-0.5, 0.35052), (1.0, 0.03324), (-1.0, 0.03324), (200.0, 0.0), (-200.0, 0.0)],
)
def test_the_surrogate_s_slope_also_far_out(u: float, slope: float) -> None:
    assert grad(Step())(Tensor([u])).item() == pytest.approx(slope, abs=5e-6)
    assert Step()(Tensor([u])).tolist() == [float(u > 0)]


def test_the_neuron_fires_and_is_set_back() -> None:
    spike, v = Neuron()(Tensor([0.4, 0.8]), Tensor([0.5, 0.5]))
    assert spike.tolist() == [0.0, 1.0]
    np.testing.assert_allclose(v.asnumpy(), [0.9, 0.3], rtol=1e-6)
    quiet, potential = Neuron(fire=False)(Tensor([0.4]), Tensor([0.5]))
    assert quiet is potential


def test_gradients_go_back_through_time() -> None:
    neuron, steps = Neuron(), 6

    def spikes(current: Tensor) -> Tensor:
        v, total = Tensor([0.0]), Tensor([0.0])
        for _ in range(steps):
            spike, v = neuron(current, v)
            total = total + spike
        return total

    assert spikes(Tensor([0.35])).item() == 2.0
    v, dv, total = 0.0, 0.0, 0.0  # by hand: v ← v + i; fires where v > 1; v ← v − spike
    for _ in range(steps):
        v, dv = v + 0.35, dv + 1.0
        s = 1 / (1 + np.exp(-5 * (v - 1)))
        slope = 5 * s * (1 - s)
        total += slope * dv
        v, dv = v - float(v > 1), dv - slope * dv
    assert grad(spikes)(Tensor([0.35])).item() == pytest.approx(total, rel=1e-5)
