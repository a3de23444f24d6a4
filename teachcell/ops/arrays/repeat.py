"""Ops that repeat elements. Backward, the gradients of all copies of an element add up."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.define import define
from ...core.gradients import reduces, unbroadcast
from ...core.op import TENSORS as T
from ...core.public import public
from ...core.record import operand
from ...core.tensor import Tensor
from ...kernels import shape as K
from ...kernels.arguments import limited, one_axis, sizes_of
from ...texts import say
from .shape import sizes


def _tile_rule(F: Any, g: Any, out: Any, x: Any, dims: Any) -> Any:
    pairs, copies = K.tiled(x.shape, dims)
    return F.reshape(F.sum(F.reshape(g, pairs), copies), x.shape)


broadcast_to = define(
    "broadcast_to", K.broadcast_to, (lambda F, g, out, x, shape: unbroadcast(F, g, x.shape),),
    keeps="", primitive="BroadcastTo", methods=("broadcast_to",),
    card=("y = x {repeated}", "∂x = Σ g {over_repeats}"), source="{linear_map}",
)  # fmt: skip
tile = define(
    "tile", K.tile, (_tile_rule,), keeps="", primitive="Tile", init=(),
    card=("y = x {laid_side_by_side}", "∂x = Σ g {over_copies}"), source="{linear_map}",
)  # fmt: skip


@public("expand")
def expand(input_x: Any, size: Any) -> Tensor:
    """``input_x`` repeated along axes of length 1 and new leading axes; −1 keeps an axis."""
    return broadcast_to(input_x, sizes_of(size))


@public("expand_as", methods=("expand_as",))
def expand_as(input: Any, other: Tensor) -> Tensor:
    """``input`` repeated to the shape of ``other``."""
    return broadcast_to(input, other.shape)


@public("repeat_interleave")
def repeat_interleave(input: Any, repeats: Any, axis: int | None = None) -> Tensor:
    """Every slice along ``axis`` repeated in place: [a, b] becomes [a, a, b, b].

    Args:
        input: any Tensor.
        repeats: how often: an int, or one per slice.
        axis: by default the input is flattened first.
    """
    x = operand(input)
    if axis is None:
        x, axis = T.reshape(x, (-1,)), 0
    times = np.array(sizes_of(repeats))
    axis = one_axis(axis, x.ndim)
    length = x.shape[axis]
    if times.min(initial=0) < 0 or len(times) not in (1, length):
        raise ValueError(say("errors.repeats", length=length, axis=axis, got=times.tolist()))
    limited("repeats", repeats, sum(times.tolist()) * (x.size // len(times) if len(times) else 0))
    return T.gather(x, np.repeat(np.arange(length), times), axis)


@public("repeat_elements")
def repeat_elements(x: Any, rep: int, axis: int = 0) -> Tensor:
    """Every slice along ``axis`` repeated ``rep`` times in place."""
    return repeat_interleave(x, rep, axis)


@public(methods=("tile", "repeat"))
def _tile(self: Tensor, *copies: Any, dims: Any = None) -> Tensor:
    """Laid side by side, the numbers of copies given as ints or one tuple."""
    return tile(self, sizes(copies, dims))


@public(methods=("expand",))
def _expand(self: Tensor, *lengths: Any, size: Any = None) -> Tensor:
    """Repeated along axes of length 1 and new leading axes, the shape given as ints or one tuple."""
    return broadcast_to(self, sizes(lengths, size))


@public(methods=("repeat_interleave",))
def _repeat_interleave(self: Tensor, repeats: Any, dim: int | None = None) -> Tensor:
    """Every slice along ``dim`` repeated in place; flattened first by default."""
    return repeat_interleave(self, repeats, dim)


@public(methods=("sum_to_size",))
def _sum_to_size(self: Tensor, *size: Any) -> Tensor:
    """The reverse of a broadcast: summed to a shape that broadcasts to this one."""
    shape = sizes(size)
    if not reduces(self.shape, shape):
        raise ValueError(say("errors.sum_to_size", shape=self.shape, got=shape))
    return unbroadcast(T, self, shape)
