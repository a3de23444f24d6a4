"""Pooling layers, by one, two and three axes."""

from __future__ import annotations

from typing import Any

from ...core.tensor import Tensor
from ...kernels.arguments import in_interval
from ...ops.spatial import adaptive, fractional, pool, unpool
from ...ops.spatial.sliding import explicit_padding, one_of_any_case, per_axis
from ..cell import Cell


class _Pool(Cell):
    """What max and average pooling share. :class:`MaxPool2d` and :class:`AvgPool2d` describe the arguments."""

    axes: int

    def _window(self, kernel_size: Any, stride: Any, pad_mode: str, padding: Any, data_format: str | None) -> None:
        per_axis("kernel_size", kernel_size, self.axes)
        per_axis("stride", stride, self.axes)
        explicit_padding(pad_mode, padding, self.axes)
        if data_format is not None:
            one_of_any_case("data_format", data_format, ("NCDHW" if self.axes == 3 else "NCHW",))
        flat = self.axes == 1  # MindSpore pools a line as an image of height 1
        self.kernel_size = (1, *per_axis("kernel_size", kernel_size, 1)) if flat else kernel_size
        self.stride = (1, *per_axis("stride", stride, 1)) if flat else stride
        self.pad_mode, self.padding = pad_mode.upper(), padding

    def _steps(self) -> tuple[Any, Any]:
        return (self.kernel_size[1], self.stride[1]) if self.axes == 1 else (self.kernel_size, self.stride)

    def extend_repr(self) -> str:
        return f"kernel_size={self.kernel_size}, stride={self.stride}, pad_mode={self.pad_mode}"


class _MaxPool(_Pool):
    def __init__(
        self, kernel_size: Any = 1, stride: Any = 1, pad_mode: str = "valid", padding: Any = 0, dilation: Any = 1,
        return_indices: bool = False, ceil_mode: bool = False, data_format: str | None = None,
    ):  # fmt: skip
        super().__init__()
        self._window(kernel_size, stride, pad_mode, padding, data_format)
        self.dilation = per_axis("dilation", dilation, self.axes)
        self.return_indices, self.ceil_mode = return_indices, ceil_mode

    def construct(self, x: Tensor) -> Any:
        """(N, C, …) or (C, …) to the same axes, pooled; with ``return_indices`` also the places, Int64."""
        kernel_size, stride = self._steps()
        return pool.max_pooled(
            x, self.axes, kernel_size, stride, self.pad_mode, self.padding, self.dilation, self.return_indices,
            self.ceil_mode,
        )  # fmt: skip


class MaxPool1d(_MaxPool):
    """Largest element of each window of (N, C, L) or (C, L). The arguments are those of :class:`MaxPool2d`."""

    axes = 1


class MaxPool2d(_MaxPool):
    """Largest element of each window of (N, C, H, W) or (C, H, W); among equals the first gets the gradient.

    Args:
        kernel_size, stride: int or (vertical, horizontal).
        pad_mode: ``"valid"``, ``"same"`` or ``"pad"``; padding never wins.
        padding: with ``"pad"``: int, (vertical, horizontal) or (top, bottom, left, right), at most half the window.
        dilation: distance of a window's elements.
        return_indices: whether to return as well where each element lies in its flattened plane.
        ceil_mode: whether a last window may reach beyond the end.
        data_format: ``"NCHW"``, the only order of axes there is.
    """

    axes = 2


class MaxPool3d(_MaxPool):
    """Largest element of each window of (N, C, D, H, W) or (C, D, H, W). See :class:`MaxPool2d`."""

    axes = 3


class _AvgPool(_Pool):
    def __init__(
        self, kernel_size: Any = 1, stride: Any = 1, pad_mode: str = "valid", padding: Any = 0, ceil_mode: bool = False,
        count_include_pad: bool = True, divisor_override: Any = None, data_format: str | None = None,
    ):  # fmt: skip
        super().__init__()
        self._window(kernel_size, stride, pad_mode, padding, data_format)
        if divisor_override is not None:
            in_interval("divisor_override", divisor_override, "(0, ∞)")
        self.ceil_mode, self.count_include_pad = ceil_mode, count_include_pad
        self.divisor_override = divisor_override

    def construct(self, x: Tensor) -> Tensor:
        """(N, C, …) or (C, …) to the same axes, pooled."""
        kernel_size, stride = self._steps()
        return pool.averaged(
            x, self.axes, kernel_size, stride, self.pad_mode, self.padding, self.ceil_mode, self.count_include_pad,
            self.divisor_override,
        )  # fmt: skip


class AvgPool1d(_AvgPool):
    """Mean of each window of (N, C, L) or (C, L). The arguments are those of :class:`AvgPool2d`."""

    axes = 1


class AvgPool2d(_AvgPool):
    """Mean of each window of (N, C, H, W) or (C, H, W).

    Args:
        kernel_size, stride: int or (vertical, horizontal).
        pad_mode: ``"valid"``, ``"same"`` (its padding never counts in the divisor) or ``"pad"``.
        padding: with ``"pad"``: int, (vertical, horizontal) or (top, bottom, left, right), at most half the window.
        ceil_mode: whether a last window may reach beyond the end; what lies there never counts.
        count_include_pad: whether padding counts in the divisor.
        divisor_override: what sums are divided by instead of the number of elements.
        data_format: ``"NCHW"``, the only order of axes there is.
    """

    axes = 2


class AvgPool3d(_AvgPool):
    """Mean of each window of (N, C, D, H, W) or (C, D, H, W). See :class:`AvgPool2d`; but ``"same"`` padding counts
    like any other."""

    axes = 3


