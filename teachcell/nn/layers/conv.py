"""Convolution layers."""

from __future__ import annotations

import math
from typing import Any

from ...core.dtypes import float32
from ...core.tensor import Tensor
from ...ops.neural import conv2d, explicit_padding, positive_pair
from ...texts import say
from ..cell import Cell
from ..initializer import Uniform, initializer
from ..parameter import Parameter
from .basic import positive_int


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

    Attributes:
        weight: (out_channels, in_channels / group, kh, kw).
        bias: (out_channels,), or None.
    """

    def __init__(
        self, in_channels: int, out_channels: int, kernel_size: Any, stride: Any = 1, pad_mode: str = "same",
        padding: Any = 0, dilation: Any = 1, group: int = 1, has_bias: bool = False, weight_init: Any = None,
        bias_init: Any = None, dtype: Any = float32,
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
        spread = Uniform(1 / math.sqrt(math.prod(shape[1:])))
        weight = initializer(spread if weight_init is None else weight_init, shape, dtype)
        self.weight = Parameter(weight, name="weight")
        self.bias = None
        if has_bias:
            bias = initializer(spread if bias_init is None else bias_init, (out_channels,), dtype)
            self.bias = Parameter(bias, name="bias")

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
