"""Losses in all their forms: labels and probabilities, weights, class forms, extremes, what does not fit."""

from __future__ import annotations

import tracemalloc
from typing import Any

import numpy as np
import pytest
from ops.samples.activation import softmax
from ops.samples.losses import WEIGHTS, binary, cross_entropy, kl_div, nll, reduced

import teachcell as tc
from teachcell import Tensor, grad, gradcheck, ops
from teachcell.kernels import losses

DRAWS = np.random.default_rng(3)
REDUCTIONS = ("mean", "sum", "none")


def drawn(*shape: int) -> Tensor:
    return Tensor(DRAWS.normal(size=shape))


# Labels -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("reduction", ["mean", "sum", "none"])
def test_cross_entropy_of_labels_and_of_probabilities_agree(reduction: str) -> None:
    logits, labels = drawn(5, 3), np.array([0, 2, 1, 1, 0])
    want = cross_entropy(logits.asnumpy(), labels, reduction=reduction)
    for target in (Tensor(labels), Tensor(labels.astype(np.int32)), Tensor(np.eye(3)[labels])):
        got = ops.cross_entropy(logits, target, reduction=reduction)
        np.testing.assert_allclose(got.asnumpy(), want, rtol=1e-10)
        assert gradcheck(lambda z, t=target: ops.cross_entropy(z, t, reduction=reduction), logits, order=2)


def test_the_gradient_of_cross_entropy_is_softmax_minus_one_hot_over_the_rows_used() -> None:
    logits, labels = drawn(3, 4), np.array([1, -100, 3])
    got = grad(lambda z: ops.cross_entropy(z, Tensor(labels)))(logits).asnumpy()
    want = (softmax(logits.asnumpy()) - np.eye(4)[np.where(labels < 0, 0, labels)]) / 2
    want[1] = 0
    np.testing.assert_allclose(got, want, atol=1e-12)


def test_cross_entropy_of_rows_that_are_all_ignored_is_zero() -> None:
    logits = drawn(2, 3)
    value = ops.cross_entropy(logits, Tensor([-100, -100]))
    assert value.item() == 0 and not grad(lambda z: ops.cross_entropy(z, Tensor([-100, -100])))(logits).asnumpy().any()


@pytest.mark.parametrize(
    ("logits", "labels", "text"),
    [
        (drawn(2, 3), Tensor([0, 3]), r"labels must lie in 0 … 2, the number of classes being 3"),
        (drawn(2, 3), Tensor([0, -1]), r"labels must lie in 0 … 2"),
        (drawn(3), Tensor([0]), r"logits must be \(N, C, …\)"),
        (drawn(2, 3), Tensor([0]), r"CrossEntropy failed on \(2, 3\) float64 × \(1,\) int64"),
    ],
)
def test_cross_entropy_says_what_does_not_fit(logits: Tensor, labels: Tensor, text: str) -> None:
    with pytest.raises(ValueError, match=text):
        ops.cross_entropy(logits, labels)
    with pytest.raises(ValueError, match="reduction must be"):
        ops.cross_entropy(logits, labels, reduction="average")


def test_losses_of_integers_are_floats() -> None:
    x, t = Tensor([1, 4]), Tensor([2, 2])
    assert ops.mse_loss(x, t, "none").dtype == ops.l1_loss(x > 2, t > 2).dtype == tc.float32
    assert ops.margin_ranking_loss(x, t, Tensor([1, 1]), reduction="sum").dtype == tc.float32
    assert ops.cosine_embedding_loss(x, t, Tensor(1)).asnumpy() == pytest.approx(1 - 10 / (136**0.5), abs=1e-6)


def test_integer_logits_are_floats() -> None:
    assert ops.cross_entropy(Tensor([[0, 0]]), Tensor([1])).item() == pytest.approx(np.log(2))


@pytest.mark.parametrize("how", [{}, {"label_smoothing": 0.2}, {"weight": WEIGHTS, "label_smoothing": 0.3}])
@pytest.mark.parametrize("shape", [(3,), (4, 3), (2, 3, 2), (2, 3, 2, 2)])
def test_probabilities_as_targets(shape: tuple[int, ...], how: dict[str, Any]) -> None:
    logits = drawn(*shape)
    target = Tensor(softmax(DRAWS.normal(size=shape), min(len(shape) - 1, 1)))
    for reduction in REDUCTIONS:
        got = ops.cross_entropy(logits, target, reduction=reduction, **how)
        want = cross_entropy(logits.asnumpy(), target.asnumpy(), reduction=reduction, **how)
        np.testing.assert_allclose(got.asnumpy(), want, rtol=1e-10)
    assert gradcheck(lambda z, t: ops.cross_entropy(z, t, **how), logits, target, order=2)


