"""Running sums, products and extremes along one axis, and their reverse."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy import ndarray

from .arguments import one_axis

_WIDER = {"e": np.float32, "?": np.int32}  # what float16 and Bool are accumulated in


def cumsum(x: ndarray, axis: int, exclusive: bool = False, reverse: bool = False) -> ndarray:
    """Running sums in x's dtype (Bool: int32); without the element itself, or from the end."""
    return _scan(np.add, x, axis, exclusive, reverse)


def cumprod(x: ndarray, axis: int, exclusive: bool = False, reverse: bool = False) -> ndarray:
    """Running products in x's dtype (Bool: int32); without the element itself, or from the end."""
    return _scan(np.multiply, x, axis, exclusive, reverse)


def _scan(step: np.ufunc, x: ndarray, axis: int, exclusive: bool, reverse: bool) -> ndarray:
    at = one_axis(axis, x.ndim)
    dtype: Any = _WIDER.get(x.dtype.char, x.dtype)
    out = np.empty(x.shape, dtype)
    rows, results = np.moveaxis(x, at, -1), np.moveaxis(out, at, -1)
    if reverse:
        rows, results = rows[..., ::-1], results[..., ::-1]
    if exclusive:
        results[..., :1] = step.identity
        rows, results = rows[..., :-1], results[..., 1:]
    with np.errstate(over="ignore"):
        step.accumulate(rows, -1, dtype, results)
        return out.astype(x.dtype) if x.dtype.char == "e" else out


def _from_end(x: ndarray) -> ndarray:
    return np.add.accumulate(x[..., ::-1], -1)[..., ::-1]


def cumprod_grad(g: ndarray, x: ndarray, axis: int, exclusive: bool = False, reverse: bool = False) -> ndarray:
    """Σ over the products that x is part of, of g · the others' product; exact also where elements are 0.

    Up to the first 0 of a row the others' product is y / x. At the first 0 it is the product with a 1 in its
    place, and for all that come later it is 0, because that 0 is among the others.
    """
    slope = np.empty(x.shape, _WIDER.get(x.dtype.char, x.dtype))
    g, x, into = (np.moveaxis(a, one_axis(axis, x.ndim), -1) for a in (g, x, slope))
    if reverse:
        g, x, into = g[..., ::-1], x[..., ::-1], into[..., ::-1]
    if exclusive:
        g = np.concatenate((g[..., 1:], np.zeros_like(g[..., :1])), -1)
    zero = x == 0
    first = zero & (np.add.accumulate(zero, -1, np.int64) == 1)
    one = x.dtype.type(1)
    upto = _from_end(g * np.multiply.accumulate(x, -1, slope.dtype))
    at_first = _from_end(g * np.multiply.accumulate(np.where(first, one, x), -1, slope.dtype))
    np.divide(np.where(first, at_first, upto), np.where(zero, one, x), into)
    return slope.astype(g.dtype, copy=False)


def cumprod_parts(n: int, exclusive: bool, reverse: bool) -> ndarray:
    """``[k, i]``: whether running product i has element k in it."""
    k, i = np.ogrid[:n, :n]
    return {(False, False): k <= i, (True, False): k < i, (False, True): k >= i, (True, True): k > i}[
        bool(exclusive), bool(reverse)
    ]


def cummax(x: ndarray, axis: int) -> tuple[ndarray, ndarray]:
    """Running largest elements and their indices, int64; NaN is the largest, of equals the latest counts."""
    values, indices = _running(np.maximum, x, axis)
    return values, indices


def cummin(x: ndarray, axis: int) -> tuple[ndarray, ndarray]:
    """Running smallest elements and their indices, int32; NaN is the smallest, of equals the latest counts."""
    values, indices = _running(np.minimum, x, axis)
    return values, indices.astype(np.int32)


def _running(step: np.ufunc, x: ndarray, axis: int) -> tuple[ndarray, ndarray]:
    at = one_axis(axis, x.ndim)
    values = step.accumulate(x, at)
    numbers = np.arange(x.shape[at]).reshape(-1, *(1,) * (x.ndim - at - 1))
    return values, np.maximum.accumulate(np.where((x == values) | (x != x), numbers, 0), at)


def logcumsumexp(x: ndarray, axis: int) -> ndarray:
    """ln of the running sums of eˣ."""
    dtype: Any = _WIDER.get(x.dtype.char, x.dtype)
    return np.logaddexp.accumulate(x, one_axis(axis, x.ndim), dtype).astype(x.dtype, copy=False)


def logcumsumexp_grad(g: ndarray, x: ndarray, y: ndarray, axis: int) -> ndarray:
    """Σ from each element on of g · e^(x − y): by logarithms, positive and negative g apart, so nothing overflows."""
    at = one_axis(axis, x.ndim)
    bounded = np.where(y == -np.inf, np.inf, y).astype(_WIDER.get(y.dtype.char, y.dtype))

    def part(share: ndarray) -> ndarray:
        rest = np.flip(np.logaddexp.accumulate(np.flip(np.log(share) - bounded, at), at), at)
        return np.exp(rest + x)

    with np.errstate(divide="ignore"):
        return (part(np.maximum(g, 0)) - part(np.maximum(-g, 0))).astype(g.dtype, copy=False)
