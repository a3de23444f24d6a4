"""Ops that move elements: shape, order, joining, indexing."""

from __future__ import annotations

from typing import Any

from ..core.backward import unbroadcast
from ..core.define import define
from ..core.op import TENSORS as T
from ..core.public import public
from ..core.tensor import Tensor
from ..kernels import shape as K


def _reshaped(base: Tensor, new: Tensor, **_: Any) -> Tensor:
    return T.reshape(new, base.shape)


reshape = define(
    "reshape", K.reshape, (lambda F, g, out, x, shape: F.reshape(g, x.shape),),
    keeps="", primitive="Reshape", init=(), undo=_reshaped, card=("y = x {in_shape}", "∂x = g {in_shape_of_x}"),
)  # fmt: skip
expand_dims = define(
    "expand_dims", K.expand_dims, (lambda F, g, out, x, axis: F.reshape(g, x.shape),),
    keeps="", primitive="ExpandDims", init=(), names=("expand_dims", "unsqueeze"),
    methods=("expand_dims",), undo=_reshaped, card=("y = x {new_axis}", "∂x = g {in_shape_of_x}"),
)  # fmt: skip
squeeze = define(
    "squeeze", K.squeeze, (lambda F, g, out, x, axis=None: F.reshape(g, x.shape),),
    keeps="", primitive="Squeeze", methods=("squeeze",), undo=_reshaped,
    card=("y = x {without_ones}", "∂x = g {in_shape_of_x}"),
)  # fmt: skip
flatten = define(
    "flatten", K.flatten, (lambda F, g, out, x, *, start_dim=1, end_dim=-1: F.reshape(g, x.shape),),
    keeps="", primitive="Flatten", undo=_reshaped, card=("y = x {merged}", "∂x = g {in_shape_of_x}"),
)  # fmt: skip
transpose = define(
    "transpose", K.transpose, (lambda F, g, out, x, axes=None: F.transpose(g, K.inverse_order(axes)),),
    keeps="", primitive="Transpose", init=(), names=("transpose", "permute"),
    undo=lambda base, new, axes=None: T.transpose(new, K.inverse_order(axes)),
    card=("y = xᵀ", "∂x = gᵀ"),
)  # fmt: skip
swapaxes = define(
    "swapaxes", K.swapaxes, (lambda F, g, out, x, axis0, axis1: F.swapaxes(g, axis0, axis1),),
    keeps="", methods=("swapaxes",),
    undo=lambda base, new, **axes: T.swapaxes(new, **axes), card=("y = x {exchanged}", "∂x = g {exchanged_back}"),
)  # fmt: skip
broadcast_to = define(
    "broadcast_to", K.broadcast_to, (lambda F, g, out, x, shape: unbroadcast(F, g, x.shape),),
    keeps="", primitive="BroadcastTo", methods=("broadcast_to",),
    card=("y = x {repeated}", "∂x = Σ g {over_repeats}"),
)  # fmt: skip


def _concat_rule(F: Any, g: Any, out: Any, wanted: list[bool], *xs: Any, axis: int = 0) -> list[Any]:
    axis %= len(g.shape)
    ends = [0]
    for x in xs:
        ends.append(ends[-1] + x.shape[axis])
    parts = [(slice(None),) * axis + (slice(a, b),) for a, b in zip(ends, ends[1:], strict=False)]
    return [F.getitem(g, part) if want else None for part, want in zip(parts, wanted, strict=True)]


def _stack_rule(F: Any, g: Any, out: Any, wanted: list[bool], *xs: Any, axis: int = 0) -> list[Any]:
    axis %= len(g.shape)
    return [F.getitem(g, (slice(None),) * axis + (i,)) if want else None for i, want in enumerate(wanted)]


concat = define(
    "concat", K.concat, _concat_rule, variadic=True, primitive="Concat", names=("concat", "cat"),
    card=("y = [x₁ … xₙ]", "∂xᵢ = g {own_part}"),
)  # fmt: skip
stack = define(
    "stack", K.stack, _stack_rule, variadic=True, primitive="Stack",
    card=("y = [x₁ … xₙ] {on_new_axis}", "∂xᵢ = g[i]"),
)  # fmt: skip
getitem = define(
    "getitem", K.getitem, (lambda F, g, out, x, index: F.put(g, x.shape, index),),
    label="GetItem", keeps="", public=False,
    undo=lambda base, new, index: T.setitem(base, new, index=index), card=("y = x[i]", "∂x = g {only_at}"),
)  # fmt: skip
put = define(
    "put", K.put, (lambda F, g, out, x, shape, index: F.getitem(g, index),), keeps="", public=False,
    card=("y = {added_at}", "∂x = g[i]"),
)  # fmt: skip


def _setitem_value(F: Any, g: Any, out: Any, x: Any, value: Any, index: Any) -> Any:
    arrived, kept = F.getitem(g, index), K.last_written(g.shape, index)
    return arrived if kept is None else F.select(F.constant(kept), arrived, F.zeros_like(arrived))


setitem = define(
    "setitem", K.setitem,
    (lambda F, g, out, x, value, index: F.setitem(g, F.zeros_like(F.getitem(g, index)), index), _setitem_value),
    label="SetItem", keeps="", promotes=(), public=False,
    card=("y = x {with} x[i] = v", "∂x = g {cut_out}", "∂v = g[i]"),
)  # fmt: skip


def _sizes(sizes: tuple[Any, ...]) -> Any:
    return sizes[0] if len(sizes) == 1 and isinstance(sizes[0], (tuple, list)) else sizes


@public(methods=("reshape", "view"))
def _reshape(self: Tensor, *shape: Any) -> Tensor:
    """The same elements in another shape, given as ints or one tuple."""
    return reshape(self, tuple(_sizes(shape)))


@public(methods=("transpose", "permute"))
def _transpose(self: Tensor, *axes: Any) -> Tensor:
    """Axes in another order, given as ints or one tuple; reversed by default."""
    return transpose(self, tuple(_sizes(axes)) or None)


@public(methods=("unsqueeze",))
def _unsqueeze(self: Tensor, dim: int) -> Tensor:
    """A new axis of length 1 at ``dim``."""
    return expand_dims(self, dim)


@public(methods=("flatten", "ravel"))
def _flatten(self: Tensor, *, start_dim: int = 0, end_dim: int = -1) -> Tensor:
    """Axes merged into one, all of them by default."""
    return flatten(self, start_dim=start_dim, end_dim=end_dim)
