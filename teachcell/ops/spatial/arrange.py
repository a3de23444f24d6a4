"""Pixels moved between space, channels and batch: patches and their sum, shuffles, blocks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...core.define import define
from ...core.op import TENSORS as T
from ...core.public import public
from ...core.record import operand
from ...core.tensor import Tensor
from ...kernels import conv as K
from ...kernels.arguments import with_axes
from ...texts import say
from ..arrays.pad import pad
from .sliding import per_axis

patches = define(
    "patches", K.unfold, (lambda F, g, out, x, **k: F.added_patches(g, x.shape[2:], **k),),
    label="Unfold", keeps="", floats=(0,), public=False, source="{linear_map}",
    card=("y = {patches_of} x", "∂x = {added_up} g"),
)  # fmt: skip
added_patches = define(
    "added_patches", K.fold, (lambda F, g, out, x, size, **k: F.patches(g, **k),),
    label="Fold", keeps="", floats=(0,), public=False, source="{linear_map}",
    card=("y = {added_up} x", "∂x = {patches_of} g"),
)  # fmt: skip


def _window(kernel_size: Any, stride: Any, padding: Any, dilation: Any) -> dict[str, tuple[int, ...]]:
    """The window over two axes as the kernels take it."""
    vertical, horizontal = per_axis("padding", padding, 2, least=0)
    return {
        "kernel": per_axis("kernel_size", kernel_size, 2),
        "stride": per_axis("stride", stride, 2),
        "pad": (vertical, vertical, horizontal, horizontal),
        "dilation": per_axis("dilation", dilation, 2),
    }


@public("unfold")
def unfold(input: Tensor, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1) -> Tensor:
    """The patches under a sliding window as columns, as a convolution sees them (im2col).

    Args:
        input: (N, C, H, W).
        kernel_size, dilation, padding, stride: int or (vertical, horizontal).

    Returns:
        (N, C · kh · kw, windows).
    """
    return patches(input, **_window(kernel_size, stride, padding, dilation))


@public("fold")
def fold(
    input: Tensor, output_size: Any, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1
) -> Tensor:
    """Patches added up where they lay (col2im): the way back of :func:`unfold`, not its inverse where they overlap.

    Args:
        input: (N, C · kh · kw, windows).
        output_size: (H, W).
        kernel_size, dilation, padding, stride: those of the unfolding, int or (vertical, horizontal).

    Returns:
        (N, C, H, W).
    """
    size = per_axis("output_size", output_size, 2)
    return added_patches(input, size=size, **_window(kernel_size, stride, padding, dilation))


@public(primitive="Im2Col", init=("ksizes", "strides", "dilations", "pads"))
def _im2col_class(x: Tensor, ksizes: Any, strides: Any = 1, dilations: Any = 1, pads: Any = 0) -> Tensor:
    """The patches under a sliding window, (N, C, kh · kw, windows)."""
    columns = unfold(x, ksizes, dilations, pads, strides)
    return T.reshape(columns, (*x.shape[:2], math.prod(per_axis("ksizes", ksizes, 2)), columns.shape[-1]))


@public("col2im")
def col2im(
    input_x: Tensor, output_size: Any, kernel_size: Any, dilation: Any = 1, padding_value: Any = 0, stride: Any = 1
) -> Tensor:
    """Patches (N, C, kh · kw, windows) added up where they lay in (N, C, \\*output_size)."""
    x = with_axes("input_x", operand(input_x), 4, 4)
    n, c, places, count = x.shape
    return fold(T.reshape(x, (n, c * places, count)), output_size, kernel_size, dilation, padding_value, stride)


@public(primitive="Col2Im", init=("kernel_size", "dilation", "padding", "stride"))
def _col2im_class(
    x: Tensor, output_size: Any, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1
) -> Tensor:
    """Patches (N, C, kh · kw, windows) added up where they lay."""
    return col2im(x, output_size, kernel_size, dilation, padding, stride)


# Shuffles and blocks ---------------------------------------------------------------------------------------------


def _moved(x: Tensor, split: Sequence[int], order: Sequence[int], merged: Sequence[int]) -> Tensor:
    """Axes split, put in another order and merged again."""
    return T.reshape(T.transpose(T.reshape(x, tuple(split)), tuple(order)), tuple(merged))


def _parts(what: str, length: int, by: int) -> int:
    """``length / by``, or ValueError."""
    if length % by:
        raise ValueError(say("errors.multiple", name=what, got=length, by=by))
    return length // by


@public("pixel_shuffle")
def pixel_shuffle(input: Tensor, upscale_factor: int) -> Tensor:
    """(…, C · r², H, W) to (…, C, H · r, W · r): r² channels become the pixels of an r × r block (Shi et al., 2016)."""
    x, (r,) = with_axes("input", operand(input), 3), per_axis("upscale_factor", upscale_factor, 1)
    *lead, channels, height, width = x.shape
    c, n = _parts("channels", channels, r * r), len(lead)
    order = (*range(n), n, n + 3, n + 1, n + 4, n + 2)
    return _moved(x, (*lead, c, r, r, height, width), order, (*lead, c, height * r, width * r))


@public("pixel_unshuffle")
def pixel_unshuffle(input: Tensor, downscale_factor: int) -> Tensor:
    """(…, C, H · r, W · r) to (…, C · r², H, W): :func:`pixel_shuffle` undone."""
    x, (r,) = with_axes("input", operand(input), 3), per_axis("downscale_factor", downscale_factor, 1)
    *lead, c, height, width = x.shape
    h, w, n = _parts("height", height, r), _parts("width", width, r), len(lead)
    order = (*range(n), n, n + 2, n + 4, n + 1, n + 3)
    return _moved(x, (*lead, c, h, r, w, r), order, (*lead, c * r * r, h, w))


@public("channel_shuffle")
def channel_shuffle(x: Tensor, groups: int) -> Tensor:
    """(N, C, …) with the channels of all groups interleaved (Zhang et al., 2018)."""
    x, (groups,) = with_axes("x", operand(x), 3), per_axis("groups", groups, 1)
    n, channels, *rest = x.shape
    order = (0, 2, 1, *range(3, x.ndim + 1))
    return _moved(x, (n, groups, _parts("channels", channels, groups), *rest), order, x.shape)


@public(primitive="ChannelShuffle", init=("group",))
def _channel_shuffle_class(x: Tensor, group: int) -> Tensor:
    """(N, C, …) with the channels of all groups interleaved."""
    return channel_shuffle(x, group)


@public("depth_to_space", primitive="DepthToSpace", init=("block_size",))
def depth_to_space(x: Tensor, block_size: int) -> Tensor:
    """(N, r² · C, H, W) to (N, C, H · r, W · r); unlike in :func:`pixel_shuffle`, a pixel of a block comes first."""
    x, (r,) = with_axes("x", operand(x), 4, 4), per_axis("block_size", block_size, 1)
    n, channels, h, w = x.shape
    c = _parts("channels", channels, r * r)
    return _moved(x, (n, r, r, c, h, w), (0, 3, 4, 1, 5, 2), (n, c, h * r, w * r))


@public("space_to_depth", primitive="SpaceToDepth", init=("block_size",))
def space_to_depth(x: Tensor, block_size: int) -> Tensor:
    """(N, C, H · r, W · r) to (N, r² · C, H, W): :func:`depth_to_space` undone."""
    x, (r,) = with_axes("x", operand(x), 4, 4), per_axis("block_size", block_size, 1)
    n, c, height, width = x.shape
    h, w = _parts("height", height, r), _parts("width", width, r)
    return _moved(x, (n, c, h, r, w, r), (0, 3, 5, 1, 2, 4), (n, r * r * c, h, w))


def _block(block: Any, name: str, margins: Any, axes: int) -> tuple[tuple[int, ...], list[tuple[int, int]]]:
    """Block sizes and (before, after) per axis, for the last axes."""
    if not np.iterable(margins):
        raise TypeError(say("errors.per_axis", name=name, axes=2, least=0, got=repr(margins)))
    rows = [per_axis(name, pair, 2, least=0) for pair in margins]
    if not 0 < len(rows) < axes:
        raise ValueError(say("errors.axes", name=name, wanted=f"1 … {axes - 1}", got=(len(rows), 2)))
    return per_axis("block_size", block, len(rows)), [(a, b) for a, b in rows]


@public("space_to_batch_nd")
def space_to_batch_nd(input_x: Tensor, block_size: Any, paddings: Any) -> Tensor:
    """The pixels at the same place of every block go to an image of their own.

    Args:
        input_x: (N, …, spatial axes).
        block_size: int, or one per spatial axis.
        paddings: (before, after) per spatial axis: zeros added first, so that blocks fit.

    Returns:
        (N · block pixels, …, padded lengths / block_size).
    """
    x = operand(input_x)
    block, rows = _block(block_size, "paddings", paddings, x.ndim)
    x = pad(x, [width for pair in rows[::-1] for width in pair])
    m, lengths = len(block), x.shape[x.ndim - len(block) :]
    lead = x.shape[: x.ndim - m]
    counts = [_parts("padded length", length, b) for length, b in zip(lengths, block, strict=True)]
    split = (*lead, *[v for pair in zip(counts, block, strict=True) for v in pair])
    first = len(lead)
    pixels, places = range(first + 1, first + 2 * m, 2), range(first, first + 2 * m, 2)
    merged = (lead[0] * math.prod(block), *lead[1:], *counts)
    return _moved(x, split, (*pixels, *range(first), *places), merged)


@public(primitive="SpaceToBatchND", init=("block_shape", "paddings"))
def _space_to_batch_class(input_x: Tensor, block_shape: Any, paddings: Any) -> Tensor:
    """The pixels at the same place of every block go to an image of their own."""
    return space_to_batch_nd(input_x, block_shape, paddings)


@public("batch_to_space_nd", primitive="BatchToSpaceND", init=("block_shape", "crops"))
def batch_to_space_nd(input_x: Tensor, block_shape: Any, crops: Any) -> Tensor:
    """:func:`space_to_batch_nd` undone: images go back to the pixels of blocks; then ``crops`` cut off the margins.

    Args:
        input_x: (N · block pixels, …, spatial axes).
        block_shape: int, or one per spatial axis.
        crops: (before, after) per spatial axis.
    """
    x = operand(input_x)
    block, rows = _block(block_shape, "crops", crops, x.ndim)
    m, between = len(block), x.shape[1 : x.ndim - len(block)]
    counts = x.shape[x.ndim - m :]
    n = _parts("batch", len(x), math.prod(block))
    first = m + 1 + len(between)
    order = [m, *range(m + 1, first)] + [axis for i in range(m) for axis in (first + i, i)]
    lengths = [count * b for count, b in zip(counts, block, strict=True)]
    whole = _moved(x, (*block, n, *between, *counts), order, (n, *between, *lengths))
    return pad(whole, [-width for pair in rows[::-1] for width in pair])
