"""Tensors in nested values: one walk and one exchange, in the same order, through tuples, lists and dicts.

``top=True`` stops at the direct members. Backward hooks see a Cell's inputs and outputs so (a Tensor deeper in
gets its gradient past them); ``bprop``, ``grad`` and observers go all the way down.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from .tensor import Tensor


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
    """A value with its Tensors exchanged; containers keep their types, also named tuples."""

    def changed(item: Any) -> Any:
        if isinstance(item, Tensor):
            return change(item)
        return item if top else map_tensors(change, item)

    if isinstance(value, (tuple, list)):
        return getattr(type(value), "_make", type(value))([changed(item) for item in value])
    if isinstance(value, dict):
        return {key: changed(item) for key, item in value.items()}
    return change(value) if isinstance(value, Tensor) else value


class Structure:
    """The nesting of Tensors in a value, to take them out and put others in their places."""

    def __init__(self, value: Any, top: bool = False):
        self.value = value
        self.top = top
        self.tensors = list(tensors_in(value, top))

    def filled(self, tensors: Iterable[Any]) -> Any:
        """The value with its Tensors replaced, in order."""
        others = iter(tensors)
        return map_tensors(lambda _: next(others), self.value, self.top)
