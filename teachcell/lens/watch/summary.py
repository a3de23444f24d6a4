"""What is kept of an array: statistics, a strip of bars, a small map, a histogram. Plain, finite data."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import islice
from math import isfinite, sqrt
from typing import Any

import numpy as np

STRIP = 40
SIDE = 32
BINS = 20
SAMPLE = 16_384
PART = 1 << 15  # elements that are worked on at a time
DIGITS = 4  # enough for a picture and a read-out of three
TENS = 10.0 ** np.arange(309.0)


def summarise(array: np.ndarray, pictures: bool = True) -> dict[str, Any]:
    """Statistics and pictures of an array; a number that is not finite is written as None.

    ``strip`` shows the first sample at up to 40 evenly spaced units. ``map`` is that of
    ``reshape(-1, shape[-1])``: the elements, or per square the element of largest magnitude in its block.
    Without ``pictures`` map and histogram are None: both are costly where thousands of arrays are summarised.
    """
    return _summary(array, _plain(_strip(array)), pictures)


def summarise_each(arrays: Sequence[np.ndarray]) -> list[dict[str, Any]]:
    """Summaries without pictures; the strips are written out all at once, which saves a third of the time."""
    strips = [_strip(array).reshape(-1) for array in arrays]
    numbers = iter(_plain(np.concatenate(strips, dtype=np.float64)) if strips else ())
    written = [list(islice(numbers, strip.size)) for strip in strips]
    return [_summary(array, strip, pictures=False) for array, strip in zip(arrays, written, strict=True)]


def _summary(array: np.ndarray, strip: list[float | None], pictures: bool) -> dict[str, Any]:
    with np.errstate(all="ignore"):
        flat = array.reshape(-1)
        low, high = (float(flat.min()), float(flat.max())) if array.size else (0.0, 0.0)
        finite = isfinite(low) and isfinite(high)
        good = flat if finite else flat[np.isfinite(flat)]
        if not finite and good.size:
            low, high = float(good.min()), float(good.max())
        mean, std = _mean_and_std(good, low, high) if good.size else (None, None)
        least, most = (low, high) if good.size else (None, None)
        zeros = np.count_nonzero(good == 0) if low <= 0 <= high else 0  # a third of the time without the comparison
        return {
            "shape": list(array.shape),
            "dtype": str(array.dtype),
            "size": array.size,
            "min": least,
            "max": most,
            "mean": mean,
            "std": std,
            "zeros": int(zeros) / array.size if array.size else 0.0,
            "nan": 0 if finite else int(np.count_nonzero(np.isnan(flat))),
            "inf": 0 if finite else int(np.count_nonzero(np.isinf(flat))),
            "first": least if array.size == 1 else None,
            "strip": strip,
            "map": array_map(array) if pictures else None,
            "hist": histogram(good) if pictures and good.size > 1 else None,
        }


def summarise_alike(arrays: Sequence[np.ndarray]) -> list[dict[str, Any]]:
    """Summaries without pictures of small arrays of one shape and dtype, neither empty; those of a run of 5,000 ops
    take a tenth of the time that they take one by one."""
    shape, dtype, size = list(arrays[0].shape), str(arrays[0].dtype), arrays[0].size
    numbers = np.array(arrays, np.float64).reshape(len(arrays), size)
    low, high = numbers.min(axis=1), numbers.max(axis=1)
    if not (np.isfinite(low) & np.isfinite(high)).all():
        return [summarise(array, pictures=False) for array in arrays]
    scale = np.maximum(np.abs(low), np.abs(high))
    scale[scale == 0] = 1.0
    scaled = numbers / scale[:, None]
    strips = np.array(_plain(_strip(numbers.reshape(len(arrays), *shape), 1))).reshape(len(arrays), -1)
    columns = (low, high, scaled.mean(axis=1) * scale, scaled.std(axis=1) * scale, (numbers == 0).mean(axis=1), strips)
    return [
        {
            "shape": shape, "dtype": dtype, "size": size, "min": least, "max": most, "mean": mean, "std": std,
            "zeros": zeros, "nan": 0, "inf": 0, "first": least if size == 1 else None, "strip": strip,
            "map": None, "hist": None,
        }
        for least, most, mean, std, zeros, strip in zip(*(column.tolist() for column in columns), strict=True)
    ]  # fmt: skip


def _mean_and_std(good: np.ndarray, low: float, high: float) -> tuple[float, float]:
    """Of finite numbers between ``low`` and ``high``; those whose squares do not fit are scaled.

    Taken from parts that stay in the processor's cache and put together (Chan, Golub and LeVeque 1983), which takes a
    tenth of the time that copies of all of a 100 MB array take. A part's squares are summed as they are and those of
    the mean taken off, 0.6 of the time, unless more than 6 of 16 digits would be lost.
    """
    scale = max(abs(low), abs(high)) or 1.0
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
    up, down = TENS[np.clip(shift, 0, 300)], TENS[np.maximum(-shift, 0)]  # powers from a table: half of the time
    short = (np.rint(good * up / down) * down / up).tolist()
    if all_finite:
        return short
    return [v if f else None for v, f in zip(short, finite.tolist(), strict=True)]


def _strip(array: np.ndarray, alike: int = 0) -> np.ndarray:
    """The units of the first sample that are shown; of ``alike`` (0 or 1) leading axes each is an array by itself."""
    first = array[(slice(None),) * alike + (0,)] if array.ndim > alike + 1 and array.shape[alike] else array
    row = first.reshape(*array.shape[:alike], -1)
    if row.shape[-1] > STRIP:
        row = row[..., _places(row.shape[-1])]
    return row


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
