"""Kernels of square matrices, batches of them in the leading axes."""

from __future__ import annotations

from math import factorial

import numpy as np
from numpy import ndarray

from ..texts import say
from .lapack import lapack, matrices, square, transposed
from .reduce import prod_grad


def trace(x: ndarray, offset: int = 0, axis1: int = 0, axis2: int = 1) -> ndarray:
    """Sum along a diagonal, in x's dtype."""
    return np.asarray(np.trace(matrices(x), offset, axis1, axis2, x.dtype))


def det(x: ndarray) -> ndarray:
    """Determinant."""
    return lapack("singular", np.linalg.det, square(x))


def cofactor(x: ndarray) -> ndarray:
    """The derivative of the determinant by every element, right for singular matrices too.

    det x · x⁻ᵀ where there is an inverse. From x = u · diag s · vᵀ: u · diag(products of the other s) · vᵀ,
    with the sign of det u · det v.
    """
    u, s, vt = lapack("no_convergence", np.linalg.svd, square(x))
    others = prod_grad(np.sign(det(u) * det(vt)), s, -1)
    return np.matmul(u * others[..., None, :], vt)


def slogdet(x: ndarray) -> tuple[ndarray, ndarray]:
    """Sign and logarithm of the size of the determinant: (0, −inf) for a singular matrix."""
    sign, logabs = lapack("singular", np.linalg.slogdet, square(x))
    return sign, logabs


def log_det_slope(x: ndarray) -> ndarray:
    """x⁻ᵀ, the derivative of ln |det x|; ±inf where x is singular."""
    regular = np.asarray(slogdet(x)[0] != 0)
    if regular.all():
        return transposed(inverse(x))
    with np.errstate(divide="ignore", invalid="ignore"):
        slope = cofactor(x) / x.dtype.type(0)
    slope[regular] = transposed(inverse(x[regular]))
    return slope


def inverse(x: ndarray) -> ndarray:
    """The matrix whose product with x is the identity."""
    return lapack("singular", np.linalg.inv, square(x))


def matrix_solve(matrix: ndarray, rhs: ndarray, adjoint: bool = False) -> ndarray:
    """The x with matrix · x = rhs; ``adjoint``: with matrixᵀ · x = rhs. The columns of rhs are separate problems."""
    square(matrix)
    if rhs.ndim < 2 or rhs.shape[-2] != matrix.shape[-1]:
        raise ValueError(say("errors.right_hand_side", rows=matrix.shape[-1]))
    rhs = rhs.reshape((1,) * (matrix.ndim - rhs.ndim) + rhs.shape)  # NumPy 1 takes one axis less for vectors
    return lapack("singular", np.linalg.solve, transposed(matrix) if adjoint else matrix, rhs)


def triangular_solve(matrix: ndarray, rhs: ndarray, lower: bool = True, adjoint: bool = False) -> ndarray:
    """As ``matrix_solve`` with the lower (or upper) triangle of ``matrix``; the other triangle is not read."""
    return matrix_solve((np.tril if lower else np.triu)(square(matrix)), rhs, adjoint)


_PADE = [factorial(26 - k) // (factorial(13 - k) * factorial(k)) for k in range(14)]
_PADE_RANGE = 5.37  # up to this 1-norm the approximant is exact to double precision


def matrix_exp(input: ndarray) -> ndarray:
    """eˣ = Σ xᵏ / k!: halved until small, a Padé approximant of order 13, and squared again (Higham 2005)."""
    x = square(input)
    if x.dtype == np.float16:
        return matrix_exp(x.astype(np.float32)).astype(np.float16)
    norm = np.abs(x).sum(-2).max(-1, initial=0)
    with np.errstate(divide="ignore"):
        exponent = np.log2(np.where(np.isfinite(norm), norm, 0) / _PADE_RANGE)
    halvings = np.maximum(np.ceil(exponent), 0).astype(np.int32)[..., None, None]
    x = np.ldexp(x, -halvings)
    one, x2 = np.eye(x.shape[-1], dtype=x.dtype), x @ x
    x4, b = x2 @ x2, [x.dtype.type(c) for c in _PADE]
    x6 = x4 @ x2
    odd = x @ (x6 @ (b[13] * x6 + b[11] * x4 + b[9] * x2) + b[7] * x6 + b[5] * x4 + b[3] * x2 + b[1] * one)
    even = x6 @ (b[12] * x6 + b[10] * x4 + b[8] * x2) + b[6] * x6 + b[4] * x4 + b[2] * x2 + b[0] * one
    power = lapack("singular", np.linalg.solve, even - odd, even + odd)
    for k in range(halvings.max(initial=0)):
        power = np.where(k < halvings, power @ power, power)
    return power


def cross_axis(x: tuple[int, ...], y: tuple[int, ...], dim: int | None) -> int:
    """The axis of length 3, counted from the last: ``dim``, or the first that both shapes have."""
    ndim = max(len(x), len(y))
    if dim is None:
        dim = next((i for i in range(-ndim, 0) if all(len(s) >= -i and s[i] == 3 for s in (x, y))), 0)
    elif dim >= 0:
        dim -= ndim
    if dim >= 0 or any(len(s) < -dim or s[dim] != 3 for s in (x, y)):
        raise ValueError(say("errors.cross"))
    return dim


def cross(input: ndarray, other: ndarray, dim: int | None = None) -> ndarray:
    """Vector product along an axis of length 3, by default the first of both; the other axes broadcast."""
    axis = cross_axis(input.shape, other.shape, dim)
    first, second = np.broadcast_arrays(input, other)
    return np.cross(first, second, axis=axis)