# To a wanted size ------------------------------------------------------------------------------------------------


class _Adaptive(Cell):
    axes: int

    def __init__(self, output_size: Any):
        super().__init__()
        self.output_size = output_size


class _AdaptiveAvgPool(_Adaptive):
    def construct(self, input: Tensor) -> Tensor:
        """(N, C, …) or (C, …) to ``output_size``."""
        return adaptive.pooled_means(input, self.output_size, self.axes)


class AdaptiveAvgPool1d(_AdaptiveAvgPool):
    """(N, C, L) to ``output_size`` means of windows that together cover the input."""

    axes = 1


class AdaptiveAvgPool2d(_AdaptiveAvgPool):
    """(N, C, H, W) to ``output_size`` means of windows that together cover the input: int or (H', W'), None keeps."""

    axes = 2


class AdaptiveAvgPool3d(_AdaptiveAvgPool):
    """(N, C, D, H, W) to ``output_size`` means of windows that together cover the input; None keeps an axis."""

    axes = 3


class AdaptiveMaxPool1d(_Adaptive):
    """(N, C, L) to ``output_size`` maxima of windows that together cover the input."""

    def construct(self, x: Tensor) -> Tensor:
        """(N, C, L) or (C, L) to ``output_size``."""
        return adaptive.adaptive_max_pool1d(x, self.output_size)


class AdaptiveMaxPool2d(_Adaptive):
    """(N, C, H, W) to ``output_size`` maxima of windows that together cover the input.

    Args:
        output_size: int or (H', W'); None keeps an axis.
        return_indices: whether to return as well where each maximum lies in its flattened plane, Int64.
    """

    def __init__(self, output_size: Any, return_indices: bool = False):
        super().__init__(output_size)
        self.return_indices = return_indices

    def construct(self, input: Tensor) -> Any:
        """(N, C, H, W) or (C, H, W) to ``output_size``."""
        return adaptive.adaptive_max_pool2d(input, self.output_size, self.return_indices)


class AdaptiveMaxPool3d(AdaptiveMaxPool2d):
    """(N, C, D, H, W) to ``output_size`` maxima. See :class:`AdaptiveMaxPool2d`; indices are Int32."""

    def construct(self, input: Tensor) -> Any:
        """(N, C, D, H, W) or (C, D, H, W) to ``output_size``."""
        return adaptive.adaptive_max_pool3d(input, self.output_size, self.return_indices)


class FractionalMaxPool2d(Cell):
    """Maxima of (N, C, H, W) over windows whose distances vary at random. See ``ops.fractional_max_pool2d``."""

    axes = 2

    def __init__(
        self, kernel_size: Any, output_size: Any = None, output_ratio: Any = None, return_indices: bool = False,
        _random_samples: Any = None,
    ):  # fmt: skip
        super().__init__()
        self.kernel_size = per_axis("kernel_size", kernel_size, self.axes)
        self.output_size, self.output_ratio, self.return_indices = output_size, output_ratio, return_indices
        self._random_samples = _random_samples

    def construct(self, input: Tensor) -> Any:
        """To ``output_size``, or ``output_ratio`` times as long."""
        return fractional.fractional_pooled(
            input, self.axes, self.kernel_size, self.output_size, self.output_ratio, self.return_indices,
            self._random_samples,
        )  # fmt: skip


class FractionalMaxPool3d(FractionalMaxPool2d):
    """Maxima of (N, C, D, H, W) over windows whose distances vary at random. See ``ops.fractional_max_pool2d``."""

    axes = 3


# Norms, and the way back of maxima -------------------------------------------------------------------------------


class LPPool1d(Cell):
    """p-norm of each window of (N, C, L) or (C, L). See ``ops.lp_pool2d``."""

    axes = 1

    def __init__(self, norm_type: float, kernel_size: Any, stride: Any = None, ceil_mode: bool = False):
        super().__init__()
        self.norm_type, self.ceil_mode = norm_type, ceil_mode
        self.kernel_size = per_axis("kernel_size", kernel_size, self.axes)
        self.stride = self.kernel_size if stride is None else per_axis("stride", stride, self.axes)

    def construct(self, x: Tensor) -> Tensor:
        """The same axes, pooled."""
        norms = pool.lp_pool1d if self.axes == 1 else pool.lp_pool2d
        return norms(x, self.norm_type, self.kernel_size, self.stride, self.ceil_mode)


class LPPool2d(LPPool1d):
    """p-norm of each window of (N, C, H, W) or (C, H, W). See ``ops.lp_pool2d``."""

    axes = 2


class _MaxUnpool(Cell):
    axes: int

    def __init__(self, kernel_size: Any, stride: Any = None, padding: Any = 0):
        super().__init__()
        self.kernel_size = per_axis("kernel_size", kernel_size, self.axes)
        self.stride = self.kernel_size if stride is None else per_axis("stride", stride, self.axes)
        self.padding = per_axis("padding", padding, self.axes, least=0)

    def construct(self, x: Tensor, indices: Tensor, output_size: Any = None) -> Tensor:
        """Zeros with each maximum where it came from."""
        return unpool.unpooled(x, indices, self.axes, self.kernel_size, self.stride, self.padding, output_size)


class MaxUnpool1d(_MaxUnpool):
    """:class:`MaxPool1d` undone by its indices. See ``ops.max_unpool2d``."""

    axes = 1


class MaxUnpool2d(_MaxUnpool):
    """:class:`MaxPool2d` undone by its indices. See ``ops.max_unpool2d``."""

    axes = 2


class MaxUnpool3d(_MaxUnpool):
    """:class:`MaxPool3d` undone by its indices. See ``ops.max_unpool2d``."""

    axes = 3
