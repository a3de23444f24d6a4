"""Samples and references: reductions."""

from __future__ import annotations

import numpy as np
from ops.samples.sample import Calls, References, call
from scipy import special

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
    "mean_ext": [call((2, 3)), call((2, 3), axis=0, keep_dims=True)],
    "prod": [
        *_axes, call((2, 3, 2), axis=(2, 0), keep_dims=True), call((0, 3), axis=0), call((1, 2), axis=0),
        call(np.array([[1.5, 0.0, 2.0], [0.0, 0.0, 3.0]]), axis=1), call(np.array([0.0, 2.0, 3.0])),
    ],
    "logsumexp": [
        call((2, 3), dim=1), call((2, 3), dim=0, keepdim=True), call((2, 3, 2), dim=(0, -1)), call((3,), dim=()),
        call(np.array([[1000.0, 999.5], [-1000.0, -1001.0]]), dim=1),
    ],
    "all": [call(MASK), call(MASK, axis=0), call(np.array([[0, 2], [3, 4]]), axis=-1, keep_dims=True)],
    "any": [call(MASK), call(MASK, axis=0), call(np.array([[0, 0], [3, 4]]), axis=-1, keep_dims=True)],
    "nansum": [call((2, 3)), call((2, 3), axis=0, keepdims=True)],
    "nanmean": [call((2, 3)), call((2, 3), axis=0, keepdims=True)],
    "count_nonzero": [call(MASK, axis=1), call(np.array([[0.0, 2.0, 0.0]])), call(np.array([[0, 1]]), keep_dims=True)],
}  # fmt: skip
REFERENCES: References = {
    "sum": lambda x, dim=None, keepdim=False: x.sum(dim, keepdims=keepdim),
    "mean": lambda x, axis=None, keep_dims=False: x.mean(axis, keepdims=keep_dims),
    "mean_ext": lambda x, axis=None, keep_dims=False: x.mean(axis, keepdims=keep_dims),
    "prod": lambda x, axis=None, keep_dims=False: x.prod(axis, keepdims=keep_dims),
    "logsumexp": lambda x, dim, keepdim=False: special.logsumexp(x, None if dim == () else dim, keepdims=keepdim),
    "all": lambda x, axis=None, keep_dims=False: (x != 0).all(axis, keepdims=keep_dims),
    "any": lambda x, axis=None, keep_dims=False: (x != 0).any(axis, keepdims=keep_dims),
    "nansum": lambda x, axis=None, keepdims=False: np.nansum(x, axis, keepdims=keepdims),
    "nanmean": lambda x, axis=None, keepdims=False: np.nanmean(x, axis, keepdims=keepdims),
    "count_nonzero": lambda x, axis=None, keep_dims=False: np.int32(np.count_nonzero(x, axis, keepdims=keep_dims)),
}
NOT_DIFFERENTIABLE = {"all", "any", "count_nonzero"}
