"""Samples and references: activations, the softmax family."""

from __future__ import annotations

import math

import numpy as np
from ops.samples.sample import Array, Calls, References, call, each
from scipy import special, stats


def softmax(x: Array, axis: int = -1) -> Array:
    e = np.exp(x)
    return e / e.sum(axis, keepdims=True)


def elu(x: Array, alpha: float = 1.0) -> Array:
    return np.where(x > 0, x, alpha * (np.exp(x) - 1))


def gelu(x: Array, approximate: str = "none") -> Array:
    u = math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)
    return x * (stats.norm.cdf(x) if approximate == "none" else (1 + np.tanh(u)) / 2)


def glu(x: Array, axis: int = -1) -> Array:
    a, b = np.split(x, 2, axis)
    return a * special.expit(b)


UNARY: References = {
    "tanh": each(math.tanh),
    "sigmoid": special.expit,
    "logsigmoid": lambda x: np.log(special.expit(x)),
    "softsign": lambda x: x / (1 + abs(x)),
    "tanhshrink": lambda x: x - np.tanh(x),
    "silu": lambda x: x * special.expit(x),
    "mish": lambda x: x * np.tanh(np.log(1 + np.exp(x))),
    "normal_cdf": stats.norm.cdf,
    "selu": lambda x: 1.0507009873554805 * elu(x, 1.6732632423543772),
    "fast_gelu": lambda x: x / (1 + np.exp(-1.702 * x)),
    "relu": lambda x: np.where(x > 0, x, 0),
    "relu6": lambda x: np.clip(x, 0, 6),
    "hardsigmoid": lambda x: np.clip(x / 6 + 0.5, 0, 1),
    "hardswish": lambda x: x * np.clip(x + 3, 0, 6) / 6,
}
CALLS: Calls = {
    "softplus": [call(()), call((2, 3)), call((0, 3)), call((2, 3), beta=2.5), call((2, 3), beta=2, threshold=1.1)],
    "gelu": [call(()), call((2, 3)), call((0, 3)), call((2, 3), approximate="tanh"), call((), approximate="tanh")],
    "elu": [call(()), call((2, 3)), call((0, 3)), call((2, 3), alpha=0.5)],
    "celu": [call(()), call((2, 3)), call((2, 3), alpha=0.5), call((3,), alpha=-2.0)],
    "leaky_relu": [call(()), call((2, 3)), call((0, 3)), call((2, 3), alpha=0.01), call((2, 3), alpha=-1.0)],
    "prelu": [call((2, 3), (3,)), call((2, 3, 2, 2), (3, 1, 1)), call((3,), (1,)), call((), ())],
    "hardtanh": [call(()), call((2, 3)), call((2, 3), min_val=-0.5, max_val=1.5), call((0, 3))],
    "hardshrink": [call(()), call((2, 3)), call((2, 3), lambd=0.1), call((0, 3))],
    "softshrink": [call(()), call((2, 3)), call((2, 3), lambd=0.1), call((2, 3), lambd=0)],
    "threshold": [call((), thr=0.1, value=20.0), call((2, 3), thr=-0.5, value=-1), call((0, 3), thr=0.0, value=1.0)],
    "glu": [call((4,)), call((2, 3), axis=0), call((2, 4, 3), axis=1), call((0, 4))],
    "softmax": [call((3,)), call((2, 3), axis=0), call((2, 3, 2), axis=1), call((2, 3), axis=(0, 1)), call((0, 3))],
    "log_softmax": [call((3,)), call((2, 3), axis=0), call((0, 3))],
    "softmin": [call((3,)), call((2, 3), axis=0)],
}  # fmt: skip
REFERENCES: References = {
    "softplus": lambda x, beta=1, threshold=20: np.where(x * beta > threshold, x, np.log(1 + np.exp(beta * x)) / beta),
    "gelu": gelu,
    "elu": elu,
    "celu": lambda x, alpha=1.0: np.where(x > 0, x, alpha * (np.exp(x / alpha) - 1)),
    "leaky_relu": lambda x, alpha=0.2: np.where(x > 0, x, alpha * x),
    "prelu": lambda x, w: np.maximum(x, 0) + w * np.minimum(x, 0),
    "hardtanh": lambda x, min_val=-1.0, max_val=1.0: np.clip(x, min_val, max_val),
    "hardshrink": lambda x, lambd=0.5: np.where(abs(x) > lambd, x, 0.0),
    "softshrink": lambda x, lambd=0.5: np.sign(x) * np.maximum(abs(x) - lambd, 0.0),
    "threshold": lambda x, thr, value: np.where(x > thr, x, float(value)),
    "glu": glu,
    "softmax": softmax,
    "log_softmax": lambda x, axis=-1: np.log(softmax(x, axis)),
    "softmin": lambda x, axis=-1: softmax(-x, axis),
}
TESTED_ELSEWHERE = {"gumbel_softmax", "rrelu"}
