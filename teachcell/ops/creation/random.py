"""Random draws. ``set_seed`` restarts them all; an op with a seed of its own goes on from draw to draw.

Where a draw is a shift or a multiple of a standard one, the parameters get gradients through it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.dtypes import DType, as_dtype, float32, int32, int64, of_array
from ...core.op import TENSORS as T
from ...core.public import public
from ...core.record import operand
from ...core.tensor import Tensor, wrap
from ...core.tracing import asarray
from ...kernels import random as K
from ...kernels.arguments import common_shape, in_interval, whole, with_axes
from ...texts import say
from .filled import lengths_of

Seed = int | None


def _kind(dtype: Any, kinds: str, name: str) -> DType:
    """The dtype; ValueError unless of one of the NumPy ``kinds``."""
    found = as_dtype(dtype)
    if found.numpy.kind not in kinds:
        raise ValueError(say("errors.random_dtype", name=name, got=found))
    return found


def _drawn(values: Any, dtype: DType = float32) -> Tensor:
    return wrap(asarray(values).astype(dtype.numpy))


def _together(op: str, shape: Any, *parameters: Any) -> tuple[tuple[int, ...], list[Tensor]]:
    """The shape of a draw, repeated to those of its parameters, and these as float Tensors."""
    tensors = [operand(p) for p in parameters]
    tensors = [t if t._array.dtype.kind == "f" else t.astype(float32) for t in tensors]
    return common_shape(op, lengths_of(shape), *[t.shape for t in tensors]), tensors


# Uniform ---------------------------------------------------------------------------------------------------------


def _sizes(size: tuple[Any, ...]) -> Any:
    """``*size``: ints, or one tuple; nothing is one number."""
    return size[0] if len(size) == 1 else size or (1,)


@public("rand")
def rand(*size: Any, dtype: Any = None, seed: Seed = None) -> Tensor:
    """Numbers in [0, 1), all equally likely, Float32 by default."""
    kind = _kind(dtype or float32, "f", "rand")
    return _drawn(K.stream("rand", seed).random(lengths_of(_sizes(size))), kind)


@public("rand_like")
def rand_like(input: Any, seed: Seed = None, *, dtype: Any = None) -> Tensor:
    """``rand`` in the shape and (by default) the dtype of another Tensor."""
    like = operand(input)
    return rand(like.shape, dtype=dtype or like.dtype, seed=seed)


@public("randint")
def randint(low: int, high: int, size: Any, seed: Seed = None, *, dtype: Any = None) -> Tensor:
    """Whole numbers low … high − 1, all equally likely, Int64 by default."""
    low, high = whole(low, "low"), whole(high, "high")
    if low >= high:
        raise ValueError(say("errors.random_range", low=low, high=high))
    kind = _kind(dtype or int64, "iu", "randint")
    return _drawn(K.stream("randint", seed).integers(low, high, lengths_of(size)), kind)


@public("randint_like")
def randint_like(input: Any, low: int, high: int, seed: Seed = None, *, dtype: Any = None) -> Tensor:
    """``randint`` in the shape and (by default) the dtype of another Tensor."""
    like = operand(input)
    return randint(low, high, like.shape, seed, dtype=dtype or like.dtype)


@public("uniform")
def uniform(shape: Any, minval: Any, maxval: Any, seed: Seed = None, dtype: Any = float32) -> Tensor:
    """Numbers in [minval, maxval), all equally likely; whole ones for an integer ``dtype``.

    Bounds that are Tensors get gradients, the draw in [0, 1) between them being a constant.
    """
    if as_dtype(dtype).numpy.kind in "iu":
        return randint(minval, maxval, shape, seed, dtype=dtype)
    shape, (low, high) = _together("uniform", shape, minval, maxval)
    share = _drawn(K.stream("uniform", seed).random(shape), of_array(low._array.dtype))
    return T.add(low, T.multiply(share, T.subtract(high, low))).astype(_kind(dtype, "f", "uniform"))


@public("randperm")
def randperm(n: int, seed: Seed = 0, offset: int = 0, dtype: Any = int64) -> Tensor:
    """The numbers 0 … n − 1 in random order; seed 0 is none."""
    (n,) = lengths_of(n)
    return _drawn(K.stream(("randperm", offset), seed).permutation(n), _kind(dtype, "iu", "randperm"))


# Normal and its relatives ----------------------------------------------------------------------------------------


@public("randn")
def randn(*size: Any, dtype: Any = None, seed: Seed = None) -> Tensor:
    """Numbers with mean 0 and standard deviation 1, normally distributed, Float32 by default."""
    kind = _kind(dtype or float32, "f", "randn")
    return _drawn(K.stream("randn", seed).standard_normal(lengths_of(_sizes(size))), kind)


@public("randn_like")
def randn_like(input: Any, seed: Seed = None, *, dtype: Any = None) -> Tensor:
    """``randn`` in the shape and (by default) the dtype of another Tensor."""
    like = operand(input)
    return randn(like.shape, dtype=dtype or like.dtype, seed=seed)


@public("standard_normal")
def standard_normal(shape: Any, seed: Seed = None) -> Tensor:
    """Numbers with mean 0 and standard deviation 1, normally distributed, Float32."""
    return _drawn(K.stream("standard_normal", seed).standard_normal(lengths_of(shape)))


@public("normal")
def normal(shape: Any, mean: Any, stddev: Any, seed: Seed = None) -> Tensor:
    """mean + stddev · z, z being ``standard_normal``; the gradient reaches both (the reparameterisation trick)."""
    shape, (centre, width) = _together("normal", shape, mean, stddev)
    z = K.stream("normal", seed).standard_normal(shape)
    return T.add(T.multiply(_drawn(z, of_array(centre._array.dtype)), width), centre)


@public(methods=("log_normal",), primitive="LogNormalReverse", init=("mean", "std"))
def _log_normal(input: Any, mean: float = 1.0, std: float = 2.0) -> Tensor:
    """Numbers in the shape and dtype of another Tensor whose logarithm is normally distributed."""
    like = operand(input)
    return _drawn(np.exp(mean + std * K.generator().standard_normal(like.shape)), like.dtype)


@public("standard_laplace")
def standard_laplace(shape: Any, seed: Seed = None) -> Tensor:
    """Numbers with density ½ e^−|x|, Float32."""
    return _drawn(K.stream("standard_laplace", seed).laplace(size=lengths_of(shape)))


@public("laplace")
def laplace(shape: Any, mean: Any, lambda_param: Any, seed: Seed = None) -> Tensor:
    """mean + lambda_param · z, z being ``standard_laplace``; the gradient reaches both."""
    shape, (centre, width) = _together("laplace", shape, mean, lambda_param)
    z = K.stream("laplace", seed).laplace(size=shape)
    return T.add(T.multiply(_drawn(z, of_array(centre._array.dtype)), width), centre)


# Gamma and Poisson -------------------------------------------------------------------------------------------------


@public("gamma")
def gamma(shape: Any, alpha: Any, beta: Any, seed: Seed = None) -> Tensor:
    """Gamma-distributed numbers of shape parameter ``alpha`` and rate ``beta`` (mean alpha / beta), Float32."""
    shape, (form, rate) = _together("gamma", shape, alpha, beta)
    in_interval("alpha", form._array, "(0, ∞)")
    in_interval("beta", rate._array, "(0, ∞)")
    return _drawn(K.stream("gamma", seed).gamma(form._array, 1 / rate._array, shape))


@public("random_gamma")
def random_gamma(shape: Any, alpha: Any, seed: Seed = None) -> Tensor:
    """``shape`` draws for every element of ``alpha`` from the gamma distribution of that shape parameter and rate 1."""
    form = operand(alpha)
    return gamma((*lengths_of(shape), *form.shape), form, 1.0, seed).astype(form.dtype)


@public("poisson")
def poisson(shape: Any, mean: Any, seed: Seed = None) -> Tensor:
    """Counts of mean ``mean``, Poisson-distributed, Float32."""
    shape, (rate,) = _together("poisson", shape, mean)
    in_interval("mean", rate._array, "[0, ∞)")
    return _drawn(K.stream("poisson", seed).poisson(rate._array, shape))


@public("random_poisson")
def random_poisson(shape: Any, rate: Any, seed: Seed = None, dtype: Any = float32) -> Tensor:
    """``shape`` draws for every element of ``rate``: counts of that mean, Poisson-distributed."""
    mean = operand(rate)
    return poisson((*lengths_of(shape), *mean.shape), mean, seed).astype(dtype)


# Choices ---------------------------------------------------------------------------------------------------------


@public("bernoulli")
def bernoulli(input: Any, p: Any = 0.5, seed: Seed = None) -> Tensor:
    """1 with probability ``p``, else 0, in the shape and dtype of ``input``."""
    like, chance = operand(input), operand(p)._array
    in_interval("p", chance, "[0, 1]")
    return _drawn(K.stream("bernoulli", seed).random(like.shape) < chance, like.dtype)


@public("multinomial", methods=("multinomial",))
def multinomial(input: Any, num_samples: int, replacement: bool = True, seed: Seed = None) -> Tensor:
    """Indices drawn with probabilities proportional to the elements of a vector, or of every row; Int32.

    Args:
        input: weights >= 0, (n,) or (rows, n).
        num_samples: draws per row.
        replacement: whether an index may be drawn again.
        seed: a seed of its own.
    """
    return _drawn(_chosen(operand(input)._array, num_samples, replacement, K.stream("multinomial", seed)), int32)


def _chosen(weights: np.ndarray, num_samples: Any, replacement: bool, generator: np.random.Generator) -> np.ndarray:
    """Gumbel's trick: the largest of log w + noise is index i with probability w_i / Σ w, the others follow in turn."""
    if weights.ndim not in (1, 2) or not (np.isfinite(weights).all() and (weights >= 0).all()):
        raise ValueError(say("errors.weights", shape=weights.shape))
    draws = whole(num_samples, "num_samples")
    possible = (weights > 0).sum(-1).min(initial=weights.shape[-1])
    if not possible or (not replacement and draws > weights.shape[-1]):
        raise ValueError(say("errors.draws", draws=draws, possible=possible))
    with np.errstate(divide="ignore"):
        logits = np.log(weights.astype(np.float64))
    if not replacement:
        return np.argsort(-(logits + generator.gumbel(size=weights.shape)), -1, kind="stable")[..., :draws]
    return _largest(logits, draws, generator)


