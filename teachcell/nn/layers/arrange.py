"""Layers that hand on, arrange, choose or number elements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ... import ops
from ...core.dtypes import float32
from ...core.op import TENSORS as T
from ...core.record import operand
from ...core.tensor import Tensor, wrap
from ...kernels.arguments import one_axis
from ...kernels.index import along
from ...texts import say
from ..cell import Cell
from .checks import positive_int


class Identity(Cell):
    """Its input, unchanged; whatever arguments it is made with."""

    def __init__(self, *args: Any, **kwargs: Any):
        super().__init__()

    def construct(self, input: Any) -> Any:
        """The input."""
        return input


class Unflatten(Cell):
    """One axis split into several.

    Args:
        axis: the axis.
        unflattened_size: the new lengths; one of them may be −1.
    """

    def __init__(self, axis: int, unflattened_size: Sequence[int]):
        super().__init__()
        if isinstance(axis, bool) or not isinstance(axis, int):
            raise TypeError(say("errors.unflatten_axis", got=repr(axis)))
        self.axis, self.unflattened_size = axis, tuple(unflattened_size)

    def construct(self, input_x: Tensor) -> Tensor:
        """The same elements in another shape."""
        input_x = operand(input_x)
        shape = input_x.shape
        axis = one_axis(self.axis, len(shape))
        return T.reshape(input_x, (*shape[:axis], *self.unflattened_size, *shape[axis + 1 :]))

    def extend_repr(self) -> str:
        return f"axis={self.axis}, unflattened_size={self.unflattened_size}"


class Roll(Cell):
    """Elements moved along axes; what leaves at the end comes in at the beginning.

    Args:
        shift: by how much, an int or one per axis.
        axis: the axis or axes.
    """

    def __init__(self, shift: Any, axis: Any):
        super().__init__()
        self.shift, self.axis = shift, axis

    def construct(self, input_x: Tensor) -> Tensor:
        """Same shape."""
        return T.roll(input_x, self.shift, self.axis)


class Tril(Cell):
    """The lower triangle of matrices, zeros elsewhere."""

    def construct(self, x: Tensor, k: int = 0) -> Tensor:
        """Same shape; up to diagonal ``k``, where 0 is the main one."""
        return T.tril(x, k)


class Triu(Cell):
    """The upper triangle of matrices, zeros elsewhere."""

    def construct(self, x: Tensor, k: int = 0) -> Tensor:
        """Same shape; from diagonal ``k`` on, where 0 is the main one."""
        return T.triu(x, k)


class OneHot(Cell):
    """One element per class, of which that of the given class is ``on_value``.

    Args:
        axis: where the new axis goes.
        depth: its length, the number of classes.
        on_value, off_value: numbers.
        dtype: data type of the result.
    """

    def __init__(
        self, axis: int = -1, depth: int = 1, on_value: float = 1.0, off_value: float = 0.0, dtype: Any = float32
    ):
        super().__init__()
        self.axis, self.depth, self.dtype = axis, positive_int("OneHot", "depth", depth), dtype
        self.on_value, self.off_value = Tensor(on_value, dtype), Tensor(off_value, dtype)

    def construct(self, indices: Tensor) -> Tensor:
        """The shape of ``indices`` with the new axis; ints outside of the classes give ``off_value`` everywhere."""
        return ops.one_hot(indices, self.depth, self.on_value, self.off_value, self.axis)


class Range(Cell):
    """The numbers start, start + delta, …, below ``limit`` (above it for a negative ``delta``).

    Args:
        start: the first; the limit, if it stands alone.
        limit: where to end.
        delta: the distance.
    """

    def __init__(self, start: float, limit: float | None = None, delta: float = 1):
        super().__init__()
        if delta == 0:
            raise ValueError(say("errors.range_delta"))
        first, end = (0, start) if limit is None else (start, limit)
        whole = all(isinstance(v, int) for v in (first, end, delta))
        self.values = wrap(np.arange(first, end, delta).astype(np.int32 if whole else np.float32))

    def construct(self) -> Tensor:
        """(N,), Int32 for ints, else Float32."""
        return wrap(self.values._array.copy())


class TimeDistributed(Cell):
    """One layer at every step of time, with the same Parameters.

    Args:
        layer: the Cell.
        time_axis: the axis of time.
        reshape_with_axis: accepted for old code; without effect.
    """

    def __init__(self, layer: Any, time_axis: int, reshape_with_axis: int | None = None):
        super().__init__()
        self.layer, self.time_axis = layer, time_axis

    def construct(self, inputs: Tensor) -> Tensor:
        """The layer's outputs, joined along the axis of time."""
        inputs = operand(inputs)
        axis = one_axis(self.time_axis, inputs.ndim)
        steps = [inputs[along(axis, t)] for t in range(inputs.shape[axis])]
        return T.stack([self.layer(step) for step in steps], axis=axis)
