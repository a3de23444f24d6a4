"""New Tensors that depend on nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..core.dtypes import as_dtype, float32
from ..core.public import public
from ..core.tensor import Tensor, to_array, wrap

Shape = int | Sequence[int]


def _shape(shape: Any) -> tuple[int, ...]:
    return (shape,) if isinstance(shape, int) else tuple(int(d) for d in shape)


@public("fill")
def fill(type: Any, shape: Shape, value: Any) -> Tensor:
    """A Tensor of dtype ``type`` and ``shape`` filled with one value."""
    return wrap(np.full(_shape(shape), value, as_dtype(type).numpy))


@public("full")
def full(size: Shape, fill_value: Any, *, dtype: Any = None) -> Tensor:
    """A Tensor filled with one value, by default in the value's own dtype (Python floats: Float32)."""
    found = to_array(fill_value, None).dtype if dtype is None else as_dtype(dtype).numpy
    return wrap(np.full(_shape(size), fill_value, found))


@public("zeros")
def zeros(size: Shape, dtype: Any = None) -> Tensor:
    """Zeros, Float32 by default."""
    return fill(dtype or float32, size, 0)


@public("ones")
def ones(size: Shape, dtype: Any = None) -> Tensor:
    """Ones, Float32 by default."""
    return fill(dtype or float32, size, 1)


@public("zeros_like")
def zeros_like(input: Tensor, *, dtype: Any = None) -> Tensor:
    """Zeros of the same shape and (by default) dtype."""
    return fill(dtype or input.dtype, input.shape, 0)


@public("ones_like")
def ones_like(input: Tensor, *, dtype: Any = None) -> Tensor:
    """Ones of the same shape and (by default) dtype."""
    return fill(dtype or input.dtype, input.shape, 1)


@public("arange")
def arange(start: Any = 0, end: Any = None, step: Any = 1, *, dtype: Any = None) -> Tensor:
    """Evenly spaced numbers in [start, end): Int64 for ints, Float32 if any is a float."""
    start, end = (0, start) if end is None else (start, end)
    return Tensor(np.arange(start, end, step).tolist() or np.arange(start, end, step), dtype)
