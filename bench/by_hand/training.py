"""Dense layers, ReLU, cross entropy and SGD with momentum by hand, and the step made of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from ..workload import MOMENTUM, RATE, Arrays


class Layer(Protocol):
    """One step of a network and back."""

    def forward(self, x: np.ndarray) -> np.ndarray: ...

    def backward(self, dy: np.ndarray) -> Any: ...


class Parameters:
    """All parameters in one array, so that the update is four calls; ``value`` and ``slope`` are views by name."""

    def __init__(self, start: Arrays) -> None:
        size = sum(array.size for array in start.values())
        self._values, self._slopes, self._velocity, self._change = (np.zeros(size, np.float32) for _ in range(4))
        self.value, self.slope = _views(self._values, start), _views(self._slopes, start)
        for name, array in start.items():
            self.value[name][...] = array

    def both(self, *names: str) -> list[np.ndarray]:
        """Values, then slopes, of these parameters."""
        return [table[name] for table in (self.value, self.slope) for name in names]

    def descend(self) -> None:
        """SGD with momentum."""
        np.multiply(self._velocity, MOMENTUM, self._velocity)
        np.add(self._velocity, self._slopes, self._velocity)
        np.multiply(self._velocity, RATE, self._change)
        np.subtract(self._values, self._change, self._values)


def _views(flat: np.ndarray, like: Arrays) -> Arrays:
    """Consecutive parts of ``flat`` in the shapes of ``like``."""
    parts = np.split(flat, np.cumsum([array.size for array in like.values()])[:-1])
    return {name: part.reshape(array.shape) for (name, array), part in zip(like.items(), parts, strict=True)}


class Dense:
    """x · w + b."""

    def __init__(
        self, batch: int, w: np.ndarray, b: np.ndarray, dw: np.ndarray, db: np.ndarray, *, first: bool = False
    ) -> None:
        self.w, self.b, self.dw, self.db = w, b, dw, db
        self.y = np.empty((batch, w.shape[1]), np.float32)
        self.dx = None if first else np.empty((batch, w.shape[0]), np.float32)
        self.ones = np.ones(batch, np.float32)

    def forward(self, x: np.ndarray) -> np.ndarray:
        self.x = x
        np.dot(x, self.w, self.y)
        return np.add(self.y, self.b, self.y)

    def backward(self, dy: np.ndarray) -> Any:
        np.dot(self.x.T, dy, self.dw)
        np.dot(self.ones, dy, self.db)
        return None if self.dx is None else np.dot(dy, self.w.T, self.dx)


class Relu:
    """max(x, 0), in place."""

    def __init__(self, *shape: int) -> None:
        self.positive = np.empty(shape, bool)

    def forward(self, x: np.ndarray) -> np.ndarray:
        self.y = x
        return np.maximum(x, 0, out=x)

    def backward(self, dy: np.ndarray) -> np.ndarray:
        np.greater(self.y, 0, self.positive)
        return np.multiply(dy, self.positive, dy)


class Flatten:
    """A sample in a row."""

    def forward(self, x: np.ndarray) -> np.ndarray:
        self.shape = x.shape
        return x.reshape(len(x), -1)

    def backward(self, dy: np.ndarray) -> np.ndarray:
        return dy.reshape(self.shape)


class CrossEntropy:
    """The mean over a batch with integer labels."""

    def __init__(self, labels: np.ndarray, classes: int) -> None:
        batch = len(labels)
        self.label_at = np.arange(batch) * classes + labels
        self.ones, self.share = np.ones(classes, np.float32), np.float32(1 / batch)
        self.largest, self.total = np.empty((batch, 1), np.float32), np.empty(batch, np.float32)
        self.slope = np.empty((batch, classes), np.float32)

    def __call__(self, logits: np.ndarray) -> tuple[Any, np.ndarray]:
        """The loss and its derivative by the logits."""
        slope, flat = self.slope, self.slope.reshape(-1)
        np.maximum.reduce(logits, axis=1, keepdims=True, out=self.largest)
        np.subtract(logits, self.largest, slope)
        of_labels = flat.take(self.label_at)
        np.exp(slope, slope)
        np.dot(slope, self.ones, self.total)
        loss = (np.log(self.total).sum() - of_labels.sum()) * self.share
        np.divide(self.share, self.total, self.total)
        np.multiply(slope, self.total[:, None], slope)
        flat[self.label_at] -= self.share
        return loss, slope


class Training:
    """A contender: forward, cross entropy, backward, update.

    Args:
        layouts: how the slopes of some parameters are brought into the workload's layout.
    """

    def __init__(
        self, parameters: Parameters, layers: Sequence[Layer], x: np.ndarray, labels: np.ndarray,
        layouts: Mapping[str, Callable[[np.ndarray], np.ndarray]] | None = None,
    ) -> None:  # fmt: skip
        self.parameters, self.layers, self.x, self.layouts = parameters, layers, x, layouts or {}
        self.loss = CrossEntropy(labels, 10)

    def step(self) -> Any:
        h = self.x
        for layer in self.layers:
            h = layer.forward(h)
        loss, slope = self.loss(h)
        for layer in reversed(self.layers):
            slope = layer.backward(slope)
        self.parameters.descend()
        return loss

    def gradients(self) -> Arrays:
        slopes = self.parameters.slope
        return {name: self.layouts.get(name, np.asarray)(slope) for name, slope in slopes.items()}


def dense_stack(parameters: Parameters, batch: int, *, first: bool = False) -> list[Layer]:
    """W1, b1, W2, b2, … with a ReLU between two; ``first``: nobody wants the derivative by the input."""
    count = sum(name.startswith("W") for name in parameters.value)
    layers: list[Layer] = []
    for i in range(1, count + 1):
        dense = Dense(batch, *parameters.both(f"W{i}", f"b{i}"), first=first and i == 1)
        layers += [dense, Relu(*dense.y.shape)] if i < count else [dense]
    return layers
