"""Samples and references: arithmetic, signs, rounding, bounds."""

from __future__ import annotations

import math

import numpy as np
from ops.samples.sample import Calls, References, call, each

UNARY: References = {
    "negative": lambda x: 0 - x,
    "positive": lambda x: x,
    "square": lambda x: x * x,
    "reciprocal": lambda x: x**-1,
    "absolute": lambda x: np.where(x < 0, 0 - x, x),
    "sign": lambda x: np.where(x > 0, 1.0, np.where(x < 0, -1.0, 0.0)),
    "signbit": lambda x: x < 0,
    "floor": each(math.floor),
    "ceil": each(math.ceil),
    "round": each(round),
    "trunc": each(math.trunc),
    "frac": lambda x: np.sign(x) * (np.abs(x) % 1),
}
BINARY: References = {
    "add": lambda x, y: x + y,
    "subtract": lambda x, y: x - y,
    "multiply": lambda x, y: x * y,
    "divide": lambda x, y: x * (1 / y),
    "floor_divide": lambda x, y: np.floor(x / y),
    "truncate_div": lambda x, y: np.sign(x / y) * np.floor(np.abs(x / y)),
    "mod": lambda x, y: x - y * np.floor(x / y),
    "fmod": lambda x, y: x - y * np.trunc(x / y),
    "power": lambda x, y: np.exp(y * np.log(x)),
    "maximum": lambda x, y: np.where(x > y, x, y),
    "minimum": lambda x, y: np.where(x < y, x, y),
    "fmax": lambda x, y: np.where(x > y, x, y),
    "fmin": lambda x, y: np.where(x < y, x, y),
    "squared_difference": lambda x, y: (x - y) ** 2,
    "div_no_nan": lambda x, y: x / y,
    "mul_no_nan": lambda x, y: x * y,
    "xdivy": lambda x, y: x / y,
    "xlogy": lambda x, y: x * np.log(y),
    "copysign": lambda x, y: np.abs(x) * np.where(y < 0, -1.0, 1.0),
    "ldexp": lambda x, y: x * 2**y,
}
CALLS: Calls = {
    "scale": [call((), factor=3.0), call((2, 3), factor=-0.5)],
    "shift": [call((), amount=3.0), call((2, 3), amount=-0.5)],
    "div": [call((3,), (2, 3)), call((), (2,))],
    "round": [call((2, 3), decimals=1), call(np.array([125, -35]), decimals=-1), call(np.array([True]))],
    "truncate_div": [call(np.array([7, -7, 7, -7, 6]), np.array([2, 2, -2, -2, -3]))],
    "floor_divide": [call(np.array([7, -7]), np.array([2, 2]))],
    "lerp": [call((2, 3), (3,), ()), call((2,), (2,), (2,)), call((2, 1), (1, 3), (2, 3))],
    "addn": [call((2, 3), (2, 3)), call((3,)), call((), (), ()), call((0, 2), (0, 2))],
    "addcmul": [call((2, 3), (3,), (2, 1)), call((2,), (2,), (2,), value=-0.5)],
    "addcdiv": [call((2, 3), (3,), (2, 1)), call((2,), (2,), (2,), value=-0.5)],
    "clamp": [
        call((2, 3), min=-0.55), call((2, 3), max=0.45), call((3,), min=-0.75, max=0.75), call((), min=5.0),
        call((3,), min=0.5, max=-0.5),
    ],
    "clip_by_value": [call((2, 3), clip_value_min=-0.55), call((2, 3), (3,), ()), call((3,), clip_value_max=0.45)],
    "nan_to_num": [call((2, 3)), call((), nan=7.0)],
    "heaviside": [call((2, 3), (3,)), call((), ())],
    "nextafter": [call((2, 3), (3,)), call((), (2,))],
}  # fmt: skip


def clip(x: np.ndarray, low: object = None, high: object = None) -> np.ndarray:
    x = x if low is None else np.where(x < low, low, x)
    return x if high is None else np.where(x > high, high, x)


REFERENCES: References = {
    "scale": lambda x, factor: x * factor,
    "shift": lambda x, amount: x + amount,
    "div": lambda x, y: x / y,
    "round": lambda x, decimals=0: np.round(x, decimals) if x.dtype != bool else x,
    "truncate_div": lambda x, y: np.trunc(x / y).astype(x.dtype),
    "floor_divide": lambda x, y: np.floor(x / y).astype(x.dtype),
    "lerp": lambda x, y, w: x * (1 - w) + y * w,
    "addn": lambda *xs: np.array(sum(xs)),
    "addcmul": lambda x, a, b, value=1: x + value * a * b,
    "addcdiv": lambda x, a, b, value=1: x + value * a / b,
    "clamp": lambda x, min=None, max=None: clip(x, min, max),
    "clip_by_value": lambda x, *bounds, clip_value_min=None, clip_value_max=None: clip(
        x, *(bounds or (clip_value_min, clip_value_max))
    ),
    "nan_to_num": lambda x, nan=0.0: x + 0,
    "heaviside": lambda x, values: (x > 0) + values * (x == 0),
    "nextafter": lambda x, y: x + 0 * y,
}
DOMAINS = {"div": (0.3, 3.0), "addcdiv": (0.3, 3.0)}
NOT_DIFFERENTIABLE = {"ceil", "floor", "floor_divide", "round", "sign", "signbit", "trunc", "truncate_div"}
TESTED_ELSEWHERE = {"float_power"}
