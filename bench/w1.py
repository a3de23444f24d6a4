"""W1: 100 tiny element-wise ops, forward and backward. Bookkeeping is nearly all it costs."""

from __future__ import annotations

from typing import Any

import numpy as np

from .workload import Workload

ROUNDS = 20
OPS = 5 * ROUNDS


def inputs() -> dict[str, np.ndarray]:
    """h, a, b, c: 8 x 8 float32."""
    random = np.random.RandomState(1)
    h, a, b, c = ((0.5 * random.randn(8, 8)).astype(np.float32) for _ in range(4))
    return {"h": h, "a": a * np.float32(0.5), "b": b, "c": c}


class Hand:
    """NumPy with every array allocated beforehand."""

    def __init__(self) -> None:
        start, self.a, self.b, self.c = inputs().values()
        self.h = [start, *(np.empty_like(start) for _ in range(ROUNDS))]
        self.tanh = [np.empty_like(start) for _ in range(ROUNDS)]
        self.t = np.empty_like(start)
        self.dh, self.da, self.db, self.dc = (np.empty_like(start) for _ in range(4))

    def step(self) -> Any:
        a, b, c, t = self.a, self.b, self.c, self.t
        for h, after, y in zip(self.h, self.h[1:], self.tanh, strict=False):
            np.multiply(h, a, t)
            np.add(t, b, t)
            np.tanh(t, y)
            np.subtract(y, c, t)
            np.add(h, t, after)
        self._backward()
        return self.h[-1].sum()

    def _backward(self) -> None:
        a, dh, da, db, dc, t = self.a, self.dh, self.da, self.db, self.dc, self.t
        dh.fill(1)
        for total in (da, db, dc):
            total.fill(0)
        for h, y in zip(reversed(self.h[:-1]), reversed(self.tanh), strict=True):
            np.subtract(dc, dh, dc)
            np.multiply(y, y, t)
            np.subtract(1, t, t)
            np.multiply(t, dh, t)
            np.add(db, t, db)
            np.multiply(t, h, y)  # y has done its work
            np.add(da, y, da)
            np.multiply(t, a, t)
            np.add(dh, t, dh)

    def gradients(self) -> dict[str, np.ndarray]:
        return {"h": self.dh, "a": self.da, "b": self.db, "c": self.dc}


class Teachcell:
    """The public API, as a learner writes it."""

    def __init__(self) -> None:
        from teachcell import Tensor, ops, value_and_grad

        def chain(h: Tensor, a: Tensor, b: Tensor, c: Tensor) -> Tensor:
            for _ in range(ROUNDS):
                t = h * a
                t = t + b
                t = ops.tanh(t)
                t = t - c
                h = h + t
            return h.sum()

        self.arguments = [Tensor(array) for array in inputs().values()]
        self.differentiate = value_and_grad(chain, grad_position=(0, 1, 2, 3))

    def step(self) -> Any:
        loss, self.found = self.differentiate(*self.arguments)
        return loss

    def gradients(self) -> dict[str, np.ndarray]:
        return {name: gradient.asnumpy() for name, gradient in zip("habc", self.found, strict=True)}


class Torch:
    """PyTorch, eager, one thread."""

    def __init__(self) -> None:
        import torch  # type: ignore[import-not-found]

        torch.set_num_threads(1)
        self.tanh = torch.tanh
        self.leaves = {name: torch.from_numpy(array).requires_grad_() for name, array in inputs().items()}

    def step(self) -> Any:
        h, a, b, c = self.leaves.values()
        for leaf in self.leaves.values():
            leaf.grad = None
        for _ in range(ROUNDS):
            t = h * a
            t = t + b
            t = self.tanh(t)
            t = t - c
            h = h + t
        loss = h.sum()
        loss.backward()
        return loss.item()

    def gradients(self) -> dict[str, np.ndarray]:
        return {name: leaf.grad.numpy() for name, leaf in self.leaves.items()}


WORKLOAD = Workload(
    f"W1: {OPS} element-wise ops on 8 x 8, forward and backward",
    {"numpy": Hand, "teachcell": Teachcell, "torch": Torch},
)
