"""Arguments: one call's arguments, taken apart into Tensors and the rest."""

from __future__ import annotations

import types
import weakref
from typing import Any

import numpy as np

from ..core.dtypes import DType
from ..core.tensor import Tensor
from .plan import PLAIN

_KEYWORD = object()
_ATOMS = (bool, int, str, bytes, type(None))
_HELD = (Tensor, type, types.FunctionType, types.ModuleType)


class Arguments:
    """What a call was given.

    Attributes:
        tensors: the Tensors, also those in tuples, lists and dicts, each once; Parameters are among the others.
        key: everything else that can be compared, and where the Tensors stand: calls with different keys never share
            a plan.
        others: objects that a plan has to watch, with the position or the name of the argument.
        containers: the tuples, lists and dicts that were taken apart.
    """

    __slots__ = ("_at", "args", "containers", "key", "kwargs", "others", "tensors")

    def __init__(self, args: tuple[Any, ...], kwargs: dict[str, Any]):
        self.args, self.kwargs = args, kwargs
        self._at: int | str = 0
        self.tensors: list[Tensor] = []
        self.others: list[tuple[int | str, Any]] = []
        self.containers: list[Any] = []
        key: list[Any] = []
        for self._at, value in enumerate(args):
            self._take(value, key)
        for name, value in kwargs.items():
            key += (_KEYWORD, name)
            self._at = name
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
            array = value._array
            key += (Tensor, array.shape, array.dtype.num)
        elif kind in _ATOMS or isinstance(value, DType):
            key += (kind, value)
        elif kind in PLAIN or isinstance(value, np.generic):
            key += (kind, repr(value))  # 0.0 is not -0.0, and NaN is NaN
        elif kind is slice:
            key.append(kind)
            for part in (value.start, value.stop, value.step):
                self._take(part, key)
        elif kind is tuple or kind is list or _is_named_tuple(kind):
            if kind is not tuple and kind is not list:
                self.others.append((self._at, kind))
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
            key += (kind, id(value), id(getattr(value, "__dict__", None)))
            self.others.append((self._at, value))

    @property
    def bare(self) -> bool:
        """Whether it was Tensors and nothing else, and none twice."""
        return not (self.kwargs or self.containers) and len(self.tensors) == len(self.args) > 0

    def passing(self) -> list[Any]:
        """Those of the others that plans do not keep alive: objects with attributes, such as the Cell of a method."""
        return [value for _, value in self.others if not isinstance(value, _HELD) and _may_pass(value)]

    def named_others(self, fn: Any) -> list[tuple[str, Any]]:
        """The others with the names of the function's parameters."""
        names = _parameters(fn)
        return [(at if isinstance(at, str) else names[at] if at < len(names) else f"argument {at + 1}", value)
                for at, value in self.others]  # fmt: skip

    def tensor_names(self, fn: Any) -> list[str]:
        """What a reader calls the Tensors: ``x``, ``batch[0]``, ``options["mask"]``; ``x0`` where there is no name."""
        found = dict.fromkeys(map(id, self.tensors), "")
        ahead = [*zip(_parameters(fn), self.args, strict=False), *self.kwargs.items()]
        while ahead:
            name, value = ahead.pop(0)
            if id(value) in found:
                found[id(value)] = found[id(value)] or name
            elif any(value is c for c in self.containers):
                items = value.items() if isinstance(value, dict) else enumerate(value)
                ahead += [(f"{name}[{at!r}]", item) for at, item in items]
        return [name or f"x{number}" for number, name in enumerate(found.values())]

    def contents(self) -> list[list[int]]:
        """What is in the containers, to see whether a run changes them."""
        return [[*map(id, c.values() if type(c) is dict else c), *(map(id, c) if type(c) is dict else ())]
                for c in self.containers]  # fmt: skip


def _parameters(fn: Any) -> tuple[str, ...]:
    """The names of a function's positional parameters."""
    code = getattr(fn, "__code__", None)
    return code.co_varnames[: code.co_argcount] if code is not None else ()


def _is_named_tuple(kind: type) -> bool:
    """Whether objects of a class are tuples with names for their members, and nothing more."""
    return issubclass(kind, tuple) and hasattr(kind, "_fields") and not kind.__dictoffset__


def _may_pass(value: Any) -> bool:
    try:
        weakref.ref(value)
    except TypeError:
        return False
    return hasattr(value, "__dict__")
