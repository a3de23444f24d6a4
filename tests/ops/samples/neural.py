"""Samples and references: convolution."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
from ops.samples.sample import Array, Calls, References, adjoint, call

CONVOLUTIONS = [
    call((2, 3, 5, 4), (4, 3, 2, 3)),
    call((1, 4, 5, 6), (6, 2, 3, 3), stride=(2, 1), pad=(1, 2, 0, 1), groups=2),
    call((1, 2, 7, 6), (2, 2, 2, 2), stride=(2, 2), dilation=(2, 3)),
]


def convolution(
    x: Array, w: Array, stride: Any = (1, 1), pad: Any = (0, 0, 0, 0), dilation: Any = (1, 1), groups: int = 1
) -> Array:
    """Pixel by pixel."""
    x = np.pad(x, ((0, 0), (0, 0), (pad[0], pad[1]), (pad[2], pad[3])))
    (n, _, height, width), (o, per_group, kh, kw) = x.shape, w.shape
    rows = (height - (kh - 1) * dilation[0] - 1) // stride[0] + 1
    columns = (width - (kw - 1) * dilation[1] - 1) // stride[1] + 1
    out = np.zeros((n, o, rows, columns))
    for k, i, j in itertools.product(range(o), range(rows), range(columns)):
        first = k // (o // groups) * per_group
        top, left = i * stride[0], j * stride[1]
        window = x[
            :, first : first + per_group, top : top + kh * dilation[0] : dilation[0],
            left : left + kw * dilation[1] : dilation[1],
        ]  # fmt: skip
        out[:, k, i, j] = (window * w[k]).sum((1, 2, 3))
    return out


def convolution_input_grad(g: Array, w: Array, shape: Any, **attrs: Any) -> Array:
    return adjoint(lambda x: convolution(x, w, **attrs), shape, g)


def convolution_weight_grad(g: Array, x: Array, kernel: Any, **attrs: Any) -> Array:
    shape = (g.shape[1], x.shape[1] // attrs.get("groups", 1), *kernel)
    return adjoint(lambda w: convolution(x, w, **attrs), shape, g)


CALLS: Calls = {
    "convolution": CONVOLUTIONS,
    "conv2d": [call((1, 2, 4, 3), (2, 2, 2, 2), (2,), stride=2, pad_mode="same")],
    "convolution_input_grad": [
        call((1, 2, 4, 2), (2, 3, 2, 2), shape=(1, 3, 5, 3)),
        call((1, 2, 3, 3), (2, 1, 3, 2), shape=(1, 2, 5, 6), stride=(2, 2), pad=(1, 1, 0, 1), groups=2),
    ],
    "convolution_weight_grad": [
        call((1, 2, 4, 2), (1, 3, 5, 3), kernel=(2, 2)),
        call((1, 2, 3, 3), (1, 2, 5, 6), kernel=(3, 2), stride=(2, 2), pad=(1, 1, 0, 1), groups=2),
    ],
}  # fmt: skip
REFERENCES: References = {
    "conv2d": lambda x, w, b, **_: convolution(x, w, (2, 2), (0, 0, 0, 1)) + b[:, None, None],
    "convolution": convolution,
    "convolution_input_grad": convolution_input_grad,
    "convolution_weight_grad": convolution_weight_grad,
}
