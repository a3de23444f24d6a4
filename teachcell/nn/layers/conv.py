"""Convolution layers over one, two and three axes, and their ways back."""

from __future__ import annotations

from typing import Any

from ...core.op import TENSORS as T
from ...core.tensor import Tensor
from ...ops.arrays.pad import pad
from ...ops.spatial.conv import conv1d, conv2d, conv3d, conv_transpose
from ...ops.spatial.sliding import explicit_padding, one_of_any_case, per_axis
from ...texts import say
from ..cell import Cell
from .checks import positive_int
from .weights import weight_and_bias


class _Conv(Cell):
    """What all convolutions share. :class:`Conv2d` describes the arguments."""

    axes: int
    transposed = False  # a way back has a weight (in, out / group, …)

    def __init__(
        self, in_channels: int, out_channels: int, kernel_size: Any, stride: Any = 1, pad_mode: str = "same",
        padding: Any = 0, dilation: Any = 1, group: int = 1, has_bias: bool = False, weight_init: Any = None,
        bias_init: Any = None, data_format: str | None = None, dtype: Any = None,
    ):  # fmt: skip
        super().__init__()
        cls, axes = type(self).__name__, self.axes
        flat = (1,) if axes == 1 else ()  # MindSpore convolves a line as an image of height 1
        if data_format is not None:
            one_of_any_case("data_format", data_format, ("NCDHW" if axes == 3 else "NCHW",))
        self.in_channels = positive_int(cls, "in_channels", in_channels)
        self.out_channels = positive_int(cls, "out_channels", out_channels)
        self.kernel_size = flat + per_axis("kernel_size", kernel_size, axes)
        self.stride, self.dilation = [
            flat + per_axis(name, value, axes) for name, value in (("stride", stride), ("dilation", dilation))
        ]  # fmt: skip
        explicit_padding(pad_mode, padding, axes)
        self.pad_mode, self.padding = pad_mode, padding
        self.group, self.has_bias = positive_int(cls, "group", group), has_bias
        if in_channels % group or out_channels % group:
            raise ValueError(say("errors.conv_group", cls=cls, channels=(in_channels, out_channels), group=group))
        first, second = (in_channels, out_channels) if self.transposed else (out_channels, in_channels)
        shape = (first, second // group, *self.kernel_size)
        if isinstance(weight_init, Tensor) and weight_init.shape == shape[:2] + shape[2 + len(flat) :]:
            weight_init = weight_init.reshape(shape)
        self.weight, self.bias = weight_and_bias(shape, weight_init, bias_init, has_bias, dtype, out_channels)

    def extend_repr(self) -> str:
        return (
            f"input_channels={self.in_channels}, output_channels={self.out_channels}, "
            f"kernel_size={self.kernel_size}, stride={self.stride}, pad_mode={self.pad_mode}, "
            f"padding={self.padding}, dilation={self.dilation}, group={self.group}, has_bias={self.has_bias}"
        )


class Conv1d(_Conv):
    """1-d convolution (cross-correlation) of (N, C, L). The arguments are those of :class:`Conv2d`.

    Attributes:
        weight: (out_channels, in_channels / group, 1, k); an initial Tensor may come without the 1.
        bias: (out_channels,), or None.
    """

    axes = 1

    def construct(self, x: Tensor) -> Tensor:
        """(N, in_channels, L) to (N, out_channels, L')."""
        return conv1d(
            x, T.squeeze(self.weight, 2), self.bias, self.stride[1], self.pad_mode, self.padding, self.dilation[1],
            self.group,
        )  # fmt: skip


class Conv2d(_Conv):
    """2-d convolution (cross-correlation) of (N, C, H, W).

    Args:
        in_channels, out_channels: numbers of channels.
        kernel_size, stride, dilation: int or (vertical, horizontal).
        pad_mode: ``"same"``, ``"valid"`` or ``"pad"``.
        padding: int, (vertical, horizontal) or (top, bottom, left, right); only with ``"pad"``.
        group: number of channel groups.
        has_bias: whether a bias is added per channel.
        weight_init, bias_init: Tensor, name or number; by default uniform within 1 / √fan_in.
        dtype: data type of weight and bias; by default Float32, or that of a Tensor given for them.
        data_format: ``"NCHW"``, the only order of axes there is.

    Attributes:
        weight: (out_channels, in_channels / group, kh, kw).
        bias: (out_channels,), or None.
    """

    axes = 2

    def construct(self, x: Tensor) -> Tensor:
        """(N, in_channels, H, W) to (N, out_channels, H', W')."""
        return conv2d(
            x, self.weight, self.bias, self.stride, self.pad_mode, self.padding, self.dilation, self.group
        )  # fmt: skip


class Conv3d(_Conv):
    """3-d convolution (cross-correlation) of (N, C, D, H, W). The arguments are those of :class:`Conv2d`.

    Attributes:
        weight: (out_channels, in_channels / group, kd, kh, kw).
        bias: (out_channels,), or None.
    """

    axes = 3

    def construct(self, x: Tensor) -> Tensor:
        """(N, in_channels, D, H, W) to (N, out_channels, D', H', W')."""
        return conv3d(
            x, self.weight, self.bias, self.stride, self.pad_mode, self.padding, self.dilation, self.group
        )  # fmt: skip


class _ConvTranspose(_Conv):
    transposed = True

    def _back(self, x: Tensor, weight: Tensor, output_padding: Any = 0) -> Tensor:
        n = self.axes
        return conv_transpose(
            x, weight, self.bias, self.stride[-n:], self.pad_mode, self.padding, self.dilation[-n:], self.group,
            output_padding,
        )  # fmt: skip

    def _output_padding(self, value: Any) -> tuple[int, ...]:
        """Checked: only with pad_mode "pad", and less than a stride or a dilation."""
        more = per_axis("output_padding", value, self.axes, least=0)
        if any(more) and self.pad_mode.lower() != "pad":
            raise ValueError(say("errors.needs_pad_mode", name="output_padding", got=value, pad_mode=self.pad_mode))
        most = [max(hop, gap) for hop, gap in zip(self.stride, self.dilation, strict=True)]
        if any(m >= limit for m, limit in zip(more, most, strict=True)):
            interval = f"[0, max(stride, dilation)) = [0, {min(most)})"
            raise ValueError(say("errors.interval", name="output_padding", interval=interval, got=value))
        return more


class Conv1dTranspose(_ConvTranspose):
    """The way back of a 1-d convolution, (N, C, L). The arguments are those of :class:`Conv2dTranspose`.

    Attributes:
        weight: (in_channels, out_channels / group, 1, k); an initial Tensor may come without the 1.
        bias: (out_channels,), or None.
    """

    axes = 1

    def construct(self, x: Tensor) -> Tensor:
        """(N, in_channels, L) to (N, out_channels, L')."""
        return self._back(x, T.squeeze(self.weight, 2))


class Conv2dTranspose(_ConvTranspose):
    """The way back of a 2-d convolution, (N, C, H, W): each element spreads a kernel, and what overlaps is added.

    With pad_mode ``"same"`` lengths grow by the stride; with ``"valid"`` nothing that was spread is cut off; with
    ``"pad"`` the ``padding`` is cut off.

    Args:
        output_padding: with ``"pad"``, zeros appended at bottom and right: int or (vertical, horizontal).
        in_channels, out_channels, kernel_size, stride, …: as for :class:`Conv2d`.

    Attributes:
        weight: (in_channels, out_channels / group, kh, kw).
        bias: (out_channels,), or None.
    """

    axes = 2

    def __init__(
        self, in_channels: int, out_channels: int, kernel_size: Any, stride: Any = 1, pad_mode: str = "same",
        padding: Any = 0, output_padding: Any = 0, dilation: Any = 1, group: int = 1, has_bias: bool = False,
        weight_init: Any = None, bias_init: Any = None, dtype: Any = None,
    ):  # fmt: skip
        super().__init__(
            in_channels, out_channels, kernel_size, stride, pad_mode, padding, dilation, group, has_bias, weight_init,
            bias_init, dtype=dtype,
        )  # fmt: skip
        self.output_padding = self._output_padding(output_padding)

    def construct(self, x: Tensor) -> Tensor:
        """(N, in_channels, H, W) to (N, out_channels, H', W')."""
        y = self._back(x, self.weight)
        below, right = self.output_padding
        return pad(y, (0, right, 0, below)) if below or right else y


class Conv3dTranspose(_ConvTranspose):
    """The way back of a 3-d convolution, (N, C, D, H, W). The arguments are those of :class:`Conv2dTranspose`, but
    ``output_padding`` is how much less is cut off behind.

    Attributes:
        weight: (in_channels, out_channels / group, kd, kh, kw).
        bias: (out_channels,), or None.
    """

    axes = 3

    def __init__(
        self, in_channels: int, out_channels: int, kernel_size: Any, stride: Any = 1, pad_mode: str = "same",
        padding: Any = 0, dilation: Any = 1, group: int = 1, output_padding: Any = 0, has_bias: bool = False,
        weight_init: Any = None, bias_init: Any = None, data_format: str = "NCDHW", dtype: Any = None,
    ):  # fmt: skip
        super().__init__(
            in_channels, out_channels, kernel_size, stride, pad_mode, padding, dilation, group, has_bias, weight_init,
            bias_init, data_format, dtype,
        )  # fmt: skip
        self.output_padding = self._output_padding(output_padding)

    def construct(self, x: Tensor) -> Tensor:
        """(N, in_channels, D, H, W) to (N, out_channels, D', H', W')."""
        return self._back(x, self.weight, self.output_padding)
