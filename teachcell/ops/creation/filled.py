"""New Tensors: filled with one value, with steps, with powers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...core.dtypes import as_dtype, float32
from ...core.op import TENSORS as T
from ...core.public import public
from ...core.record import operand
from ...core.tensor import Tensor, to_array, wrap
from ...kernels.arguments import limited, sizes_of, whole, with_axes
from ...texts import say

Shape = int | Sequence[int]


def lengths_of(shape: Any) -> tuple[int, ...]:
    """A shape given as an int, a sequence, an array or a Tensor; TypeError unless ints, ValueError if negative."""
    lengths = sizes_of(shape)
    if min(lengths, default=0) < 0:
        raise ValueError(say("errors.shape_kind", got=repr(shape)))
    limited("shape", lengths, math.prod(lengths))
    return lengths


# One value -------------------------------------------------------------------------------------------------------


@public("fill", primitive="Fill")
def fill(type: Any, shape: Shape, value: Any) -> Tensor:
    """A Tensor of dtype ``type`` and ``shape`` filled with one value."""
    return wrap(np.full(lengths_of(shape), value, as_dtype(type).numpy))


@public("full")
def full(size: Shape, fill_value: Any, *, dtype: Any = None) -> Tensor:
    """A Tensor filled with one value, by default in the value's own dtype (Python floats: Float32)."""
    found = to_array(fill_value, None).dtype if dtype is None else as_dtype(dtype).numpy
    return wrap(np.full(lengths_of(size), fill_value, found))


@public(primitive="FillV2")
def _fill_v2(shape: Shape, value: Any) -> Tensor:
    """A Tensor filled with one value, in the value's dtype."""
    return full(shape, value)


@public("zeros", primitive="Zeros")
def zeros(size: Shape, dtype: Any = None) -> Tensor:
    """Zeros, Float32 by default."""
    return fill(dtype or float32, size, 0)


@public("ones", primitive="Ones")
def ones(shape: Shape, dtype: Any = None) -> Tensor:
    """Ones, Float32 by default."""
    return fill(dtype or float32, shape, 1)


@public("full_like")
def full_like(input: Any, fill_value: Any, *, dtype: Any = None) -> Tensor:
    """One value in the shape and (by default) the dtype of another Tensor."""
    like = operand(input)
    return fill(dtype or like.dtype, like.shape, fill_value)


@public("zeros_like", primitive="ZerosLike")
def zeros_like(input: Any, *, dtype: Any = None) -> Tensor:
    """Zeros of the same shape and (by default) dtype."""
    return full_like(input, 0, dtype=dtype)


@public("ones_like", primitive="OnesLike")
def ones_like(input: Any, *, dtype: Any = None) -> Tensor:
    """Ones of the same shape and (by default) dtype."""
    return full_like(input, 1, dtype=dtype)


@public(methods=("new_full",))
def _new_full(self: Tensor, size: Shape, fill_value: Any, *, dtype: Any = None) -> Tensor:
    """A Tensor filled with one value, by default in this one's dtype."""
    return fill(dtype or self.dtype, size, fill_value)


@public(methods=("new_zeros", "new_empty"))
def _new_zeros(self: Tensor, size: Shape, dtype: Any = None) -> Tensor:
    """Zeros, by default in this Tensor's dtype."""
    return _new_full(self, size, 0, dtype=dtype)


@public(methods=("new_ones",))
def _new_ones(self: Tensor, size: Shape, dtype: Any = None) -> Tensor:
    """Ones, by default in this Tensor's dtype."""
    return _new_full(self, size, 1, dtype=dtype)


@public("eye", primitive="Eye")
def eye(n: int, m: int | None = None, dtype: Any = None) -> Tensor:
    """(n, m): ones on the main diagonal, zeros elsewhere; square and Float32 by default."""
    rows, columns = lengths_of((n, n if m is None else m))
    return wrap(np.eye(rows, columns, dtype=as_dtype(dtype or float32).numpy))


# Steps -----------------------------------------------------------------------------------------------------------


@public("arange")
def arange(start: Any = 0, end: Any = None, step: Any = 1, *, dtype: Any = None) -> Tensor:
    """Evenly spaced numbers in [start, end): Int64 for ints, Float32 if any is a float."""
    start, end = (0, start) if end is None else (start, end)
    start, end, step = [operand(x).item() for x in (start, end, step)]
    if step == 0 or (end - start) * step < 0:
        raise ValueError(say("errors.steps", start=start, end=end, step=step))
    numbers = np.arange(start, end, step)
    return Tensor(numbers.astype(np.float32) if numbers.dtype.kind == "f" and dtype is None else numbers, dtype)


@public("range", primitive="Range", init=("maxlen",))
def range_(start: Any, end: Any, step: Any = 1, maxlen: int = 1000000) -> Tensor:
    """``arange``, of no more than ``maxlen`` numbers."""
    numbers = arange(start, end, step)
    if numbers.size > maxlen:
        raise ValueError(say("errors.most_numbers", most=maxlen, got=numbers.size))
    return numbers


@public("linspace", primitive="LinSpace")
def linspace(start: Any, end: Any, steps: int) -> Tensor:
    """``steps`` evenly spaced numbers from ``start`` to ``end``, both included; integers give Float32."""
    first, last = [x if x._array.dtype.kind == "f" else x.astype(float32) for x in map(operand, (start, end))]
    if whole(steps, "steps") < 1:
        raise ValueError(say("errors.positive_int", cls="linspace", name="steps", got=steps))
    limited("steps", steps, steps)
    shares = np.linspace(0, 1, whole(steps, "steps")).astype(first._array.dtype)
    return T.add(T.multiply(first, wrap(1 - shares)), T.multiply(last, wrap(shares)))


@public("logspace")
def logspace(start: Any, end: Any, steps: int, base: int = 10, *, dtype: Any = float32) -> Tensor:
    """``base`` to the powers ``linspace(start, end, steps)``."""
    return T.power(operand(float(base)), linspace(start, end, steps)).astype(dtype)


@public(primitive="LogSpace", init=("steps", "base", "dtype"))
def _logspace(start: Any, end: Any, steps: int = 10, base: int = 10, dtype: Any = float32) -> Tensor:
    """``logspace``."""
    return logspace(start, end, steps, base, dtype=dtype)


@public("vander")
def vander(x: Any, N: int | None = None) -> Tensor:
    """A matrix with the powers N − 1, …, 1, 0 of a 1-D input as columns; N is its length by default."""
    x = with_axes("x", operand(x), 1, 1)
    powers = np.arange((x.size if N is None else N) - 1, -1, -1)
    return T.power(T.reshape(x, (-1, 1)), wrap(powers.astype(x._array.dtype) if x._array.dtype.kind == "f" else powers))
