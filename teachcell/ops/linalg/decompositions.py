"""Matrices taken apart: Cholesky, QR, singular values, eigenvalues, LU; and least squares."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.define import define, pair
from ...core.op import TENSORS as T
from ...core.public import public
from ...core.record import float_operand, operand
from ...core.tensor import Tensor, wrap
from ...kernels import decompositions as K
from ...texts import say
from .square import triangle


def _transposed(F: Any, x: Any) -> Any:
    return F.swapaxes(x, -1, -2)


def _symmetric(F: Any, x: Any) -> Any:
    return F.scale(F.add(x, _transposed(F, x)), 0.5)


# Cholesky -------------------------------------------------------------------------------------------------------


def _cholesky_rule(F: Any, g: Any, out: Any, x: Any) -> Any:
    """The symmetric part of y⁻ᵀ · Φ(yᵀ · g) · y⁻¹, Φ being the lower triangle with half the diagonal."""
    product = F.matmul(out, g, True, False)
    weights = np.tri(x.shape[-1]) - 0.5 * np.eye(x.shape[-1])
    inner = F.multiply(product, F.cast_like(F.constant(weights), product))
    for _ in range(2):
        inner = _transposed(F, F.triangular_solve(out, inner, True, True))
    return _symmetric(F, inner)


cholesky_op = define(
    "cholesky", K.cholesky, (_cholesky_rule,), keeps="output", floats=(0,), public=False, source="Murray 2016",
    card=("y · yᵀ = x", "∂x = {symmetric_part} y⁻ᵀ · Φ(yᵀ · g) · y⁻¹ {lower_half}"),
)  # fmt: skip


@public("cholesky", methods=("cholesky",), primitive="Cholesky", init=("upper",))
def cholesky(input_x: Any, upper: bool = False) -> Tensor:
    """The lower triangular y with y · yᵀ = x (or with ``upper`` its transpose), for x symmetric positive definite."""
    y = cholesky_op(input_x)
    return T.swapaxes(y, -1, -2) if upper else y


@public("cholesky_solve", methods=("cholesky_solve",), primitive="CholeskySolve", init=("upper",))
def cholesky_solve(input: Any, input2: Any, upper: bool = False) -> Tensor:
    """The x with a · x = input, where ``input2`` is a's Cholesky factor."""
    half = T.triangular_solve(input2, input, not upper, upper)
    return T.triangular_solve(input2, half, not upper, not upper)


@public("cholesky_inverse", methods=("cholesky_inverse",), primitive="CholeskyInverse", init=("upper",))
def cholesky_inverse(input_x: Any, upper: bool = False) -> Tensor:
    """The inverse of the matrix whose Cholesky factor is ``input_x``."""
    factor = operand(input_x)
    one = np.eye(factor.shape[-1] if factor.ndim else 1, dtype=factor._array.dtype)
    return cholesky_solve(wrap(one), factor, upper)


# QR -------------------------------------------------------------------------------------------------------------


def _qr_rule(F: Any, gs: Any, out: Any, x: Any, mode: str = "reduced") -> Any:
    (q, r), (rows, columns) = out, x.shape[-2:]
    if mode == "complete" and rows > columns:
        raise ValueError(say("errors.qr_complete"))
    of_q = F.zeros_like(q) if gs[0] is None else gs[0]
    of_r = F.zeros_like(r) if gs[1] is None else gs[1]
    if rows >= columns:
        return _tall_qr_rule(F, of_q, of_r, q, r)
    # the first columns make q; the others are only seen through it: r's own part is qᵀ · x there
    first, others = (..., slice(rows)), (..., slice(rows, None))
    of_q = F.add(of_q, F.matmul(F.getitem(x, others), F.getitem(of_r, others), False, True))
    square = _tall_qr_rule(F, of_q, F.getitem(of_r, first), q, F.getitem(r, first))
    return F.add(F.put(square, x.shape, first), F.put(F.matmul(q, F.getitem(of_r, others)), x.shape, others))


