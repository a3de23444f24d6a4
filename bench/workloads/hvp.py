"""W7: a Hessian-vector product, the gradient of (gradient · v), of a two-layer tanh network with a mean square loss."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..libraries import Teachcell
from ..workload import Arrays, Workload, uniform

BATCH, INPUTS, HIDDEN, OUTPUTS = 32, 32, 64, 10
SHAPES = {"W1": (INPUTS, HIDDEN), "b1": (HIDDEN,), "W2": (HIDDEN, OUTPUTS), "b2": (OUTPUTS,)}


def weights() -> Arrays:
    """W1, b1, W2, b2, at which the curvature is taken."""
    random = np.random.RandomState(12)
    return {name: uniform(random, shape, 8 if name[1] == "1" else 16) for name, shape in SHAPES.items()}


def direction() -> Arrays:
    """v: one array for each of the weights."""
    random = np.random.RandomState(13)
    return {name: random.randn(*shape).astype(np.float32) for name, shape in SHAPES.items()}


def samples() -> tuple[np.ndarray, np.ndarray]:
    """Inputs and targets."""
    random = np.random.RandomState(14)
    return random.randn(BATCH, INPUTS).astype(np.float32), random.randn(BATCH, OUTPUTS).astype(np.float32)


class ByHand:
    """Pearlmutter's R-operator: every value and every slope differentiated along v. (The arrays are small: buffers.)"""

    def __init__(self) -> None:
        self.p, self.v, (self.x, self.y) = weights(), direction(), samples()
        self.share = np.float32(2 / self.y.size)
        self.hidden = [np.empty((BATCH, HIDDEN), np.float32) for _ in range(5)]
        self.out = [np.empty((BATCH, OUTPUTS), np.float32) for _ in range(7)]
        self.found = {name: np.empty_like(array) for name, array in self.p.items()}
        self.dW2, self.ones = np.empty_like(self.p["W2"]), np.ones(BATCH, np.float32)

    def step(self) -> None:
        (W1, b1, W2, b2), (v1, c1, v2, c2) = self.p.values(), self.v.values()
        h, slope_h, Rh, d, t = self.hidden
        o, slope_o, Ro, e, dz, Rdz, u = self.out
        np.tanh(np.add(np.dot(self.x, W1, h), b1, h), h)
        np.tanh(np.add(np.dot(h, W2, o), b2, o), o)
        for y, slope in ((h, slope_h), (o, slope_o)):
            np.subtract(1, np.multiply(y, y, slope), slope)
        np.multiply(np.subtract(o, self.y, e), self.share, e)
        np.multiply(e, slope_o, dz)

        np.multiply(np.add(np.dot(self.x, v1, Rh), c1, Rh), slope_h, Rh)
        np.add(np.dot(Rh, W2, Ro), np.dot(h, v2, u), Ro)
        np.multiply(np.add(Ro, c2, Ro), slope_o, Ro)
        # R(e · (1 - o²)) = (share · (1 - o²) - 2 · e · o) · Ro
        np.multiply(np.multiply(e, o, u), 2, u)
        np.subtract(np.multiply(slope_o, self.share, Rdz), u, Rdz)
        np.multiply(Rdz, Ro, Rdz)

        np.add(np.dot(Rh.T, dz, self.found["W2"]), np.dot(h.T, Rdz, self.dW2), self.found["W2"])
        np.dot(self.ones, Rdz, self.found["b2"])
        # R(dh · (1 - h²)) = R(dh) · (1 - h²) - 2 · dh · h · Rh
        np.multiply(np.multiply(h, Rh, Rh), 2, Rh)
        np.multiply(np.dot(dz, W2.T, t), Rh, Rh)
        np.add(np.dot(Rdz, W2.T, d), np.dot(dz, v2.T, t), d)
        np.subtract(np.multiply(d, slope_h, d), Rh, d)
        np.dot(self.x.T, d, self.found["W1"])
        np.dot(self.ones, d, self.found["b1"])

    def gradients(self) -> Arrays:
        return self.found


def error(tanh: Callable[[Any], Any], matmul: Callable[..., Any], x: Any, y: Any, *weights: Any) -> Any:
    """The loss, in the words of any library with operators."""
    W1, b1, W2, b2 = weights
    e = tanh(matmul(tanh(matmul(x, W1) + b1), W2) + b2) - y
    return (e * e).mean()


def with_teachcell() -> Teachcell:
    from teachcell import Tensor, grad, ops

    x, y = map(Tensor, samples())
    v = [Tensor(array) for array in direction().values()]
    everything = (0, 1, 2, 3)
    gradient = grad(lambda *w: error(ops.tanh, ops.matmul, x, y, *w), everything)

    def along_v(*w: Tensor) -> Tensor:
        return sum((g * d).sum() for g, d in zip(gradient(*w), v, strict=True))

    product = grad(along_v, everything)
    return Teachcell(lambda *w: (None, product(*w)), [Tensor(array) for array in weights().values()], SHAPES)


class WithTorch:
    """PyTorch, eager."""

    def __init__(self) -> None:
        import torch

        torch.set_num_threads(1)
        self.torch, (self.x, self.y) = torch, map(torch.from_numpy, samples())
        self.leaves = [torch.from_numpy(array).requires_grad_() for array in weights().values()]
        self.v = [torch.from_numpy(array) for array in direction().values()]

    def step(self) -> None:
        torch = self.torch
        loss = error(torch.tanh, torch.matmul, self.x, self.y, *self.leaves)
        gradient = torch.autograd.grad(loss, self.leaves, create_graph=True)
        along_v = sum((g * d).sum() for g, d in zip(gradient, self.v, strict=True))
        self.found = torch.autograd.grad(along_v, self.leaves)

    def gradients(self) -> Arrays:
        return {name: array.numpy() for name, array in zip(SHAPES, self.found, strict=True)}


class WithAutograd:
    """HIPS autograd."""

    def __init__(self) -> None:
        import autograd.numpy as anp
        from autograd import grad

        (x, y), v = samples(), direction()
        gradient = grad(lambda w: error(anp.tanh, anp.dot, x, y, *(w[name] for name in SHAPES)))

        def along_v(w: Arrays) -> Any:
            found = gradient(w)
            return sum(anp.sum(found[name] * v[name]) for name in SHAPES)

        self.product, self.weights = grad(along_v), weights()

    def step(self) -> None:
        self.found = self.product(self.weights)

    def gradients(self) -> Arrays:
        return self.found


WORKLOAD = Workload(
    "W7: Hessian-vector product of a two-layer tanh network",
    {"numpy": ByHand, "teachcell": with_teachcell, "torch": WithTorch, "autograd": WithAutograd},
    {("teachcell", "torch"): 0.55},
)
