"""Initializers: distributions, exact patterns, names, a learner's own, and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import teachcell as tc
from teachcell import Tensor, nn
from teachcell.common.initializer import (
    Constant,
    Dirac,
    HeNormal,
    HeUniform,
    Identity,
    Initializer,
    Normal,
    One,
    Orthogonal,
    Sparse,
    TruncatedNormal,
    Uniform,
    VarianceScaling,
    XavierNormal,
    XavierUniform,
    initializer,
)


@pytest.mark.parametrize(
    ("init", "value"),
    [("ones", 1), ("one", 1), ("zeros", 0), ("Zero", 0), (2.5, 2.5), (True, 1), (Constant(3), 3), (One(), 1)],
)
def test_constant_kinds(init: Any, value: float) -> None:
    made = initializer(init, [2, 3], tc.float64)
    assert (made.shape, made.dtype) == ((2, 3), tc.float64) and (made.asnumpy() == value).all()
    assert initializer(init, 2).shape == (2,) and initializer(init, ()).shape == ()


@pytest.mark.parametrize(
    ("init", "low", "high", "std"),
    [
        (Normal(2.0, 5.0), None, None, 2.0), ("normal", None, None, 0.01), (Uniform(0.5), -0.5, 0.5, 0.5 / 3**0.5),
        ("uniform", -0.07, 0.07, 0.07 / 3**0.5), (XavierUniform(), -0.11, 0.11, (6 / 500) ** 0.5 / 3**0.5),
        (HeNormal(), None, None, (2 / 400) ** 0.5), (HeNormal(mode="fan_out"), None, None, (2 / 100) ** 0.5),
        (HeUniform(negative_slope=1.0), None, 0.0867, (1 / 400) ** 0.5), ("he_uniform", None, 0.1226, (2 / 400) ** 0.5),
        (TruncatedNormal(1.0, 0.0, -2.0, 2.0), -2.0, 2.0, 0.8796), ("truncatedNormal", -2.0, 2.0, 0.01),
        (XavierNormal(2.0), None, None, 2 * (2 / 500) ** 0.5), ("xavierNormal", None, None, (2 / 500) ** 0.5),
        (VarianceScaling(3.0), -0.197, 0.197, (3 / 400) ** 0.5), ("variance_scaling", None, None, (1 / 400) ** 0.5),
        (VarianceScaling(1.0, "fan_out", "untruncated_normal"), None, None, (1 / 100) ** 0.5),
        (VarianceScaling(1.0, "fan_avg", "uniform"), -0.1096, 0.1096, (1 / 250) ** 0.5),
    ],
    ids=str,
)  # fmt: skip
def test_random_kinds(init: Any, low: float | None, high: float | None, std: float) -> None:
    tc.set_seed(5)
    made = initializer(init, [100, 400]).asnumpy()
    assert made.std() == pytest.approx(std, rel=0.03)
    assert (low is None or made.min() >= low) and (high is None or made.max() <= high)


def test_fans_count_the_receptive_field() -> None:
    tc.set_seed(5)
    made = initializer(XavierUniform(), [10, 5, 3, 3]).asnumpy()
    assert 0.95 < np.abs(made).max() / np.sqrt(6 / ((10 + 5) * 9)) <= 1


@pytest.mark.parametrize(
    ("make", "kind", "text"),
    [
        (lambda: initializer("nothing", [1]), ValueError, "unknown initializer 'nothing'; known: ones, "),
        (lambda: initializer("ones", [-1]), ValueError, r"a shape is an int or a sequence of ints >= 0, got \[-1\]"),
        (lambda: initializer("ones", [1.5]), ValueError, "a shape is"),
        (lambda: initializer("ones", "12"), ValueError, "a shape is"),
        (lambda: initializer("ones"), TypeError, "got None"),
        (lambda: initializer(None, [1]), TypeError, "an initializer is a name, a number"),
        (lambda: initializer(Tensor([1.0]), [2]), ValueError, r"the Tensor has shape \(1,\), asked for \(2,\)"),
        (lambda: initializer("he_normal", [3]), ValueError, r"at least 2 axes, got shape \(3,\)"),
        (lambda: HeNormal(nonlinearity="no"), ValueError, "unknown nonlinearity 'no'; known: linear, "),
        (lambda: HeNormal(mode="fan"), ValueError, "mode must be one of 'fan_in', 'fan_out', got 'fan'"),
        (lambda: VarianceScaling(mode="fan"), ValueError, "mode must be one of 'fan_in', 'fan_out', 'fan_avg'"),
        (lambda: VarianceScaling(distribution="normal"), ValueError, "distribution must be one of 'truncated_normal'"),
        (lambda: VarianceScaling(-1), ValueError, r"VarianceScaling.scale must"),
        (lambda: Sparse(2), ValueError, r"Sparse.sparsity must"),
        (lambda: TruncatedNormal(0.01, a=1.0, b=2.0), ValueError, "next to nothing"),
        (lambda: TruncatedNormal(0.01, a=1.0, b=-1.0), ValueError, "next to nothing"),
        (lambda: initializer("orthogonal", [3]), ValueError, r"Orthogonal fills shapes of >= 2 axes, got \(3,\)"),
        (lambda: initializer("identity", [3, 3, 1]), ValueError, "Identity fills shapes of 2 axes"),
        (lambda: initializer("dirac", [3, 3]), ValueError, "Dirac fills shapes of 3, 4, 5 axes"),
        (lambda: initializer(Dirac(4), [6, 2, 3]), ValueError, "divisible by groups = 4"),
        (lambda: initializer(Dirac(0), [6, 2, 3]), ValueError, "divisible by groups = 0"),
        (lambda: initializer(Initializer(), [1]), NotImplementedError, "define _initialize"),
    ],
)
def test_initializers_refuse(make: Any, kind: type[Exception], text: str) -> None:
    with pytest.raises(kind, match=text):
        make()


def test_a_tensor_gives_its_values() -> None:
    source = Tensor([1.0, 2.0])
    made = initializer(source, (2,))
    made[0] = 9.0
    assert source.tolist() == [1.0, 2.0] and initializer(source).tolist() == [1.0, 2.0]


@pytest.mark.parametrize(("shape", "gain"), [((3, 5), 2.0), ((5, 3), 1.0), ((5, 2, 2), 1.0), ((4, 2, 2), 0.5)])
def test_orthogonal_rows_or_columns(shape: tuple[int, ...], gain: float) -> None:
    m = initializer(Orthogonal(gain), shape, tc.float64).asnumpy().reshape(shape[0], -1)
    product = m @ m.T if m.shape[0] <= m.shape[1] else m.T @ m
    np.testing.assert_allclose(product, gain**2 * np.eye(min(m.shape)), atol=1e-12)


def test_orthogonal_has_no_preferred_signs() -> None:
    tc.set_seed(1)
    diagonals = [np.diag(initializer(Orthogonal(), (2, 2)).asnumpy()) for _ in range(200)]
    assert abs(np.mean(diagonals)) < 0.1


def test_identity_and_dirac_hand_on_their_input() -> None:
    assert initializer(Identity(), (2, 3)).tolist() == [[1, 0, 0], [0, 1, 0]]
    grouped = initializer(Dirac(3), (6, 2, 3)).asnumpy()
    assert grouped[:, :, 1].tolist() == [[1, 0], [0, 1]] * 3 and grouped.sum() == 6
    assert initializer("dirac", (3, 2, 3)).asnumpy()[:, :, 1].tolist() == [[1, 0], [0, 1], [0, 0]]
    assert initializer(Dirac(), (1, 1, 3, 4, 5)).asnumpy()[0, 0, 1, 2, 2] == 1
    x = Tensor(np.random.default_rng(0).normal(size=(1, 3, 5, 4)).astype(np.float32))
    assert np.array_equal(nn.Conv2d(3, 3, 3, weight_init=Dirac())(x).asnumpy(), x.asnumpy())


@pytest.mark.parametrize(("sparsity", "zeros"), [(0.25, 2), (0.3, 2), (0.0, 0), (1.0, 5)])
def test_sparse_zeros_per_column(sparsity: float, zeros: int) -> None:
    tc.set_seed(2)
    made = initializer(Sparse(sparsity, 2.0), (5, 40)).asnumpy()
    assert ((made == 0).sum(axis=0) == zeros).all()
    if 0 < zeros < 5:
        assert made[made != 0].std() == pytest.approx(2.0, rel=0.2) and len(set(np.nonzero(made[:, 0] == 0)[0])) == 2
        assert ((made == 0).sum(axis=1) > 5).all()  # no row is spared


class Countdown(Initializer):
    def __init__(self, top: int):
        super().__init__(top=top)
        self.top = top

    def _initialize(self, arr: np.ndarray) -> None:
        arr[:] = self.top - np.arange(arr.size).reshape(arr.shape)


def test_an_initializer_of_ones_own() -> None:
    made = initializer(Countdown(3), (2, 2), tc.float16)
    assert made.tolist() == [[3, 2], [1, 0]] and made.dtype is tc.float16
    assert nn.Dense(2, 1, weight_init=Countdown(1)).weight.tolist() == [[1, 0]]
    assert Tensor(shape=(2,), dtype=tc.float32, init=Countdown(5)).tolist() == [5, 4]
