"""Backward rules that give weights their gradients (``internal_params``), and rules as ``_Function``."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import teachcell as tc
from teachcell import Parameter, ParameterTuple, Tensor, grad, gradcheck, nn

X, Y = Tensor([2.0]), Tensor([5.0])


class Weighted(nn.Cell):
    def __init__(self, kind: Any = list, result: Any = None):
        super().__init__()
        self.a = Parameter(Tensor([3.0]), name="a")
        self.b = Parameter(Tensor([4.0]), name="b")
        self.internal_params = kind([self.a, self.b])
        self.result = result

    def construct(self, x: Tensor) -> Tensor:
        return self.a * x + self.b

    def bprop(self, x: Tensor, out: Tensor, dout: Tensor) -> Any:
        if self.result is not None:
            return self.result(self, x, dout)
        return (self.a * dout,), {self.b: dout, self.a: x * dout}  # the order does not matter


@pytest.mark.parametrize("kind", [list, tuple, ParameterTuple])
def test_internal_params_get_their_gradients_by_name_of_the_weight(kind: Any) -> None:
    net = Weighted(kind)
    gx, (ga, gb) = grad(net, 0, [net.a, net.b])(X)
    assert (gx.item(), ga.item(), gb.item()) == (3.0, 2.0, 1.0)
    twice = grad(lambda x: net(net(x)), None, [net.a, net.b])(X)
    assert [g.item() for g in twice] == [3 * 2.0 + 10.0, 3 + 1.0]
    assert grad(net)(X).item() == 3.0
    assert gradcheck(net, X, order=2)


def test_a_weight_of_none_is_zero_and_a_missing_one_an_error() -> None:
    net = Weighted(result=lambda me, x, dout: ((dout,), {me.a: None, me.b: dout}))
    assert [g.item() for g in grad(net, None, [net.a, net.b])(X)] == [0.0, 1.0]
    for result in (
        lambda me, x, dout: (dout,), lambda me, x, dout: ((dout,), {}), lambda me, x, dout: ((dout,), {me.a: dout}),
        lambda me, x, dout: ((dout,), [dout, dout]),
    ):  # fmt: skip
        broken = Weighted(result=result)
        with pytest.raises(RuntimeError, match=r"Weighted has internal_params.*with a, b, got"):
            grad(broken, None, [broken.a, broken.b])(X)


def test_a_weight_s_gradient_is_checked_under_its_name() -> None:
    net = Weighted(result=lambda me, x, dout: ((dout,), {me.a: Tensor(1.0), me.b: dout}))
    with pytest.raises(RuntimeError, match=r"the gradient of a has shape \(\), the input \(1,\)"):
        grad(net, None, [net.a])(X)


def test_frozen_internal_params_need_no_entry() -> None:
    net = Weighted(result=lambda me, x, dout: ((dout * 3,), {me.a: x * dout}))
    net.b.requires_grad = False
    assert [g.item() for g in grad(net, None, [net.a, net.b])(X)] == [2.0, 0.0]


# _Function -----------------------------------------------------------------------------------------------------------


class Scaled(tc._Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, factor: float, y: Tensor) -> Any:
        ctx.save_for_backward(x, y)
        ctx.factor = factor
        return x * y * factor, x

    @staticmethod
    def backward(ctx: Any, first: Tensor, second: Tensor) -> Any:
        x, y = ctx.saved_tensors
        return first * y * ctx.factor + second, None, first * x * ctx.factor


def test_function_style() -> None:
    gx, gy = grad(lambda x, y: Scaled.apply(x, 3.0, y)[0], (0, 1))(X, Y)
    assert (gx.item(), gy.item()) == (15.0, 6.0)
    assert grad(lambda x, y: Scaled.apply(x, 3.0, y))(X, Y).item() == 16.0
    assert [t.item() for t in Scaled.apply(X, 3.0, Y)] == [30.0, 2.0]

    class Short(Scaled):
        @staticmethod
        def backward(ctx: Any, first: Tensor, second: Tensor) -> Any:
            return first, None

    class Empty(tc._Function):
        @staticmethod
        def forward(ctx: Any, x: Tensor) -> Tensor:
            return x * 2

    with pytest.raises(RuntimeError, match=r"Short\.backward returned 2 gradient\(s\) for 3"):
        grad(lambda x: Short.apply(x, 3.0, Y))(X)
    with pytest.raises(NotImplementedError, match=r"backward\(ctx"):
        grad(Empty.apply)(X)
    with pytest.raises(NotImplementedError, match=r"forward\(ctx"):
        tc._Function.apply(X)


def test_function_gradients_are_checked_like_those_of_bprop() -> None:
    class Wrong(tc._Function):
        result: Any = None

        @staticmethod
        def forward(ctx: Any, x: Tensor) -> Tensor:
            return x * 2

        @classmethod
        def backward(cls, ctx: Any, dout: Tensor) -> Any:
            return cls.result

    for result, kind in ((np.ones(1), TypeError), (Tensor(1.0), RuntimeError)):
        Wrong.result = result
        with pytest.raises(kind, match=r"Wrong\.backward: the gradient of input 0"):
            grad(Wrong.apply)(X)
    Wrong.result = Tensor([3.0], tc.float64)
    assert grad(Wrong.apply)(X).dtype is tc.float32
