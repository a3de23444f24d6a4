"""Incomplete gamma and beta functions, the Hurwitz zeta function, and the integrals that their derivatives need.

The derivative of P(a, x) or I_x(a, b) by a shape a has no closed form. Both are distribution functions, and what the
derivatives need are moments of logarithms under them. With t(p), the quantile, such a moment is ∫ lnⁿ t(p) dp from 0
to P: smooth but for the ends, where the double exponential rule (Takahasi & Mori 1974) loses nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from math import factorial

import numpy as np
from numpy import ndarray

from .precision import floats
from .special import special

TINY = 1e-20  # quantiles below this size follow from the leading term alone


@cache
def _double_exponential() -> tuple[ndarray, ndarray, ndarray]:
    """Nodes on (0, 1), their distances from 1, and weights, on a leading axis."""
    u = np.linspace(-3.4, 3.4, 81)
    s = np.pi / 2 * np.sinh(u)
    weights = (u[1] - u[0]) * np.pi / 4 * np.cosh(u) / np.cosh(s) ** 2
    return 1 / (1 + np.exp(-2 * s)), 1 / (1 + np.exp(2 * s)), weights / weights.sum()


def _mean(of: Callable[[ndarray, ndarray], ndarray], like: ndarray) -> ndarray:
    """∫₀¹ of(q, 1 − q) dq for every element of arrays shaped as ``like``."""
    q, rest, weights = [part.reshape(-1, *[1] * like.ndim) for part in _double_exponential()]
    return (weights * of(q, rest)).sum(0)


def igamma(a: ndarray, x: ndarray) -> ndarray:
    """P(a, x) = ∫₀ˣ tᵃ⁻¹ e⁻ᵗ dt / Γ(a), which grows from 0 to 1; NaN for negative a or x."""
    a, x = floats(a, x)
    return special().gammainc(a, x).astype(x.dtype, copy=False)


def igammac(a: ndarray, x: ndarray) -> ndarray:
    """1 − P(a, x), with all digits for large x."""
    a, x = floats(a, x)
    return special().gammaincc(a, x).astype(x.dtype, copy=False)


def igamma_moment(a: ndarray, x: ndarray, order: int) -> ndarray:
    """∫₀ˣ lnⁿ t · tᵃ⁻¹ e⁻ᵗ dt / Γ(a)."""
    scipy, dtype = special(), np.result_type(a, x)
    a, x = np.broadcast_arrays(np.asarray(a, np.float64), np.asarray(x, np.float64))
    whole = scipy.gammainc(a, x)

    def log_quantile(q: ndarray, rest: ndarray) -> ndarray:
        t = np.minimum(scipy.gammaincinv(a, whole * q), x)
        small = (np.log(whole * q) + scipy.gammaln(a + 1)) / a
        return np.where(t < TINY, small, np.log(t)) ** order

    with np.errstate(all="ignore"):
        return np.where(whole == 0, whole, whole * _mean(log_quantile, a)).astype(dtype)


def betainc(a: ndarray, b: ndarray, x: ndarray) -> ndarray:
    """I_x(a, b) = ∫₀ˣ tᵃ⁻¹ (1 − t)ᵇ⁻¹ dt / B(a, b), which grows from 0 to 1; NaN for x outside of [0, 1]."""
    a, b, x = floats(a, b, x)
    return special().betainc(a, b, x).astype(x.dtype, copy=False)


def betainc_moment(a: ndarray, b: ndarray, x: ndarray, order: int, rest_order: int) -> ndarray:
    """∫₀ˣ lnᵐ t · lnⁿ(1 − t) · tᵃ⁻¹ (1 − t)ᵇ⁻¹ dt / B(a, b)."""
    scipy, dtype = special(), np.result_type(a, b, x)
    a, b, x = np.broadcast_arrays(*[np.asarray(v, np.float64) for v in (a, b, x)])
    whole, beyond = scipy.betainc(a, b, x), scipy.betainc(b, a, 1 - x)

    def logs(q: ndarray, rest: ndarray) -> ndarray:
        p, p_rest = whole * q, np.minimum(beyond + whole * rest, 1.0)
        t = np.minimum(scipy.betaincinv(a, b, p), x)
        t_rest = np.maximum(scipy.betaincinv(b, a, p_rest), 1 - x)
        small = (np.log(p) + np.log(a) + scipy.betaln(a, b)) / a
        small_rest = (np.log(p_rest) + np.log(b) + scipy.betaln(a, b)) / b
        log_t = np.where(t < TINY, small, np.log(t))
        log_rest = np.where(t_rest < TINY, small_rest, np.log(t_rest))
        return log_t**order * log_rest**rest_order

    with np.errstate(all="ignore"):
        return np.where(whole == 0, whole, whole * _mean(logs, a)).astype(dtype)


def zeta(x: ndarray, y: ndarray) -> ndarray:
    """Σ (y + k)⁻ˣ over k = 0, 1, 2, …, for x > 1; inf at x = 1, NaN below."""
    x, y = floats(x, y)
    return special().zeta(x, y).astype(x.dtype, copy=False)


def zeta_slope(x: ndarray, y: ndarray, order: int) -> ndarray:
    """The derivative of zeta by x of this order: Cauchy's integral over a circle around x, short of the pole at 1."""
    dtype = np.result_type(x, y)
    x, y = np.broadcast_arrays(np.asarray(x, np.float64), np.asarray(y, np.float64))
    with np.errstate(all="ignore"):
        radius = np.minimum((x - 1) / 2, 1.0)
        turn = np.exp(2j * np.pi * np.arange(64) / 64).reshape(-1, *[1] * x.ndim)
        mean = (_hurwitz(x + radius * turn, y) * turn**-order).mean(0)
        slope = factorial(order) * (mean.real / radius**order)
        return np.where((x > 1) & (y > 0), slope, np.nan).astype(dtype)


def _hurwitz(s: ndarray, y: ndarray) -> ndarray:
    """Zeta for complex s: sixteen terms, and the rest by Euler and Maclaurin."""
    total = sum((y + k) ** -s for k in range(16))
    n = y + 16
    rest = n ** (1 - s) / (s - 1) + n**-s / 2
    rising = s * n ** (-s - 1)  # s (s + 1) … (s + 2j − 2) · n^(−s − 2j + 1)
    for j, bernoulli in enumerate(special().bernoulli(18)[2::2], 1):
        rest = rest + bernoulli / factorial(2 * j) * rising
        rising = rising * (s + 2 * j - 1) * (s + 2 * j) / n**2
    return total + rest
