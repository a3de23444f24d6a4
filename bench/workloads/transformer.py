"""W6: a transformer block, pre-norm, 8 sequences of 64 places, width 64, 4 heads; forward and backward.

    h = x + o(attention(norm1(x))),   y = h + f2(gelu(f1(norm2(h)))),   loss = mean((y - target)²)
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..by_hand.training import Dense
from ..libraries import Autograd, MyGrad, Teachcell, TorchGradients, teachcell_dense, with_jit
from ..workload import Arrays, Workload, uniform

BATCH, PLACES, WIDTH, HEADS, WIDE = 8, 64, 64, 4, 256
DEPTH, ROWS = WIDTH // HEADS, BATCH * PLACES
SPLIT = (BATCH, PLACES, 3, HEADS, DEPTH)
SCALE, EPSILON = np.float32(DEPTH**-0.5), np.float32(1e-5)
DENSE = {"qkv": (WIDTH, 3 * WIDTH), "o": (WIDTH, WIDTH), "f1": (WIDTH, WIDE), "f2": (WIDE, WIDTH)}
C, C3 = np.float32(np.sqrt(2 / np.pi)), np.float32(0.044715)  # gelu(x) ≈ x/2 · (1 + tanh(C · (x + C3 x³)))


def weights() -> Arrays:
    """Scale g and shift s of both norms, W and b of four dense layers, in the order of the parts."""
    random = np.random.RandomState(15)
    found: Arrays = {}
    for part in ("1", "qkv", "o", "2", "f1", "f2"):
        if part in DENSE:
            found[f"W{part}"] = uniform(random, DENSE[part], DENSE[part][0])
            found[f"b{part}"] = uniform(random, DENSE[part][1:], DENSE[part][0])
        else:
            found[f"g{part}"] = (1 + 0.1 * random.randn(WIDTH)).astype(np.float32)
            found[f"s{part}"] = (0.1 * random.randn(WIDTH)).astype(np.float32)
    return found


def samples() -> tuple[np.ndarray, np.ndarray]:
    """Inputs and targets."""
    random = np.random.RandomState(16)
    x, target = (random.randn(BATCH, PLACES, WIDTH).astype(np.float32) for _ in range(2))
    return x, target


class LayerNorm:
    """Over the rows of a matrix; sums are products with ones."""

    def __init__(self, g: np.ndarray, s: np.ndarray, dg: np.ndarray, ds: np.ndarray) -> None:
        self.g, self.s, self.dg, self.ds = g, s, dg, ds
        self.normed, self.y, self.t = (np.empty((ROWS, WIDTH), np.float32) for _ in range(3))
        self.mean, self.inverse, self.along = (np.empty((ROWS, 1), np.float32) for _ in range(3))
        self.mean_of, self.ones = np.full((WIDTH, 1), 1 / WIDTH, np.float32), np.ones(ROWS, np.float32)

    def forward(self, x: np.ndarray) -> np.ndarray:
        normed, inverse = self.normed, self.inverse
        np.subtract(x, np.dot(x, self.mean_of, self.mean), normed)
        np.dot(np.multiply(normed, normed, self.t), self.mean_of, inverse)
        np.divide(1, np.sqrt(np.add(inverse, EPSILON, inverse), inverse), inverse)
        np.multiply(normed, inverse, normed)
        return np.add(np.multiply(normed, self.g, self.y), self.s, self.y)

    def backward(self, dy: np.ndarray) -> np.ndarray:
        np.dot(self.ones, dy, self.ds)
        np.dot(self.ones, np.multiply(dy, self.normed, self.t), self.dg)
        np.dot(self.t, self.mean_of * self.g[:, None], self.along)
        np.multiply(dy, self.g, dy)
        np.subtract(dy, np.dot(dy, self.mean_of, self.mean), dy)
        np.subtract(dy, np.multiply(self.normed, self.along, self.t), dy)
        return np.multiply(dy, self.inverse, dy)


class Gelu:
    """The tanh approximation, and its slope in place."""

    def __init__(self) -> None:
        self.x2, self.tanh, self.t, self.y = (np.empty((ROWS, WIDE), np.float32) for _ in range(4))

    def forward(self, x: np.ndarray) -> np.ndarray:
        self.x, t = x, self.t
        np.multiply(x, x, self.x2)
        np.add(np.multiply(self.x2, C * C3, t), C, t)
        np.tanh(np.multiply(t, x, t), self.tanh)
        np.add(self.tanh, 1, t)
        np.multiply(t, np.float32(0.5), t)  # the part of x that passes; the slope begins with it
        return np.multiply(t, x, self.y)

    def backward(self, dy: np.ndarray) -> np.ndarray:
        inner, tanh = self.x2, self.tanh
        np.add(np.multiply(inner, np.float32(1.5) * C * C3, inner), np.float32(0.5) * C, inner)
        np.subtract(1, np.multiply(tanh, tanh, tanh), tanh)
        np.multiply(np.multiply(inner, tanh, inner), self.x, inner)
        return np.multiply(dy, np.add(self.t, inner, inner), dy)


class Attention:
    """softmax(q · kᵀ · scale) · v, from the columns of one matrix."""

    def __init__(self) -> None:
        self.score, self.dscore = (np.empty((BATCH, HEADS, PLACES, PLACES), np.float32) for _ in range(2))
        self.y, self.dx = np.empty((ROWS, WIDTH), np.float32), np.empty((ROWS, 3 * WIDTH), np.float32)
        self.product = np.empty((ROWS, WIDTH), np.float32)
        self.largest, self.total = (np.empty((BATCH, HEADS, PLACES, 1), np.float32) for _ in range(2))
        self.ones = np.ones((PLACES, 1), np.float32)

    @staticmethod
    def by_head(rows: np.ndarray) -> np.ndarray:
        """(row, width) as (sample, head, place, depth)."""
        return rows.reshape(BATCH, PLACES, HEADS, DEPTH).transpose(0, 2, 1, 3)

    def forward(self, x: np.ndarray) -> np.ndarray:
        self.q, self.k, self.v = x.reshape(SPLIT).transpose(2, 0, 3, 1, 4)
        score = self.score
        np.matmul(self.q, self.k.swapaxes(2, 3), score)
        np.multiply(score, SCALE, score)
        np.subtract(score, np.maximum.reduce(score, 3, keepdims=True, out=self.largest), score)
        np.matmul(np.exp(score, score), self.ones, self.total)
        np.multiply(score, np.divide(1, self.total, self.total), score)
        np.matmul(score, self.v, self.by_head(self.y))
        return self.y

    def backward(self, dy: np.ndarray) -> np.ndarray:
        dq, dk, dv = self.dx.reshape(SPLIT).transpose(2, 0, 3, 1, 4)
        score, dscore, of_heads = self.score, self.dscore, self.by_head(dy)
        np.matmul(score.swapaxes(2, 3), of_heads, dv)
        np.matmul(of_heads, self.v.swapaxes(2, 3), dscore)
        np.multiply(dy, self.y, self.product)  # summed over the depth: the mean of dscore under score
        np.subtract(dscore, self.by_head(self.product).sum(3, keepdims=True), dscore)
        np.multiply(np.multiply(dscore, score, dscore), SCALE, dscore)
        np.matmul(dscore, self.k, dq)
        np.matmul(dscore.swapaxes(2, 3), self.q, dk)
        return self.dx


class ByHand:
    """Every array allocated beforehand, the gradients added in place."""

    def __init__(self) -> None:
        start = weights()
        self.d = {name: np.empty_like(array) for name, array in start.items()}
        self.x, self.target = (array.reshape(ROWS, WIDTH) for array in samples())

        def both(*names: str) -> list[np.ndarray]:
            return [table[name] for table in (start, self.d) for name in names]

        self.norm1, self.norm2 = (LayerNorm(*both(f"g{i}", f"s{i}")) for i in "12")
        self.qkv, self.o, self.f1, self.f2 = (Dense(ROWS, *both(f"W{part}", f"b{part}")) for part in DENSE)
        self.attention, self.gelu = Attention(), Gelu()
        self.into, self.beside = (
            (self.norm1, self.qkv, self.attention, self.o),
            (self.norm2, self.f1, self.gelu, self.f2),
        )
        self.h, self.y = np.empty_like(self.x), np.empty_like(self.x)

    def step(self) -> Any:
        h, y = self.h, self.y
        for before, after, branch in ((self.x, h, self.into), (h, y, self.beside)):
            along = before
            for layer in branch:
                along = layer.forward(along)
            np.add(before, along, after)
        np.subtract(y, self.target, y)
        loss = np.dot(y.reshape(-1), y.reshape(-1)) / y.size
        slope = np.multiply(y, np.float32(2 / y.size), y)
        for branch in (self.beside, self.into):
            along = slope
            for layer in reversed(branch):
                along = layer.backward(along)
            np.add(slope, along, slope)
        return loss

    def gradients(self) -> Arrays:
        return self.d


def with_teachcell() -> Teachcell:
    from teachcell import Tensor, nn, ops, value_and_grad

    start = weights()

    def norm(i: int) -> nn.LayerNorm:
        g, s = Tensor(start[f"g{i}"]), Tensor(start[f"s{i}"])
        return nn.LayerNorm((WIDTH,), gamma_init=g, beta_init=s, epsilon=float(EPSILON))

    class Block(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.norm1, self.qkv, self.o = norm(1), teachcell_dense(start, "qkv"), teachcell_dense(start, "o")
            self.norm2, self.f1, self.f2 = norm(2), teachcell_dense(start, "f1"), teachcell_dense(start, "f2")

        def construct(self, x: Tensor, target: Tensor) -> Tensor:
            q, k, v = ops.unbind(self.qkv(self.norm1(x)).reshape(SPLIT).transpose((2, 0, 3, 1, 4)))
            score = ops.softmax(ops.matmul(q, k.swapaxes(-1, -2)) * float(SCALE), -1)
            heads = ops.matmul(score, v).transpose((0, 2, 1, 3)).reshape((BATCH, PLACES, WIDTH))
            h = x + self.o(heads)
            h = h + self.f2(ops.gelu(self.f1(self.norm2(h)), approximate="tanh"))
            e = h - target
            return (e * e).mean()

    net = Block()
    work = value_and_grad(net, None, net.trainable_params())
    return Teachcell(work, [Tensor(array) for array in samples()], start, dense=True)


def with_torch() -> TorchGradients:
    import torch
    from torch.nn.functional import gelu, layer_norm

    x, target = map(torch.from_numpy, samples())

    def loss(p: dict[str, Any]) -> Any:
        def norm(x: Any, i: int) -> Any:
            return layer_norm(x, (WIDTH,), p[f"g{i}"], p[f"s{i}"], float(EPSILON))

        def dense(x: Any, part: str) -> Any:
            return x @ p[f"W{part}"] + p[f"b{part}"]

        q, k, v = dense(norm(x, 1), "qkv").reshape(SPLIT).permute(2, 0, 3, 1, 4)
        score = torch.softmax(q @ k.transpose(-1, -2) * float(SCALE), -1)
        h = x + dense((score @ v).transpose(1, 2).reshape(BATCH, PLACES, WIDTH), "o")
        h = h + dense(gelu(dense(norm(h, 2), "f1"), approximate="tanh"), "f2")
        e = h - target
        return (e * e).mean()

    return TorchGradients(weights(), loss)


def from_elements(lib: Any, p: dict[str, Any], softmax: Any) -> Any:
    """For libraries without norm and GELU; ``lib`` has NumPy's names."""
    x, target = samples()

    def norm(x: Any, i: int) -> Any:
        x = x - lib.mean(x, axis=-1, keepdims=True)
        return x / lib.sqrt(lib.mean(x * x, axis=-1, keepdims=True) + EPSILON) * p[f"g{i}"] + p[f"s{i}"]

    def dense(x: Any, part: str) -> Any:
        return lib.matmul(x, p[f"W{part}"]) + p[f"b{part}"]

    q, k, v = lib.transpose(lib.reshape(dense(norm(x, 1), "qkv"), SPLIT), (2, 0, 3, 1, 4))
    score = softmax(lib.matmul(q, lib.swapaxes(k, -1, -2)) * SCALE)
    heads = lib.reshape(lib.transpose(lib.matmul(score, v), (0, 2, 1, 3)), (BATCH, PLACES, WIDTH))
    h = x + dense(heads, "o")
    f = dense(norm(h, 2), "f1")
    h = h + dense(np.float32(0.5) * f * (1 + lib.tanh(C * (f + C3 * (f * f * f)))), "f2")
    e = h - target
    return lib.mean(e * e)


def with_autograd() -> Autograd:
    import autograd.numpy as anp

    def softmax(score: Any) -> Any:
        exp = anp.exp(score - anp.max(score, -1, keepdims=True))
        return exp / anp.sum(exp, -1, keepdims=True)

    return Autograd(weights(), lambda p: from_elements(anp, p, softmax))


def with_mygrad() -> MyGrad:
    import mygrad
    from mygrad.nnet.activations import softmax

    return MyGrad(weights(), lambda p: from_elements(mygrad, p, lambda score: softmax(score, axis=-1)))


WORKLOAD = Workload(
    f"W6: transformer block, {BATCH} x {PLACES} x {WIDTH}, forward and backward",
    {
        "numpy": ByHand, "teachcell": with_teachcell, "teachcell+jit": with_jit(with_teachcell),
        "torch": with_torch, "autograd": with_autograd, "mygrad": with_mygrad,
    },
    {("teachcell", "torch"): 0.9},
)  # fmt: skip
