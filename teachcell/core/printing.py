"""How Tensors print: ``str`` is NumPy's text; ``repr`` shows shape, dtype and values as MindSpore lays them out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .dtypes import of_array

_DECIMALS = {2: 4, 4: 8, 8: 8}  # of the exponent form, by item size
_MOST_IN_ROW = 1000  # elements of a Tensor with one axis; a longer one is abbreviated
_MOST_ON_AXIS = 6  # the same for each axis of a Tensor with more
_EDGE = 3  # what an abbreviation leaves at either end
_LINE = {"i": 24, "u": 24, "f": 12, "b": 12}  # elements on a line of a Tensor with one axis, by kind


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
    if array.size == 0:
        return "[]"
    if array.ndim == 1 and len(array) <= _MOST_IN_ROW:
        text = _element_text(array)
        return f"[{_lines([text(x) for x in array], _LINE[array.dtype.kind])}]"
    ends = [list(range(n)) if n <= _MOST_ON_AXIS else [*range(_EDGE), *range(n - _EDGE, n)] for n in array.shape]
    return _block(array, _element_text(array[np.ix_(*ends)]), 1)


def _element_text(shown: np.ndarray) -> Callable[[Any], str]:
    """How to write one element, given all that are shown: right-aligned in one column."""
    if shown.dtype.kind == "f":
        decimals = _DECIMALS[shown.dtype.itemsize]
        return lambda x: f"{x:>{decimals + 7}.{decimals}e}" if np.isfinite(x) else f"{x:>{decimals + 7}}"
    width = 5 if shown.dtype.kind == "b" else max(len(str(x)) for x in shown.flat)
    return lambda x: f"{x!s:>{width}}"


def _lines(texts: list[str], length: int) -> str:
    """Elements in lines of ``length``; MindSpore breaks the line also after the last element of a full one."""
    lines = [", ".join(texts[i : i + length]) for i in range(0, len(texts), length)]
    return ", \n ".join(lines) + ("\n " if len(texts) % length == 0 else "")


def _block(array: np.ndarray, text: Callable[[Any], str], depth: int) -> str:
    """Elements side by side; blocks one below the other, indented by a blank per open bracket."""
    members = array if len(array) <= _MOST_ON_AXIS else (*array[:_EDGE], *array[-_EDGE:])
    if array.ndim == 1:
        comma, dots = ", ", " ... "
        texts = [text(x) for x in members]
    else:
        comma = ",\n" + " " * depth
        dots = f"{comma}...{comma[1:]}"
        texts = [_block(block, text, depth + 1) for block in members]
    if len(texts) == len(array):
        return f"[{comma.join(texts)}]"
    return f"[{comma.join(texts[:_EDGE])}{dots}{comma.join(texts[_EDGE:])}]"
