"""What is kept of an array: statistics, a strip of bars, a small map, a histogram. Plain, finite data."""

from __future__ import annotations

from typing import Any

import numpy as np

STRIP = 40
SIDE = 32
BINS = 20
SAMPLE = 16_384
DIGITS = 4  # enough for a picture and a read-out of three


def summarise(array: np.ndarray, pictures: bool = True) -> dict[str, Any]:
    """Statistics and pictures of an array; a number that is not finite is written as None.

    ``strip`` shows the first sample at up to 40 evenly spaced units. ``map`` is that of
    ``reshape(-1, shape[-1])``: the elements, or per square the element of largest magnitude in its block.
    Without ``pictures`` map and histogram are None: both are costly where thousands of arrays are summarised.
    """
    with np.errstate(all="ignore"):
        numbers = array.astype(np.float64)
        finite = np.isfinite(numbers)
        good = numbers if finite.all() else numbers[finite]
        statistics = _statistics(good)
        return {
            "shape": list(array.shape),
            "dtype": str(array.dtype),
            "size": array.size,
            **statistics,
            "zeros": float(np.count_nonzero(numbers == 0) / array.size) if array.size else 0.0,
            "nan": int(np.count_nonzero(np.isnan(numbers))) if good is not numbers else 0,
            "inf": int(np.count_nonzero(np.isinf(numbers))) if good is not numbers else 0,
            "first": statistics["min"] if array.size == 1 else None,
            "strip": _strip(numbers),
            "map": array_map(numbers) if pictures else None,
            "hist": histogram(good) if pictures and good.size > 1 else None,
        }


def _statistics(good: np.ndarray) -> dict[str, float | None]:
    """Of the finite numbers; scaled, so that the squares of huge numbers do not overflow."""
    if not good.size:
        return dict.fromkeys(("min", "max", "mean", "std"))
    low, high = float(good.min()), float(good.max())
    scale = max(abs(low), abs(high)) or 1.0
    scaled = good / scale
    return {"min": low, "max": high, "mean": float(scaled.mean()) * scale, "std": float(scaled.std()) * scale}


def _plain(values: np.ndarray) -> list[float | None]:
    """Floats of few digits, None where not finite."""
    flat = values.reshape(-1)
    finite = np.isfinite(flat)
    good = np.where(finite, flat, 0.0)
    exponent = np.floor(np.log10(np.where(good == 0, 1.0, np.abs(good))))
    shift = np.minimum(DIGITS - 1 - exponent, 300)
    up, down = 10.0 ** np.maximum(shift, 0), 10.0 ** np.maximum(-shift, 0)
    short = (np.rint(good * up / down) * down / up).tolist()
    if finite.all():
        return short
    return [v if f else None for v, f in zip(short, finite.tolist(), strict=True)]


def _strip(numbers: np.ndarray) -> list[float | None]:
    row = (numbers[0] if numbers.ndim > 1 and len(numbers) else numbers).reshape(-1)
    if row.size > STRIP:
        row = row[np.linspace(0, row.size - 1, STRIP).round().astype(int)]
    return _plain(row)


def array_map(numbers: np.ndarray, side: int = SIDE) -> dict[str, Any]:
    """At most ``side`` × ``side`` squares of the array as a matrix; ``index`` names each square's source element."""
    if numbers.size == 0:
        return {"rows": 0, "cols": 0, "data": [], "exact": True}
    matrix = numbers.reshape(-1, numbers.shape[-1] if numbers.ndim else 1)
    if max(matrix.shape) <= side:
        return {"rows": matrix.shape[0], "cols": matrix.shape[1], "data": _plain(matrix), "exact": True}
    index = _largest(np.where(np.isnan(matrix), np.inf, np.abs(matrix)), side)
    rows, columns = index.shape
    places = np.stack(np.divmod(index, matrix.shape[1]), axis=-1).reshape(-1, 2)
    data = _plain(matrix.reshape(-1)[index])
    return {"rows": rows, "cols": columns, "data": data, "exact": False, "index": places.tolist()}


def _largest(magnitude: np.ndarray, side: int = SIDE) -> np.ndarray:
    """Flat index of the largest element of each block of a matrix, as a matrix of at most ``side`` × ``side``."""
    height, width = (-(-n // side) for n in magnitude.shape)
    rows, columns = -(-magnitude.shape[0] // height), -(-magnitude.shape[1] // width)
    padding = ((0, rows * height - magnitude.shape[0]), (0, columns * width - magnitude.shape[1]))
    padded = np.pad(magnitude, padding, constant_values=-1.0)
    blocks = padded.reshape(rows, height, columns, width).swapaxes(1, 2).reshape(rows, columns, -1)
    r, c = np.divmod(blocks.argmax(axis=-1), width)
    r += np.arange(rows)[:, None] * height
    c += np.arange(columns) * width
    return r * magnitude.shape[1] + c


def histogram(values: np.ndarray) -> dict[str, Any] | None:
    """Counts in 20 bins; of large arrays on an evenly spaced sample. None where all numbers are as good as equal."""
    sample = values.reshape(-1)[:: max(1, values.size // SAMPLE)]
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
    data = np.array([np.inf if v is None else abs(v) for v in picture["data"]]).reshape(rows, columns)
    chosen = _largest(data, side)
    index = picture.get("index") or [list(divmod(i, columns)) for i in range(rows * columns)]
    flat = chosen.reshape(-1).tolist()
    return {
        "rows": chosen.shape[0],
        "cols": chosen.shape[1],
        "data": [picture["data"][i] for i in flat],
        "exact": False,
        "index": [index[i] for i in flat],
    }