def test_one_row_and_positional_arguments() -> None:
    logits, labels = drawn(3), Tensor(2)
    np.testing.assert_allclose(ops.cross_entropy(logits, labels).item(), -np.log(softmax(logits.asnumpy())[2]))
    assert ops.cross_entropy(logits, labels, reduction="none").shape == () == ops.nll_loss(logits, labels).shape
    many, of_many = drawn(4, 3), np.array([0, 5, 2, 1])
    got = ops.cross_entropy(many, Tensor(of_many), Tensor(WEIGHTS), 5, "sum", 0.1)
    want = cross_entropy(many.asnumpy(), of_many, WEIGHTS, 5, "sum", 0.1)
    np.testing.assert_allclose(got.item(), want)
    np.testing.assert_allclose(ops.nll_loss(many, Tensor(of_many), Tensor(WEIGHTS), 5, "none", 0.1).asnumpy(),
                               nll(many.asnumpy(), of_many, WEIGHTS, 5, "none", 0.1))  # fmt: skip


def test_weights_take_the_dtype_of_the_scores() -> None:
    logits = Tensor([[1.0, 2.0, 0.5]], tc.float16)
    assert ops.cross_entropy(logits, Tensor([1]), Tensor(WEIGHTS)).dtype is tc.float16
    assert ops.cross_entropy(logits, ops.softmax(logits), WEIGHTS).dtype is tc.float16
    assert ops.binary_cross_entropy_with_logits(logits, logits, WEIGHTS, WEIGHTS).dtype is tc.float16


def test_a_class_that_is_masked_out_does_not_spoil_the_loss() -> None:
    logits = Tensor([[0.0, -np.inf, 1.0]])
    assert ops.cross_entropy(logits, Tensor([0])).item() == pytest.approx(np.log(1 + np.e))
    slopes = grad(lambda z: ops.cross_entropy(z, Tensor([0])))(logits).asnumpy()
    np.testing.assert_allclose(slopes, [[1 / (1 + np.e) - 1, 0, np.e / (1 + np.e)]], rtol=1e-6)


def test_class_forms_of_labels() -> None:
    z, labels = drawn(4, 3), Tensor([2, 0, 1, 1])
    loss, total = ops.NLLLoss("sum", 1)(z, labels, Tensor(WEIGHTS))
    assert loss.item() == pytest.approx(float(nll(z.asnumpy(), labels.asnumpy(), WEIGHTS, 1, "sum")))
    assert total.item() == 1.5
    onehot = Tensor(np.eye(3)[labels.asnumpy()])
    rows, slopes = ops.SoftmaxCrossEntropyWithLogits()(z, onehot)
    np.testing.assert_allclose(rows.asnumpy(), cross_entropy(z.asnumpy(), labels.asnumpy(), reduction="none"))
    sparse = ops.SparseSoftmaxCrossEntropyWithLogits()
    of_mean = grad(lambda t: sparse(t, labels))(z).asnumpy()
    np.testing.assert_allclose(slopes.asnumpy() / 4, of_mean)
    np.testing.assert_allclose(ops.SparseSoftmaxCrossEntropyWithLogits(is_grad=True)(z, labels).asnumpy(), of_mean)
    assert sparse(z, labels).item() == pytest.approx(rows.asnumpy().mean())


# Probabilities ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("reduction", REDUCTIONS)
def test_binary_cross_entropy_and_divergence(reduction: str) -> None:
    p, t = Tensor(DRAWS.uniform(0.1, 0.9, (2, 3))), Tensor(DRAWS.uniform(0.1, 0.9, (2, 3)))
    for weight in (1.0, WEIGHTS):
        want = reduced(binary(p.asnumpy(), t.asnumpy(), weight), reduction)
        given = Tensor(np.asarray(weight))
        np.testing.assert_allclose(ops.binary_cross_entropy(p, t, given, reduction).asnumpy(), want)
        np.testing.assert_allclose(ops.BinaryCrossEntropy(reduction)(p, t, given).asnumpy(), want)
    np.testing.assert_allclose(ops.kl_div(p, t, reduction).asnumpy(), kl_div(p.asnumpy(), t.asnumpy(), reduction))
    per_row = float(kl_div(p.asnumpy(), t.asnumpy(), "batchmean"))
    assert ops.KLDivLoss("batchmean")(p, t).item() == pytest.approx(per_row)
    assert ops.BCEWithLogitsLoss(reduction)(p, t, given, given).shape == (() if reduction != "none" else (2, 3))


