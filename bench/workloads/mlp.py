"""W2: a training step of an MLP 784-256-128-10: Dense, ReLU, cross entropy, SGD with momentum.

With one sample the step is memory and bookkeeping, with 64 it is mostly matrix products, with 1024 nothing else.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from ..by_hand.training import Parameters, Training, dense_stack
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
from ..workload import Arrays, Workload, dense_weights

SIZES = (784, 256, 128, 10)


def weights() -> Arrays:
    """W1, b1, W2, b2, W3, b3."""
    return dense_weights(np.random.RandomState(2), SIZES)


def samples(batch: int) -> tuple[np.ndarray, np.ndarray]:
    """Inputs and int32 labels."""
    random = np.random.RandomState(3)
    x = random.rand(batch, SIZES[0]).astype(np.float32)
    return x, random.randint(0, SIZES[-1], batch).astype(np.int32)


def by_hand(batch: int) -> Training:
    parameters = Parameters(weights())
    return Training(parameters, dense_stack(parameters, batch, first=True), *samples(batch))


def teachcell_net() -> Any:
    """The network as a Cell."""
    from teachcell import nn

    start = weights()
    dense = [teachcell_dense(start, i) for i in (1, 2, 3)]
    return nn.SequentialCell(dense[0], nn.ReLU(), dense[1], nn.ReLU(), dense[2])


def with_teachcell(batch: int) -> Teachcell:
    return teachcell_training(teachcell_net(), weights(), *samples(batch))


def torch_net() -> Any:
    """The network as a Module."""
    from torch import nn

    dense = [nn.Linear(before, after) for before, after in zip(SIZES, SIZES[1:], strict=False)]
    return nn.Sequential(dense[0], nn.ReLU(), dense[1], nn.ReLU(), dense[2])


def with_torch(batch: int) -> TorchTraining:
    return TorchTraining(torch_net(), weights(), *samples(batch))


def with_autograd(batch: int) -> Autograd:
    import autograd.numpy as anp

    x, labels = samples(batch)

    def loss(p: Arrays) -> Any:
        return autograd_cross_entropy(dense_relu(anp.dot, lambda h: anp.maximum(h, 0), p, x), labels)

    return Autograd(weights(), loss, train=True)


def with_mygrad(batch: int) -> MyGrad:
    from mygrad import matmul
    from mygrad.nnet.activations import relu
    from mygrad.nnet.losses import softmax_crossentropy

    x, labels = samples(batch)
    return MyGrad(weights(), lambda p: softmax_crossentropy(dense_relu(matmul, relu, p, x), labels), train=True)


def workload(batch: int, goal: float) -> Workload:
    """The training step with ``batch`` samples; ``goal``: times the CPU time of NumPy by hand."""
    return Workload(
        f"W2: MLP {'-'.join(map(str, SIZES))}, training step, batch {batch}",
        {
            "numpy": partial(by_hand, batch),
            "teachcell": partial(with_teachcell, batch),
            "teachcell+jit": with_jit(partial(with_teachcell, batch)),
            "torch": partial(with_torch, batch),
            "autograd": partial(with_autograd, batch),
            "mygrad": partial(with_mygrad, batch),
        },
        {("teachcell", "numpy"): goal, ("teachcell+jit", "numpy"): 1.08},
    )
