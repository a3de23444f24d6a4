"""Samples and references: element by element: arithmetic, comparison, activations."""

from __future__ import annotations

import math

import numpy as np
from ops.samples.sample import Calls, References, call, each

UNARY: References = {
    "tanh": each(math.tanh),
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "relu": lambda x: np.where(x > 0, x, 0),
    "relu6": lambda x: np.clip(x, 0, 6),
    "negative": lambda x: 0 - x,
    "positive": lambda x: x,
    "absolute": lambda x: np.where(x < 0, 0 - x, x),
    "sign": lambda x: np.where(x > 0, 1.0, np.where(x < 0, -1.0, 0.0)),
    "floor": each(math.floor),
    "ceil": each(math.ceil),
    "round": each(round),
    "square": lambda x: x * x,
    "sqrt": each(math.sqrt),
    "rsqrt": each(lambda x: 1 / math.sqrt(x)),
    "exp": each(math.exp),
    "log": each(math.log),
    "sin": each(math.sin),
    "cos": each(math.cos),
    "identity": lambda x: x,
    "stop_gradient": lambda x: x,
    "logical_not": lambda x: x == 0,
}
BINARY: References = {
    "add": lambda x, y: x + y,
    "subtract": lambda x, y: x - y,
    "multiply": lambda x, y: x * y,
    "divide": lambda x, y: x * (1 / y),
    "floor_divide": lambda x, y: np.floor(x / y),
    "mod": lambda x, y: x - y * np.floor(x / y),
    "power": lambda x, y: np.exp(y * np.log(x)),
    "maximum": lambda x, y: np.where(x > y, x, y),
    "minimum": lambda x, y: np.where(x < y, x, y),
    "equal": lambda x, y: x == y,
    "not_equal": lambda x, y: (x < y) | (x > y),
    "greater": lambda x, y: x > y,
    "greater_equal": lambda x, y: ~(x < y),
    "less": lambda x, y: x < y,
    "less_equal": lambda x, y: ~(x > y),
    "logical_and": lambda x, y: (x != 0) & (y != 0),
    "logical_or": lambda x, y: (x != 0) | (y != 0),
}
MASK = np.array([[True, False, True], [False, False, True]])
CALLS: Calls = {
    "scale": [call((), factor=3.0), call((2, 3), factor=-0.5)],
    "shift": [call((), amount=3.0), call((2, 3), amount=-0.5)],
    "clamp": [call((2, 3), min=-0.55), call((2, 3), max=0.45), call((3,), min=-0.75, max=0.75), call((), min=5.0)],
    "bitwise_and": [call(np.array([6, 5]), np.array([3, 1])), call(MASK, ~MASK)],
    "bitwise_or": [call(np.array([6, 5]), np.array([3, 1])), call(MASK, ~MASK)],
    "bitwise_xor": [call(np.array([6, 5]), np.array([[3], [1]])), call(MASK, ~MASK)],
    "bitwise_not": [call(np.array([6, -5])), call(MASK)],
    "masked_fill": [call((2, 3), MASK, value=0.5), call((3,), MASK[0], value=-1.0)],
    "select": [
        call(MASK, (2, 3), (2, 3)), call(MASK, (), (3,)), call(np.array([[True], [False]]), (3,), (2, 1)),
        call(np.array(True), (2,), (2,)),
    ],
}  # fmt: skip
REFERENCES: References = {
    "masked_fill": lambda x, mask, value: np.where(mask, value, x),
    "scale": lambda x, factor: x * factor,
    "shift": lambda x, amount: x + amount,
    "clamp": lambda x, min=None, max=None: np.clip(x, min, max),
    "bitwise_and": lambda x, y: x & y,
    "bitwise_or": lambda x, y: x | y,
    "bitwise_xor": lambda x, y: x ^ y,
    "bitwise_not": lambda x: ~x,
    "select": lambda c, x, y: c * x + (1 - c) * y,
}
NOT_DIFFERENTIABLE = {
    "bitwise_and", "bitwise_not", "bitwise_or", "bitwise_xor", "ceil", "equal", "floor", "floor_divide", "greater",
    "greater_equal", "less", "less_equal", "logical_and", "logical_not", "logical_or", "not_equal", "round", "sign",
    "stop_gradient",
}  # fmt: skip
TESTED_ELSEWHERE = {"cast", "dropout", "dropout2d", "hook_backward"}
NEW_VALUES = {"arange", "fill", "full", "ones", "ones_like", "zeros", "zeros_like"}
WRITES = {"assign", "assign_add", "assign_sub"}
