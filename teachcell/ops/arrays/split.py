"""Parts of a Tensor: slices, as views of it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache, reduce
from typing import Any

import numpy as np

from ...core.define import define, pair
from ...core.modes import recording
from ...core.op import OPS
from ...core.op import TENSORS as T
from ...core.public import public
from ...core.record import apply, operand
from ...core.tensor import Tensor
from ...core.views import join_family
from ...kernels import index as K
from ...kernels.arguments import MOST_OBJECTS, limited, one_axis, sizes_of, whole
from ...kernels.index import along
from ...texts import say

_FEW = 16  # parts whose places are kept


def _part(x: Tensor, axis: int, start: int | None, end: int | None, step: int | None = None) -> Tensor:
    return T.getitem(x, index=along(axis, slice(start, end, step)))


def _put_each(gs: Sequence[Tensor | None], shape: tuple[int, ...], indices: Sequence[Any]) -> Tensor:
    return reduce(T.add, [T.put(g, shape, i) for g, i in zip(gs, indices, strict=True) if g is not None])


pair("assemble", K.assemble, _put_each)
parts_op: Any = define(
    "parts", K.parts, (lambda F, gs, out, x, indices: F.assemble(gs, x.shape, indices),),
    outputs=None, label="Split", keeps="", public=False,
    card=("yⱼ = x[iⱼ]", "∂x[iⱼ] = gⱼ {zero_elsewhere}"), source="{linear_map}",
)  # fmt: skip


def _at(x: Tensor, indices: tuple[Any, ...]) -> tuple[Tensor, ...]:
    """x at basic indices that do not overlap: one op for all, whose gradient is written once."""
    parts = apply(parts_op.op, (x,), {"indices": indices})
    if recording() is not None:
        getitem = OPS["getitem"]
        for part, index in zip(parts, indices, strict=True):
            join_family(part, x, getitem, {"index": index})
    return parts


@lru_cache(256)
def _bounded(axis: int, bounds: tuple[int, ...]) -> tuple[Any, ...]:
    """The indices of the parts that end at ``bounds``; kept, since the steps of a loop ask for the same: 2 of 10 µs."""
    return tuple([along(axis, slice(a, b)) for a, b in zip([0, *bounds[:-1]], bounds, strict=True)])


def _parts(x: Tensor, axis: int, bounds: Sequence[int]) -> tuple[Tensor, ...]:
    """The parts that end at ``bounds``."""
    find = _bounded if len(bounds) <= _FEW else _bounded.__wrapped__
    return _at(x, find(axis, tuple(bounds)))


@public("split")
def split(tensor: Any, split_size_or_sections: Any, axis: int = 0) -> tuple[Tensor, ...]:
    """Parts along ``axis``, as views.

    Args:
        tensor: any Tensor.
        split_size_or_sections: the length of every part (the last may be shorter), or a list of their lengths.
        axis: the axis that is divided.
    """
    x = operand(tensor)
    axis = one_axis(axis, x.ndim)
    length = x.shape[axis]
    if isinstance(split_size_or_sections, int):
        if split_size_or_sections < 1:
            raise ValueError(say("errors.positive_int", cls="split", name="split_size", got=split_size_or_sections))
        return _parts(x, axis, (*range(split_size_or_sections, length, split_size_or_sections), length))
    sections = sizes_of(split_size_or_sections)
    if min(sections, default=0) < 0 or sum(sections) != length:
        raise ValueError(say("errors.sections", length=length, axis=axis, got=list(sections)))
    return _parts(x, axis, np.cumsum(sections).tolist())


@public(primitive="Split", init=("axis", "output_num"))
def _equal_split(input_x: Any, axis: int = 0, output_num: int = 1) -> tuple[Tensor, ...]:
    """``output_num`` parts of equal length along ``axis``."""
    x = operand(input_x)
    axis = one_axis(axis, x.ndim)
    if whole(output_num, "output_num") < 1 or x.shape[axis] % output_num:
        raise ValueError(say("errors.equal_parts", length=x.shape[axis], axis=axis, got=output_num))
    return tensor_split(x, output_num, axis)


@public("chunk")
def chunk(input: Any, chunks: int, axis: int = 0) -> tuple[Tensor, ...]:
    """At most ``chunks`` parts along ``axis``, all of one length but the last."""
    x = operand(input)
    if whole(chunks, "chunks") < 1:
        raise ValueError(say("errors.positive_int", cls="chunk", name="chunks", got=chunks))
    return split(x, max(-(-x.shape[one_axis(axis, x.ndim)] // chunks), 1), axis)


@public("tensor_split", methods=("tensor_split",))
def tensor_split(input: Any, indices_or_sections: Any, axis: int = 0) -> tuple[Tensor, ...]:
    """That many parts, as equal as can be, the longer ones first; or parts that end before the given indices."""
    x = operand(input)
    axis = one_axis(axis, x.ndim)
    length = x.shape[axis]
    given = sizes_of(indices_or_sections)
    if not isinstance(indices_or_sections, int):
        bounds = [*given, length]
        starts = [0, *given]
        return tuple([_part(x, axis, a, b) for a, b in zip(starts, bounds, strict=True)])
    if indices_or_sections < 1:
        raise ValueError(say("errors.positive_int", cls="tensor_split", name="sections", got=indices_or_sections))
    limited("sections", indices_or_sections, indices_or_sections, MOST_OBJECTS)
    shortest, longer = divmod(length, indices_or_sections)
    return _parts(x, axis, [i * shortest + min(i, longer) for i in range(1, indices_or_sections + 1)])


@public("hsplit", methods=("hsplit",))
def hsplit(input: Any, indices_or_sections: Any) -> tuple[Tensor, ...]:
    """``tensor_split`` along axis 1; along axis 0 for a 1-D input."""
    return tensor_split(input, indices_or_sections, 1 if operand(input).ndim > 1 else 0)


@public("vsplit", methods=("vsplit",))
def vsplit(input: Any, indices_or_sections: Any) -> tuple[Tensor, ...]:
    """``tensor_split`` along axis 0."""
    return tensor_split(input, indices_or_sections, 0)


@public("dsplit", methods=("dsplit",))
def dsplit(input: Any, indices_or_sections: Any) -> tuple[Tensor, ...]:
    """``tensor_split`` along axis 2."""
    return tensor_split(input, indices_or_sections, 2)


@public("unbind", methods=("unbind",))
def unbind(input: Any, dim: int = 0) -> tuple[Tensor, ...]:
    """The slices along an axis, without that axis."""
    x = operand(input)
    axis = one_axis(dim, x.ndim)
    return _at(x, tuple([along(axis, i) for i in range(x.shape[axis])]))


@public("unstack", primitive="Unstack", init=("axis", "num"))
def unstack(input_x: Any, axis: int = 0, num: int | None = None) -> tuple[Tensor, ...]:
    """The slices along ``axis``, without that axis: the reverse of ``stack``; ``num`` is their number, if known."""
    parts = unbind(input_x, axis)
    if num is not None and num != len(parts):
        raise ValueError(say("errors.unstack_count", axis=axis, length=len(parts), got=num))
    return parts


@public("narrow", methods=("narrow",))
def narrow(input: Any, axis: int, start: int, length: int) -> Tensor:
    """The ``length`` slices from ``start`` on, as a view."""
    x = operand(input)
    axis = one_axis(axis, x.ndim)
    start, length = whole(start, "start"), whole(length, "length")
    start += x.shape[axis] if start < 0 else 0
    if length < 0 or start < 0 or start + length > x.shape[axis]:
        raise ValueError(say("errors.slice_range", start=start, size=length, axis=axis, length=x.shape[axis]))
    return _part(x, axis, start, start + length)


@public("slice", primitive="Slice")
def slice_(input_x: Any, begin: Any, size: Any) -> Tensor:
    """The box of lengths ``size`` that begins at ``begin``, as a view; a length of −1 takes all that follows."""
    x = operand(input_x)
    starts, lengths = sizes_of(begin), sizes_of(size)
    if not len(starts) == len(lengths) == x.ndim:
        raise ValueError(say("errors.one_per_axis", ndim=x.ndim, got=f"begin={begin}, size={size}"))
    lengths = tuple([d - a if n == -1 else n for d, a, n in zip(x.shape, starts, lengths, strict=True)])
    for axis, (d, a, n) in enumerate(zip(x.shape, starts, lengths, strict=True)):
        if a < 0 or n < 0 or a + n > d:
            raise ValueError(say("errors.slice_range", start=a, size=n, axis=axis, length=d))
    return T.getitem(x, index=tuple([slice(a, a + n) for a, n in zip(starts, lengths, strict=True)]))


_MASKS = ("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask")


@public("strided_slice", primitive="StridedSlice", init=_MASKS)
def strided_slice(
    input_x: Any, begin: Any, end: Any, strides: Any, begin_mask: int = 0, end_mask: int = 0, ellipsis_mask: int = 0,
    new_axis_mask: int = 0, shrink_axis_mask: int = 0,
) -> Tensor:  # fmt: skip
    """``input_x[begin : end : strides]``, one per axis from the first on, as a view.

    Bit i of a mask speaks of part i of the index: without a begin or end, ``...``, a new axis, or the one index
    ``begin`` instead of a slice.
    """
    parts = list(zip(sizes_of(begin), sizes_of(end), sizes_of(strides), strict=False))
    if not len(parts) == len(sizes_of(begin)) == len(sizes_of(end)) == len(sizes_of(strides)):
        raise ValueError(say("errors.one_per_axis", ndim=len(parts), got=f"{begin=}, {end=}, {strides=}"))

    def part(i: int, start: int, stop: int, step: int) -> Any:
        if ellipsis_mask >> i & 1:
            return ...
        if new_axis_mask >> i & 1:
            return None
        if shrink_axis_mask >> i & 1:
            return start
        return slice(None if begin_mask >> i & 1 else start, None if end_mask >> i & 1 else stop, step)

    return T.getitem(operand(input_x), index=tuple([part(i, *p) for i, p in enumerate(parts)]))


@public(methods=("split",))
def _split(self: Tensor, *args: Any, **named: Any) -> tuple[Tensor, ...]:
    """Parts along an axis: ``split(split_size_or_sections, axis=0)``, also as ``split(split_size, dim=0)``."""
    newer = {"split_size": "split_size_or_sections", "dim": "axis"}
    return split(self, *args, **{newer.get(name, name): value for name, value in named.items()})


@public(methods=("chunk",))
def _chunk(self: Tensor, chunks: int, axis: int = 0, *, dim: int | None = None) -> tuple[Tensor, ...]:
    """At most ``chunks`` parts of one length along ``axis`` (also called ``dim``)."""
    return chunk(self, chunks, axis if dim is None else dim)


def select_one(self: Tensor, dim: int, index: int) -> Tensor:
    axis = one_axis(dim, self.ndim)
    return T.getitem(self, index=along(axis, whole(index, "index")))


@public(methods=("where",))
def _where(self: Tensor, condition: Any, other: Any) -> Tensor:
    """The Tensor where ``condition``, else ``other``."""
    return T.select(condition, self, other)


@public(methods=("select",))
def _select(self: Tensor, *args: Any, **named: Any) -> Tensor:
    """``select(dim, index)``: one slice, as a view. ``select(condition, y)``: the Tensor where True, else ``y``."""
    by_condition = "condition" in named or (args and not isinstance(args[0], int))
    return (_where if by_condition else select_one)(self, *args, **named)
