"""Samples and references: other shapes, orders and copies of the same elements."""

from __future__ import annotations

import itertools
import math

import numpy as np
from ops.samples.sample import Array, Calls, References, call


def flatten_axes(x: Array, start_dim: int = 1, end_dim: int = -1) -> Array:
    if x.ndim < 2:
        return x.reshape(-1)
    end = end_dim % x.ndim + 1
    return x.reshape(*x.shape[:start_dim], math.prod(x.shape[start_dim:end]), *x.shape[end:])


def broadcast_to(x: Array, shape: tuple[int, ...]) -> Array:
    lead = len(shape) - x.ndim
    return np.array(np.broadcast_to(x, [x.shape[i - lead] if d == -1 else d for i, d in enumerate(shape)]))


def roll(x: Array, shifts: int | tuple[int, ...], dims: int | tuple[int, ...] | None = None) -> Array:
    if dims is None:
        flat = x.ravel()
        return np.array([flat[(i - shifts) % flat.size] for i in range(flat.size)]).reshape(x.shape)
    pairs = [(shifts, dims)] if isinstance(dims, int) else zip(shifts, dims, strict=True)  # type: ignore[arg-type]
    for shift, axis in pairs:
        x = x.take((np.arange(x.shape[axis]) - shift) % x.shape[axis], axis)
    return x


def flip(x: Array, dims: int | tuple[int, ...]) -> Array:
    for axis in (dims,) if isinstance(dims, int) else dims:
        x = x.take(np.arange(x.shape[axis])[::-1], axis)
    return x


def tile(x: Array, dims: tuple[int, ...]) -> Array:
    n = max(x.ndim, len(dims))
    shape, dims = (1,) * (n - x.ndim) + x.shape, (1,) * (n - len(dims)) + tuple(dims)
    out = np.empty([a * b for a, b in zip(shape, dims, strict=True)])
    for place in itertools.product(*map(range, out.shape)):
        out[place] = x.reshape(shape)[tuple(i % d for i, d in zip(place, shape, strict=True))]
    return out


def meshgrid(*xs: Array, indexing: str = "xy") -> tuple[Array, ...]:
    return tuple(np.array(g) for g in np.meshgrid(*xs, indexing=indexing))  # type: ignore[call-overload]


def block_diag(*blocks: Array) -> Array:
    matrices = [b.reshape(1, -1) if b.ndim < 2 else b for b in blocks]
    out = np.zeros(np.sum([m.shape for m in matrices], 0))
    top = left = 0
    for m in matrices:
        out[top : top + m.shape[0], left : left + m.shape[1]] = m
        top, left = top + m.shape[0], left + m.shape[1]
    return out


