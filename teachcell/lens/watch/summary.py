"""What is kept of an array: statistics, a strip of bars, a small map, a histogram. Plain, finite data."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate, chain, pairwise
from math import isfinite, sqrt
from typing import Any

import numpy as np

STRIP = 40
SIDE = 32
BINS = 20
SAMPLE = 16_384
PART = 1 << 15  # elements that are worked on at a time
SMALL = 1 << 12  # elements of an array whose statistics are made together with others'
SURE = 1e-6  # of the standard deviation: how far it and the mean may be off; a read-out has four digits
FAST = 1 << 14  # elements of a float32 array from which on sums in float32 pay
ROW = 256  # elements that are summed in float32
ONES = np.ones(ROW, np.float32)
DIGITS = 4  # enough for a picture and a read-out of three
TENS = 10.0 ** np.arange(309.0)

# Of the finite elements: least, greatest, mean and standard deviation, None where there are none; and how many of all
# are zero, NaN, infinite.
Statistics = tuple[float | None, float | None, float | None, float | None, int, int, int]


def summarise(array: np.ndarray, pictures: bool = True) -> dict[str, Any]:
    """Statistics and pictures of an array; a number that is not finite is written as None.

    ``strip`` shows the first sample at up to 40 evenly spaced units. ``map`` is that of
    ``reshape(-1, shape[-1])``: the elements, or per square the element of largest magnitude in its block.
    Without ``pictures`` map and histogram are None: both are costly where thousands of arrays are summarised.
    """
    with np.errstate(all="ignore"):
        flat = array.ravel()
        found = _summary(array, *_statistics(flat), _plain(_strip(array)))
        if pictures:
            found["map"] = array_map(array)
            good = flat[np.isfinite(flat)] if found["nan"] or found["inf"] else flat
            found["hist"] = histogram(good) if good.size > 1 else None
        return found


def summarise_each(arrays: Sequence[np.ndarray]) -> list[dict[str, Any]]:
    """Summaries without pictures of arrays, none empty, smallest first.

    Strips, and statistics of small arrays, are made of many at once: two thirds of the time for a step of a small MLP,
    a fifth for a run of 5,000 ops.
    """
    sizes = np.array([array.size for array in arrays], np.intp)
    few = int(sizes.searchsorted(SMALL, "right"))
    cuts = [0, *(np.diff(sizes[:few].cumsum() // PART).nonzero()[0] + 1), few]
    with np.errstate(all="ignore"):
        parts = [_together(arrays[i:j], sizes[i:j]) for i, j in pairwise(cuts) if i < j]
        parts += [[[number] for number in _statistics(array.ravel())] for array in arrays[few:]]
        strips = [_strip(array) for array in arrays]
        numbers = _plain(np.concatenate(strips, axis=None, dtype=np.float64))
    ends = list(accumulate([strip.size for strip in strips]))
    written = [numbers[start:end] for start, end in zip([0, *ends], ends, strict=False)]
    return list(map(_summary, arrays, *map(chain, *parts), written))


def _summary(
    array: np.ndarray, least: float | None, most: float | None, mean: float | None, std: float | None, zeros: int,
    nan: int, inf: int, strip: list[float | None],
) -> dict[str, Any]:  # fmt: skip
    size = array.size
    return {
        "shape": list(array.shape), "dtype": _name(array.dtype), "size": size,
        "min": least, "max": most, "mean": mean, "std": std, "zeros": zeros / size if zeros else 0.0,
        "nan": nan, "inf": inf, "first": least if size == 1 else None, "strip": strip, "map": None, "hist": None,
    }  # fmt: skip


_name = lru_cache(64)(str)  # of a dtype, which takes 2 µs to write


def _together(arrays: Sequence[np.ndarray], sizes: np.ndarray) -> list[list[Any]]:
    """What ``_statistics`` gives, for many small arrays: a list of least elements, one of greatest …"""
    numbers = np.concatenate(arrays, axis=None, dtype=np.float64)
    ends = sizes.cumsum()
    starts = ends - sizes
    sizes = sizes.astype(np.float64)
    low, high = np.minimum.reduceat(numbers, starts), np.maximum.reduceat(numbers, starts)
    places = (numbers == 0).nonzero()[0]
    zeros = places.searchsorted(ends) - places.searchsorted(starts)
    mean = np.add.reduceat(numbers, starts) / sizes
    numbers *= numbers
    square = np.add.reduceat(numbers, starts) / sizes
    variance = square - mean * mean
    equal = (low == high) & np.isfinite(low)
    mean[equal], variance[equal] = low[equal], 0.0
    found = [column.tolist() for column in (low, high, mean, np.sqrt(variance), zeros)]
    found += [0] * len(arrays), [0] * len(arrays)
    # Else mean squares have too few digits, or none, for a variance; of NaN and infinities nothing here is true.
    usual = equal | (variance > 1e-8 * square) & (square > 1e-200) & (square < 1e200)
    for i in np.flatnonzero(~usual).tolist():
        for column, number in zip(found, _statistics(arrays[i].ravel()), strict=True):
            column[i] = number
    return found


def _statistics(flat: np.ndarray) -> Statistics:
    if not flat.size:
        return None, None, None, None, 0, 0, 0
    low, high, good, nan, inf = float(flat.min()), float(flat.max()), flat, 0, 0
    if not (isfinite(low) and isfinite(high)):
        good = flat[np.isfinite(flat)]
        nan = int(np.count_nonzero(np.isnan(flat)))
        inf = flat.size - good.size - nan
        if not good.size:
            return None, None, None, None, 0, nan, inf
        low, high = float(good.min()), float(good.max())
    zeros = int(np.count_nonzero(good == 0)) if low <= 0 <= high else 0  # a third of the time without the comparison
    return low, high, *_mean_and_std(good, low, high), zeros, nan, inf


def _mean_and_std(good: np.ndarray, low: float, high: float) -> tuple[float, float]:
    """Of finite numbers between ``low`` and ``high``."""
    if low == high:
        return low, 0.0
    scale = max(-low, high)
    if good.size >= FAST and good.dtype == np.float32 and 1e-12 < scale < 1e15:
        mean, variance, square = _moments(good)
        if variance > square / 8:
            return mean, sqrt(variance)
    return _exact_mean_and_std(good, scale)


def _moments(good: np.ndarray) -> tuple[float, float, float]:
    """Mean, variance and mean of squares of float32 numbers whose squares are float32 numbers, too.

    BLAS sums each row, float64 the rows: a third of the time of float64 alone. A row is so short that 1e-7 of its
    squares is lost at most; of the variance that is little where it is not much smaller.
    """
    rest = good.size % ROW
    rows = (good[:-rest] if rest else good).reshape(-1, ROW)
    total = float(np.add.reduce(rows.dot(ONES), dtype=np.float64))
    squares = float(np.add.reduce(np.matmul(rows[:, None, :], rows[:, :, None]), None, np.float64))
    if rest:
        total += float(good[-rest:].dot(ONES[:rest]))
        squares += float(good[-rest:].dot(good[-rest:]))
    mean, square = total / good.size, squares / good.size
    return mean, square - mean * mean, square


def _exact_mean_and_std(good: np.ndarray, scale: float) -> tuple[float, float]:
    """Of numbers of which ``scale`` is the largest magnitude; those whose squares do not fit are scaled.

    Taken from parts that stay in the processor's cache and put together (Chan, Golub and LeVeque 1983), which takes a
    tenth of the time that copies of all of a 100 MB array take. A part's squares are summed as they are and those of
    the mean taken off, 0.6 of the time, unless more than 6 of 16 digits would be lost.
    """
    if 1e-100 < scale < 1e100:
        scale = 1.0
    mean, squares = 0.0, 0.0  # of what is behind, the squares of distances from that mean
    for start in range(0, good.size, PART):
        part = good[start : start + PART].astype(np.float64)
        if scale != 1.0:
            part /= scale
        here, raw = float(np.add.reduce(part)) / part.size, float(part.dot(part))
        around = raw - here * here * part.size
        if around < 1e-6 * raw:
            part -= here
            around = float(part.dot(part))
        step, share = here - mean, part.size / (start + part.size)
        mean += step * share
        squares += around + step * step * start * share
    return mean * scale, sqrt(squares / good.size) * scale


def _plain(values: np.ndarray) -> list[float | None]:
    """Floats of few digits, None where not finite."""
    flat = values.reshape(-1).astype(np.float64)
    finite = np.isfinite(flat)
    all_finite = finite.all()
    good = flat if all_finite else np.where(finite, flat, 0.0)
    size = np.abs(good)
    size[size == 0] = 1.0
    shift = (DIGITS - 1) - np.floor(np.log10(size)).astype(np.intp)
    up, down = TENS.take(shift, mode="clip"), TENS.take(-shift, mode="clip")  # powers from a table: half of the time
    short = (np.rint(good * up / down) * down / up).tolist()
    if all_finite:
        return short
    return [v if f else None for v, f in zip(short, finite.tolist(), strict=True)]


def _strip(array: np.ndarray) -> np.ndarray:
    """The units of the first sample that are shown."""
    first = array[0] if array.ndim > 1 and array.size else array
    return first.take(_places(first.size)) if first.size > STRIP else first


@lru_cache(64)
def _places(width: int) -> np.ndarray:
    """Where in a row the units are that a strip shows."""
    return np.linspace(0, width - 1, STRIP).round().astype(np.intp)


def array_map(numbers: np.ndarray, side: int = SIDE) -> dict[str, Any]:
    """At most ``side`` × ``side`` squares of the array as a matrix; ``index`` names each square's source element."""
    if numbers.size == 0:
        return {"rows": 0, "cols": 0, "data": [], "exact": True}
    matrix = numbers.reshape(-1, numbers.shape[-1] if numbers.ndim else 1)
    if max(matrix.shape) <= side:
        return {"rows": matrix.shape[0], "cols": matrix.shape[1], "data": _plain(matrix), "exact": True}
    index = _largest(matrix, side)
    rows, columns = index.shape
    places = np.stack(np.divmod(index, matrix.shape[1]), axis=-1).reshape(-1, 2)
    data = _plain(matrix.reshape(-1)[index])
    return {"rows": rows, "cols": columns, "data": data, "exact": False, "index": places.tolist()}


