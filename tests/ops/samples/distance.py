"""Samples and references: norms and distances."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from ops.samples.sample import Array, Calls, References, call


def vector_norm(x: Array, ord: float = 2, axis: Any = None, keepdims: bool = False) -> Array:
    size = np.abs(x)
    if math.isinf(ord):
        return size.max(axis, keepdims=keepdims) if ord > 0 else size.min(axis, keepdims=keepdims)
    if ord == 0:
        return np.sum(x != 0, axis, keepdims=keepdims, dtype=np.float64)
    return np.sum(size**ord, axis, keepdims=keepdims) ** (1 / ord)


def norm(x: Array, ord: Any = None, dim: Any = None, keepdim: bool = False) -> Array:
    if ord is None:
        return vector_norm(x, 2, dim, keepdim)
    return np.linalg.norm(x, ord, dim, keepdim)


def cdist(a: Array, b: Array, p: float = 2.0) -> Array:
    return vector_norm(a[..., :, None, :] - b[..., None, :, :], p, -1)


def pdist(x: Array, p: float = 2.0) -> Array:
    n = x.shape[-2]
    pairs = [x[..., i, :] - x[..., j, :] for i in range(n) for j in range(i + 1, n)]
    return vector_norm(np.stack(pairs, -2), p, -1)


def cosine(a: Array, b: Array, dim: int = 1, eps: float = 1e-8) -> Array:
    a, b = np.broadcast_arrays(a, b)
    return (a * b).sum(dim) / np.sqrt((a * a).sum(dim) * (b * b).sum(dim))


def renorm(x: Array, p: float, axis: int, maxnorm: float) -> Array:
    slices = [s * min(1.0, maxnorm / vector_norm(s, p)) for s in np.moveaxis(x, axis, 0)]
    return np.moveaxis(np.array(slices), 0, axis)


CALLS: Calls = {
    "vector_norm": [
        call((3,)), call(()), call((2, 3), axis=0), call((2, 3, 2), axis=(0, -1), keepdims=True), call((0, 3), axis=0),
        call((2, 3), ord=1, axis=1), call((2, 3), ord=0), call((2, 3), ord=math.inf, axis=-1),
        call((2, 3), ord=-math.inf), call((2, 3), ord=3, axis=1), call((2, 3), ord=2.5), call((4,), ord=0.5),
        call((3,), ord=-1),
    ],
    "norm": [
        call((3,)), call((2, 3)), call((2, 3, 2), dim=(0, 1)), call((2, 3), dim=1, keepdim=True), call((4,), ord=3),
        call((2, 3), ord="fro"), call((3, 2), ord=1), call((3, 2), ord=-1, keepdim=True), call((2, 3), ord=math.inf),
        call((2, 3), ord=-math.inf), call((2, 3, 4), ord=1, dim=(2, 0)),
        call((2, 3, 2), ord=math.inf, dim=(0, 1), keepdim=True),
        call((2, 3), ord=2), call((2, 3), ord=-2), call((2, 3, 2), ord="nuc", dim=(-1, 0), keepdim=True),
    ],
    "dist": [call((3,), (3,)), call((2, 3), (3,), p=1), call((2, 3), (2, 3), p=math.inf), call((2, 3), (2, 1), p=3)],
    "cdist": [
        call((2, 3), (4, 3)), call((2, 2, 3), (3, 3), p=1.0), call((2, 3), (2, 3), p=math.inf),
        call((2, 3), (2, 3), p=2.5),
    ],
    "pdist": [call((3, 2)), call((4, 2), p=1.0), call((2, 3, 2), p=3.0)],
    "cosine_similarity": [call((2, 3), (2, 3)), call((2, 3), (2, 3), dim=0), call((2, 3), (3,), dim=-1)],
    "renorm": [
        call((2, 3), p=1, axis=0, maxnorm=1.2), call((2, 3, 2), p=2, axis=-2, maxnorm=1.5),
        call((3,), p=2, axis=0, maxnorm=0.9),
    ],
}  # fmt: skip
REFERENCES: References = {
    "vector_norm": vector_norm,
    "norm": norm,
    "dist": lambda a, b, p=2: vector_norm(a - b, p),
    "cdist": cdist,
    "pdist": pdist,
    "cosine_similarity": cosine,
    "renorm": renorm,
}
