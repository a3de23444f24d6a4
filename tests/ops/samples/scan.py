"""Samples and references: running sums, products and extremes, differences, areas."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from ops.samples.sample import Array, Calls, References, call

ZEROS = np.array([[1.5, 0.0, 2.0, -0.5], [0.0, 0.0, 3.0, 1.0], [2.0, 3.0, -1.0, 0.0]])


def running(
    reduce: Callable[[Array], Any], x: Array, axis: int, exclusive: bool = False, reverse: bool = False
) -> Array:
    """Each prefix (or suffix) of every row reduced on its own."""

    def row(r: Array) -> list[Any]:
        r = r[::-1] if reverse else r
        found = [reduce(r[: i + 1 - exclusive]) for i in range(len(r))]
        return found[::-1] if reverse else found

    return np.apply_along_axis(row, axis, x)


def leaders(better: Callable[[float, float], bool], dtype: type) -> Callable[[Array, int], tuple[Array, Array]]:
    """The running best of every row and where it stands; of equals the latest."""

    def row(r: Array) -> list[int]:
        found = [0]
        for i in range(1, len(r)):
            found.append(found[-1] if better(r[found[-1]], r[i]) else i)
        return found

    def reference(x: Array, axis: int) -> tuple[Array, Array]:
        where = np.apply_along_axis(row, axis, x)
        return np.take_along_axis(x, where, axis), where.astype(dtype)

    return reference


def area(y: Array, x: Array | None = None, dx: float = 1.0, dim: int = -1) -> Array:
    """Trapezoid by trapezoid."""
    rows = np.moveaxis(y, dim, -1)
    places = np.arange(rows.shape[-1]) * dx if x is None else x if x.ndim == 1 else np.moveaxis(x, dim, -1)
    total = np.zeros(rows.shape[:-1])
    for i in range(rows.shape[-1] - 1):
        total += (rows[..., i] + rows[..., i + 1]) / 2 * (places[..., i + 1] - places[..., i])
    return total


_ways = [
    call((3,), axis=0), call((2, 3), axis=1, exclusive=True), call((2, 3, 2), axis=-2, reverse=True),
    call((3, 2), axis=0, exclusive=True, reverse=True), call((2, 0), axis=1), call((2, 1), axis=1, exclusive=True),
]  # fmt: skip
CALLS: Calls = {
    "cumsum": _ways,
    "cumprod": [
        *_ways, call(ZEROS, axis=1), call(ZEROS, axis=1, exclusive=True), call(ZEROS, axis=1, reverse=True),
        call(ZEROS, axis=-1, exclusive=True, reverse=True), call(ZEROS, axis=0),
    ],
    "cummax": [call((5,), axis=0), call((2, 3), axis=-1), call((3, 2, 2), axis=0)],
    "cummin": [call((5,), axis=0), call((2, 3), axis=-1), call((3, 2, 2), axis=0)],
    "logcumsumexp": [
        call((4,), axis=0), call((2, 3), axis=-1), call((3, 2, 2), axis=0), call(np.array([0.0, 1000.0, 3.0]), axis=0),
    ],
    "diff": [
        call((4,)), call((3, 2), n=2, axis=0), call((2, 3), n=0), call((2, 1)),
    ],
    "diff_ext": [call((3, 2), dim=0)],
    "trapz": [call((4,)), call((2, 3), dx=0.5), call((3, 2), dim=0), call((2, 3), (3,)), call((3, 2), (3, 2), dim=0)],
}  # fmt: skip
REFERENCES: References = {
    "cumsum": lambda x, axis, **ways: running(np.sum, x, axis, **ways) if x.size else x,
    "cumprod": lambda x, axis, **ways: running(np.prod, x, axis, **ways) if x.size else x,
    "cummax": leaders(lambda old, new: old > new, np.int64),
    "cummin": leaders(lambda old, new: old < new, np.int32),
    "logcumsumexp": lambda x, axis: running(np.logaddexp.reduce, x, axis),
    "diff": lambda x, n=1, axis=-1, **ends: np.diff(x, n, axis, **ends),
    "diff_ext": lambda x, n=1, dim=-1: np.diff(x, n, dim),
    "trapz": area,
}