def _largest(matrix: np.ndarray, side: int) -> np.ndarray:
    """Flat index of the element of largest magnitude, or the first NaN, of each block of a matrix, as a matrix of at
    most ``side`` × ``side``."""
    height, width = (-(-n // side) for n in matrix.shape)
    columns = -(-matrix.shape[1] // width)
    several = height * max(1, PART // (height * matrix.shape[1]))  # rows of blocks at a time
    places = [_largest_of(matrix[i : i + several], height, width) for i in range(0, len(matrix), several)]
    r, c = np.divmod(np.concatenate(places), width)
    r += np.arange(len(r))[:, None] * height
    c += np.arange(columns) * width
    return r * matrix.shape[1] + c


def _largest_of(matrix: np.ndarray, height: int, width: int) -> np.ndarray:
    """Its place in each ``height`` × ``width`` block of these rows; blocks at the edges may be smaller."""
    magnitude = np.abs(matrix if matrix.dtype.kind == "f" else matrix.astype(np.float64))
    rows, columns = -(-matrix.shape[0] // height), -(-matrix.shape[1] // width)
    below, beside = rows * height - matrix.shape[0], columns * width - matrix.shape[1]
    if below or beside:
        magnitude = np.pad(magnitude, ((0, below), (0, beside)), constant_values=-1.0)
    return magnitude.reshape(rows, height, columns, width).swapaxes(1, 2).reshape(rows, columns, -1).argmax(axis=-1)


def histogram(values: np.ndarray) -> dict[str, Any] | None:
    """Counts in 20 bins; of large arrays on an evenly spaced sample. None where all numbers are as good as equal."""
    sample = values.reshape(-1)[:: max(1, values.size // SAMPLE)].astype(np.float64)
    low, high = float(sample.min()), float(sample.max())
    scale = max(abs(low), abs(high))
    place = (sample / scale - low / scale) / (high / scale - low / scale) * BINS if high > low else sample * np.nan
    if not np.isfinite(place).all():
        return None
    counts = np.bincount(np.minimum(place.astype(int), BINS - 1), minlength=BINS)
    return {"lo": low, "hi": high, "counts": counts.tolist()}


def coarser(picture: dict[str, Any], side: int) -> dict[str, Any]:
    """A map with at most ``side`` × ``side`` squares: of each block of squares the one of largest magnitude."""
    rows, columns = picture["rows"], picture["cols"]
    if max(rows, columns) <= side:
        return picture
    chosen = _largest(np.array(picture["data"], np.float64).reshape(rows, columns), side)
    index = picture.get("index") or [list(divmod(i, columns)) for i in range(rows * columns)]
    flat = chosen.reshape(-1).tolist()
    return {
        "rows": chosen.shape[0],
        "cols": chosen.shape[1],
        "data": [picture["data"][i] for i in flat],
        "exact": False,
        "index": [index[i] for i in flat],
    }
