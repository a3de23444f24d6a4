"""Metrics of numbers: how far predictions are from labels, and the mean of losses."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...kernels.arguments import one_of, with_axes
from ...texts import say
from .metric import Metric, rearrange_inputs


class _PerSample(Metric):
    """A sum over all elements, divided by the number of samples, the length of the first axis."""

    def __init__(self) -> None:
        super().__init__()
        self.clear()

    def clear(self) -> None:
        self._total, self._count = 0.0, 0

    def _distance(self, difference: np.ndarray) -> np.ndarray:
        raise NotImplementedError

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """Predictions and labels of one shape."""
        prediction, label = self._equal_shapes(inputs)
        self._total += float(self._distance(prediction - label).sum())
        self._count += len(np.atleast_1d(label))

    def eval(self) -> float:
        return self._mean(self._total, self._count)


class MAE(_PerSample):
    """Σ |prediction − label| / number of samples."""

    def _distance(self, difference: np.ndarray) -> np.ndarray:
        return np.abs(difference)


class MSE(_PerSample):
    """Σ (prediction − label)² / number of samples."""

    def _distance(self, difference: np.ndarray) -> np.ndarray:
        return np.square(difference)


class Loss(Metric):
    """The mean of the batches' losses.

    Attributes:
        count: the number of batches.
    """

    def __init__(self) -> None:
        super().__init__()
        self.clear()

    def clear(self) -> None:
        self._total, self.count = 0.0, 0

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """The loss of a batch; of several elements, their mean."""
        self._total += float(np.mean(self._arrays(inputs, 1)[0]))
        self.count += 1

    def eval(self) -> float:
        return self._mean(self._total, self.count)


class Perplexity(Metric):
    """exp of the mean of −log p, where p is what was predicted for the true class.

    Args:
        ignore_label: a label that does not count.
    """

    SMALLEST = 1e-10  # of a probability, so that one miss does not make the whole value infinite

    def __init__(self, ignore_label: int | None = None):
        super().__init__()
        if ignore_label is not None and not isinstance(ignore_label, int):
            raise TypeError(say("errors.ignore_label", got=repr(ignore_label)))
        self.ignore_label = ignore_label
        self.clear()

    def clear(self) -> None:
        self._total, self._count = 0.0, 0

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """Probabilities (…, C) and labels (…)."""
        probabilities, labels = self._arrays(inputs, 2)
        if with_axes("prediction", probabilities, 1).shape[:-1] != labels.shape:
            raise self._shape_error(probabilities, labels, probabilities.shape[:-1])
        rows, classes = probabilities.reshape(-1, probabilities.shape[-1]), labels.reshape(-1).astype(np.int64)
        counted = np.full(classes.shape, True) if self.ignore_label is None else classes != self.ignore_label
        rows, classes = rows[counted], classes[counted]
        if classes.size and not 0 <= classes.min() <= classes.max() < rows.shape[1]:
            raise ValueError(say("errors.metric_class", cls=type(self).__name__, count=rows.shape[1]))
        true = np.maximum(rows[np.arange(len(rows)), classes], self.SMALLEST)
        self._total -= float(np.log(true).sum())
        self._count += len(true)

    def eval(self) -> float:
        return math.exp(self._mean(self._total, self._count))


class CosineSimilarity(Metric):
    """How alike the rows of a matrix are, each with each.

    Args:
        similarity: ``"cosine"``, or ``"dot"`` for plain products.
        reduction: ``"none"`` for the matrix, ``"sum"`` or ``"mean"`` over its columns.
        zero_diagonal: whether a row's likeness to itself counts as 0.
    """

    def __init__(self, similarity: str = "cosine", reduction: str = "none", zero_diagonal: bool = True):
        super().__init__()
        self.similarity = one_of("similarity", similarity, ("cosine", "dot"))
        self.reduction = one_of("reduction", reduction, ("none", "sum", "mean"))
        self.zero_diagonal = zero_diagonal
        self.clear()

    def clear(self) -> None:
        self._matrix: np.ndarray | None = None

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """The rows; those of an earlier call are forgotten."""
        (rows,) = self._arrays(inputs, 1)
        if rows.ndim != 2:
            cls = type(self).__name__
            raise ValueError(say("errors.input_shape", cls=cls, name="x", got=rows.shape, wanted="(N, C)"))
        if self.similarity == "cosine":
            rows = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        self._matrix = rows @ rows.T
        if self.zero_diagonal:
            np.fill_diagonal(self._matrix, 0)

    def eval(self) -> np.ndarray:
        if self._matrix is None:
            raise RuntimeError(say("errors.metric_empty", cls=type(self).__name__))
        return self._matrix if self.reduction == "none" else getattr(np, self.reduction)(self._matrix, axis=-1)