_expanded = [
    call((3,), shape=(4, 3)), call((2, 1), shape=(2, 3)), call((), shape=(2,)), call((2, 1), shape=(4, -1, 3)),
    call((2, 1), shape=(2, 1)), call((), shape=()),
]  # fmt: skip
CALLS: Calls = {
    "reshape": [
        call((2, 3), shape=(3, 2)), call((2, 3), shape=(-1,)), call((), shape=(1, 1)), call((0, 3), shape=(3, 0)),
    ],
    "expand_dims": [call((2, 3), axis=0), call((2, 3), axis=-1), call((), axis=0), call((2, 3), axis=-2)],
    "unsqueeze": [call((2, 3), dim=1)],
    "squeeze": [
        call((1, 3, 1)), call((1, 3, 1), axis=0), call((1, 3, 1), axis=(0, -1)), call(()), call((1, 2), axis=()),
    ],
    "flatten_axes": [
        call((2, 3, 2)), call((2, 3, 2), start_dim=0), call((2, 3, 2, 2), start_dim=1, end_dim=2), call((3,)),
        call(()), call((0, 3, 2)),
    ],
    "flatten": [call((2, 3, 2)), call((2, 3, 2), order="F"), call((2, 3), order="F", start_dim=0), call((3,))],
    "ravel": [call((2, 3)), call(())],
    "atleast_1d": [call(()), call((2, 3))],
    "atleast_2d": [call(()), call((3,)), call((2, 1, 3))],
    "atleast_3d": [call(()), call((3,)), call((2, 3)), call((2, 1, 3, 1))],
    "transpose": [call((2, 3)), call((2, 3, 4), dims=(1, 2, 0)), call((2, 3, 4), dims=(-1, 0, 1)), call(())],
    "permute": [call((2, 3, 4), axis=(1, 2, 0))],
    "swapaxes": [call((2, 3, 4), axis0=0, axis1=-1), call((2, 3), axis0=1, axis1=0)],
    "swapdims": [call((2, 3, 4), dim0=0, dim1=-1)],
    "movedim": [call((2, 3, 4), source=0, destination=-1), call((2, 3, 4, 1), source=(3, 0), destination=(0, 2))],
    "t": [call((2, 3)), call((3,)), call((2, 1, 3))],
    "adjoint": [call((2, 3)), call((2, 1, 3))],
    "flip": [call((2, 3), dims=0), call((2, 3, 2), dims=(0, -1)), call((0, 3), dims=(1,))],
    "fliplr": [call((2, 3))],
    "flipud": [call((2, 3)), call((3,))],
    "roll": [
        call((2, 3), shifts=2), call((2, 3), shifts=-1, dims=1), call((2, 3), shifts=(1, -2), dims=(0, 1)),
        call((3,), shifts=4),
    ],
    "rot90": [call((2, 3), k=k, dims=dims) for k in (-1, 0, 1, 2, 3) for dims in ((0, 1), (1, 0))],
    "broadcast_to": _expanded,
    "expand": [call(*given, size=attrs["shape"]) for given, attrs in _expanded],
    "tile": [
        call((2, 3), dims=(2, 1)), call((3,), dims=(2, 2)), call((2, 3), dims=(2,)), call((), dims=(3,)),
        call((2, 1), dims=(1, 0)), call((2, 3, 1), dims=(1, 2, 3)),
    ],
    "repeat_interleave": [
        call((2, 3), repeats=2), call((2, 3), repeats=2, axis=0), call((2, 3), repeats=[1, 0, 2], axis=-1),
        call((3,), repeats=np.array([2, 1, 0]), axis=0),
    ],
    "repeat_elements": [call((2, 3), rep=2, axis=1), call((3,), rep=3)],
    "concat": [
        call((2, 3), (1, 3)), call((2, 3), (2, 1), (2, 2), axis=1), call((2, 0), (2, 2), axis=-1), call((2,)),
    ],
    "stack": [call((2, 3), (2, 3)), call((2,), (2,), (2,), axis=-1), call(())],
    "hstack": [call((2,), (3,)), call((2, 1), (2, 3)), call((), ())],
    "vstack": [call((2,), (2,)), call((2, 2), (1, 2)), call((3, 2, 1), (1, 2, 1))],
    "dstack": [call((2,), (2,)), call((2, 2), (2, 2)), call((2, 1, 2), (2, 1, 1))],
    "column_stack": [call((2,), (2, 2)), call((2, 1), (2, 3))],
    "block_diag": [call((2, 2), (1, 3)), call((2,), (), (2, 1)), call((2, 0), (1, 1))],
    "meshgrid": [call((2,), (3,)), call((2,), (3,), indexing="ij"), call((2,), (3,), (1,)), call((2,))],
    "cartesian_prod": [call((2,), (3,)), call((2,), (1,), (2,)), call((3,))],
    "combinations": [call((3,)), call((3,), r=3, with_replacement=True), call((2,), r=3), call((4,), r=1)],
}  # fmt: skip
REFERENCES: References = {
    "reshape": lambda x, shape: x.reshape(shape),
    "expand_dims": lambda x, axis: np.expand_dims(x, axis),
    "unsqueeze": lambda x, dim: np.expand_dims(x, dim),
    "squeeze": lambda x, axis=None: np.squeeze(x, axis or (axis if isinstance(axis, int) else None)),
    "flatten_axes": flatten_axes,
    "flatten": lambda x, order="C", **k: flatten_axes(x.T if order == "F" else x, **k),
    "ravel": lambda x: x.reshape(-1),
    "atleast_1d": np.atleast_1d,
    "atleast_2d": np.atleast_2d,
    "atleast_3d": np.atleast_3d,
    "transpose": lambda x, dims=None: np.transpose(x, dims),
    "permute": lambda x, axis: np.transpose(x, axis),
    "swapaxes": lambda x, axis0, axis1: np.swapaxes(x, axis0, axis1),
    "swapdims": lambda x, dim0, dim1: np.swapaxes(x, dim0, dim1),
    "movedim": lambda x, source, destination: np.moveaxis(x, source, destination),
    "t": lambda x: x.T if x.ndim == 2 else x,
    "adjoint": lambda x: np.swapaxes(x, -1, -2),
    "flip": flip,
    "fliplr": lambda x: flip(x, 1),
    "flipud": lambda x: flip(x, 0),
    "roll": roll,
    "rot90": lambda x, k, dims: np.rot90(x, k, dims),
    "broadcast_to": broadcast_to,
    "expand": lambda x, size: broadcast_to(x, size),
    "tile": tile,
    "repeat_interleave": lambda x, repeats, axis=None: np.repeat(x, repeats, axis),
    "repeat_elements": lambda x, rep, axis=0: np.repeat(x, rep, axis),
    "concat": lambda *xs, axis=0: np.concatenate(xs, axis),
    "stack": lambda *xs, axis=0: np.stack(xs, axis),
    "hstack": lambda *xs: np.hstack(xs),
    "vstack": lambda *xs: np.vstack(xs),
    "dstack": lambda *xs: np.dstack(xs),
    "column_stack": lambda *xs: np.column_stack(xs),
    "block_diag": block_diag,
    "meshgrid": meshgrid,
    "cartesian_prod": lambda *xs: np.array(list(itertools.product(*xs))),
    "combinations": lambda x, r=2, with_replacement=False: np.array(
        list((itertools.combinations_with_replacement if with_replacement else itertools.combinations)(x, r))
    ).reshape(-1, r),
}
SEQUENCES = {"column_stack", "dstack", "hstack", "vstack"}
TESTED_ELSEWHERE = {"expand_as", "view_as"}