def test_certain_probabilities_cost_a_hundred_when_wrong() -> None:
    p, t = Tensor([0.0, 1.0, 0.0, 1.0]), Tensor([0.0, 1.0, 1.0, 0.0])
    assert ops.binary_cross_entropy(p, t, reduction="none").tolist() == [0, 0, 100, 100]
    for dtype in (tc.float16, tc.float32, tc.float64):
        slopes = grad(lambda a, d=dtype: ops.binary_cross_entropy(a.astype(d), t.astype(d)))(p).asnumpy()
        assert np.isfinite(slopes[:2]).all() and slopes[2] < -1e3 and slopes[3] > 1e3


def test_far_logits_cost_their_size_when_wrong() -> None:
    z, t = Tensor([1000.0, -1000.0, 1000.0, -1000.0]), Tensor([0.0, 1.0, 1.0, 0.0])
    for dtype in (tc.float16, tc.float32):
        cost = ops.binary_cross_entropy_with_logits(z.astype(dtype), t.astype(dtype), reduction="none")
        assert (cost.dtype, cost.tolist()) == (dtype, [1000, 1000, 0, 0])
    weighted = ops.binary_cross_entropy_with_logits(z, t, pos_weight=[3.0], reduction="none")
    assert weighted.tolist() == [1000, 3000, 0, 0]
    assert grad(lambda a: ops.binary_cross_entropy_with_logits(a, t, reduction="sum"))(z).tolist() == [1, -1, 0, 0]
    assert ops.soft_margin_loss(z, Tensor([-1.0, 1.0, 1.0, -1.0]), "none").tolist() == [1000, 1000, 0, 0]


def test_divergence_where_a_probability_is_zero() -> None:
    logp, q = Tensor([-np.inf, 0.0]), Tensor([0.0, 1.0])
    assert ops.kl_div(logp, q, "sum").item() == 0
    assert grad(lambda a: ops.kl_div(a, q, "sum"))(logp).tolist() == [0, -1]


# Numbers, margins, distances ----------------------------------------------------------------------------------------


def test_class_forms_of_numbers_and_margins() -> None:
    x, y, labels = drawn(4, 3), drawn(4, 3), Tensor([2, 0, 1, 1])
    signs = Tensor(np.sign(y.asnumpy()))
    for form, function in (
        (ops.SmoothL1Loss(0.5, "sum")(x, y), ops.smooth_l1_loss(x, y, 0.5, "sum")),
        (ops.MultiMarginLoss(2, 0.5, "sum")(x, labels), ops.multi_margin_loss(x, labels, 2, 0.5, None, "sum")),
        (ops.SoftMarginLoss()(x, signs), ops.soft_margin_loss(x, signs)),
        (ops.TripletMarginLoss(swap=True)(x, y, -x, 0.5), ops.triplet_margin_loss(x, y, -x, 0.5, swap=True)),
    ):
        assert form.item() == function.item()
    assert ops.L2Loss()(x).item() == pytest.approx((x.asnumpy() ** 2).sum() / 2)
    lists = Tensor([[1, 2, -1], [0, -1, 2], [-1, 0, 1], [0, 1, 2]])
    loss, among = ops.MultilabelMarginLoss("none")(x, lists)
    assert loss.tolist() == ops.multilabel_margin_loss(x, lists, "none").tolist()
    assert among.tolist() == [[0, 1, 1], [1, 0, 0], [0, 0, 0], [1, 1, 1]]


def test_equal_points_have_a_finite_gradient() -> None:
    x = ops.zeros((2, 3))
    for slope in (
        grad(lambda a: ops.triplet_margin_loss(a, x, x))(x), grad(ops.l1_loss)(x, x), grad(ops.mse_loss)(x, x),
        grad(lambda a: ops.cosine_embedding_loss(a, x, Tensor([1, -1])))(x),
    ):  # fmt: skip
        assert np.isfinite(slope.asnumpy()).all()


def test_numbers_as_targets() -> None:
    x = Tensor([1.0, 3.0], tc.float16)
    assert ops.mse_loss(x, 1.0).item() == 2 == ops.mse_loss([1, 3], 1).item() and ops.l1_loss(x, 1).dtype is tc.float16


V = Tensor(np.ones((2, 3)))


