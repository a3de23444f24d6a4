"""Tensors in nested values: one walk and one exchange, in the same order, through tuples, lists and dicts.

``top=True`` stops at the direct members. Backward hooks see a Cell's inputs and outputs so (a Tensor deeper in
gets its gradient past them); ``bprop``, ``grad`` and observers go all the way down.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from copy import copy
from functools import lru_cache
from typing import Any

from .tensor import Tensor, wrap


def tensors_in(value: Any, top: bool = False) -> Iterator[Tensor]:
    """The Tensors in a value, in order."""
    if isinstance(value, Tensor):
        yield value
    elif isinstance(value, (tuple, list, dict)):
        for item in value.values() if isinstance(value, dict) else value:
            if isinstance(item, Tensor):
                yield item
            elif not top:
                yield from tensors_in(item)


def map_tensors(change: Callable[[Tensor], Any], value: Any, top: bool = False) -> Any:
    """A value with its Tensors exchanged; a container keeps its type, and is the same one if nothing in it changed."""

    def changed(item: Any) -> Any:
        if isinstance(item, Tensor):
            return change(item)
        return item if top else map_tensors(change, item)

    if isinstance(value, Tensor):
        return change(value)
    if isinstance(value, (tuple, list)):
        items = [changed(item) for item in value]
        return value if _same(items, value) else _sequence_like(value, items)
    if isinstance(value, dict):
        items = [changed(item) for item in value.values()]
        if _same(items, value.values()):
            return value
        twin = copy(value)  # also of an OrderedDict or defaultdict
        twin.update(zip(value, items, strict=True))
        return twin
    return value


def _same(new: Iterable[Any], old: Iterable[Any]) -> bool:
    return all(a is b for a, b in zip(new, old, strict=True))


def _sequence_like(value: Any, items: list[Any]) -> Any:
    """A tuple or list of the same type; a plain one where the type does not take these items."""
    try:
        return getattr(type(value), "_make", type(value))(items)
    except TypeError:
        return tuple(items) if isinstance(value, tuple) else items


class Structure:
    """The nesting of Tensors in a value, to take them out and put others in their places.

    One Tensor and a tuple of Tensors, which nearly every value is, need no walk.
    """

    __slots__ = ("count", "flat", "several", "tensors", "top", "value")

    def __init__(self, value: Any, top: bool = False):
        self.value = value
        self.top = top
        self.several = type(value) is tuple
        if isinstance(value, Tensor):
            self.flat, self.tensors = True, [value]
        elif self.several and all([isinstance(item, Tensor) for item in value]):
            self.flat, self.tensors = True, list(value)
        else:
            self.flat, self.tensors = False, list(tensors_in(value, top))
        self.count = len(self.tensors)

    def filled(self, tensors: Iterable[Any]) -> Any:
        """The value with its Tensors replaced, in order."""
        if self.flat:
            others = tuple(tensors)
            return others if self.several else others[0]
        rest = iter(tensors)
        return map_tensors(lambda _: next(rest), self.value, self.top)

    def bare(self) -> Structure:
        """The nesting alone: what is kept of it keeps no graph."""
        if not self.flat:
            return Structure(self.filled([wrap(t._array) for t in self.tensors]), self.top)
        return _bare(self.several, self.count)


@lru_cache(64)
def _bare(several: bool, count: int) -> Structure:
    """The nesting of one Tensor or of a tuple of them, which many calls share."""
    twin = object.__new__(Structure)
    twin.several, twin.top, twin.flat, twin.tensors, twin.count = several, False, True, [], count
    return twin
