"""How Tensors print: ``str`` is NumPy's text; ``repr`` shows shape, dtype and values in exponent form."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from .dtypes import of_array

_MANTISSA = {2: 4, 4: 8, 8: 8}  # decimals by item size


def tensor_str(array: np.ndarray) -> str:
    """NumPy's own text."""
    return str(array)


def tensor_repr(array: np.ndarray) -> str:
    """``Tensor(shape=[2], dtype=Float32, value= [ 1.00000000e+00, -2.50000000e+00])``."""
    gap = "\n" if array.ndim > 1 else " "
    return f"Tensor(shape={list(array.shape)}, dtype={of_array(array.dtype)}, value={gap}{_values(array)})"


def _values(array: np.ndarray) -> str:
    if array.ndim == 0:
        return f"{array.item():g}" if array.dtype.kind == "f" else str(array.item())
    body = np.array2string(
        array, separator=", ", threshold=1000, edgeitems=3, max_line_width=1 << 30, formatter=_formatter(array)
    )
    body = re.sub(r",(\s*)\.\.\.,", r"\1...", body)  # no commas around an abbreviation
    return re.sub(r"\n\s*\n", "\n", body)  # no blank lines between blocks


def _formatter(array: np.ndarray) -> Any:
    if array.dtype.kind != "f":
        return None
    decimals = _MANTISSA[array.dtype.itemsize]
    width = decimals + 7
    return {"float_kind": lambda x: f"{x: .{decimals}e}" if np.isfinite(x) else f"{x:>{width}}"}
