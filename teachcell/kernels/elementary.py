"""Elementary functions: roots, exponentials, logarithms, trigonometric and hyperbolic functions.

What lies outside of a function's domain, or is too large, gives NaN or inf without a warning.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numpy import ndarray

from .precision import floats
from .silence import SILENCE


def quiet(ufunc: np.ufunc, says: str) -> Callable[[ndarray], ndarray]:
    """The kernel of a ufunc of one float array."""

    def kernel(x: ndarray) -> ndarray:
        return SILENCE.run(ufunc, x)

    kernel.__doc__ = says
    return kernel


def quiet_pair(ufunc: Callable[..., Any], says: str) -> Callable[[ndarray, ndarray], ndarray]:
    """The kernel of a function of two arrays of one dtype; integers count as float32."""

    def kernel(x: ndarray, y: ndarray) -> ndarray:
        return SILENCE.run(ufunc, *floats(x, y))

    kernel.__doc__ = says
    return kernel


sqrt = quiet(np.sqrt, "Square root; NaN below 0.")
exp = quiet(np.exp, "eˣ; inf where it is too large.")
exp2 = quiet(np.exp2, "2^x; inf where it is too large.")
expm1 = quiet(np.expm1, "eˣ − 1, with all digits near 0.")
log = quiet(np.log, "Natural logarithm; −inf at 0, NaN below.")
log2 = quiet(np.log2, "Logarithm to base 2; −inf at 0, NaN below.")
log10 = quiet(np.log10, "Logarithm to base 10; −inf at 0, NaN below.")
log1p = quiet(np.log1p, "ln(1 + x), with all digits near 0; −inf at −1, NaN below.")
reciprocal = quiet(np.reciprocal, "1 / x.")
sin = quiet(np.sin, "Sine of an angle in radians.")
cos = quiet(np.cos, "Cosine of an angle in radians.")
tan = quiet(np.tan, "Tangent of an angle in radians.")
asin = quiet(np.arcsin, "The angle in [−π/2, π/2] whose sine is x; NaN outside of [−1, 1].")
acos = quiet(np.arccos, "The angle in [0, π] whose cosine is x; NaN outside of [−1, 1].")
atan = quiet(np.arctan, "The angle in (−π/2, π/2) whose tangent is x.")
sinh = quiet(np.sinh, "Hyperbolic sine; ±inf where it is too large.")
cosh = quiet(np.cosh, "Hyperbolic cosine; inf where it is too large.")
asinh = quiet(np.arcsinh, "The number whose hyperbolic sine is x.")
acosh = quiet(np.arccosh, "The number ≥ 0 whose hyperbolic cosine is x; NaN below 1.")
atanh = quiet(np.arctanh, "The number whose hyperbolic tangent is x; ±inf at ±1, NaN outside of [−1, 1].")
atan2 = quiet_pair(np.arctan2, "The angle in [−π, π] of the point with ordinate x and abscissa y.")
hypot = quiet_pair(np.hypot, "√(x² + y²), without overflow on the way.")
logaddexp = quiet_pair(np.logaddexp, "ln(eˣ + eʸ), without overflow on the way.")
logaddexp2 = quiet_pair(np.logaddexp2, "log₂(2^x + 2^y), without overflow on the way.")


def rsqrt(x: ndarray) -> ndarray:
    """1 / √x."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.reciprocal(np.sqrt(x))


def logit(x: ndarray, eps: float | None = None) -> ndarray:
    """ln(x / (1 − x)), x first limited to [eps, 1 − eps]; ±inf at 0 and 1, NaN outside."""
    if eps is not None:
        x = np.clip(x, x.dtype.type(eps), x.dtype.type(1 - eps))
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.log(x) - np.log1p(-x)


@cache
def _legendre() -> tuple[ndarray, ndarray]:
    """Nodes and weights of Gauss and Legendre on [0, 1]."""
    nodes, weights = np.polynomial.legendre.leggauss(20)
    return (nodes + 1) / 2, weights / 2


def sinc(x: ndarray) -> ndarray:
    """sin(πx) / πx, and 1 at 0."""
    return np.sinc(np.asarray(x, np.float64)).astype(x.dtype)  # NumPy 1 divides 0 by 0 in float16


def _turned_sine(angle: ndarray, quarters: int) -> ndarray:
    """The sine of an angle and this many right angles, exact where it is 0."""
    turned = np.sin(angle) if quarters % 2 == 0 else np.cos(angle)
    return turned if quarters % 4 < 2 else -turned


def sinc_slope(x: ndarray, order: int) -> ndarray:
    """The derivative of sinc of any order ≥ 1.

    Near 0 it is ∫₀¹ (πt)ⁿ cos(πxt + nπ/2) dt, which loses no digits; elsewhere it follows from
    x · y⁽ⁿ⁾ + n · y⁽ⁿ⁻¹⁾ = πⁿ⁻¹ sin(πx + nπ/2).
    """
    wide = np.asarray(x, np.float64)
    with np.errstate(all="ignore"):
        far = np.sinc(wide)
        for n in range(1, order + 1):
            far = (np.pi ** (n - 1) * _turned_sine(np.pi * wide, n) - n * far) / wide
    t, weights = _legendre()
    angles = np.pi * np.clip(wide, -order, order)[..., None] * t
    near = ((np.pi * t) ** order * _turned_sine(angles, order + 1)) @ weights
    return np.where(np.abs(wide) < order, near, far).astype(x.dtype)
