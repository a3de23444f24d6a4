"""Random ops as objects. One with a seed of its own goes on from draw to draw; two with the same seed draw the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...core.dtypes import as_dtype, float32, int32, int64
from ...core.public import Primitive, publish_class
from ...core.tensor import Tensor, wrap
from ...kernels import random as K
from ...kernels.special import special
from . import random as R
from .filled import lengths_of


class _OwnSeed(int):
    """The seed of one object: a key of its own among the streams, whatever the number."""

    __eq__ = object.__eq__
    __hash__ = object.__hash__


def _publish(name: str, function: Callable[..., Any], *init: str) -> None:
    """Publish a class form that takes ``init`` and, unless that names it, ``seed`` and ``seed2`` at construction."""
    names = init if "seed" in init else ("seed", "seed2", *init)

    def __init__(self: Primitive, *args: Any, **attrs: Any) -> None:
        Primitive.__init__(self, *args, **attrs)
        seeds = self.attrs.pop("seed", 0), self.attrs.pop("seed2", 0)
        self.attrs["seed"] = _OwnSeed(max(seeds))

    publish_class(name, function, names, {"seed": 0, "seed2": 0}, __init__=__init__)


def _uniform_real(shape: Any, seed: int) -> Tensor:
    """Numbers in [0, 1), all equally likely, Float32."""
    return R.rand(lengths_of(shape), seed=seed)


def _uniform_int(shape: Any, minval: Any, maxval: Any, seed: int) -> Tensor:
    """Whole numbers minval … maxval − 1, all equally likely, Int32."""
    return R.randint(minval, maxval, shape, seed, dtype=int32)


def _poisson(shape: Any, mean: Any, seed: int) -> Tensor:
    """Counts of mean ``mean``, Poisson-distributed, Int32."""
    return R.poisson(shape, mean, seed).astype(int32)


def _random_poisson(shape: Any, rate: Any, seed: int, dtype: Any = int64) -> Tensor:
    """``random_poisson``, Int64 by default."""
    return R.random_poisson(shape, rate, seed, dtype)


def _truncated_normal(shape: Any, seed: int, dtype: Any = float32) -> Tensor:
    """Numbers with density that of ``standard_normal`` within −2 … 2, and none outside."""
    low, high = 0.02275013194817921, 0.9772498680518208  # Φ(−2), Φ(2)
    share = K.stream("truncated_normal", seed).uniform(low, high, lengths_of(shape))
    return wrap(special().ndtri(share).astype(as_dtype(dtype).numpy))


def _bernoulli(x: Any, p: Any, seed: int, offset: int = 0) -> Tensor:
    """``bernoulli``."""
    return R.bernoulli(x, p, seed)


def _multinomial(x: Any, num_samples: int, seed: int, dtype: Any = int32) -> Tensor:
    """``multinomial`` with replacement."""
    return R.multinomial(x, num_samples, True, seed).astype(dtype)


def _random_categorical(logits: Any, num_sample: int, seed: Any = 0, dtype: Any = int64) -> Tensor:
    """``random_categorical``; the seed is given at the call."""
    return R.random_categorical(logits, num_sample, seed, dtype)


def _ints(shape: Any, dtype: Any = int64) -> Tensor:
    """Any whole numbers of the dtype."""
    limits = np.iinfo(as_dtype(dtype).numpy)
    return wrap(K.generator().integers(limits.min, limits.max, lengths_of(shape), limits.dtype, endpoint=True))


_publish("UniformReal", _uniform_real)
_publish("UniformInt", _uniform_int)
_publish("StandardNormal", R.standard_normal)
_publish("StandardLaplace", R.standard_laplace)
_publish("TruncatedNormal", _truncated_normal, "dtype", "seed", "seed2")
_publish("Gamma", R.gamma)
_publish("RandomGamma", R.random_gamma)
_publish("Poisson", _poisson)
_publish("RandomPoisson", _random_poisson, "seed", "seed2", "dtype")
_publish("Bernoulli", _bernoulli, "seed", "offset")
_publish("Multinomial", _multinomial, "seed", "seed2", "dtype")
_publish("RandomShuffle", R.shuffle)
_publish("RandomChoiceWithMask", R.choice_with_mask, "count", "seed", "seed2")
_publish(
    "UniformCandidateSampler", R.uniform_candidate_sampler,
    "num_true", "num_sampled", "unique", "range_max", "seed", "remove_accidental_hits",
)  # fmt: skip
publish_class("RandpermV2", R.randperm, ("seed", "offset", "dtype"))
publish_class("RandomCategorical", _random_categorical, ("dtype",))
publish_class("NonDeterministicInts", _ints, ("dtype",))
