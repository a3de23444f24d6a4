"""Walk: from some objects to all that can be reached from them, and where each value that counts is found.

Containers, attributes and arrays; what code, modules and classes lead to is ``world.py``'s to say.
"""

from __future__ import annotations

import builtins
import enum
import functools
import types
from abc import ABC
from collections import Counter, OrderedDict, defaultdict, namedtuple
from collections.abc import Iterable
from typing import Any, Generic

import numpy as np

from ..core.dtypes import DType
from ..core.op import Op
from ..core.tensor import Tensor
from ..nn.hooks import HookPoints
from ..nn.parameter import Parameter
from ..texts import say
from .origin import PURE_BUILTINS, codes_of, foreign, of_library
from .plan import PLAIN, same
from .reads import Reads
from .values import Values

MOST = 20_000  # values compared before each run
_MOST_BYTES = 4096  # of an ndarray that is compared
_PLAIN = (
    type(None), np.generic, np.dtype, np.ufunc, DType, Op, type(Ellipsis), type(NotImplemented),
    types.CodeType, types.MemberDescriptorType, types.GetSetDescriptorType, types.MethodDescriptorType,
    types.WrapperDescriptorType, types.ClassMethodDescriptorType, types.GenericAlias, types.UnionType,
    type(vars(namedtuple("_Pair", "a"))["a"]),
)  # fmt: skip
_CONTAINERS = (dict, list, tuple, set, frozenset)
# Classes of Python's whose objects show all they are: by their members, or as values.
_OPEN = frozenset({
    object, *_CONTAINERS, OrderedDict, defaultdict, Counter, int, float, str, bytes, complex, type, ABC, Generic,
    types.SimpleNamespace, enum.Enum, enum.IntEnum, enum.Flag, enum.IntFlag,
})  # fmt: skip
_LOOKING = ("__iter__", "__len__", "keys", "values", "items")  # what the comparison calls
_OF_PARAMETERS = vars(Parameter(0.0)).keys()


class Unguardable(Exception):
    """The walk met something that cannot be compared; the text says what and where."""


