"""Convolution layers."""

from __future__ import annotations

from typing import Any

from ...core.tensor import Tensor
from ...ops.conv import conv2d, explicit_padding, positive_pair
from ...texts import say
from ..cell import Cell
from .checks import positive_int
from .weights import weight_and_bias


class Conv2d(Cell):
    """2-d convolution (cross-correlation) of (N, C, H, W).

    Args:
        in_channels, out_channels: numbers of channels.
        kernel_size, stride, dilation: int or (vertical, horizontal).
        pad_mode: ``"same"``, ``"valid"`` or ``"pad"``.
        padding: int or (top, bottom, left, right); only with ``"pad"``.
        group: number of channel groups.
        has_bias: whether a bias is added per channel.
        weight_init, bias_init: Tensor, name or number; by default uniform within 1 / √fan_in.
        dtype: data type of weight and bias; by default Float32, or that of a Tensor given for them.

    Attributes:
        weight: (out_channels, in_channels / group, kh, kw).
        bias: (out_channels,), or None.
    """

    def __init__(
        self, in_channels: int, out_channels: int, kernel_size: Any, stride: Any = 1, pad_mode: str = "same",
        padding: Any = 0, dilation: Any = 1, group: int = 1, has_bias: bool = False, weight_init: Any = None,
        bias_init: Any = None, dtype: Any = None,
    ):  # fmt: skip
        super().__init__()
        self.in_channels = positive_int("Conv2d", "in_channels", in_channels)
        self.out_channels = positive_int("Conv2d", "out_channels", out_channels)
        self.kernel_size = positive_pair("kernel_size", kernel_size)
        self.stride, self.dilation = positive_pair("stride", stride), positive_pair("dilation", dilation)
        self.pad_mode, self.padding = pad_mode, padding
        self.group, self.has_bias = positive_int("Conv2d", "group", group), has_bias
        if in_channels % group or out_channels % group:
            raise ValueError(say("errors.conv_group", channels=(in_channels, out_channels), group=group))
        explicit_padding(pad_mode, padding)
        shape = (out_channels, in_channels // group, *self.kernel_size)
        self.weight, self.bias = weight_and_bias(shape, weight_init, bias_init, has_bias, dtype)

    def construct(self, x: Tensor) -> Tensor:
        """(N, in_channels, H, W) to (N, out_channels, H', W')."""
        return conv2d(
            x, self.weight, self.bias, self.stride, self.pad_mode, self.padding, self.dilation, self.group
        )  # fmt: skip

    def extend_repr(self) -> str:
        return (
            f"input_channels={self.in_channels}, output_channels={self.out_channels}, "
            f"kernel_size={self.kernel_size}, stride={self.stride}, pad_mode={self.pad_mode}, "
            f"padding={self.padding}, dilation={self.dilation}, group={self.group}, has_bias={self.has_bias}"
        )