def _largest(logits: np.ndarray, draws: int, generator: np.random.Generator) -> np.ndarray:
    shape = (*logits.shape[:-1], draws, logits.shape[-1])
    return np.argmax(logits[..., None, :] + generator.gumbel(size=shape), -1)


@public("multinomial_with_replacement", primitive="MultinomialWithReplacement", init=("numsamples", "replacement"))
def multinomial_with_replacement(x: Any, seed: int, offset: int, numsamples: int, replacement: bool = False) -> Tensor:
    """``multinomial`` from a seed and an offset; Int64."""
    generator = K.stream(("multinomial_with_replacement", int(offset)), int(seed))
    return _drawn(_chosen(operand(x)._array, numsamples, replacement, generator), int64)


@public("random_categorical", methods=("random_categorical",))
def random_categorical(logits: Any, num_sample: int, seed: Seed = 0, dtype: Any = int64) -> Tensor:
    """(rows, num_sample): indices drawn with the probabilities softmax(row) of a (rows, n) matrix."""
    rows = with_axes("logits", operand(logits)._array, 2, 2)
    generator = K.stream("random_categorical", None if seed is None else int(seed))
    return _drawn(_largest(rows.astype(np.float64), whole(num_sample, "num_sample"), generator), as_dtype(dtype))


