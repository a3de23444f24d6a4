"""Samples and references: error functions, gamma, beta and zeta functions, Bessel functions."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from ops.samples.sample import Array, Calls, References, call, each
from scipy import integrate, special

POSITIVE = (0.3, 3.0)


def integral(of: Callable[..., float]) -> Callable[..., Array]:
    """∫₀ˣ of(t, *parameters) dt for every element of (*parameters, x)."""

    def one(*given: float) -> float:
        *parameters, x = given
        return integrate.quad(lambda t: of(t, *parameters), 0, x, epsabs=1e-13, epsrel=1e-13, limit=200)[0]

    return np.vectorize(one, otypes=[float])


def gamma_density(t: float, a: float) -> float:
    return t ** (a - 1) * math.exp(-t) / math.gamma(a)


def beta_density(t: float, a: float, b: float) -> float:
    return t ** (a - 1) * (1 - t) ** (b - 1) * math.gamma(a + b) / math.gamma(a) / math.gamma(b)


def polygamma(x: Array, order: int) -> Array:
    """(−1)ⁿ⁺¹ n! Σ (x + k)⁻ⁿ⁻¹, the rest of the sum as an integral."""
    k = np.arange(4000)
    terms = (1 / (np.asarray(x)[..., None] + k) ** (order + 1)).sum(-1)
    n = x + 4000
    rest = n**-order / order + n ** -(order + 1) / 2 + (order + 1) * n ** -(order + 2) / 12
    return (-1) ** (order + 1) * math.factorial(order) * (terms + rest)


def zeta_slope(x: Array, y: Array, order: int = 0) -> Array:
    """By its own sum, the rest by Euler and Maclaurin (an integral and half a term)."""

    def one(x: float, y: float) -> float:
        def term(k: float) -> float:
            return (-math.log(y + k)) ** order * (y + k) ** -x

        n = 3000
        rest = integrate.quad(lambda v: (-v) ** order * math.exp(v - x * v), math.log(y + n), math.inf, epsabs=1e-14)[0]
        return sum(map(term, range(n))) + rest + term(n) / 2 - (term(n + 0.1) - term(n - 0.1)) / 2.4

    return np.vectorize(one, otypes=[float])(x, y)


def bessel(kind: Callable[..., Any]) -> Callable[..., Array]:
    return lambda x, order=0: kind(order, x)


UNARY: References = {
    "erf": each(math.erf),
    "erfc": each(math.erfc),
    "erfinv": lambda x: special.ndtri((x + 1) / 2) / math.sqrt(2),
    "lgamma": each(math.lgamma),
    "digamma": special.digamma,
    "bessel_i0": special.i0,
    "bessel_i0e": special.i0e,
    "bessel_i1": special.i1,
    "bessel_i1e": special.i1e,
    "bessel_j0": special.j0,
    "bessel_j1": special.j1,
    "bessel_k0": special.k0,
    "bessel_k0e": special.k0e,
    "bessel_k1": special.k1,
    "bessel_k1e": special.k1e,
    "bessel_y0": special.y0,
    "bessel_y1": special.y1,
}
KINDS = {"i": special.iv, "ie": special.ive, "j": special.jv, "k": special.kv, "ke": special.kve, "y": special.yv}
CALLS: Calls = {
    **{f"bessel_{kind}": [call((2, 3)), call((3,), order=1), call((), order=3)] for kind in KINDS},
    "polygamma": [call((2, 3), order=1), call((), order=3), call((0, 2), order=1)],
    "mvlgamma": [call((2, 3), p=2), call((3,), p=3)],
    "igamma": [call((3,), (2, 3)), call((), ()), call((0, 2), ()), call(np.array([0.05, 20.0]), np.array([2.0, 25.0]))],
    "igammac": [call((3,), (2, 3)), call((), ())],
    "igamma_moment": [call((2, 3), (3,), order=1), call((), (2,), order=2), call((0,), (), order=1)],
    "betainc": [call((3,), (1, 3), (2, 1)), call((), (), ())],
    "betainc_moment": [
        call((2,), (2,), (2,), order=1, rest_order=0), call((2,), (2,), (), order=0, rest_order=1),
        call((), (), (), order=1, rest_order=1),
    ],
    "zeta": [call((3,), (2, 3)), call((), ())],
    "zeta_slope": [call((2,), (2,), order=1), call((), (2,), order=2)],
}  # fmt: skip
REFERENCES: References = {
    **{f"bessel_{kind}": bessel(function) for kind, function in KINDS.items()},
    "polygamma": polygamma,
    "mvlgamma": lambda x, p: np.array([[special.multigammaln(v, p) for v in np.ravel(x)]]).reshape(x.shape),
    "igamma": integral(gamma_density),
    "igammac": lambda a, x: 1 - integral(gamma_density)(a, x),
    "igamma_moment": lambda a, x, order: integral(lambda t, a: math.log(t) ** order * gamma_density(t, a))(a, x),
    "betainc": integral(beta_density),
    "betainc_moment": lambda a, b, x, order, rest_order: integral(
        lambda t, a, b: math.log(t) ** order * math.log(1 - t) ** rest_order * beta_density(t, a, b)
    )(a, b, x),
    "zeta": zeta_slope,
    "zeta_slope": zeta_slope,
}
DOMAINS = {
    **{name: POSITIVE for name in UNARY if name[:8] in ("bessel_k", "bessel_y")},
    "bessel_i0e": POSITIVE, "bessel_i1e": POSITIVE, "mvlgamma": (1.2, 4.0),
}  # fmt: skip