@pytest.mark.parametrize(
    ("use", "text"),
    [
        (lambda: ops.cross_entropy(V, Tensor([0, 1]), label_smoothing=1.5), r"label_smoothing must lie in \[0, 1\]"),
        (lambda: ops.cross_entropy(V, Tensor([0, 1]), WEIGHTS[:2]), r"weight needs .* the 3 classes, got shape \(2,\)"),
        (lambda: ops.cross_entropy(V, Tensor([0.0, 1.0])), r"shape of the logits, \(2, 3\), not \(2,\)"),
        (lambda: ops.nll_loss(V, Tensor([0.0, 1.0])), r"NLLLoss failed .* labels integers"),
        (lambda: ops.kl_div(V, V, "batch"), "reduction must be one of 'mean', 'sum', 'none', 'batchmean', got 'batch'"),
        (lambda: ops.mse_loss(V, V, "avg"), "reduction must be one of 'mean', 'sum', 'none', got 'avg'"),
        (lambda: ops.mse_loss(V, Tensor([1.0, 2.0])), r"Sub failed on \(2, 3\) float64 × \(2,\) float64"),
        (lambda: ops.binary_cross_entropy(V * 1.5, V), r"BinaryCrossEntropy failed .* p must lie in \[0, 1\], got 1.5"),
        (lambda: ops.huber_loss(V, V, delta=0.0), r"delta must lie in \(0, ∞\), got 0.0"),
        (lambda: ops.smooth_l1_loss(V, V, -1.0), r"beta must lie in \[0, ∞\), got -1.0"),
        (lambda: ops.gaussian_nll_loss(V, V, -V), r"var must lie in \[0, ∞\), got -1.0"),
        (lambda: ops.gaussian_nll_loss(V, V, V[0]), r"variances have shape \(3,\); .* input's, \(2, 3\)"),
        (lambda: ops.cosine_embedding_loss(V, V, V[:, :1]), r"target has shape \(2, 1\), .* each of \(2,\)"),
        (lambda: ops.cosine_embedding_loss(V, V, V[:, 0], 2.0), r"margin must lie in \[−1, 1\], got 2.0"),
        (lambda: ops.multi_margin_loss(V, Tensor([0, 3])), "labels must lie in 0 … 2"),
        (lambda: ops.multi_margin_loss(V, Tensor([[0], [1]])), r"for scores \(N, C\); got \(2, 1\) for \(2, 3\)"),
        (lambda: ops.multi_margin_loss(V, Tensor([0, 1]), p=3), r"p must lie in \{1, 2\}, got 3"),
        (lambda: ops.multilabel_margin_loss(V, Tensor([0, 1])), r"got \(2,\) for \(2, 3\)"),
        (lambda: ops.triplet_margin_loss(V, V, V, p=0), r"p must lie in \(0, ∞\), got 0"),
    ],
)
def test_what_does_not_fit_is_refused(use: Any, text: str) -> None:
    with pytest.raises(ValueError, match=text):
        use()


def test_no_memory_is_kept_for_many_rows() -> None:
    tracemalloc.start()
    for rows in range(1 << 17, (1 << 17) + 8):
        ops.cross_entropy(Tensor(np.zeros((rows, 1), np.float32)), Tensor(np.zeros(rows, np.int32)))
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert kept < 1 << 20


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("scale", [1, 1000])
def test_cross_entropy_that_is_made_for_a_form_is_the_same(dtype: str, scale: float) -> None:
    draws = np.random.default_rng(5)
    for rows, classes, kind in ((1, 10, np.int32), (64, 3, np.int64), (5, 1, np.uint8)):
        logits = (draws.normal(size=(rows, classes)) * scale).astype(dtype)
        for labels in (draws.integers(0, classes, rows).astype(kind), np.zeros(rows, kind)):
            made = losses.cross_entropy_of(logits, labels)
            assert made is not None
            (loss, kept), (want, want_kept) = made(logits, labels), losses.cross_entropy(logits, labels)
            assert type(loss) is type(want) and loss == want
            for name, value in want_kept.items():
                assert type(kept[name]) is type(value)
                np.testing.assert_array_equal(kept[name], value)
        with pytest.raises(ValueError, match="label"):
            made(logits, np.full(rows, classes, kind))
    ignored = np.array([-100, 0], np.int32)
    logits = draws.normal(size=(2, 3)).astype(dtype)
    assert losses.cross_entropy_of(logits, ignored)(logits, ignored)[0] == losses.cross_entropy(logits, ignored)[0]


def test_cross_entropy_is_made_for_means_of_rows_that_count_alike() -> None:
    logits, labels = np.zeros((4, 3), np.float32), np.zeros(4, np.int32)
    assert losses.cross_entropy_of(logits, labels) is not None
    for how in ({"reduction": "sum"}, {"ignore_index": 1}, {"weight": np.ones(3)}, {"label_smoothing": 0.1}):
        assert losses.cross_entropy_of(logits, labels, **how) is None
    for form in ((logits.T, labels[:3]), (logits[:0], labels[:0]), (logits, labels[:3]), (logits, labels > 0)):
        assert losses.cross_entropy_of(*form) is None
