"""Samples and references: spread and quantiles."""

from __future__ import annotations

import numpy as np
from ops.samples.sample import Array, Calls, References, call

_spread = [
    call((3,)), call((2, 3)), call((2, 3), axis=0), call((2, 3, 2), axis=(0, -1), ddof=1, keepdims=True),
    call((2, 3), axis=1, ddof=1),
]  # fmt: skip


def variance(x: Array, axis: int | None = None, ddof: int = 0, keepdims: bool = False) -> Array:
    squares = (x - x.mean(axis, keepdims=True)) ** 2
    n = x.size // squares.sum(axis).size
    return squares.sum(axis, keepdims=keepdims) / (n - ddof)


def deviation(x: Array, **attrs: object) -> Array:
    return np.sqrt(variance(x, **attrs))  # type: ignore[arg-type]


def mean(x: Array, axis: int | None = None, ddof: int = 0, keepdims: bool = False) -> Array:
    return x.mean(axis, keepdims=keepdims)


CALLS: Calls = {
    "var": _spread,
    "std": _spread,
    "var_mean": _spread,
    "std_mean": _spread,
    "cov": [
        call((2, 4)), call((3, 2), correction=0), call((4,)), call((2, 3), fweights=np.array([1, 2, 3])),
        call((2, 3), aweights=np.array([0.1, 0.2, 0.3])), call((1, 3)),
        call((2, 3), fweights=np.array([1, 2, 3]), aweights=np.array([0.1, 0.2, 0.3]), correction=0),
    ],
    "quantile": [
        call((5,), q=0.3), call((2, 4), q=0.5, axis=1), call((3, 2), q=[0.0, 0.25, 1.0], axis=0, keepdims=True),
        call((2, 3), q=0.75, keepdims=True), call((2, 3), q=[0.5]),
    ],
    "nanquantile": [call((2, 4), q=0.3, axis=1), call((2, 3), q=[0.25, 0.9])],
}  # fmt: skip
REFERENCES: References = {
    "var": variance,
    "std": deviation,
    "var_mean": lambda x, **attrs: (variance(x, **attrs), mean(x, **attrs)),
    "std_mean": lambda x, **attrs: (deviation(x, **attrs), mean(x, **attrs)),
    "cov": lambda x, correction=1, fweights=None, aweights=None: np.cov(
        x, ddof=correction, fweights=fweights, aweights=aweights
    ),
    "quantile": lambda x, q, axis=None, keepdims=False: np.quantile(x, q, axis, keepdims=keepdims),
    "nanquantile": lambda x, q, axis=None, keepdims=False: np.nanquantile(x, q, axis, keepdims=keepdims),
}
