"""In which dtype a kernel computes, where that is not the dtype of what it is given."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy import ndarray


def floats(*arrays: ndarray) -> Sequence[ndarray]:
    """Arrays of one dtype, as float32 where they hold integers."""
    return arrays if arrays[0].dtype.kind == "f" else [array.astype(np.float32) for array in arrays]


def single(x: ndarray) -> ndarray:
    """float16 as float32, in which NumPy is faster and neither squares nor long sums overflow; else x itself."""
    return x.astype(np.float32) if x.dtype == np.float16 else x
