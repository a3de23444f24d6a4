"""Samples and references: products of matrices, sums of products."""

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


def batch_dot(x1: Array, x2: Array, axes: int | tuple[int, int] | None = None) -> Array:
    if axes is None:
        axes = -1, (-1 if x2.ndim == 2 else -2)
    a, b = (axes, axes) if isinstance(axes, int) else axes
    each = [np.tensordot(p, q, ((a % x1.ndim - 1,), (b % x2.ndim - 1,))) for p, q in zip(x1, x2, strict=True)]
    return np.array(each).reshape(-1, 1) if x1.ndim == x2.ndim == 2 else np.array(each)


CALLS: Calls = {
    "matmul": [
        call((3,), (3,)), call((3,), (3, 2)), call((2, 3), (3,)), call((2, 3), (3, 4)), call((0, 3), (3, 2)),
        call((3, 2), (3, 4), transpose_a=True), call((2, 3), (4, 3), transpose_b=True),
        call((3, 2), (4, 3), transpose_a=True, transpose_b=True), call((4, 2, 3), (3, 2)),
        call((4, 2, 3), (4, 3, 2)), call((2, 1, 2, 3), (4, 3, 2)), call((3,), (4, 3, 2)), call((4, 2, 3), (3,)),
        call((2, 3), (4, 3, 2)), call((4, 3, 2), (3, 2), transpose_a=True), call((3,), (3,), transpose_a=True),
        call((4, 2, 3), (2, 3), transpose_b=True), call((4, 2, 3), (1, 2, 3), transpose_b=True),
        call((3,), (2, 3), transpose_b=True), call((3, 2), (3,), transpose_a=True),
        call((2, 3, 3), (0, 3), transpose_b=True),
    ],
    "bias_add": [
        call((2, 3), (3,)), call((2, 3, 4), (3,)), call((2, 3, 4), (4,), axis=-1), call((2, 3), (2,), axis=0),
    ],
    "outer": [call((2,), (3,)), call((2, 2), (3,)), call((), (2,)), call((0,), (2,))],
    "mm": [call((2, 3), (3, 4))],
    "mv": [call((2, 3), (3,))],
    "bmm": [call((2, 1, 3), (2, 3, 2))],
    "dot": [
        call((3,), (3,)), call((2, 3), (3,)), call((2, 3), (3, 2)), call((2, 3), (2, 3, 2)), call((), (2,)),
        call((2, 1, 3), (3,)),
    ],
    "inner": [
        call((3,), (3,)), call((2, 3), (3,)), call((3,), (2, 3)), call((2, 3), (2, 2, 3)), call((2, 1, 3), (2, 3)),
        call((2,), ()),
    ],
    "vecdot": [call((2, 3), (2, 3)), call((2, 1, 3), (2, 3)), call((3, 2), (3, 2), axis=0)],
    "kron": [call((2, 3), (2, 2)), call((2,), (3,)), call((2, 2, 3), (2, 2)), call((), (2,)), call((2,), (1, 3))],
    "addmm": [call((2, 2), (2, 3), (3, 2)), call((2,), (2, 3), (3, 2), beta=0.5, alpha=-2.0)],
    "addmv": [call((2,), (2, 3), (3,)), call((), (2, 3), (3,), beta=2, alpha=3)],
    "addr": [call((2, 3), (2,), (3,)), call((3,), (2,), (3,), beta=0.5, alpha=2)],
    "baddbmm": [call((2, 2, 2), (2, 2, 3), (2, 3, 2)), call((2,), (2, 1, 3), (2, 3, 2), beta=0, alpha=2)],
    "addbmm": [call((2, 2), (3, 2, 2), (3, 2, 2)), call((2,), (2, 1, 3), (2, 3, 2), beta=0.5, alpha=2)],
    "dense": [call((2, 3), (4, 3)), call((2, 2, 3), (4, 3), (4,)), call((3,), (3,), ()), call((2, 3), (4, 3), ())],
    "bidense": [call((2, 3), (2, 2), (4, 3, 2)), call((3,), (2,), (4, 3, 2), (4,)), call((2, 2, 3), (2, 2), (1, 3, 2))],
    "tensor_dot": [
        call((2, 3), (3, 2), axes=1), call((2, 3), (2,), axes=0), call((2, 3, 2), (3, 2, 2), axes=((1, -1), (0, 2))),
        call((2, 3), (3, 2), axes=(1, 0)), call((2, 2), (2, 2), axes=2), call((2, 3), (2, 3), axes=([0], [0])),
    ],
    "batch_dot": [
        call((2, 3), (2, 3)), call((2, 2, 3), (2, 3, 2)), call((2, 3), (2, 3, 2)), call((2, 2, 3), (2, 3)),
        call((2, 3, 2), (2, 3, 2), axes=1), call((2, 2, 3), (2, 3, 2), axes=(-1, -2)),
        call((2, 3, 2, 1), (2, 2, 2), axes=(2, 1)),
    ],
    "einsum": [
        call((2, 3), (3, 2), equation="ij,jk->ik"), call((2, 3), equation="ij -> ji"), call((3, 3), equation="ii"),
        call((3, 3), equation="ii->i"), call((2, 2, 3), equation="iij->j"), call((2, 3), (2, 3), equation="ij,ij"),
        call((2, 3), equation="ij->"), call((2, 3), (2,), equation="ij,k->k"), call((2, 3), equation="ba"),
        call((2, 2, 3), (3, 2), equation="...ij,jk"), call((1, 3), (2, 3), equation="...i,...i->..."),
        call((2,), (2, 3), (3,), equation="i,ij,j->"), call((2, 3), (3,), equation="...,...->..."),
        call((1, 3), (2, 3), equation="ai,ai->i"), call((2, 1, 3), (4, 3, 2), equation="b...,...b->..."),
        call((2, 3), (2, 3), (2, 3), equation="ij,ij,ij->j"), call((0, 3), (3, 2), equation="ij,jk->ik"),
        call((), (2,), equation=",i->i"), call((2, 2), (2,), equation="ii,i->i"),
    ],
}  # fmt: skip
SEQUENCES = {"einsum"}
REFERENCES: References = {
    "matmul": matmul,
    "bias_add": lambda x, b, axis=1: np.moveaxis(np.moveaxis(x, axis, -1) + b, -1, axis),
    "outer": np.outer,
    "mm": matmul,
    "mv": matmul,
    "bmm": matmul,
    "dot": np.dot,
    "inner": np.inner,
    "vecdot": lambda x, y, axis=-1: (x * y).sum(axis),
    "kron": np.kron,
    "addmm": lambda x, a, b, beta=1, alpha=1: beta * x + alpha * matmul(a, b),
    "addmv": lambda x, a, b, beta=1, alpha=1: beta * x + alpha * matmul(a, b),
    "addr": lambda x, a, b, beta=1, alpha=1: beta * x + alpha * np.outer(a, b),
    "baddbmm": lambda x, a, b, beta=1, alpha=1: beta * x + alpha * matmul(a, b),
    "addbmm": lambda x, a, b, beta=1, alpha=1: beta * x + alpha * matmul(a, b).sum(0),
    "dense": lambda x, w, b=0.0: matmul(x, w.T) + b,
    "bidense": lambda x, y, w, b=0.0: np.stack([(x @ m * y).sum(-1) for m in w], -1) + b,
    "tensor_dot": lambda x, y, axes: np.tensordot(x, y, axes),
    "batch_dot": batch_dot,
    "einsum": lambda *xs, equation: np.einsum(equation, *xs),
}
