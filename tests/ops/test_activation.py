"""Activations and the softmax family: random ones, class forms, sizes at which naive formulas fail."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import teachcell as tc
from teachcell import Tensor, grad, gradcheck, ops

FAR = {  # value and slope at 1000 and at −1000
    "relu": ([1000, 0], [1, 0]), "relu6": ([6, 0], [0, 0]), "leaky_relu": ([1000, -200], [1, 0.2]),
    "elu": ([1000, -1], [1, 0]), "celu": ([1000, -1], [1, 0]), "selu": ([1050.7009, -1.7580993], [1.0507009, 0]),
    "gelu": ([1000, 0], [1, 0]), "fast_gelu": ([1000, 0], [1, 0]), "silu": ([1000, 0], [1, 0]),
    "mish": ([1000, 0], [1, 0]), "softplus": ([1000, 0], [1, 0]),
    "softsign": ([1000 / 1001, -1000 / 1001], [1001**-2, 1001**-2]),
    "hardsigmoid": ([1, 0], [0, 0]), "hardswish": ([1000, 0], [1, 0]), "hardtanh": ([1, -1], [0, 0]),
    "hardshrink": ([1000, -1000], [1, 1]), "softshrink": ([999.5, -999.5], [1, 1]),
    "tanhshrink": ([999, -999], [1, 1]), "logsigmoid": ([0, -1000], [0, 1]), "sigmoid": ([1, 0], [0, 0]),
    "tanh": ([1, -1], [0, 0]),
}  # fmt: skip


@pytest.mark.parametrize("dtype", [tc.float16, tc.float32, tc.float64])
@pytest.mark.parametrize("name", FAR)
def test_far_from_zero(name: str, dtype: Any) -> None:
    function, (values, slopes) = getattr(ops, name), FAR[name]
    x = Tensor([1000.0, -1000.0], dtype)
    tolerance = {"rtol": 2e-3, "atol": 2e-6} if dtype is tc.float16 else {"rtol": 1e-6, "atol": 1e-12}
    np.testing.assert_allclose(function(x).asnumpy().astype(float), values, **tolerance)
    np.testing.assert_allclose(grad(function)(x).asnumpy().astype(float), slopes, **tolerance)


def test_approximate_gelu_far_from_zero() -> None:
    for dtype in (tc.float16, tc.float32):
        x = Tensor([1000.0, -1000.0, 3e4, -3e4], dtype)
        assert ops.gelu(x, "tanh").asnumpy().astype(float).tolist() == pytest.approx([1000, 0, 3e4, 0], rel=1e-3)
        assert grad(lambda t: ops.gelu(t, "tanh"))(x).tolist() == [1, 0, 1, 0]


def test_class_forms_with_defaults_of_their_own() -> None:
    x = Tensor([-1.5, 0.3, 1.5])
    assert ops.GeLU()(x).tolist() == ops.gelu(x, "tanh").tolist() != ops.gelu(x).tolist()
    assert ops.FastGeLU()(x).tolist() == ops.fast_gelu(x).tolist()
    assert ops.GLU(axis=0)(x[:2]).shape == (1,)
    assert ops.PReLU()(x, Tensor([0.5])).tolist() == [-0.75, x[1].item(), 1.5]


def test_prelu_has_one_weight_or_one_per_channel() -> None:
    x = Tensor(np.random.default_rng(0).normal(size=(2, 3, 2, 2)))
    for weight in (Tensor(np.array([0.1, 0.2, 0.3])), Tensor(np.array([0.4]))):
        slopes = weight.asnumpy().reshape(-1, 1, 1)
        np.testing.assert_allclose(
            ops.prelu(x, weight).asnumpy(), np.where(x.asnumpy() > 0, x.asnumpy(), slopes * x.asnumpy())
        )
        assert gradcheck(ops.prelu, x, weight, order=2)
        assert grad(ops.prelu, 1)(x, weight).shape == weight.shape
    assert ops.prelu(Tensor(-2.0), Tensor([0.25])).tolist() == -0.5
    with pytest.raises(ValueError, match=r"weight has shape \(2,\); an input of shape \(2, 3, 2, 2\) .* 3 \(axis 1\)"):
        ops.prelu(x, Tensor([0.1, 0.2]))


def test_rrelu_draws_a_slope_for_each_element_that_is_not_positive() -> None:
    x = Tensor(np.array([-1.0] * 500 + [2.0] * 500))
    y = ops.rrelu(x, 0.2, 0.4).asnumpy()
    assert (y[500:] == 2).all() and -0.4 <= y[:500].min() < -0.38 and -0.22 < y[:500].max() <= -0.2
    tc.set_seed(1)
    slopes = grad(ops.rrelu)(x).asnumpy()
    tc.set_seed(1)
    np.testing.assert_allclose(slopes * x.asnumpy(), ops.rrelu(x).asnumpy())
    assert gradcheck(lambda t: ops.rrelu(t * t - 2), Tensor([0.5, 1.0, 2.0]), order=2)
    assert ops.rrelu(x, 0.3, 0.3).tolist() == ops.leaky_relu(x, 0.3).tolist()


def test_softmax_in_another_dtype() -> None:
    x = Tensor([1.0, 2.0], tc.float16)
    assert ops.softmax(x, dtype=tc.float64).dtype is tc.float64 is ops.softmin(x, 0, dtype=tc.float64).dtype
    assert ops.softmax([1, 2]).dtype is tc.float32
    assert grad(lambda t: ops.softmax(t, dtype=tc.float32)[0])(x).dtype is tc.float16


@pytest.mark.parametrize("size", [1.0, 100.0])
@pytest.mark.parametrize("function", [ops.softmax, ops.softmin, ops.log_softmax])
def test_softmax_refuses_the_same_axes_for_small_and_large_inputs(function: Any, size: float) -> None:
    with pytest.raises(ValueError, match="axis -1 is out of range for 0 axes"):
        function(Tensor(size))
    with pytest.raises(TypeError, match="axis=1.0: "):
        function(Tensor([[size, 2.0]]), 1.0)


def test_gumbel_softmax_chooses_by_the_scores() -> None:
    logits = Tensor(np.log(np.tile([0.7, 0.2, 0.1], (4000, 1))))
    soft = ops.gumbel_softmax(logits, tau=0.5).asnumpy()
    np.testing.assert_allclose(soft.sum(1), 1)
    hard = ops.gumbel_softmax(logits, hard=True).asnumpy()
    assert set(np.unique(hard)) == {0.0, 1.0} and (hard.sum(1) == 1).all()
    np.testing.assert_allclose(hard.mean(0), [0.7, 0.2, 0.1], atol=0.03)
    assert ops.gumbel_softmax(logits[:3].T, hard=True, dim=0).asnumpy().sum(0).tolist() == [1, 1, 1]


def test_the_hard_choice_has_the_gradient_of_the_soft_one() -> None:
    logits, weights = Tensor(np.array([[0.3, -0.2, 1.0]])), Tensor(np.array([1.0, 2.0, 4.0]))
    assert gradcheck(lambda t: ops.gumbel_softmax(t, 0.7), logits, order=2)
    slopes = []
    for hard in (True, False):
        tc.set_seed(3)
        slopes.append(grad(lambda t, h=hard: ops.gumbel_softmax(t, 0.7, h) * weights)(logits).asnumpy())
    np.testing.assert_allclose(*slopes)
    assert slopes[0].any()


@pytest.mark.parametrize(
    ("use", "text"),
    [
        (lambda x: ops.gelu(x, "erf"), "GELU failed .* approximate must be 'none' or 'tanh', got 'erf'"),
        (lambda x: ops.glu(x, 1), r"glu halves axis 1, whose length must be even; the input has shape \(2, 3\)"),
        (lambda x: ops.glu(x, 2), "axis 2 is out of range for 2 axes"),
        (lambda x: ops.celu(x, 0.0), "alpha must lie in .*, got 0.0"),
        (lambda x: ops.softshrink(x, -1), "lambd must lie in"),
        (lambda x: ops.hardtanh(x, 1.0, -1.0), r"max_val must lie in \[1.0, ∞\), got -1.0"),
        (lambda x: ops.rrelu(x, 0.5, 0.1), r"upper must lie in \[0.5, ∞\), got 0.1"),
        (lambda x: ops.softplus(x, 0), r"beta must lie in \(0, ∞\), got 0"),
        (lambda x: ops.gumbel_softmax(x, 0), r"gumbel_softmax.tau must lie in \(0, ∞\), got 0"),
        (lambda x: ops.softmax(x, 2), "axis 2 is out of range for 2 axes"),
    ],
)
def test_what_does_not_fit_is_refused(use: Any, text: str) -> None:
    with pytest.raises(ValueError, match=text):
        use(Tensor(np.ones((2, 3))))


def test_nan_is_not_hidden() -> None:
    x = Tensor([np.nan])
    for name in set(FAR) - {"hardshrink", "tanhshrink"}:
        assert np.isnan(getattr(ops, name)(x).item()), name


def test_integers_become_floats_where_the_result_is_not_whole() -> None:
    for name in set(FAR) - {"relu", "relu6"}:
        assert getattr(ops, name)([-1, 2]).dtype is tc.float32, name
    assert ops.relu(Tensor([-1, 2])).tolist() == [0, 2] and ops.relu6(Tensor([7], tc.int32)).dtype is tc.int32
