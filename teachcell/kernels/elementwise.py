"""Element-wise arithmetic, bounds and choices that are more than one NumPy ufunc."""

from __future__ import annotations

import numpy as np
from numpy import ndarray

from ..texts import say
from .precision import floats, like
from .silence import SILENCE


def scale(x: ndarray, factor: float) -> ndarray:
    """x · factor in x's dtype (a bare Python number would widen 0-d float32 under NumPy 1)."""
    return np.multiply(x, like(x, factor))


def shift(x: ndarray, amount: float) -> ndarray:
    """x + amount in x's dtype."""
    return np.add(x, like(x, amount))


def divide(x: ndarray, y: ndarray) -> ndarray:
    """x / y; integers give float32."""
    if x.dtype.kind != "f":
        return np.true_divide(x, y, dtype=np.float64).astype(np.float32)
    if type(x) is ndarray and type(y) is ndarray:
        return SILENCE.run(np.true_divide, x, y)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.true_divide(x, y)


def floor_divide(x: ndarray, y: ndarray) -> ndarray:
    """⌊x / y⌋."""
    return SILENCE.run(np.floor_divide, x, y)


def mod(x: ndarray, y: ndarray) -> ndarray:
    """x − y · ⌊x / y⌋: the sign is y's."""
    return SILENCE.run(np.mod, x, y)


def truncate_div(x: ndarray, y: ndarray) -> ndarray:
    """x / y without what stands behind the point."""
    with np.errstate(divide="ignore", invalid="ignore"):
        if x.dtype.kind == "f":
            return np.trunc(np.true_divide(x, y))
        down, rest = np.divmod(x, y)
        return down + ((rest != 0) & ((x < 0) != (y < 0))).astype(down.dtype)


def fmod(x: ndarray, y: ndarray) -> ndarray:
    """x − y · trunc(x / y): the sign is x's."""
    return SILENCE.run(np.fmod, x, y)


def power(x: ndarray, y: ndarray) -> ndarray:
    """x ** y."""
    return SILENCE.run(np.power, x, y)


def div_no_nan(x: ndarray, y: ndarray) -> ndarray:
    """x / y; 0 where y = 0."""
    return np.where(y == 0, y.dtype.type(0), divide(x, y))


def mul_no_nan(x: ndarray, y: ndarray) -> ndarray:
    """x · y; 0 where y = 0, whatever x is."""
    with np.errstate(invalid="ignore"):
        return np.where(y == 0, y.dtype.type(0), x * y)


def xdivy(x: ndarray, y: ndarray) -> ndarray:
    """x / y; 0 where x = 0, whatever y is."""
    quotient = divide(x, y)
    return np.where(x == 0, quotient.dtype.type(0), quotient)


def xlogy(x: ndarray, y: ndarray) -> ndarray:
    """x · ln y; 0 where x = 0, whatever y is."""
    x, y = floats(x, y)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(x == 0, x.dtype.type(0), x * np.log(y))


def squared_difference(x: ndarray, y: ndarray) -> ndarray:
    """(x − y)²."""
    return np.square(np.subtract(x, y))


def lerp(x: ndarray, y: ndarray, weight: ndarray) -> ndarray:
    """x + weight · (y − x): the way from x to y."""
    return x + weight * (y - x)


def add_all(*inputs: ndarray) -> ndarray:
    """The sum of all inputs, which have one shape."""
    if not inputs or any(x.shape != inputs[0].shape for x in inputs):
        raise ValueError(say("errors.stack_why"))
    total = inputs[0].copy()
    for x in inputs[1:]:
        total += x
    return total


def larger_share(x: ndarray, y: ndarray) -> ndarray:
    """Share of the gradient of max(x, y) that goes to x: 1 where larger, ½ at a tie, 0 where smaller."""
    return np.add(x > y, x >= y, dtype=x.dtype) * x.dtype.type(0.5)


def fmax_share(x: ndarray, y: ndarray) -> ndarray:
    """As ``larger_share``, with NaN smaller than any number."""
    return larger_share(np.fmax(x, x.dtype.type(-np.inf)), np.fmax(y, y.dtype.type(-np.inf)))


def fmin_share(x: ndarray, y: ndarray) -> ndarray:
    """The same for the smaller one, with NaN larger than any number."""
    return larger_share(np.fmin(y, y.dtype.type(np.inf)), np.fmin(x, x.dtype.type(np.inf)))


def clamp(x: ndarray, min: float | None = None, max: float | None = None) -> ndarray:
    """x limited to [min, max]; everywhere ``max`` where min > max."""
    with np.errstate(over="ignore"):  # a bound may be beyond the dtype's range
        return np.clip(x, None if min is None else x.dtype.type(min), None if max is None else x.dtype.type(max))


def inside(x: ndarray, min: float | None = None, max: float | None = None) -> ndarray:
    """1 in [min, max], bounds included, else 0."""
    return np.equal(clamp(x, min, max), x).astype(x.dtype)


def nan_to_num(
    x: ndarray, nan: float | None = None, posinf: float | None = None, neginf: float | None = None
) -> ndarray:
    """x with NaN, inf and −inf replaced; by default by 0 and the largest and smallest number of x's dtype."""
    return np.nan_to_num(x, nan=0.0 if nan is None else nan, posinf=posinf, neginf=neginf)


def finite(x: ndarray) -> ndarray:
    """1 where x is a number, 0 where it is NaN or infinite."""
    return np.isfinite(x).astype(x.dtype)


def cast(x: ndarray, dtype: object) -> ndarray:
    """x in another dtype: floats are truncated toward zero to integers, numbers are ≠ 0 as Bool."""
    wanted: np.dtype = dtype.numpy  # type: ignore[attr-defined]
    if x.dtype.kind != "f" or wanted.kind == "f":
        return x.astype(wanted)
    with np.errstate(invalid="ignore"):
        return x.astype(wanted)


def select(condition: ndarray, x: ndarray, y: ndarray) -> ndarray:
    """x where condition, else y."""
    return np.where(condition, x, y)
