"""Samples and references: roots, exponentials, logarithms, trigonometric and hyperbolic functions."""

from __future__ import annotations

import math

import numpy as np
from ops.samples.sample import Calls, References, call, each
from scipy import integrate

UNARY: References = {
    "sqrt": each(math.sqrt),
    "rsqrt": each(lambda x: 1 / math.sqrt(x)),
    "exp": each(math.exp),
    "exp2": lambda x: 2**x,
    "expm1": each(math.expm1),
    "log": each(math.log),
    "log2": each(math.log2),
    "log10": each(math.log10),
    "log1p": each(math.log1p),
    "logit": lambda x: -np.log(1 / x - 1),
    "sin": each(math.sin),
    "cos": each(math.cos),
    "tan": each(math.tan),
    "asin": each(math.asin),
    "acos": each(math.acos),
    "atan": each(math.atan),
    "sinh": each(math.sinh),
    "cosh": each(math.cosh),
    "asinh": each(math.asinh),
    "acosh": each(math.acosh),
    "atanh": each(math.atanh),
    "sinc": each(lambda x: math.sin(math.pi * x) / (math.pi * x)),
    "deg2rad": each(math.radians),
    "rad2deg": each(math.degrees),
}
BINARY: References = {
    "hypot": lambda x, y: np.sqrt(x * x + y * y),
    "logaddexp": lambda x, y: np.log(np.exp(x) + np.exp(y)),
    "logaddexp2": lambda x, y: np.log2(2**x + 2**y),
    "atan2": lambda x, y: np.angle(y + 1j * x),
}
CALLS: Calls = {
    "logit": [call((2, 3), eps=0.25), call((3,), eps=1e-3)],
    "sinc": [call(np.array([0.0, 1e-9, -3.7]))],
    "sinc_slope": [
        call((2, 3), order=1), call((3,), order=2), call((), order=3),
        call(np.array([0.0, 1e-7, 0.999, 1.001, 6.3]), order=1), call(np.array([0.0, -1e-5, 1.999, 2.001]), order=2),
    ],
}  # fmt: skip


def sinc_slope(x: np.ndarray, order: int) -> np.ndarray:
    def one(x: float) -> float:
        return integrate.quad(
            lambda t: (math.pi * t) ** order * math.cos(math.pi * (x * t + order / 2)), 0, 1, epsabs=1e-13
        )[0]

    return each(one)(x)


def logit(x: np.ndarray, eps: float = 0) -> np.ndarray:
    x = np.minimum(np.maximum(x, eps), 1 - eps)
    return np.log(x / (1 - x))


REFERENCES: References = {"logit": logit, "sinc": np.sinc, "sinc_slope": sinc_slope}
