"""Kernels that take matrices apart, batches of them in the leading axes."""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy import ndarray

from ..texts import say
from .lapack import lapack, matrices, symmetric, transposed


def cholesky(input_x: ndarray) -> ndarray:
    """The lower triangular y with y · yᵀ = x, for a symmetric positive definite x."""
    return lapack("not_positive_definite", np.linalg.cholesky, symmetric(input_x))


def qr(input: ndarray, mode: str = "reduced") -> tuple[ndarray, ndarray]:
    """q with orthonormal columns and the upper triangular r with q · r = x.

    ``mode``: ``"reduced"``, or ``"complete"`` for a square q.
    """
    if mode not in ("reduced", "complete"):
        raise ValueError(say("errors.qr_mode", got=repr(mode)))
    q, r = lapack("no_convergence", np.linalg.qr, matrices(input), mode=mode)
    return q, r


def svd(input: ndarray, full_matrices: bool = False) -> tuple[ndarray, ndarray, ndarray]:
    """(s, u, v): the singular values, falling, and orthonormal columns with u · diag s · vᵀ = x."""
    u, s, vt = lapack("no_convergence", np.linalg.svd, matrices(input), full_matrices=full_matrices)
    return s, u, np.ascontiguousarray(transposed(vt))


def eigh(input: ndarray) -> tuple[ndarray, ndarray]:
    """(w, v) of a symmetric matrix: the eigenvalues, rising, and orthonormal eigenvectors as columns."""
    w, v = lapack("no_convergence", np.linalg.eigh, symmetric(input))
    return w, v


def distinct(values: ndarray, zero: bool = False) -> ndarray:
    """``values``, ordered along the last axis; ValueError where two are equal up to rounding, or one and ``zero``."""
    gaps = np.diff(values, append=np.zeros_like(values[..., :1])) if zero else np.diff(values)
    closest = np.abs(gaps).min(-1, initial=np.inf)
    if (closest <= 16 * np.finfo(values.dtype).eps * np.abs(values).max(-1, initial=0)).any():
        raise ValueError(say("errors.repeated_values"))
    return values


def pinv(x: ndarray, atol: float | None = None, rtol: float | None = None) -> ndarray:
    """The pseudo-inverse (Moore and Penrose): singular values above both bounds are inverted, others left out.

    ``rtol`` is relative to the largest; by default rounding times the longer side, or 0 where ``atol`` is given.
    """
    return lapack("no_convergence", partial(_pinv, atol=atol, rtol=rtol), matrices(x))


def _pinv(x: ndarray, atol: float | None, rtol: float | None) -> ndarray:
    u, s, vt = np.linalg.svd(x, full_matrices=False)
    if rtol is None:
        rtol = 0.0 if atol else max(x.shape[-2:]) * float(np.finfo(x.dtype).eps)
    kept = s > np.maximum(rtol * s.max(-1, initial=0, keepdims=True), atol or 0.0)
    inverted = np.divide(1, s, where=kept, out=np.zeros_like(s))
    return np.matmul(transposed(vt) * inverted[..., None, :], transposed(u))


def geqrf(input: ndarray) -> tuple[ndarray, ndarray]:
    """QR as LAPACK stores it: r, below it the vectors of the reflections whose product is q, and their factors."""
    packed, factors = lapack("no_convergence", np.linalg.qr, matrices(input), mode="raw")
    return np.ascontiguousarray(transposed(packed)), factors


def permutation_matrix(pivots: ndarray, size: int, dtype: np.dtype) -> ndarray:
    """The p with p · l · u = x, from the rows (counted from 1) that elimination exchanged step by step."""
    if pivots.dtype.kind not in "iu" or ((pivots < 1) | (pivots > size)).any():
        raise ValueError(say("errors.pivots", rows=size))
    order = np.broadcast_to(np.arange(size), (*pivots.shape[:-1], size)).copy()
    for step in range(pivots.shape[-1]):
        pair = np.stack(np.broadcast_arrays(step, pivots[..., step] - 1), -1)
        np.put_along_axis(order, pair, np.take_along_axis(order, pair[..., ::-1], -1), -1)
    return transposed(np.eye(size, dtype=dtype)[order]).copy()
