"""Naming a factor: is it an attribute of the Cell, a number of the rule, a length, a power of two?"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from ...texts import say

CLOSE = 1e-4
FORMS: dict[str, Callable[[float], float]] = {
    "{n}": lambda v: v,
    "1 / {n}": lambda v: 1 / v,
    "1 − {n}": lambda v: 1 - v,
    "1 / (1 − {n})": lambda v: 1 / (1 - v),
    "{n}²": lambda v: v * v,
    "1 / {n}²": lambda v: 1 / (v * v),
}
PLAIN = {"": 2.0, "1 / 2": 0.5}  # a 2 is a 2, even where an axis happens to be that long


def name_of(factor: float, known: Mapping[str, float], sizes: Mapping[str, int]) -> str:
    """What a factor may be made of, ``"1 / keep_prob"``; "" if nothing fits.

    Args:
        known: numbers that the function, its Cells, rules and ops have, by name.
        sizes: lengths that occur, by what they are.
    """
    sign = "−" if factor < 0 else ""
    for (name, value), (form, make) in ((pair, f) for f in FORMS.items() for pair in known.items()):
        if value not in (0, 1) and _close(make(value), abs(factor)):
            return sign + form.format(n=name)
    for form, value in PLAIN.items():
        if _close(value, abs(factor)):
            return sign + form if form else ""
    for name, size in sizes.items():
        for form in ("{n}", "1 / {n}"):
            if size > 1 and _close(FORMS[form](size), abs(factor)):
                return sign + form.format(n=say("check.length", length=size, name=name))
    return ""


def _close(value: float, factor: float) -> bool:
    return math.isfinite(value) and abs(value - factor) <= CLOSE * factor


def numbers_of(functions: Sequence[Any], cells: Sequence[Any]) -> dict[str, float]:
    """Numbers that functions see (closures, defaults, globals) and Cells have as attributes, by name."""
    found: dict[str, float] = {}
    for cell in cells:
        for name, value in (*vars(type(cell)).items(), *vars(cell).items()):
            if not name.startswith("_"):
                found |= _number(name, value)
    for function in functions:
        for name, value in _seen_by(function):
            found |= _number(name, value)
    return found


def _number(name: str, value: Any) -> dict[str, float]:
    if getattr(value, "size", 0) == 1 and hasattr(value, "item"):  # of NumPy, or a Tensor
        value = value.item()
    return {name: float(value)} if isinstance(value, (int, float)) and not isinstance(value, bool) else {}


def _seen_by(function: Any) -> Iterator[tuple[str, Any]]:
    try:
        scope = inspect.getclosurevars(function)
        defaults = {name: p.default for name, p in inspect.signature(function).parameters.items()}
    except (TypeError, ValueError):
        return
    yield from (*scope.globals.items(), *scope.nonlocals.items(), *defaults.items())


def lengths(arrays: Mapping[str, np.ndarray], shapes: Sequence[tuple[int, ...]]) -> dict[str, int]:
    """Lengths of axes and numbers of elements of the variables and of the outputs."""
    named = [(name, a.shape) for name, a in arrays.items()] + [(say("check.output"), shape) for shape in shapes]
    found: dict[str, int] = {}
    for name, shape in named:
        found |= {say("check.axis_of", axis=axis, name=name): length for axis, length in enumerate(shape)}
        found[say("check.size_of", name=name)] = math.prod(shape)
    return found