@public("shuffle")
def shuffle(x: Any, seed: Seed = None) -> Tensor:
    """The slices of axis 0 in random order; each takes its gradient along."""
    x = operand(x)
    return T.gather(x, K.stream("shuffle", seed).permutation(x.shape[0]), 0) if x.ndim else T.identity(x)


@public("choice_with_mask")
def choice_with_mask(input_x: Any, count: int = 256, seed: Seed = None) -> tuple[Tensor, Tensor]:
    """(``count``, axes): indices of True elements in random order, Int32, zeros after the last; and which there are."""
    places = np.argwhere(operand(input_x)._array)
    chosen = K.stream("choice_with_mask", seed).permutation(len(places))[:count]
    found = np.zeros((count, places.shape[1]), np.int32)
    found[: len(chosen)] = places[chosen]
    return wrap(found), wrap(np.arange(count) < len(chosen))


@public("uniform_candidate_sampler")
def uniform_candidate_sampler(
    true_classes: Any, num_true: int, num_sampled: int, unique: bool, range_max: int, seed: Seed = 0,
    remove_accidental_hits: bool = False,
) -> tuple[Tensor, Tensor, Tensor]:  # fmt: skip
    """Classes drawn from 0 … range_max − 1 for a sampled softmax.

    Returns the classes drawn (Int64), and how often each true and each drawn class is to be expected among them.
    """
    true = operand(true_classes)._array
    if unique and num_sampled > range_max:
        raise ValueError(say("errors.draws", draws=num_sampled, possible=range_max))
    allowed = np.setdiff1d(np.arange(range_max), true) if remove_accidental_hits else np.arange(range_max)
    drawn = K.stream("uniform_candidate_sampler", seed).choice(allowed, num_sampled, not unique)
    expected = num_sampled / range_max
    return _drawn(drawn, int64), _drawn(np.full(true.shape, expected)), _drawn(np.full(drawn.shape, expected))
