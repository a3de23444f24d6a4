"""W3: a training step of a small VGG on 32 images of 3 x 32 x 32: three times conv, batch norm, ReLU, pooling.

With these seeds no ReLU and no maximum is closer to a change than 6e-6, so that rounding does not decide one.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..by_hand.images import Conv, FirstConv, PoolRelu
from ..by_hand.training import Flatten, Layer, Parameters, Training, dense_stack
from ..libraries import (
    Autograd,
    MyGrad,
    Teachcell,
    TorchTraining,
    autograd_cross_entropy,
    teachcell_dense,
    teachcell_training,
    with_jit,
)
from ..workload import Arrays, Workload, dense_weights, uniform
from .lenet import pooled, shifted_products

BATCH = 32
CHANNELS = (3, 32, 64, 128)
SIDES = (32, 16, 8)
EPSILON = np.float32(1e-5)


def weights() -> Arrays:
    """K<i> as (out, in, 3, 3), scale g<i> and shift s<i> of the norm; then W1, b1."""
    random = np.random.RandomState(801)
    found: Arrays = {}
    for i, (before, after) in enumerate(zip(CHANNELS, CHANNELS[1:], strict=False), 1):
        found[f"K{i}"] = uniform(random, (after, before, 3, 3), 9 * before)
        found[f"g{i}"] = (1 + 0.1 * random.randn(after)).astype(np.float32)
        found[f"s{i}"] = (0.1 * random.randn(after)).astype(np.float32)
    return {**found, **dense_weights(random, (2048, 10))}


def samples() -> tuple[np.ndarray, np.ndarray]:
    """Images and int32 labels."""
    random = np.random.RandomState(800)
    return random.randn(BATCH, 3, 32, 32).astype(np.float32), random.randint(0, 10, BATCH).astype(np.int32)


class BatchNorm:
    """Over all but the last axis, by the statistics of the batch; sums over rows are products with ones."""

    def __init__(self, image: np.ndarray, g: np.ndarray, s: np.ndarray, dg: np.ndarray, ds: np.ndarray) -> None:
        rows, channels = image.size // g.size, g.size
        self.g, self.s, self.dg, self.ds = g, s, dg, ds
        self.mean_of = np.full(rows, 1 / rows, np.float32)
        self.ones, self.share = np.ones(rows, np.float32), np.float32(1 / rows)
        self.normed, self.t = (np.empty((rows, channels), np.float32) for _ in range(2))
        self.y = np.empty(image.shape, np.float32)
        self.mean, self.inverse = np.empty(channels, np.float32), np.empty(channels, np.float32)

    def forward(self, x: np.ndarray) -> np.ndarray:
        x, y, normed = x.reshape(self.normed.shape), self.y.reshape(self.normed.shape), self.normed
        np.dot(self.mean_of, x, self.mean)
        np.subtract(x, self.mean, normed)
        np.multiply(normed, normed, self.t)
        np.dot(self.mean_of, self.t, self.inverse)
        np.divide(1, np.sqrt(self.inverse + EPSILON), self.inverse)
        np.multiply(normed, self.inverse, normed)
        np.multiply(normed, self.g, y)
        np.add(y, self.s, y)
        return self.y

    def backward(self, dy: np.ndarray) -> np.ndarray:
        d = dy.reshape(self.normed.shape)
        np.dot(self.ones, d, self.ds)
        np.multiply(d, self.normed, self.t)
        np.dot(self.ones, self.t, self.dg)
        np.multiply(self.normed, self.dg * self.share, self.t)
        np.subtract(d, self.t, d)
        np.subtract(d, self.ds * self.share, d)
        np.multiply(d, self.g * self.inverse, d)
        return dy


def by_hand() -> Training:
    x, labels = samples()
    start = weights()
    start["K1"] = start["K1"].reshape(32, 27)
    for name in ("K2", "K3"):
        start[name] = start[name].transpose(2, 3, 1, 0)
    start["W1"] = start["W1"].reshape(128, 4, 4, 10).transpose(1, 2, 0, 3).reshape(2048, 10)
    parameters = Parameters(start)
    first = FirstConv(x, 3, 1, *parameters.both("K1"), channels_last=True)
    second, third = (Conv(BATCH, SIDES[i], 1, *parameters.both(f"K{i + 1}")) for i in (1, 2))
    layers: list[Layer] = []
    stages: list[tuple[FirstConv | Conv, np.ndarray | None]]
    stages = [(first, second.inside), (second, third.inside), (third, None)]
    for i, (conv, into) in enumerate(stages, 1):
        norm = BatchNorm(conv.y, *parameters.both(f"g{i}", f"s{i}"))
        layers += [conv, norm, PoolRelu(norm.y, into)]
    layouts = {
        "K1": lambda d: d.reshape(32, 3, 3, 3),
        "K2": lambda d: d.transpose(3, 2, 0, 1),
        "K3": lambda d: d.transpose(3, 2, 0, 1),
        "W1": lambda d: d.reshape(4, 4, 128, 10).transpose(2, 0, 1, 3).reshape(2048, 10),
    }
    return Training(parameters, [*layers, Flatten(), *dense_stack(parameters, BATCH)], x, labels, layouts)


def with_teachcell() -> Teachcell:
    from teachcell import Tensor, nn

    start, cells = weights(), []
    for i, (before, after) in enumerate(zip(CHANNELS, CHANNELS[1:], strict=False), 1):
        kernel, g, s = (Tensor(start[f"{name}{i}"]) for name in "Kgs")
        cells += [
            nn.Conv2d(before, after, 3, pad_mode="pad", padding=1, weight_init=kernel),
            nn.BatchNorm2d(after, eps=float(EPSILON), gamma_init=g, beta_init=s),
            nn.ReLU(), nn.MaxPool2d(2, 2),
        ]  # fmt: skip
    return teachcell_training(nn.SequentialCell(*cells, nn.Flatten(), teachcell_dense(start, 1)), start, *samples())


def with_torch() -> TorchTraining:
    from torch import nn

    modules: list[Any] = []
    for before, after in zip(CHANNELS, CHANNELS[1:], strict=False):
        conv = nn.Conv2d(before, after, 3, padding=1, bias=False)
        modules += [conv, nn.BatchNorm2d(after, eps=float(EPSILON)), nn.ReLU(), nn.MaxPool2d(2)]
    return TorchTraining(nn.Sequential(*modules, nn.Flatten(), nn.Linear(2048, 10)), weights(), *samples())


def with_autograd() -> Autograd:
    import autograd.numpy as anp

    x, labels = samples()
    x = np.ascontiguousarray(x.transpose(0, 2, 3, 1))

    def loss(p: Arrays) -> Any:
        h = x
        for i in (1, 2, 3):
            h = anp.pad(h, ((0, 0), (1, 1), (1, 1), (0, 0)), "constant")
            h = shifted_products(anp.matmul, h, anp.transpose(p[f"K{i}"], (2, 3, 1, 0)), 3)
            h = h - anp.mean(h, (0, 1, 2))
            h = h / anp.sqrt(anp.mean(h * h, (0, 1, 2)) + EPSILON) * p[f"g{i}"] + p[f"s{i}"]
            h = pooled(anp.maximum, anp.maximum(h, 0))
        h = anp.reshape(anp.transpose(h, (0, 3, 1, 2)), (BATCH, -1))
        return autograd_cross_entropy(anp.dot(h, p["W1"]) + p["b1"], labels)

    return Autograd(weights(), loss, train=True)


def with_mygrad() -> MyGrad:
    from mygrad import matmul
    from mygrad.nnet.activations import relu
    from mygrad.nnet.layers import batchnorm, conv_nd, max_pool
    from mygrad.nnet.losses import softmax_crossentropy

    x, labels = samples()

    def loss(p: dict[str, Any]) -> Any:
        h = x
        for i in (1, 2, 3):
            h = conv_nd(h, p[f"K{i}"], stride=1, padding=1)
            h = batchnorm(h, gamma=p[f"g{i}"], beta=p[f"s{i}"], eps=EPSILON)
            h = max_pool(relu(h), (2, 2), 2)
        return softmax_crossentropy(matmul(h.reshape(BATCH, -1), p["W1"]) + p["b1"], labels)

    return MyGrad(weights(), loss, train=True)


WORKLOAD = Workload(
    f"W3: small VGG with batch norm, training step, batch {BATCH}",
    {
        "numpy": by_hand, "teachcell": with_teachcell, "teachcell+jit": with_jit(with_teachcell),
        "torch": with_torch, "autograd": with_autograd, "mygrad": with_mygrad,
    },
    {("teachcell", "numpy"): 1.12, ("teachcell+jit", "numpy"): 1.08},
)  # fmt: skip
