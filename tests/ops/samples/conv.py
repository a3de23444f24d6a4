"""Samples and references: convolution and its way back, over one, two and three axes."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from ops.samples.sample import Array, Calls, References, adjoint, call

LINE = {"stride": (2,), "pad": (1, 2), "dilation": (2,), "groups": 1}
PLAIN = {"stride": (1, 1), "pad": (0, 0, 0, 0), "dilation": (1, 1), "groups": 1}
UNEVEN = {"stride": (2, 1), "pad": (1, 2, 0, 1), "dilation": (1, 1), "groups": 2}
WIDE = {"stride": (2, 2), "pad": (0, 0, 0, 0), "dilation": (2, 3), "groups": 1}
SOLID = {"stride": (1, 2, 1), "pad": (0, 1, 0, 0, 1, 0), "dilation": (1, 1, 2), "groups": 1}


def framed(x: Array, pad: Any, value: float = 0.0) -> Array:
    """x with (before, after) more elements around its last axes."""
    axes = len(pad) // 2
    widths = [(0, 0)] * (x.ndim - axes) + [(pad[2 * i], pad[2 * i + 1]) for i in range(axes)]
    return np.pad(x, widths, constant_values=value)


def windows(sizes: Any, kernel: Any, stride: Any, dilation: Any) -> Iterator[tuple[tuple[int, ...], Any]]:
    """Each window's number and where it lies, one after another."""
    spans = [(k - 1) * d + 1 for k, d in zip(kernel, dilation, strict=True)]
    counts = [(n - span) // s + 1 for n, span, s in zip(sizes, spans, stride, strict=True)]
    for at in itertools.product(*map(range, counts)):
        yield (
            at,
            tuple(slice(i * s, i * s + span, d) for i, s, span, d in zip(at, stride, spans, dilation, strict=True)),
        )


def convolution(
    x: Array, w: Array, stride: Any = (1, 1), pad: Any = (0, 0, 0, 0), dilation: Any = (1, 1), groups: int = 1
) -> Array:
    """Window by window and channel by channel."""
    x, per_group = framed(x, pad), w.shape[1]
    found = list(windows(x.shape[2:], w.shape[2:], stride, dilation))
    out = np.zeros((len(x), len(w), *[n + 1 for n in found[-1][0]]))
    for o, (at, where) in itertools.product(range(len(w)), found):
        first = o // (len(w) // groups) * per_group
        patch = x[(slice(None), slice(first, first + per_group), *where)]
        out[(slice(None), o, *at)] = (patch * w[o]).reshape(len(x), w[o].size).sum(1)
    return out


def transposed_convolution(x: Array, w: Array, size: Any, **attrs: Any) -> Array:
    shape = (len(x), w.shape[1] * attrs["groups"], *size)
    return adjoint(lambda image: convolution(image, w, **attrs), shape, x) if len(x) else np.zeros(shape)


def convolution_weight_grad(g: Array, x: Array, kernel: Any, **attrs: Any) -> Array:
    shape = (g.shape[1], x.shape[1] // attrs["groups"], *kernel)
    return adjoint(lambda w: convolution(x, w, **attrs), shape, g)


def same(sizes: Any, kernel: Any, stride: Any, dilation: Any) -> list[int]:
    """Padding for ⌈size / stride⌉ windows, the smaller half first."""
    pad = []
    for n, k, s, d in zip(sizes, kernel, stride, dilation, strict=True):
        total = max((math.ceil(n / s) - 1) * s + (k - 1) * d + 1 - n, 0)
        pad += [total // 2, math.ceil(total / 2)]
    return pad


def convolve(
    x: Array, w: Array, b: Array | None = None, stride: Any = 1, pad_mode: str = "valid", padding: Any = 0,
    dilation: Any = 1, groups: int = 1,
) -> Array:  # fmt: skip
    """With the arguments of the public functions."""
    axes = x.ndim - 2
    stride, dilation = [(v,) * axes if isinstance(v, int) else v for v in (stride, dilation)]
    pad = same(x.shape[2:], w.shape[2:], stride, dilation) if pad_mode == "same" else np.repeat(padding, 2)
    out = convolution(x, w, stride, list(pad) * (2 * axes // len(pad)), dilation, groups)
    return out if b is None else out + b.reshape(-1, *(1,) * axes)


CALLS: Calls = {
    "convolution": [
        call((2, 3, 5, 4), (4, 3, 2, 3), **PLAIN), call((1, 4, 5, 6), (6, 2, 3, 3), **UNEVEN),
        call((1, 2, 7, 6), (2, 2, 2, 2), **WIDE), call((2, 2, 7), (3, 2, 3), **LINE),
        call((1, 2, 3, 4, 4), (2, 2, 2, 2, 2), **SOLID), call((0, 2, 3, 3), (1, 2, 2, 2), **PLAIN),
        call((1, 4, 3, 3), (4, 1, 2, 2), **{**PLAIN, "groups": 4}),
    ],
    "transposed_convolution": [
        call((1, 2, 4, 2), (2, 3, 2, 2), size=(5, 3), **PLAIN),
        call((1, 2, 3, 5), (2, 1, 3, 2), size=(4, 5), **UNEVEN), call((1, 2, 3), (2, 1, 3), size=(6,), **LINE),
        call((2, 1, 2, 2, 2), (1, 2, 2, 1, 2), size=(2, 4, 3), **SOLID),
        call((0, 2, 2, 2), (2, 1, 2, 2), size=(3, 3), **PLAIN),
    ],
    "convolution_weight_grad": [
        call((1, 2, 4, 2), (1, 3, 5, 3), kernel=(2, 2), **PLAIN),
        call((2, 7, 2, 1), (2, 2, 3, 2), kernel=(2, 2), **PLAIN),
        call((1, 2, 3, 6), (1, 2, 4, 6), kernel=(3, 2), **UNEVEN), call((1, 3, 3), (1, 2, 6), kernel=(3,), **LINE),
        call((0, 2, 2, 2), (0, 1, 3, 3), kernel=(2, 2), **PLAIN),
    ],
    "conv1d": [
        call((2, 3, 5), (2, 3, 2)), call((1, 2, 5), (4, 1, 3), (4,), stride=2, pad_mode="same", groups=2),
        call((1, 2, 4), (1, 2, 3), pad_mode="pad", padding=1, dilation=2),
    ],
    "conv2d": [
        call((1, 2, 4, 3), (2, 2, 2, 2), (2,), stride=2, pad_mode="same"),
        call((1, 2, 3, 4), (2, 2, 2, 3), pad_mode="pad", padding=(1, 2), stride=(1, 2)),
    ],
    "conv3d": [
        call((1, 1, 3, 3, 3), (2, 1, 2, 2, 2), (2,)),
        call((1, 2, 2, 3, 3), (2, 1, 2, 2, 2), stride=2, pad_mode="same", groups=2),
        call((1, 1, 2, 2, 2), (1, 1, 2, 2, 2), pad_mode="pad", padding=(1, 0, 0)),
    ],
}  # fmt: skip
REFERENCES: References = {
    "convolution": convolution,
    "transposed_convolution": transposed_convolution,
    "convolution_weight_grad": convolution_weight_grad,
    "conv1d": convolve,
    "conv2d": convolve,
    "conv3d": convolve,
}
