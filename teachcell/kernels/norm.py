"""Normalisation: by the mean and variance of some of the axes, or by given ones.

All kinds are one computation seen in different layouts: x̂ = (x − mean) / √(variance + eps), y = x̂ · weight + bias.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy import ndarray

from ..texts import say
from . import buffers
from .channels import LONGEST, back_from_channels, by_channel, channels_are_last, spread_along, sums_by_channel
from .precision import like, single
from .reduce import kept_sums, row_sums, sum

Shape = tuple[int, ...]


class Layout(NamedTuple):
    """How a normalisation looks at its input.

    Attributes:
        view: the shape in which the input is seen.
        axes: the axes of the view that mean and variance are taken over.
        row: the shape in which weight and bias multiply the view.
        kept: the shape of mean and variance, with these axes as 1.
        length: of how many elements they are.
        shared_axes: the axes of the view along which one weight serves all.
    """

    view: Shape
    axes: Shape
    row: Shape
    kept: Shape
    length: int
    shared_axes: Shape


_cached: Any = lru_cache(256)  # a network asks for the same few in every step


def _layout(view: Shape, axes: Shape, row: Shape) -> Layout:
    kept = tuple([1 if i in axes else n for i, n in enumerate(view)])
    whole = (1,) * (len(view) - len(row)) + row
    shared = tuple([i for i, n in enumerate(whole) if n == 1])
    return Layout(view, axes, row, kept, math.prod([view[i] for i in axes]), shared)


def batch_axes(ndim: int) -> Shape:
    """All axes but the channel axis 1."""
    return (0, *range(2, ndim))


def channel_row(ndim: int) -> Shape:
    """The shape (1, C, 1, …) for ``reshape``, where there are ``ndim`` axes."""
    return (1, -1) + (1,) * (ndim - 2)


@_cached
def batch_layout(x: Shape, weight: Shape) -> Layout:
    """Each channel by itself, over the whole batch."""
    return _layout(x, batch_axes(len(x)), (1, *weight) + (1,) * (len(x) - 2))


@_cached
def trailing_layout(x: Shape, weight: Shape, axes: int = 1) -> Layout:
    """Each sample by itself, over the last ``axes`` axes; weight has the shape of last axes as well."""
    return _layout(x, tuple(range(len(x) - axes, len(x))), weight)


@_cached
def group_layout(x: Shape, weight: Shape, num_groups: int) -> Layout:
    """Each group of neighbouring channels of each sample by itself."""
    split = num_groups, x[1] // num_groups
    return _layout((x[0], *split, *x[2:]), tuple(range(2, len(x) + 1)), (1, *split) + (1,) * (len(x) - 2))


@_cached
def instance_layout(x: Shape, weight: Shape) -> Layout:
    """Each channel of each sample by itself."""
    return _layout(x, tuple(range(2, len(x))), (1, *weight) + (1,) * (len(x) - 2))


def _standardised(x: ndarray, layout: Layout, eps: float, centred: bool = True) -> tuple[ndarray, ndarray, ndarray]:
    """x̂ in the layout's view, 1 / σ with the axes kept as 1, and an array like x̂ to write to."""
    count = layout.length
    if count == 0:
        raise ValueError(say("errors.batch_empty"))
    rows = single(x).reshape(-1, count)  # the axes are the last ones
    share = like(rows, 1 / count)
    if centred:
        rows = rows - row_sums(rows) * share
    room = rows * rows
    variance = row_sums(room)
    variance *= share
    variance += like(rows, eps)
    rstd = np.reciprocal(np.sqrt(variance, variance), variance)
    xhat = np.multiply(rows, rstd, rows if centred else None)
    return xhat.reshape(layout.view), rstd.reshape(layout.kept), room.reshape(layout.view)


def _affine(xhat: ndarray, weight: ndarray, bias: ndarray, x: ndarray, layout: Layout, room: ndarray) -> ndarray:
    y = np.multiply(xhat, weight.reshape(layout.row), room)
    y += bias.reshape(layout.row)
    return y.reshape(x.shape).astype(x.dtype, copy=False)


def _check_channels(x: ndarray, *vectors: ndarray) -> None:
    if x.ndim < 2 or any(v.shape != (x.shape[1],) for v in vectors):
        raise ValueError(say("errors.channels"))


Saved = dict[str, ndarray]


