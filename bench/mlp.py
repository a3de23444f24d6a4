"""A training step of an MLP 784-256-128-10: Dense, ReLU, cross entropy, SGD with momentum.

With one sample the step is memory and bookkeeping, with 64 it is mostly matrix products.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from .workload import Workload

SIZES = (784, 256, 128, 10)
RATE, MOMENTUM = np.float32(0.01), np.float32(0.9)


def weights() -> dict[str, np.ndarray]:
    """W1, b1, W2, b2, W3, b3; W as (in, out), uniform within 1 / √in."""
    random = np.random.RandomState(2)
    found = {}
    for i, (before, after) in enumerate(zip(SIZES, SIZES[1:], strict=False), 1):
        for name, shape in ((f"W{i}", (before, after)), (f"b{i}", (after,))):
            found[name] = (random.uniform(-1, 1, shape) / np.sqrt(before)).astype(np.float32)
    return found


def samples(batch: int) -> tuple[np.ndarray, np.ndarray]:
    """Inputs and int32 labels."""
    random = np.random.RandomState(3)
    x = random.rand(batch, SIZES[0]).astype(np.float32)
    return x, random.randint(0, SIZES[-1], batch).astype(np.int32)


class Hand:
    """NumPy with every array allocated beforehand; all parameters in one, so that the update is four calls."""

    def __init__(self, batch: int) -> None:
        self.batch = batch
        start = weights()
        self.parameters, self.slopes, self.velocity, self.change = (
            np.zeros(sum(array.size for array in start.values()), np.float32) for _ in range(4)
        )
        p, g = _views(self.parameters, start), _views(self.slopes, start)
        for name, array in start.items():
            p[name][...] = array
        self.named_slopes = g
        self.w, self.b = [p["W1"], p["W2"], p["W3"]], [p["b1"], p["b2"], p["b3"]]
        self.dw, self.db = [g["W1"], g["W2"], g["W3"]], [g["b1"], g["b2"], g["b3"]]
        x, labels = samples(batch)
        self.h = [x, *(np.empty((batch, n), np.float32) for n in SIZES[1:])]
        self.dh = [np.empty_like(h) for h in self.h]
        self.positive = [np.empty(h.shape, bool) for h in self.h]
        self.label_at = np.arange(batch) * SIZES[-1] + labels
        self.ones, self.classes = np.ones(batch, np.float32), np.ones(SIZES[-1], np.float32)
        self.largest, self.total = np.empty((batch, 1), np.float32), np.empty(batch, np.float32)

    def step(self) -> Any:
        h = self.h
        for i in range(3):
            np.dot(h[i], self.w[i], h[i + 1])
            np.add(h[i + 1], self.b[i], h[i + 1])
            if i < 2:
                np.maximum(h[i + 1], 0, out=h[i + 1])
        loss = self._cross_entropy(h[3], self.dh[3])
        for i in (2, 1, 0):
            self._layer_backward(i)
        np.multiply(self.velocity, MOMENTUM, self.velocity)
        np.add(self.velocity, self.slopes, self.velocity)
        np.multiply(self.velocity, RATE, self.change)
        np.subtract(self.parameters, self.change, self.parameters)
        return loss

    def _cross_entropy(self, logits: np.ndarray, slope: np.ndarray) -> Any:
        """The mean loss; its derivative by the logits goes to ``slope``."""
        np.maximum.reduce(logits, axis=1, keepdims=True, out=self.largest)
        np.subtract(logits, self.largest, slope)
        flat = slope.reshape(-1)
        of_labels = flat.take(self.label_at)
        np.exp(slope, slope)
        np.dot(slope, self.classes, self.total)
        loss = (np.log(self.total).sum() - of_labels.sum()) / self.batch
        share = np.float32(1 / self.batch)
        np.divide(share, self.total, self.total)
        np.multiply(slope, self.total[:, None], slope)
        flat[self.label_at] -= share
        return loss

    def _layer_backward(self, i: int) -> None:
        before, slope = self.h[i], self.dh[i + 1]
        np.dot(before.T, slope, self.dw[i])
        np.dot(self.ones, slope, self.db[i])
        if i:
            np.dot(slope, self.w[i].T, self.dh[i])
            np.greater(before, 0, self.positive[i])
            np.multiply(self.dh[i], self.positive[i], self.dh[i])

    def gradients(self) -> dict[str, np.ndarray]:
        return self.named_slopes


def _views(flat: np.ndarray, like: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Consecutive parts of ``flat`` in the shapes of ``like``."""
    parts = np.split(flat, np.cumsum([array.size for array in like.values()])[:-1])
    return {name: part.reshape(array.shape) for (name, array), part in zip(like.items(), parts, strict=True)}


def _in_layout(gradients: list[np.ndarray]) -> dict[str, np.ndarray]:
    """By name, and W as (in, out), from libraries that keep it as (out, in)."""
    return {name: g.T if g.ndim == 2 else g for name, g in zip(weights(), gradients, strict=True)}


class Teachcell:
    """The public API, as a learner writes it."""

    def __init__(self, batch: int) -> None:
        from teachcell import Tensor, nn, value_and_grad

        def dense(i: int) -> nn.Dense:
            w, b = start[f"W{i}"], start[f"b{i}"]
            return nn.Dense(len(w), len(b), weight_init=Tensor(w.T.copy()), bias_init=Tensor(b))

        start = weights()
        net = nn.SequentialCell(dense(1), nn.ReLU(), dense(2), nn.ReLU(), dense(3)).set_train()
        loss = nn.CrossEntropyLoss()
        self.optimizer = nn.SGD(net.trainable_params(), learning_rate=float(RATE), momentum=float(MOMENTUM))
        self.differentiate = value_and_grad(lambda x, y: loss(net(x), y), None, self.optimizer.parameters)
        self.x, self.labels = map(Tensor, samples(batch))

    def step(self) -> Any:
        loss, self.found = self.differentiate(self.x, self.labels)
        self.optimizer(self.found)
        return loss

    def gradients(self) -> dict[str, np.ndarray]:
        return _in_layout([gradient.asnumpy() for gradient in self.found])


class Torch:
    """PyTorch, eager, one thread."""

    def __init__(self, batch: int) -> None:
        import torch  # type: ignore[import-not-found]
        from torch import nn

        torch.set_num_threads(1)
        layers = [nn.Linear(before, after) for before, after in zip(SIZES, SIZES[1:], strict=False)]
        for i, layer in enumerate(layers, 1):
            layer.weight.data = torch.from_numpy(weights()[f"W{i}"].T.copy())
            layer.bias.data = torch.from_numpy(weights()[f"b{i}"])
        self.net = nn.Sequential(layers[0], nn.ReLU(), layers[1], nn.ReLU(), layers[2])
        self.loss = nn.CrossEntropyLoss()
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=float(RATE), momentum=float(MOMENTUM))
        x, labels = samples(batch)
        self.x, self.labels = torch.from_numpy(x), torch.from_numpy(labels.astype(np.int64))

    def step(self) -> Any:
        self.optimizer.zero_grad()
        loss = self.loss(self.net(self.x), self.labels)
        loss.backward()
        self.optimizer.step()
        return loss.item()

    def gradients(self) -> dict[str, np.ndarray]:
        return _in_layout([parameter.grad.numpy() for parameter in self.net.parameters()])


def workload(batch: int) -> Workload:
    """The training step with ``batch`` samples."""
    return Workload(
        f"MLP {'-'.join(map(str, SIZES))}: a training step, batch {batch}",
        {"numpy": partial(Hand, batch), "teachcell": partial(Teachcell, batch), "torch": partial(Torch, batch)},
    )
