"""Layers around one formula, and those that arrange elements: values, gradients, and what they refuse."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import special

import teachcell as tc
from teachcell import Tensor, gradcheck, nn

DRAWS = np.random.default_rng(6)
X = DRAWS.normal(size=(2, 3, 4))
SQUARE = DRAWS.normal(size=(2, 3, 3))


def close(got: Any, want: Any) -> None:
    np.testing.assert_allclose(got.asnumpy(), want, rtol=1e-6, atol=1e-9)


# Products -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("has_bias", [True, False])
def test_bidense(has_bias: bool) -> None:
    layer = nn.BiDense(3, 4, 5, has_bias=has_bias, dtype=tc.float64)
    a, b = DRAWS.normal(size=(2, 6, 3)), DRAWS.normal(size=(2, 6, 4))
    want = np.einsum("nti,oij,ntj->nto", a, layer.weight.asnumpy(), b)
    want = want + layer.bias.asnumpy() if layer.bias is not None else want
    close(layer(Tensor(a), Tensor(b)), want)
    close(layer(Tensor(a[0, 0]), Tensor(b[0, 0])), want[0, 0])
    assert gradcheck(layer, Tensor(a[0]), Tensor(b[0]), order=2)
    names = [(p.name, p.shape) for p in layer.get_parameters()]
    assert names == [("weight", (5, 3, 4)), ("bias", (5,))][: 1 + has_bias]
    bias = ", has_bias=True" * has_bias
    assert repr(layer) == f"BiDense(in1_channels=3, in2_channels=4, output_channels=5{bias})"


def test_first_values_of_bidense() -> None:
    wide = nn.BiDense(25, 40, 50)
    assert all(0.18 < np.abs(p.asnumpy()).max() <= 0.2 for p in wide.get_parameters())
    assert nn.BiDense(2, 3, 1, "ones", "ones")(Tensor([1.0, 2.0]), Tensor([1.0, 2.0, 3.0])).tolist() == [19.0]


def test_linear_is_dense() -> None:
    layer = nn.Linear(3, 2, bias=False, weight_init="ones")
    assert layer(Tensor([1.0, 2.0, 3.0])).tolist() == [6.0, 6.0] and layer.bias is None
    assert isinstance(layer, nn.Dense) and nn.Linear(3, 2).bias is not None


def test_products_of_matrices() -> None:
    a, b = DRAWS.normal(size=(2, 3, 4)), DRAWS.normal(size=(2, 5, 4))
    close(nn.MatMul(transpose_x2=True)(Tensor(a), Tensor(b)), a @ b.swapaxes(1, 2))
    close(nn.MatMul(True)(Tensor(a[0]), Tensor(a[0])), a[0].T @ a[0])


# Lengths and moments ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("axis", [0, -1, (0, 2), ()])
@pytest.mark.parametrize("keep", [False, True])
def test_reductions(axis: Any, keep: bool) -> None:
    axes = tuple(range(3)) if axis == () else axis
    x = Tensor(X)
    close(nn.Norm(axis, keep)(x), np.sqrt((X**2).sum(axes, keepdims=keep)))
    mean, variance = nn.Moments(axis, keep)(x)
    close(mean, X.mean(axes, keepdims=keep))
    close(variance, X.var(axes, keepdims=keep))
    close(nn.ReduceLogSumExp(axis, keep)(x), special.logsumexp(X, axes, keepdims=keep))
    close(nn.ReduceLogSumExp(axis)(Tensor(X + 1000)), special.logsumexp(X, axes) + 1000)


def test_gradients_of_reductions() -> None:
    for layer in (nn.Norm(1), nn.Moments((0, 1)), nn.ReduceLogSumExp(-1)):
        assert gradcheck(layer, Tensor(X), order=2)


def test_likeness() -> None:
    a, b = DRAWS.normal(size=(2, 3)), DRAWS.normal(size=(2, 3))
    for dim in (0, 1):
        want = (a * b).sum(dim) / np.sqrt((a**2).sum(dim) * (b**2).sum(dim))
        close(nn.CosineSimilarity(dim)(Tensor(a), Tensor(b)), want)
    assert gradcheck(nn.CosineSimilarity(), Tensor(a), Tensor(b))


@pytest.mark.parametrize("axis", [None, 0, (0, 1)])
def test_clipping_by_length(axis: Any) -> None:
    lengths = np.sqrt((X**2).sum(axis, keepdims=True))
    most = float(np.median(lengths)) * 0.9
    want = X * np.minimum(most / lengths, 1)
    for limit in (most, Tensor(most)):
        close(nn.ClipByNorm(axis)(Tensor(X), limit), want)
    assert np.array_equal(nn.ClipByNorm(axis)(Tensor(X), 1e3).asnumpy(), X)
    assert gradcheck(lambda x: nn.ClipByNorm(axis)(x, most), Tensor(X), order=2)
    by_row = nn.ClipByNorm(1)(Tensor([[1.0, 2.0], [3.0, 4.0]]), Tensor([[1.0], [2.0]]))
    close(by_row, [[0.4472136, 0.8944272], [1.2, 1.6]])
    assert nn.ClipByNorm()(Tensor([0.0, 0.0]), 1.0).tolist() == [0.0, 0.0]
    assert tc.grad(lambda x: nn.ClipByNorm()(x, 1.0))(Tensor([0.0, 0.0])).tolist() == [1.0, 1.0]


def test_the_sum_of_absolute_weights() -> None:
    assert nn.L1Regularizer(0.5)(Tensor([[1.0, -2.0], [3.0, -4.0]])).item() == 5.0
    assert nn.L1Regularizer(1)(Tensor([1, -2])).dtype is tc.float32
    assert tc.grad(nn.L1Regularizer(0.5))(Tensor([2.0, -1.0, 0.0])).tolist() == [0.5, -0.5, 0.0]


# Matrices and functions of probability ------------------------------------------------------------------------------


def test_functions_of_matrices() -> None:
    close(nn.MatDet()(Tensor(SQUARE)), np.linalg.det(SQUARE))
    close(nn.MatInverse()(Tensor(SQUARE)), np.linalg.inv(SQUARE))
    close(nn.MatrixDiag()(Tensor(X[0])), np.array([np.diag(row) for row in X[0]]))
    close(nn.MatrixDiagPart()(Tensor(X)), np.array([np.diag(m) for m in X]))
    changed = SQUARE.copy()
    changed[:, np.arange(3), np.arange(3)] = X[:, :, 0]
    close(nn.MatrixSetDiag()(Tensor(SQUARE), Tensor(X[:, :, 0])), changed)
    close(nn.Tril()(Tensor(SQUARE)), np.tril(SQUARE))
    close(nn.Tril()(Tensor(SQUARE), 1), np.tril(SQUARE, 1))
    close(nn.Triu()(Tensor(SQUARE), -1), np.triu(SQUARE, -1))


def test_functions_of_probability() -> None:
    a, b = DRAWS.uniform(0.3, 3, (2, 3)), DRAWS.uniform(0.3, 3, (2, 3))
    close(nn.LGamma()(Tensor(a)), special.gammaln(a))
    close(nn.DiGamma()(Tensor(a)), special.psi(a))
    close(nn.IGamma()(Tensor(a), Tensor(b)), special.gammainc(a, b))
    close(nn.LBeta()(Tensor(a), Tensor(b)), special.betaln(a, b))
    assert gradcheck(nn.LBeta(), Tensor(a), Tensor(b), order=2)


# Arrangement --------------------------------------------------------------------------------------------------------


def test_the_identity() -> None:
    x = Tensor(X)
    assert nn.Identity(3, name="anything")(x) is x and nn.Identity()("text") == "text"


def test_splitting_and_rolling_axes() -> None:
    assert nn.Unflatten(1, (3, 1))(Tensor(X)).shape == (2, 3, 1, 4)
    assert nn.Unflatten(-1, [2, -1])(Tensor(X)).shape == (2, 3, 2, 2)
    close(nn.Unflatten(-1, (2, 2))(Tensor(X)), X.reshape(2, 3, 2, 2))
    assert repr(nn.Unflatten(1, [2, 2])) == "Unflatten(axis=1, unflattened_size=(2, 2))"
    close(nn.Roll(1, 0)(Tensor(X)), np.roll(X, 1, 0))
    close(nn.Roll([1, -2], [0, 2])(Tensor(X)), np.roll(X, (1, -2), (0, 2)))


def test_one_element_per_class() -> None:
    assert nn.OneHot(depth=3)(Tensor([0, 2, 5])).tolist() == [[1, 0, 0], [0, 0, 1], [0, 0, 0]]
    found = nn.OneHot(0, 3, 5, -1, tc.int32)(Tensor([[0, 2]]))
    assert found.tolist() == [[[5, -1]], [[-1, -1]], [[-1, 5]]] and found.dtype is tc.int32


@pytest.mark.parametrize(
    ("args", "want", "dtype"),
    [
        ((5,), [0, 1, 2, 3, 4], tc.int32), ((1, 8, 2), [1, 3, 5, 7], tc.int32), ((5, 1, -2), [5, 3], tc.int32),
        ((1.0, 3.0, 0.5), [1, 1.5, 2, 2.5], tc.float32), ((1.0,), [0], tc.float32), ((1, 2.5), [1, 2], tc.float32),
    ],
)  # fmt: skip
def test_ranges(args: tuple[Any, ...], want: list[float], dtype: Any) -> None:
    layer = nn.Range(*args)
    assert layer().tolist() == want and layer().dtype is dtype
    layer()[0] = 9
    assert layer().tolist() == want


def test_one_layer_at_every_step_of_time() -> None:
    layer = nn.Dense(4, 2)
    for axis in (0, 1, -2):
        joined = nn.TimeDistributed(layer, axis)(Tensor(X.astype(np.float32)))
        np.testing.assert_allclose(joined.asnumpy(), layer(Tensor(X.astype(np.float32))).asnumpy(), rtol=1e-5)
    names = [p.name for p in nn.TimeDistributed(layer, 1, reshape_with_axis=0).get_parameters()]
    assert names == ["layer.weight", "layer.bias"]


# What is refused ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "kind", "text"),
    [
        (lambda x: nn.BiDense(0, 1, 1), ValueError, "BiDense: in1_channels must be a positive int, got 0"),
        (lambda x: nn.BiDense(4, 4, 1)(x, x[0]), ValueError, r"input2 has shape \(3, 4\), expected \(2, 3, 4\)"),
        (lambda x: nn.BiDense(3, 4, 1)(x, x), ValueError, r"input1 has shape \(2, 3, 4\), expected \(2, 3, 3\)"),
        (lambda x: nn.BiDense(3, 4, 1)([1.0], x), TypeError, "input1 must be a Tensor, got list"),
        (lambda x: nn.ClipByNorm()(x, 0.0), ValueError, r"ClipByNorm.clip_norm must .*\(0, ∞\)"),
        (lambda x: nn.ClipByNorm()(x, Tensor(-1.0)), ValueError, "ClipByNorm.clip_norm"),
        (lambda x: nn.L1Regularizer(0), ValueError, "L1Regularizer.scale"),
        (lambda x: nn.L1Regularizer("a"), TypeError, "L1Regularizer.scale"),
        (lambda x: nn.Unflatten("a", (2, 2)), TypeError, "Unflatten: axis must be an int, got 'a'"),
        (lambda x: nn.Unflatten(3, (2, 2))(x), ValueError, "3"),
        (lambda x: nn.Unflatten(2, (3, 2))(x), ValueError, r"Reshape failed on \(2, 3, 4\)"),
        (lambda x: nn.OneHot(depth=0), ValueError, "OneHot: depth must be a positive int"),
        (lambda x: nn.Range(0, 1, 0), ValueError, "Range: delta must not be 0"),
        (lambda x: nn.TimeDistributed(nn.Identity(), 3)(x), ValueError, "3"),
    ],
)
def test_layers_refuse(make: Any, kind: type[Exception], text: str) -> None:
    with pytest.raises(kind, match=text):
        make(Tensor(X))
