"""Products with the Jacobian, whole Jacobians, and vmap: values by hand, and one derivative beside the other."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import teachcell as tc
from teachcell import Parameter, Tensor, grad, gradcheck, jacfwd, jacrev, jvp, nn, ops, vjp, vmap

X, Y = Tensor([1.0, 2.0]), Tensor([3.0, 4.0])
A = Tensor([[2.0, 0.5, 0.0], [0.5, 1.0, -1.0], [0.0, -1.0, 3.0]])


def product(a: Tensor, b: Tensor) -> Tensor:
    return a * b + a


def two(a: Tensor) -> tuple[Tensor, Tensor]:
    return a * a, a.sum()


def listed(value: Any) -> Any:
    return [listed(v) for v in value] if isinstance(value, tuple) else value.tolist()


def test_jvp() -> None:
    assert listed(jvp(product, (X, Y), (X, Y))) == [[4.0, 10.0], [7.0, 18.0]]
    assert listed(jvp(two, X, X)) == [[[1.0, 4.0], 3.0], [[2.0, 8.0], 3.0]]
    assert listed(jvp(two, X, X, has_aux=True)) == [[1.0, 4.0], [2.0, 8.0], 3.0]
    value, push = ops.linearize(product, (X, Y))
    assert value.tolist() == [4.0, 10.0]
    assert push(X, Y).tolist() == push((X, Y)).tolist() == [7.0, 18.0]
    assert push((X * 0, Y)).tolist() == [3.0, 8.0]


def test_vjp() -> None:
    value, pull = vjp(product, X, Y)
    assert value.tolist() == [4.0, 10.0] and listed(pull(X)) == [[4.0, 10.0], [1.0, 4.0]]
    assert listed(pull(X * 2)) == [[8.0, 20.0], [2.0, 8.0]]  # again, without another forward
    assert listed(vjp(two, X)[1](X, Tensor(1.0))) == listed(vjp(two, X)[1]((X, Tensor(1.0)))) == [[3.0, 9.0]]
    value, pull, aux = vjp(lambda a: (a * a, a, 7), X, has_aux=True)
    assert (value.tolist(), aux[0].tolist(), aux[1]) == ([1.0, 4.0], [1.0, 2.0], 7)
    assert listed(pull(X)) == [[2.0, 8.0]]
    w = Parameter(Tensor([5.0, 6.0]), name="w")
    assert listed(vjp(lambda a: a * w, X, weights=w)[1](X)) == [[[5.0, 12.0]], [1.0, 4.0]]
    assert listed(vjp(lambda a: a * w, X, weights=[w])[1](X)) == [[[5.0, 12.0]], [[1.0, 4.0]]]


def test_the_forward_runs_once() -> None:
    runs: list[int] = []
    _, pull = vjp(lambda a: runs.append(1) or a * 2, X)
    pull(X), pull(Y)
    _, push = ops.linearize(lambda a: runs.append(1) or a * 2, X)
    push(X), push(Y)
    jacrev(lambda a: runs.append(1) or a * 2)(X)
    assert len(runs) == 3
    _, pull = vjp(lambda a: ops.dropout(a, 0.5), Tensor(np.ones(100, np.float32)))
    assert pull(Tensor(np.ones(100, np.float32)))[0].tolist() == pull(Tensor(np.ones(100, np.float32)))[0].tolist()


def test_integers_have_no_tangent() -> None:
    n = Tensor([1, 2])
    assert listed(jvp(lambda a, i: a * i, (X, n), (X, n))) == [[1.0, 4.0], [1.0, 4.0]]
    assert listed(jvp(lambda a: (a, a.argmax()), X, X))[1] == [[1.0, 2.0], 0]
    assert listed(vjp(lambda a, i: a * i, X, n)[1](X)) == [[1.0, 4.0], [0, 0]]


def test_jacobians() -> None:
    for jacobian in (jacrev, jacfwd):
        assert jacobian(lambda a: a * a)(X).tolist() == [[2.0, 0.0], [0.0, 4.0]]
        assert listed(jacobian(product, (0, 1))(X, Y)) == [[[4.0, 0.0], [0.0, 5.0]], [[1.0, 0.0], [0.0, 2.0]]]
        assert jacobian(product, (1,))(X, Y).tolist() == [[1.0, 0.0], [0.0, 2.0]]
        assert listed(jacobian(two)(X)) == [[[2.0, 0.0], [0.0, 4.0]], [1.0, 1.0]]
        assert listed(jacobian(two, 0, True)(X)) == [[[2.0, 0.0], [0.0, 4.0]], 3.0]
        both = jacobian(lambda a, b: (a * b, b.sum()), (0, 1))(X, Y)
        assert [[block.shape for block in row] for row in both] == [[(2, 2), (2, 2)], [(2,), (2,)]]
        weight = jacobian(lambda m: m @ X, 0)(Tensor(np.ones((3, 2), np.float32)))
        assert weight.shape == (3, 3, 2) and weight[1, 1].tolist() == [1.0, 2.0] and weight[0, 1].tolist() == [0, 0]
        empty = jacobian(lambda a: a[:0] * 2)(X)
        assert (empty.shape, empty.dtype) == ((0, 2), tc.float32)


@pytest.mark.parametrize("outer", [jacrev, jacfwd])
@pytest.mark.parametrize("inner", [jacrev, jacfwd])
def test_hessians(outer: Any, inner: Any) -> None:
    def f(x: Tensor) -> Tensor:
        return 0.5 * (x @ (A @ x)) + (x**3).sum()

    hessian = outer(inner(f))(Tensor([1.0, -2.0, 0.5]))
    assert hessian.tolist() == [[8.0, 0.5, 0.0], [0.5, -11.0, -1.0], [0.0, -1.0, 6.0]]
    assert outer(inner(lambda x: x.sum() * x.sum()))(X).tolist() == [[2.0, 2.0], [2.0, 2.0]]


def test_products_can_be_differentiated_again() -> None:
    one = Tensor([1.0, 1.0])
    for slope in (lambda a: jvp(lambda b: b**3, a, one)[1], lambda a: vjp(lambda b: b**3, a)[1](one)[0]):
        assert grad(slope)(X).tolist() == [6.0, 12.0]
        assert gradcheck(slope, X, order=2)
    assert jvp(lambda a: grad(lambda b: (b**3).sum())(a), X, X)[1].tolist() == [6.0, 24.0]


def test_cells_with_hooks_and_rules_of_their_own() -> None:
    class Tenfold(nn.Cell):
        def construct(self, x: Tensor) -> Tensor:
            return x * x

        def bprop(self, x: Tensor, out: Tensor, dout: Tensor) -> Any:
            return (dout * 10.0,)

    assert listed(jvp(Tenfold(), X, X)) == [[1.0, 4.0], [10.0, 20.0]]
    net, seen = nn.Dense(2, 1), []  # type: ignore[var-annotated]
    net.register_backward_hook(lambda cell, grad_input, grad_output: seen.append(grad_output[0].tolist()))
    vjp(net, X.reshape(1, 2))[1](Tensor([[3.0]]))
    assert seen == [[[3.0]]]


def test_the_older_cells() -> None:
    class Mul(nn.Cell):
        def construct(self, a: Tensor, b: Tensor) -> Tensor:
            return a * b

    assert listed(nn.Jvp(nn.ReLU())(X, X)) == [[1.0, 2.0], [1.0, 2.0]]
    assert listed(nn.Jvp(Mul())(X, Y, (X, X))) == [[3.0, 8.0], [4.0, 12.0]]
    assert listed(nn.Vjp(nn.ReLU())(X, Y)) == [[1.0, 2.0], [3.0, 4.0]]
    assert listed(nn.Vjp(Mul())(X, Y, X)) == [[3.0, 8.0], [[3.0, 8.0], [1.0, 4.0]]]


def test_custom_vjp() -> None:
    @tc.custom_vjp
    def scaled(a: Tensor, b: Tensor) -> Tensor:
        return a * b

    assert listed(grad(scaled, (0, 1))(X, Y)) == [[3.0, 4.0], [1.0, 2.0]]
    scaled.defbwd(lambda a, b, out, dout: (dout * 10.0, dout * b))
    assert scaled(X, Y).tolist() == [3.0, 8.0]
    assert listed(grad(scaled, (0, 1))(X, Y)) == [[10.0, 10.0], [3.0, 4.0]]


def test_vmap() -> None:
    rows = Tensor(np.arange(6, dtype=np.float32).reshape(3, 2))
    assert vmap(product)(rows, rows).tolist() == (rows * rows + rows).tolist()
    assert vmap(product, in_axes=(0, None), out_axes=1)(rows, Y).shape == (2, 3)
    first, second = vmap(lambda a: (a, a.sum()), in_axes=-1, out_axes=(1, 0))(rows)
    assert first.tolist() == rows.tolist() and second.tolist() == [6.0, 9.0]
    assert grad(lambda r: vmap(ops.tanh)(r).sum())(rows).shape == (3, 2)
    slopes = vmap(grad(lambda a: (a * a).sum()))(rows)
    assert slopes.tolist() == (rows * 2).tolist()
