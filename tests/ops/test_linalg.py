"""Linear algebra: class forms, methods, further arguments, and the points where a gradient is infinite or missing."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from ops.samples.decompositions import LU, PIVOTS, SPD, SYMMETRIC, TALL
from ops.samples.linalg import WELL

import teachcell as tc
from teachcell import Tensor, grad, gradcheck, ops
from teachcell.kernels import products

DRAWS = np.random.default_rng(5)


def drawn(*shape: int) -> Tensor:
    return Tensor(DRAWS.normal(size=shape))


def same(got: Any, want: Any) -> None:
    """The same numbers, in Tensors or arrays, or in tuples of them."""
    pair = [t if isinstance(t, tuple) else (t,) for t in (got, want)]
    for two in zip(*pair, strict=True):
        np.testing.assert_allclose(*(t.asnumpy() if isinstance(t, Tensor) else t for t in two), 1e-12, 1e-12)


# Products -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rows", [0, 1, 2, 7, 64, 130])
@pytest.mark.parametrize(("columns", "depth"), [(256, 784), (251, 300), (120, 400), (10, 128), (999, 130), (30, 9000)])
@pytest.mark.parametrize("small_kernels", [True, False])
def test_a_product_with_a_transposed_weight(
    rows: int, columns: int, depth: int, small_kernels: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However it is parted, on any processor and in any layout."""
    monkeypatch.setattr(products, "_SMALL_KERNELS", small_kernels)
    products._columns.cache_clear()
    x, w = (DRAWS.integers(-3, 4, shape).astype(np.float32) for shape in ((rows, depth), (columns, depth)))
    for left in (x, np.asfortranarray(x), np.repeat(x, 2, 1)[:, ::2]):
        for right in (w, np.asfortranarray(w), w[::-1][::-1]):
            np.testing.assert_array_equal(products.times_transposed(left, right), x @ w.T)
    products._columns.cache_clear()


