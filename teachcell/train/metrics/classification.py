"""Metrics of classifiers: how often, and for which classes, the prediction is right.

Predictions are scores (N, C, …), of which the largest counts; labels are classes (N, …) or one-hot (N, C, …). With
``eval_type="multilabel"`` both are zeros and ones (N, C, …), and any number of classes may hold at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...kernels.arguments import in_interval, one_of
from ...nn.layers.checks import positive_int
from ...texts import say
from .metric import Metric, rearrange_inputs


class _Classification(Metric):
    """What metrics of classes share: predicted and true classes from the inputs."""

    def __init__(self, eval_type: str = "classification"):
        super().__init__()
        self.eval_type = one_of("eval_type", eval_type, ("classification", "multilabel"))
        self.clear()

    def clear(self) -> None:
        self._classes: int | None = None

    def _predicted_and_true(self, inputs: Sequence[Any]) -> tuple[np.ndarray, np.ndarray, int]:
        """Both as flat classes, and the number of classes."""
        scores, labels = self._arrays(inputs, 2)
        if scores.ndim == labels.ndim and scores.shape == labels.shape and labels.ndim > 1:
            labels = labels.argmax(axis=1)
        without_classes = (*scores.shape[:1], *scores.shape[2:])
        if scores.ndim < 2 or labels.shape != without_classes:
            raise self._shape_error(scores, labels, without_classes)
        self._same_classes(scores.shape[1])
        classes = labels.reshape(-1).astype(np.int64)
        if classes.size and not 0 <= classes.min() <= classes.max() < scores.shape[1]:
            raise ValueError(say("errors.metric_class", cls=type(self).__name__, count=scores.shape[1]))
        return scores.argmax(axis=1).reshape(-1), classes, scores.shape[1]

    def _marks(self, inputs: Sequence[Any]) -> list[np.ndarray]:
        """Zeros and ones of a multilabel batch as rows of classes."""
        predicted, true = self._equal_shapes(inputs)
        if true.ndim < 2:
            raise self._shape_error(predicted, true, "(N, C, …)")
        self._same_classes(true.shape[1])
        return [np.moveaxis(marks, 1, -1).reshape(-1, true.shape[1]) for marks in (predicted, true)]

    def _same_classes(self, count: int) -> None:
        if self._classes not in (None, count):
            raise ValueError(say("errors.metric_classes", cls=type(self).__name__, before=self._classes, got=count))
        self._classes = count


class Accuracy(_Classification):
    """The share of right predictions; with ``"multilabel"`` a prediction is right if all its classes are.

    Args:
        eval_type: ``"classification"`` or ``"multilabel"``.
    """

    def clear(self) -> None:
        super().clear()
        self._right = self._count = 0

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """Predictions and labels of a batch."""
        if self.eval_type == "multilabel":
            predicted, true = self._marks(inputs)
            right = (predicted == true).all(axis=1)
        else:
            predicted, true, _ = self._predicted_and_true(inputs)
            right = predicted == true
        self._right += int(right.sum())
        self._count += right.size

    def eval(self) -> float:
        return self._mean(self._right, self._count)


class _Counts(_Classification):
    """Per class the numbers of hits, of predictions and of labels; with ``"multilabel"`` per sample instead."""

    def clear(self) -> None:
        super().clear()
        self._parts: list[np.ndarray] = []

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """Predictions and labels of a batch."""
        if self.eval_type == "multilabel":
            predicted, true = (marks != 0 for marks in self._marks(inputs))
            self._parts.append(np.stack([(predicted & true).sum(1), predicted.sum(1), true.sum(1)]))
        else:
            predicted, true, classes = self._predicted_and_true(inputs)
            counted = (predicted[predicted == true], predicted, true)
            self._parts.append(np.stack([np.bincount(c, minlength=classes) for c in counted]))

    def _counts(self) -> np.ndarray:
        """(3, classes or samples): hits, predictions, labels."""
        if not self._parts:
            raise RuntimeError(say("errors.metric_empty", cls=type(self).__name__))
        return np.concatenate(self._parts, 1) if self.eval_type == "multilabel" else np.sum(self._parts, axis=0)

    def _ratio(self, above: np.ndarray, below: np.ndarray, average: bool) -> Any:
        """Class by class, 0 where there is nothing to divide by; or its mean."""
        found = np.divide(above, below, out=np.zeros(above.shape), where=below != 0)
        return float(found.mean()) if average else found


class Precision(_Counts):
    """The share of hits among the predictions of each class.

    Args:
        eval_type: ``"classification"``, or ``"multilabel"``: then it is the share of each sample.
    """

    def eval(self, average: bool = False) -> Any:
        """An array with one value per class; or their mean."""
        hits, predictions, _ = self._counts()
        return self._ratio(hits, predictions, average)


class Recall(_Counts):
    """The share of hits among the labels of each class.

    Args:
        eval_type: ``"classification"``, or ``"multilabel"``: then it is the share of each sample.
    """

    def eval(self, average: bool = False) -> Any:
        """An array with one value per class; or their mean."""
        hits, _, labels = self._counts()
        return self._ratio(hits, labels, average)


class Fbeta(_Counts):
    """The weighted harmonic mean of precision and recall: (1 + β²) · hits / (β² · labels + predictions).

    Args:
        beta: how many times as much recall counts.
    """

    def __init__(self, beta: float):
        in_interval("Fbeta.beta", beta, "(0, ∞)")
        super().__init__()
        self.beta = beta

    def eval(self, average: bool = False) -> Any:
        """An array with one value per class; or their mean."""
        hits, predictions, labels = self._counts()
        return self._ratio((1 + self.beta**2) * hits, self.beta**2 * labels + predictions, average)


class F1(Fbeta):
    """The harmonic mean of precision and recall."""

    def __init__(self) -> None:
        super().__init__(1.0)


class TopKCategoricalAccuracy(_Classification):
    """The share of samples whose class is among the ``k`` of the largest scores.

    Args:
        k: how many.
    """

    def __init__(self, k: int):
        super().__init__()
        self.k = positive_int(type(self).__name__, "k", k)

    def clear(self) -> None:
        super().clear()
        self._right = self._count = 0

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """Scores (N, C), and labels (N,) or (N, C), of a batch."""
        scores = self._arrays(inputs, 2)[0]
        _, true, classes = self._predicted_and_true(inputs)
        if scores.ndim != 2 or self.k > classes:
            raise ValueError(say("errors.metric_top_k", k=self.k, shape=scores.shape))
        best = np.argsort(-scores, axis=1, kind="stable")[:, : self.k]
        self._right += int((best == true[:, None]).any(axis=1).sum())
        self._count += len(true)

    def eval(self) -> float:
        return self._mean(self._right, self._count)


class Top1CategoricalAccuracy(TopKCategoricalAccuracy):
    """The share of samples whose class has the largest score."""

    def __init__(self) -> None:
        super().__init__(1)


class Top5CategoricalAccuracy(TopKCategoricalAccuracy):
    """The share of samples whose class is among those of the five largest scores."""

    def __init__(self) -> None:
        super().__init__(5)


class ConfusionMatrix(_Classification):
    """How often class i (row) was taken for class j (column).

    Args:
        num_classes: the number of classes.
        normalize: ``"no_norm"`` for counts, ``"target"`` for shares of each row, ``"prediction"`` of each column,
            ``"all"`` of everything.
        threshold: with predictions of shape (N,) and two classes, from where on they count as class 1.
    """

    def __init__(self, num_classes: int, normalize: str = "no_norm", threshold: float = 0.5):
        self.num_classes = positive_int("ConfusionMatrix", "num_classes", num_classes)
        self.normalize = one_of("normalize", normalize, ("no_norm", "target", "prediction", "all"))
        self.threshold = threshold
        super().__init__()

    def clear(self) -> None:
        super().clear()
        self._matrix = np.zeros((self.num_classes, self.num_classes))

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """Scores (N, C) or classes (N,), and labels (N,), of a batch."""
        predicted, true = self._arrays(inputs, 2)
        if predicted.ndim == true.ndim + 1:
            predicted = predicted.argmax(axis=1)
        if predicted.shape != true.shape:
            raise self._shape_error(predicted, true, true.shape)
        if predicted.dtype.kind == "f":
            predicted = predicted > self.threshold
        both = np.stack([true.reshape(-1), predicted.reshape(-1)]).astype(np.int64)
        if both.size and not 0 <= both.min() <= both.max() < self.num_classes:
            raise ValueError(say("errors.metric_class", cls=type(self).__name__, count=self.num_classes))
        np.add.at(self._matrix, (both[0], both[1]), 1)

    def eval(self) -> np.ndarray:
        if self.normalize == "no_norm":
            return self._matrix.copy()
        axis = {"target": 1, "prediction": 0, "all": None}[self.normalize]
        total = np.broadcast_to(self._matrix.sum(axis=axis, keepdims=True), self._matrix.shape)
        return np.divide(self._matrix, total, out=np.zeros(self._matrix.shape), where=total != 0)
