"""Incomplete gamma and beta functions, the Hurwitz zeta function, and the integrals that their derivatives need.

The derivative of P(a, x) or I_x(a, b) by a shape a has no closed form. Both are distribution functions, and what the
derivatives need are moments of logarithms under their densities, cut off at x. On the scale of s = ln t, or for the
beta function of s = ln t − ln(1 − t), the logarithms of these densities are concave with tails like eᵃˢ and e⁻ᵇˢ: the
sums here take the interval that matters, with nodes that lie dense around its corner and ever wider along the tails.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from math import factorial

import numpy as np
from numpy import ndarray

from .precision import floats
from .special import special

NODES = 80
BLOCK = 512  # elements at a time, so that their nodes stay in the cache
FALL = 40.0  # a density below e⁻⁴⁰ of its greatest value is not counted


@cache
def _gauss_legendre() -> tuple[ndarray, ndarray]:
    """Nodes on (0, 1) and weights, on a leading axis."""
    nodes, weights = np.polynomial.legendre.leggauss(NODES)
    return (nodes[:, None] + 1) / 2, weights[:, None]


def _mean(
    of: Callable[[ndarray], ndarray], log_density: Callable[[ndarray], ndarray],
    centre: ndarray, low: ndarray, high: ndarray,
) -> ndarray:  # fmt: skip
    """The mean of ``of(s)`` under a density on low … high, by Gauss and Legendre's rule in u, s = centre + 2 sinh u."""
    nodes, weights = _gauss_legendre()
    first, last = np.arcsinh((low - centre) / 2), np.arcsinh((high - centre) / 2)
    u = first + (last - first) * nodes
    s = centre + 2 * np.sinh(u)
    shares = weights * np.cosh(u) * np.exp(log_density(s))
    return (shares * of(s)).sum(0) / shares.sum(0)


def _reach(slope: ndarray, bend: ndarray, fall: ndarray | float) -> ndarray:
    """A bound on the d at which slope · d − bend · (1 − e⁻ᵈ) has grown to ``fall``; bend ≤ slope."""
    half = slope - bend - fall / 2  # 1 − e⁻ᵈ ≤ 2 d / (2 + d) makes it a quadratic equation
    return 2 * fall / (half + np.sqrt(half * half + 2 * slope * fall))


def _in_blocks(function: Callable[..., ndarray], *arrays: ndarray) -> ndarray:
    """An elementwise function of arrays of one shape."""
    flat = [v.reshape(-1) for v in arrays]
    starts = range(0, max(flat[0].size, 1), BLOCK)
    return np.concatenate([function(*[v[i : i + BLOCK] for v in flat]) for i in starts]).reshape(arrays[0].shape)


def _log_one_plus_exp(s: ndarray) -> ndarray:
    return np.maximum(s, 0) + np.log1p(np.exp(-np.abs(s)))


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
    dtype = np.result_type(a, x)
    a, x = np.broadcast_arrays(np.asarray(a, np.float64), np.asarray(x, np.float64))
    with np.errstate(all="ignore"):
        whole = special().gammainc(a, x)
        mean = _in_blocks(lambda a, x: _mean_log_power(a, x, order), a, x)
        return np.where(whole == 0, whole, whole * mean).astype(dtype)


def _mean_log_power(a: ndarray, x: ndarray, order: int) -> ndarray:
    """The mean of lnⁿ t below x; the density of s = ln t is e^(a · s − eˢ) but for a factor."""
    peak = np.minimum(a, x)
    top, end = np.log(peak), np.log(x)
    low = top - _reach(a, peak, FALL)
    high = np.minimum(end, top + np.log1p(FALL / a + np.sqrt(2 * FALL / a)))  # a · (eᵈ − 1 − d) is the fall
    return _mean(
        lambda s: s**order, lambda s: a * (s - top) - peak * np.expm1(s - top), np.minimum(np.log1p(a), end), low, high
    )


def betainc(a: ndarray, b: ndarray, x: ndarray) -> ndarray:
    """I_x(a, b) = ∫₀ˣ tᵃ⁻¹ (1 − t)ᵇ⁻¹ dt / B(a, b), which grows from 0 to 1; NaN for x outside of [0, 1]."""
    a, b, x = floats(a, b, x)
    return special().betainc(a, b, x).astype(x.dtype, copy=False)


