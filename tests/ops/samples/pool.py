"""Samples and references: pooling, window by window."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
from ops.samples.conv import framed, windows
from ops.samples.sample import Array, Calls, References, adjoint, call

LINE = {"kernel": (2,), "stride": (2,), "pad": (1, 0)}
SMALL = {"kernel": (3, 2), "stride": (2, 1), "pad": (1, 1, 0, 1)}
SOLID = {"kernel": (2, 1, 2), "stride": (1, 1, 2), "pad": (0, 0, 0, 0, 1, 1)}
PLACES = np.array([[[1, 2], [6, 5]], [[0, 3], [4, 7]]])  # in planes of 2 × 4 or 4 × 4
DRAWS = np.array([[[0.3, 0.7, 0.5], [0.0, 0.95, 0.1]]])


def pooled(x: Array, of: Callable[[Array], Any], kernel: Any, stride: Any, dilation: Any) -> Array:
    """``of`` every window of every plane."""
    n = len(kernel)
    found = list(windows(x.shape[-n:], kernel, stride, dilation))
    out = np.zeros((*x.shape[:-n], *[c + 1 for c in found[-1][0]]))
    for plane, (at, where) in itertools.product(np.ndindex(x.shape[:-n]), found):
        out[(*plane, *at)] = of(x[(*plane, *where)])
    return out


def where(x: Array, values: Array, axes: int) -> Array:
    """For values that occur once in their plane of x, their places in it."""
    index = np.zeros(values.shape, np.int64)
    for at in np.ndindex(values.shape):
        (index[at],) = np.flatnonzero(x[at[:-axes]].ravel() == values[at])
    return index


def max_pool(x: Array, kernel: Any, stride: Any, pad: Any, dilation: Any) -> Array:
    return pooled(framed(x, pad, -np.inf), np.max, kernel, stride, dilation)


def avg_pool(x: Array, kernel: Any, stride: Any, pad: Any, counted: Any, divisor: Any = None) -> Array:
    ones = framed(framed(np.ones(x.shape[-len(kernel) :]), counted, 1), np.subtract(pad, counted))
    plain = (1,) * len(kernel)
    counts = divisor or pooled(ones, np.sum, kernel, stride, plain)
    return pooled(framed(x, pad), np.sum, kernel, stride, plain) / counts


def avg_pool_grad(g: Array, size: Any, **window: Any) -> Array:
    return adjoint(lambda x: avg_pool(x, **window), (*g.shape[: g.ndim - len(size)], *size), g)


def public_window(
    x: Array, axes: int, kernel_size: Any, stride: Any, padding: Any = 0, dilation: Any = 1, ceil_mode: bool = False
) -> tuple[Any, ...]:
    """Kernel, stride and dilation per axis, the padding, and the padding with what a rounded-up count needs behind."""
    kernel, hops, pads, gaps = [
        (v,) * axes if isinstance(v, int) else tuple(v) for v in (kernel_size, stride or kernel_size, padding, dilation)
    ]
    pad, more = [], []
    for n, k, s, p, d in zip(x.shape[-axes:], kernel, hops, pads, gaps, strict=True):
        span = (k - 1) * d + 1
        count = (math.ceil if ceil_mode else math.floor)((n + 2 * p - span) / s) + 1
        count -= (count - 1) * s >= n + p
        pad, more = [*pad, p, p], [*more, p, max((count - 1) * s + span - n - p, p)]
    return kernel, hops, gaps, pad, more


def max_pooled(axes: int) -> Callable[..., Any]:
    def reference(x: Array, kernel_size: Any, stride: Any = None, return_indices: bool = False, **window: Any) -> Any:
        kernel, hops, gaps, _, pad = public_window(x, axes, kernel_size, stride, **window)
        y = max_pool(x, kernel, hops, pad, gaps)
        return (y, where(x, y, axes)) if return_indices else y

    return reference


def averaged(axes: int) -> Callable[..., Array]:
    def reference(
        x: Array, kernel_size: Any, stride: Any = 1, count_include_pad: bool = True, divisor_override: Any = None,
        **window: Any,
    ) -> Array:  # fmt: skip
        kernel, hops, _, pad, more = public_window(x, axes, kernel_size, stride, **window)
        return avg_pool(x, kernel, hops, more, pad if count_include_pad else [0] * len(pad), divisor_override)

    return reference


def norm_pooled(axes: int) -> Callable[..., Array]:
    def reference(x: Array, norm_type: float, kernel_size: Any, stride: Any = None, ceil_mode: bool = False) -> Array:
        kernel, hops, gaps, _, pad = public_window(x, axes, kernel_size, stride, ceil_mode=ceil_mode)
        root = lambda w: np.sign((w**norm_type).sum()) * abs((w**norm_type).sum()) ** (1 / norm_type)  # noqa: E731
        return pooled(framed(x, pad), root, kernel, hops, gaps)

    return reference


# Windows of different sizes ---------------------------------------------------------------------------------------


def adaptive(of: Callable[[Array], Any], axes: int) -> Callable[..., Any]:
    """Window i of n over L elements: ⌊i·L/n⌋ … ⌈(i+1)·L/n⌉."""

    def reference(x: Array, size: Any = None, output_size: Any = None, return_indices: bool = False) -> Any:
        wanted = output_size if size is None else size
        several = wanted if isinstance(wanted, tuple) else (wanted,) * axes
        sizes = [n if want is None else want for want, n in zip(several, x.shape[-axes:], strict=True)]
        out = np.zeros((*x.shape[:-axes], *sizes))
        for at in np.ndindex(out.shape):
            spans = zip(at[-axes:], sizes, x.shape[-axes:], strict=True)
            window = tuple(slice(math.floor(i * n / c), math.ceil((i + 1) * n / c)) for i, c, n in spans)
            out[at] = of(x[(*at[:-axes], *window)])
        index = where(x, out, axes) if return_indices else None
        return out if index is None else (out, index.astype(np.int32) if axes == 3 else index)

    return reference


def fractional(axes: int) -> Callable[..., Any]:
    def reference(
        x: Array, kernel_size: int, output_size: Any = None, output_ratio: Any = None, return_indices: bool = False,
        _random_samples: Any = None,
    ) -> Any:  # fmt: skip
        sizes = output_size or [int(n * output_ratio) for n in x.shape[-axes:]]
        out = np.zeros((*x.shape[:-axes], *sizes))
        for at in np.ndindex(out.shape):
            draws = _random_samples[at[:2]]
            window = []
            for i, n, count, u in zip(at[2:], x.shape[2:], sizes, draws[::-1] if axes == 2 else draws, strict=True):
                step = (n - kernel_size) / (count - 1)
                start = n - kernel_size if i == count - 1 else int((i + u) * step) - int(u * step)
                window.append(slice(start, start + kernel_size))
            out[at] = x[(*at[:2], *window)].max()
        return (out, where(x, out, axes)) if return_indices else out

    return reference


def unpooled(axes: int) -> Callable[..., Array]:
    def reference(
        x: Array, indices: Array, kernel_size: Any, stride: Any = None, padding: int = 0, output_size: Any = None
    ) -> Array:
        grown = [(n - 1) * (stride or kernel_size) - 2 * padding + kernel_size for n in x.shape[-axes:]]
        out = np.zeros((*x.shape[:-axes], *(output_size or grown)[-axes:]))
        for at in np.ndindex(x.shape):
            out[at[:-axes]].reshape(-1)[indices[at]] = x[at]
        return out

    return reference


CALLS: Calls = {
    "max_pool": [
        call((2, 2, 5), **LINE, dilation=(2,)), call((1, 2, 5, 4), **SMALL, dilation=(1, 2)),
        call((1, 2, 3, 2, 4), **SOLID, dilation=(1, 1, 1)), call((3, 4), **LINE, dilation=(1,)),
        call((0, 2, 5, 4), **SMALL, dilation=(1, 1)),
        call((1, 1, 3, 3), kernel=(1, 1), stride=(2, 1), pad=(0, 0, 0, 0), dilation=(1, 1)),
    ],
    "avg_pool": [
        call((2, 2, 5), **LINE, counted=(0, 0), divisor=None),
        call((1, 2, 5, 4), **SMALL, counted=(1, 1, 0, 0), divisor=None),
        call((1, 1, 3, 2, 4), **SOLID, counted=SOLID["pad"], divisor=None),
        call((2, 3), **LINE, counted=(1, 0), divisor=5),
        call((0, 2, 5, 4), **SMALL, counted=(0, 0, 0, 0), divisor=None),
    ],
    "avg_pool_grad": [
        call((2, 2, 3), size=(5,), **LINE, counted=(0, 0), divisor=None),
        call((1, 1, 3, 4), size=(5, 4), **SMALL, counted=(1, 1, 0, 0), divisor=None),
        call((1, 3), size=(5,), **LINE, counted=(1, 0), divisor=3.0),
    ],
    "max_pool1d": [
        call((1, 2, 7), kernel_size=3), call((2, 6), kernel_size=2, stride=1, padding=1, return_indices=True),
    ],
    "max_pool2d": [
        call((1, 2, 4, 4), kernel_size=2), call((1, 1, 5, 4), kernel_size=(3, 2), stride=2, padding=1, ceil_mode=True),
        call((2, 1, 4, 5), kernel_size=2, stride=1, dilation=(2, 1), return_indices=True),
        call((2, 4, 4), kernel_size=2),
    ],
    "max_pool3d": [
        call((1, 1, 3, 3, 4), kernel_size=2, return_indices=True), call((1, 1, 3, 2, 3), kernel_size=2, ceil_mode=True),
    ],
    "avg_pool1d": [
        call((1, 2, 5), kernel_size=2), call((2, 5), kernel_size=3, stride=2, padding=1, count_include_pad=False),
        call((1, 1, 6), kernel_size=3, stride=4, padding=1, ceil_mode=True),
    ],
    "avg_pool2d": [
        call((1, 2, 4, 4), kernel_size=2), call((1, 1, 5, 4), kernel_size=(3, 2), stride=2, padding=1, ceil_mode=True),
        call((1, 1, 3, 4), kernel_size=2, padding=(1, 0), count_include_pad=False),
        call((2, 3, 3), kernel_size=2, stride=2, divisor_override=3),
    ],
    "avg_pool3d": [
        call((1, 1, 3, 3, 2), kernel_size=2), call((1, 1, 3, 2, 3), kernel_size=2, stride=2, padding=1, ceil_mode=True),
    ],
    "lp_pool1d": [
        call((1, 2, 6), norm_type=2, kernel_size=3),
        call((1, 1, 5), norm_type=3, kernel_size=2, stride=2, ceil_mode=True),
    ],
    "lp_pool2d": [
        call((1, 1, 4, 4), norm_type=2.5, kernel_size=2), call((1, 3, 4), norm_type=1, kernel_size=(2, 3), stride=1),
    ],
    "adaptive_avg_pool": [call((2, 1, 5), size=(3,)), call((1, 2, 4, 5), size=(2, 3)), call((1, 2, 3), size=(5,))],
    "adaptive_max_pool": [call((2, 1, 5), size=(3,)), call((1, 2, 4, 5), size=(2, 3)), call((0, 2, 3), size=(2,))],
    "adaptive_avg_pool1d": [call((1, 2, 7), output_size=3), call((2, 4), output_size=2)],
    "adaptive_avg_pool2d": [call((1, 1, 3, 5), output_size=2), call((1, 2, 3, 3), output_size=(None, 2))],
    "adaptive_avg_pool3d": [call((1, 1, 3, 2, 4), output_size=(2, None, 3))],
    "adaptive_max_pool1d": [call((1, 2, 7), output_size=3)],
    "adaptive_max_pool2d": [
        call((1, 1, 3, 5), output_size=2), call((2, 3, 3), output_size=(None, 2), return_indices=True),
    ],
    "adaptive_max_pool3d": [call((1, 1, 3, 2, 4), output_size=(2, None, 3), return_indices=True)],
    "fractional_max_pool2d": [
        call((1, 2, 6, 7), kernel_size=2, output_size=(3, 4), return_indices=True, _random_samples=DRAWS[..., :2]),
        call((1, 2, 5, 6), kernel_size=2, output_ratio=0.6, _random_samples=DRAWS[..., 1:]),
    ],
    "fractional_max_pool3d": [
        call((1, 2, 5, 4, 3), kernel_size=2, output_size=(3, 2, 2), return_indices=True, _random_samples=DRAWS),
    ],
    "max_unpool1d": [
        call((1, 2, 2), PLACES[0][None] // 2, kernel_size=2),
        call((2, 2), PLACES[1], kernel_size=2, output_size=(9,)),
    ],
    "max_unpool2d": [
        call((2, 1, 2, 2), PLACES[:, None], kernel_size=2), call((2, 2, 2), PLACES, kernel_size=3, stride=1),
        call((2, 2, 2), PLACES // 2, kernel_size=3, stride=2, padding=1, output_size=(2, 4, 5)),
    ],
    "max_unpool3d": [call((1, 2, 1, 2, 2), PLACES[None, :, None], kernel_size=2)],
}  # fmt: skip
DOMAINS = {"lp_pool1d": (0.3, 3.0), "lp_pool2d": (0.3, 3.0)}
REFERENCES: References = {
    "max_pool": max_pool,
    "avg_pool": avg_pool,
    "avg_pool_grad": avg_pool_grad,
    **{f"max_pool{n}d": max_pooled(n) for n in (1, 2, 3)},
    **{f"avg_pool{n}d": averaged(n) for n in (1, 2, 3)},
    **{f"lp_pool{n}d": norm_pooled(n) for n in (1, 2)},
    "adaptive_avg_pool": lambda x, size: adaptive(np.mean, len(size))(x, size),
    "adaptive_max_pool": lambda x, size: adaptive(np.max, len(size))(x, size),
    **{f"adaptive_avg_pool{n}d": adaptive(np.mean, n) for n in (1, 2, 3)},
    **{f"adaptive_max_pool{n}d": adaptive(np.max, n) for n in (1, 2, 3)},
    **{f"fractional_max_pool{n}d": fractional(n) for n in (2, 3)},
    **{f"max_unpool{n}d": unpooled(n) for n in (1, 2, 3)},
}
