"""Smooth activations: values and slopes that stay finite for inputs of any size."""

from __future__ import annotations

import math

import numpy as np
from numpy import ndarray

from ..texts import say
from .arguments import in_interval
from .special import special

SELU_ALPHA = 1.6732632423543772
SELU_SCALE = 1.0507009873554805
GELU_INNER = math.sqrt(2 / math.pi)
GELU_CUBIC = 0.044715

_multiply, _subtract = np.multiply, np.subtract
_ONE, _HALF = ({np.dtype(t).num: np.array(v, t) for t in (np.float16, np.float32, np.float64)} for v in (1, 0.5))


def tanh_grad(g: ndarray, y: ndarray) -> ndarray:
    """g · (1 − y²), in one buffer."""
    t = _multiply(y, y)
    if type(t) is not ndarray:  # 0-d arrays come back as NumPy scalars
        return (t.dtype.type(1) - t) * g
    _subtract(_ONE[t.dtype.num], t, t)
    return _multiply(t, g, t)


def sigmoid(x: ndarray) -> ndarray:
    """1 / (1 + e⁻ˣ), by tanh, which cannot overflow: σ(x) = (1 + tanh(x/2)) / 2."""
    half = _HALF[x.dtype.num]
    if x.flags.c_contiguous:
        t = _multiply(x, half)
        if type(t) is not ndarray:
            return half * np.tanh(t) + half
    else:  # a part of each row, as of an LSTM: 12 % quicker than out of its place
        t = x.copy()
        _multiply(t, half, t)
    np.tanh(t, t)
    _multiply(t, half, t)
    return np.add(t, half, t)


def sigmoid_grad(g: ndarray, y: ndarray) -> ndarray:
    """g · y · (1 − y)."""
    t = _multiply(y, y)
    if type(t) is not ndarray:
        return g * (y - t)
    _subtract(y, t, t)
    return _multiply(g, t, t)


def _log_one_plus_exp(x: ndarray) -> ndarray:
    """ln(1 + eˣ); the exponential is of −|x|, which cannot overflow."""
    return np.maximum(x, x.dtype.type(0)) + np.log1p(np.exp(-np.abs(x)))


def log_sigmoid(x: ndarray) -> ndarray:
    """ln σ(x)."""
    return -_log_one_plus_exp(-x)


def softplus(x: ndarray, beta: float = 1, threshold: float = 20) -> ndarray:
    """ln(1 + e^(β·x)) / β; x itself where β · x > threshold."""
    scaled = x * _factor(x, beta)
    y, beyond = _log_one_plus_exp(scaled) / x.dtype.type(beta), scaled > threshold
    return np.where(beyond, x, y) if beyond.any() else y  # np.where is slow, and few inputs are that large


def softplus_slope(x: ndarray, beta: float = 1, threshold: float = 20) -> ndarray:
    """σ(β · x); 1 where β · x > threshold."""
    scaled = x * _factor(x, beta)
    beyond = scaled > threshold
    return sigmoid(scaled) * ~beyond + beyond


def _factor(x: ndarray, beta: float) -> np.floating:
    in_interval("beta", beta, "(0, ∞)")
    return x.dtype.type(beta)


def softsign(x: ndarray) -> ndarray:
    """x / (1 + |x|)."""
    return x / (np.abs(x) + x.dtype.type(1))


def tanhshrink(x: ndarray) -> ndarray:
    """x − tanh x."""
    return x - np.tanh(x)


def silu(x: ndarray) -> ndarray:
    """x · σ(x)."""
    return x * sigmoid(x)


def mish(x: ndarray) -> ndarray:
    """x · tanh(ln(1 + eˣ))."""
    return x * np.tanh(_log_one_plus_exp(x))


def normal_cdf(x: ndarray) -> ndarray:
    """Probability that a standard normal variable is at most x."""
    return special().ndtr(x).astype(x.dtype, copy=False)


