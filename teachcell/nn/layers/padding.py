"""Padding layers."""

from __future__ import annotations

from typing import Any

from ...core.public import PRIMITIVES
from ...core.tensor import Tensor
from ...ops.arrays.pad import mirror_pad, pad
from ...ops.spatial.sliding import one_of_any_case
from ...texts import say
from ..cell import Cell


class _Pad(Cell):
    """Padding of the last ``axes`` axes: an int, or (before, after) of the last axis, of the one before it, …"""

    axes: int
    mode: str
    value: float | None = None

    def __init__(self, padding: Any):
        super().__init__()
        several = padding if isinstance(padding, (tuple, list)) else (padding,) * (2 * self.axes)
        if not all(isinstance(p, int) and not isinstance(p, bool) for p in several):
            raise TypeError(say("errors.pad_ints", cls=type(self).__name__, most=2 * self.axes, got=padding))
        if len(several) % 2 or len(several) > 2 * self.axes:
            raise ValueError(say("errors.pad_ints", cls=type(self).__name__, most=2 * self.axes, got=padding))
        self.padding = tuple(several)

    def construct(self, x: Tensor) -> Tensor:
        """The same axes, longer; shorter where the padding is negative."""
        return pad(x, self.padding, self.mode, self.value)


class _ConstantPad(_Pad):
    mode = "constant"

    def __init__(self, padding: Any, value: float):
        super().__init__(padding)
        self.value = value


class ConstantPad1d(_ConstantPad):
    """``value`` at both ends of the last axis: an int or (left, right)."""

    axes = 1


class ConstantPad2d(_ConstantPad):
    """``value`` around the last two axes: an int or (left, right, top, bottom)."""

    axes = 2


class ConstantPad3d(_ConstantPad):
    """``value`` around the last three axes: an int or (left, right, top, bottom, front, back)."""

    axes = 3


class ZeroPad2d(_Pad):
    """Zeros around the last two axes: an int or (left, right, top, bottom)."""

    axes, mode = 2, "constant"


class ReflectionPad1d(_Pad):
    """The last axis mirrored at its outermost elements: an int or (left, right)."""

    axes, mode = 1, "reflect"


class ReflectionPad2d(_Pad):
    """The last two axes mirrored at their outermost elements: an int or (left, right, top, bottom)."""

    axes, mode = 2, "reflect"


class ReflectionPad3d(_Pad):
    """The last three axes mirrored at their outermost elements: an int or (left, right, top, bottom, front, back)."""

    axes, mode = 3, "reflect"


class ReplicationPad1d(_Pad):
    """The outermost elements of the last axis repeated: an int or (left, right)."""

    axes, mode = 1, "replicate"


class ReplicationPad2d(_Pad):
    """The outermost elements of the last two axes repeated: an int or (left, right, top, bottom)."""

    axes, mode = 2, "replicate"


class ReplicationPad3d(_Pad):
    """The outermost elements of the last three axes repeated: an int or (left, right, top, bottom, front, back)."""

    axes, mode = 3, "replicate"


class Pad(Cell):
    """Padding of all axes.

    Args:
        paddings: (before, after) for every axis, from the first on.
        mode: ``"CONSTANT"`` (zeros), ``"REFLECT"`` (mirrored at the outermost elements) or ``"SYMMETRIC"`` (mirrored
            behind them).
    """

    def __init__(self, paddings: Any, mode: str = "CONSTANT"):
        super().__init__()
        self.paddings, self.mode = paddings, one_of_any_case("mode", mode, ("CONSTANT", "REFLECT", "SYMMETRIC"))

    def construct(self, x: Tensor) -> Tensor:
        """The same axes, longer."""
        if self.mode == "CONSTANT":
            return PRIMITIVES["Pad"](self.paddings)(x)
        return mirror_pad(x, self.paddings, self.mode)
