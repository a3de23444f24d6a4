"""Rounding, signs and neighbours."""

from __future__ import annotations

import numpy as np
from numpy import ndarray

from .elementary import quiet_pair

copysign = quiet_pair(np.copysign, "The size of x with the sign of y.")
nextafter = quiet_pair(np.nextafter, "The next number after x, in its dtype, in the direction of y.")


def sign(x: ndarray) -> ndarray:
    """−1, 0 or 1; NaN for NaN."""
    with np.errstate(invalid="ignore"):
        return np.sign(x) if x.dtype.kind != "b" else x.copy()


def floor(x: ndarray) -> ndarray:
    """The largest whole number ≤ x, in x's dtype."""
    return np.floor(x) if x.dtype.kind == "f" else x.copy()


def ceil(x: ndarray) -> ndarray:
    """The smallest whole number ≥ x, in x's dtype."""
    return np.ceil(x) if x.dtype.kind == "f" else x.copy()


def trunc(x: ndarray) -> ndarray:
    """x without what stands behind the point, in x's dtype."""
    return np.trunc(x) if x.dtype.kind == "f" else x.copy()


def frac(x: ndarray) -> ndarray:
    """What stands behind the point, with x's sign."""
    with np.errstate(invalid="ignore"):
        return x - np.trunc(x) if x.dtype.kind == "f" else np.zeros_like(x)


def round(x: ndarray, decimals: int = 0) -> ndarray:
    """Rounded to this many places behind the point (before it: negative), halves to even, in x's dtype."""
    return x.copy() if x.dtype.kind != "f" and decimals >= 0 else np.round(x, decimals)


def heaviside(x: ndarray, values: ndarray) -> ndarray:
    """0 where x < 0, 1 where x > 0, and ``values`` where x = 0."""
    return np.heaviside(x, values) if x.dtype.kind == "f" else np.where(x == 0, values, x > 0).astype(x.dtype)
