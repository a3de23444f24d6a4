"""Comparisons with a tolerance, and infinities by sign."""

from __future__ import annotations

import numpy as np
from numpy import ndarray


def isclose(x: ndarray, y: ndarray, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False) -> ndarray:
    """Whether |x − y| ≤ atol + rtol · |y|; equal infinities are close, NaN to NaN only with ``equal_nan``."""
    return np.isclose(x, y, rtol, atol, equal_nan)


def approximate_equal(x: ndarray, y: ndarray, tolerance: float = 1e-5) -> ndarray:
    """Whether |x − y| < tolerance."""
    with np.errstate(invalid="ignore"):
        return np.abs(np.subtract(x, y, dtype=np.result_type(x, np.float32))) < tolerance


def isposinf(x: ndarray) -> ndarray:
    """Whether x is +inf."""
    return x == np.inf


def isneginf(x: ndarray) -> ndarray:
    """Whether x is −inf."""
    return x == -np.inf
