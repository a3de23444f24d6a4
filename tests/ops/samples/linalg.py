"""Samples and references: square matrices."""

from __future__ import annotations

import numpy as np
from ops.samples.sample import Array, Calls, References, call

WELL = np.array([[3.0, 0.5, -1.0], [0.25, 2.0, 0.75], [-0.5, 1.0, 4.0]])
TURNED = np.array([[0.5, 2.0, 1.0], [-1.5, 0.25, 1.0], [1.0, 0.75, -2.0]])  # its determinant is negative
BATCH = np.stack([WELL, TURNED])
RANK_TWO = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]]) / 4
RANK_ONE = np.outer([1.0, 2.0, -1.0], [0.5, 1.0, 2.0])


def determinant(x: Array) -> Array:
    """Along the first row."""
    n = x.shape[-1]
    if n == 0:
        return np.ones(x.shape[:-2])
    rest = [np.delete(x[..., 1:, :], j, -1) for j in range(n)]
    return sum(((-1) ** j * x[..., 0, j] * determinant(r) for j, r in enumerate(rest)), np.zeros(x.shape[:-2]))


def system(x: Array, b: Array, adjoint: bool = False) -> Array:
    return np.linalg.inv(np.swapaxes(x, -1, -2) if adjoint else x) @ b


def triangular(x: Array, b: Array, lower: bool = True, adjoint: bool = False) -> Array:
    return system(np.tril(x) if lower else np.triu(x), b, adjoint)


def exponential(x: Array) -> Array:
    """By its series."""
    total = term = np.broadcast_to(np.eye(x.shape[-1]), x.shape)
    for k in range(1, 60):
        term = term @ x / k
        total = total + term
    return total


CALLS: Calls = {
    "trace": [
        call((3, 3)), call((2, 3)), call((2, 3), offset=1), call((2, 3, 2), axis1=2, axis2=1, offset=-1),
        call((0, 0)),
    ],
    "det": [call((3, 3)), call(RANK_TWO), call(RANK_ONE), call(BATCH), call((1, 1)), call((0, 2, 2)), call((0, 0))],
    "slogdet": [call(WELL), call(TURNED), call(BATCH), call((0, 2, 2))],
    "logdet": [call(WELL), call(np.stack([WELL, WELL.T @ WELL]))],
    "inverse": [call(WELL), call(BATCH), call(np.array([[4.0]])), call((0, 2, 2))],
    "matrix_solve": [
        call(WELL, (3, 2)), call(TURNED, (3, 1), adjoint=True), call(BATCH, (2, 3, 2)), call(BATCH, (3, 1)),
        call(WELL, (2, 3, 1), adjoint=True),
    ],
    "triangular_solve": [
        call(WELL, (3, 2)), call(WELL, (3, 2), lower=False), call(BATCH, (3, 1), adjoint=True),
        call(WELL, (2, 3, 2), lower=False, adjoint=True),
    ],
    "matrix_power": [
        call((2, 2), n=1), call((2, 2), n=3), call((2, 2, 2), n=6), call(WELL, n=-1), call(WELL, n=-2),
        call((2, 2), n=0),
    ],
    "matrix_exp": [call((2, 2)), call((2, 2, 2)), call(WELL * 2), call(np.zeros((2, 2))), call((0, 2, 2))],
    "matrix_norm": [
        call(WELL), call(BATCH, ord="nuc"), call((2, 3), ord=2), call((2, 3), ord=-2, keepdims=True),
        call((2, 3, 2), ord=1, axis=(0, 1)), call((2, 3), ord=-1), call((2, 3), ord=np.inf), call((2, 3), ord=-np.inf),
    ],
    "cond": [call(WELL), call((3, 2)), call(BATCH, p=-2), call(BATCH, p="fro"), call(WELL, p=1), call(WELL, p=np.inf)],
    "cross": [
        call((3,), (3,)), call((2, 3), (2, 3)), call((3, 2), (3, 2)), call((2, 3), (3,)), call((3, 3), (3, 3), dim=1),
        call((2, 1, 3), (4, 3), dim=-1),
    ],
}  # fmt: skip
REFERENCES: References = {
    "trace": lambda x, offset=0, axis1=0, axis2=1: np.diagonal(x, offset, axis1, axis2).sum(-1),
    "det": determinant,
    "slogdet": lambda x: (np.sign(determinant(x)), np.log(np.abs(determinant(x)))),
    "logdet": lambda x: np.log(determinant(x)),
    "inverse": np.linalg.inv,
    "matrix_solve": system,
    "triangular_solve": triangular,
    "matrix_power": np.linalg.matrix_power,
    "matrix_exp": exponential,
    "matrix_norm": lambda x, ord="fro", axis=(-2, -1), keepdims=False: np.linalg.norm(x, ord, axis, keepdims),
    "cond": np.linalg.cond,
    "cross": lambda x, y, dim=None: np.cross(x, y, axis=dim if dim is not None else 0 if x.shape == (3, 2) else -1),
}
