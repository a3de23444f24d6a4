"""Random programs for jit: Python source of a function with its globals, Cells and optimizer, and what happens
between its calls. A twin of the same source runs without jit; whatever can be seen of both must be the same."""

from __future__ import annotations

import itertools
import sys
import types
from typing import Any

import numpy as np

import teachcell as tc
from teachcell import Tensor

HEAD = """
import math
import numpy as np
import teachcell as tc
from teachcell import Parameter, Tensor, grad, nn, ops, value_and_grad

RATE, LIMIT, SIZES, OPTIONS = 0.5, 1.0, [1, 2], {"gain": 2.0}
KEPT = Tensor(np.full((3, 4), 0.25, np.float32))
LOG = []

class Settings:
    power = 2
    def __init__(self):
        self.shift = 0.1

class Block(nn.Cell):
    factor = 1.5
    def __init__(self):
        super().__init__()
        self.fc = nn.Dense(4, 4, weight_init=0.1, bias_init=0.2)
        self.norm = nn.BatchNorm1d(4)
        self.drop = nn.Dropout(p=0.5)
        self.w = Parameter(np.linspace(0.5, 1.5, 4).astype(np.float32), name="w")
        self.scale, self.count, self.seen = 2.0, 0, None
        self.settings = Settings()
    def construct(self, x):
        return ops.tanh(self.fc(x)) * self.w * self.scale

net, settings = Block(), Settings()
net.set_train()
opt = nn.Momentum(net.trainable_params(), 0.05, 0.9)
helper = lambda a: a * RATE

def outer(bias):
    def add(a):
        return a + bias
    return add

add = outer(0.3)
"""

LINES = (
    "a = a * b + RATE", "a = ops.tanh(a) - b", "a = a * 2 - 1", "a = a / (b * b + 1)", "a = ops.relu(a)",
    "a = a @ b.T @ b", "a = a * SIZES[0] + len(SIZES)", "a = a * OPTIONS['gain']", "a = a + KEPT[: a.shape[0]]",
    "a = helper(a)", "a = add(a)", "a = a + settings.shift", "a = a ** settings.power", "a = a * Block.factor",
    "a = a * math.sqrt(LIMIT + 4)", "a = net(a)", "a = net.norm(a)", "a = net.drop(a)", "a = ops.dropout(a, 0.3)",
    "a = a + ops.rand(*a.shape)", "a = a + ops.randn_like(a)", "a = a * net.w",
    "a = a * net.scale + net.settings.shift", "a = ops.softmax(a, -1)", "a = ops.concat((a, b), 0)[: a.shape[0]]",
    "a = a - a.mean(0)", "a = a.reshape(-1, 4) * 1", "if a.sum() > LIMIT:\n    a = a * 0.5\nelse:\n    a = a + 1",
    "if (b[0, 0] > 0):\n    a = -a", "for row in b:\n    a = a + row * 0.1",
    "for i in range(n):\n    a = a * 0.9 + i", "while a.max() > 3:\n    a = a * 0.5", "a = a * 1\na[0] = b[0]",
    "c = a * 1\nd = c[:, 1:]\nc[0, 1] = 9.0\na = a + d.sum()", "c = a * 1\nd = c[0]\nd[...] = 2.0\na = c",
    "c = ops.zeros((2, 4))\nc[0] = 3.0\na = a + c[0]",
    "c = ops.zeros((2, 4))\ne = c + 1\nc[0, 0] = 5.0\na = a + e[0] + c[1]",
    "c = ops.zeros(4)\nc[0] = a.sum()\na = a + c", "a = a + Tensor([1.0, 2.0, 3.0, 4.0])", "c = b.T\na = a + c.sum()",
    "b[0, 0] = 0.5", "a += b", "c = a\nc *= 2", "ops.assign(net.w, a.mean(0))", "ops.assign_add(net.w, ops.ones(4))",
    "net.w[0] = 0.7", "net.w.set_data(a[0])", "KEPT[0, 0] = a.sum()", "net.count += 1", "LOG.append(1)",
    "net.seen = a", "a = a * float(b.sum())", "a = a + b.asnumpy().sum()", "a = a + np.float32(b[0, 0].item())",
    "a = a * int((b > 0).sum())", "a = a + len(ops.nonzero(b > 0))", "a = a + ops.nonzero(b > 0).shape[0]",
    "a = a + b[b > 0].sum()", "a = a + b[b > 0].shape[0]", "a = a.copy()", "a = ops.stop_gradient(a) + b",
    "a = a.astype(tc.float16).astype(tc.float32)", "a = a * grad(lambda t: (t * t * t).sum())(b)",
    "a = a * grad(lambda t: ops.tanh(net(t)).sum())(b)",
    "v, g = value_and_grad(lambda t: net(t).mean(), None, opt.parameters)(b)\na = a + v + g[0].sum()",
    "v, g = value_and_grad(lambda t: net(t).mean(), None, opt.parameters)(b)\nopt(g)\na = a + v",
    "a = a * np.ones(4, np.float32)[0]", "a = a + np.random.rand()", "a = ops.where(a > b, a, b)", "a = a.sort(1)[0]",
    "a = ops.split(a, 2, 1)[0].sum() + a", "c, d = a.max(), a.min()\na = a / (c - d + 1)", "a = ops.cumsum(a, 1)",
    "a = a * (RATE if a.shape[0] > 2 else LIMIT)", "a = ops.gelu(a)", "a = a + len(LOG)", "a = a + b.shape[0]",
    "if net.training:\n    a = a * 2", "a = a.flatten().reshape(a.shape) * 1", "a = ops.exp(ops.log(a * a + 1))",
    "a = a * ops.ones_like(b)", "a = ops.one_hot(a.argmax(1), 4) + b", "a = ops.clamp(a, -1, 1)",
    "net.fc.weight.requires_grad", "a = a + sum(p.sum() for p in net.trainable_params())",
    "a = a * len(net.trainable_params())",
)  # fmt: skip
ENDS = (
    "a", "a, b", "{'a': a, 'n': n}", "[a.sum(), True]", "a.sum()", "a[0]", "x", "a, a", "b.sum() > 0, 'done', None",
    "ops.zeros(3)", "net.w", "a.reshape(-1), a",
)  # fmt: skip
EVENTS = (
    "", "", "", "RATE = 0.75", "LIMIT = 2.0", "SIZES = [3, 2]", "SIZES[0] = 4", "SIZES.append(1)",
    "OPTIONS['gain'] = 3.0", "LOG.append(2)", "net.scale = 1.0", "net.scale = 2.0", "net.set_train(False)",
    "net.set_train(True)", "net.w.set_data(net.w * 2)", "net.w = Parameter(np.ones(4, np.float32), name='w')",
    "net.w[0] = 5.0", "net.w.requires_grad = False", "net.w.requires_grad = True", "settings.shift = 0.2",
    "settings.power = 3", "Settings.power = 1", "Block.factor = 0.5", "helper = lambda a: a + RATE",
    "add = outer(0.6)", "KEPT[0] = 1.0", "KEPT = Tensor(np.ones((3, 4), np.float32))",
    "net.bprop = lambda x, out, dout: (dout * 3,)", "net.bprop = None", "net.settings = Settings()", "net.count = 0",
    "net.fc.bias.set_data(net.fc.bias + 1)", "net.drop = nn.Dropout(p=0.25)", "net.settings.shift = 0.4",
    "opt.momentum = 0.5", "ops.assign(opt.learning_rate, 0.01)", "net = Block()",
    "Block.construct = lambda self, x: x * self.w",
)  # fmt: skip
CALLS = (
    "f(x, y)", "f(x, y, 3)", "f(x, n=1, y=y)", "grad(s)(x, y)", "grad(s, (0, 1))(x, y)",
    "value_and_grad(s, 0, net.trainable_params())(x, y)", "grad(lambda x, y: grad(s)(x, y).sum())(x, y)",
    "grad(lambda x, y: s(x * 2, y) + s(y, x))(x, y)",
)  # fmt: skip
_number = itertools.count()


