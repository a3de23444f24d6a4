"""Ops that move elements: shape, order, joining, indexing."""

from __future__ import annotations

from typing import Any

from ..core.backward import unbroadcast
from ..core.define import FUNCTIONS, define
from ..core.tensor import Tensor
from ..kernels import shape as K

reshape = define(
    "reshape", K.reshape, (lambda F, g, out, x, shape: F.reshape(g, x.shape),),
    keeps="", primitive="Reshape", init=(), alias=True, card=("y = x in another shape", "∂x = g in x's shape"),
)  # fmt: skip
transpose = define(
    "transpose", K.transpose, (lambda F, g, out, x, axes=None: F.transpose(g, K.inverse_order(axes)),),
    keeps="", primitive="Transpose", init=(), names=("transpose", "permute"), alias=True,
    card=("y = xᵀ", "∂x = gᵀ"),
)  # fmt: skip
broadcast_to = define(
    "broadcast_to", K.broadcast_to, (lambda F, g, out, x, shape: unbroadcast(F, g, x.shape),),
    keeps="", primitive="BroadcastTo", methods=("broadcast_to",),
    card=("y = x repeated", "∂x = Σ g over the repeats"),
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
    "concat", K.concat, _concat_rule, arity=None, promotes=True, primitive="Concat", names=("concat", "cat"),
    card=("y = [x₁ … xₙ]", "∂xᵢ = the part of g at xᵢ's place"),
)  # fmt: skip
stack = define(
    "stack", K.stack, _stack_rule, arity=None, promotes=True, primitive="Stack",
    card=("y = [x₁ … xₙ], on a new axis", "∂xᵢ = g at i"),
)  # fmt: skip
getitem = define(
    "getitem", K.getitem, (lambda F, g, out, x, index: F.put(g, x.shape, index),), keeps="", alias=True,
    public=False, card=("y = x[i]", "∂x = g at i, 0 elsewhere"),
)  # fmt: skip
put = define(
    "put", K.put, (lambda F, g, out, x, shape, index: F.getitem(g, index),), keeps="", public=False,
    card=("y = 0 with x added at i", "∂x = g[i]"),
)  # fmt: skip
setitem = define(
    "setitem", K.setitem,
    (
        lambda F, g, out, x, value, index: F.setitem(g, F.zeros_like(F.getitem(g, index)), index),
        lambda F, g, out, x, value, index: F.getitem(g, index),
    ),
    keeps="", promotes=(), public=False, card=("y = x with x[i] = v", "∂x = g, 0 at i", "∂v = g[i]"),
)  # fmt: skip


def expand_dims(x: Tensor, axis: int) -> Tensor:
    """A new axis of length 1 at ``axis``."""
    axis = range(x.ndim + 1)[axis]
    return reshape(x, (*x.shape[:axis], 1, *x.shape[axis:]))


def squeeze(x: Tensor, axis: int | tuple[int, ...] | None = None) -> Tensor:
    """Without the axes of length 1 (all, or those named)."""
    axes = range(x.ndim) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    chosen = [range(x.ndim)[a] for a in axes]
    if axis is not None and any(x.shape[a] != 1 for a in chosen):
        raise ValueError(f"squeeze: axis {axis} of shape {x.shape} is not 1")
    return reshape(x, tuple(d for i, d in enumerate(x.shape) if d != 1 or i not in chosen))


def flatten(x: Tensor, order: str = "C", *, start_dim: int = 1, end_dim: int = -1) -> Tensor:
    """Axes ``start_dim`` … ``end_dim`` merged into one; the batch axis stays by default."""
    if x.ndim < 2:
        return reshape(x, (-1,))
    start, end = range(x.ndim)[start_dim], range(x.ndim)[end_dim]
    return reshape(x, (*x.shape[:start], -1, *x.shape[end + 1 :]))


def _sizes(sizes: tuple[Any, ...]) -> Any:
    return sizes[0] if len(sizes) == 1 and isinstance(sizes[0], (tuple, list)) else sizes


def _reshape(self: Tensor, *shape: Any) -> Tensor:
    """The same elements in another shape, given as ints or one tuple."""
    return reshape(self, tuple(_sizes(shape)))


def _transpose(self: Tensor, *axes: Any) -> Tensor:
    """Axes in another order, given as ints or one tuple; reversed by default."""
    return transpose(self, tuple(_sizes(axes)) or None)


FUNCTIONS |= {"expand_dims": expand_dims, "unsqueeze": expand_dims, "squeeze": squeeze, "flatten": flatten}
for _name, _method in {
    "reshape": _reshape, "view": _reshape, "transpose": _transpose, "permute": _transpose,
    "expand_dims": expand_dims, "unsqueeze": expand_dims, "squeeze": squeeze,
    "flatten": lambda self: reshape(self, (-1,)),
}.items():  # fmt: skip
    setattr(Tensor, _name, _method)
