"""Samples and references: products of matrices."""

from __future__ import annotations

import numpy as np
from ops.samples.sample import Array, Calls, References, call


def matmul(x: Array, y: Array, transpose_a: bool = False, transpose_b: bool = False) -> Array:
    left, right = x.ndim == 1, y.ndim == 1
    x = x[None] if left else np.swapaxes(x, -1, -2) if transpose_a else x
    y = y[:, None] if right else np.swapaxes(y, -1, -2) if transpose_b else y
    out = (x[..., :, :, None] * y[..., None, :, :]).sum(-2)
    out = out[..., 0] if right else out
    return out[..., 0] if left and right else out[..., 0, :] if left else out


CALLS: Calls = {
    "matmul": [
        call((3,), (3,)), call((3,), (3, 2)), call((2, 3), (3,)), call((2, 3), (3, 4)), call((0, 3), (3, 2)),
        call((3, 2), (3, 4), transpose_a=True), call((2, 3), (4, 3), transpose_b=True),
        call((3, 2), (4, 3), transpose_a=True, transpose_b=True), call((4, 2, 3), (3, 2)),
        call((4, 2, 3), (4, 3, 2)), call((2, 1, 2, 3), (4, 3, 2)), call((3,), (4, 3, 2)), call((4, 2, 3), (3,)),
        call((2, 3), (4, 3, 2)), call((4, 3, 2), (3, 2), transpose_a=True), call((3,), (3,), transpose_a=True),
        call((4, 2, 3), (2, 3), transpose_b=True), call((4, 2, 3), (1, 2, 3), transpose_b=True),
        call((3,), (2, 3), transpose_b=True), call((3, 2), (3,), transpose_a=True),
    ],
    "bias_add": [
        call((2, 3), (3,)), call((2, 3, 4), (3,)), call((2, 3, 4), (4,), axis=-1), call((2, 3), (2,), axis=0),
    ],
}  # fmt: skip
REFERENCES: References = {
    "matmul": matmul,
    "bias_add": lambda x, b, axis=1: np.moveaxis(np.moveaxis(x, axis, -1) + b, -1, axis),
}