def gelu(x: ndarray, approximate: str = "none") -> tuple[ndarray, dict[str, ndarray]]:
    """x · Φ(x), or with "tanh" x · (1 + tanh u) / 2, u = √(2/π) · (x + 0.044715 · x³); saves Φ for the slope."""
    if approximate not in ("none", "tanh"):
        raise ValueError(say("errors.gelu_approximate", got=repr(approximate)))
    cdf = normal_cdf(x) if approximate == "none" else _approximate_cdf(x)
    return x * cdf, {"cdf": cdf}


def _approximate_cdf(x: ndarray) -> ndarray:
    """(1 + tanh u) / 2, in one array: fresh ones cost as much as the arithmetic."""
    half, one, inner, cubic = map(x.dtype.type, (0.5, 1, GELU_INNER, GELU_CUBIC * GELU_INNER))
    with np.errstate(over="ignore"):
        u = np.multiply(x, x, np.empty_like(x))
        u *= cubic
        u += inner
        u *= x
        np.tanh(u, u)
        u += one
        u *= half
        return u


def gelu_grad(g: ndarray, x: ndarray, cdf: ndarray, approximate: str = "none") -> ndarray:
    """g · (Φ(x) + x · φ(x)), or g times the derivative of the approximation.

    In the approximation's slope |x| is limited to 10, beyond which the density is 0, lest 0 · ∞ appear.
    """
    kind = x.dtype.type
    slope = np.multiply(x, x, np.empty_like(x))
    if approximate == "tanh" and not np.maximum.reduce(slope, axis=None, initial=0) <= 100:  # cheaper than to limit
        x = np.clip(x, kind(-10), kind(10))
        np.multiply(x, x, slope)
    if approximate == "none":
        slope *= kind(-0.5)
        np.exp(slope, slope)
        slope *= kind(1 / math.sqrt(2 * math.pi))
    else:
        slope *= kind(6 * GELU_CUBIC * GELU_INNER)
        slope += kind(2 * GELU_INNER)
        density = np.multiply(cdf, cdf, np.empty_like(cdf))
        slope *= _subtract(cdf, density, density)
    slope *= x
    slope += cdf
    slope *= g
    return slope


def elu(x: ndarray, alpha: float = 1.0) -> ndarray:
    """x where x ≥ 0, else α · (eˣ − 1)."""
    return _exponential_below_zero(x, alpha, 1.0)


def celu(x: ndarray, alpha: float = 1.0) -> ndarray:
    """x where x ≥ 0, else α · (e^(x/α) − 1)."""
    if alpha == 0:
        raise ValueError(say("errors.interval", name="alpha", interval="(−∞, 0) ∪ (0, ∞)", got=alpha))
    return _exponential_below_zero(x, alpha, alpha)


def selu(x: ndarray) -> ndarray:
    """λ · x where x ≥ 0, else λ · α · (eˣ − 1), λ = 1.0507… and α = 1.6733…."""
    return _exponential_below_zero(x, SELU_ALPHA, 1.0) * x.dtype.type(SELU_SCALE)


def _exponential_below_zero(x: ndarray, height: float, length: float) -> ndarray:
    """x where x ≥ 0, else height · (e^(x / length) − 1)."""
    zero, height, length = map(x.dtype.type, (0, height, length))
    with np.errstate(over="ignore"):  # with a negative length it grows
        return np.maximum(x, zero) + np.expm1(np.minimum(x, zero) / length) * height


def exponential_slope(x: ndarray, height: float, length: float) -> ndarray:
    """1 where x ≥ 0, else height / length · e^(x / length)."""
    zero, steep, length = map(x.dtype.type, (0, height / length, length))
    with np.errstate(over="ignore"):
        fading = np.exp(np.minimum(x, zero) / length)  # 1 where x ≥ 0
    return fading * ((x >= 0) + (x < 0) * steep)
