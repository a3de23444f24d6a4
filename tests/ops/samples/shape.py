"""Samples and references: shape, order, joining, indexing."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from ops.samples.sample import Array, Calls, References, adjoint, call

MASK = np.array([[True, False, True], [False, False, True]])
ONCE: list[Any] = [  # indices into (2, 3) that name no place twice
    1, -1, slice(None, None, -1), (Ellipsis, 0), (slice(0, 1), None), (slice(None), slice(None, None, 2)),
    (np.array([[1, 0]]), slice(1, None)), MASK, (slice(None), np.array([True, False, True])), (slice(1, 1),),
]  # fmt: skip
TWICE: list[Any] = [(np.array([0, 1, 1]),), (np.array([0, 0]), np.array([2, 2]))]
MASK = np.array([[True, False, True], [False, False, True]])


def flatten(x: Array, start_dim: int = 1, end_dim: int = -1) -> Array:
    if x.ndim < 2:
        return x.reshape(-1)
    end = end_dim % x.ndim + 1
    return x.reshape(*x.shape[:start_dim], math.prod(x.shape[start_dim:end]), *x.shape[end:])


def broadcast_to(x: Array, shape: tuple[int, ...]) -> Array:
    lead = len(shape) - x.ndim
    return np.array(np.broadcast_to(x, [x.shape[i - lead] if d == -1 else d for i, d in enumerate(shape)]))


def setitem(x: Array, value: Array, index: Any) -> Array:
    x = x.copy()
    x[index] = value
    return x


def put(g: Array, shape: tuple[int, ...], index: Any) -> Array:
    return adjoint(lambda x: x[index], shape, g)


CALLS: Calls = {
    "reshape": [
        call((2, 3), shape=(3, 2)), call((2, 3), shape=(-1,)), call((), shape=(1, 1)), call((0, 3), shape=(3, 0)),
    ],
    "expand_dims": [call((2, 3), axis=0), call((2, 3), axis=-1), call((), axis=0), call((2, 3), axis=-2)],
    "squeeze": [call((1, 3, 1)), call((1, 3, 1), axis=0), call((1, 3, 1), axis=(0, -1)), call(())],
    "flatten": [
        call((2, 3, 2)), call((2, 3, 2), start_dim=0), call((2, 3, 2, 2), start_dim=1, end_dim=2), call((3,)),
        call(()), call((0, 3, 2)),
    ],
    "transpose": [call((2, 3)), call((2, 3, 4), axes=(1, 2, 0)), call((2, 3, 4), axes=(-1, 0, 1)), call(())],
    "swapaxes": [call((2, 3, 4), axis0=0, axis1=-1), call((2, 3), axis0=1, axis1=0)],
    "broadcast_to": [
        call((3,), shape=(4, 3)), call((2, 1), shape=(2, 3)), call((), shape=(2,)), call((2, 1), shape=(4, -1, 3)),
        call((2, 1), shape=(2, 1)), call((), shape=()),
    ],
    "concat": [
        call((2, 3), (1, 3)), call((2, 3), (2, 1), (2, 2), axis=1), call((2, 0), (2, 2), axis=-1), call((2,)),
    ],
    "stack": [call((2, 3), (2, 3)), call((2,), (2,), (2,), axis=-1), call(())],
    "getitem": [call((2, 3), index=i) for i in [*ONCE, *TWICE]],
    "put": [call(np.empty((2, 3))[i].shape, shape=(2, 3), index=i) for i in [*ONCE, *TWICE]],
    "setitem": [
        *[call((2, 3), np.empty((2, 3))[i].shape, index=i) for i in ONCE], call((2, 3), (), index=0),
        *[call((2, 3), np.empty((2, 3))[i].shape, index=i) for i in TWICE],
        call((2, 3), (1,), index=(slice(None), 1)), call((2, 3), (1, 3), index=slice(None)), call((), (), index=()),
    ],
}  # fmt: skip
REFERENCES: References = {
    "reshape": lambda x, shape: x.reshape(shape),
    "expand_dims": lambda x, axis: np.expand_dims(x, axis),
    "squeeze": lambda x, axis=None: np.squeeze(x, axis),
    "flatten": flatten,
    "transpose": lambda x, axes=None: np.transpose(x, axes),
    "swapaxes": lambda x, axis0, axis1: np.swapaxes(x, axis0, axis1),
    "broadcast_to": broadcast_to,
    "concat": lambda *xs, axis=0: np.concatenate(xs, axis),
    "stack": lambda *xs, axis=0: np.stack(xs, axis),
    "getitem": lambda x, index: x[index],
    "put": put,
    "setitem": setitem,
}
