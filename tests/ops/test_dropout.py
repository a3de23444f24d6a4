"""Dropout: random, so its properties are tested."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import teachcell as tc
from teachcell import Tensor, grad, gradcheck, ops


def test_dropout_scales_what_it_keeps_and_sends_the_gradient_through_the_same_mask() -> None:
    x = Tensor(np.full(20_000, 3.0, np.float32))
    gradient = grad(lambda t: ops.dropout(t, 0.2))
    y = ops.dropout(x, 0.2).asnumpy()
    assert set(np.unique(y)) == {0.0, np.float32(3.75)}
    assert abs((y == 0).mean() - 0.2) < 0.02
    value: list[Tensor] = []
    slope = grad(lambda t: value.append(ops.dropout(t, 0.2)) or value[0])(x)  # type: ignore[func-returns-value]
    np.testing.assert_allclose(slope.asnumpy() * 3, value[0].asnumpy())
    assert abs(gradient(x).asnumpy().mean() - 1) < 0.02
    assert ops.dropout(x, 0.5, training=False).tolist() == x.tolist()
    assert ops.dropout(x, 0.0).tolist() == x.tolist()
    assert gradcheck(lambda t: ops.dropout(t * t, 0.5), Tensor([1.0, 2.0, 3.0]), order=2)


def test_a_seed_draws_from_a_stream_of_its_own() -> None:
    x = ops.ones((50,))
    tc.set_seed(5)
    plain = ops.dropout(x).tolist()
    seeded = []
    for _ in range(2):
        tc.set_seed(5)
        seeded.append([ops.dropout(x, seed=3).tolist() for _ in range(2)])
        assert ops.dropout(x).tolist() == plain
    assert seeded[0] == seeded[1] and seeded[0][0] != seeded[0][1]


CHANNELS = [
    (ops.dropout1d, (200, 6), 1), (ops.dropout1d, (40, 25, 6), 2), (ops.dropout2d, (8, 25, 3, 2), 2),
    (ops.dropout3d, (8, 25, 2, 1, 3), 2),
]  # fmt: skip


@pytest.mark.parametrize(("function", "shape", "units"), CHANNELS)
def test_channels_are_dropped_whole(function: Any, shape: tuple[int, ...], units: int) -> None:
    x = Tensor(np.random.default_rng(1).uniform(1, 2, shape))
    y = function(x, 0.25).asnumpy()
    kept = (y != 0).reshape(np.prod(shape[:units]), -1)
    assert (kept == kept[:, :1]).all() and 0.6 < kept.mean() < 0.9
    np.testing.assert_allclose(y, np.where(y != 0, x.asnumpy() / 0.75, 0))
    assert function(x, 1.0).asnumpy().any() == False  # noqa: E712
    assert function(x, 0.5, training=False).tolist() == x.tolist() == function(x, 0).tolist()
    assert gradcheck(lambda t: function(t * t, 0.5), x[:2], order=2)


@pytest.mark.parametrize("name", ["Dropout2D", "Dropout3D"])
def test_the_class_forms_give_the_mask_as_well(name: str) -> None:
    shape = (4, 25, 3, 2) if name == "Dropout2D" else (4, 25, 3, 2, 1)
    x = Tensor(np.random.default_rng(1).normal(size=shape))
    y, mask = getattr(ops, name)(0.8)(x)
    assert (mask.dtype.name, mask.shape) == ("bool", x.shape)
    per_channel = mask.asnumpy().reshape(100, 6)
    assert (per_channel == per_channel[:, :1]).all() and 0.6 < per_channel.mean() < 0.95
    np.testing.assert_allclose(y.asnumpy(), np.where(mask.asnumpy(), x.asnumpy() * 1.25, 0))
    assert gradcheck(lambda t: getattr(ops, name)(0.8)(t * t)[0], x[:1, :4], order=2)
    assert getattr(ops, name)(0.0)(x)[0].asnumpy().any() == False  # noqa: E712


def test_the_class_form_of_elements_gives_a_mask_of_their_dtype() -> None:
    x = Tensor(np.full((30, 40), 3.0, np.float32))
    y, mask = ops.Dropout(keep_prob=0.6)(x)
    assert (mask.dtype, set(np.unique(mask.asnumpy()))) == (tc.float32, {0.0, 1.0})
    np.testing.assert_allclose(y.asnumpy(), mask.asnumpy() * 5)
    assert grad(lambda t: ops.Dropout(0.5)(t)[1] * t)(x).shape == x.shape
    assert gradcheck(lambda t: ops.Dropout(0.5)(t * t)[0], Tensor([1.0, 2.0, 3.0]), order=2)
    assert ops.Dropout(1.0)(x)[0].tolist() == x.tolist()
