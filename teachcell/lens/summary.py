"""What is kept of an array: statistics, a strip of bars, a small map, a histogram. Plain, finite data."""

from __future__ import annotations

from typing import Any

import numpy as np

STRIP = 40
SIDE = 32
BINS = 20
SAMPLE = 16_384


def summarise(array: np.ndarray) -> dict[str, Any]:
    """Statistics and pictures of an array; a number that is not finite is written as None.

    ``strip`` shows the first sample at up to 40 evenly spaced units. ``map`` is that of
    ``reshape(-1, shape[-1])``: the elements, or per square the element of largest magnitude in its block.
    """
    numbers = array.astype(np.float64) if array.dtype.kind != "f" else array
    finite = np.isfinite(numbers)
    good = numbers if finite.all() else numbers[finite]
    some = good.size > 0
    return {
        "shape": list(array.shape),
        "dtype": str(array.dtype),
        "size": array.size,
        "min": float(good.min()) if some else None,
        "max": float(good.max()) if some else None,
        "mean": float(good.mean(dtype=np.float64)) if some else None,
        "std": float(good.std(dtype=np.float64)) if some else None,
        "zeros": float(np.count_nonzero(array == 0) / array.size) if array.size else 0.0,
        "nan": int(np.count_nonzero(np.isnan(numbers))),
        "inf": int(np.count_nonzero(np.isinf(numbers))),
        "first": _plain(numbers.reshape(-1)[:1])[0] if array.size == 1 else None,
        "strip": _strip(numbers),
        "map": array_map(numbers),
        "hist": _histogram(good) if good.size > 1 else None,
    }


def _plain(values: np.ndarray) -> list[float | None]:
    """Floats with enough digits for a picture and a read-out, None where not finite."""
    return [float(f"{v:.5g}") if np.isfinite(v) else None for v in values.reshape(-1).tolist()]


def _strip(numbers: np.ndarray) -> list[float | None]:
    row = (numbers[0] if numbers.ndim > 1 and len(numbers) else numbers).reshape(-1)
    if row.size > STRIP:
        row = row[np.linspace(0, row.size - 1, STRIP).round().astype(int)]
    return _plain(row)


def array_map(numbers: np.ndarray) -> dict[str, Any]:
    """At most 32 × 32 squares of the array as a matrix; ``index`` names each square's source element."""
    if numbers.size == 0:
        return {"rows": 0, "cols": 0, "data": [], "exact": True}
    matrix = numbers.reshape(-1, numbers.shape[-1] if numbers.ndim else 1)
    rows, columns = (min(n, SIDE) for n in matrix.shape)
    if (rows, columns) == matrix.shape:
        return {"rows": rows, "cols": columns, "data": _plain(matrix), "exact": True}
    data, index = [], []
    magnitude = np.where(np.isnan(matrix), np.inf, np.abs(matrix))
    for r0, r1 in _blocks(matrix.shape[0], rows):
        for c0, c1 in _blocks(matrix.shape[1], columns):
            block = magnitude[r0:r1, c0:c1]
            r, c = divmod(int(block.argmax()), c1 - c0)
            data.append(matrix[r0 + r, c0 + c])
            index.append([r0 + r, c0 + c])
    return {"rows": rows, "cols": columns, "data": _plain(np.array(data)), "exact": False, "index": index}


def _blocks(length: int, count: int) -> list[tuple[int, int]]:
    edges = [length * i // count for i in range(count + 1)]
    return list(zip(edges, edges[1:], strict=False))


def _histogram(values: np.ndarray) -> dict[str, Any] | None:
    """Counts in 20 bins; of large arrays on an evenly spaced sample."""
    sample = values.reshape(-1)[:: max(1, values.size // SAMPLE)]
    low, high = float(sample.min()), float(sample.max())
    if not high > low:
        return None
    counts, _ = np.histogram(sample, BINS, (low, high))
    return {"lo": low, "hi": high, "counts": counts.tolist()}
