"""Arguments: one call's arguments, taken apart into Tensors and the rest."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.dtypes import DType
from ..core.tensor import Tensor
from .plan import PLAIN

_KEYWORD = object()
_ATOMS = (bool, int, str, bytes, type(None))


class Arguments:
    """What a call was given.

    Attributes:
        tensors: the Tensors, also those in tuples, lists and dicts, each once; Parameters are among the others.
        key: everything else that can be compared, and where the Tensors stand: calls with different keys never share
            a plan.
        others: objects that a plan has to watch, with names.
        containers: the tuples, lists and dicts that were taken apart.
    """

    __slots__ = ("args", "containers", "key", "kwargs", "others", "tensors")

    def __init__(self, args: tuple[Any, ...], kwargs: dict[str, Any]):
        self.args, self.kwargs = args, kwargs
        self.tensors: list[Tensor] = []
        self.others: list[tuple[str, Any]] = []
        self.containers: list[Any] = []
        key: list[Any] = []
        for value in args:
            self._take(value, key)
        for name, value in kwargs.items():
            key += (_KEYWORD, name)
            self._take(value, key)
        self.key = tuple(key)

    def _take(self, value: Any, key: list[Any]) -> None:
        kind = type(value)
        if kind is Tensor:
            for i, tensor in enumerate(self.tensors):
                if tensor is value:
                    key.append(i)
                    return
            self.tensors.append(value)
            key.append(Tensor)
        elif kind in _ATOMS or isinstance(value, DType):
            key += (kind, value)
        elif kind in PLAIN or isinstance(value, np.generic):
            key += (kind, repr(value))  # 0.0 is not -0.0, and NaN is NaN
        elif kind is slice:
            key.append(kind)
            for part in (value.start, value.stop, value.step):
                self._take(part, key)
        elif kind is tuple or kind is list:
            key += (kind, len(value))
            self.containers.append(value)
            for item in value:
                self._take(item, key)
        elif kind is dict and all(type(name) is str for name in value):
            key += (kind, *value, None)
            self.containers.append(value)
            for item in value.values():
                self._take(item, key)
        else:
            key += (object, id(value))
            self.others.append((f"argument {len(key)}", value))

    def contents(self) -> list[list[int]]:
        """What is in the containers, to see whether a run changes them."""
        return [[*map(id, c.values() if type(c) is dict else c), *(map(id, c) if type(c) is dict else ())]
                for c in self.containers]  # fmt: skip
