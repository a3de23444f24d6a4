"""Mixed precision: layers that compute in Float16, and a factor on the loss that keeps small gradients above 0."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from functools import reduce
from typing import Any

import numpy as np

from .. import nn, ops
from ..core.dtypes import DType, bfloat16, float16, float32
from ..core.errors import kinds_of
from ..core.nested import map_tensors, tensors_in
from ..core.tensor import Tensor
from ..kernels.arguments import number_in, one_of
from ..nn.cell import Cell
from ..nn.layers.checks import positive_int
from ..nn.parameter import Parameter
from ..texts import say

_LARGEST = float(np.finfo(np.float32).max)
_WHITE = (
    nn.Conv1d, nn.Conv2d, nn.Conv3d, nn.Conv1dTranspose, nn.Conv2dTranspose, nn.Conv3dTranspose, nn.Dense,
    nn.LSTMCell, nn.RNNCell, nn.GRUCell,
)  # fmt: skip
_BLACK = (nn.BatchNorm1d, nn.BatchNorm2d, nn.BatchNorm3d, nn.LayerNorm)


def auto_mixed_precision(network: Cell, amp_level: str = "O0", dtype: DType = float16) -> Cell:
    """Let a network compute in Float16, all of it or in part. Its Parameters and what it returns stay Float32.

    A Cell's inputs and outputs are cast, as by ``to_float``; one that has been told a type keeps it.

    Args:
        network: the network.
        amp_level: ``"O0"``: nothing changes; ``"O1"``: convolutions, Dense and recurrent cells compute in Float16;
            ``"O2"``: all Cells but BatchNorm and LayerNorm do; ``"O3"``: all do.
        dtype: only float16 exists here.

    Returns:
        The network; from ``"O2"`` on a Cell around it that casts what it returns.

    Raises:
        TypeError: no Cell. ValueError: no such level, or another type.
    """
    one_of("amp_level", amp_level, ("O0", "O1", "O2", "O3"))
    _checked(network, dtype)
    if amp_level == "O0":
        return network
    if amp_level == "O1":
        return _with_white(network, _WHITE)
    return _with_black(network, _BLACK if amp_level == "O2" else ())


def custom_mixed_precision(
    network: Cell, *, white_list: Iterable[type[Cell]] | None = None,
    black_list: Iterable[type[Cell]] | None = None, dtype: DType = float16,
) -> Cell:  # fmt: skip
    """As :func:`auto_mixed_precision` with a list of one's own.

    Args:
        network: the network.
        white_list: classes of Cells that compute in Float16, all others do not.
        black_list: classes of Cells that do not, all others do. One of the two lists is given.
        dtype: only float16 exists here.

    Raises:
        TypeError: no Cell, or a list with something other than classes of Cells. ValueError: both lists or none, or
            another type.
    """
    _checked(network, dtype)
    if (white_list is None) == (black_list is None):
        raise ValueError(say("errors.amp_lists"))
    given: Any = white_list if black_list is None else black_list
    if not isinstance(given, Iterable):
        raise TypeError(say("errors.amp_class", got=repr(given)))
    classes = tuple(given)
    wrong = [repr(cls) for cls in classes if not (isinstance(cls, type) and issubclass(cls, Cell))]
    if wrong:
        raise TypeError(say("errors.amp_class", got=wrong[0]))
    return _with_white(network, classes) if black_list is None else _with_black(network, classes)


def get_white_list() -> list[type[Cell]]:
    """The Cells that compute in Float16 at level ``"O1"``, in a new list."""
    return list(_WHITE)


def get_black_list() -> list[type[Cell]]:
    """The Cells that do not at level ``"O2"``, in a new list."""
    return list(_BLACK)


def _checked(network: Any, dtype: Any) -> None:
    if not isinstance(network, Cell):
        raise TypeError(say("errors.amp_network", got=type(network).__name__))
    if dtype is bfloat16:
        raise ValueError(say("errors.bfloat16"))
    one_of("dtype", dtype, (float16,))


def _with_white(network: Cell, classes: tuple[type[Cell], ...]) -> Cell:
    chosen = [cell for _, cell in network.cells_and_names() if isinstance(cell, classes)]
    _set_types(network, chosen, float16, float32)
    return network


def _with_black(network: Cell, classes: tuple[type[Cell], ...]) -> Cell:
    kept = [cell for _, cell in network.cells_and_names() if isinstance(cell, classes)]
    _set_types(network, [inner for cell in kept for _, inner in cell.cells_and_names()], float32, float16)
    return _OutputTo32(network)


def _set_types(network: Cell, chosen: Iterable[Cell], theirs: DType, others: DType) -> None:
    """Set the type in which each Cell computes, unless one is set."""
    ids = set(map(id, chosen))
    for _, cell in network.cells_and_names():
        if cell._dtype is None:
            cell._dtype = theirs if id(cell) in ids else others


class _OutputTo32(Cell):
    """A network whose outputs are cast to Float32; Parameters keep their names."""

    def __init__(self, backbone: Cell):
        super().__init__(auto_prefix=False)
        self._backbone = backbone

    def construct(self, *inputs: Any, **named: Any) -> Any:
        outputs = self._backbone(*inputs, **named)
        return map_tensors(lambda t: t.astype(float32) if t.is_floating_point() else t, outputs)


def all_finite(inputs: Any) -> Tensor:
    """Whether no element of any Tensor is infinite or undefined.

    Args:
        inputs: Tensors in a tuple or list, such as gradients.

    Returns:
        A Bool Tensor of shape (); True of an empty tuple or list.

    Raises:
        TypeError: there are no Tensors in it, but something else, such as arrays.
    """
    found = [ops.isfinite(t).all() for t in tensors_in(inputs)]
    empty = isinstance(inputs, (tuple, list, dict)) and not inputs
    if not found and not empty:
        raise TypeError(say("errors.amp_finite", got=kinds_of(inputs)))
    return reduce(ops.logical_and, found) if found else Tensor(True)


class LossScaler(ABC):
    """A factor on a loss, so that small gradients stay above 0 in Float16; it is taken out of them afterwards."""

    @abstractmethod
    def scale(self, inputs: Any) -> Any:
        """Tensors, or one, times the factor."""

    @abstractmethod
    def unscale(self, inputs: Any) -> Any:
        """Tensors, or one, divided by the factor."""

    @abstractmethod
    def adjust(self, grads_finite: Any) -> Any:
        """Tell whether all gradients of a step were finite (:func:`all_finite`)."""


class StaticLossScaler(LossScaler):
    """A factor that stays.

    Args:
        scale_value: the factor, at least 1.
    """

    def __init__(self, scale_value: float):
        number_in(f"{type(self).__name__}.scale_value", scale_value, "[1, ∞)")
        self.scale_value = Parameter(Tensor(scale_value, float32), name="scale_value")

    def scale(self, inputs: Any) -> Any:
        """Tensors, or one, times the factor; each keeps its type."""
        if isinstance(inputs, (int, float)):
            return inputs * self.scale_value
        return map_tensors(lambda t: (t * self.scale_value).astype(t.dtype), inputs)

    def unscale(self, inputs: Any) -> Any:
        """Tensors, or one, divided by the factor; each keeps its type."""
        if isinstance(inputs, (int, float)):
            return inputs / self.scale_value
        return map_tensors(lambda t: (t / self.scale_value).astype(t.dtype), inputs)

    def adjust(self, grads_finite: Any) -> bool:
        """False: nothing changes."""
        return False


class DynamicLossScaler(StaticLossScaler):
    """A factor that falls when a gradient overflows, to 1 at least, and grows after some steps without that.

    Args:
        scale_value: the first factor, at least 1.
        scale_factor: what it is multiplied with, or divided by.
        scale_window: how many finite steps in a row let it grow.
    """

    def __init__(self, scale_value: float, scale_factor: int, scale_window: int):
        super().__init__(scale_value)
        self.scale_factor = number_in("scale_factor", scale_factor, "[1, ∞)")
        self.scale_window = positive_int("DynamicLossScaler", "scale_window", scale_window)
        self.counter = Parameter(Tensor(np.int32(0)), name="counter")

    def adjust(self, grads_finite: Any) -> bool:
        """Set the next factor; True. It is made of ops, so that a plan of ``jit`` may contain it."""
        finite = grads_finite if isinstance(grads_finite, Tensor) else Tensor(bool(grads_finite))
        now = self.scale_value
        most = _LARGEST / self.scale_factor  # of what may grow
        grows = ops.logical_and(ops.equal(self.counter, self.scale_window - 1), now <= most)
        # ``minimum``: a product that is left out should not overflow either
        larger = ops.where(grows, ops.minimum(now, Tensor(most)) * self.scale_factor, now)
        smaller = ops.maximum(now / self.scale_factor, Tensor(1.0))
        counted = ops.where(finite, (self.counter + 1) % self.scale_window, 0)
        ops.assign(self.scale_value, ops.where(finite, larger, smaller))
        ops.assign(self.counter, counted.astype(self.counter.dtype))
        return True
