"""What is known about a Tensor without its values, and small conversions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...core.dtypes import DType as DataType
from ...core.dtypes import as_dtype, float32, int32, int64
from ...core.public import public
from ...core.record import operand
from ...core.tensor import Tensor, wrap
from ...texts import say
from .memory import clone


def _tensor(x: Any) -> Tensor:
    if not isinstance(x, Tensor):
        raise TypeError(say("errors.a_tensor", got=type(x).__name__))
    return x


@public("shape", primitive="Shape")
def shape(input_x: Tensor) -> tuple[int, ...]:
    """Lengths of the axes."""
    return _tensor(input_x).shape


@public("size", primitive="Size", methods=("nelement",))
def size(input_x: Tensor) -> int:
    """Number of elements."""
    return _tensor(input_x).size


@public("numel", methods=("numel",))
def numel(input: Tensor) -> int:
    """Number of elements."""
    return size(input)


@public("rank", primitive="Rank", methods=("ndimension",))
def rank(input_x: Tensor) -> int:
    """Number of axes."""
    return _tensor(input_x).ndim


@public("dtype", primitive="DType")
def dtype(x: Tensor) -> DataType:
    """Data type."""
    return _tensor(x).dtype


@public("dyn_shape", primitive="TensorShape")
def dyn_shape(input_x: Tensor) -> Tensor:
    """Lengths of the axes as a Tensor, Int64."""
    return wrap(np.array(_tensor(input_x).shape, np.int64))


@public("is_tensor")
def is_tensor(obj: Any) -> bool:
    """Whether it is a Tensor (a Parameter is one)."""
    return isinstance(obj, Tensor)


@public("scalar_to_tensor", primitive="ScalarToTensor")
def scalar_to_tensor(input_x: Any, dtype: Any = float32) -> Tensor:
    """A Python number as a 0-d Tensor."""
    if not isinstance(input_x, (bool, int, float)):
        raise TypeError(say("errors.a_number", got=type(input_x).__name__))
    return wrap(np.array(input_x, as_dtype(dtype).numpy))


@public("scalar_cast", primitive="ScalarCast")
def scalar_cast(input_x: Any, input_y: Any) -> Any:
    """A Python number converted to a data type: an int, a float or a bool."""
    if not isinstance(input_x, (bool, int, float)):
        raise TypeError(say("errors.a_number", got=type(input_x).__name__))
    return np.array(input_x).astype(as_dtype(input_y).numpy).item()


@public("tuple_to_array", primitive="TupleToArray")
def tuple_to_array(input_x: Sequence[Any]) -> Tensor:
    """Numbers of one kind as a 1-D Tensor: Int32 for ints, Float32 for floats."""
    numbers = operand(list(input_x))
    return numbers.astype(int32) if numbers._array.dtype.kind == "i" else numbers


@public(primitive="InvertPermutation")
def _invert_permutation(input_x: Sequence[int]) -> tuple[int, ...]:
    """The permutation that undoes one of the numbers 0 … n − 1."""
    order = [int(i) for i in input_x]
    if sorted(order) != list(range(len(order))):
        raise ValueError(say("errors.permutation", got=order))
    return tuple(np.argsort(order).tolist())


@public(primitive="ListDiff", init=("out_idx",))
def _list_diff(x: Any, y: Any, out_idx: Any = int32) -> tuple[Tensor, Tensor]:
    """The elements of x that y has not, in order, and their indices in x."""
    array = operand(x)._array
    (kept,) = np.nonzero(~np.isin(array, operand(y)._array))
    return wrap(array[kept]), wrap(kept.astype(as_dtype(out_idx).numpy))


@public(primitive="RaggedRange", init=("Tsplits",))
def _ragged_range(starts: Any, limits: Any, deltas: Any, Tsplits: Any = int64) -> tuple[Tensor, Tensor]:
    """Ranges of different lengths one after the other: where each begins and ends, and the numbers."""
    bounds = [operand(x)._array for x in (starts, limits, deltas)]
    ranges = [np.arange(*triple) for triple in np.broadcast(*bounds)]
    ends = np.cumsum([0, *[len(r) for r in ranges]])
    numbers = np.concatenate([[], *ranges]).astype(bounds[0].dtype)
    return wrap(ends.astype(as_dtype(Tsplits).numpy)), wrap(numbers)


@public("deepcopy")
def deepcopy(input_x: Tensor) -> Tensor:
    """A copy with memory of its own, through which gradients flow."""
    return clone(_tensor(input_x))


@public("make_tuple")
def make_tuple(*args: Any) -> tuple[Any, ...]:
    """The arguments as a tuple."""
    return args
