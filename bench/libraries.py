"""One contender per library: how a network or a loss is differentiated, and trained, with each of them.

Peers are imported when a contender is made: they need not be installed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from .workload import MOMENTUM, RATE, Arrays

PEERS = ("torch", "autograd", "mygrad")


def turned(names: Iterable[str], gradients: Iterable[np.ndarray]) -> Arrays:
    """By name, and the matrices turned, from libraries whose dense layers keep (out, in)."""
    return {name: g.T if g.ndim == 2 else g for name, g in zip(names, gradients, strict=True)}


class Teachcell:
    """The public API, as a learner writes it.

    Args:
        work: returns the loss and a tuple of gradients.
        names: of the gradients.
        dense: whether matrices are kept as (out, in).
    """

    def __init__(
        self, work: Callable[..., Any], arguments: Sequence[Any], names: Iterable[str], *, dense: bool = False
    ) -> None:
        self.work, self.arguments, self.names, self.dense = work, arguments, list(names), dense

    def step(self) -> Any:
        loss, self.found = self.work(*self.arguments)
        return loss

    def gradients(self) -> Arrays:
        found = [gradient.asnumpy() for gradient in self.found]
        return turned(self.names, found) if self.dense else dict(zip(self.names, found, strict=True))


def teachcell_training(
    net: Any, names: Iterable[str], x: np.ndarray, labels: np.ndarray, *, loss: Callable[..., Any] | None = None
) -> Teachcell:
    """Forward, loss (by default cross entropy), backward, SGD with momentum."""
    from teachcell import Tensor, nn, value_and_grad

    net.set_train()
    loss_fn = loss or nn.CrossEntropyLoss()
    optimizer = nn.SGD(net.trainable_params(), learning_rate=float(RATE), momentum=float(MOMENTUM))
    differentiate = value_and_grad(lambda x, y: loss_fn(net(x), y), None, optimizer.parameters)

    def work(x: Tensor, y: Tensor) -> Any:
        value, gradients = differentiate(x, y)
        optimizer(gradients)
        return value, gradients

    return Teachcell(work, (Tensor(x), Tensor(labels)), names, dense=True)


def teachcell_dense(weights: Arrays, i: object) -> Any:
    """``Dense`` with W<i>, b<i>."""
    from teachcell import Tensor, nn

    w, b = weights[f"W{i}"], weights[f"b{i}"]
    return nn.Dense(len(w), len(b), weight_init=Tensor(w.T.copy()), bias_init=Tensor(b))


def with_jit(factory: Callable[[], Teachcell]) -> Callable[[], Teachcell]:
    """The same work under ``teachcell.jit``."""

    def make() -> Teachcell:
        from teachcell import jit

        contender = factory()
        contender.work = jit(contender.work)
        return contender

    return make


class TorchGradients:
    """PyTorch, eager: the gradients of ``loss(leaves)``."""

    def __init__(self, weights: Arrays, loss: Callable[[dict[str, Any]], Any]) -> None:
        import torch

        torch.set_num_threads(1)
        self.leaves = {name: torch.from_numpy(array.copy()).requires_grad_() for name, array in weights.items()}
        self.loss = loss

    def step(self) -> Any:
        for leaf in self.leaves.values():
            leaf.grad = None
        loss = self.loss(self.leaves)
        loss.backward()
        return loss.item()

    def gradients(self) -> Arrays:
        return {name: leaf.grad.numpy() for name, leaf in self.leaves.items()}


class TorchTraining:
    """PyTorch, eager: forward, cross entropy, backward, SGD with momentum.

    ``weights`` follow the order of the network's parameters, which take them over.
    """

    def __init__(self, net: Any, weights: Arrays, x: np.ndarray, labels: np.ndarray) -> None:
        import torch

        torch.set_num_threads(1)
        for parameter, array in zip(net.parameters(), turned(weights, weights.values()).values(), strict=True):
            parameter.data = torch.from_numpy(array.copy())
        self.net, self.names, self.loss = net, list(weights), torch.nn.CrossEntropyLoss()
        self.optimizer = torch.optim.SGD(net.parameters(), lr=float(RATE), momentum=float(MOMENTUM))
        self.x, self.labels = torch.from_numpy(x), torch.from_numpy(labels.astype(np.int64))

    def step(self) -> Any:
        self.optimizer.zero_grad()
        loss = self.loss(self.net(self.x), self.labels)
        loss.backward()
        self.optimizer.step()
        return loss.item()

    def gradients(self) -> Arrays:
        return turned(self.names, [parameter.grad.numpy() for parameter in self.net.parameters()])


class Descent:
    """SGD with momentum for libraries that have no optimizer."""

    def __init__(self, values: Arrays) -> None:
        self.values, self.velocity = values, {name: np.zeros_like(array) for name, array in values.items()}

    def __call__(self, gradients: Arrays) -> None:
        for name, value in self.values.items():
            velocity = self.velocity[name]
            velocity *= MOMENTUM
            velocity += gradients[name]
            value -= RATE * velocity


class Autograd:
    """HIPS autograd: the gradients of ``loss(weights)``; with ``train`` an update as well."""

    def __init__(self, weights: Arrays, loss: Callable[[Arrays], Any], *, train: bool = False) -> None:
        from autograd import value_and_grad

        self.weights = {name: array.copy() for name, array in weights.items()}
        self.differentiate, self.descend = value_and_grad(loss), Descent(self.weights) if train else None

    def step(self) -> Any:
        loss, self.found = self.differentiate(self.weights)
        if self.descend:
            self.descend(self.found)
        return loss

    def gradients(self) -> Arrays:
        return self.found


class MyGrad:
    """MyGrad: the gradients of ``loss(leaves)``; with ``train`` an update as well."""

    def __init__(self, weights: Arrays, loss: Callable[[dict[str, Any]], Any], *, train: bool = False) -> None:
        import mygrad

        self.leaves = {name: mygrad.tensor(array.copy()) for name, array in weights.items()}
        self.loss, self.train = loss, train
        self.descend = Descent({name: leaf.data for name, leaf in self.leaves.items()})

    def step(self) -> Any:
        loss = self.loss(self.leaves)
        loss.backward()
        if self.train:
            self.descend(self.gradients())
        return loss.item()

    def gradients(self) -> Arrays:
        return {name: leaf.grad for name, leaf in self.leaves.items()}


def autograd_cross_entropy(logits: Any, labels: np.ndarray) -> Any:
    """The mean over a batch with integer labels."""
    import autograd.numpy as anp

    shifted = logits - anp.max(logits, axis=1, keepdims=True)
    of_labels = shifted[np.arange(len(labels)), labels]
    return anp.mean(anp.log(anp.sum(anp.exp(shifted), axis=1)) - of_labels)


def dense_relu(matmul: Callable[..., Any], relu: Callable[[Any], Any], weights: dict[str, Any], x: Any) -> Any:
    """W1, b1, W2, b2, … with a ReLU between two, in the words of some library."""
    count = sum(name.startswith("W") for name in weights)
    for i in range(1, count + 1):
        x = matmul(x, weights[f"W{i}"]) + weights[f"b{i}"]
        x = relu(x) if i < count else x
    return x
