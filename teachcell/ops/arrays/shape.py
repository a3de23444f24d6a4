"""Ops that give the same elements another shape. Their results are views where memory allows."""

from __future__ import annotations

import math
from typing import Any

from ...core.define import define
from ...core.op import TENSORS as T
from ...core.public import public
from ...core.record import operand
from ...core.tensor import Tensor
from ...kernels import shape as K
from ...kernels.arguments import one_of, sizes_of


def _reshaped(base: Tensor, new: Tensor, **_: Any) -> Tensor:
    return T.reshape(new, base.shape)


reshape = define(
    "reshape", K.reshape, (lambda F, g, out, x, shape: F.reshape(g, x.shape),),
    keeps="", primitive="Reshape", init=(), undo=_reshaped,
    card=("y = x {in_shape}", "∂x = g {in_shape_of_x}"), source="{linear_map}",
)  # fmt: skip
expand_dims = define(
    "expand_dims", K.expand_dims, (lambda F, g, out, x, axis: F.reshape(g, x.shape),),
    called=("input_x",), keeps="", primitive="ExpandDims", init=(), methods=("expand_dims",), undo=_reshaped,
    card=("y = x {new_axis}", "∂x = g {in_shape_of_x}"), source="{linear_map}",
)  # fmt: skip
squeeze = define(
    "squeeze", K.squeeze, (lambda F, g, out, x, axis=None: F.reshape(g, x.shape),),
    keeps="", primitive="Squeeze", methods=("squeeze",), undo=_reshaped,
    card=("y = x {without_ones}", "∂x = g {in_shape_of_x}"), source="{linear_map}",
)  # fmt: skip
flatten_axes = define(
    "flatten_axes", K.flatten, (lambda F, g, out, x, *, start_dim=1, end_dim=-1: F.reshape(g, x.shape),),
    label="Flatten", keeps="", public=False, undo=_reshaped,
    card=("y = x {merged}", "∂x = g {in_shape_of_x}"), source="{linear_map}",
)  # fmt: skip


@public("flatten")
def flatten(input: Any, order: str = "C", *, start_dim: int = 1, end_dim: int = -1) -> Tensor:
    """Axes ``start_dim`` … ``end_dim`` merged into one: all but the batch axis by default.

    Args:
        input: any Tensor; one with fewer than 2 axes becomes 1-D.
        order: ``"C"``, the last axis varies fastest; or ``"F"``, the first does.
        start_dim, end_dim: the first and the last axis to merge.
    """
    one_of("order", order, ("C", "F"))
    x = operand(input)
    return flatten_axes(T.transpose(x) if order == "F" and x.ndim > 1 else x, start_dim=start_dim, end_dim=end_dim)


@public(primitive="Flatten")
def _flatten_rows(input_x: Any) -> Tensor:
    """(N, …) to (N, D): all axes but the first merged into one. A Tensor of one axis gets a second one of length 1."""
    x = operand(input_x)
    return T.reshape(x, (x.shape[0], 1)) if x.ndim == 1 else flatten(x)


@public("unsqueeze", methods=("unsqueeze",))
def unsqueeze(input: Any, dim: int) -> Tensor:
    """A new axis of length 1 at ``dim``."""
    return expand_dims(input, dim)


@public("ravel", methods=("ravel",))
def ravel(input: Any) -> Tensor:
    """All elements in one axis."""
    return reshape(input, (-1,))


@public("view_as", methods=("view_as", "reshape_as"))
def view_as(input: Any, other: Tensor) -> Tensor:
    """``input`` in the shape of ``other``."""
    return reshape(input, other.shape)


def _each(function: Any, inputs: Any) -> Any:
    """One Tensor for one, a tuple for several."""
    if isinstance(inputs, (tuple, list)):
        return tuple([function(operand(x)) for x in inputs])
    return function(operand(inputs))


@public("atleast_1d")
def atleast_1d(inputs: Any) -> Any:
    """A number as a Tensor of one axis; several inputs, given as a sequence, each so."""
    return _each(lambda x: reshape(x, (1,)) if x.ndim == 0 else x, inputs)


@public("atleast_2d")
def atleast_2d(inputs: Any) -> Any:
    """Fewer than two axes completed in front: (n,) becomes (1, n). Several inputs, given as a sequence, each so."""
    return _each(lambda x: reshape(x, (1, -1)) if x.ndim < 2 else x, inputs)


@public("atleast_3d")
def atleast_3d(inputs: Any) -> Any:
    """Fewer than three axes completed: (n,) to (1, n, 1), (m, n) to (m, n, 1). Several inputs each so."""
    return _each(
        lambda x: reshape(x, (1, -1, 1)) if x.ndim < 2 else reshape(x, (*x.shape, 1)) if x.ndim == 2 else x, inputs
    )


# Methods of Tensor that take a shape as ints or as one tuple ----------------------------------------------------


def sizes(given: tuple[Any, ...], named: Any = None) -> tuple[int, ...]:
    """What ``*shape`` holds: ints, or one sequence of them, which may also have come by name."""
    given = given if named is None else (*given, named)
    return sizes_of(given[0] if len(given) == 1 else given)


@public(methods=("reshape", "view"))
def _reshape(self: Tensor, *lengths: Any, shape: Any = None) -> Tensor:
    """The same elements in another shape, given as ints or one tuple."""
    return reshape(self, sizes(lengths, shape))


@public(methods=("flatten",))
def _flatten(self: Tensor, *axes: Any, order: str = "C", start_dim: int = 0, end_dim: int = -1) -> Tensor:
    """Axes merged into one, all by default: ``flatten()``, ``flatten("F")`` or ``flatten(start_dim, end_dim)``."""
    if axes and isinstance(axes[0], str):
        order, axes = axes[0], axes[1:]
    start_dim, end_dim = (*axes, start_dim)[0], (*axes[1:], end_dim)[0]
    return flatten(self, order, start_dim=start_dim, end_dim=end_dim)


@public(methods=("resize",))
def _resize(self: Tensor, *new_shape: Any) -> Tensor:
    """The first elements in another shape, zeros where there are not enough."""
    shape = sizes(new_shape)
    flat, missing = reshape(self, (-1,)), math.prod(shape) - self.size
    return reshape(T.pad_frame(flat, widths=((0, missing),)) if missing else flat, shape)
