"""Ops that make one Tensor of several, and grids of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations as choices
from itertools import combinations_with_replacement
from typing import Any

import numpy as np

from ...core.define import define
from ...core.op import TENSORS as T
from ...core.public import public
from ...core.record import operand
from ...core.tensor import Tensor
from ...kernels import shape as K
from ...kernels.arguments import MOST_OBJECTS, limited, one_of, whole
from ...kernels.index import along
from ...texts import say
from .shape import atleast_1d, atleast_2d, atleast_3d


def _concat_rule(F: Any, g: Any, out: Any, wanted: list[bool], *xs: Any, axis: int = 0) -> list[Any]:
    axis %= len(g.shape)
    ends = [0]
    for x in xs:
        ends.append(ends[-1] + x.shape[axis])
    parts = [along(axis, slice(a, b)) for a, b in zip(ends, ends[1:], strict=False)]
    return [F.getitem(g, part) if want else None for part, want in zip(parts, wanted, strict=True)]


def _stack_rule(F: Any, g: Any, out: Any, wanted: list[bool], *xs: Any, axis: int = 0) -> list[Any]:
    axis %= len(g.shape)
    return [F.getitem(g, along(axis, i)) if want else None for i, want in enumerate(wanted)]


concat = define(
    "concat", K.concat, _concat_rule, called=("tensors",), variadic=True, primitive="Concat", names=("concat", "cat"),
    card=("y = [x₁ … xₙ]", "∂xᵢ = g {own_part}"), source="{linear_map}",
)  # fmt: skip
stack = define(
    "stack", K.stack, _stack_rule, called=("tensors",), variadic=True, primitive="Stack",
    card=("y = [x₁ … xₙ] {on_new_axis}", "∂xᵢ = g[i]"), source="{linear_map}",
)  # fmt: skip


@public("hstack")
def hstack(tensors: Sequence[Any]) -> Tensor:
    """Joined side by side: along axis 1, 1-D ones along axis 0."""
    parts = [atleast_1d(operand(x)) for x in tensors]
    return concat(parts, 0 if parts and parts[0].ndim == 1 else 1)


@public("vstack", "row_stack")
def vstack(inputs: Sequence[Any]) -> Tensor:
    """Joined one below the other along axis 0; 1-D ones are rows."""
    return concat([atleast_2d(operand(x)) for x in inputs])


@public("dstack")
def dstack(tensors: Sequence[Any]) -> Tensor:
    """Joined one behind the other along axis 2."""
    return concat([atleast_3d(operand(x)) for x in tensors], 2)


@public("column_stack")
def column_stack(tensors: Sequence[Any]) -> Tensor:
    """Joined side by side along axis 1; 1-D ones are columns."""
    parts = [operand(x) for x in tensors]
    return concat([T.reshape(x, (-1, 1)) if x.ndim < 2 else x for x in parts], 1)


@public("block_diag")
def block_diag(*inputs: Any) -> Tensor:
    """A matrix with the inputs as blocks along its diagonal and zeros elsewhere."""
    blocks = [atleast_2d(operand(x)) for x in inputs]
    for block in blocks:
        if block.ndim != 2:
            raise ValueError(say("errors.block_axes", shape=block.shape))
    width, left, rows = sum(b.shape[1] for b in blocks), 0, []
    for block in blocks:
        rows.append(T.pad_frame(block, widths=((0, 0), (left, width - left - block.shape[1]))))
        left += block.shape[1]
    return concat(rows)


@public("meshgrid")
def meshgrid(*inputs: Any, indexing: str = "xy") -> tuple[Tensor, ...]:
    """Coordinates of a grid: every 1-D input repeated along the axes of the others.

    Args:
        inputs: 1-D Tensors, or numbers.
        indexing: ``"xy"``: the first two inputs are the columns and the rows, ``"ij"``: axis i belongs to input i.
    """
    one_of("indexing", indexing, ("xy", "ij"))
    axes = list(range(len(inputs)))
    if indexing == "xy":
        axes[:2] = axes[1::-1]
    flat = [T.reshape(operand(x), (-1,)) for x in inputs]
    shape = [flat[a].shape[0] for a in axes]
    places = [[-1 if a == i else 1 for a in axes] for i in range(len(flat))]
    return tuple([T.broadcast_to(T.reshape(x, place), shape) for x, place in zip(flat, places, strict=True)])


@public(primitive="Meshgrid", init=("indexing",))
def _meshgrid(inputs: Sequence[Any], indexing: str = "xy") -> tuple[Tensor, ...]:
    """Coordinates of a grid, the inputs given as one sequence."""
    return meshgrid(*inputs, indexing=indexing)


@public("cartesian_prod")
def cartesian_prod(*inputs: Any) -> Tensor:
    """All ways to take one element of every 1-D input, one per row."""
    grids = meshgrid(*inputs, indexing="ij")
    return stack([T.reshape(x, (-1,)) for x in grids], -1)


@public("combinations")
def combinations(input: Any, r: int = 2, with_replacement: bool = False) -> Tensor:
    """All choices of ``r`` elements of a 1-D input in order, one per row."""
    x, r = operand(input), whole(r, "r")
    if x.ndim != 1 or r < 1:
        raise ValueError(say("errors.combinations", shape=x.shape, got=r))
    limited("r", r, r * math.comb(x.size + with_replacement * (r - 1), r), MOST_OBJECTS)
    choose = combinations_with_replacement if with_replacement else choices
    rows = np.array(list(choose(range(x.size), r)), np.int64).reshape(-1, r)
    return T.getitem(x, index=rows)
