"""Activations made of straight pieces (hardswish: of one parabola too): values and slopes.

A slope is constant on each piece; its value at a corner is the one agreed upon.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy import ndarray

from ..texts import say
from .arguments import in_interval
from .random import generator

_ZERO = {np.dtype(t).num: np.zeros((), t) for t in (np.float16, np.float32, np.float64)}


def relu(x: ndarray) -> ndarray:
    """max(x, 0)."""
    zero = _ZERO.get(x.dtype.num)
    return np.maximum(x, x.dtype.type(0) if zero is None else zero)


def relu_grad(g: ndarray, y: ndarray) -> ndarray:
    """g where y > 0, else 0. NumPy casts a mask inside a product in pieces, which takes twice as long (8 x 8)."""
    zero = _ZERO.get(y.dtype.num)
    return np.multiply(np.greater(y, 0 if zero is None else zero).astype(y.dtype), g)


def relu6(x: ndarray) -> ndarray:
    """min(max(x, 0), 6)."""
    return np.minimum(relu(x), x.dtype.type(6))


def relu6_slope(x: ndarray) -> ndarray:
    """1 on 0 < x ≤ 6, else 0."""
    return ((x > 0) & (x <= 6)).astype(x.dtype)


def leaky_relu(x: ndarray, alpha: float = 0.2) -> ndarray:
    """x where x > 0, else α · x."""
    return relu(x) + negative_part(x) * x.dtype.type(alpha)


def leaky_relu_slope(x: ndarray, alpha: float = 0.2) -> ndarray:
    """1 where x > 0, else α."""
    return _one_where_positive(x, x.dtype.type(alpha))


def _one_where_positive(x: ndarray, other: Any) -> ndarray:
    """1 where x > 0, else ``other``. Sums of masks: on a mask without a pattern np.where takes seven times as long."""
    positive = x > 0
    return positive + ~positive * other


def prelu(x: ndarray, weight: ndarray) -> ndarray:
    """x where x > 0, else weight · x; the weight is broadcast."""
    return relu(x) + weight * negative_part(x)


def prelu_slope(x: ndarray, weight: ndarray) -> ndarray:
    """1 where x > 0, else the weight."""
    return _one_where_positive(x, weight)


def negative_part(x: ndarray) -> ndarray:
    """min(x, 0)."""
    return np.minimum(x, x.dtype.type(0))


def rrelu(x: ndarray, lower: float = 1 / 8, upper: float = 1 / 3) -> tuple[ndarray, dict[str, ndarray]]:
    """As leaky_relu with a slope drawn evenly from [lower, upper] for each element; saves the slopes."""
    if lower > upper:
        raise ValueError(say("errors.interval", name="upper", interval=f"[{lower}, ∞)", got=upper))
    drawn = generator().uniform(lower, upper, x.shape).astype(x.dtype)
    slope = _one_where_positive(x, drawn)
    return x * slope, {"slope": slope}


def hardtanh(x: ndarray, min_val: float = -1.0, max_val: float = 1.0) -> ndarray:
    """x limited to [min_val, max_val]."""
    if min_val > max_val:
        raise ValueError(say("errors.interval", name="max_val", interval=f"[{min_val}, ∞)", got=max_val))
    return np.clip(x, x.dtype.type(min_val), x.dtype.type(max_val))


def hardtanh_slope(x: ndarray, min_val: float = -1.0, max_val: float = 1.0) -> ndarray:
    """1 between the bounds, 0 at them and outside."""
    return ((x > x.dtype.type(min_val)) & (x < x.dtype.type(max_val))).astype(x.dtype)


def hardsigmoid(x: ndarray) -> ndarray:
    """x / 6 + ½ limited to [0, 1]."""
    return np.clip(x * x.dtype.type(1 / 6) + x.dtype.type(0.5), x.dtype.type(0), x.dtype.type(1))


def hardsigmoid_slope(x: ndarray) -> ndarray:
    """1/6 on −3 < x < 3, else 0."""
    return (np.abs(x) < 3) * x.dtype.type(1 / 6)


def hardswish(x: ndarray) -> ndarray:
    """x · hardsigmoid(x)."""
    return x * hardsigmoid(x)


def hardswish_slope(x: ndarray) -> ndarray:
    """x / 3 + ½ on −3 ≤ x ≤ 3, 0 below, 1 above."""
    three = x.dtype.type(3)
    parabola = np.clip(x, -three, three) * x.dtype.type(1 / 3) + x.dtype.type(0.5)
    return (np.abs(x) <= three) * parabola + (x > three)


def hardshrink(x: ndarray, lambd: float = 0.5) -> ndarray:
    """x where |x| > λ, else 0."""
    return x * shrink_slope(x, lambd)


def softshrink(x: ndarray, lambd: float = 0.5) -> ndarray:
    """x moved towards 0 by λ, 0 where |x| ≤ λ."""
    in_interval("lambd", lambd, "[0, ∞)")
    return x - np.clip(x, x.dtype.type(-lambd), x.dtype.type(lambd))


def shrink_slope(x: ndarray, lambd: float = 0.5) -> ndarray:
    """1 where |x| > λ, else 0."""
    return (np.abs(x) > x.dtype.type(lambd)).astype(x.dtype)


def threshold(x: ndarray, thr: float, value: float) -> ndarray:
    """x where x > thr, else value."""
    return np.where(x > x.dtype.type(thr), x, x.dtype.type(value))


def threshold_slope(x: ndarray, thr: float, value: float) -> ndarray:
    """1 where x > thr, else 0."""
    return (x > x.dtype.type(thr)).astype(x.dtype)
