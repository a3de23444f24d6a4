"""Samples and references: patches, blocks, shuffles, resizing, sampling at given places."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
from ops.samples.conv import framed, windows
from ops.samples.pool import adaptive
from ops.samples.sample import Array, Calls, References, adjoint, call
from scipy.ndimage import map_coordinates

LINE = {"kernel": (2,), "stride": (2,), "pad": (1, 0), "dilation": (2,)}
FLAT = {"kernel": (2, 3), "stride": (1, 2), "pad": (1, 0, 0, 1), "dilation": (1, 1)}
PLAIN = (None, None)
GRID = np.random.default_rng(5).uniform(-1.4, 1.4, (2, 2, 3, 2))
MAPS = np.array([[[1.0, 0.2, 0.1], [0.0, 0.8, -0.3]]])
SOLID_MAPS = np.array([[[1.0, 0.2, 0.1, 0.0], [0.0, 0.8, -0.3, 0.1], [0.1, 0.0, 1.0, 0.2]]])


def patches(x: Array, kernel: Any, stride: Any, pad: Any, dilation: Any) -> Array:
    x = framed(x, pad)
    depth = x.shape[1] * math.prod(kernel)
    columns = [x[(..., *where)].reshape(len(x), depth) for _, where in windows(x.shape[2:], kernel, stride, dilation)]
    return np.stack(columns, -1)


def added_patches(x: Array, size: Any, **window: Any) -> Array:
    shape = (len(x), x.shape[1] // math.prod(window["kernel"]), *size)
    return adjoint(lambda image: patches(image, **window), shape, x)


def public_window(kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1) -> dict[str, Any]:
    kernel, gaps, pads, hops = [
        v if isinstance(v, tuple) else (v, v) for v in (kernel_size, dilation, padding, stride)
    ]  # fmt: skip
    return {"kernel": kernel, "stride": hops, "pad": np.repeat(pads, 2).tolist(), "dilation": gaps}


def moved(shape_of: Callable[..., Any], place_of: Callable[..., Any]) -> Callable[..., Array]:
    """Element by element to where ``place_of`` says."""

    def reference(x: Array, *args: Any, **kwargs: Any) -> Array:
        arg = [*args, *kwargs.values()]
        out = np.zeros(shape_of(x.shape, *arg))
        for at in np.ndindex(x.shape):
            to = place_of(at, x.shape, *arg)
            if to is not None:
                out[to] = x[at]
        return out

    return reference


def _to_batch(at: Any, shape: Any, block: Any, rows: Any) -> Any:
    m = len(rows)
    padded = [i + a for i, (a, _) in zip(at[-m:], rows, strict=True)]
    pixel = 0
    for i, b in zip(padded, block, strict=True):
        pixel = pixel * b + i % b
    return (pixel * shape[0] + at[0], *at[1:-m], *[i // b for i, b in zip(padded, block, strict=True)])


def _from_batch(at: Any, shape: Any, block: Any, rows: Any) -> Any:
    m, n = len(rows), shape[0] // math.prod(block)
    pixels = np.unravel_index(at[0] // n, block)
    to = [int(i * b + p - a) for i, b, p, (a, _) in zip(at[-m:], block, pixels, rows, strict=True)]
    ends = [i * b - a - z for i, b, (a, z) in zip(shape[-m:], block, rows, strict=True)]
    return (at[0] % n, *at[1:-m], *to) if all(0 <= t < end for t, end in zip(to, ends, strict=True)) else None


# Resizing ---------------------------------------------------------------------------------------------------------


def _weights(length: int, count: int, mode: str, origin: str, scale: float | None) -> Array:
    """The map of one axis as a matrix, row by row."""
    scale = length / count if scale is None else scale
    matrix = np.zeros((count, length))
    for i in range(count):
        at = {
            "half_pixel": (i + 0.5) * scale - 0.5, "asymmetric": i * scale,
            "align_corners": i * (length - 1) / max(count - 1, 1),
        }[origin]  # fmt: skip
        if mode == "nearest":
            matrix[i, min(int(math.floor(at + (origin != "asymmetric") / 2 + 1e-9)), length - 1)] = 1
        elif mode == "linear":
            matrix[i] = [max(0.0, 1 - abs(min(max(at, 0), length - 1) - j)) for j in range(length)]
        else:
            near = range(math.floor(at) - 1, math.floor(at) + 3)
            inside = [j for j in near if 0 <= j < length or origin != "half_pixel"]
            keys = np.array([_keys(abs(at - j), -0.5 if origin == "half_pixel" else -0.75) for j in inside])
            for j, weight in zip(inside, keys / keys.sum(), strict=True):
                matrix[i, min(max(j, 0), length - 1)] += weight
    return matrix


def _keys(d: float, a: float) -> float:
    return (a + 2) * d**3 - (a + 3) * d**2 + 1 if d <= 1 else a * d**3 - 5 * a * d**2 + 8 * a * d - 4 * a


def resize(x: Array, size: Any, mode: str, origin: str, scales: Any) -> Array:
    for axis, (count, scale) in enumerate(zip(size, scales, strict=True), x.ndim - len(size)):
        if mode == "area":
            x = np.moveaxis(adaptive(np.mean, 1)(np.moveaxis(x, axis, -1), count), -1, axis)
        else:
            x = np.moveaxis(np.moveaxis(x, axis, -1) @ _weights(x.shape[axis], count, mode, origin, scale).T, -1, axis)
    return x


def resize_grad(g: Array, size: Any, **attrs: Any) -> Array:
    wanted = g.shape[-len(size) :]
    return adjoint(lambda x: resize(x, wanted, **attrs), (*g.shape[: -len(size)], *size), g)


def interpolate(
    x: Array, size: Any = None, scale_factor: Any = None, mode: str = "nearest", align_corners: bool | None = None,
    recompute_scale_factor: bool = False,
) -> Array:  # fmt: skip
    axes = x.ndim - 2
    scales = (None,) * axes
    if size is None:
        factors = scale_factor if isinstance(scale_factor, tuple) else (scale_factor,) * axes
        size = [math.floor(n * f) for n, f in zip(x.shape[2:], factors, strict=True)]
        scales = scales if recompute_scale_factor else tuple(1 / f for f in factors)
    size = [size] * axes if isinstance(size, int) else size
    kind = {"bicubic": "cubic", "nearest-exact": "nearest"}.get(mode, "linear" if mode.endswith("linear") else mode)
    origin = "align_corners" if align_corners else "asymmetric" if mode == "nearest" else "half_pixel"
    return resize(x, size, kind, origin, scales)


# Places -----------------------------------------------------------------------------------------------------------


def affine_grid(theta: Array, size: Any, align_corners: bool = False) -> Array:
    lengths = size[2:]
    out = np.zeros((size[0], *lengths, len(lengths)))
    for n, *at in np.ndindex(out.shape[:-1]):
        ends = [1.0 if align_corners else 1 - 1 / length for length in lengths]
        place = [-end + 2 * end * i / (length - 1) for i, end, length in zip(at, ends, lengths, strict=True)]
        out[(n, *at)] = theta[n] @ [*place[::-1], 1]
    return out


def grid_sample(
    x: Array, grid: Array, mode: str = "bilinear", padding_mode: str = "zeros", align_corners: bool = False
) -> Array:
    out = np.zeros((*x.shape[:2], *grid.shape[1:-1]))
    edges = {"zeros": "grid-constant", "border": "nearest", "reflection": "mirror" if align_corners else "reflect"}
    for n, c in itertools.product(*map(range, x.shape[:2])):
        places = [
            (g + 1) * (length - 1) / 2 if align_corners else ((g + 1) * length - 1) / 2
            for g, length in zip(np.moveaxis(grid[n], -1, 0)[::-1], x.shape[2:], strict=True)
        ]
        out[n, c] = map_coordinates(x[n, c], places, order=1 if mode == "bilinear" else 0, mode=edges[padding_mode])
    return out


CALLS: Calls = {
    "patches": [call((1, 2, 5), **LINE), call((2, 2, 3, 4), **FLAT), call((0, 1, 3, 4), **FLAT)],
    "added_patches": [call((1, 4, 2), size=(5,), **LINE), call((1, 12, 6), size=(3, 4), **FLAT)],
    "unfold": [
        call((1, 2, 3, 3), kernel_size=2), call((1, 1, 4, 5), kernel_size=(2, 3), padding=(1, 0), stride=(2, 1)),
    ],
    "fold": [
        call((1, 8, 4), output_size=(3, 3), kernel_size=2),
        call((2, 4, 4), output_size=(4, 4), kernel_size=2, stride=2),
    ],
    "col2im": [call((1, 2, 4, 4), output_size=(3, 3), kernel_size=2)],
    "pixel_shuffle": [call((1, 8, 2, 3), upscale_factor=2), call((4, 1, 2), upscale_factor=2)],
    "pixel_unshuffle": [call((1, 2, 4, 6), downscale_factor=2), call((1, 2, 4), downscale_factor=2)],
    "channel_shuffle": [call((2, 6, 2, 2), groups=3), call((1, 4, 3), groups=2)],
    "depth_to_space": [call((1, 8, 2, 3), block_size=2)],
    "space_to_depth": [call((2, 2, 4, 2), block_size=2)],
    "space_to_batch_nd": [
        call((2, 1, 4, 4), block_size=(2, 2), paddings=((0, 0), (0, 0))),
        call((1, 2, 3, 4), block_size=(2, 3), paddings=((1, 0), (0, 2))),
        call((1, 2, 4), block_size=(2,), paddings=((1, 1),)),
    ],
    "batch_to_space_nd": [
        call((8, 1, 2, 2), block_shape=(2, 2), crops=((0, 0), (0, 0))),
        call((6, 2, 2, 2), block_shape=(2, 3), crops=((1, 0), (0, 2))),
    ],
    "resize": [
        call((1, 2, 4), size=(7,), mode="linear", origin="half_pixel", scales=(None,)),
        call((1, 2, 4), size=(7,), mode="linear", origin="half_pixel", scales=(0.7,)),
        call((1, 1, 3, 4), size=(5, 2), mode="nearest", origin="asymmetric", scales=PLAIN),
        call((1, 1, 3, 4), size=(5, 1), mode="nearest", origin="align_corners", scales=PLAIN),
        call((1, 1, 4, 3), size=(5, 7), mode="cubic", origin="align_corners", scales=PLAIN),
        call((1, 1, 4, 3), size=(2, 7), mode="cubic", origin="half_pixel", scales=PLAIN),
        call((0, 1, 4), size=(6,), mode="linear", origin="asymmetric", scales=(None,)),
    ],
    "resize_grad": [
        call((1, 2, 7), size=(4,), mode="linear", origin="align_corners", scales=(None,)),
        call((1, 1, 5, 3), size=(3, 4), mode="nearest", origin="asymmetric", scales=PLAIN),
        call((1, 1, 5, 4), size=(3, 4), mode="cubic", origin="half_pixel", scales=PLAIN),
        call((1, 1, 5, 2), size=(3, 4), mode="area", origin="", scales=PLAIN),
    ],
    "interpolate": [
        call((1, 2, 4), size=7), call((1, 1, 3, 4), scale_factor=(2.0, 1.5)),
        call((1, 1, 3, 4), size=(5, 6), mode="nearest-exact"),
        call((1, 2, 4), size=7, mode="linear", align_corners=True),
        call((1, 1, 3, 4), scale_factor=1.5, mode="bilinear"),
        call((1, 1, 3, 4), scale_factor=1.5, mode="bilinear", recompute_scale_factor=True),
        call((1, 1, 3, 4), size=(5, 7), mode="bicubic"), call((1, 1, 3, 4), size=5, mode="bicubic", align_corners=True),
        call((1, 1, 2, 3, 2), size=(3, 2, 4), mode="trilinear"), call((1, 1, 5, 4), size=(3, 5), mode="area"),
    ],
    "affine_grid": [
        call((2, 2, 3), size=(2, 1, 2, 3)), call(MAPS, size=(1, 1, 3, 2), align_corners=True),
        call(SOLID_MAPS, size=(1, 1, 2, 3, 2)),
    ],
    "grid_sample": [
        *[
            call((2, 2, 4, 5), GRID, mode=mode, padding_mode=padding_mode, align_corners=corners)
            for mode in ("bilinear", "nearest")
            for padding_mode in ("zeros", "border", "reflection")
            for corners in (False, True)
        ],
        call((1, 1, 3, 2, 2), GRID.reshape(1, 2, 2, 2, 3)),
    ],
}  # fmt: skip
REFERENCES: References = {
    "patches": patches,
    "added_patches": added_patches,
    "unfold": lambda x, **k: patches(x, **public_window(**k)),
    "fold": lambda x, output_size, **k: added_patches(x, output_size, **public_window(**k)),
    "col2im": lambda x, output_size, **k: added_patches(
        x.reshape(len(x), -1, x.shape[-1]), output_size, **public_window(**k)
    ),
    "pixel_shuffle": moved(
        lambda s, r: (*s[:-3], s[-3] // r**2, s[-2] * r, s[-1] * r),
        lambda at, s, r: (*at[:-3], at[-3] // r**2, at[-2] * r + at[-3] // r % r, at[-1] * r + at[-3] % r),
    ),
    "pixel_unshuffle": moved(
        lambda s, r: (*s[:-3], s[-3] * r**2, s[-2] // r, s[-1] // r),
        lambda at, s, r: (*at[:-3], at[-3] * r**2 + at[-2] % r * r + at[-1] % r, at[-2] // r, at[-1] // r),
    ),
    "channel_shuffle": moved(
        lambda s, g: s, lambda at, s, g: (at[0], at[1] % (s[1] // g) * g + at[1] // (s[1] // g), *at[2:])
    ),
    "depth_to_space": moved(
        lambda s, r: (s[0], s[1] // r**2, s[2] * r, s[3] * r),
        lambda at, s, r: (
            at[0], at[1] % (s[1] // r**2), at[2] * r + at[1] // (s[1] // r), at[3] * r + at[1] // (s[1] // r**2) % r
        ),
    ),
    "space_to_depth": moved(
        lambda s, r: (s[0], s[1] * r**2, s[2] // r, s[3] // r),
        lambda at, s, r: (at[0], (at[2] % r * r + at[3] % r) * s[1] + at[1], at[2] // r, at[3] // r),
    ),
    "space_to_batch_nd": moved(
        lambda s, block, rows: (
            s[0] * math.prod(block), *s[1 : -len(rows)],
            *[(n + a + z) // b for n, b, (a, z) in zip(s[-len(rows) :], block, rows, strict=True)],
        ),
        _to_batch,
    ),
    "batch_to_space_nd": moved(
        lambda s, block, rows: (
            s[0] // math.prod(block), *s[1 : -len(rows)],
            *[n * b - a - z for n, b, (a, z) in zip(s[-len(rows) :], block, rows, strict=True)],
        ),
        _from_batch,
    ),
    "resize": resize,
    "resize_grad": resize_grad,
    "interpolate": interpolate,
    "affine_grid": affine_grid,
    "grid_sample": grid_sample,
}  # fmt: skip
