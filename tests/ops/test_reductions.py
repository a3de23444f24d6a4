"""Reductions, order, statistics and distances: class forms and methods beside the functions, dtypes, edges."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import teachcell as tc
from teachcell import Tensor, grad, gradcheck, ops

X = Tensor([[1.0, 3.0, 2.0], [5.0, 4.0, 6.0]])
I32 = Tensor([[1, 3, 2], [5, 4, 6]], tc.int32)
B = Tensor([[True, False], [False, False]])
MASK = Tensor([[True, False, True], [True, False, False]])
NAN, INF = math.nan, math.inf


def plain(value: Any) -> Any:
    """Results as ``(dtype, nested lists)``, tuples of results as tuples."""
    if isinstance(value, tuple):
        return tuple(plain(v) for v in value)
    return value.dtype.name, np.round(value.asnumpy().astype(np.float64), 4).tolist()


f, i, j = "float32", "int32", "int64"
RESULTS: list[tuple[str, Any, Any]] = [
    ("ops.sum in float64", lambda: ops.sum(I32, 0, dtype=tc.float64), ("float64", [6, 7, 8])),
    ("ops.sum of int32", lambda: ops.sum(I32), (j, 21)),
    ("ops.sum over a list of axes", lambda: ops.sum(X, [0, 1]), (f, 21)),
    ("ops.sum over axes in a Tensor", lambda: ops.sum(X, Tensor([0, 1])), (f, 21)),
    ("ReduceSum keeps the dtype", lambda: ops.ReduceSum()(I32, 0), (i, [6, 7, 8])),
    ("ReduceSum keep_dims", lambda: ops.ReduceSum(True)(X, (0, 1)), (f, [[21]])),
    ("ReduceSum skip_mode", lambda: ops.ReduceSum(skip_mode=True)(X), (f, X.tolist())),
    ("ReduceMean", lambda: ops.ReduceMean(True)(X, 1), (f, [[2], [5]])),
    ("ReduceProd keeps the dtype", lambda: ops.ReduceProd()(I32, 0), (i, [5, 12, 12])),
    ("ReduceMax", lambda: ops.ReduceMax(keep_dims=True)(X, ()), (f, [[6]])),
    ("ReduceMin", lambda: ops.ReduceMin()(I32, -1), (i, [1, 4])),
    ("ReduceAll", lambda: ops.ReduceAll(True)(B, 1), ("bool", [[0], [0]])),
    ("ReduceAny", lambda: ops.ReduceAny()(B, 1), ("bool", [1, 0])),
    ("ReduceStd", lambda: ops.ReduceStd()(X), ((f, 1.8708), (f, 3.5))),
    ("ReduceStd biased", lambda: ops.ReduceStd(1, False, True)(X), ((f, [[0.8165], [0.8165]]), (f, [[2], [5]]))),
    ("prod", lambda: ops.prod(I32, 0, True, tc.float32), (f, [[5, 12, 12]])),
    ("nansum keeps int32", lambda: ops.nansum(I32), (i, 21)),
    ("nansum of Bool", lambda: ops.nansum(B), (j, 1)),
    ("nanmean of integers", lambda: ops.nanmean(I32, 0), (f, [3, 3.5, 4])),
    ("count_nonzero", lambda: ops.count_nonzero(X, [0], True, tc.int64), (j, [[2, 2, 2]])),
    ("EqualCount", lambda: ops.EqualCount()(I32, Tensor([1, 3, 9])), (i, [2])),
    ("SquareSumAll", lambda: ops.SquareSumAll()(X, X + 0), ((f, 91), (f, 91))),
    ("amax initial", lambda: ops.amax(X, 0, initial=4.5), (f, [5, 4.5, 6])),
    ("amax where", lambda: ops.amax(X, 0, initial=0.0, where=MASK), (f, [5, 0, 2])),
    ("amin initial", lambda: ops.amin(X, 0, True, initial=2.5), (f, [[1, 2.5, 2]])),
    ("max", lambda: ops.max(I32, 0), ((i, [5, 4, 6]), (j, [1, 1, 1]))),
    ("max of all", lambda: ops.max(X), ((f, 6), (j, 0))),
    ("max of one number", lambda: ops.max(Tensor(3.0), 0), ((f, 3), (j, 0))),
    ("max initial", lambda: ops.max(X, 0, initial=4.5), ((f, [5, 4.5, 6]), (j, [1, 0, 1]))),
    ("max where", lambda: ops.max(X, 0, initial=0.0, where=MASK), ((f, [5, 0, 2]), (j, [1, 0, 0]))),
    ("min", lambda: ops.min(X, -1, True), ((f, [[1], [4]]), (j, [[0], [1]]))),
    ("argmin is int32", lambda: ops.argmin(X, 1), (i, [0, 1])),
    ("argmax of all", lambda: ops.argmax(X, None, True), (j, 5)),
    ("Argmax", lambda: ops.Argmax()(X), (i, [1, 2])),
    ("Argmax in int64", lambda: ops.Argmax(0, tc.int64)(X), (j, [1, 1, 1])),
    ("Argmin", lambda: ops.Argmin(axis=0)(I32), (i, [0, 0, 0])),
    ("ArgMaxWithValue", lambda: ops.ArgMaxWithValue(1, True)(X), ((j, [[1], [2]]), (f, [[3], [6]]))),
    ("ArgMinWithValue", lambda: ops.ArgMinWithValue()(X), ((j, [0, 0, 0]), (f, [1, 3, 2]))),
    ("cumsum keeps int32", lambda: ops.cumsum(I32, 0), (i, [[1, 3, 2], [6, 7, 8]])),
    ("cumsum in float32", lambda: ops.cumsum(I32, 1, tc.float32), (f, [[1, 4, 6], [5, 9, 15]])),
    ("cumsum of Bool", lambda: ops.cumsum(B, 0), (i, [[1, 0], [1, 0]])),
    ("CumSum", lambda: ops.CumSum(True, True)(I32, 0), (i, [[5, 4, 6], [0, 0, 0]])),
    ("cumprod of integers", lambda: ops.cumprod(I32, 0), (j, [[1, 3, 2], [5, 12, 12]])),
    ("CumProd", lambda: ops.CumProd(True, False)(I32, 1), (i, [[1, 1, 3], [1, 5, 20]])),
    ("cummax", lambda: ops.cummax(I32, 1), ((i, [[1, 3, 3], [5, 5, 6]]), (j, [[0, 1, 1], [0, 0, 2]]))),
    ("Cummin", lambda: ops.Cummin(0)(X), ((f, [[1, 3, 2], [1, 3, 2]]), (i, [[0, 0, 0], [0, 0, 0]]))),
    ("later equals lead", lambda: ops.cummax(Tensor([1, 3, 3, 2]), 0), ((j, [1, 3, 3, 3]), (j, [0, 1, 2, 2]))),
    ("CumulativeLogsumexp", lambda: ops.CumulativeLogsumexp()(X[:, 0], Tensor(0)), (f, [1, 5.0181])),
    ("diff of integers", lambda: ops.diff(I32), (i, [[2, -1], [-1, 2]])),
    ("diff of Bool", lambda: ops.diff(B), ("bool", [[1], [0]])),
    ("diff with ends", lambda: ops.diff(X[0], prepend=Tensor([9.0]), append=Tensor([0.0])), (f, [-8, 2, -1, -2])),
    ("trapz of integers", lambda: ops.trapz(I32), (f, [4.5, 9.5])),
    ("sort of integers", lambda: ops.sort(I32), ((i, [[1, 2, 3], [4, 5, 6]]), (i, [[0, 2, 1], [1, 0, 2]]))),
    ("equals keep their order", lambda: ops.sort(Tensor([2, 1, 2]), 0, True), ((j, [2, 2, 1]), (i, [0, 2, 1]))),
    ("Sort", lambda: ops.Sort(0, True)(X), ((f, [[5, 4, 6], [1, 3, 2]]), (i, [[1, 1, 1], [0, 0, 0]]))),
    ("TopK", lambda: ops.TopK(sorted=False)(X, Tensor(2)), ((f, [[3, 2], [6, 5]]), (i, [[1, 2], [2, 0]]))),
    ("topk of integers", lambda: ops.topk(I32, 1, 0, False), ((i, [[1, 3, 2]]), (i, [[0, 0, 0]]))),
    ("NthElement", lambda: ops.NthElement()(X, 1), (f, [2, 5])),
    ("NthElement reversed", lambda: ops.NthElement(reverse=True)(X, Tensor(0)), (f, [3, 6])),
    ("lower median", lambda: ops.median(Tensor([2.0, 1.0, 2.0, 1.0])), ((f, 1), (j, 3))),
    ("Median", lambda: ops.Median(axis=1, keep_dims=True)(X), ((f, [[2], [5]]), (j, [[2], [0]]))),
    ("Median of all", lambda: ops.Median(True)(X), ((f, 3), (j, 0))),
    ("InTopK", lambda: ops.InTopK(1)(X, Tensor([0, 2])), ("bool", [0, 1])),
    ("Unique", lambda: ops.Unique()(Tensor([2, 5, 2], tc.int32)), ((i, [2, 5]), (i, [0, 1, 0]))),
    ("UniqueConsecutive", lambda: ops.UniqueConsecutive()(Tensor([1, 1])), ((j, [1]), (j, [0, 0]), (j, [2]))),
    ("SearchSorted", lambda: ops.SearchSorted(tc.int32, True)(X[0].sort()[0], Tensor([3.0])), (i, [3])),
    ("searchsorted a number", lambda: ops.searchsorted(Tensor([1.0, 3.0]), 2, out_int32=True, side="right"), (i, 1)),
    ("LowerBound", lambda: ops.LowerBound()(Tensor([[0, 1, 1], [2, 4, 6]]), Tensor([[1], [4]])), (i, [[1], [1]])),
    ("UpperBound", lambda: ops.UpperBound(tc.int64)(Tensor([[0, 1, 1]]), Tensor([[1, 2]])), (j, [[3, 3]])),
    ("bucketize", lambda: ops.bucketize(I32, [2, 4]), (i, [[0, 1, 0], [2, 1, 2]])),
    ("Bucketize takes the left bound in", lambda: ops.Bucketize([2.0, 4.0])(X), (i, [[0, 1, 1], [2, 2, 2]])),
    ("Histogram", lambda: ops.Histogram(4, 0.0, 8.0)(X), (f, [1, 2, 2, 1])),
    ("bincount is Float32", lambda: ops.bincount(Tensor([0, 2, 2]), minlength=4), (f, [1, 0, 2, 0])),
    ("bincount weighted by integers", lambda: ops.bincount(Tensor([0, 1, 1]), Tensor([3, 4, 5])), (f, [3, 9])),
    ("Bincount", lambda: ops.Bincount()(Tensor([0, 2, 2]), Tensor(2), Tensor([1.0, 2.0, 3.0])), (f, [1, 0])),
    ("Bincount without weights", lambda: ops.Bincount()(Tensor([0, 2, 2]), 3, Tensor([])), (f, [1, 0, 2])),
    ("std of integers", lambda: ops.std(I32), (f, 1.7078)),
    ("std takes a flag as ddof", lambda: ops.std(X, 0, True), (f, [2.8284, 0.7071, 2.8284])),
    ("LpNorm", lambda: ops.LpNorm(1, 1)(X), (f, [6, 15])),
    ("LpNorm is at least epsilon", lambda: ops.LpNorm(axis=[0, 1], epsilon=99.0)(X), (f, 99)),
    ("norm of integers", lambda: ops.norm(I32, 1, 1), (f, [6, 15])),
    ("norm of a matrix of integers", lambda: ops.norm(I32, 1), (f, 8)),
    ("norm in float64", lambda: ops.norm(X, dim=1, dtype=tc.float64), ("float64", [3.7417, 8.775])),
    ("L2Normalize", lambda: ops.L2Normalize(1)(Tensor([[3.0, 4.0]])), (f, [[0.6, 0.8]])),
    ("L2Normalize near 0", lambda: ops.L2Normalize()(Tensor([0.0, 0.001])), (f, [0, 0.1])),
    ("Cdist", lambda: ops.Cdist(1.0)(X, X + 1), (f, [[3, 12], [6, 3]])),
    ("Pdist", lambda: ops.Pdist(0.0)(Tensor([[1.0, 2.0], [3.0, 2.0], [0.0, 0.0]])), (f, [1, 2, 2])),
    ("cosine at length 0", lambda: ops.cosine_similarity(X * 0, X), (f, [0, 0])),
    ("Renorm", lambda: ops.Renorm(1, 0, 5.0)(X), (f, [[0.8333, 2.5, 1.6667], [1.6667, 1.3333, 2]])),
    ("quantile of integers", lambda: ops.quantile(I32, Tensor([0.25, 0.5]), 1), (f, [[1.5, 4.5], [2, 5]])),
]  # fmt: skip


@pytest.mark.parametrize(("call", "wanted"), [r[1:] for r in RESULTS], ids=[r[0] for r in RESULTS])
def test_results_and_their_dtypes(call: Any, wanted: Any) -> None:
    assert plain(call()) == wanted


METHODS: list[tuple[Any, Any]] = [
    (lambda: (X.sum(0, True), X.sum(dim=0, keepdim=True)), (X.sum(axis=0, keepdims=True),) * 2),
    (lambda: X.sum(axis=0, initial=2.0), Tensor([8.0, 9.0, 10.0])),
    (lambda: I32.sum(dtype=tc.float32), Tensor(21.0)),
    (lambda: (X.mean(0, True), X.mean(dim=0, keepdim=True)), (ops.mean(X, 0, True),) * 2),
    (lambda: X.mean(dtype=tc.float64), Tensor(3.5, tc.float64)),
    (lambda: (I32.prod(), X.prod(dim=0), X.prod(0, True)), (Tensor(720), ops.prod(X, 0), ops.prod(X, 0, True))),
    (lambda: (B.all(1), B.any(dim=1, keepdim=True)), (ops.all(B, 1), ops.any(B, 1, True))),
    (lambda: (X.max(), X.max(axis=0), X.max(axis=(0, 1))), (ops.amax(X), ops.amax(X, 0), ops.amax(X))),
    (lambda: X.max(0), ops.max(X, 0)),
    (lambda: X.max(dim=1, keepdim=True), ops.max(X, 1, True)),
    (lambda: X.max(1, True), ops.max(X, 1, True)),
    (lambda: X.max(axis=1, keepdims=True, return_indices=True), ops.max(X, 1, True)),
    (lambda: X.max(return_indices=True), ops.max(X)),
    (lambda: X.max(axis=0, initial=4.5, where=MASK), ops.amax(X, 0, initial=4.5, where=MASK)),
    (lambda: (X.min(), X.min(axis=1)), (ops.amin(X), ops.amin(X, 1))),
    (lambda: X.min(-1), ops.min(X, -1)),
    (lambda: X.min(axis=1, return_indices=True), ops.min(X, 1)),
    (lambda: (X.argmax(1, True), X.argmax(dim=0)), (ops.argmax(X, 1, True), ops.argmax(X, 0))),
    (lambda: (X.argmin(), X.argmin(dim=1, keepdim=True)), (ops.argmin(X), ops.argmin(X, 1, True))),
    (lambda: X.argmax_with_value(1, True), ops.max(X, 1, True)),
    (lambda: X.argmin_with_value(), ops.min(X, 0)),
    (lambda: (X.ptp(), X.ptp(0, True)), (Tensor(5.0), Tensor([[4.0, 1.0, 4.0]]))),
    (lambda: (X.cumsum(), X.cumsum(dim=0)), (ops.cumsum(X.reshape(-1), 0), ops.cumsum(X, 0))),
    (lambda: X.cumsum(1, tc.float64), ops.cumsum(X, 1, tc.float64)),
    (lambda: X.sort(dim=0, descending=True), ops.sort(X, 0, True)),
    (lambda: X.argsort(0), ops.argsort(X, 0)),
    (lambda: X.median(dim=0, keepdim=True), ops.median(X, 0, True)),
    (lambda: X.kthvalue(2), ops.median(X)),
    (lambda: I32.unique(), Tensor([1, 2, 3, 4, 5, 6], tc.int32)),
    (lambda: Tensor([2, 5, 2]).unique(return_counts=True), (Tensor([2, 5]), Tensor([2, 1]))),
    (lambda: Tensor([2, 5, 2]).unique(True, True), (Tensor([2, 5]), Tensor([0, 1, 0]))),
    (lambda: ops.unique_consecutive(Tensor([1, 1, 2]), True), (Tensor([1, 2]), Tensor([0, 0, 1]))),
    (lambda: Tensor([1.0, 3.0]).searchsorted(Tensor([3.0]), "right"), Tensor([2])),
    (lambda: (X.std(dim=1, correction=1), X.var(1, 1)), (ops.std(X, 1, 1), ops.var(X, 1, 1))),
    (lambda: (X.count_nonzero(), X.count_nonzero(dim=0)), (ops.count_nonzero(X), ops.count_nonzero(X, 0))),
    (lambda: (X.nansum(dim=0, keepdim=True), X.nanmean(0)), (ops.nansum(X, 0, True), ops.nanmean(X, 0))),
    (lambda: (X.norm(), X.logsumexp(1), X.histc(3)), (ops.norm(X), ops.logsumexp(X, 1), ops.histc(X, 3))),
]  # fmt: skip


@pytest.mark.parametrize(("call", "wanted"), METHODS, ids=range(len(METHODS)))
def test_methods_take_both_spellings_of_their_arguments(call: Any, wanted: Any) -> None:
    assert plain(call()) == plain(wanted)


def test_nan_is_the_most_extreme_of_all_and_sorts_last() -> None:
    x = Tensor([1.0, NAN, 3.0, 2.0])
    for value, index in (ops.max(x, 0), ops.min(x, 0), ops.median(x)):
        assert math.isnan(value.item()) and index.item() == 1
    assert x.argmax().item() == x.argmin().item() == 1
    assert ops.argsort(x).tolist() == [0, 3, 2, 1] and ops.argsort(x, 0, True).tolist() == [1, 2, 3, 0]
    assert ops.cummax(x, 0)[1].tolist() == ops.cummin(x, 0)[1].tolist() == [0, 1, 1, 1]
    assert ops.nanmedian(x)[0].item() == 2.0 and math.isnan(ops.nanmedian(Tensor([NAN, NAN]))[0].item())
    assert math.isnan(ops.quantile(x, 0.1).item()) and ops.nanquantile(x, 0.5).item() == 2.0
    assert (ops.nansum(x).item(), ops.nanmean(x).item()) == (6.0, 2.0)
    holed = Tensor([[1.5, NAN, -0.5, 0.25], [1.0, NAN, NAN, 2.0]])
    for name in ("nansum", "nanmean"):
        got, want = getattr(ops, name)(holed, 0, True), getattr(np, name)(holed.asnumpy()[:, ::2], 0, keepdims=True)
        np.testing.assert_allclose(got.asnumpy()[:, ::2], want, rtol=1e-6)
    shares = ops.nanquantile(holed, [0.25, 0.9], 1)
    np.testing.assert_allclose(shares.asnumpy(), np.nanquantile(holed.asnumpy(), [0.25, 0.9], 1), rtol=1e-6)
    slopes = grad(lambda t: ops.nanmean(t, 1))(holed)
    np.testing.assert_allclose(slopes.asnumpy(), [[1 / 3, 0, 1 / 3, 1 / 3], [0.5, 0, 0, 0.5]], rtol=1e-6)


def test_float16_is_accumulated_in_float32() -> None:
    x = Tensor(np.full((3000, 2), 30.0, np.float16))
    assert (ops.mean(x, 0).tolist(), ops.sum(x, 0).tolist()) == ([30.0, 30.0], [INF, INF])
    ones = Tensor(np.ones((3000, 1), np.float16))
    assert ops.sum(ones, 0).tolist() == [3000.0] and ops.cumsum(ones, 0)[-1].tolist() == [3000.0]
    assert ops.norm(Tensor(np.full(4, 300.0, np.float16))).item() == 600.0
    assert ops.std(Tensor(np.array([0.0, 1000.0], np.float16))).item() == 500.0


@pytest.mark.parametrize("shape", [(64, 10), (64, 256), (7, 5000), (300, 1024)])
@pytest.mark.parametrize("kind", ["small", "shifted", "alike", "two values"])
def test_sums_and_spread_are_as_exact_as_numpys(shape: tuple[int, int], kind: str) -> None:
    noise = np.random.RandomState(0).randn(*shape)
    values = {
        "small": noise * 1e-3 + 1e-3, "shifted": noise + 100, "alike": np.full(shape, 0.1), "two values": np.sign(noise)
    }[kind].astype(np.float32)  # fmt: skip
    exact, x = values.astype(np.float64), Tensor(values)
    for found, wanted in ((x.sum(), exact.sum()), (x.mean(), exact.mean())):
        assert found.item() == pytest.approx(wanted, rel=1e-6, abs=1e-6 * abs(exact).mean())
    assert x.std().item() == pytest.approx(exact.std(), rel=2e-6, abs=1e-7)
    assert x.var().item() == pytest.approx(exact.var(), rel=4e-6, abs=1e-7)
    assert abs(grad(lambda t: t.std())(Tensor(np.full(shape, 0.1, np.float32))).asnumpy()).max() < 1e-6 / x.size


def test_spread_of_what_is_not_finite_or_has_no_degree_of_freedom() -> None:
    for values in ([1.0, INF], [1.0, math.nan], [], [2.0]):
        x = Tensor(np.array(values, np.float32))
        assert math.isnan(ops.std(x, ddof=1).item()) and math.isnan(ops.var(x, 0, 1).item())
    assert ops.std(Tensor([1.0, 2.0]), ddof=2).item() == INF == ops.var(Tensor([[1.0, 2.0]]), 1, 2).item()


def test_logarithms_of_sums_do_not_overflow() -> None:
    assert ops.logsumexp(Tensor([-INF, -INF]), 0).item() == -INF and ops.logsumexp(Tensor([INF, 1.0]), 0).item() == INF
    x = Tensor([-INF, 0.0, 1000.0])
    assert ops.logcumsumexp(x, 0).tolist() == [-INF, 0.0, 1000.0]
    assert grad(lambda t: ops.logcumsumexp(t, 0))(x).tolist() == [0.0, 1.0, 1.0]
    low = np.finfo(np.float32).min
    y = ops.CumulativeLogsumexp(exclusive=True, reverse=True)(X, 1)
    np.testing.assert_allclose(y.asnumpy(), [[3.3132617, 2, low], [6.126928, 6, low]], rtol=1e-6)


def test_empty_tensors_reduce_to_the_neutral_element() -> None:
    empty = Tensor(np.ones((0, 3)))
    assert (ops.sum(empty).item(), ops.prod(empty).item(), ops.norm(empty).item()) == (0.0, 1.0, 0.0)
    assert ops.amax(empty, 1).shape == ops.max(empty, 1)[1].shape == (0,)
    assert ops.logsumexp(empty, 0).tolist() == [-INF] * 3 and math.isnan(ops.mean(empty).item())
    assert ops.unique_consecutive(empty).shape == (0,) and ops.bincount(Tensor(np.ones(0))).shape == (0,)


@pytest.mark.parametrize(
    ("function", "at", "slopes"),
    [
        (lambda x: ops.max(x)[0], [3.0, 3.0, 1.0], [0.5, 0.5, 0]),
        (lambda x: x.max(axis=0), [3.0, 3.0, 1.0], [1, 0, 0]),
        (lambda x: ops.aminmax(x), [3.0, 3.0, 1.0, 1.0], [1, 0, 1, 0]),
        (lambda x: ops.aminmax(x, axis=None), [3.0, 3.0, 1.0, 1.0], [0.5] * 4),
        (lambda x: x.ptp(), [3.0, 3.0, 1.0, 1.0], [0.5, 0.5, -0.5, -0.5]),
        (lambda x: ops.amax(x, initial=3.0), [3.0, 1.0], [0.25, 0]),
        (lambda x: ops.std(x), [2.0, 2.0, 2.0], [0, 0, 0]),
        (lambda x: ops.norm(x, 0.5), [0.0, 1.0, 4.0], [0, 3, 1.5]),
        (lambda x: ops.norm(x, 3), [0.0, 0.0], [0, 0]),
        (lambda x: ops.cdist(x.reshape(2, 1), x.reshape(2, 1)), [1.0, 3.0], [-2, 2]),
        (lambda x: ops.sort(x)[0] * Tensor([1.0, 2.0, 3.0]), [2.0, 1.0, 2.0], [2, 1, 3]),
        (lambda x: ops.bincount(Tensor([1, 1, 0]), x) * Tensor([2.0, 3.0]), [1.0, 1.0, 1.0], [3, 3, 2]),
        (lambda x: ops.cumprod(x, 0), [2.0, 0.0, 3.0, 0.0], [1, 2 + 6, 0, 0]),
        (lambda x: ops.ReduceSum()(x) * ops.ReduceStd()(x)[1], [1.0, 3.0], [4, 4]),
    ],
)
def test_conventions_at_corners_and_ties(function: Any, at: list[float], slopes: list[float]) -> None:
    np.testing.assert_allclose(grad(function)(Tensor(at)).asnumpy(), slopes, rtol=1e-6)


def test_second_derivatives() -> None:
    x = Tensor([1.0, -2.0, 0.5])
    for function, wanted in (
        (lambda t: t.sum() * t.sum(), [6.0, 6.0, 6.0]),
        (lambda t: t.sum() ** 2 + (t * t).mean() * 3, [8.0, 8.0, 8.0]),
        (lambda t: ops.var(t) * 3, [0.0, 0.0, 0.0]),
        (lambda t: ops.cumsum(t, 0) ** 2, [12.0, 10.0, 6.0]),
        (lambda t: ops.sort(t)[0] ** 3, [6.0, -12.0, 3.0]),
    ):
        slope = grad(lambda t, f=function: grad(f)(t).sum())(x)  # type: ignore[misc]
        np.testing.assert_allclose(slope.asnumpy(), wanted, rtol=1e-5, atol=1e-5)
    zeros = Tensor(np.array([[0.5, 0.0, 2.0, 0.0, -1.5], [0.0, 0.0, 0.0, 1.0, 2.0]]))
    for exclusive in (False, True):
        assert gradcheck(lambda t, e=exclusive: ops.CumProd(e)(t, 1) * ops.CumProd(e, True)(t, -1), zeros, order=2)


def test_numbers_and_lists_are_taken_as_tensors() -> None:
    assert ops.sum([1.0, 2.0]).item() == 3.0 and ops.mean(3).item() == 3.0 and ops.std([1.0, 2.0]).item() == 0.5
    assert ops.max([1, 3, 2], 0)[1].item() == 1 and ops.sort([2, 1])[0].tolist() == [1, 2]
    assert ops.norm([3.0, 4.0]).item() == 5.0 and ops.topk([1, 3, 2], 1)[0].tolist() == [3]
    assert ops.cov([1.0, 2.0, 4.0]).item() == pytest.approx(7 / 3) and ops.diff([1, 4]).tolist() == [3]
