"""What all metrics share: gathering over batches, and the choice of what a metric looks at."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

import numpy as np

from ...core.tensor import Tensor
from ...texts import say


class Metric(ABC):
    """A number, or several, that grade a network over many batches.

    Subclass it: ``clear`` forgets, ``update`` takes the outputs of a batch, ``eval`` gives the value. A metric that
    is called clears itself, takes one batch and gives the value.
    """

    def __init__(self) -> None:
        self._indexes: list[int] | None = None

    @abstractmethod
    def clear(self) -> None:
        """Forget all batches."""

    @abstractmethod
    def update(self, *inputs: Any) -> None:
        """Take the outputs of a batch."""

    @abstractmethod
    def eval(self) -> Any:
        """The value over all batches since ``clear``."""

    def __call__(self, *inputs: Any) -> Any:
        self.clear()
        self.update(*inputs)
        return self.eval()

    @property
    def indexes(self) -> list[int] | None:
        """Which of the inputs ``update`` looks at; None: all."""
        return self._indexes

    def set_indexes(self, indexes: Sequence[int]) -> Metric:
        """Let ``update`` look at these of its inputs, in this order; returns self.

        Raises:
            ValueError: no list of ints.
        """
        if not isinstance(indexes, (list, tuple)) or not all(isinstance(i, int) for i in indexes):
            raise ValueError(say("errors.metric_indexes", got=repr(indexes)))
        self._indexes = list(indexes)
        return self

    # For subclasses ---------------------------------------------------------------------------------------

    def _convert_data(self, data: Any) -> np.ndarray:
        """A Tensor, ndarray, list or number as an ndarray."""
        if isinstance(data, Tensor):
            return data.asnumpy()
        if not isinstance(data, (np.ndarray, np.generic, list, tuple, int, float)):
            raise TypeError(say("errors.metric_data", cls=type(self).__name__, got=type(data).__name__))
        return np.asarray(data)

    def _arrays(self, inputs: Sequence[Any], count: int) -> list[np.ndarray]:
        """The inputs as so many ndarrays."""
        if len(inputs) != count:
            raise ValueError(say("errors.metric_inputs", cls=type(self).__name__, wanted=count, got=len(inputs)))
        return [self._convert_data(data) for data in inputs]

    def _equal_shapes(self, inputs: Sequence[Any]) -> list[np.ndarray]:
        """Prediction and label as ndarrays of one shape."""
        prediction, label = self._arrays(inputs, 2)
        if prediction.shape != label.shape:
            raise self._shape_error(prediction, label, label.shape)
        return [prediction, label]

    def _shape_error(self, prediction: np.ndarray, label: np.ndarray, wanted: Any) -> ValueError:
        facts = {"prediction": prediction.shape, "label": label.shape, "wanted": wanted}
        return ValueError(say("errors.metric_shapes", cls=type(self).__name__, **facts))

    def _mean(self, total: Any, count: float) -> Any:
        """total / count, if there is anything to divide by."""
        if not count:
            raise RuntimeError(say("errors.metric_empty", cls=type(self).__name__))
        return total / count


Update = Callable[..., Any]


def rearrange_inputs(func: Update) -> Update:
    """Decorates the ``update`` of a Metric so that ``set_indexes`` chooses its inputs."""

    @wraps(func)
    def update(self: Metric, *inputs: Any) -> Any:
        chosen = self.indexes
        if chosen is None:
            return func(self, *inputs)
        if chosen and not -len(inputs) <= min(chosen) <= max(chosen) < len(inputs):
            raise IndexError(say("errors.metric_index", cls=type(self).__name__, indexes=chosen, count=len(inputs)))
        return func(self, *[inputs[i] for i in chosen])

    return update
