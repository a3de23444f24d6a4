"""Max pooling undone: every maximum back where it came from."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...core.op import TENSORS as T
from ...core.public import public
from ...core.record import operand
from ...core.tensor import Tensor, wrap
from ...kernels import pool as K
from ...kernels.arguments import limited, with_axes
from ...texts import say
from .sliding import one_of_any_case, per_axis


def unpooled(
    x: Any, indices: Any, axes: int, kernel_size: Any, stride: Any = None, padding: Any = 0, output_size: Any = None
) -> Tensor:
    """Zeros with each element of x where the maximum came from; of two at one place the later stays."""
    x, index = with_axes("x", operand(x), axes + 1, axes + 2), operand(indices)._array
    if x.shape != index.shape or index.dtype.kind not in "iu":
        raise ValueError(say("errors.unpool_index", got=f"{index.shape} {index.dtype}", wanted=x.shape))
    kernel = per_axis("kernel_size", kernel_size, axes)
    step = kernel if stride is None else per_axis("stride", stride, axes)
    pad = per_axis("padding", padding, axes, least=0)
    if output_size is None or len(output_size) == 0:
        output_size = [
            (n - 1) * hop - 2 * p + k for n, hop, p, k in zip(x.shape[-axes:], step, pad, kernel, strict=True)
        ]  # fmt: skip
    size = per_axis("output_size", tuple(output_size)[-axes:], axes)
    limited("output_size", size, math.prod((*x.shape[:-axes], *size)))
    if index.size and not (index.min() >= 0 and index.max() < math.prod(size)):
        raise IndexError(
            say("errors.unpool_range", low=index.min(), high=index.max(), size=size, last=math.prod(size) - 1)
        )  # fmt: skip
    shape = (*x.shape[:-axes], *size)
    rows = K.rows_of(index, axes)
    blank = wrap(np.zeros(K.planes_of(shape, axes), x._array.dtype))
    return T.reshape(T.setitem(blank, T.reshape(x, rows[1].shape), rows), shape)


@public("max_unpool1d")
def max_unpool1d(
    x: Tensor, indices: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, output_size: Any = None
) -> Tensor:
    """:func:`max_pool1d` undone, for (N, C, L) or (C, L). See :func:`max_unpool2d`."""
    return unpooled(x, indices, 1, kernel_size, stride, padding, output_size)


@public("max_unpool2d")
def max_unpool2d(
    x: Tensor, indices: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, output_size: Any = None
) -> Tensor:
    """:func:`max_pool2d` undone: each maximum where it came from, 0 elsewhere.

    Args:
        x: (N, C, H, W) or (C, H, W).
        indices: of the same shape, as max_pool2d returns them.
        kernel_size, stride, padding: what the pooling had: int or (vertical, horizontal).
        output_size: the pooled input's size, where these leave it open: its last two lengths, or its shape.
    """
    return unpooled(x, indices, 2, kernel_size, stride, padding, output_size)


@public("max_unpool3d")
def max_unpool3d(
    x: Tensor, indices: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, output_size: Any = None
) -> Tensor:
    """:func:`max_pool3d` undone, for (N, C, D, H, W) or (C, D, H, W). See :func:`max_unpool2d`."""
    return unpooled(x, indices, 3, kernel_size, stride, padding, output_size)


def _unpool_class(name: str, axes: int, layout: str) -> None:
    def _class(
        x: Tensor, argmax: Tensor, ksize: Any, strides: Any = 0, pads: Any = 0, output_shape: Any = (),
        data_format: str = layout,
    ) -> Tensor:  # fmt: skip
        one_of_any_case("data_format", data_format, (layout,))
        return unpooled(x, argmax, axes, ksize, strides or None, pads, output_shape)

    _class.__doc__ = f"Max pooling undone: ``ops.{name}(ksize)(x, argmax)``."
    public(primitive=name, init=("ksize", "strides", "pads", "output_shape", "data_format"))(_class)


_unpool_class("MaxUnpool2D", 2, "NCHW")
_unpool_class("MaxUnpool3D", 3, "NCDHW")
