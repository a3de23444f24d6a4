"""W3: a training step of LeNet-5 on 32 images of 28 x 28: two convolutions with pooling, three dense layers.

With these seeds no ReLU and no maximum is closer to a change than 1e-5, so that rounding does not decide one.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..by_hand.images import Bias, Conv, FirstConv, PoolRelu
from ..by_hand.training import Flatten, Layer, Parameters, Training, dense_stack
from ..libraries import (
    Autograd,
    MyGrad,
    Teachcell,
    TorchTraining,
    autograd_cross_entropy,
    dense_relu,
    teachcell_dense,
    teachcell_training,
    with_jit,
)
from ..workload import Arrays, Workload, dense_weights, uniform

BATCH = 32


def weights() -> Arrays:
    """K1, c1, K2, c2 of the convolutions as (out, in, 5, 5), then W1, b1, …"""
    random = np.random.RandomState(1801)
    shapes = {"K1": (6, 1, 5, 5), "c1": (6,), "K2": (16, 6, 5, 5), "c2": (16,)}
    kernels = {name: uniform(random, shape, 25 if name[1] == "1" else 150) for name, shape in shapes.items()}
    return {**kernels, **dense_weights(random, (400, 120, 84, 10))}


def samples() -> tuple[np.ndarray, np.ndarray]:
    """Images and int32 labels."""
    random = np.random.RandomState(1800)
    return random.randn(BATCH, 1, 28, 28).astype(np.float32), random.randint(0, 10, BATCH).astype(np.int32)


def by_hand() -> Training:
    x, labels = samples()
    start = weights()
    start["K1"] = start["K1"].reshape(6, 25)
    start["K2"] = start["K2"].transpose(2, 3, 1, 0)
    start["W1"] = start["W1"].reshape(16, 5, 5, 120).transpose(1, 2, 0, 3).reshape(400, 120)
    parameters = Parameters(start)
    first = FirstConv(x, 5, 2, *parameters.both("K1"), channels_last=False)
    second = Conv(BATCH, 14, 0, *parameters.both("K2"))
    convolutions: list[Layer] = [
        first, Bias(first.y, *parameters.both("c1")), PoolRelu(first.y, into=second.inside),
        second, Bias(second.y, *parameters.both("c2")), PoolRelu(second.y),
    ]  # fmt: skip
    layouts = {
        "K1": lambda d: d.reshape(6, 1, 5, 5),
        "K2": lambda d: d.transpose(3, 2, 0, 1),
        "W1": lambda d: d.reshape(5, 5, 16, 120).transpose(2, 0, 1, 3).reshape(400, 120),
    }
    return Training(parameters, [*convolutions, Flatten(), *dense_stack(parameters, BATCH)], x, labels, layouts)


def with_teachcell() -> Teachcell:
    from teachcell import Tensor, nn

    start = weights()
    K1, c1, K2, c2 = (Tensor(start[name]) for name in ("K1", "c1", "K2", "c2"))
    net = nn.SequentialCell(
        nn.Conv2d(1, 6, 5, pad_mode="pad", padding=2, has_bias=True, weight_init=K1, bias_init=c1),
        nn.ReLU(), nn.MaxPool2d(2, 2),
        nn.Conv2d(6, 16, 5, pad_mode="valid", has_bias=True, weight_init=K2, bias_init=c2),
        nn.ReLU(), nn.MaxPool2d(2, 2), nn.Flatten(),
        teachcell_dense(start, 1), nn.ReLU(), teachcell_dense(start, 2), nn.ReLU(), teachcell_dense(start, 3),
    )  # fmt: skip
    return teachcell_training(net, start, *samples())


def with_torch() -> TorchTraining:
    from torch import nn

    net = nn.Sequential(
        nn.Conv2d(1, 6, 5, padding=2), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(6, 16, 5), nn.ReLU(), nn.MaxPool2d(2),
        nn.Flatten(), nn.Linear(400, 120), nn.ReLU(), nn.Linear(120, 84), nn.ReLU(), nn.Linear(84, 10),
    )  # fmt: skip
    return TorchTraining(net, weights(), *samples())


def shifted_products(matmul: Any, x: Any, kernel: Any, k: int) -> Any:
    """A convolution for a library without one: k · k products with shifted images (channels last)."""
    rows, columns = x.shape[1] - k + 1, x.shape[2] - k + 1
    places = ((i, j) for i in range(k) for j in range(k))
    return sum(matmul(x[:, i : i + rows, j : j + columns], kernel[i, j]) for i, j in places)


def pooled(maximum: Any, x: Any) -> Any:
    """2 x 2 max-pooling (channels last)."""
    rows = maximum(x[:, ::2], x[:, 1::2])
    return maximum(rows[:, :, ::2], rows[:, :, 1::2])


def with_autograd() -> Autograd:
    import autograd.numpy as anp

    x, labels = samples()
    x = np.pad(x.transpose(0, 2, 3, 1), ((0, 0), (2, 2), (2, 2), (0, 0)))

    def loss(p: Arrays) -> Any:
        h = x
        for kernel, bias in ((p["K1"], p["c1"]), (p["K2"], p["c2"])):
            h = shifted_products(anp.matmul, h, anp.transpose(kernel, (2, 3, 1, 0)), 5) + bias
            h = pooled(anp.maximum, anp.maximum(h, 0))
        h = anp.reshape(anp.transpose(h, (0, 3, 1, 2)), (BATCH, -1))
        return autograd_cross_entropy(dense_relu(anp.dot, lambda h: anp.maximum(h, 0), p, h), labels)

    return Autograd(weights(), loss, train=True)


def with_mygrad() -> MyGrad:
    from mygrad import matmul
    from mygrad.nnet.activations import relu
    from mygrad.nnet.layers import conv_nd, max_pool
    from mygrad.nnet.losses import softmax_crossentropy

    x, labels = samples()

    def loss(p: dict[str, Any]) -> Any:
        h = conv_nd(x, p["K1"], stride=1, padding=2) + p["c1"].reshape(1, -1, 1, 1)
        h = max_pool(relu(h), (2, 2), 2)
        h = conv_nd(h, p["K2"], stride=1) + p["c2"].reshape(1, -1, 1, 1)
        h = max_pool(relu(h), (2, 2), 2).reshape(BATCH, -1)
        return softmax_crossentropy(dense_relu(matmul, relu, p, h), labels)

    return MyGrad(weights(), loss, train=True)


WORKLOAD = Workload(
    f"W3: LeNet-5, training step, batch {BATCH}",
    {
        "numpy": by_hand, "teachcell": with_teachcell, "teachcell+jit": with_jit(with_teachcell),
        "torch": with_torch, "autograd": with_autograd, "mygrad": with_mygrad,
    },
    {("teachcell", "numpy"): 1.35, ("teachcell", "torch"): 0.88, ("teachcell+jit", "numpy"): 1.08},
)  # fmt: skip
