"""W4: an LSTM of 64 units over 50 steps, written step by step; forward and backward.

The loss is the mean over the steps of mean(h²). Gates stand in the order i, f, g, o.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..libraries import Autograd, MyGrad, Teachcell, TorchGradients, with_jit
from ..workload import Arrays, Workload, uniform

HIDDEN, INPUTS, STEPS, BATCH = 64, 32, 50, 16


def weights() -> Arrays:
    """Wx, Wh, b: z = x · Wx + h · Wh + b."""
    random = np.random.RandomState(8)
    shapes = {"Wx": (INPUTS, 4 * HIDDEN), "Wh": (HIDDEN, 4 * HIDDEN), "b": (4 * HIDDEN,)}
    return {name: uniform(random, shape, HIDDEN) for name, shape in shapes.items()}


def samples() -> np.ndarray:
    """Inputs as (step, sample, feature)."""
    return np.random.RandomState(9).randn(STEPS, BATCH, INPUTS).astype(np.float32)


def zeros() -> np.ndarray:
    """The state at the beginning."""
    return np.zeros((BATCH, HIDDEN), np.float32)


class ByHand:
    """What an engine cannot do: input products of all steps in one, sums over steps in one; σ(z) by one tanh."""

    def __init__(self) -> None:
        start, self.x = weights(), samples()
        self.Wx, self.Wh, self.b = start.values()
        self.d = {name: np.empty_like(array) for name, array in start.items()}
        # σ(z) = ½ tanh(½ z) + ½ for i, f, o; tanh(z) for g
        self.scale = np.repeat(np.array([0.5, 0.5, 1, 0.5], np.float32), HIDDEN)
        self.shift = np.repeat(np.array([0.5, 0.5, 0, 0.5], np.float32), HIDDEN)
        self.gates, self.slopes, self.dz = (np.empty((STEPS, BATCH, 4, HIDDEN), np.float32) for _ in range(3))
        self.h, self.c = (np.zeros((STEPS + 1, BATCH, HIDDEN), np.float32) for _ in range(2))
        self.tanh_c, self.dtanh = (np.empty((STEPS, BATCH, HIDDEN), np.float32) for _ in range(2))
        self.z, self.t = np.empty((BATCH, 4 * HIDDEN), np.float32), zeros()
        self.dh, self.dc = zeros(), zeros()
        self.ones = np.ones(STEPS * BATCH, np.float32)

    def step(self) -> Any:
        self._forward()
        self._backward()
        flat = self.h[1:].reshape(-1)
        return np.dot(flat, flat) / flat.size

    def _forward(self) -> None:
        flat, Wh = self.gates.reshape(STEPS * BATCH, -1), self.Wh * self.scale
        np.dot(self.x.reshape(STEPS * BATCH, -1), self.Wx * self.scale, flat)
        np.add(flat, self.b * self.scale, flat)
        for t, gates in enumerate(self.gates):
            a, (i, f, g, o) = gates.reshape(BATCH, -1), gates.transpose(1, 0, 2)
            np.dot(self.h[t], Wh, self.z)
            np.add(a, self.z, a)
            np.tanh(a, a)
            np.multiply(a, self.scale, a)
            np.add(a, self.shift, a)
            np.multiply(f, self.c[t], self.c[t + 1])
            np.multiply(i, g, self.t)
            np.add(self.c[t + 1], self.t, self.c[t + 1])
            np.tanh(self.c[t + 1], self.tanh_c[t])
            np.multiply(o, self.tanh_c[t], self.h[t + 1])

    def _local_slopes(self) -> None:
        """For all steps at once: of z by what arrives at c (i, f, g) or at h (o), and of h by c."""
        gates, slopes = self.gates, self.slopes
        i, f, g, o = gates.transpose(2, 0, 1, 3)
        np.multiply(gates, gates, slopes)
        np.subtract(gates, slopes, slopes)  # σ′ = σ - σ²
        np.subtract(1, g * g, slopes[:, :, 2])
        for k, factor in enumerate((g, self.c[:-1], i, self.tanh_c)):
            np.multiply(slopes[:, :, k], factor, slopes[:, :, k])
        np.multiply(self.tanh_c, self.tanh_c, self.dtanh)
        np.subtract(1, self.dtanh, self.dtanh)
        np.multiply(self.dtanh, o, self.dtanh)

    def _backward(self) -> None:
        self._local_slopes()
        dh, dc, of_loss = self.dh, self.dc, np.float32(2 / (STEPS * BATCH * HIDDEN))
        dh.fill(0)
        dc.fill(0)
        for t in reversed(range(STEPS)):
            np.multiply(self.h[t + 1], of_loss, self.t)
            np.add(dh, self.t, dh)
            np.multiply(dh, self.dtanh[t], self.t)
            np.add(dc, self.t, dc)
            np.multiply(dc[:, None], self.slopes[t, :, :3], self.dz[t, :, :3])
            np.multiply(dh, self.slopes[t, :, 3], self.dz[t, :, 3])
            np.multiply(dc, self.gates[t, :, 1], dc)
            np.dot(self.dz[t].reshape(BATCH, -1), self.Wh.T, dh)
        dz, before = self.dz.reshape(STEPS * BATCH, -1), self.h[:-1].reshape(STEPS * BATCH, -1)
        np.dot(self.x.reshape(STEPS * BATCH, -1).T, dz, self.d["Wx"])
        np.dot(before.T, dz, self.d["Wh"])
        np.dot(self.ones, dz, self.d["b"])

    def gradients(self) -> Arrays:
        return self.d


def with_teachcell() -> Teachcell:
    from teachcell import Parameter, Tensor, nn, ops, value_and_grad

    class Lstm(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.Wx, self.Wh, self.b = (Parameter(Tensor(array), name=name) for name, array in weights().items())

        def construct(self, h: Tensor, c: Tensor, *xs: Tensor) -> Tensor:
            loss: Any = 0.0
            for x in xs:
                z = ops.matmul(x, self.Wx) + ops.matmul(h, self.Wh) + self.b
                i, f, g, o = ops.split(z, HIDDEN, 1)
                c = ops.sigmoid(f) * c + ops.sigmoid(i) * ops.tanh(g)
                h = ops.sigmoid(o) * ops.tanh(c)
                loss = loss + (h * h).mean()
            return loss / STEPS

    net = Lstm()
    arguments = [Tensor(zeros()), Tensor(zeros()), *map(Tensor, samples())]
    return Teachcell(value_and_grad(net, None, net.trainable_params()), arguments, weights())


def with_torch() -> TorchGradients:
    import torch

    xs, start = torch.from_numpy(samples()), torch.from_numpy(zeros())

    def loss(p: dict[str, Any]) -> Any:
        h, c, total = start, start, 0.0
        for x in xs:
            i, f, g, o = (x @ p["Wx"] + h @ p["Wh"] + p["b"]).chunk(4, 1)
            c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
            h = torch.sigmoid(o) * torch.tanh(c)
            total = total + (h * h).mean()
        return total / STEPS

    return TorchGradients(weights(), loss)


def by_slices(p: dict[str, Any], matmul: Any, tanh: Any) -> Any:
    """For libraries with neither split nor sigmoid."""

    def sigmoid(z: Any) -> Any:
        return np.float32(0.5) * tanh(np.float32(0.5) * z) + np.float32(0.5)

    h, c, total = zeros(), zeros(), 0.0
    for x in samples():
        z = matmul(x, p["Wx"]) + matmul(h, p["Wh"]) + p["b"]
        i, f, g, o = (z[:, k * HIDDEN : (k + 1) * HIDDEN] for k in range(4))
        c = sigmoid(f) * c + sigmoid(i) * tanh(g)
        h = sigmoid(o) * tanh(c)
        total = total + (h * h).mean()
    return total / STEPS


def with_autograd() -> Autograd:
    import autograd.numpy as anp

    return Autograd(weights(), lambda p: by_slices(p, anp.dot, anp.tanh))


def with_mygrad() -> MyGrad:
    import mygrad

    return MyGrad(weights(), lambda p: by_slices(p, mygrad.matmul, mygrad.tanh))


WORKLOAD = Workload(
    f"W4: LSTM of {HIDDEN} units by cells, {STEPS} steps, forward and backward",
    {
        "numpy": ByHand, "teachcell": with_teachcell, "teachcell+jit": with_jit(with_teachcell),
        "torch": with_torch, "autograd": with_autograd, "mygrad": with_mygrad,
    },
    {("teachcell", "torch"): 0.65, ("teachcell+jit", "torch"): 0.4},
)  # fmt: skip