def _tall_qr_rule(F: Any, of_q: Any, of_r: Any, q: Any, r: Any) -> Any:
    m = F.subtract(F.matmul(r, of_r, False, True), F.matmul(of_q, q, True, False))
    mirrored = F.add(triangle(F, m), _transposed(F, triangle(F, m, True, -1)))
    inner = F.add(of_q, F.matmul(q, mirrored))
    return _transposed(F, F.triangular_solve(r, _transposed(F, inner), False))


qr = define(
    "qr", K.qr, (_qr_rule,), outputs=2, keeps="inputs output", floats=(0,), source="Walter & Lehmann 2010",
    card=("q · r = x", "∂x = (∂q + q · L(r · ∂rᵀ − ∂qᵀ · q)) · r⁻ᵀ {mirrored}"),
)  # fmt: skip


@public(primitive="Qr", init=("full_matrices",))
def _qr_class(x: Any, full_matrices: bool = False) -> tuple[Tensor, Tensor]:
    """QR decomposition, with a square q if ``full_matrices``."""
    return qr(x, mode="complete" if full_matrices else "reduced")


@public(methods=("qr",))
def _qr_method(self: Tensor, some: bool = True) -> tuple[Tensor, Tensor]:
    """QR decomposition, with a square q unless ``some``."""
    return qr(self, mode="reduced" if some else "complete")


# Singular values and eigenvalues --------------------------------------------------------------------------------

pair("distinct", K.distinct, lambda values, zero=False: (K.distinct(values._array, zero), values)[1])


def _row(F: Any, values: Any) -> Any:
    return F.reshape(values, (*values.shape[:-1], 1, values.shape[-1]))


def _column(F: Any, values: Any) -> Any:
    return F.reshape(values, (*values.shape, 1))


def _inverse_gaps(F: Any, values: Any) -> Any:
    """1 / (valueⱼ − valueᵢ) at i, j; 0 on the diagonal. Where two values are equal, their vectors are not unique."""
    same = np.eye(values.shape[-1], dtype=bool)
    gaps = F.subtract(_row(F, values), _column(F, values))
    one, others = (F.cast_like(F.constant(mask), values) for mask in (same, ~same))
    return F.divide(others, F.add(gaps, one))


def _svd_rule(F: Any, gs: Any, out: Any, x: Any, full_matrices: bool = False) -> Any:
    (of_s, of_u, of_v), (s, u, v), (rows, columns) = gs, out, x.shape[-2:]
    if full_matrices and rows != columns:
        if of_u is not None or of_v is not None:
            raise ValueError(say("errors.svd_full"))
        u, v = (F.getitem(t, (..., slice(min(rows, columns)))) for t in (u, v))
    parts = [] if of_s is None else [F.matmul(F.multiply(u, _row(F, of_s)), v, False, True)]
    if of_u is not None or of_v is not None:
        s = F.distinct(s, rows != columns)
        gaps = _inverse_gaps(F, F.multiply(s, s))
        if of_u is not None:
            parts.append(F.matmul(_of_vectors(F, of_u, u, s, gaps), v, False, True))
        if of_v is not None:
            parts.append(F.matmul(u, _of_vectors(F, of_v, v, s, gaps), False, True))
    return _sum(F, parts)


def _of_vectors(F: Any, g: Any, u: Any, s: Any, gaps: Any) -> Any:
    """What turns u, times vᵀ: within u's columns by the gaps, out of their space by 1 / s."""
    inside = F.matmul(u, g, True, False)
    turned = F.multiply(gaps, F.subtract(inside, _transposed(F, inside)))
    result = F.matmul(u, F.multiply(turned, _row(F, s)))
    if u.shape[-2] == u.shape[-1]:
        return result
    return F.add(result, F.divide(F.subtract(g, F.matmul(u, inside)), _row(F, s)))


def _sum(F: Any, parts: list[Any]) -> Any:
    total = parts[0]
    for part in parts[1:]:
        total = F.add(total, part)
    return total


