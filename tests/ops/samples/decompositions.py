"""Samples and references: matrices taken apart. References check by their defining properties where signs are free."""

from __future__ import annotations

import numpy as np
import scipy.linalg
from ops.samples.linalg import BATCH, WELL
from ops.samples.sample import Array, Calls, References, call

SPD = np.array([[4.0, 1.0, 0.5], [1.0, 3.0, 0.25], [0.5, 0.25, 2.0]])
SPDS = np.stack([SPD, SPD @ SPD / 4])
SYMMETRIC = np.array([[1.0, 2.0, 0.5], [2.0, -1.0, 0.25], [0.5, 0.25, 0.75]])
TALL = np.array([[1.0, 4.0], [2.0, 5.0], [3.0, 7.0]])
PACKED, FACTORS = (np.ascontiguousarray(a) for a in scipy.linalg.qr(TALL, mode="raw")[0])
LU, SWAPS = scipy.linalg.lu_factor(np.array([[0.5, 2.0, 1.0], [2.0, 1.0, 0.25], [1.0, 4.0, 3.0]]))
PIVOTS = SWAPS.astype(np.int32) + 1


def factor(x: Array, upper: bool = False) -> Array:
    """Column by column."""
    y = np.zeros_like(x)
    for j in range(x.shape[-1]):
        y[..., j, j] = np.sqrt(x[..., j, j] - (y[..., j, :j] ** 2).sum(-1))
        for i in range(j + 1, x.shape[-1]):
            y[..., i, j] = (x[..., i, j] - (y[..., i, :j] * y[..., j, :j]).sum(-1)) / y[..., j, j]
    return np.swapaxes(y, -1, -2) if upper else y


def restored(y: Array, upper: bool) -> Array:
    y = np.triu(y).swapaxes(-1, -2) if upper else np.tril(y)
    return y @ y.swapaxes(-1, -2)


def orthonormal(x: Array, mode: str = "reduced") -> tuple[Array, Array]:
    """LAPACK's signs, matrix by matrix."""
    flat = x.reshape(-1, *x.shape[-2:])
    pairs = [scipy.linalg.qr(m, mode={"reduced": "economic", "complete": "full"}[mode]) for m in flat]
    q, r = (np.array(part) for part in zip(*pairs, strict=True))
    return q.reshape(*x.shape[:-2], *q.shape[1:]), r.reshape(*x.shape[:-2], *r.shape[1:])


def singular(x: Array, full_matrices: bool = False) -> tuple[Array, Array, Array]:
    u, s, vt = np.linalg.svd(x, full_matrices)
    return s, u, np.swapaxes(vt, -1, -2)


def eigen(x: Array) -> tuple[Array, Array]:
    w, v = np.linalg.eigh((x + np.swapaxes(x, -1, -2)) / 2)
    return w, v


def pseudo_inverse(x: Array, atol: float | None = None, rtol: float | None = None) -> Array:
    flat = [scipy.linalg.pinv(m, atol=atol, rtol=rtol) for m in x.reshape(-1, *x.shape[-2:])]
    return np.array(flat).reshape(*x.shape[:-2], *flat[0].shape)


def unpacked(lu: Array, pivots: Array, **_: bool) -> tuple[Array, Array, Array]:
    p = np.eye(lu.shape[-2])
    for i, j in enumerate(pivots):
        p[:, [i, j - 1]] = p[:, [j - 1, i]]
    size = min(lu.shape)
    return p, np.tril(lu, -1)[:, :size] + np.eye(lu.shape[0], size), np.triu(lu)[:size]


CALLS: Calls = {
    "cholesky": [call(SPD), call(SPDS), call(np.array([[4.0]])), call((0, 2, 2))],
    "cholesky_solve": [call((3, 2), np.tril(WELL)), call((3, 1), np.triu(WELL), upper=True), call((2, 3, 1), BATCH)],
    "cholesky_inverse": [call(np.tril(WELL)), call(WELL, upper=True)],
    "qr": [
        call(TALL), call(TALL.T.copy()), call(WELL), call(BATCH), call(WELL[:2] * 1.0, mode="complete"),
    ],
    "svd": [call(TALL), call(TALL.T.copy()), call(BATCH), call(WELL, full_matrices=True)],
    "eigh": [call(SYMMETRIC), call(SPDS)],
    "eigvalsh": [call(SYMMETRIC), call(SPDS)],
    "pinv": [call(TALL), call(TALL.T.copy()), call(BATCH), call(WELL, rtol=1e-3)],
    "lstsq": [call(TALL, (3, 2)), call(TALL, (3,)), call(TALL.T.copy(), (2, 1))],
    "geqrf": [call(TALL), call(WELL)],
    "orgqr": [call(PACKED, FACTORS), call(PACKED, FACTORS[:1])],
    "lu_unpack": [call(LU, PIVOTS), call(LU[:, :2].copy(), PIVOTS[:2]), call(LU[:2] * 1.0, np.array([2, 2]))],
    "lu_solve": [call((3, 2), LU, PIVOTS)],
}  # fmt: skip
REFERENCES: References = {
    "cholesky": factor,
    "cholesky_solve": lambda b, y, upper=False: np.linalg.inv(restored(y, upper)) @ b,
    "cholesky_inverse": lambda y, upper=False: np.linalg.inv(restored(y, upper)),
    "qr": orthonormal,
    "svd": singular,
    "eigh": eigen,
    "eigvalsh": lambda x: eigen(x)[0],
    "pinv": pseudo_inverse,
    "lstsq": lambda x, b: np.linalg.lstsq(x, b if b.ndim == 2 else b[:, None], rcond=None)[0],
    "geqrf": lambda x: scipy.linalg.qr(x, mode="raw")[0],
    "orgqr": lambda packed, factors: scipy.linalg.lapack.dorgqr(packed, factors)[0],
    "lu_unpack": unpacked,
    "lu_solve": lambda b, lu, pivots: scipy.linalg.lu_solve((lu, pivots - 1), b),
}
NOT_DIFFERENTIABLE = {"geqrf"}
