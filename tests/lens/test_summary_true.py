"""Statistics of arrays of every kind are those of float64 NumPy to a stated tolerance."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from teachcell.lens.watch.seen import Seen, summarise_together
from teachcell.lens.watch.summary import FAST, ROW, SMALL, SURE, summarise

SIZES = (1, 2, 500, SMALL, SMALL + 1, FAST, FAST + ROW - 1, 70_001)
MOST = np.finfo(np.float32).max
Make = Callable[[np.ndarray, np.random.Generator], np.ndarray]


def _one(among: np.ndarray, value: float) -> np.ndarray:
    """With one element changed."""
    changed = among.copy()
    changed[among.size // 3] = value
    return changed


def _some(among: np.ndarray, value: float) -> np.ndarray:
    """With every 50th element changed, and its neighbour to the negative of that."""
    changed = among.copy()
    changed[::50], changed[1::50] = value, -value
    return changed


MADE: dict[str, Make] = {  # of normally distributed float32 numbers and a generator
    "normal": lambda x, _: x,
    "beside 0": lambda x, _: x + np.float32(2.6),  # about where sums in float32 stop to be enough
    "far from 0": lambda x, _: x + np.float32(1e4),
    "narrow": lambda x, _: np.float32(1) + x * np.float32(3e-7),
    "relu": lambda x, _: np.maximum(x, 0) * np.sign(x),  # with zeros of both signs
    "mask": lambda x, _: np.where(x > 0, np.float32(1 / 0.9), np.float32(0)),
    "signs": lambda x, _: np.sign(x) * np.float32(0.1),
    "zeros": lambda x, _: np.zeros_like(x),
    "equal": lambda x, _: np.full_like(x, 0.1),
    "all but one equal": lambda x, _: _one(np.full_like(x, 0.1), 0.7),
    "all but one 0": lambda x, _: _one(np.zeros_like(x), 1e-9),
    "sorted": lambda x, _: np.sort(x),
    "steep": lambda x, _: np.exp(x * np.float32(8)),
    "outlier": lambda x, _: _one(x, 1e30),
    "cancels": lambda x, _: _some(x, 1e7),
    "denormal": lambda x, _: x * np.float32(1e-42),
    "tiny": lambda x, _: x * np.float32(1e-25),
    "small": lambda x, _: x * np.float32(1e-11),
    "large": lambda x, _: x * np.float32(1e14),
    "huge": lambda x, _: x * np.float32(5e37),
    "greatest": lambda x, _: np.sign(x) * MOST,
    "one nan": lambda x, _: _one(x, np.nan),
    "some inf": lambda x, _: _some(x, np.inf),
    "all nan": lambda x, _: np.full_like(x, np.nan),
    "all inf": lambda x, _: np.full_like(x, np.inf),
    "double": lambda x, draw: draw.normal(size=x.size),
    "huge double": lambda x, draw: draw.normal(size=x.size) * 1e307,
    "denormal double": lambda x, draw: draw.normal(size=x.size) * 1e-310,
    "half": lambda x, _: (x * 10_000).astype(np.float16),
    "big endian": lambda x, _: x.astype(">f4"),
    "ints": lambda x, draw: draw.integers(-3, 4, x.size),
    "large ints": lambda x, draw: draw.integers(-(2**62), 2**62, x.size),
    "bytes": lambda x, draw: draw.integers(0, 256, x.size).astype(np.uint8),
    "bool": lambda x, _: x > 1,
    "strided": lambda x, _: np.repeat(x, 2)[::2],
    "backwards": lambda x, _: x[::-1],
    "transposed": lambda x, _: np.stack([x, 2 * x], axis=1).T,
    "broadcast": lambda x, _: np.broadcast_to(x, (3, x.size)),
}


def _made(kind: str, size: int) -> np.ndarray:
    draw = np.random.default_rng(size)
    return MADE[kind](draw.normal(size=size).astype(np.float32), draw)


def _agrees(found: dict[str, Any], array: np.ndarray) -> None:
    with np.errstate(all="ignore"):
        exact = array.astype(np.float64)
    good = exact[np.isfinite(exact)]
    assert found["nan"] == np.isnan(exact).sum() and found["inf"] == np.isinf(exact).sum()
    assert found["zeros"] == (exact == 0).sum() / exact.size
    if not good.size:
        assert found["min"] is found["max"] is found["mean"] is found["std"] is None
        return
    assert (found["min"], found["max"]) == (good.min(), good.max())
    scale = float(np.abs(good).max()) or 1.0
    mean, std = (good / scale).mean() * scale, (good / scale).std() * scale
    if good.min() == good.max():
        assert (found["mean"], found["std"]) == (good[0], 0.0)
    else:
        assert found["mean"] == pytest.approx(mean, rel=1e-12, abs=SURE * std)
        assert found["std"] == pytest.approx(std, rel=SURE, abs=0)


@pytest.mark.parametrize("kind", MADE)
def test_statistics_are_true(kind: str) -> None:
    for array in (_made(kind, size) for size in SIZES):
        _agrees(summarise(array, pictures=False), array)


def test_statistics_of_arrays_of_every_kind_made_together_are_true() -> None:
    arrays = [_made(kind, size) for size in SIZES for kind in MADE]
    together = [Seen(array) for array in arrays]
    summarise_together([*together, Seen(np.zeros((0, 3)))])
    for seen, array in zip(together, arrays, strict=True):
        _agrees(seen.summary(pictures=False), array)
        assert (seen.finite, seen.zero) == (Seen(array).finite, Seen(array).zero)


def test_of_an_array_that_is_not_kept_all_is_known() -> None:
    for array in (np.zeros((0, 3)), np.zeros(5), np.array([0.0, np.nan]), np.array([np.inf]), np.ones(3)):
        kept, gone = Seen(array), Seen(array, keep=False)
        assert (gone.finite, gone.zero) == (kept.finite, kept.zero) and gone.array is None
        assert gone.summary() == kept.summary()
