"""The ROC curve of a classifier, and the area under a curve."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...texts import say
from .metric import Metric, rearrange_inputs

Curve = tuple[Any, Any, Any]


class ROC(Metric):
    """What share of the negatives, and of the positives, scores at least as high as a threshold.

    Args:
        class_num: the number of classes C, of scores (N, C); None: scores (N,) of ``pos_label`` alone.
        pos_label: the label that counts as positive; by default 1.
    """

    def __init__(self, class_num: int | None = None, pos_label: int | None = None):
        super().__init__()
        self.class_num, self.pos_label = class_num, 1 if pos_label is None else pos_label
        self.clear()

    def clear(self) -> None:
        self._scores: list[np.ndarray] = []
        self._labels: list[np.ndarray] = []

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """Scores (N,) or (N, C), and labels (N,)."""
        scores, labels = self._arrays(inputs, 2)
        wanted = labels.shape if self.class_num in (None, 1) else (*labels.shape, self.class_num)
        if labels.ndim != 1 or scores.shape != wanted:
            raise self._shape_error(scores, labels, scores.shape[:1])
        self._scores.append(scores)
        self._labels.append(labels)

    def eval(self) -> Curve:
        """(false positive rates, true positive rates, thresholds), the first threshold above all scores.

        With several classes each of the three is a list with one array per class.
        """
        if not self._labels:
            raise RuntimeError(say("errors.metric_empty", cls=type(self).__name__))
        scores, labels = np.concatenate(self._scores), np.concatenate(self._labels)
        if scores.ndim == 1:
            return self._curve(scores, labels == self.pos_label)
        curves = [self._curve(scores[:, c], labels == c) for c in range(scores.shape[1])]
        rates = [list(part) for part in zip(*curves, strict=True)]
        return rates[0], rates[1], rates[2]

    def _curve(self, scores: np.ndarray, positive: np.ndarray) -> Curve:
        if positive.all() or not positive.any():
            raise ValueError(say("errors.roc_one_kind"))
        order = np.argsort(-scores, kind="stable")
        scores, positive = scores[order], positive[order]
        last = np.append(np.flatnonzero(np.diff(scores)), len(scores) - 1)  # of each run of equal scores
        hits = np.append(0, np.cumsum(positive)[last])
        thresholds = np.append(scores[0] + 1, scores[last])
        return (np.append(0, last + 1) - hits) / (~positive).sum(), hits / positive.sum(), thresholds


def auc(x: Any, y: Any, reorder: bool = False) -> float:
    """The area under the curve through the points (x, y), by trapezoids.

    Args:
        x, y: coordinates (N,); x must rise or fall all the way.
        reorder: whether to sort the points by x first.

    Raises:
        ValueError: other shapes, or an x that turns around.
    """
    x, y = (np.asarray(v, np.float64) for v in (x, y))
    if x.ndim != 1 or x.shape != y.shape or len(x) < 2:
        raise ValueError(say("errors.auc_shapes", x=x.shape, y=y.shape))
    if reorder:
        order = np.argsort(x, kind="stable")
        x, y = x[order], y[order]
    steps = np.diff(x)
    if not ((steps >= 0).all() or (steps <= 0).all()):
        raise ValueError(say("errors.auc_order"))
    return float(abs((steps * (y[1:] + y[:-1]) / 2).sum()))
