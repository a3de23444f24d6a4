"""W5: leaky integrate-and-fire neurons over 50 steps, with a surrogate slope; forward and backward.

    v = β v (1 - s) + x · W1 + b1,   s = [v > 1],   u = β u + s · W2 + b2,   logits = mean of u over the steps

The slope of the step s is replaced by 1 / (1 + k |v - 1|)². With these seeds v stays 4e-5 away from the threshold,
so that no rounding makes a neuron fire.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..by_hand.training import CrossEntropy
from ..libraries import Autograd, MyGrad, Teachcell, TorchGradients, autograd_cross_entropy, with_jit
from ..workload import Arrays, Workload, uniform

STEPS, BATCH, INPUTS, HIDDEN, CLASSES = 50, 32, 100, 128, 10
BETA, SHARPNESS = 0.9, 10.0


def weights() -> Arrays:
    """W1, b1, W2, b2, so large that a neuron fires in one step of nine."""
    random = np.random.RandomState(1000)
    shapes = {"W1": (INPUTS, HIDDEN), "b1": (HIDDEN,), "W2": (HIDDEN, CLASSES), "b2": (CLASSES,)}
    return {name: uniform(random, shape, 25 if name == "W1" else 64) for name, shape in shapes.items()}


def samples() -> tuple[np.ndarray, np.ndarray]:
    """Spikes as (step, sample, input), and int32 labels."""
    random = np.random.RandomState(1001)
    spikes = (random.rand(STEPS, BATCH, INPUTS) < 0.3).astype(np.float32)
    return spikes, random.randint(0, CLASSES, BATCH).astype(np.int32)


def zeros(width: int) -> np.ndarray:
    """A state at the beginning."""
    return np.zeros((BATCH, width), np.float32)


class ByHand:
    """What an engine cannot do: the products of all steps in one."""

    def __init__(self) -> None:
        start, (self.x, labels) = weights(), samples()
        self.W1, self.b1, self.W2, self.b2 = start.values()
        self.d = {name: np.empty_like(array) for name, array in start.items()}
        self.loss = CrossEntropy(labels, CLASSES)
        # v, spikes, β(1 - s), the surrogate slope, and the derivatives by s and v: for every step
        self.v, self.s, self.decay, self.slope, self.ds, self.dv = (
            np.empty((STEPS, BATCH, HIDDEN), np.float32) for _ in range(6)
        )
        self.arriving, self.du = (np.empty((STEPS, BATCH, CLASSES), np.float32) for _ in range(2))
        self.t, self.u, self.sum_u = zeros(HIDDEN), zeros(CLASSES), zeros(CLASSES)
        self.ones = np.ones(STEPS * BATCH, np.float32)

    def step(self) -> Any:
        self._forward()
        loss, d_mean = self.loss(self.sum_u)
        self._backward(d_mean)
        return loss

    def _forward(self) -> None:
        flat, beta = (STEPS * BATCH, -1), np.float32(BETA)
        np.dot(self.x.reshape(flat), self.W1, self.v.reshape(flat))
        np.add(self.v, self.b1, self.v)
        self.t.fill(0)
        for v, s, decay in zip(self.v, self.s, self.decay, strict=True):
            np.add(v, self.t, v)
            np.greater(v, 1, out=s)
            np.subtract(1, s, decay)
            np.multiply(decay, beta, decay)
            np.multiply(v, decay, self.t)
        np.dot(self.s.reshape(flat), self.W2, self.arriving.reshape(flat))
        np.add(self.arriving, self.b2, self.arriving)
        self.u.fill(0)
        self.sum_u.fill(0)
        for arriving in self.arriving:
            np.multiply(self.u, beta, self.u)
            np.add(self.u, arriving, self.u)
            np.add(self.sum_u, self.u, self.sum_u)
        np.divide(self.sum_u, np.float32(STEPS), self.sum_u)

    def _backward(self, d_mean: np.ndarray) -> None:
        flat, beta, slope = (STEPS * BATCH, -1), np.float32(BETA), self.slope
        np.divide(d_mean, np.float32(STEPS), d_mean)
        self.u.fill(0)
        for du in reversed(self.du):
            np.multiply(self.u, beta, self.u)
            np.add(self.u, d_mean, self.u)
            du[...] = self.u
        np.dot(self.du.reshape(flat), self.W2.T, self.ds.reshape(flat))
        np.subtract(self.v, 1, slope)
        np.abs(slope, slope)
        np.multiply(slope, np.float32(SHARPNESS), slope)
        np.add(slope, 1, slope)
        np.multiply(slope, slope, slope)
        np.divide(1, slope, slope)
        # of the next v by this one: β(1 - s) - β v · slope; of the loss by this one: ds · slope + what comes from there
        np.multiply(self.ds, slope, self.dv)
        np.multiply(slope, self.v, slope)
        np.multiply(slope, beta, slope)
        np.subtract(self.decay, slope, slope)
        for t in reversed(range(STEPS - 1)):
            np.multiply(self.dv[t + 1], slope[t], self.t)
            np.add(self.dv[t], self.t, self.dv[t])
        for name, values, slopes in (("1", self.x, self.dv), ("2", self.s, self.du)):
            np.dot(values.reshape(flat).T, slopes.reshape(flat), self.d[f"W{name}"])
            np.dot(self.ones, slopes.reshape(flat), self.d[f"b{name}"])

    def gradients(self) -> Arrays:
        return self.d


def mean_potential(p: dict[str, Any], matmul: Any, spike: Any, xs: Any, v: Any, u: Any) -> Any:
    """The network, in the words of any library with operators."""
    s, total = v, u
    for x in xs:
        v = BETA * v * (1 - s) + (matmul(x, p["W1"]) + p["b1"])
        s = spike(v)
        u = BETA * u + (matmul(s, p["W2"]) + p["b2"])
        total = total + u
    return total / STEPS


def with_teachcell() -> Teachcell:
    from teachcell import Parameter, Tensor, float32, nn, ops, value_and_grad

    class Spike(nn.Cell):
        def construct(self, v: Tensor) -> Tensor:
            return (v > 1).astype(float32)

        def bprop(self, v: Tensor, out: Tensor, dout: Tensor) -> tuple[Tensor]:
            d = 1 + SHARPNESS * ops.abs(v - 1)
            return (dout / (d * d),)

    class Net(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.W1, self.b1, self.W2, self.b2 = (Parameter(Tensor(a), name=name) for name, a in weights().items())
            self.spike = Spike()

        def construct(self, labels: Tensor, v: Tensor, u: Tensor, *xs: Tensor) -> Tensor:
            p = {"W1": self.W1, "b1": self.b1, "W2": self.W2, "b2": self.b2}
            return ops.cross_entropy(mean_potential(p, ops.matmul, self.spike, xs, v, u), labels)

    net, (spikes, labels) = Net(), samples()
    arguments = [Tensor(labels), Tensor(zeros(HIDDEN)), Tensor(zeros(CLASSES)), *map(Tensor, spikes)]
    return Teachcell(value_and_grad(net, None, net.trainable_params()), arguments, weights())


def with_torch() -> TorchGradients:
    import torch

    class Spike(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, v: Any) -> Any:
            ctx.save_for_backward(v)
            return (v > 1).to(v.dtype)

        @staticmethod
        def backward(ctx: Any, dout: Any) -> Any:
            (v,) = ctx.saved_tensors
            d = 1 + SHARPNESS * (v - 1).abs()
            return dout / (d * d)

    spikes, labels = samples()
    xs, targets = torch.from_numpy(spikes), torch.from_numpy(labels.astype(np.int64))
    v, u = torch.from_numpy(zeros(HIDDEN)), torch.from_numpy(zeros(CLASSES))

    def loss(p: dict[str, Any]) -> Any:
        return torch.nn.functional.cross_entropy(mean_potential(p, torch.matmul, Spike.apply, xs, v, u), targets)

    return TorchGradients(weights(), loss)


def surrogate(v: np.ndarray) -> np.ndarray:
    """1 / (1 + k |v - 1|)² for libraries whose rules see arrays."""
    d = 1 + np.float32(SHARPNESS) * np.abs(v - 1)
    return 1 / (d * d)


def with_autograd() -> Autograd:
    import autograd.numpy as anp
    from autograd.extend import defvjp, primitive

    spike = primitive(lambda v: (v > 1).astype(np.float32))
    defvjp(spike, lambda out, v: lambda dout: dout * surrogate(v))
    spikes, labels = samples()

    def loss(p: Arrays) -> Any:
        return autograd_cross_entropy(mean_potential(p, anp.dot, spike, spikes, zeros(HIDDEN), zeros(CLASSES)), labels)

    return Autograd(weights(), loss)


def with_mygrad() -> MyGrad:
    import mygrad
    from mygrad.nnet.losses import softmax_crossentropy
    from mygrad.operation_base import Operation

    class Spike(Operation):
        def __call__(self, v: Any) -> np.ndarray:
            self.variables = (v,)
            return (v.data > 1).astype(np.float32)

        def backward_var(self, dout: np.ndarray, index: int, **_: Any) -> np.ndarray:
            return dout * surrogate(self.variables[0].data)

    def spike(v: Any) -> Any:
        return mygrad.Tensor._op(Spike, v)

    spikes, labels = samples()

    def loss(p: dict[str, Any]) -> Any:
        u = mean_potential(p, mygrad.matmul, spike, spikes, zeros(HIDDEN), zeros(CLASSES))
        return softmax_crossentropy(u, labels)

    return MyGrad(weights(), loss)


WORKLOAD = Workload(
    f"W5: spiking LIF network with a bprop of its own, {STEPS} steps, forward and backward",
    {
        "numpy": ByHand, "teachcell": with_teachcell, "teachcell+jit": with_jit(with_teachcell),
        "torch": with_torch, "autograd": with_autograd, "mygrad": with_mygrad,
    },
    {("teachcell", "torch"): 0.5, ("teachcell+jit", "torch"): 0.3},
)  # fmt: skip
