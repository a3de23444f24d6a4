"""In which dtype a kernel computes, where that is not the dtype of what it is given."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy import ndarray

# Numbers as read-only 0-d arrays, by the number of a float dtype: beside an array they cost a ufunc 0.15 µs less than
# NumPy's scalars. Never NaN, nor 0, which is -0.0 as well: that stands under None.
NUMBERS: dict[int, dict[Any, ndarray]] = {np.dtype(t).num: {} for t in (np.float16, np.float32, np.float64)}
_MOST_NUMBERS = 4096


def number_of(dtype: np.dtype, value: Any) -> ndarray:
    """A Python number as a 0-d array of ``dtype``, from the cache where that is safe."""
    cache = NUMBERS.get(dtype.num, {})
    key = value or (None if math.copysign(1, value) > 0 else math.nan)
    found = cache.get(key)
    if found is None:
        with np.errstate(all="ignore"):
            found = np.array(value, dtype)
        found.flags.writeable = False
        if key == key:
            if len(cache) >= _MOST_NUMBERS:  # a learning rate may be another in every step
                cache.clear()
            cache[key] = found
    return found


def like(x: ndarray, value: float) -> ndarray:
    """A number to compute with beside ``x``."""
    cache = NUMBERS.get(x.dtype.num)
    found = cache.get(value) if cache is not None else None
    return number_of(x.dtype, value) if found is None else found


def floats(*arrays: ndarray) -> Sequence[ndarray]:
    """Arrays of one dtype, as float32 where they hold integers."""
    return arrays if arrays[0].dtype.kind == "f" else [array.astype(np.float32) for array in arrays]


def single(x: ndarray) -> ndarray:
    """float16 as float32, in which NumPy is faster and neither squares nor long sums overflow; else x itself."""
    return x.astype(np.float32) if x.dtype == np.float16 else x
