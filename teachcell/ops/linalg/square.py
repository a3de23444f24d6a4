"""Square matrices: determinants, inverses, systems of equations, powers."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.define import define, pair
from ...core.op import TENSORS as T
from ...core.public import public
from ...core.record import operand
from ...core.tensor import Tensor, wrap
from ...kernels import linalg as K
from ...kernels.arguments import axes_of, kept_shape, whole, with_axes
from ...texts import say


def _trace_rule(F: Any, g: Any, out: Any, x: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
    """g on the diagonal, 0 elsewhere."""
    shape = x.shape
    rows, columns = axes_of((axis1, axis2), len(shape))
    mask = np.eye(shape[rows], shape[columns], offset, dtype=bool)
    if rows > columns:
        mask = mask.T
    others = tuple(i for i in range(len(shape)) if i not in (rows, columns))
    full = F.broadcast_to(F.reshape(g, kept_shape(shape, (rows, columns))), shape)
    return F.select(F.constant(np.expand_dims(mask, others)), full, F.zeros_like(full))


trace_op = define(
    "trace", K.trace, (_trace_rule,), keeps="", public=False, source="Giles 2008",
    card=("y = Σ xᵢᵢ", "∂x = g · I"),
)  # fmt: skip


@public("trace", primitive="Trace")
def trace(input: Any) -> Tensor:
    """Sum of the diagonal of a matrix."""
    return trace_op(with_axes("trace: input", operand(input), 2, 2))


@public(methods=("trace",))
def _trace(self: Tensor, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: Any = None) -> Tensor:
    """Sum along a diagonal of the matrices in ``axis1`` and ``axis2``."""
    total = trace_op(self, offset, axis1, axis2)
    return total if dtype is None else total.astype(dtype)


# Determinants ---------------------------------------------------------------------------------------------------


def _as_factor(F: Any, g: Any) -> Any:
    """One number per matrix, shaped to multiply matrices."""
    return F.reshape(g, (*g.shape, 1, 1))


def _cofactor_twin(x: Tensor) -> Tensor:
    """det x · x⁻ᵀ; where x is (nearly) singular the minors one by one, since cofactors are polynomials."""
    n = x.shape[-1]
    if n > 1 and (np.linalg.matrix_rank(x._array.astype(np.float64)) == n).all():
        return T.multiply(_as_factor(T, T.det(x)), T.swapaxes(T.inverse(x), -1, -2))
    if n <= 1:
        return wrap(np.ones_like(x._array))
    others = np.array([[j for j in range(n) if j != i] for i in range(n)])
    minors = T.getitem(x, (..., others[:, None, :, None], others[None, :, None, :]))
    sign = 1 - 2 * (np.indices((n, n)).sum(0) % 2)
    return T.multiply(T.det(minors), wrap(sign.astype(x._array.dtype)))


pair("cofactor", K.cofactor, _cofactor_twin)
det = define(
    "det", K.det, (lambda F, g, out, x: F.multiply(_as_factor(F, g), F.cofactor(x)),),
    floats=(0,), primitive="MatrixDeterminant", label="Det", methods=("det",), source="Jacobi; Giles 2008",
    card=("y = det x", "∂x = g · C,  C = det x · x⁻ᵀ {cofactors}"),
)  # fmt: skip
pair("log_det_slope", K.log_det_slope, lambda x: T.swapaxes(T.inverse(x), -1, -2))


def _slogdet_rule(F: Any, gs: Any, out: Any, x: Any) -> Any:
    return None if gs[1] is None else F.multiply(_as_factor(F, gs[1]), F.log_det_slope(x))


slogdet = define(
    "slogdet", K.slogdet, (_slogdet_rule,), outputs=2, floats=(0,), primitive="LogMatrixDeterminant",
    label="SLogDet", methods=("slogdet",), source="Giles 2008",
    card=("s, y = sign(det x), ln |det x|", "∂x = ∂y · x⁻ᵀ"),
)  # fmt: skip


@public("logdet", methods=("logdet",))
def logdet(input: Any) -> Tensor:
    """Logarithm of the determinant: NaN where it is negative, −inf where it is 0."""
    sign, logabs = T.slogdet(input)
    return T.add(logabs, T.log(sign))


# Inverses and systems of equations ------------------------------------------------------------------------------

inverse = define(
    "inverse", K.inverse,
    (lambda F, g, out, x: F.negative(F.matmul(F.matmul(out, g, True, False), out, False, True)),),
    keeps="output", floats=(0,), methods=("inverse",), source="Giles 2008",
    card=("y = x⁻¹", "∂x = −yᵀ · g · yᵀ"),
)  # fmt: skip


@public(primitive="MatrixInverse", init=("adjoint",))
def _matrix_inverse(x: Any, adjoint: bool = False) -> Tensor:
    """Inverse of x, or with ``adjoint`` of xᵀ."""
    return T.inverse(T.swapaxes(x, -1, -2) if adjoint else x)


def _solve_rule(
    F: Any, g: Any, out: Any, wanted: list[bool], matrix: Any, rhs: Any, adjoint: bool = False
) -> list[Any]:
    of_rhs = F.matrix_solve(matrix, g, adjoint=not adjoint)
    return [_of_matrix(F, of_rhs, out, adjoint) if wanted[0] else None, of_rhs]


def _of_matrix(F: Any, of_rhs: Any, out: Any, adjoint: bool) -> Any:
    return F.negative(F.matmul(out, of_rhs, False, True) if adjoint else F.matmul(of_rhs, out, False, True))


def _solve_card(adjoint: bool = False) -> tuple[str, str, str]:
    if adjoint:
        return "Aᵀ · x = b", "∂A = −x · ∂bᵀ", "A · ∂b = g"
    return "A · x = b", "∂A = −∂b · xᵀ", "Aᵀ · ∂b = g"


matrix_solve = define(
    "matrix_solve", K.matrix_solve, _solve_rule, arity=2, keeps="inputs output", floats=(0, 1),
    primitive="MatrixSolve", source="Giles 2008", card=_solve_card,
)  # fmt: skip


def _triangular_rule(
    F: Any, g: Any, out: Any, wanted: list[bool], matrix: Any, rhs: Any, lower: bool = True, adjoint: bool = False
) -> list[Any]:
    of_rhs = F.triangular_solve(matrix, g, lower, not adjoint)
    return [triangle(F, _of_matrix(F, of_rhs, out, adjoint), lower) if wanted[0] else None, of_rhs]


def triangle(F: Any, x: Any, lower: bool = True, offset: int = 0) -> Any:
    """The lower or upper triangle of x, from diagonal ``offset`` on; 0 in the other."""
    rows, columns = x.shape[-2:]
    mask = np.tri(rows, columns, offset, dtype=bool) if lower else ~np.tri(rows, columns, offset - 1, dtype=bool)
    return F.select(F.constant(mask), x, F.zeros_like(x))


triangular_solve = define(
    "triangular_solve", K.triangular_solve, _triangular_rule, arity=2, keeps="inputs output", floats=(0, 1), names=(),
    primitive="MatrixTriangularSolve", source="Giles 2008",
    card=lambda lower=True, adjoint=False: _solve_card(adjoint),
)  # fmt: skip


# Powers and products --------------------------------------------------------------------------------------------


@public("matrix_power", methods=("matrix_power",), primitive="MatrixPower", init=("n",))
def matrix_power(input: Any, n: int) -> Tensor:
    """x multiplied by itself n times; the inverse for n < 0, the identity for n = 0. Few products: by squaring."""
    x, n = operand(input), whole(n, "n")
    if x.ndim < 2 or x.shape[-1] != x.shape[-2]:
        raise ValueError(say("errors.operand", op="matrix_power", why=say("errors.square")))
    if n == 0:
        return wrap(np.broadcast_to(np.eye(x.shape[-1], dtype=x._array.dtype), x.shape).copy())
    x = T.inverse(x) if n < 0 else x
    power, left = T.positive(x), abs(n) - 1
    while left > 0:
        if left % 2:
            power = T.matmul(power, x)
        left //= 2
        x = T.matmul(x, x) if left else x
    return power


def _matrix_exp_rule(F: Any, g: Any, out: Any, x: Any) -> Any:
    """The derivative at xᵀ in direction g: a block of the exponential of a matrix of twice the size."""
    n = x.shape[-1]
    shape, first, second = (*x.shape[:-2], 2 * n, 2 * n), slice(n), slice(n, None)
    adjoint = F.swapaxes(x, -1, -2)
    diagonal = F.add(F.put(adjoint, shape, (..., first, first)), F.put(adjoint, shape, (..., second, second)))
    both = F.matrix_exp(F.add(diagonal, F.put(g, shape, (..., first, second))))
    return F.getitem(both, (..., first, second))


matrix_exp = define(
    "matrix_exp", K.matrix_exp, (_matrix_exp_rule,), floats=(0,), primitive="MatrixExp",
    source="Al-Mohy & Higham 2009", card=("y = Σ xᵏ / k!", "∂x = {upper_right} exp [xᵀ g; 0 xᵀ]"),
)  # fmt: skip


cross = define(
    "cross", K.cross,
    (
        lambda F, g, out, x, y, dim=None: F.cross(y, g, K.cross_axis(x.shape, y.shape, dim)),
        lambda F, g, out, x, y, dim=None: F.cross(g, x, K.cross_axis(x.shape, y.shape, dim)),
    ),
    primitive="Cross", methods=("cross",), source="{triple_product}", card=("z = x × y", "∂x = y × g", "∂y = g × x"),
)  # fmt: skip


@public(primitive="TridiagonalMatMul")
def _tridiagonal_mat_mul(superdiag: Any, maindiag: Any, subdiag: Any, rhs: Any) -> Tensor:
    """Product of a matrix given by three diagonals, each (…, 1, M), with rhs (…, M, N).

    The last element of ``superdiag`` and the first of ``subdiag`` lie outside of the matrix.
    """
    rhs = with_axes("TridiagonalMatMul: rhs", operand(rhs), 2)
    nothing = T.zeros_like(rhs[..., :1, :])
    after, before = T.concat((rhs[..., 1:, :], nothing), -2), T.concat((nothing, rhs[..., :-1, :]), -2)
    above, middle, below = (T.swapaxes(d, -1, -2) for d in (superdiag, maindiag, subdiag))
    return T.add(T.add(T.multiply(above, after), T.multiply(middle, rhs)), T.multiply(below, before))