def source(lines: list[str], end: str, setup: str = "") -> str:
    """The program's text."""
    body = "\n".join(lines).split("\n")
    text = "\n    ".join(["a, b = x, y", *body, f"return {end}"])
    return f"{HEAD}{setup}\ndef f(x, y, n=2):\n    {text}\n\ndef s(x, y):\n    return f(x, y)\n"


class Program:
    """One twin."""

    def __init__(self, lines: list[str], end: str, jitted: bool, setup: str = ""):
        self.module = types.ModuleType(f"program_{next(_number)}")
        self.module.__dict__["__file__"] = "program.py"
        self.scope = self.module.__dict__
        self.results: list[Any] = []  # of all calls so far: later ones must not write into them
        sys.modules[self.module.__name__] = self.module  # where dataclasses look
        tc.set_seed(0)
        exec(compile(source(lines, end, setup), "program.py", "exec"), self.scope)
        if jitted:
            self.scope["f"] = tc.jit(self.scope["f"])
        del sys.modules[self.module.__name__]

    def happens(self, event: str) -> None:
        exec(event, self.scope)

    def called(self, call: str, shape: tuple[int, ...], seed: int) -> Any:
        """The result of a call, or its error, and all that can be seen afterwards."""
        values = np.random.RandomState(seed)
        x, y = (Tensor(values.randn(*shape).astype(np.float32)) for _ in "xy")
        tc.set_seed(seed)
        np.random.seed(seed)
        self.scope.update(x=x, y=y)
        try:
            result = eval(call, self.scope)
        except Exception as error:
            result = f"{type(error).__name__}: {error}"
        self.results.append(result)
        seen = [plainly(self.results), plainly([x, y]), self.state(), float(np.random.rand()), plainly(tc.ops.rand(1))]
        del self.scope["x"], self.scope["y"]
        return seen

    def state(self) -> Any:
        net, opt = self.scope["net"], self.scope["opt"]
        values = [plainly(p) for p in (*net.get_parameters(), *opt.get_parameters())]
        return [values, net.count, plainly(net.seen), plainly(self.scope["KEPT"]), list(self.scope["LOG"])]


def plainly(value: Any) -> Any:
    """Tensors as arrays that own their values."""
    if isinstance(value, Tensor):
        assert type(value._array) is np.ndarray
        return value.asnumpy().copy()
    if isinstance(value, (tuple, list)):
        return [type(value).__name__, *map(plainly, value)]
    return {k: plainly(v) for k, v in value.items()} if isinstance(value, dict) else value


def agree(a: Any, b: Any) -> bool:
    """Equal to rounding: float32 results may differ in the last digits where a buffer has another place."""
    if isinstance(a, np.ndarray):
        return (
            isinstance(b, np.ndarray) and a.shape == b.shape and a.dtype == b.dtype
            and np.allclose(a, b, rtol=1e-6, atol=1e-6, equal_nan=True)
        )  # fmt: skip
    if isinstance(a, list):
        return isinstance(b, list) and len(a) == len(b) and all(map(agree, a, b))
    if isinstance(a, dict):
        return isinstance(b, dict) and a.keys() == b.keys() and all(agree(v, b[k]) for k, v in a.items())
    return type(a) is type(b) and (a == b or a != a)
