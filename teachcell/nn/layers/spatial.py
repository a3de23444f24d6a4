"""Layers that resize, shuffle, cut and difference images."""

from __future__ import annotations

import math
from typing import Any

from ...core.op import TENSORS as T
from ...core.record import operand
from ...core.tensor import Tensor
from ...kernels.arguments import number_in, with_axes
from ...kernels.sliding import counts_of, enlarged
from ...ops.arrays.pad import pad
from ...ops.spatial import arrange
from ...ops.spatial.resize import interpolate
from ...ops.spatial.sliding import one_of_any_case, per_axis, same_padding
from ...texts import say
from ..cell import Cell


class Upsample(Cell):
    """(N, C, …) in another size. The arguments are those of ``ops.interpolate``."""

    def __init__(
        self, size: Any = None, scale_factor: Any = None, mode: str = "nearest", align_corners: bool | None = None,
        recompute_scale_factor: bool | None = None,
    ):  # fmt: skip
        super().__init__()
        self.size, self.scale_factor, self.mode = size, scale_factor, mode
        self.align_corners, self.recompute_scale_factor = align_corners, recompute_scale_factor

    def construct(self, x: Tensor) -> Tensor:
        """The same batch and channels."""
        return interpolate(
            x, self.size, self.scale_factor, self.mode, self.align_corners, self.recompute_scale_factor
        )  # fmt: skip


class PixelShuffle(Cell):
    """(…, C · r², H, W) to (…, C, H · r, W · r), r the ``upscale_factor``. See ``ops.pixel_shuffle``."""

    def __init__(self, upscale_factor: int):
        super().__init__()
        (self.upscale_factor,) = per_axis("upscale_factor", upscale_factor, 1)

    def construct(self, input: Tensor) -> Tensor:
        """Channels become pixels."""
        return arrange.pixel_shuffle(input, self.upscale_factor)


class PixelUnshuffle(Cell):
    """(…, C, H · r, W · r) to (…, C · r², H, W), r the ``downscale_factor``. See ``ops.pixel_unshuffle``."""

    def __init__(self, downscale_factor: int):
        super().__init__()
        (self.downscale_factor,) = per_axis("downscale_factor", downscale_factor, 1)

    def construct(self, input: Tensor) -> Tensor:
        """Pixels become channels."""
        return arrange.pixel_unshuffle(input, self.downscale_factor)


class ChannelShuffle(Cell):
    """(N, C, …) with the channels of all ``groups`` interleaved."""

    def __init__(self, groups: int):
        super().__init__()
        (self.groups,) = per_axis("groups", groups, 1)

    def construct(self, x: Tensor) -> Tensor:
        """Same shape."""
        return arrange.channel_shuffle(x, self.groups)


class Unfold(Cell):
    """The patches under a sliding window as channels.

    Args:
        ksizes, strides, rates: size, step and dilation of the window, each ``[1, vertical, horizontal, 1]``.
        padding: ``"valid"`` or ``"same"``.
    """

    def __init__(self, ksizes: Any, strides: Any, rates: Any, padding: str = "valid"):
        super().__init__()
        self.ksizes, self.strides, self.rates = [
            _middle(name, value) for name, value in (("ksizes", ksizes), ("strides", strides), ("rates", rates))
        ]  # fmt: skip
        self.padding = one_of_any_case("padding", padding, ("valid", "same"))

    def construct(self, input_x: Tensor) -> Tensor:
        """(N, C, H, W) to (N, kh · kw · C, H', W'), the places of the window before the channels."""
        x = with_axes("input_x", operand(input_x), 4, 4)
        n, c, *sizes = x.shape
        window = {"kernel": self.ksizes, "stride": self.strides, "dilation": self.rates}
        pad = same_padding(sizes, *window.values()) if self.padding == "same" else (0,) * 4
        rows, columns = counts_of(enlarged(tuple(sizes), pad), *window.values())
        places = math.prod(self.ksizes)
        windows = T.reshape(arrange.patches(x, pad=pad, **window), (n, c, places, rows, columns))
        return T.reshape(T.transpose(windows, (0, 2, 1, 3, 4)), (n, places * c, rows, columns))


def _middle(name: str, value: Any) -> tuple[int, ...]:
    """(vertical, horizontal) of ``[1, vertical, horizontal, 1]``."""
    four = per_axis(name, value, 4)
    if four[0] != 1 or four[3] != 1:
        raise ValueError(say("errors.unfold_ends", name=name, got=value))
    return four[1:3]


class CentralCrop(Cell):
    """The middle of an image, the given fraction of its height and width."""

    def __init__(self, central_fraction: float):
        super().__init__()
        self.central_fraction = number_in("central_fraction", central_fraction, "(0, 1]")

    def construct(self, image: Tensor) -> Tensor:
        """(…, H, W) to (…, H', W')."""
        image = operand(image)
        cut = [int((length - length * self.central_fraction) / 2) for length in image.shape[-2:]]
        return image[(..., *[slice(c, length - c) for c, length in zip(cut, image.shape[-2:], strict=True)])]


class ImageGradients(Cell):
    """Differences to the next row and to the next column, 0 in the last ones."""

    def construct(self, images: Tensor) -> tuple[Tensor, Tensor]:
        """(N, C, H, W) to two of the same shape."""
        images = with_axes("images", operand(images), 4, 4)
        down = images[:, :, 1:] - images[:, :, :-1]
        across = images[..., 1:] - images[..., :-1]
        return pad(down, (0, 0, 0, 1)), pad(across, (0, 1))
