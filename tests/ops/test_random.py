"""Random draws: reproducible, distributed as they say, with gradients where parameters shift or scale them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import stats

import teachcell as tc
from teachcell import Tensor, grad, ops, set_seed
from teachcell.kernels import random as draws

N = (4000,)
DRAWS: dict[str, tuple[Any, Any]] = {
    "rand": (lambda: ops.rand(N), stats.uniform()),
    "uniform": (lambda: ops.uniform(N, 1.0, 3.0), stats.uniform(1, 2)),
    "randn": (lambda: ops.randn(*N), stats.norm()),
    "standard_normal": (lambda: ops.standard_normal(N), stats.norm()),
    "normal": (lambda: ops.normal(N, 2.0, 0.5), stats.norm(2, 0.5)),
    "standard_laplace": (lambda: ops.standard_laplace(N), stats.laplace()),
    "laplace": (lambda: ops.laplace(N, 2.0, 0.5), stats.laplace(2, 0.5)),
    "gamma": (lambda: ops.gamma(N, 2.0, 4.0), stats.gamma(2, scale=0.25)),
    "random_gamma": (lambda: ops.random_gamma(N, 3.0), stats.gamma(3)),
    "TruncatedNormal": (lambda: ops.TruncatedNormal()(N), stats.truncnorm(-2, 2)),
    "LogNormalReverse": (lambda: ops.LogNormalReverse(0.5, 0.2)(ops.zeros(N)), stats.lognorm(0.2, scale=np.exp(0.5))),
    "UniformReal": (lambda: ops.UniformReal()(N), stats.uniform()),
    "StandardNormal": (lambda: ops.StandardNormal(seed=3)(N), stats.norm()),
}
WHOLE: dict[str, tuple[Any, Any]] = {
    "randint": (lambda: ops.randint(2, 6, N), stats.randint(2, 6)),
    "uniform": (lambda: ops.uniform(N, Tensor(2), Tensor(6), dtype=tc.int32), stats.randint(2, 6)),
    "UniformInt": (lambda: ops.UniformInt()(N, 2, 6), stats.randint(2, 6)),
    "poisson": (lambda: ops.poisson(N, 2.0), stats.poisson(2)),
    "RandomPoisson": (lambda: ops.RandomPoisson()(N, Tensor(2.0)), stats.poisson(2)),
    "bernoulli": (lambda: ops.bernoulli(ops.zeros(N), 0.3), stats.bernoulli(0.3)),
    "multinomial": (
        lambda: ops.multinomial(Tensor([1.0, 0.0, 3.0]), 4000), stats.rv_discrete(values=([0, 2], [0.25, 0.75])),
    ),
    "random_categorical": (
        lambda: ops.random_categorical(ops.log(Tensor([[0.2, 0.8]])), 4000)[0], stats.bernoulli(0.8),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", DRAWS)
def test_draws_are_distributed_as_they_say(name: str) -> None:
    set_seed(7)
    draw, law = DRAWS[name]
    values = draw().asnumpy()
    assert values.dtype == np.float32 and stats.kstest(values, law.cdf).pvalue > 0.001


@pytest.mark.parametrize("name", WHOLE)
def test_whole_draws_are_distributed_as_they_say(name: str) -> None:
    set_seed(7)
    draw, law = WHOLE[name]
    found, counts = np.unique(draw().asnumpy(), return_counts=True)
    expected = 4000 * law.pmf(found)
    assert expected.sum() > 3990 and (np.abs(counts - expected) < 5 * np.sqrt(expected) + 5).all()


def test_a_seed_makes_draws_come_again() -> None:
    def both() -> list[Any]:
        set_seed(3)
        found = ops.rand(3), ops.randn(2, seed=4), ops.randn(2, seed=4), ops.UniformReal(seed=5)((2,))
        return [t.tolist() for t in found]

    first = both()
    assert both() == first and first[1] != first[2]


def test_an_object_with_a_seed_goes_on_and_another_begins_anew() -> None:
    a, b = ops.StandardNormal(seed=2), ops.StandardNormal(seed=2)
    first = a((3,)).tolist()
    assert a((3,)).tolist() != first == b((3,)).tolist() and repr(a) == "StandardNormal(seed=2)"


def test_a_state_includes_the_streams_of_ops_with_a_seed_of_their_own() -> None:
    ops.rand(2, seed=9)
    state = draws.state()
    first = ops.rand(2, seed=9).tolist(), ops.rand(2).tolist()
    set_seed(1)
    draws.restore(state)
    assert (ops.rand(2, seed=9).tolist(), ops.rand(2).tolist()) == first


def test_dtypes_and_shapes() -> None:
    assert ops.rand().shape == (1,) and ops.rand((2, 3)).shape == ops.rand(2, 3).shape == (2, 3)
    assert ops.rand(2, dtype=tc.float16).dtype is tc.float16 and ops.rand_like(Tensor(np.zeros(2))).dtype is tc.float64
    assert ops.randn_like(Tensor([1]), dtype=tc.float16).dtype is tc.float16
    assert ops.randint(1, 3, (2,)).dtype is tc.int64 and ops.randint_like(Tensor([1], tc.int32), 0, 9).dtype is tc.int32
    assert ops.randperm(4).dtype is tc.int64 and sorted(ops.randperm(4, dtype=tc.int32).tolist()) == [0, 1, 2, 3]
    assert sorted(ops.RandpermV2()(3).tolist()) == [0, 1, 2]
    assert ops.normal((3, 1), Tensor([1.0, 2.0]), 1.0).shape == (3, 2)
    assert ops.laplace((3, 1), 0.0, Tensor([1.0, 2.0])).shape == (3, 2)
    assert ops.random_poisson(Tensor([2]), Tensor([1.0, 2.0]), dtype=tc.int32).shape == (2, 2)
    assert ops.RandomGamma()((2,), Tensor([1.0])).shape == (2, 1) and ops.Poisson()((2,), 1.0).dtype is tc.int32
    assert ops.bernoulli(Tensor([1, 2]), Tensor([0.0, 1.0])).tolist() == [0, 1]
    assert ops.Bernoulli()(Tensor([7, 7]), Tensor([0.0, 1.0])).tolist() == [0, 1]
    assert ops.multinomial(Tensor([[0.0, 1.0], [1.0, 0.0]]), 2).tolist() == [[1, 1], [0, 0]]
    assert sorted(ops.multinomial(Tensor([1.0, 2.0, 3.0]), 3, replacement=False).tolist()) == [0, 1, 2]
    assert ops.Multinomial(dtype=tc.int64)(Tensor([1.0]), 2).dtype is tc.int64
    assert ops.multinomial_with_replacement(Tensor([0.0, 1.0]), 1, 2, 3, True).tolist() == [1, 1, 1]
    assert ops.MultinomialWithReplacement(2, True)(Tensor([0.0, 1.0]), 1, 2).dtype is tc.int64
    assert ops.RandomCategorical(tc.int32)(Tensor([[0.0, 50.0]]), 2, 0).tolist() == [[1, 1]]
    assert ops.NonDeterministicInts(tc.int32)((2,)).dtype is tc.int32


@pytest.mark.parametrize("draw", [ops.normal, ops.laplace])
def test_parameters_that_shift_and_scale_get_gradients(draw: Any) -> None:
    drawn: list[Tensor] = []

    def total(mean: Tensor, width: Tensor) -> Tensor:
        drawn.append(draw((5,), mean, width))
        return drawn[0].sum()

    mean, width = grad(total, (0, 1))(Tensor(1.0), Tensor(2.0))
    assert mean.item() == 5 and width.item() == pytest.approx((drawn[0].asnumpy() - 1).sum() / 2, rel=1e-4)


def test_bounds_get_gradients() -> None:
    low, high = grad(lambda a, b: ops.uniform((100,), a, b).mean(), (0, 1))(Tensor(0.0), Tensor(1.0))
    assert low.item() + high.item() == pytest.approx(1, rel=1e-4)


def test_shuffle_takes_gradients_along() -> None:
    x = Tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    drawn: list[Tensor] = []

    def weighted(t: Tensor) -> Tensor:
        drawn.append(ops.shuffle(t))
        return (drawn[0] * Tensor([[1.0], [2.0], [3.0]])).sum()

    slope = grad(weighted)(x)
    order = [[1.0, 3.0, 5.0].index(row[0]) for row in drawn[0].tolist()]
    assert sorted(order) == [0, 1, 2] and [slope[i, 0].item() for i in order] == [1, 2, 3]
    assert ops.shuffle(Tensor(1.0)).item() == 1 and sorted(ops.RandomShuffle(seed=1)(x[:, 0]).tolist()) == [1, 3, 5]


def test_choices() -> None:
    mask = Tensor([[True, False], [True, True]])
    places, there = ops.RandomChoiceWithMask(count=4)(mask)
    assert sorted(places.tolist()[:3]) == [[0, 0], [1, 0], [1, 1]] and there.tolist() == [True, True, True, False]
    assert ops.choice_with_mask(mask, 2)[0].shape == (2, 2)
    drawn, true, sampled = ops.uniform_candidate_sampler(Tensor([[1], [3]]), 1, 3, True, 4)
    assert len(set(drawn.tolist())) == 3 and true.tolist() == [[0.75], [0.75]] and sampled.tolist() == [0.75] * 3
    others = ops.UniformCandidateSampler(1, 2, True, 4, 1, True)(Tensor([[1], [3]]))[0]
    assert sorted(others.tolist()) == [0, 2]
