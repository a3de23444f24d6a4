"""World: everything in Python that a jit function could look at, as it was when it was captured.

From the function, and from its arguments that are no Tensors, a walk finds all it can reach: globals that its code
names, closures, defaults, attributes, members of containers. A plan holds as long as each of these is what it was
(``values.py`` compares).
What cannot be compared (an open file, a generator of random numbers, an iterator) makes a plan impossible, whether it
is used or not: a missing guard would be worse than a missing plan.
"""

from __future__ import annotations

import builtins
import dis
import enum
import functools
import sys
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
from .origin import PURE_BUILTINS, codes_of, foreign, guardable, of_library
from .plan import PLAIN, same
from .values import Values

_MOST = 20_000  # values compared before each run
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
_HIGHER = frozenset({"map", "filter", "sorted", "min", "max", "sort", "reduce", "partial"})  # call others from C
_NOT_READ = frozenset({
    "__dict__", "__weakref__", "__doc__", "__annotations__", "__abstractmethods__", "_abc_impl", "__slots__",
    "__dataclass_fields__", "__dataclass_params__",
})  # fmt: skip
# Names that code of one's own need not write to have the engine use them.
_ACTS = frozenset({"construct", "bprop", "__call__"})
_OPERATORS = frozenset(name for name in vars(Tensor) if name.startswith("__")) - _NOT_READ
_OF_PARAMETERS = vars(Parameter(0.0)).keys()
# With these, names are looked up that do not stand in the code as names.
_BY_TEXT = frozenset({"getattr", "hasattr", "attrgetter", "methodcaller", "__dict__", "__getattribute__"})


class Unguardable(Exception):
    """The walk met something that cannot be compared; the text says what and where."""