svd_op = define(
    "svd", K.svd, (_svd_rule,), outputs=3, floats=(0,), public=False, source="Giles 2008; Townsend 2016",
    card=(
        "u · diag s · vᵀ = x",
        "∂x = u · (diag ∂s + E ∘ (uᵀ·∂u − ∂uᵀ·u) · diag s + diag s · E ∘ (vᵀ·∂v − ∂vᵀ·v)) · vᵀ,  "
        "Eᵢⱼ = 1 / (sⱼ² − sᵢ²) {if_square}",
    ),
)  # fmt: skip


@public("svd", methods=("svd",), primitive="Svd", init=("full_matrices", "compute_uv"))
def svd(input: Any, full_matrices: bool = False, compute_uv: bool = True) -> Any:
    """Singular values and vectors (s, u, v) with u · diag s · vᵀ = input; s alone without ``compute_uv``.

    Singular values have a gradient everywhere (where some are equal, one of several). The vectors have one only
    where no two singular values are equal.
    """
    s, u, v = svd_op(input, full_matrices=full_matrices if compute_uv else False)
    return (s, u, v) if compute_uv else s


def _eigh_rule(F: Any, gs: Any, out: Any, x: Any) -> Any:
    (of_w, of_v), (w, v) = gs, out
    parts = [] if of_w is None else [F.multiply(v, _row(F, of_w))]
    if of_v is not None:
        parts.append(F.matmul(v, F.multiply(_inverse_gaps(F, F.distinct(w)), F.matmul(v, of_v, True, False))))
    return _symmetric(F, F.matmul(_sum(F, parts), v, False, True))


eigh = define(
    "eigh", K.eigh, (_eigh_rule,), outputs=2, floats=(0,), source="Giles 2008",
    card=("v · diag w · vᵀ = x", "∂x = {symmetric_part} v · (diag ∂w + E ∘ (vᵀ·∂v)) · vᵀ,  Eᵢⱼ = 1 / (wⱼ − wᵢ)"),
)  # fmt: skip


@public("eigvalsh")
def eigvalsh(input: Any) -> Tensor:
    """The eigenvalues of a symmetric matrix, rising."""
    return T.eigh(input)[0]


# Least squares --------------------------------------------------------------------------------------------------


def _pinv_rule(F: Any, g: Any, out: Any, x: Any, atol: float | None = None, rtol: float | None = None) -> Any:
    adjoint = _transposed(F, out)
    back = F.matmul(F.matmul(adjoint, g), adjoint)
    outside = F.subtract(_transposed(F, g), F.matmul(x, F.matmul(out, g, False, True)))
    inside = F.subtract(_transposed(F, g), F.matmul(F.matmul(g, out, True, False), x))
    left = F.matmul(F.matmul(outside, out), adjoint)
    right = F.matmul(adjoint, F.matmul(out, inside))
    return F.subtract(F.add(left, right), back)


pinv_op = define(
    "pinv", K.pinv, (_pinv_rule,), keeps="inputs output", floats=(0,), public=False, source="Golub & Pereyra 1973",
    card=("y = x⁺", "∂x = −yᵀ·g·yᵀ + (I − x·y)·gᵀ·y·yᵀ + yᵀ·y·gᵀ·(I − y·x)"),
)  # fmt: skip


@public("pinv")
def pinv(x: Any, *, atol: float | None = None, rtol: float | None = None, hermitian: bool = False) -> Tensor:
    """The pseudo-inverse, which is the inverse where there is one.

    Args:
        atol, rtol: singular values up to ``atol``, or up to ``rtol`` times the largest, count as 0.
        hermitian: x is symmetric, and only its symmetric part is used.
    """
    return pinv_op(_symmetric(T, operand(x)) if hermitian else x, atol=atol, rtol=rtol)


@public("lstsq", methods=("lstsq",), primitive="Lstsq")
def lstsq(input: Any, A: Any) -> Tensor:
    """The x for which input · x comes closest to A, by the sum of squares; the shortest one if there are several."""
    right = operand(A)
    return T.matmul(T.pinv(input), T.expand_dims(right, -1) if right.ndim == 1 else right)


