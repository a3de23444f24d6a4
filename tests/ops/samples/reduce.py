"""Samples and references: reductions."""

from __future__ import annotations

import numpy as np
from ops.samples.sample import Calls, References, call

MASK = np.array([[True, False, True], [False, False, True]])
_axes = [
    call(()), call((2, 3)), call((2, 3), axis=0), call((2, 3, 4), axis=(0, -1)), call((2, 3), axis=1),
]  # fmt: skip
CALLS: Calls = {
    "sum": [
        call(()), call((2, 3)), call((2, 3), dim=0), call((2, 3), dim=-1, keepdim=True), call((0, 3)),
        call((2, 3, 4), dim=(0, 2)), call((2, 3, 4), dim=(2, -3), keepdim=True), call((0, 3), dim=0),
    ],
    "mean": [*_axes, call((2, 3, 4), axis=(0, -1), keep_dims=True)],
    "prod": [
        *_axes, call((2, 3, 2), axis=(2, 0), keep_dims=True), call((0, 3), axis=0), call((1, 2), axis=0),
        call(np.array([[1.5, 0.0, 2.0], [0.0, 0.0, 3.0]]), axis=1), call(np.array([0.0, 2.0, 3.0])),
    ],
    "amax": [*_axes, call((2, 3), axis=0, keepdims=True)],
    "amin": [*_axes, call((2, 3), axis=0, keepdims=True)],
    "all": [call(MASK), call(MASK, axis=0), call(np.array([[0, 2], [3, 4]]), axis=-1, keep_dims=True)],
    "any": [call(MASK), call(MASK, axis=0), call(np.array([[0, 0], [3, 4]]), axis=-1, keep_dims=True)],
    "argmax": [
        call((2, 3)), call((2, 3), dim=0), call(np.array([1.0, 3.0, 3.0])), call((2, 3), dim=-1, keepdim=True),
    ],
}  # fmt: skip
REFERENCES: References = {
    "sum": lambda x, dim=None, keepdim=False: x.sum(dim, keepdims=keepdim),
    "mean": lambda x, axis=None, keep_dims=False: x.mean(axis, keepdims=keep_dims),
    "prod": lambda x, axis=None, keep_dims=False: x.prod(axis, keepdims=keep_dims),
    "amax": lambda x, axis=None, keepdims=False: x.max(axis, keepdims=keepdims),
    "amin": lambda x, axis=None, keepdims=False: x.min(axis, keepdims=keepdims),
    "all": lambda x, axis=None, keep_dims=False: (x != 0).all(axis, keepdims=keep_dims),
    "any": lambda x, axis=None, keep_dims=False: (x != 0).any(axis, keepdims=keep_dims),
    "argmax": lambda x, dim=None, keepdim=False: np.argmax(x, dim, keepdims=keepdim),
}
NOT_DIFFERENTIABLE = {"all", "any", "argmax"}
