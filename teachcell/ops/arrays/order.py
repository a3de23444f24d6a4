"""Ops that give axes or elements another order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...core.define import define
from ...core.op import TENSORS as T
from ...core.public import public
from ...core.record import operand
from ...core.tensor import Tensor
from ...kernels import shape as K
from ...kernels.arguments import axes_of, whole
from ...texts import say
from .shape import sizes

transpose = define(
    "transpose", K.transpose, (lambda F, g, out, x, dims=None: F.transpose(g, K.inverse_order(dims)),),
    keeps="", primitive="Transpose", init=(),
    undo=lambda base, new, dims=None: T.transpose(new, K.inverse_order(dims)),
    card=("y = xᵀ", "∂x = gᵀ"), source="{linear_map}",
)  # fmt: skip
swapaxes = define(
    "swapaxes", K.swapaxes, (lambda F, g, out, x, axis0, axis1: F.swapaxes(g, axis0, axis1),),
    keeps="", methods=("swapaxes",), undo=lambda base, new, **axes: T.swapaxes(new, **axes),
    card=("y = x {exchanged}", "∂x = g {exchanged_back}"), source="{linear_map}",
)  # fmt: skip
flip = define(
    "flip", K.flip, (lambda F, g, out, x, dims: F.flip(g, dims),), keeps="", methods=("flip",),
    card=("y = x {in_reverse}", "∂x = g {in_reverse_again}"), source="{linear_map}",
)  # fmt: skip
roll = define(
    "roll", K.roll, (lambda F, g, out, x, shifts, dims=None: F.roll(g, K.opposite(shifts), dims),),
    keeps="", primitive="Roll", methods=("roll",),
    card=("y[i + s] = x[i]", "∂x[i] = g[i + s]"), source="{linear_map}",
)  # fmt: skip


@public("permute")
def permute(input: Any, axis: Sequence[int]) -> Tensor:
    """The axes in another order."""
    return transpose(input, axis)


@public(primitive="TransposeView")
def _transpose_view(input: Any, input_perm: Sequence[int]) -> Tensor:
    """``transpose``."""
    return transpose(input, input_perm)


@public("swapdims", methods=("swapdims",))
def swapdims(input: Any, dim0: int, dim1: int) -> Tensor:
    """Two axes exchanged."""
    return swapaxes(input, dim0, dim1)


@public("movedim", "moveaxis", methods=("movedim", "moveaxis"))
def movedim(x: Any, source: int | Sequence[int], destination: int | Sequence[int]) -> Tensor:
    """The axes ``source`` at the positions ``destination``; the others keep their order."""
    x = operand(x)
    old, new = axes_of(source, x.ndim), axes_of(destination, x.ndim)
    if len(old) != len(new):
        raise ValueError(say("errors.moved_axes", source=source, destination=destination))
    order = [i for i in range(x.ndim) if i not in old]
    for at, axis in sorted(zip(new, old, strict=True)):
        order.insert(at, axis)
    return transpose(x, tuple(order))


@public("t", methods=("t",))
def t(input: Any) -> Tensor:
    """A matrix transposed; any other Tensor as it is."""
    x = operand(input)
    return transpose(x) if x.ndim == 2 else T.identity(x)


@public("adjoint", methods=("adjoint",))
def adjoint(x: Any) -> Tensor:
    """Every matrix transposed: the last two axes exchanged (real numbers need no conjugate)."""
    return swapaxes(x, -1, -2)


@public("fliplr", methods=("fliplr",))
def fliplr(input: Any) -> Tensor:
    """Left and right exchanged: axis 1 in reverse order."""
    return flip(input, 1)


@public("flipud", methods=("flipud",))
def flipud(input: Any) -> Tensor:
    """Up and down exchanged: axis 0 in reverse order."""
    return flip(input, 0)


@public("rot90", methods=("rot90",))
def rot90(input: Any, k: int, dims: Sequence[int]) -> Tensor:
    """``k`` quarter turns in the plane of two axes, from the first towards the second."""
    first, second = axes_of(tuple(dims), operand(input).ndim)
    k = whole(k, "k")
    if k % 4 == 0:
        return T.identity(input)
    if k % 4 == 2:
        return flip(input, (first, second))
    turned = swapaxes(input, first, second)
    return flip(turned, first if k % 4 == 1 else second)


@public(methods=("transpose",))
def _transpose(self: Tensor, *axes: Any, dim0: int | None = None, dim1: int | None = None) -> Tensor:
    """Axes in another order, given as one tuple or as ints; reversed by default.

    Two ints (``dim0`` and ``dim1``) are exchanged: ``x.transpose(0, 1)`` is not ``x.transpose((0, 1))``.
    """
    axes = (*axes, *[axis for axis in (dim0, dim1) if axis is not None])
    if len(axes) == 2:
        return swapaxes(self, *axes)
    return transpose(self, sizes(axes) or None) if axes else transpose(self)


@public(methods=("permute",))
def _permute(self: Tensor, *axes: Any, dims: Any = None) -> Tensor:
    """Axes in another order, given as ints or one tuple."""
    return transpose(self, sizes(axes, dims))


for _name in ("H", "mH", "mT"):
    setattr(Tensor, _name, property(adjoint))
