"""Images read at given places: spatial transformers (Jaderberg et al., 2015), made of other ops."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from ...core.op import TENSORS as T
from ...core.public import public
from ...core.record import float_operand, operand
from ...core.tensor import Tensor, wrap
from ...texts import say
from .sliding import one_of_any_case, per_axis


@public("affine_grid")
def affine_grid(theta: Tensor, size: Any, align_corners: bool = False) -> Tensor:
    """The places that an affine map sends the pixels of an image to, for :func:`grid_sample`.

    Args:
        theta: (N, 2, 3), or (N, 3, 4) over three axes: the map, its last column the shift.
        size: shape of the image, (N, C, H, W) or (N, C, D, H, W).
        align_corners: whether −1 and 1 are the centres of the outermost pixels, else their edges.

    Returns:
        (N, H, W, 2) with (x, y), or (N, D, H, W, 3) with (x, y, z).
    """
    theta = float_operand(theta)
    axes = theta.shape[-1] - 1 if theta.ndim == 3 else 0
    if axes not in (2, 3) or theta.shape[1] != axes:
        raise ValueError(say("errors.affine", got=theta.shape))
    n, _, *lengths = per_axis("size", size, axes + 2)
    if n != len(theta):
        raise ValueError(say("errors.affine_batch", got=n, wanted=len(theta)))
    lines = []
    for length in lengths:
        reach = max(length - 1, 1) if align_corners else length
        lines.append((2 * np.arange(length) - (length - 1)) / reach)
    places = np.stack([*np.meshgrid(*lines, indexing="ij")[::-1], np.ones(lengths)], -1)
    flat = wrap(places.reshape(-1, axes + 1).astype(theta._array.dtype))
    return T.reshape(T.matmul(flat, theta, transpose_b=True), (n, *lengths, axes))


@public(primitive="AffineGrid", init=("align_corners",))
def _affine_grid_class(theta: Tensor, output_size: Any, align_corners: bool = False) -> Tensor:
    """The places that an affine map sends the pixels of an image to."""
    return affine_grid(theta, output_size, align_corners)


@public("grid_sample")
def grid_sample(
    input: Tensor, grid: Tensor, mode: str = "bilinear", padding_mode: str = "zeros", align_corners: bool | None = None
) -> Tensor:
    """An image read at the places of a grid; both may be differentiated.

    Args:
        input: (N, C, H, W) or (N, C, D, H, W).
        grid: (N, H', W', 2) with (x, y), or (N, D', H', W', 3) with (x, y, z), each from −1 to 1 within the image.
        mode: ``"bilinear"`` (over three axes it is trilinear) or ``"nearest"``, which has no slope in the grid.
        padding_mode: what lies outside: ``"zeros"``, ``"border"`` (the outermost pixel) or ``"reflection"``.
        align_corners: whether −1 and 1 are the centres of the outermost pixels, else their edges.

    Returns:
        (N, C, H', W') or (N, C, D', H', W').
    """
    x, grid = operand(input), operand(grid)
    axes = x.ndim - 2
    if axes not in (2, 3) or grid.ndim != x.ndim or len(grid) != len(x) or grid.shape[-1] != axes:
        raise ValueError(say("errors.grid", image=x.shape, grid=grid.shape))
    one_of_any_case("mode", mode, ("bilinear", "nearest"))
    one_of_any_case("padding_mode", padding_mode, ("zeros", "border", "reflection"))
    corners = [
        _neighbours(T.getitem(grid, (..., axes - 1 - i)), length, mode, padding_mode, bool(align_corners))
        for i, length in enumerate(x.shape[2:])
    ]
    batch = np.arange(len(x)).reshape(len(x), *(1,) * axes)
    total = None
    for corner in itertools.product(*corners):
        index = tuple([at for at, _ in corner])
        value = T.getitem(x, (batch, slice(None), *index))  # NumPy puts the axes of the index before the channels
        for _, weight in corner:
            value = T.multiply(value, T.expand_dims(weight, -1))
        total = value if total is None else T.add(total, value)
    return T.transpose(total, (0, axes + 1, *range(1, axes + 1)))


def _neighbours(
    place: Tensor, length: int, mode: str, padding_mode: str, align_corners: bool
) -> list[tuple[np.ndarray, Tensor]]:
    """Along one axis the indices read at, and the weight of each."""
    at = T.scale(T.shift(place, 1.0), (length - 1) / 2 if align_corners else length / 2)
    if not align_corners:
        at = T.shift(at, -0.5)
    if padding_mode == "reflection":
        at = _reflected(at, 0.0, length - 1.0) if align_corners else _reflected(at, -0.5, length - 0.5)
    if padding_mode != "zeros":
        at = T.clamp(at, 0.0, length - 1.0)
    low = np.rint(at._array) if mode == "nearest" else np.floor(at._array)
    if mode == "nearest":
        near = [(low, wrap(np.ones_like(low)))]
    else:
        part = T.subtract(at, wrap(low))
        near = [(low, T.one_minus(part)), (low + 1, part)]
    return [_within(index, weight, length) for index, weight in near]


def _within(index: np.ndarray, weight: Tensor, length: int) -> tuple[np.ndarray, Tensor]:
    """Places outside count 0."""
    inside = (index >= 0) & (index < length)
    if not inside.all():
        weight = T.multiply(weight, wrap(inside.astype(weight._array.dtype)))
    return np.clip(np.nan_to_num(index), 0, length - 1).astype(int), weight


def _reflected(at: Tensor, low: float, high: float) -> Tensor:
    """Mirrored at both ends as often as needed, so that it lies between them."""
    span = high - low
    if span <= 0:
        return T.scale(at, 0.0)
    away = T.absolute(T.shift(at, -low))
    turns = np.floor(away._array / span)
    odd = (turns % 2).astype(away._array.dtype)
    rest = T.subtract(away, wrap((turns * span).astype(away._array.dtype)))
    return T.shift(T.add(T.multiply(rest, wrap(1 - 2 * odd)), wrap(odd * away._array.dtype.type(span))), low)


def _sampler_class(name: str, axes: int) -> None:
    def _class(
        input_x: Tensor, grid: Tensor, interpolation_mode: str = "bilinear", padding_mode: str = "zeros",
        align_corners: bool = False,
    ) -> Tensor:  # fmt: skip
        return grid_sample(input_x, grid, interpolation_mode, padding_mode, align_corners)

    _class.__doc__ = f"An image over {axes} axes read at the places of a grid: ``ops.{name}()(input_x, grid)``."
    public(primitive=name, init=("interpolation_mode", "padding_mode", "align_corners"))(_class)


_sampler_class("GridSampler2D", 2)
_sampler_class("GridSampler3D", 3)
