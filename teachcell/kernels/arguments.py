"""Arguments as ops of many families take them: axes, whole numbers, shapes. Read here, and refused in one wording."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from operator import index
from typing import Any

import numpy as np

from ..texts import say

Axes = int | tuple[int, ...] | None
MOST = 2**31  # elements of one array
MOST_OBJECTS = 2**24  # what Python makes one by one: parts, choices


def axes_of(axis: Any, ndim: int) -> tuple[int, ...]:
    """Axes as a tuple, counted from the first; all of them for None and for ().

    ValueError for one out of range or named twice, TypeError for anything but ints.
    """
    if type(axis) is int and -ndim <= axis < ndim:
        return (axis % ndim,)
    axis = axis.tolist() if hasattr(axis, "tolist") else axis  # an index array, or a Tensor of ints
    if axis is None or (isinstance(axis, (tuple, list)) and not axis):
        return tuple(range(ndim))
    axis = axis if isinstance(axis, (tuple, list)) else (axis,)
    for a in axis:
        if not isinstance(a, (int, np.integer)) or isinstance(a, bool):
            raise TypeError(say("errors.axis_kind", got=repr(a)))
        if not -ndim <= a < max(ndim, 1):
            raise ValueError(say("errors.axis_range", axis=a, ndim=ndim))
    found = tuple(int(a) % max(ndim, 1) for a in axis) if ndim else ()
    if len(set(found)) < len(found):
        raise ValueError(say("errors.one_axis_twice", axis=max(found, key=found.count)))
    return found


def one_axis(axis: int, ndim: int) -> int:
    """The axis, counted from the first; ValueError where there is none, TypeError for anything but an int."""
    if type(axis) is int and -ndim <= axis < ndim:
        return axis % ndim
    if not ndim:
        raise ValueError(say("errors.axis_range", axis=axis, ndim=0))
    return axes_of((axis,), ndim)[0]


def with_axes(name: str, x: Any, least: int, most: float = math.inf) -> Any:
    """``x``, an array or a Tensor, or ValueError unless it has ``least`` to ``most`` axes."""
    if not least <= x.ndim <= most:
        wanted = least if least == most else f"≥ {least}" if most == math.inf else f"{least} … {most}"
        raise ValueError(say("errors.axes", name=name, wanted=wanted, got=x.shape))
    return x


def kept_shape(shape: tuple[int, ...], axis: Axes) -> tuple[int, ...]:
    """The shape with the reduced axes kept as 1."""
    if axis is None:
        return (1,) * len(shape)
    reduced = axes_of(axis, len(shape))
    return tuple(1 if i in reduced else d for i, d in enumerate(shape))


def whole(value: Any, name: str) -> int:
    """An int, also one in a Tensor or of NumPy's; TypeError for anything else."""
    try:
        return index(value)
    except TypeError:
        raise TypeError(say("errors.whole", name=name, got=repr(value))) from None


def limited(name: str, value: Any, count: int, most: int = MOST) -> None:
    """ValueError if the value of an argument asks for more than ``most`` elements, before anything makes them."""
    if count > most:
        raise ValueError(say("errors.array_size", name=name, most=most, got=value))


def one_of(name: str, value: Any, known: Sequence[Any]) -> Any:
    """``value`` if it is one of those known, else ValueError."""
    if value not in known:
        raise ValueError(say("errors.choice", name=name, known=", ".join(map(repr, known)), got=repr(value)))
    return value


def in_interval(name: str, value: Any, interval: str) -> None:
    """ValueError unless a number, or every element of an array, lies in an interval such as ``"[0, 1)"``.

    TypeError for what is no number.
    """
    low, high = _ends(interval)
    try:
        above = low <= value if interval[0] == "[" else low < value
        inside = above & (value <= high if interval[-1] == "]" else value < high)
    except TypeError:
        raise TypeError(say("errors.not_a_number", name=name, got=repr(value))) from None
    if inside is not True and not np.all(inside):  # np.all costs 4 µs
        value = value.tolist() if hasattr(value, "tolist") else value
        raise ValueError(say("errors.interval", name=name, interval=interval, got=value))


def number_in(name: str, value: Any, interval: str) -> Any:
    """A Python number in an interval such as ``"[0, 1)"``; TypeError for what is no number, ValueError outside."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise TypeError(say("errors.not_a_number", name=name, got=repr(value)))
    in_interval(name, value, interval)
    return value


@lru_cache
def _ends(interval: str) -> tuple[float, float]:
    """The numbers in the text of an interval, as a reader sees it: ``"[−1, ∞)"``."""
    low, high = interval[1:-1].replace("−", "-").replace("∞", "inf").split(", ")
    return float(low), float(high)


def sizes_of(shape: Any) -> tuple[int, ...]:
    """A shape given as an int, a sequence of ints, an array or a Tensor; TypeError for anything else."""
    sizes = shape.tolist() if hasattr(shape, "tolist") else shape
    sizes = (sizes,) if isinstance(sizes, int) else sizes
    if not isinstance(sizes, (tuple, list)):
        raise TypeError(say("errors.shape_kind", got=repr(shape)))
    try:
        return tuple([index(d) for d in sizes])
    except TypeError:
        raise TypeError(say("errors.shape_kind", got=repr(shape))) from None


def common_shape(op: str, *shapes: tuple[int, ...]) -> tuple[int, ...]:
    """The shape to which all of them can be repeated; ValueError where there is none."""
    try:
        return np.broadcast_shapes(*shapes)
    except ValueError:
        given, why, remedy = " × ".join(map(str, shapes)), say("errors.broadcast_why"), say("errors.broadcast_remedy")
        raise ValueError(say("errors.kernel", op=op, given=given, why=why, remedy=remedy)) from None
