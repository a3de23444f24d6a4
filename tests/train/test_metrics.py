"""Metrics beside counts by hand, over one batch and several, and what they refuse."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from teachcell import Tensor, train
from teachcell.train import get_metric_fn, rearrange_inputs

DRAWS = np.random.default_rng(1)
SCORES = DRAWS.random((12, 3))
LABELS = DRAWS.integers(0, 3, 12)
PREDICTED = SCORES.argmax(1)
MARKS, TRUE_MARKS = DRAWS.integers(0, 2, (5, 4)), DRAWS.integers(0, 2, (5, 4))


def over(metric: train.Metric, *batches: tuple[Any, ...], **options: Any) -> Any:
    for batch in batches:
        metric.update(*batch)
    return metric.eval(**options)


def per_class(ratio: Any) -> np.ndarray:
    """``ratio(hits, predictions, labels)`` for each class, 0 for 0 / 0."""
    predicted, true = list(PREDICTED), list(LABELS)
    hits = [p for p, t in zip(predicted, true, strict=True) if p == t]
    return np.array([ratio(hits.count(c), predicted.count(c), true.count(c)) for c in range(3)])


# Classification -----------------------------------------------------------------------------------------------------


def test_accuracy() -> None:
    want = (PREDICTED == LABELS).mean()
    assert over(train.Accuracy(), (Tensor(SCORES), Tensor(LABELS))) == want
    assert over(train.Accuracy(), (SCORES, np.eye(3)[LABELS])) == want
    assert over(train.Accuracy(), (SCORES[:5], LABELS[:5]), (SCORES[5:].tolist(), LABELS[5:].tolist())) == want
    pixels, classes = DRAWS.random((2, 3, 2, 2)), DRAWS.integers(0, 3, (2, 2, 2))
    assert over(train.Accuracy(), (pixels, classes)) == (pixels.argmax(1) == classes).mean()
    marks = np.vstack([MARKS, TRUE_MARKS[:2]]), np.vstack([TRUE_MARKS, TRUE_MARKS[:2]])
    assert over(train.Accuracy("multilabel"), marks) == (marks[0] == marks[1]).all(1).mean()


@pytest.mark.parametrize(
    ("metric", "ratio"),
    [
        (train.Precision(), lambda hits, predicted, true: hits / predicted),
        (train.Recall(), lambda hits, predicted, true: hits / true),
        (train.F1(), lambda hits, predicted, true: 2 * hits / (predicted + true)),
        (train.Fbeta(2), lambda hits, predicted, true: 5 * hits / (4 * true + predicted)),
    ],
    ids=lambda x: type(x).__name__,
)
def test_shares_per_class(metric: Any, ratio: Any) -> None:
    want = per_class(ratio)
    np.testing.assert_allclose(over(metric, (SCORES[:7], LABELS[:7]), (SCORES[7:], LABELS[7:])), want)
    assert metric.eval(average=True) == pytest.approx(want.mean())
    np.testing.assert_allclose(metric(SCORES, np.eye(3)[LABELS]), want)


def test_shares_per_sample_with_several_labels() -> None:
    both, marked, true = (MARKS & TRUE_MARKS).sum(1), MARKS.sum(1), TRUE_MARKS.sum(1)
    batches = ((MARKS[:2], TRUE_MARKS[:2]), (MARKS[2:], TRUE_MARKS[2:]))
    for metric, below in ((train.Precision("multilabel"), marked), (train.Recall("multilabel"), true)):
        want = np.where(below > 0, both / np.maximum(below, 1), 0)
        np.testing.assert_allclose(over(metric, *batches), want)
        assert metric.eval(True) == pytest.approx(want.mean())


def test_a_class_without_predictions_counts_as_0() -> None:
    assert over(train.Precision(), (np.array([[0.9, 0.1]]), np.array([0]))).tolist() == [1.0, 0.0]


def test_top_k() -> None:
    scores, labels = DRAWS.random((20, 8)), DRAWS.integers(0, 8, 20)
    for metric, k in (
        (train.TopKCategoricalAccuracy(2), 2), (train.Top1CategoricalAccuracy(), 1),
        (train.Top5CategoricalAccuracy(), 5),
    ):  # fmt: skip
        want = np.mean([label in np.argsort(-row)[:k] for row, label in zip(scores, labels, strict=True)])
        assert over(metric, (scores[:9], labels[:9]), (scores[9:], np.eye(8)[labels[9:]])) == want


@pytest.mark.parametrize("normalize", ["no_norm", "target", "prediction", "all"])
def test_the_confusion_matrix(normalize: str) -> None:
    pairs = list(zip(LABELS, PREDICTED, strict=True))
    counts = np.array([[pairs.count((i, j)) for j in range(3)] for i in range(3)], float)
    below = {
        "no_norm": 1, "target": counts.sum(1, keepdims=True), "prediction": counts.sum(0, keepdims=True), "all": 12
    }[normalize]  # fmt: skip
    metric = train.ConfusionMatrix(3, normalize)
    np.testing.assert_allclose(over(metric, (SCORES[:4], LABELS[:4]), (PREDICTED[4:], LABELS[4:])), counts / below)


def test_the_confusion_matrix_of_two_classes_and_of_rare_ones() -> None:
    assert train.ConfusionMatrix(2, threshold=0.5)([0.2, 0.6, 0.7], [0, 1, 0]).tolist() == [[1, 1], [0, 1]]
    assert train.ConfusionMatrix(3, "target")([0, 1], [0, 0]).tolist() == [[0.5, 0.5, 0], [0, 0, 0], [0, 0, 0]]


# Curves -------------------------------------------------------------------------------------------------------------


def test_the_roc_curve_and_the_area_under_it() -> None:
    scores, labels = np.array([0.1, 0.4, 0.35, 0.8, 0.8]), np.array([0, 0, 1, 1, 0])
    false, true, thresholds = over(train.ROC(pos_label=1), (scores[:3], labels[:3]), (scores[3:], labels[3:]))
    for at, f, t in zip(thresholds, false, true, strict=True):
        assert (f, t) == (np.mean(scores[labels == 0] >= at), np.mean(scores[labels == 1] >= at))
    assert thresholds.tolist() == [1.8, 0.8, 0.4, 0.35, 0.1]
    pairs = [(p > n) + (p == n) / 2 for p in scores[labels == 1] for n in scores[labels == 0]]
    assert train.auc(false, true) == pytest.approx(np.mean(pairs))


def test_the_roc_curves_of_several_classes() -> None:
    false, true, thresholds = over(train.ROC(3), (SCORES, LABELS))
    alone = over(train.ROC(pos_label=2), (SCORES[:, 2], LABELS))
    assert len(false) == len(true) == len(thresholds) == 3
    for one, several in zip(alone, (false, true, thresholds), strict=True):
        assert one.tolist() == several[2].tolist()


def test_areas() -> None:
    assert train.auc([0, 0.25, 1], [0, 0.8, 1]) == pytest.approx(0.1 + 0.675)
    assert train.auc([1, 0.25, 0], [1, 0.8, 0]) == train.auc([1, 0, 0.25], [1, 0, 0.8], reorder=True)


# Numbers ------------------------------------------------------------------------------------------------------------


def test_errors_per_sample() -> None:
    a, b = DRAWS.random((4, 3)), DRAWS.random((4, 3))
    assert over(train.MAE(), (a[:1], b[:1]), (a[1:], b[1:])) == pytest.approx(np.abs(a - b).sum() / 4)
    assert over(train.MSE(), (Tensor(a), Tensor(b))) == pytest.approx(((a - b) ** 2).sum() / 4)
    assert over(train.MSE(), (a[:, 0], b[:, 0])) == pytest.approx(((a[:, 0] - b[:, 0]) ** 2).mean())
    assert over(train.MAE(), (1.0, 3.0)) == 2.0


def test_the_mean_loss() -> None:
    assert over(train.Loss(), (Tensor(2.0),), (Tensor([3.0, 5.0]),), (6.0,)) == 4.0


def test_perplexity() -> None:
    p = SCORES / SCORES.sum(1, keepdims=True)
    true = p[np.arange(12), LABELS]
    found = over(train.Perplexity(), (p[:5], LABELS[:5]), (p[5:], LABELS[5:]))
    assert found == pytest.approx(math.exp(-np.log(true).mean()))
    kept = LABELS != 1
    assert over(train.Perplexity(1), (p, LABELS)) == pytest.approx(math.exp(-np.log(true[kept]).mean()))
    assert over(train.Perplexity(), (p.reshape(4, 3, 3), LABELS.reshape(4, 3))) == over(train.Perplexity(), (p, LABELS))
    assert over(train.Perplexity(), ([[0.0, 1.0]], [0])) == pytest.approx(1e10)


@pytest.mark.parametrize("similarity", ["cosine", "dot"])
@pytest.mark.parametrize("reduction", ["none", "sum", "mean"])
@pytest.mark.parametrize("zero_diagonal", [True, False])
def test_likeness_of_rows(similarity: str, reduction: str, zero_diagonal: bool) -> None:
    rows = np.array([[1.0, 2.0], [3.0, 1.0], [0.0, 1.0]])
    want = np.array([[a @ b for b in rows] for a in rows])
    if similarity == "cosine":
        want /= np.outer(*[np.sqrt((rows**2).sum(1))] * 2)
    if zero_diagonal:
        want[np.arange(3), np.arange(3)] = 0
    want = want if reduction == "none" else want.sum(1) / (3 if reduction == "mean" else 1)
    np.testing.assert_allclose(train.CosineSimilarity(similarity, reduction, zero_diagonal)(rows), want)


# The base -----------------------------------------------------------------------------------------------------------


class Last(train.Metric):
    def __init__(self) -> None:
        super().__init__()
        self.clear()

    def clear(self) -> None:
        self.seen: tuple[Any, ...] = ()

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        self.seen = inputs

    def eval(self) -> Any:
        return [self._convert_data(x).tolist() for x in self.seen]


def test_a_metric_of_ones_own() -> None:
    metric = Last()
    assert metric(Tensor([1.0]), [2], 3) == [[1.0], [2], 3] and metric.indexes is None
    assert metric.set_indexes([2, 0]) is metric and metric.indexes == [2, 0] and metric(1, 2, 3) == [3, 1]
    assert train.Accuracy().set_indexes([0, 2])(SCORES, None, LABELS) == train.Accuracy()(SCORES, LABELS)
    with pytest.raises(TypeError, match="abstract"):
        train.Metric()  # type: ignore[abstract]


def test_metrics_by_name() -> None:
    assert isinstance(get_metric_fn("acc"), train.Accuracy) and get_metric_fn("topk", 3).k == 3
    assert get_metric_fn("precision", eval_type="multilabel").eval_type == "multilabel"
    plain = [name for name in train.names() if name not in ("topk", "confusion_matrix")]
    assert {"loss", "mae", "F1", "perplexity"} <= set(plain)
    assert all(isinstance(get_metric_fn(name), train.Metric) for name in plain)


def test_clear_forgets() -> None:
    for name in ("acc", "precision", "loss", "mae", "perplexity", "roc", "cosine_similarity", "top_1_accuracy"):
        metric = get_metric_fn(name)
        metric.update(*{"loss": (1.0,), "cosine_similarity": (SCORES,)}.get(name, _inputs(name)))
        metric.clear()
        with pytest.raises(RuntimeError, match=f"{type(metric).__name__} has seen no data yet; call update"):
            metric.eval()


def _inputs(name: str) -> tuple[Any, Any]:
    return (SCORES[:, 0], LABELS) if name in ("mae", "roc") else (SCORES, LABELS)


@pytest.mark.parametrize(
    ("act", "kind", "text"),
    [
        (lambda: train.Accuracy("both"), ValueError, "eval_type must be one of 'classification', 'multilabel'"),
        (lambda: train.Accuracy()(SCORES), ValueError, r"Accuracy.update takes 2 input\(s\), got 1"),
        (lambda: train.Accuracy()(SCORES, "x"), TypeError, "Accuracy takes Tensors, .* got str"),
        (lambda: train.Accuracy()(SCORES, LABELS[:2]), ValueError, r"\(12, 3\) do not fit .* \(2,\), expected \(12,\)"),
        (lambda: train.Accuracy()(LABELS, LABELS), ValueError, "Accuracy: predictions of shape"),
        (lambda: train.Accuracy()(SCORES, LABELS + 1), ValueError, r"Accuracy: a class lies outside of \[0, 3\)"),
        (lambda: over(train.Accuracy(), (SCORES, LABELS), (SCORES[:, :2], LABELS * 0)), ValueError, "3 and is 2 now"),
        (lambda: train.Accuracy("multilabel")(LABELS, LABELS), ValueError, r"expected \(N, C, …\)"),
        (lambda: train.Recall("multilabel")(MARKS, MARKS[:2]), ValueError, r"expected \(2, 4\)"),
        (lambda: train.Fbeta(0), ValueError, r"Fbeta.beta must"),
        (lambda: train.TopKCategoricalAccuracy(0), ValueError, "k must be a positive int, got 0"),
        (lambda: train.Top5CategoricalAccuracy()(SCORES, LABELS), ValueError, "at least k = 5 classes"),
        (lambda: train.ConfusionMatrix(0), ValueError, "num_classes must be a positive int"),
        (lambda: train.ConfusionMatrix(3, "rows"), ValueError, "normalize must be one of 'no_norm', 'target'"),
        (lambda: train.ConfusionMatrix(2)(PREDICTED + 1, LABELS), ValueError, "ConfusionMatrix: a class lies outside"),
        (lambda: train.ConfusionMatrix(3)(PREDICTED, LABELS[:2]), ValueError, "ConfusionMatrix: predictions of shape"),
        (lambda: train.MAE()([1.0], [1.0, 2.0]), ValueError, "MAE: predictions of shape"),
        (lambda: train.Perplexity("a"), TypeError, "ignore_label must be an int or None, got 'a'"),
        (lambda: train.Perplexity()(SCORES, LABELS[:2]), ValueError, "Perplexity: predictions of shape"),
        (lambda: train.Perplexity()(SCORES, LABELS + 1), ValueError, "Perplexity: a class lies outside"),
        (lambda: train.CosineSimilarity("angle"), ValueError, "similarity must be one of 'cosine', 'dot'"),
        (lambda: train.CosineSimilarity(reduction="max"), ValueError, "reduction must be one of 'none', 'sum'"),
        (lambda: train.CosineSimilarity()(LABELS), ValueError, r"CosineSimilarity: x has shape \(12,\)"),
        (lambda: train.ROC()(SCORES, LABELS), ValueError, "ROC: predictions of shape"),
        (lambda: train.ROC()(SCORES[:, 0], LABELS * 0), ValueError, "there must be positive and negative labels"),
        (lambda: train.auc([1], [1]), ValueError, r"at least 2 numbers, got \(1,\) and \(1,\)"),
        (lambda: train.auc([0, 1, 0.5], [0, 1, 1]), ValueError, "x must rise or fall all the way"),
        (lambda: train.MAE().set_indexes(3), ValueError, "set_indexes takes a list of ints, got 3"),
        (lambda: Last().set_indexes([0, 5])(1, 2), IndexError, r"indexes \[0, 5\] do not fit 2 input"),
        (lambda: get_metric_fn("nope"), KeyError, "unknown metric 'nope'; known: F1, acc"),
    ],
)
def test_metrics_refuse(act: Any, kind: type[Exception], text: str) -> None:
    with pytest.raises(kind, match=text):
        act()


def test_perplexity_of_a_number_is_refused() -> None:
    with pytest.raises(ValueError, match="prediction"):
        train.Perplexity().update(Tensor(1.0), Tensor(1))
