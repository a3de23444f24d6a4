"""Fractional max pooling: windows whose distances vary at random between whole numbers."""

from __future__ import annotations

import math
from typing import Any

from ...core.public import public
from ...core.record import operand
from ...core.tensor import Tensor, wrap
from ...kernels import pool as K
from ...kernels import random
from ...kernels.arguments import with_axes
from ...texts import say
from .pool import take_from_planes
from .sliding import one_of_any_case, per_axis


def fractional_pooled(
    x: Any, axes: int, kernel_size: Any, output_size: Any, output_ratio: Any, return_indices: bool, draws: Any
) -> Any:
    """Max pooling over windows whose distances vary at random between whole numbers."""
    x, kernel = with_axes("input", operand(x), axes + 1, axes + 2), per_axis("kernel_size", kernel_size, axes)
    if (output_size is None) == (output_ratio is None):
        raise ValueError(say("errors.one_of_two", first="output_size", second="output_ratio"))
    lengths, planes = x.shape[-axes:], x.shape[:-axes]
    if output_size is None:
        ratios = output_ratio if isinstance(output_ratio, (tuple, list)) else (output_ratio,) * axes
        if len(ratios) != axes or not all(isinstance(r, (int, float)) and 0 < r <= 1 for r in ratios):
            raise ValueError(say("errors.interval", name="output_ratio", interval="(0, 1]", got=repr(output_ratio)))
        output_size = [int(length * ratio) for length, ratio in zip(lengths, ratios, strict=True)]
    size = per_axis("output_size", output_size, axes)
    if any(k + count - 1 > length for k, count, length in zip(kernel, size, lengths, strict=True)):
        raise ValueError(say("errors.fractional_size", size=size, kernel=kernel, got=lengths))
    sample = random.generator().random((*planes, axes)) if draws is None else operand(draws)._array
    sample = sample.reshape(math.prod(planes), axes)
    if axes == 2:
        sample = sample[:, ::-1]  # in MindSpore the first draw is the width's here, but the depth's over three axes
    index = K.largest(x._array, K.fractional_places(lengths, kernel, size, sample))
    pooled = take_from_planes(x, index, axes)
    return (pooled, wrap(index)) if return_indices else pooled


@public("fractional_max_pool2d")
def fractional_max_pool2d(
    input: Tensor, kernel_size: Any, output_size: Any = None, output_ratio: Any = None, return_indices: bool = False,
    _random_samples: Any = None,
) -> Any:  # fmt: skip
    """Maxima over windows whose distances vary at random between whole numbers (Graham, 2015).

    Args:
        input: (N, C, H, W) or (C, H, W).
        kernel_size: int or (vertical, horizontal).
        output_size: int or (H', W'); or else
        output_ratio: its share of the input's size, in (0, 1).
        return_indices: whether to return as well where each maximum lies in its flattened plane, Int64.
        _random_samples: (N, C, 2) numbers in [0, 1) instead of random ones.
    """
    return fractional_pooled(input, 2, kernel_size, output_size, output_ratio, return_indices, _random_samples)


@public("fractional_max_pool3d")
def fractional_max_pool3d(
    input: Tensor, kernel_size: Any, output_size: Any = None, output_ratio: Any = None, return_indices: bool = False,
    _random_samples: Any = None,
) -> Any:  # fmt: skip
    """As :func:`fractional_max_pool2d`, for (N, C, D, H, W) or (C, D, H, W)."""
    return fractional_pooled(input, 3, kernel_size, output_size, output_ratio, return_indices, _random_samples)


def _fractional_class(name: str, axes: int, layout: str) -> None:
    def _class(input: Tensor, random_samples: Any, ksize: Any, output_shape: Any, data_format: str = layout) -> Any:
        one_of_any_case("data_format", data_format, (layout,))
        return fractional_pooled(input, axes, ksize, output_shape, None, True, random_samples)

    _class.__doc__ = f"Maxima of fractional windows and where they lie: ``ops.{name}(ksize, output_shape)(x, draws)``."
    public(primitive=name, init=("ksize", "output_shape", "data_format"))(_class)


_fractional_class("FractionalMaxPoolWithFixedKsize", 2, "NCHW")
_fractional_class("FractionalMaxPool3DWithFixedKsize", 3, "NCDHW")
