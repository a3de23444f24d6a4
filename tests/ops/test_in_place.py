"""Methods that write in place: the value, the family of views, and gradients as if memory were written."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from teachcell import Parameter, Tensor, grad, gradcheck, ops, set_seed
from teachcell.nn.seed import Generator

WRITES: dict[str, tuple[Any, Any]] = {  # what is called, and the same without writing
    "add_": (lambda x: x.add_(Tensor([2.0, 3.0]), alpha=2), lambda x: x + 2 * Tensor([2.0, 3.0])),
    "sub_": (lambda x: x.sub_(1.0), lambda x: x - 1),
    "mul_": (lambda x: x.mul_(x), lambda x: x * x),
    "div_": (lambda x: x.div_(2.0), lambda x: x / 2),
    "floor_divide_": (lambda x: x.floor_divide_(2.0), lambda x: x // 2),
    "remainder_": (lambda x: x.remainder_(2.0), lambda x: x % 2),
    "exp_": (lambda x: x.exp_(), lambda x: x.exp()),
    "tanh_": (lambda x: x.tanh_(), lambda x: x.tanh()),
    "sigmoid_": (lambda x: x.sigmoid_(), lambda x: x.sigmoid()),
    "clamp_": (lambda x: x.clamp_(0.0, 1.2), lambda x: x.clamp(0.0, 1.2)),
    "copy_": (lambda x: x.copy_(x[0]), lambda x: x[0].broadcast_to((2,))),
    "fill_": (lambda x: x.fill_(7), lambda x: x * 0 + 7),
    "zero_": (lambda x: x.zero_(), lambda x: x * 0),
    "masked_fill_": (lambda x: x.masked_fill_(x > 2, 9.0), lambda x: x.masked_fill(x > 2, 9.0)),
    "masked_scatter_": (lambda x: x.masked_scatter_(x > 0, x * 3), lambda x: x * 3),
    "index_add_": (
        lambda x: x.index_add_(0, Tensor([1]), x[:1], alpha=2), lambda x: x + ops.stack([0 * x[0], 2 * x[0]]),
    ),
    "index_copy_": (lambda x: x.index_copy_(0, Tensor([1]), x[:1]), lambda x: ops.stack([x[0], x[0]])),
    "index_fill_": (lambda x: x.index_fill_(0, Tensor([1]), 9.0), lambda x: ops.index_fill(x, 0, 1, 9.0)),
    "index_put_": (lambda x: x.index_put_((Tensor([1]),), x[0]), lambda x: ops.stack([x[0], x[0]])),
    "scatter_": (lambda x: x.scatter_(0, Tensor([1]), x[:1]), lambda x: ops.stack([x[0], x[0]])),
    "scatter_add_": (lambda x: x.scatter_add_(0, Tensor([1]), x[:1]), lambda x: ops.stack([x[0], x[0] + x[1]])),
}  # fmt: skip


@pytest.mark.parametrize("name", WRITES)
def test_a_write_in_place_is_the_value_without_it(name: str) -> None:
    write, value = WRITES[name]
    x = Tensor(np.array([0.7, 2.5]))
    want = value(x).asnumpy().copy()
    y = x.copy()
    assert write(y) is y
    np.testing.assert_array_equal(y.asnumpy(), want)

    def program(t: Tensor) -> Tensor:
        u = t * 2.0
        before = u * u  # keeps u's value before the write
        write(u)
        return (u * u + before).sum()

    plain = grad(lambda t: (value(t * 2.0) ** 2 + (t * 2.0) ** 2).sum())(x)
    np.testing.assert_allclose(grad(program)(x).asnumpy(), plain.asnumpy(), rtol=1e-12)
    assert gradcheck(program, x, order=2) and x.tolist() == [0.7, 2.5]


def test_a_write_into_a_view_reaches_the_base() -> None:
    x = Tensor([[1.0, 2.0], [3.0, 4.0]])
    x[0].add_(5.0)
    x.T[0].zero_()
    assert x.tolist() == [[0, 7], [0, 4]]
    assert Tensor(np.zeros((2, 2))).fill_diagonal_(1.0).tolist() == [[1, 0], [0, 1]]
    p = Parameter(Tensor([1.0, 2.0]))
    assert p.mul_(2.0) is p and p.tolist() == [2, 4]
    assert ops.CopyWithSlice()(x[1], Tensor([8.0, 9.0])).tolist() == x[1].tolist() == [8, 9]


def test_random_values_in_place() -> None:
    set_seed(1)
    x = Tensor(np.zeros(4000, np.float32))
    assert ops.uniform_(x, 2, 3) is x and x.asnumpy().min() >= 2 and x.asnumpy().max() <= 3
    assert abs(x.normal_(5.0, 0.1).asnumpy().mean() - 5) < 0.02 and abs(ops.normal_(x).asnumpy().std() - 1) < 0.05
    assert set(np.unique(x.random_(3).asnumpy())) == {0, 1, 2} and set(np.unique(x.random_(2, 4).asnumpy())) == {2, 3}
    assert x.random_().asnumpy().max() <= 2**24 and Tensor([0, 0]).random_().asnumpy().min() >= 0
    assert abs(x.exponential_(2.0).asnumpy().mean() - 0.5) < 0.05
    assert abs(x.bernoulli_(0.3).asnumpy().mean() - 0.3) < 0.05
    assert x.fill_(1.0).bernoulli().asnumpy().all() and not x.zero_().bernoulli().asnumpy().any()
    assert grad(lambda t: (t * 1.0).uniform_().sum())(Tensor([1.0])).tolist() == [0]


def test_a_generator_of_one_s_own() -> None:
    g, x = Generator().manual_seed(5), Tensor([0.0, 0.0])
    first = x.normal_(generator=g).tolist()
    assert x.normal_(generator=g).tolist() != first
    assert x.normal_(generator=g.manual_seed(5)).tolist() == first