@pytest.mark.parametrize(
    ("blas", "found", "has"),
    [
        ({"name": "scipy-openblas"}, ["X86_V3", "X86_V4"], True),
        ({"name": "openblas64"}, ["AVX2", "AVX512_SKX"], True),
        ({"name": "openblas64"}, ["AVX2"], False),
        ({"name": "accelerate"}, [], False),
        ({}, [], False),
    ],
)
def test_what_numpy_is_built_with(blas: Any, found: Any, has: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """It leaves out what is empty: where there is no BLAS, as in a browser, all of it."""
    everything = {"Build Dependencies": {"blas": blas} if blas else {}, "SIMD Extensions": {"found": found}}
    for known in (everything, {key: value for key, value in everything.items() if any(value.values())}):
        monkeypatch.setattr(np, "show_config", lambda mode, known=known: known)
        assert products._has_small_kernels() is has


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16", "int32"])
def test_a_large_product_of_a_column_and_a_row(dtype: str) -> None:
    """The same numbers as ``dot`` gives, whatever signs, zeros and infinities are among them."""
    x, y = (np.resize([1.5, -0.0, 0.0, -2.5, 3.25, -7.0], size).astype(dtype) for size in (301, 263))
    if dtype.startswith("float"):
        x[7], y[11] = np.inf, np.nan
    with np.errstate(invalid="ignore"):
        for column in (x[:, None], np.repeat(x, 2)[::2, None]):
            got, want = products.product(column, y[None]), column.dot(y[None])
            assert got.dtype == want.dtype and got.shape == want.shape
            np.testing.assert_array_equal(got, want)
            np.testing.assert_array_equal(np.signbit(got), np.signbit(want))


def test_class_forms_of_products() -> None:
    x, y = drawn(2, 3, 4), drawn(2, 3, 5)
    same(ops.BatchMatMul(transpose_a=True)(x, y), np.swapaxes(x.asnumpy(), 1, 2) @ y.asnumpy())
    same(ops.Einsum("bij,bik->jk")((x, y)), np.einsum("bij,bik->jk", x.asnumpy(), y.asnumpy()))
    same(ops.einsum("bij,bik->jk", [x, y]), np.einsum("bij,bik->jk", x.asnumpy(), y.asnumpy()))
    same(ops.Dense()(x, drawn(1, 4) * 0 + 1, Tensor([2.0])), x.asnumpy().sum(-1, keepdims=True) + 2)
    same(ops.Ger()(x[0, 0], y[0, 0]), np.outer(x.asnumpy()[0, 0], y.asnumpy()[0, 0]))


def test_products_as_methods() -> None:
    a, b, v = drawn(3, 3), drawn(3, 3), drawn(3)
    A, B, V = a.asnumpy(), b.asnumpy(), v.asnumpy()
    same(a.mm(b), A @ B)
    same(a.dot(v), A @ V)
    same(a.inner(b), A @ B.T)
    same(v.outer(v), np.outer(V, V))
    same(v.ger(v), np.outer(V, V))
    same(a[None].bmm(b[None]), (A @ B)[None])
    same(a.addmm(a, b, beta=2, alpha=3), 2 * A + 3 * A @ B)
    same(v.addmv(a, v), V + A @ V)
    same(a.addr(v, v), A + np.outer(V, V))
    same(a.addbmm(a[None], b[None]), A + A @ B)
    same(a.baddbmm(a[None], b[None]), (A + A @ B)[None])


def test_products_of_integers_keep_them() -> None:
    i, v = Tensor([[1, 2], [3, 4]], tc.int32), Tensor([1, 2], tc.int32)
    assert (ops.mm(i, i).dtype, ops.mm(i, i).tolist()) == (tc.int32, [[7, 10], [15, 22]])
    assert (ops.kron(i, i).dtype, ops.outer(v, v).dtype, ops.addmm(i, i, i).dtype) == (tc.int32,) * 3
    assert ops.addmm(i, i, i, beta=0.5).dtype is tc.float32
    assert (ops.trace(i).dtype, ops.trace(i).item(), ops.matrix_power(i, 2).dtype) == (tc.int32, 5, tc.int32)
    assert ops.einsum("ij,j", i, v).tolist() == [5, 11]
    assert (ops.det(i).dtype, ops.inverse(i).dtype) == (tc.float32, tc.float32)


def test_lists_and_numbers_are_operands() -> None:
    assert ops.mv([[1.0, 2.0], [3.0, 4.0]], [1.0, 1.0]).tolist() == [3.0, 7.0]
    assert ops.dot(2.0, [1.0, 2.0]).tolist() == [2.0, 4.0]
    assert ops.einsum("i,i", [1.0, 2.0], [3.0, 4.0]).item() == 11.0
    assert ops.kron([1, 2], [1, 1]).tolist() == [1, 1, 2, 2]


def test_einsum_reads_equations_as_numpy_does() -> None:
    x, y = drawn(2, 3), drawn(3, 4)
    for equation in ("ij,jk", "ij , jk -> ki", "ba,ac", "...ij,...jk", "Ij,jK->KI"):
        same(ops.einsum(equation, x, y), np.einsum(equation, x.asnumpy(), y.asnumpy()))
    same(ops.einsum("...j->j", x), x.asnumpy().sum(0))  # NumPy wants the ... named; here it is summed as other letters


# Square matrices ------------------------------------------------------------------------------------------------


def test_traces() -> None:
    x = drawn(2, 3, 3)
    same(x.trace(), np.trace(x.asnumpy()))
    same(x.trace(1, 1, 2), np.trace(x.asnumpy(), 1, 1, 2))
    assert Tensor([[1, 2], [3, 4]]).trace(dtype=tc.float64).dtype is tc.float64
    same(ops.Trace()(x[0]), np.trace(x.asnumpy()[0]))
    with pytest.raises(ValueError, match=r"trace: input must have 2 axes.*\(2, 3, 3\)"):
        ops.trace(x)


def test_class_forms_and_methods_of_square_matrices() -> None:
    x, b = Tensor(WELL), drawn(3, 2)
    y = np.linalg.inv(WELL)
    for got, want in (
        (ops.MatrixInverse()(x), y), (ops.MatrixInverse(adjoint=True)(x), y.T), (x.inverse(), y),
        (ops.MatrixPower(-2)(x), y @ y), (x.matrix_power(2), WELL @ WELL), (ops.MatrixDeterminant()(x), x.det()),
        (ops.LogMatrixDeterminant()(x), x.slogdet()), (x.logdet(), np.log(np.linalg.det(WELL))),
        (ops.MatrixSolve(adjoint=True)(x, b), y.T @ b.asnumpy()),
        (ops.MatrixTriangularSolve(lower=False, adjoint=True)(x, b), np.linalg.inv(np.triu(WELL).T) @ b.asnumpy()),
        (ops.Cross(dim=1)(x, x.T), np.cross(WELL, WELL.T, axis=1)), (x[0].cross(x[1]), np.cross(*WELL[:2])),
    ):  # fmt: skip
        same(got, want)


def test_a_power_of_one_has_memory_of_its_own() -> None:
    x = drawn(2, 2)
    assert not np.shares_memory(ops.matrix_power(x, 1).asnumpy(), x.asnumpy())


def test_a_singular_matrix_has_cofactors_and_an_infinite_slope_of_the_logarithm() -> None:
    ones = Tensor(np.ones((2, 2)))
    assert grad(ops.det)(ones).tolist() == pytest.approx(np.array([[1.0, -1.0], [-1.0, 1.0]]))
    assert grad(lambda x: ops.slogdet(x)[1])(ones).tolist() == [[np.inf, -np.inf], [-np.inf, np.inf]]
    assert (ops.logdet(ones).item(), ops.slogdet(ones)[0].item()) == (-np.inf, 0.0)
    mixed = grad(lambda x: ops.slogdet(x)[1])(Tensor(np.stack([np.ones((2, 2)), 2 * np.eye(2)]))).asnumpy()
    assert np.isinf(mixed[0]).all() and mixed[1].tolist() == [[0.5, 0.0], [0.0, 0.5]]
    assert np.isnan(ops.logdet(Tensor([[-1.0]])).item())


def test_a_product_with_a_tridiagonal_matrix() -> None:
    above, middle, below, x = drawn(2, 1, 4), drawn(2, 1, 4), drawn(2, 1, 4), drawn(2, 4, 3)
    full = [np.diag(m[0]) + np.diag(a[0, :-1], 1) + np.diag(b[0, 1:], -1) for a, m, b in zip(
        above.asnumpy(), middle.asnumpy(), below.asnumpy(), strict=True)]  # fmt: skip
    same(ops.TridiagonalMatMul()(above, middle, below, x), np.array(full) @ x.asnumpy())
    assert gradcheck(ops.TridiagonalMatMul(), above, middle, below, x, order=2)


# Decompositions -------------------------------------------------------------------------------------------------


def test_upper_factors() -> None:
    x, b = Tensor(SPD), drawn(3, 2)
    lower = np.linalg.cholesky(SPD)
    same(ops.Cholesky(upper=True)(x), lower.T)
    same(x.cholesky(), lower)
    same(ops.CholeskyInverse(upper=True)(Tensor(lower.T)), np.linalg.inv(SPD))
    same(ops.CholeskySolve()(b, Tensor(lower)), np.linalg.inv(SPD) @ b.asnumpy())
    assert gradcheck(lambda a: ops.cholesky(a, upper=True), x, order=2)


def test_the_gradient_of_a_symmetric_function_is_symmetric() -> None:
    for function, at in ((ops.cholesky, SPD), (ops.eigvalsh, SYMMETRIC), (lambda a: ops.eigh(a)[1], SYMMETRIC)):
        slope = grad(function)(Tensor(at)).asnumpy()
        np.testing.assert_allclose(slope, slope.T)


def test_qr_in_all_forms() -> None:
    x = Tensor(TALL)
    for q, r in (ops.qr(x), ops.Qr()(x), x.qr()):
        assert q.shape == (3, 2) and r.shape == (2, 2)
    for q, r in (ops.qr(x, "complete"), ops.Qr(True)(x), x.qr(False)):
        same(ops.mm(q, r), TALL)
        assert q.shape == (3, 3) and r.shape == (3, 2)
    same(ops.Orgqr()(*ops.Geqrf()(x)), ops.qr(x)[0])
    packed, factors = x.geqrf()
    same(packed.orgqr(factors), ops.qr(x)[0])
    batch = drawn(2, 4, 3)
    same(ops.orgqr(*ops.geqrf(batch)), np.linalg.qr(batch.asnumpy())[0])


def test_singular_values_with_and_without_vectors() -> None:
    x = Tensor(TALL)
    s, u, v = ops.svd(x)
    same(ops.mm(u * s, v.T), TALL)
    same(x.svd(compute_uv=False), s)
    same(ops.Svd(compute_uv=False)(x), s)
    assert [t.shape for t in ops.svd(x, full_matrices=True)] == [(2,), (3, 3), (2, 2)]
    assert gradcheck(lambda a: ops.svd(a, compute_uv=False), x, order=2)
    assert gradcheck(lambda a: ops.svd(a, full_matrices=True)[0], x)


def test_products_that_no_sign_of_the_vectors_changes_restore_the_input() -> None:
    def restored(a: Tensor) -> Tensor:
        s, u, v = ops.svd(a)
        return ops.matmul(u * s, v, transpose_b=True)

    weights = Tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    same(grad(lambda a: restored(a) * weights)(Tensor(TALL)), weights)


@pytest.mark.parametrize("function", [lambda a: ops.svd(a)[1], lambda a: ops.svd(a)[2], lambda a: ops.eigh(a)[1]])
def test_vectors_of_equal_values_have_no_gradient_but_the_values_have(function: Any) -> None:
    one = Tensor(np.eye(2))
    with pytest.raises(ValueError, match="two singular values or eigenvalues are equal"):
        grad(function)(one)
    same(grad(lambda a: ops.svd(a, compute_uv=False))(one), np.eye(2))
    same(grad(ops.eigvalsh)(one), np.eye(2))


def test_pseudo_inverses_with_bounds() -> None:
    x = Tensor(np.diag([4.0, 1.0, 0.125]))
    assert np.diag(ops.pinv(x, rtol=0.1).asnumpy()).tolist() == [0.25, 1.0, 0.0]
    assert np.diag(ops.pinv(x, atol=1.0).asnumpy()).tolist() == [0.25, 0.0, 0.0]
    same(ops.pinv(Tensor(SYMMETRIC), hermitian=True), np.linalg.inv(SYMMETRIC))
    assert gradcheck(lambda a: ops.pinv(a, hermitian=True), Tensor(SYMMETRIC), order=2)
    assert ops.pinv(Tensor(np.zeros((2, 3)))).tolist() == [[0.0, 0.0]] * 3


def test_least_squares_with_a_penalty() -> None:
    x, b = Tensor(TALL), drawn(3, 2)
    want = np.linalg.lstsq(TALL, b.asnumpy(), rcond=None)[0]
    for got in (ops.Lstsq()(x, b), x.lstsq(b), ops.MatrixSolveLs()(x, b), ops.MatrixSolveLs(fast=False)(x, b, 3.0)):
        np.testing.assert_allclose(got.asnumpy(), want, rtol=1e-10)
    penalty = Tensor(2.0, tc.float64)
    want = np.linalg.inv(TALL.T @ TALL + 2 * np.eye(2)) @ TALL.T @ b.asnumpy()
    np.testing.assert_allclose(ops.MatrixSolveLs()(x, b, penalty).asnumpy(), want, rtol=1e-10)


def test_packed_lu_decompositions() -> None:
    lu, pivots, b = Tensor(LU), Tensor(PIVOTS), drawn(3, 2)
    p, lower, upper = ops.lu_unpack(lu, pivots)
    a = p.asnumpy() @ lower.asnumpy() @ upper.asnumpy()
    np.testing.assert_allclose(a @ ops.LuSolve()(b, lu, pivots).asnumpy(), b.asnumpy(), rtol=1e-10)
    same(b.lu_solve(lu, pivots), ops.lu_solve(b, lu, pivots))
    assert ops.LuUnpack(unpack_data=False)(lu, pivots)[1:] == (None, None)
    assert ops.lu_unpack(lu, pivots, unpack_pivots=False)[0] is None
    both = Tensor(np.stack([LU, LU[::-1]])), Tensor(np.stack([PIVOTS, [2, 3, 3]]).astype(np.int32))
    for i in range(2):
        one = ops.lu_unpack(*(t[i] for t in both))
        same(tuple(t[i] for t in ops.lu_unpack(*both)), one)


def test_float16_is_computed_in_float32() -> None:
    x = Tensor(np.array([[256.0, 128.0], [128.0, 512.0]], np.float16))  # the determinant is no float16
    assert ops.slogdet(x)[1].item() == pytest.approx(np.log(256 * 512 - 128**2), rel=1e-3)
    for found in (ops.inverse(x), ops.cholesky(x), *ops.eigh(x), *ops.svd(x), ops.matrix_exp(x * 0), ops.pinv(x)):
        assert found.dtype is tc.float16
    assert grad(lambda a: ops.inverse(a).sum())(x).dtype is tc.float16
