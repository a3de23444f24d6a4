"""W1: 100 tiny element-wise ops, forward alone, and forward and backward. Bookkeeping is nearly all they cost."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..libraries import Autograd, MyGrad, Teachcell, TorchGradients, with_jit
from ..workload import Arrays, Workload

ROUNDS = 20
OPS = 5 * ROUNDS


def inputs() -> Arrays:
    """h, a, b, c: 8 x 8 float32."""
    random = np.random.RandomState(1)
    h, a, b, c = ((0.5 * random.randn(8, 8)).astype(np.float32) for _ in range(4))
    return {"h": h, "a": a * np.float32(0.5), "b": b, "c": c}


def chain(tanh: Callable[[Any], Any], h: Any, a: Any, b: Any, c: Any) -> Any:
    """The work, in the words of any library with operators."""
    for _ in range(ROUNDS):
        t = h * a
        t = t + b
        t = tanh(t)
        t = t - c
        h = h + t
    return h.sum()


class ForwardByHand:
    """NumPy with every array allocated beforehand."""

    def __init__(self) -> None:
        start, self.a, self.b, self.c = inputs().values()
        self.h = [start, *(np.empty_like(start) for _ in range(ROUNDS))]
        self.tanh = [np.empty_like(start) for _ in range(ROUNDS)]
        self.t = np.empty_like(start)

    def step(self) -> Any:
        a, b, c, t = self.a, self.b, self.c, self.t
        for h, after, y in zip(self.h, self.h[1:], self.tanh, strict=False):
            np.multiply(h, a, t)
            np.add(t, b, t)
            np.tanh(t, y)
            np.subtract(y, c, t)
            np.add(h, t, after)
        return self.h[-1].sum()

    def gradients(self) -> Arrays:
        return {}


class ByHand(ForwardByHand):
    """Forward, and backward by hand."""

    def __init__(self) -> None:
        super().__init__()
        self.dh, self.da, self.db, self.dc = (np.empty_like(self.t) for _ in range(4))

    def step(self) -> Any:
        loss = super().step()
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
        return loss

    def gradients(self) -> Arrays:
        return {"h": self.dh, "a": self.da, "b": self.db, "c": self.dc}


class Forward:
    """The chain without a gradient."""

    def __init__(self, run: Callable[[], Any]) -> None:
        self.step = run

    def gradients(self) -> Arrays:
        return {}


def forward_with_teachcell() -> Forward:
    from teachcell import Tensor, ops

    arguments = [Tensor(array) for array in inputs().values()]
    return Forward(lambda: chain(ops.tanh, *arguments))


def forward_with_torch() -> Forward:
    import torch

    torch.set_num_threads(1)
    arguments = [torch.from_numpy(array) for array in inputs().values()]
    return Forward(lambda: chain(torch.tanh, *arguments))


def forward_with_mygrad() -> Forward:
    import mygrad

    arguments = [mygrad.tensor(array) for array in inputs().values()]
    return Forward(mygrad.no_autodiff(lambda: chain(mygrad.tanh, *arguments)))


def with_teachcell() -> Teachcell:
    from teachcell import Tensor, ops, value_and_grad

    def loss(h: Tensor, a: Tensor, b: Tensor, c: Tensor) -> Tensor:
        return chain(ops.tanh, h, a, b, c)

    work = value_and_grad(loss, grad_position=(0, 1, 2, 3))
    return Teachcell(work, [Tensor(array) for array in inputs().values()], "habc")


def with_torch() -> TorchGradients:
    import torch

    return TorchGradients(inputs(), lambda given: chain(torch.tanh, *given.values()))


def with_autograd() -> Autograd:
    import autograd.numpy as anp

    def loss(given: Arrays) -> Any:
        return chain(anp.tanh, *(given[name] for name in "habc"))

    return Autograd(inputs(), loss)


def with_mygrad() -> MyGrad:
    import mygrad

    return MyGrad(inputs(), lambda given: chain(mygrad.tanh, *given.values()))


FORWARD = Workload(
    f"W1: {OPS} element-wise ops on 8 x 8, forward",
    {
        "numpy": ForwardByHand, "teachcell": forward_with_teachcell, "torch": forward_with_torch,
        "mygrad": forward_with_mygrad,
    },
)  # fmt: skip
BOTH_WAYS = Workload(
    f"W1: {OPS} element-wise ops on 8 x 8, forward and backward",
    {
        "numpy": ByHand, "teachcell": with_teachcell, "teachcell+jit": with_jit(with_teachcell),
        "torch": with_torch, "autograd": with_autograd, "mygrad": with_mygrad,
    },
    {("teachcell", "numpy"): 2.4, ("teachcell", "torch"): 0.42, ("teachcell+jit", "numpy"): 1.1},
)  # fmt: skip
