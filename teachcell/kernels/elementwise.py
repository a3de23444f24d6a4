"""Element-wise kernels that are more than one NumPy ufunc."""

from __future__ import annotations

import numpy as np
from numpy import ndarray

_multiply, _subtract = np.multiply, np.subtract
_ZERO = {np.dtype(t).num: np.zeros((), t) for t in (np.float16, np.float32, np.float64)}
_ONE = {np.dtype(t).num: np.ones((), t) for t in (np.float16, np.float32, np.float64)}


def floor(x: ndarray) -> ndarray:
    """The largest whole number ≤ x, in x's dtype."""
    return np.floor(x) if x.dtype.kind == "f" else x.copy()


def ceil(x: ndarray) -> ndarray:
    """The smallest whole number ≥ x, in x's dtype."""
    return np.ceil(x) if x.dtype.kind == "f" else x.copy()


def rint(x: ndarray) -> ndarray:
    """The nearest whole number, halves to even, in x's dtype."""
    return np.rint(x) if x.dtype.kind == "f" else x.copy()


def scale(x: ndarray, factor: float) -> ndarray:
    """x · factor in x's dtype (a bare Python number would widen 0-d float32 under NumPy 1)."""
    return np.multiply(x, x.dtype.type(factor))


def shift(x: ndarray, amount: float) -> ndarray:
    """x + amount in x's dtype."""
    return np.add(x, x.dtype.type(amount))


def divide(x: ndarray, y: ndarray) -> ndarray:
    """x / y; integers give float32."""
    if x.dtype.kind != "f":
        return np.true_divide(x, y, dtype=np.float64).astype(np.float32)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.true_divide(x, y)


def floor_divide(x: ndarray, y: ndarray) -> ndarray:
    """⌊x / y⌋."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.floor_divide(x, y)


def mod(x: ndarray, y: ndarray) -> ndarray:
    """x − y · ⌊x / y⌋: the sign is y's."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.mod(x, y)


def power(x: ndarray, y: ndarray) -> ndarray:
    """x ** y."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        return np.power(x, y)


def exp(x: ndarray) -> ndarray:
    """e^x; inf where it is too large."""
    with np.errstate(over="ignore"):
        return np.exp(x)


def log(x: ndarray) -> ndarray:
    """Natural logarithm; −inf at 0, NaN below."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.log(x)


def sqrt(x: ndarray) -> ndarray:
    """Square root; NaN below 0."""
    with np.errstate(invalid="ignore"):
        return np.sqrt(x)


def rsqrt(x: ndarray) -> ndarray:
    """1 / √x."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.reciprocal(np.sqrt(x))


def sigmoid(x: ndarray) -> ndarray:
    """1 / (1 + e^−x), by tanh, which cannot overflow: σ(x) = (1 + tanh(x/2)) / 2."""
    half = x.dtype.type(0.5)
    return half * np.tanh(half * x) + half


def sigmoid_grad(g: ndarray, y: ndarray) -> ndarray:
    """g · y · (1 − y)."""
    return g * (y - y * y)


def tanh_grad(g: ndarray, y: ndarray) -> ndarray:
    """g · (1 − y²), in one buffer."""
    t = _multiply(y, y)
    if type(t) is not ndarray:  # 0-d arrays come back as NumPy scalars
        return (t.dtype.type(1) - t) * g
    _subtract(_ONE[t.dtype.num], t, t)
    return _multiply(t, g, t)


def relu(x: ndarray) -> ndarray:
    """max(x, 0)."""
    zero = _ZERO.get(x.dtype.num)
    return np.maximum(x, x.dtype.type(0) if zero is None else zero)


def relu_grad(g: ndarray, y: ndarray) -> ndarray:
    """g where y > 0, else 0."""
    return np.multiply(g, np.greater(y, 0))


def relu6(x: ndarray) -> ndarray:
    """min(max(x, 0), 6)."""
    return np.minimum(relu(x), x.dtype.type(6))


def relu6_mask(x: ndarray) -> ndarray:
    """1 on 0 < x ≤ 6, else 0."""
    return ((x > 0) & (x <= 6)).astype(x.dtype)


def larger_share(x: ndarray, y: ndarray) -> ndarray:
    """Share of the gradient of max(x, y) that goes to x: 1 where larger, ½ at a tie, 0 where smaller."""
    return np.add(x > y, x >= y, dtype=x.dtype) * x.dtype.type(0.5)


def clamp(x: ndarray, min: float | None = None, max: float | None = None) -> ndarray:
    """x limited to [min, max]."""
    return np.clip(x, None if min is None else x.dtype.type(min), None if max is None else x.dtype.type(max))


def clamp_share(x: ndarray, min: float | None, max: float | None) -> ndarray:
    """Derivative of clamp: 1 inside, 0 outside, ½ exactly at a bound (a tie of two values)."""
    share = np.ones_like(x)
    for bound, sign in ((min, 1), (max, -1)):
        if bound is not None:
            share *= larger_share(sign * x, np.full_like(x, sign * x.dtype.type(bound)))
    return share


def cast(x: ndarray, dtype: object) -> ndarray:
    """x in another dtype: floats are truncated toward zero to integers, numbers are ≠ 0 as Bool."""
    with np.errstate(invalid="ignore"):
        return x.astype(dtype.numpy)  # type: ignore[attr-defined]


def select(condition: ndarray, x: ndarray, y: ndarray) -> ndarray:
    """x where condition, else y."""
    return np.where(condition, x, y)


