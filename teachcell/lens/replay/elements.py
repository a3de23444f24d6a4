"""One element of an array: which is the largest, its label, its number where shapes are broadcast."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...core import gradients
from ...core.op import ARRAYS
from ...texts.numbers import number

Index = tuple[int, ...]
CLOSE = {2: 2e-2, 4: 1e-4, 8: 1e-7}  # by bytes of the dtype: how well a written line must agree with the run


def largest(array: np.ndarray) -> Index:
    """The index of the element of largest magnitude, of NaN if there is one; of the first for an empty array."""
    if not array.size:
        return (0,) * array.ndim
    numbers = np.abs(array.astype(np.float64))
    flat = int(np.where(np.isnan(numbers), np.inf, numbers).argmax())
    return index_of(flat, array.shape)


def index_of(flat: Any, shape: tuple[int, ...]) -> Index:
    """The index of the element that is at ``flat`` among all, row by row."""
    return tuple(int(i) for i in np.unravel_index(int(flat), shape))


def flat(index: Index, shape: Sequence[int]) -> int:
    """Where the element lies among all, row by row."""
    place = 0
    for i, n in zip(index, shape, strict=True):
        place = place * n + i
    return place


def label(index: Index, shape: Sequence[int]) -> str:
    """``[2, 0]``; nothing for the only element of an array."""
    return "" if all(n == 1 for n in shape) else f"[{', '.join(map(str, index))}]"


def agree(a: float, b: float, dtype: np.dtype, scale: float = 0.0) -> bool:
    """Whether two numbers are the same but for rounding; ``scale`` is the size of what was added up."""
    if np.isnan(a) or np.isnan(b) or np.isinf(a) or np.isinf(b):
        return bool(a == b or (np.isnan(a) and np.isnan(b)))
    return abs(a - b) <= CLOSE.get(dtype.itemsize, 1e-4) * max(abs(a), abs(b), scale)


def close(a: np.ndarray, b: np.ndarray) -> bool:
    """Whether two gradients are the same but for rounding; NaN and infinities must be so in both."""
    tolerance, sizes = CLOSE.get(a.dtype.itemsize, 1e-4), np.abs(a[np.isfinite(a)])
    scale = max(float(sizes.max(initial=0.0)), 1e-30)
    return bool(np.allclose(a, b, rtol=tolerance, atol=tolerance / 10 * scale, equal_nan=True))


def shown(value: float) -> float:
    """A number as it is written: of three digits."""
    value = float(value)
    return float(number(value).replace("−", "-")) if np.isfinite(value) else value


def equals(from_shown: float, value: float) -> str:
    """``=`` where what the written numbers give is just the written result, else ``≈``."""
    wanted = shown(value)
    same = from_shown == wanted or abs(from_shown - wanted) <= 1e-6 * abs(wanted)
    return "=" if same or (np.isnan(from_shown) and np.isnan(wanted)) else "≈"


def bracketed(value: float) -> str:
    """A number that stands after an operator."""
    text = number(value)
    return f"({text})" if text.startswith("−") else text


def unbroadcast(array: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """Summed over the axes along which ``shape`` was broadcast, as the sweep sums."""
    return np.asarray(gradients.unbroadcast(ARRAYS, array, shape))


def at(array: np.ndarray, index: Index, axes: Sequence[int] = ()) -> tuple[float, np.ndarray | None]:
    """The number of an array that is broadcast to the shape that ``index`` is in, and its fibre along ``axes``."""
    lead = len(index) - array.ndim
    place = [0 if n == 1 else i for i, n in zip(index[lead:], array.shape, strict=True)]
    along = [a - lead for a in axes if a >= lead and array.shape[a - lead] > 1]
    fibre = None
    if along:
        fibre = array[tuple(slice(None) if a in along else i for a, i in enumerate(place))].astype(np.float64).ravel()
    return float(array[tuple(place)]), fibre