def batch_norm(
    x: ndarray, weight: ndarray, bias: ndarray, eps: float = 1e-5
) -> tuple[tuple[ndarray, ndarray, ndarray], Saved]:
    """(y, mean, biased variance) per channel, by the statistics of the batch, which come in weight's dtype."""
    _check_channels(x, weight, bias)
    v, channels, last = single(x), x.shape[1], channels_are_last(x)
    if v.size == 0:
        raise ValueError(say("errors.batch_empty"))
    m = by_channel(v, last)
    count = m.dtype.type(m.size // channels)
    mean = sums_by_channel(m, channels) / count
    xhat, y = buffers.empty(m.shape, m.dtype), buffers.empty(m.shape, m.dtype)
    np.subtract(m, spread_along(mean, m), out=xhat)
    variance = sums_by_channel(np.multiply(xhat, xhat, out=y), channels) / count
    rstd = 1 / np.sqrt(variance + m.dtype.type(eps))
    xhat *= spread_along(rstd, m)
    np.multiply(xhat, spread_along(weight.astype(m.dtype, copy=False), m), out=y)
    y += spread_along(bias.astype(m.dtype, copy=False), m)
    y = back_from_channels(y, x.shape, last).astype(x.dtype, copy=False)
    saved = {"xhat": xhat, "rstd": rstd}
    return (y, mean.astype(weight.dtype, copy=False), variance.astype(weight.dtype, copy=False)), saved


def batch_norm_inference(
    x: ndarray, weight: ndarray, bias: ndarray, mean: ndarray, variance: ndarray, eps: float = 1e-5
) -> ndarray:
    """(x − mean) · weight / √(variance + eps) + bias with given statistics."""
    _check_channels(x, weight, bias, mean, variance)
    last = channels_are_last(x)
    m = by_channel(single(x), last)
    factor = weight / np.sqrt(variance + variance.dtype.type(eps))
    rows = [spread_along(v.astype(m.dtype, copy=False), m) for v in (mean, factor, bias)]
    y = np.subtract(m, rows[0], out=buffers.empty(m.shape, m.dtype))
    y *= rows[1]
    y += rows[2]
    return back_from_channels(y, x.shape, last).astype(x.dtype, copy=False)


def layer_norm(x: ndarray, weight: ndarray, bias: ndarray, axes: int = 1, eps: float = 1e-5) -> tuple[ndarray, Saved]:
    """Each sample by its own mean and variance over the last ``axes`` axes."""
    _check_trailing(x, weight, bias)
    layout = trailing_layout(x.shape, weight.shape, axes)
    xhat, rstd, room = _standardised(x, layout, eps)
    return _affine(xhat, weight, bias, x, layout, room), {"xhat": xhat, "rstd": rstd}


def rms_norm(x: ndarray, weight: ndarray, eps: float = 1e-6) -> tuple[ndarray, Saved]:
    """x / √(mean of x² + eps) · weight, the mean over the axes that weight has; nothing is subtracted."""
    _check_trailing(x, weight)
    layout = trailing_layout(x.shape, weight.shape, weight.ndim)
    xhat, rstd, room = _standardised(x, layout, eps, centred=False)
    return np.multiply(xhat, weight, room).astype(x.dtype, copy=False), {"xhat": xhat, "rstd": rstd}


def _check_trailing(x: ndarray, *weights: ndarray) -> None:
    wanted = x.shape[max(x.ndim - weights[0].ndim, 0) :]
    for weight in weights:
        if not weight.ndim or weight.shape != wanted:
            raise ValueError(say("errors.norm_weight", got=weight.shape))


def group_norm(x: ndarray, weight: ndarray, bias: ndarray, num_groups: int, eps: float = 1e-5) -> tuple[ndarray, Saved]:
    """Each group of channels of each sample by its own mean and variance."""
    _check_channels(x, weight, bias)
    if num_groups < 1 or x.shape[1] % num_groups:
        raise ValueError(say("errors.norm_groups", channels=x.shape[1], groups=num_groups))
    layout = group_layout(x.shape, weight.shape, num_groups)
    xhat, rstd, room = _standardised(x, layout, eps)
    return _affine(xhat, weight, bias, x, layout, room), {"xhat": xhat, "rstd": rstd}


def instance_norm(x: ndarray, weight: ndarray, bias: ndarray, eps: float = 1e-5) -> tuple[ndarray, Saved]:
    """Each channel of each sample by its own mean and variance."""
    _check_channels(x, weight, bias)
    layout = instance_layout(x.shape, weight.shape)
    xhat, rstd, room = _standardised(x, layout, eps)
    return _affine(xhat, weight, bias, x, layout, room), {"xhat": xhat, "rstd": rstd}


# Gradients ------------------------------------------------------------------------------------------------------


def norm_grads(
    g: ndarray, x: ndarray, weight: ndarray, bias: ndarray | None, layout: Layout, eps: float, centred: bool,
    wanted: Sequence[bool], xhat: ndarray, rstd: ndarray,
) -> list[ndarray | None]:  # fmt: skip
    """(g·w − mean(g·w) − x̂ · mean(g·w·x̂)) / σ, the first mean only where x was centred; Σ g·x̂; Σ g."""
    v, row = single(g).reshape(layout.view), weight.reshape(layout.row)
    along = v * xhat
    slopes = [
        norm_bias_grad(along, weight, layout) if wanted[1] else None,
        norm_bias_grad(v, bias, layout) if bias is not None and wanted[2] else None,
    ]
    if not wanted[0]:
        return [None, *slopes]
    room = along if layout.shared_axes else None  # else along is the weight's gradient itself
    inner = np.multiply(xhat, _weighted_mean(along, row, layout), room)
    if centred:
        inner += _weighted_mean(v, row, layout)
    result = v * row
    result -= inner
    result *= rstd
    return [result.reshape(x.shape).astype(x.dtype, copy=False), *slopes]


def _weighted_mean(v: ndarray, row: ndarray, layout: Layout) -> ndarray:
    """The mean of v · row over the layout's axes. Where each of them has its weights it is one product: a layer norm
    of 512 x 64 takes a third less."""
    count = layout.length
    if row.shape == layout.view[layout.axes[0] :] and count <= LONGEST and v.size:
        total = v.reshape(-1, count).dot(row.reshape(count))
    else:
        total = kept_sums(v * row, layout.axes)
    total *= like(total, 1 / count)
    return total.reshape(layout.kept)


def norm_bias_grad(g: ndarray, bias: ndarray, layout: Layout) -> ndarray:
    """Σ g over all places where one bias was used."""
    wide = single(g).reshape(layout.view)
    total = sum(wide, layout.shared_axes) if layout.shared_axes else wide
    return total.reshape(bias.shape).astype(bias.dtype, copy=False)


def batch_norm_grads(
    g: ndarray, x: ndarray, weight: ndarray, bias: ndarray, eps: float, wanted: Sequence[bool],
    xhat: ndarray, rstd: ndarray,
) -> list[ndarray | None]:  # fmt: skip
    """What ``norm_grads`` are for a batch, of which all follow from the same two sums."""
    channels, last = len(weight), xhat.shape[2] == 1
    g = by_channel(single(g), last).reshape(xhat.shape)
    room = np.multiply(g, xhat, out=buffers.empty(g.shape, g.dtype))
    sum_g, sum_gx = sums_by_channel(g, channels), sums_by_channel(room, channels)
    slopes = sum_gx.astype(weight.dtype, copy=False), sum_g.astype(bias.dtype, copy=False)
    if not wanted[0]:
        return [None, *slopes]
    factor = weight.astype(g.dtype, copy=False) * rstd
    share = factor / g.dtype.type(g.size // channels)
    result = np.multiply(g, spread_along(factor, g), out=buffers.empty(g.shape, g.dtype))
    result -= np.multiply(xhat, spread_along(share * sum_gx, g), out=room)
    result -= spread_along(share * sum_g, g)
    return [back_from_channels(result, x.shape, last).astype(x.dtype, copy=False), *slopes]


# Local response -------------------------------------------------------------------------------------------------


def neighbour_sum(x: ndarray, radius: int) -> ndarray:
    """Σ over the channels (axis 1) up to ``radius`` away on either side, its own included."""
    if x.ndim < 2:
        raise ValueError(say("errors.channel_axis"))
    total = x.copy()
    for distance in range(1, min(radius, x.shape[1] - 1) + 1):
        total[:, distance:] += x[:, :-distance]
        total[:, :-distance] += x[:, distance:]
    return total