class Walk:
    """The way from object to object.

    Attributes:
        values: what has to stay as it is.
        tensors: Tensors that live outside, each once.
        suspects: code that must not be run, and why: it may see or do what cannot be compared.

    Args:
        roots: where it starts, each with a path.
        passing: of these, those that are not held. That they keep their class and their dict, somebody else sees to.
        reads: what a run has asked for; of other attributes nothing need be known. None: of all.
    """

    def __init__(self, roots: Iterable[tuple[str, Any]], passing: Iterable[Any] = (), reads: Reads | None = None):
        self._passing = {id(value) for value in passing}
        self._reads = reads
        self.values = Values()
        self.tensors: list[Tensor] = []
        self.suspects: dict[types.CodeType, str] = {}
        self._seen: dict[int, Any] = {}  # by id, and held: nobody else gets their ids
        self._parameters: list[tuple[str, Parameter]] = []
        self._bad: dict[int, str] = {}  # what cannot be compared, and why
        self._led_by: dict[int, list[Any]] = {}  # from what to what the walk went
        self._at: Any = None
        self._waiting: list[tuple[str, Any]] = []
        for path, value in roots:
            self._later(path, value)

    def _go(self) -> None:
        """Visit all that waits, and what that leads to."""
        while self._waiting:
            path, self._at = self._waiting.pop()
            try:
                self._visit(path, self._at)
            except Unguardable as error:
                self._bad[id(self._at)] = str(error)

    def knows(self, value: Any) -> bool:
        """Whether the walk came by."""
        return id(value) in self._seen

    def forget(self) -> None:
        """Let go of what only the walk needed: it holds all that it came by."""
        self._at = None
        self._seen, self._led_by, self._parameters = {}, {}, []

    def _suspect(self, place: int, reason: str) -> None:
        """What cannot be compared makes suspects of the functions that lead to it, since only they can look at it.

        Where no function stands between it and the roots there is no plan at all.
        """
        waiting, seen = [place], {place}
        while waiting:
            for leader in self._led_by.get(waiting.pop(), ()):
                if leader is None:
                    raise Unguardable(reason)
                if isinstance(leader, types.FunctionType) and not of_library(leader.__globals__.get("__name__") or ""):
                    self.suspects.update(dict.fromkeys(codes_of(leader.__code__), reason))
                elif id(leader) not in seen:
                    seen.add(id(leader))
                    waiting.append(id(leader))

    # Visits ------------------------------------------------------------------------------------------------------

    def _later(self, path: str, value: Any) -> None:
        if type(value) not in PLAIN and not isinstance(value, _PLAIN):
            self._led_by.setdefault(id(value), []).append(self._at)
            self._waiting.append((path, value))

    def _visit(self, path: str, value: Any) -> None:
        if id(value) in self._seen or type(value) in PLAIN or isinstance(value, _PLAIN):
            return
        self._seen[id(value)] = value
        if len(self._seen) > MOST or (isinstance(value, _CONTAINERS) and len(value) > MOST):
            raise Unguardable(say("jit.too_much", count=f"> {MOST}"))
        if isinstance(value, Tensor):
            self.tensors.append(value)
            if type(value) is Parameter and vars(value).keys() == _OF_PARAMETERS:
                self._parameters.append((path, value))
            else:
                self._attributes(path, value)
            if type(value) not in (Tensor, Parameter):
                self._later(f"type({path})", type(value))
        elif isinstance(value, np.ndarray):
            self._array(path, value)
        elif isinstance(value, _CONTAINERS):
            self._subclass(path, value)
            if isinstance(value, dict):
                self._members(path, value)
            else:
                if not isinstance(value, (tuple, frozenset)):  # whose members never change
                    (self.values.members if value else self.values.sized).append((path, value))
                for i, item in enumerate(value):
                    self._later(f"{path}[{i}]", item)
        elif isinstance(value, types.FunctionType):
            self._function(path, value)
        elif isinstance(value, types.ModuleType):
            self._module(path, value)
        elif isinstance(value, type):
            self._class(path, value)
        elif isinstance(value, enum.Enum):
            self._attributes(path, value)
            self._later(f"type({path})", type(value))
        elif isinstance(value, HookPoints):
            for kind in value.__slots__[:4]:
                self.values.members.append((path, getattr(value, kind)))  # a note tells of hooks that are silent
        else:
            self._other(path, value)

    def _other(self, path: str, value: Any) -> None:
        parts = _PARTS.get(type(value))
        if parts is not None:
            for name in parts:
                part = getattr(value, name)
                if part is not None:
                    self._later(f"{path}.{name}", part)
            if type(value) is functools.partial:
                self._attributes(path, value)
        elif isinstance(value, types.BuiltinFunctionType):
            if value.__self__ is not builtins:
                self._later(path, value.__self__)
            elif value.__name__ not in PURE_BUILTINS:
                raise Unguardable(say("jit.calls", name=value.__name__))
        elif type(value) is types.SimpleNamespace:
            self._attributes(path, value)
        elif type(value).__name__ == "_ArrayFunctionDispatcher":
            pass  # a function of NumPy's
        elif hasattr(value, "__dict__") and not foreign(type(value)):
            self._no_hidden_state(path, type(value))
            self._attributes(path, value)
            self._later(f"type({path})", type(value))
        else:
            raise Unguardable(say("jit.unguardable", path=path, kind=type(value).__name__))

    def _subclass(self, path: str, value: Any) -> None:
        """A container of the learner's own kind has attributes and methods."""
        kind = type(value)
        if kind.__module__ != "builtins":
            self._no_hidden_state(path, kind)
            if any(isinstance(getattr(kind, name, None), types.FunctionType) for name in _LOOKING):
                raise Unguardable(say("jit.unguardable", path=path, kind=kind.__name__))
            if isinstance(value, defaultdict):
                self.values.fields.append((path, value, "default_factory"))
                self._later(path, value.default_factory)
            self._attributes(path, value)
            self._later(f"type({path})", kind)

    @staticmethod
    def _no_hidden_state(path: str, cls: type) -> None:
        """Refuse the objects of a class that inherits from one whose state its attributes do not show."""
        if any(foreign(base) and base not in _OPEN for base in cls.__mro__):
            raise Unguardable(say("jit.unguardable", path=path, kind=cls.__name__))

    def _attributes(self, path: str, value: Any) -> None:
        own = getattr(value, "__dict__", None)
        asked = None if self._reads is None else self._reads.of(value)
        if own is None or asked == set():
            return
        if id(value) not in self._passing and (own or not isinstance(value, types.FunctionType)):
            self.values.objects.append((path, value))
        if asked is None:
            self._members(path, own, ".{}")
            return
        for name in sorted(asked):
            (self.values.named if name in own else self.values.absent).append((path, own, name))
            if name in own:
                self._later(f"{path}.{name}", own[name])

    def _members(self, path: str, mapping: Any, each: str = "[{!r}]") -> None:
        if not mapping:
            self.values.sized.append((path, mapping))
            return
        if all(type(name) is str for name in mapping):
            self.values.mappings.append(mapping)
        else:
            self.values.members.append((path, mapping.keys()))
        self.values.members.append((path, mapping.values()))
        for name, item in mapping.items():
            self._later(path, name)
            self._later(path + each.format(name), item)

    def _array(self, path: str, array: np.ndarray) -> None:
        if type(array) is not np.ndarray:
            raise Unguardable(say("jit.unguardable", path=path, kind=type(array).__name__))
        if array.nbytes > _MOST_BYTES or array.dtype.hasobject:
            raise Unguardable(say("jit.large_array", path=path))
        before = array.copy(order="K")
        self.values.checks.append((path, lambda: same(before, array) and before.strides == array.strides))

    def _function(self, path: str, function: types.FunctionType) -> None:
        raise NotImplementedError

    def _module(self, path: str, module: types.ModuleType) -> None:
        raise NotImplementedError

    def _class(self, path: str, cls: type) -> None:
        raise NotImplementedError


_PARTS: dict[type, tuple[str, ...]] = {
    types.MethodType: ("__self__", "__func__"),
    functools.partial: ("func", "args", "keywords"),
    staticmethod: ("__func__",),
    classmethod: ("__func__",),
    property: ("fget", "fset", "fdel"),
    slice: ("start", "stop", "step"),
    functools.cached_property: ("func",),
}
