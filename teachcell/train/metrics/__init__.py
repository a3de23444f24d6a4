"""Metrics: numbers that grade a network over many batches, by class and by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...texts import say
from .classification import (
    F1,
    Accuracy,
    ConfusionMatrix,
    Fbeta,
    Precision,
    Recall,
    Top1CategoricalAccuracy,
    Top5CategoricalAccuracy,
    TopKCategoricalAccuracy,
)
from .curves import ROC, auc
from .metric import Metric, rearrange_inputs
from .numbers import MAE, MSE, CosineSimilarity, Loss, Perplexity

__all__ = [
    "F1", "MAE", "MSE", "ROC", "Accuracy", "ConfusionMatrix", "CosineSimilarity", "Fbeta", "Loss", "Metric",
    "Perplexity", "Precision", "Recall", "Top1CategoricalAccuracy", "Top5CategoricalAccuracy",
    "TopKCategoricalAccuracy", "auc", "get_metric_fn", "names", "rearrange_inputs",
]  # fmt: skip

_BY_NAME: dict[str, Callable[..., Any]] = {
    "F1": F1, "acc": Accuracy, "accuracy": Accuracy, "confusion_matrix": ConfusionMatrix,
    "cosine_similarity": CosineSimilarity, "loss": Loss, "mae": MAE, "mse": MSE, "perplexity": Perplexity,
    "precision": Precision, "recall": Recall, "roc": ROC, "top_1_accuracy": Top1CategoricalAccuracy,
    "top_5_accuracy": Top5CategoricalAccuracy, "topk": TopKCategoricalAccuracy,
}  # fmt: skip


def names() -> list[str]:
    """The names that :func:`get_metric_fn` and ``Model`` know."""
    return list(_BY_NAME)


def get_metric_fn(name: str, *args: Any, **kwargs: Any) -> Any:
    """A metric by name, made with the other arguments.

    Raises:
        KeyError: unknown name.
    """
    if name not in _BY_NAME:
        raise KeyError(say("errors.metric_name", got=repr(name), known=", ".join(_BY_NAME)))
    return _BY_NAME[name](*args, **kwargs)