def betainc_moment(a: ndarray, b: ndarray, x: ndarray, order: int, rest_order: int) -> ndarray:
    """∫₀ˣ lnᵐ t · lnⁿ(1 − t) · tᵃ⁻¹ (1 − t)ᵇ⁻¹ dt / B(a, b)."""
    dtype = np.result_type(a, b, x)
    a, b, x = np.broadcast_arrays(*[np.asarray(v, np.float64) for v in (a, b, x)])
    with np.errstate(all="ignore"):
        whole = special().betainc(a, b, x)
        mean = _in_blocks(lambda a, b, x: _mean_log_powers(a, b, x, order, rest_order), a, b, x)
        return np.where(whole == 0, whole, whole * mean).astype(dtype)


def _mean_log_powers(a: ndarray, b: ndarray, x: ndarray, order: int, rest_order: int) -> ndarray:
    """The mean of lnᵐ t · lnⁿ(1 − t) below x; the density of s = ln t − ln(1 − t) is tᵃ (1 − t)ᵇ but for a factor."""
    peak = np.minimum(a / (a + b), x)
    rest, end = 1 - peak, special().logit(x)
    top = np.minimum(np.log(a / b), end)
    low = top - _reach(a, (a + b) * peak, FALL * rest) / rest
    high = np.minimum(end, top + _reach(b, b, FALL * peak) / peak)

    def log_density(s: ndarray) -> ndarray:
        return a * (s - top) - (a + b) * (_log_one_plus_exp(s) - _log_one_plus_exp(top))

    def powers(s: ndarray) -> ndarray:
        beyond = _log_one_plus_exp(s)
        return (s - beyond) ** order * (-beyond) ** rest_order

    return _mean(powers, log_density, np.minimum(np.log((a + 1) / (b + 1)), end), low, high)


def zeta(x: ndarray, y: ndarray) -> ndarray:
    """Σ (y + k)⁻ˣ over k = 0, 1, 2, …, for x > 1; inf at x = 1, NaN below."""
    x, y = floats(x, y)
    return special().zeta(x, y).astype(x.dtype, copy=False)


def zeta_slope(x: ndarray, y: ndarray, order: int) -> ndarray:
    """The derivative of zeta by x of this order: of sixteen terms, and of the rest by Euler and Maclaurin."""
    dtype = np.result_type(x, y)
    x, y = np.broadcast_arrays(np.asarray(x, np.float64), np.asarray(y, np.float64))
    with np.errstate(all="ignore"):
        logs = [np.log(y + k) for k in range(16)]
        terms = sum((-log) ** order * np.exp(-x * log) for log in logs)
        slope = terms + factorial(order) * _zeta_rest(x, y + 16, order)
        return np.where((x > 1) & (y > 0), slope, np.nan).astype(dtype)


def _zeta_rest(x: ndarray, n: ndarray, order: int) -> ndarray:
    """The Taylor coefficient of this order, by s at x, of n^(1 − s) / (s − 1) + n⁻ˢ / 2 + Σ Bₖ / k! · rising⁽ᵏ⁾."""
    log = np.log(n)
    power = [n**-x * (-log) ** j / factorial(j) for j in range(order + 1)]
    integral = sum(p * n * (-1) ** (order - j) / (x - 1) ** (order - j + 1) for j, p in enumerate(power))
    rest = integral + power[order] / 2
    rising = _times(power, x / n, 1 / n)  # s (s + 1) … (s + k − 2) · n^(−s − k + 1)
    for k, bernoulli in enumerate(special().bernoulli(18)[2::2], 1):
        rest = rest + bernoulli / factorial(2 * k) * rising[order]
        rising = _times(_times(rising, (x + 2 * k - 1) / n, 1 / n), (x + 2 * k) / n, 1 / n)
    return rest


def _times(coefficients: list[ndarray], constant: ndarray, slope: ndarray) -> list[ndarray]:
    """Taylor coefficients times those of a linear function."""
    lower = [np.zeros_like(constant), *coefficients]
    return [constant * c + slope * before for c, before in zip(coefficients, lower, strict=False)]
