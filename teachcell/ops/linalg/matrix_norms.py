"""Norms of matrices, and how far a matrix is from a singular one."""

from __future__ import annotations

from typing import Any

from ...core.op import TENSORS as T
from ...core.public import public
from ...core.record import operand
from ...core.tensor import Tensor
from ...texts import say
from ..reductions.distance import norm
from .decompositions import svd


@public("matrix_norm")
def matrix_norm(
    A: Any, ord: Any = "fro", axis: tuple[int, int] = (-2, -1), keepdims: bool = False, *, dtype: Any = None
) -> Tensor:
    """Norm of the matrices in two axes: ``"fro"``, ``"nuc"``, ±2 (singular values), ±1 (columns) or ±inf (rows)."""
    if not isinstance(axis, (tuple, list)) or len(axis) != 2:
        raise ValueError(say("errors.matrix_norm_axes", got=axis))
    return norm(A, ord, tuple(axis), keepdims, dtype=dtype)


@public("cond")
def cond(A: Any, p: Any = None) -> Tensor:
    """Condition number: norm of the matrix times norm of its inverse, large where it is nearly singular.

    Args:
        A: (…, M, N); square unless p is None or ±2.
        p: the norm, see ``matrix_norm``; None is 2: the largest singular value divided by the smallest.
    """
    x = operand(A)
    if p in (None, 2, -2):
        s = svd(x, compute_uv=False)
        largest, smallest = s[..., 0], s[..., -1]
        return T.divide(smallest, largest) if p == -2 else T.divide(largest, smallest)
    return T.multiply(matrix_norm(x, p), matrix_norm(T.inverse(x), p))
