"""Mapping over containers, choosing by type, loops, and InsertGradientOf."""

from __future__ import annotations

from typing import Any

import pytest

import teachcell as tc
from teachcell import Tensor, grad, ops

X, Y = Tensor([1.0, 2.0]), Tensor([3.0, 4.0])


def listed(value: Any) -> Any:
    return tuple(map(listed, value)) if isinstance(value, tuple) else value.tolist()


def test_maps_over_containers() -> None:
    double = ops.partial(ops.Mul(), Tensor(2.0))
    assert listed(ops.HyperMap()(double, (X, (Y,)))) == ([2.0, 4.0], ([6.0, 8.0],))
    assert listed(ops.HyperMap(ops.add)([X, [Y]], [X, [X]])) == ([2.0, 4.0], ([4.0, 6.0],))
    assert listed(ops.Map(ops.add)((X, Y), (Y, X))) == ([4.0, 6.0], [4.0, 6.0])
    order: list[float] = []
    found = ops.Map(lambda t: order.append(t[0].item()) or t, reverse=True)((X, Y))
    assert order == [3.0, 1.0] and found[0] is X


def test_bodies_are_chosen_by_type() -> None:
    add = ops.MultitypeFuncGraph("add")

    @add.register("Tensor", "Tensor")
    def _tensors(a: Tensor, b: Tensor) -> Tensor:
        return a + b

    @add.register("Number", "Tensor")
    def _number(a: float, b: Tensor) -> Tensor:
        return a * b

    @add.register(tuple, "None")
    def _rest(a: Any, b: Any) -> str:
        return "rest"

    assert add(X, Y).tolist() == [4.0, 6.0] and add(2, X).tolist() == [2.0, 4.0] and add((), None) == "rest"
    assert listed(ops.HyperMap(add)((X, X), (X, Y))) == ([2.0, 4.0], [4.0, 6.0])
    assert grad(lambda x: ops.HyperMap(add)((x, x), (x, Y)))(X).tolist() == [3.0, 3.0]


def test_loops_are_python_s_and_differentiable() -> None:
    assert ops.ForiLoop()(0, 4, lambda i, v: v + i, Tensor(1.0)).item() == 7.0
    assert ops.WhileLoop()(lambda v: v < 5, lambda v: v + 2, Tensor(1.0)).item() == 5.0
    carry, steps = ops.Scan()(lambda c, e: (c + e, c * e), Tensor(1.0), [Tensor(1.0), Tensor(2.0)], 2)
    assert carry.item() == 4.0 and [s.item() for s in steps] == [1.0, 4.0]
    assert ops.Scan()(lambda c, _: (c * 2, c), Tensor(1.0), None, 3)[0].item() == 8.0
    assert grad(lambda x: ops.ForiLoop()(0, 3, lambda i, v: v * x, Tensor(1.0)))(Tensor(2.0)).item() == 12.0


def test_a_gradient_is_replaced_on_its_way() -> None:
    seen: list[Any] = []

    def halve(gradient: Tensor) -> Tensor:
        seen.append(gradient.tolist())
        return gradient * 0.5

    tap = ops.InsertGradientOf(halve)
    assert tap(X).tolist() == X.tolist()
    assert grad(lambda x: tap(x * 3) * 2)(X).tolist() == [3.0, 3.0] and seen == [[2.0, 2.0]]


def test_the_rest(capsys: pytest.CaptureFixture[str]) -> None:
    assert ops.depend(X, Y) is X and ops.Depend()(X, Y) is X
    ops.Print()("x", Tensor(2.0), tc.Parameter(Tensor([1])), 3)
    assert capsys.readouterr().out.splitlines() == [
        "x", "Tensor(shape=[], dtype=Float32, value= 2)", "Tensor(shape=[1], dtype=Int64, value= [1])", "3",
    ]  # fmt: skip
    assert ops.HyperMap()(ops.exp, X).tolist() == ops.exp(X).tolist()
    assert ops.HyperMap(ops.add)(X, Y).tolist() == (X + Y).tolist()
    assert tc.ops.partial(pow, 2)(3) == 8


def test_what_is_stopped_keeps_its_form() -> None:
    state = ops.stop_gradient((X, [Y, 2], {"x": X}, None))
    assert type(state) is tuple and type(state[1]) is list and state[1][1] == 2 and state[3] is None
    assert state[0] is not X and state[0].tolist() == X.tolist() and state[2]["x"].tolist() == X.tolist()
    assert grad(lambda x: (ops.StopGradient()((x, x))[0] * x).sum())(X).tolist() == X.tolist()
