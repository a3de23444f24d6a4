"""Normalisation as functions and classes of ``ops``."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from ops.samples.norm import batch_norm as by_the_batch
from ops.samples.norm import batch_norm_inference, group_norm, layer_norm, lrn, rms_norm

import teachcell as tc
from teachcell import Parameter, Tensor, grad, gradcheck, ops

DRAWS = np.random.default_rng(9)


def drawn(*shape: int) -> Tensor:
    return Tensor(DRAWS.normal(size=shape))


def same(got: Tensor, want: Any) -> None:
    np.testing.assert_allclose(got.asnumpy(), want, 1e-10, 1e-12)


def test_weights_may_be_left_out() -> None:
    x = drawn(2, 4, 3)
    one, zero = np.ones(4), np.zeros(4)
    same(ops.group_norm(x, 2), group_norm(x.asnumpy(), one, zero, 2))
    same(ops.group_norm(x, 2, Tensor(one * 2)), group_norm(x.asnumpy(), one * 2, zero, 2))
    same(ops.instance_norm(x), group_norm(x.asnumpy(), one, zero, 4))
    same(ops.layer_norm(x, 3), layer_norm(x.asnumpy(), np.ones(3), np.zeros(3)))
    same(ops.layer_norm(x, (4, 3), bias=Tensor(np.ones((4, 3)))), layer_norm(x.asnumpy(), np.ones((4, 3)), 1.0, 2))
    same(ops.batch_norm(x, Tensor(zero), Tensor(one)), batch_norm_inference(x.asnumpy(), one, zero, zero, one))
    assert ops.layer_norm(Tensor(np.ones((2, 2), np.float16)), (2,)).dtype is tc.float16
    assert ops.layer_norm([[1, 3]], 2).dtype is tc.float32


@pytest.mark.parametrize("kind", [Parameter, Tensor])
def test_batch_norm_in_training_moves_the_running_statistics(kind: Any) -> None:
    x, w, b = drawn(4, 3), drawn(3), drawn(3)
    running, spread = kind(Tensor(np.ones(3))), kind(Tensor(np.full(3, 2.0)))
    y = ops.batch_norm(x, running, spread, w, b, training=True, momentum=0.25)
    same(y, by_the_batch(x.asnumpy(), w.asnumpy(), b.asnumpy())[0])
    same(running, 0.75 + 0.25 * x.asnumpy().mean(0))
    same(spread, 1.5 + 0.25 * x.asnumpy().var(0, ddof=1))


def test_batch_norm_as_a_class_tells_the_statistics() -> None:
    x, w, b, mean, variance = drawn(4, 3), drawn(3), drawn(3), drawn(3), Tensor([1.0, 2.0, 3.0], tc.float64)
    y, *told = ops.BatchNorm()(x, w, b, mean, variance)
    same(y, batch_norm_inference(*(t.asnumpy() for t in (x, w, b, mean, variance))))
    assert [t.tolist() for t in told] == [mean.tolist(), variance.tolist()] * 2
    y, of_batch, spread, *_ = ops.BatchNorm(is_training=True, epsilon=0.1)(x, w, b, mean, variance)
    want = by_the_batch(x.asnumpy(), w.asnumpy(), b.asnumpy(), 0.1)
    for got, value in zip((y, of_batch, spread), want, strict=True):
        same(got, value)


def test_layer_norm_as_a_class_returns_the_mean_and_one_over_sigma() -> None:
    x, gamma, beta = drawn(2, 4, 3), drawn(3), drawn(3)
    y, mean, rstd = ops.LayerNorm(begin_norm_axis=-1, begin_params_axis=-1)(x, gamma, beta)
    values = x.asnumpy()
    same(y, layer_norm(values, gamma.asnumpy(), beta.asnumpy(), eps=1e-7))
    same(mean, values.mean(-1, keepdims=True))
    same(rstd, 1 / np.sqrt(values.var(-1, keepdims=True) + 1e-7))
    y, mean, _ = ops.LayerNorm(begin_params_axis=2)(x, gamma, beta)
    same(y, layer_norm(values, gamma.asnumpy(), beta.asnumpy(), 2, 1e-7))
    assert mean.shape == (2, 1, 1)
    assert gradcheck(lambda t: ops.LayerNorm(-1, -1)(t, gamma, beta), x, order=2)


def test_rms_norm_returns_one_over_the_root_mean_square_too() -> None:
    x, gamma = drawn(2, 3), drawn(3)
    y, rstd = ops.rms_norm(x, gamma, 0.1)
    same(y, rms_norm(x.asnumpy(), gamma.asnumpy(), 0.1))
    same(rstd, 1 / np.sqrt((x.asnumpy() ** 2).mean(1, keepdims=True) + 0.1))
    same(ops.RmsNorm(epsilon=0.1)(x, gamma)[0], y.asnumpy())
    assert gradcheck(lambda t: ops.rms_norm(t, gamma), x, order=2)


def test_local_response_as_a_class() -> None:
    x = drawn(1, 4, 2, 2)
    same(ops.LRN(1, 2.0, 0.5, 0.75)(x), lrn(x.asnumpy(), 1, 2.0, 0.5, 0.75))


def test_integers_are_taken_as_float32() -> None:
    i = Tensor([[1, 2, 4], [3, 3, 9]])
    one = Tensor(np.ones(3, np.float32))
    for y in (ops.lrn(i, alpha=0.5), ops.rms_norm(i, one)[0], *ops.LayerNorm()(i, one, one), ops.layer_norm(i, 3)):
        assert y.dtype is tc.float32
    same(ops.lrn(i, 1, alpha=0.5), lrn(i.asnumpy().astype(np.float32), 1, alpha=0.5))


def test_a_constant_channel_has_no_gradient_and_the_others_sum_to_zero() -> None:
    x = Tensor([[1.0, 2.0, 4.0], [3.0, 3.0, 3.0]])
    slope = grad(lambda t: ops.layer_norm(t, 3) * Tensor([[1.0, 5.0, 2.0]] * 2))(x).asnumpy()
    np.testing.assert_allclose(slope.sum(1), 0, atol=2e-3)  # moving all together changes nothing
    np.testing.assert_allclose((slope[0] * x.asnumpy()[0]).sum(), 0, atol=1e-4)  # nor does stretching