@public(primitive="MatrixSolveLs", init=("fast",))
def _matrix_solve_ls(matrix: Any, rhs: Any, l2_regularizer: Any = 0.0, fast: bool = True) -> Tensor:
    """``lstsq``; with ``fast``, ``l2_regularizer`` times the sum of squares of x is kept small as well."""
    strength = float(l2_regularizer)
    if not (fast and strength):
        return lstsq(matrix, rhs)
    gram = T.matmul(matrix, matrix, True, False)
    ridge = wrap(np.eye(gram.shape[-1], dtype=gram._array.dtype) * gram._array.dtype.type(strength))
    return T.matrix_solve(T.add(gram, ridge), T.matmul(matrix, rhs, True, False))


# Packed decompositions ------------------------------------------------------------------------------------------

geqrf = define(
    "geqrf", K.geqrf, None, arity=1, outputs=2, floats=(0,), primitive="Geqrf", methods=("geqrf",),
    card=("q · r = x {packed}",), source="Householder 1958",
)  # fmt: skip


@public("orgqr", methods=("orgqr",), primitive="Orgqr")
def orgqr(input: Any, input2: Any) -> Tensor:
    """The q of a QR decomposition in LAPACK's form: ``ops.orgqr(*ops.geqrf(x))``.

    Args:
        input: below the diagonal, the vectors of the reflections, (…, M, N) with N ≤ M.
        input2: their factors, (…, K) with K ≤ N.
    """
    packed, factors = float_operand(input), operand(input2)
    if packed.ndim < 2 or packed.shape[-1] > packed.shape[-2] or not () < factors.shape[-1:] <= packed.shape[-1:]:
        raise ValueError(say("errors.orgqr", shapes=(packed.shape, factors.shape)))
    one = wrap(np.eye(*packed.shape[-2:], dtype=packed._array.dtype))
    vectors, q = T.add(triangle(T, packed, True, -1), one), one
    for k in reversed(range(factors.shape[-1])):
        vector, factor = vectors[..., k : k + 1], T.expand_dims(factors[..., k : k + 1], -1)
        q = T.subtract(q, T.multiply(factor, T.matmul(vector, T.matmul(vector, q, True, False))))
    return q


@public("lu_unpack", primitive="LuUnpack", init=("unpack_data", "unpack_pivots"))
def lu_unpack(
    LU_data: Any, LU_pivots: Any, unpack_data: bool = True, unpack_pivots: bool = True
) -> tuple[Tensor | None, Tensor | None, Tensor | None]:
    """(p, l, u) with p · l · u = x, from an LU decomposition in LAPACK's form.

    Args:
        LU_data: u, and below its diagonal l without its ones, (…, M, N).
        LU_pivots: with which row each row was exchanged, counted from 1, (…, min(M, N)).
        unpack_data, unpack_pivots: whether l and u, and whether p are wanted; otherwise they are None.
    """
    data, pivots = operand(LU_data), operand(LU_pivots)
    if data.ndim < 2 or pivots.shape != (*data.shape[:-2], min(data.shape[-2:])):
        why = say("errors.lu_shapes", shapes=(data.shape, pivots.shape))
        raise ValueError(say("errors.operand", op="lu_unpack", why=why))
    rows, columns = data.shape[-2:]
    p = wrap(K.permutation_matrix(pivots._array, rows, data._array.dtype)) if unpack_pivots else None
    if not unpack_data:
        return p, None, None
    size = min(rows, columns)
    lower = triangle(T, data[..., :size], True, -1)
    upper = triangle(T, data[..., :size, :], False)
    return p, T.add(lower, wrap(np.eye(rows, size, dtype=data._array.dtype))), upper


@public("lu_solve", methods=("lu_solve",), primitive="LuSolve")
def lu_solve(b: Any, LU_data: Any, LU_pivots: Any) -> Tensor:
    """The x with a · x = b, from a's LU decomposition in LAPACK's form (see ``lu_unpack``)."""
    p, lower, upper = lu_unpack(LU_data, LU_pivots)
    return T.triangular_solve(upper, T.triangular_solve(lower, T.matmul(p, b, True, False)), False)
