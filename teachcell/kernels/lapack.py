"""How kernels call NumPy's linear algebra: errors in our words, float16 by way of float32."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy import ndarray

from ..texts import say
from .arguments import with_axes


def lapack(why: str, routine: Callable[..., Any], *arrays: ndarray, **options: Any) -> Any:
    """``routine(*arrays, **options)``; where it fails, a ValueError that says ``errors.<why>``."""
    half = arrays[0].dtype == np.float16
    if half:
        arrays = tuple([a.astype(np.float32) for a in arrays])
    try:
        result = routine(*arrays, **options)
    except np.linalg.LinAlgError:
        raise ValueError(say(f"errors.{why}")) from None
    if not half:
        return result
    return tuple([r.astype(np.float16) for r in result]) if isinstance(result, tuple) else result.astype(np.float16)


def transposed(x: ndarray) -> ndarray:
    """The last two axes exchanged."""
    return x.swapaxes(-1, -2)


def matrices(x: ndarray) -> ndarray:
    """``x``, unless it has fewer than two axes."""
    return with_axes("x", x, 2)


def square(x: ndarray) -> ndarray:
    """``x``, unless its last two axes differ in length."""
    if matrices(x).shape[-1] != x.shape[-2]:
        raise ValueError(say("errors.square"))
    return x


def symmetric(x: ndarray) -> ndarray:
    """The symmetric part of ``x``; ValueError where ``x`` is farther from symmetric than rounding explains.

    LAPACK reads one triangle only. The mean of both makes the function smooth in every element, so that its
    gradient is symmetric, and is what a numeric check finds.
    """
    other = transposed(square(x))
    tolerance = max(1e-4, 4 * float(np.finfo(x.dtype).eps)) * np.abs(x).max(initial=0)
    if (np.abs(x - other) > tolerance).any():
        raise ValueError(say("errors.not_symmetric"))
    return (x + other) * x.dtype.type(0.5)