class World:
    """A walk's findings.

    Attributes:
        values: what has to stay as it is.
        tensors: Tensors that live outside, each once.
        codes: the code of every function that was found.
        suspects: of these, what must not be run, and why: it may see or do what cannot be compared.
    """

    def __init__(self, roots: Iterable[tuple[str, Any]]):
        self.values = Values()
        self.tensors: list[Tensor] = []
        self.codes: set[types.CodeType] = set()
        self.suspects: dict[types.CodeType, str] = {}
        self._seen: dict[Any, Any] = {}
        self._names: set[str] = set()
        self._modules: list[types.ModuleType] = []
        self._classes: list[type] = []  # of the engine
        self._parameters: list[tuple[str, Parameter]] = []
        self._read: dict[types.ModuleType, set[str]] = {}  # names looked up
        self._effects: list[tuple[types.CodeType, str]] = []  # builtins with an effect, and where they are named
        self._bad: dict[int, str] = {}  # what cannot be compared, and why
        self._led_by: dict[int, list[Any]] = {}  # from what to what the walk went
        self._at: Any = None
        self._waiting: list[tuple[str, Any]] = []
        self._roots = [*roots]  # held: nobody else gets their ids
        self.name = self._roots[0][0]
        self._class("Tensor", Tensor)
        for path, value in self._roots:
            self._later(path, value)
        while self._waiting or self._read_names():
            path, self._at = self._waiting.pop()
            try:
                self._visit(path, self._at)
            except Unguardable as error:
                self._bad[id(self._at)] = str(error)
        if self._names & _HIGHER:  # a profile function does not see what C calls
            self.suspects.update((code, say("jit.calls", name=name)) for code, name in self._effects)
        for place, reason in self._bad.items():
            self._suspect(place, reason)
        for cls in self._classes:
            self._engine_class(cls)
        for path, parameter in self._parameters:
            self._parameter(path, parameter)
        self.values.settle()
        if self.values.size > _MOST:
            raise Unguardable(say("jit.too_much", count=self.values.size))

    def knows(self, value: Any) -> bool:
        """Whether the walk came by."""
        return id(value) in self._seen

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

    # The walk ----------------------------------------------------------------------------------------------------

    def _later(self, path: str, value: Any) -> None:
        if type(value) not in PLAIN and not isinstance(value, _PLAIN):
            self._led_by.setdefault(id(value), []).append(self._at)
            self._waiting.append((path, value))

    def _visit(self, path: str, value: Any) -> None:
        if id(value) in self._seen or type(value) in PLAIN or isinstance(value, _PLAIN):
            return
        self._seen[id(value)] = value
        if len(self._seen) > _MOST or (isinstance(value, _CONTAINERS) and len(value) > _MOST):
            raise Unguardable(say("jit.too_much", count=f"> {_MOST}"))
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
            elif not value:
                self.values.sized.append((path, value))
            else:
                self.values.members.append((path, value))
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
        if own is not None:
            if own or not isinstance(value, types.FunctionType):
                self.values.objects.append((path, value))
            self._members(path, own, ".{}")

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

    def _function(self, path: str, function: Any) -> None:
        if getattr(function, "__teachcell_jit__", None) is not None:
            self._later(path, function.__wrapped__)
            return
        if hasattr(function, "op") and isinstance(function.op, Op):
            return
        for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
            self.values.fields.append((name, cell, "cell_contents"))
            try:
                self._later(name, cell.cell_contents)
            except ValueError:
                raise Unguardable(say("jit.unguardable", path=name, kind="cell")) from None
        for part in ("__code__", "__defaults__", "__kwdefaults__"):
            self.values.fields.append((path, function, part))
        for part in (function.__defaults__, function.__kwdefaults__):
            self._later(path, part)
        if not of_library(function.__globals__.get("__name__") or ""):
            self._attributes(path, function)
            self._code(path, function)

    def _code(self, path: str, function: types.FunctionType) -> None:
        """The globals that a learner's function names."""
        scope = function.__globals__
        for code in codes_of(function.__code__):
            self.codes.add(code)
            self._names.update(code.co_names)
            asked = dict.fromkeys((step.opname, step.argval) for step in dis.get_instructions(code))
            self._names.update(c for c in code.co_consts if type(c) is str and c.isidentifier())
            if any(opname.startswith("IMPORT") for opname, _ in asked):
                self.suspects[code] = say("jit.imports", name=function.__qualname__)
            if "random" in code.co_names:
                self.suspects[code] = say("jit.module", name="numpy.random")
            if "__globals__" in code.co_names:
                self.suspects[code] = say("jit.unguardable", path=function.__qualname__, kind="__globals__")
            for name in dict.fromkeys(
                name for opname, name in asked if opname.endswith(("_GLOBAL", "_GLOBALS", "_NAME"))
            ):
                if name in scope:
                    if isinstance(scope[name], types.ModuleType) and not guardable(scope[name]):
                        self.suspects[code] = say("jit.module", name=scope[name].__name__)
                    else:
                        self._later(name, scope[name])
                    self.values.named.append((path, scope, name))
                else:
                    self.values.absent.append((path, scope, name))
                    if hasattr(builtins, name):
                        self.values.named.append((path, vars(builtins), name))
                        if isinstance(vars(builtins)[name], types.BuiltinFunctionType) and name not in PURE_BUILTINS:
                            self._effects.append((code, name))

    def _module(self, path: str, module: types.ModuleType) -> None:
        if module is np.random:
            return  # whoever comes by it names it: a suspect
        if not guardable(module):
            raise Unguardable(say("jit.module", name=module.__name__))
        self._modules.append(module)

    def _read_names(self) -> bool:
        """The names in modules that code asks for.

        They are known when all code has been found, and may lead to more.
        """
        found = False
        for module in self._modules:
            mine, scope = not of_library(module.__name__), module.__dict__
            if mine and self._names & _BY_TEXT:
                self.values.mappings.append(scope)
            asked = {*self._names, *(scope if mine and self._names & _BY_TEXT else ())}
            for name in sorted(asked - self._read.setdefault(module, set())):
                self._read[module].add(name)
                if name in scope:
                    found = True
                    self.values.named.append((module.__name__, scope, name))
                    if mine or isinstance(scope[name], types.ModuleType):
                        self._at = module
                        self._later(f"{module.__name__}.{name}", scope[name])
                elif mine:
                    self.values.absent.append((module.__name__, scope, name))
        if found and not self._waiting:
            self._waiting.append(("", None))
        return found

    def _engine_class(self, cls: type) -> None:
        """What code asks of a class of the engine, and what operators and calls do."""
        for name in sorted((self._names | (_OPERATORS if cls is Tensor else _ACTS)) & vars(cls).keys()):
            if type(vars(cls)[name]) in PLAIN:
                self.values.named.append((cls.__name__, vars(cls), name))
            else:
                self.values.methods.setdefault(cls, []).append(name)

    def _parameter(self, path: str, parameter: Parameter) -> None:
        """Of a Parameter the attributes that code names: all of them would double the cost of a net's guards."""
        if self._names & _BY_TEXT:
            self._attributes(path, parameter)
            return
        self.values.sized.append((path, vars(parameter)))
        for name in vars(parameter):
            if name == "_requires_grad" or not self._names.isdisjoint((name, name.removeprefix("_"))):
                self.values.fields.append((path, parameter, name))

    def _class(self, path: str, cls: type) -> None:
        for base in cls.__mro__:
            if of_library(base.__module__):
                if base not in self._classes and base.__module__.startswith("teachcell"):
                    self._classes.append(base)
                    self.values.sized.append((base.__name__, vars(base)))
            elif base.__module__ in sys.stdlib_module_names:
                pass
            elif foreign(base) or vars(base).get("__slots__"):
                raise Unguardable(say("jit.unguardable", path=path, kind=base.__name__))
            elif base is cls:
                self.values.mappings.append(vars(cls))
                self.values.members.append((path, vars(cls).values()))
                self.values.fields.append((path, cls, "__bases__"))
                for name, value in vars(cls).items():
                    if name not in _NOT_READ:
                        self._later(f"{path}.{name}", value)
                self._later(f"type({path})", type(cls))
            else:
                self._later(base.__name__, base)


_PARTS: dict[type, tuple[str, ...]] = {
    types.MethodType: ("__self__", "__func__"),
    functools.partial: ("func", "args", "keywords"),
    staticmethod: ("__func__",),
    classmethod: ("__func__",),
    property: ("fget", "fset", "fdel"),
    slice: ("start", "stop", "step"),
    functools.cached_property: ("func",),
}
