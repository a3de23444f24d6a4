"""World: everything in Python that a jit function could look at, as it was when it was captured.

From the function, and from its arguments that are no Tensors, a walk (``walk.py``) finds all it can reach: globals
that its code names, closures, defaults, attributes, members of containers. A plan holds as long as each of these is
what it was (``values.py`` compares).
What cannot be compared (an open file, a generator of random numbers, an iterator) makes a plan impossible, whether it
is used or not: a missing guard would be worse than a missing plan.
"""

from __future__ import annotations

import builtins
import dis
import sys
import types
from collections.abc import Iterable
from typing import Any

import numpy as np

from ..core.loading import LateMethod
from ..core.op import Op, SharedLeaf
from ..core.tensor import Tensor
from ..nn.parameter import Parameter
from ..texts import say
from .origin import PURE_BUILTINS, codes_of, foreign, guardable, of_library
from .plan import PLAIN
from .reads import HOW, Reads
from .walk import MOST, Unguardable, Walk

_HIGHER = frozenset({"map", "filter", "sorted", "min", "max", "sort", "reduce", "partial"})  # call others from C
_NOT_READ = frozenset({
    "__dict__", "__weakref__", "__doc__", "__annotations__", "__abstractmethods__", "_abc_impl", "__slots__",
    "__dataclass_fields__", "__dataclass_params__", "__orig_bases__", "__module__",
})  # fmt: skip
# Names that code of one's own need not write to have the engine use them.
_FLAG = frozenset({"requires_grad", "_requires_grad"})
_ACTS = frozenset({"construct", "bprop", "__call__"})
_OPERATORS = frozenset(name for name in vars(Tensor) if name.startswith("__")) - _NOT_READ
# With these, names are looked up that do not stand in the code as names.
_BY_TEXT = frozenset({"getattr", "hasattr", "attrgetter", "methodcaller", "__dict__", "__getattribute__"})


class World(Walk):
    """A walk's findings, with what functions, modules and classes lead to.

    Attributes:
        codes: the code of every function that was found.
        name: what the first root is called.
    """

    def __init__(self, roots: Iterable[tuple[str, Any]], passing: Iterable[Any] = (), reads: Reads | None = None):
        self._start = roots, passing = [*roots], [*passing]
        self.name = roots[0][0]
        self.codes: set[types.CodeType] = set()
        self._names: set[str] = set()
        self._modules: list[types.ModuleType] = []
        self._classes: list[type] = []  # of the engine
        self._read: dict[types.ModuleType, set[str]] = {}  # names looked up
        self._effects: list[tuple[types.CodeType, str]] = []  # builtins with an effect, and where they are named
        super().__init__(roots, passing, reads)
        self._class("Tensor", Tensor)
        self._go()
        while self._read_names():
            self._go()
        if self._names & _HIGHER:  # a profile function does not see what C calls
            self.suspects.update((code, say("jit.calls", name=name)) for code, name in self._effects)
        for place, reason in self._bad.items():
            self._suspect(place, reason)
        for cls in self._classes:
            self._engine_class(cls)
        for path, parameter in self._parameters:
            self._parameter(path, parameter)
        self.values.settle()
        if self.values.size > MOST:
            raise Unguardable(say("jit.too_much", count=self.values.size))

    def narrow(self, reads: Reads) -> None:
        """Go the way again after a run, and leave out what it did not ask for."""
        if HOW not in self._names:  # code of the learner's may look things up unheard
            self.values = World(*self._start, reads).values
        self._start = [], []

    def _function(self, path: str, function: Any) -> None:
        if getattr(function, "__teachcell_jit__", None) is not None:
            self._later(path, function.__wrapped__)
            return
        if hasattr(function, "op") and isinstance(function.op, Op):
            return
        ours = of_library(function.__globals__.get("__name__") or "")
        for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
            if not ours:  # functions of the engine's are made once and for all
                self.values.fields.append((name, cell, "cell_contents"))
            try:
                self._later(name, cell.cell_contents)
            except ValueError:
                raise Unguardable(say("jit.unguardable", path=name, kind="cell")) from None
        for part in (function.__defaults__, function.__kwdefaults__):
            self._later(path, part)
        if not ours:
            for part in ("__code__", "__defaults__", "__kwdefaults__"):
                self.values.fields.append((path, function, part))
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
            if isinstance(vars(cls)[name], LateMethod):
                getattr(cls, name)  # what arrives later would be a change
            if self._reads is not None and name not in self._names and not self._reads.may_have_run(vars(cls)[name]):
                continue
            if type(vars(cls)[name]) in PLAIN:
                self.values.named.append((cls.__name__, vars(cls), name))
            else:
                self.values.methods.setdefault(cls, []).append(name)

    def _parameter(self, path: str, parameter: Parameter) -> None:
        """Of a Parameter the attributes that code names: all of them would double the cost of a net's guards."""
        if self._names & _BY_TEXT:
            self._attributes(path, parameter)
            return
        asked, own = None if self._reads is None else self._reads.of(parameter), vars(parameter)
        if asked == set():
            return
        if asked is None:
            self.values.sized.append((path, own))
        else:  # an attribute of its own would stand before one of its class
            of_class = sorted(asked - own.keys() - {"is_parameter"})
            hidden = [name for name in of_class if not hasattr(getattr(Parameter, name, None), "__set__")]
            self.values.absent += [(path, own, name) for name in hidden]
        leaf = parameter._node is None or type(parameter._node) is SharedLeaf
        if leaf and asked is not None and asked.isdisjoint(_FLAG):  # the leaf comes and goes with the flag
            self.values.fields.append((path, parameter, "_node"))
        else:
            self.values.fields.append((path, parameter, "_requires_grad"))
        named = (n for n in own if n != "_requires_grad" and not self._names.isdisjoint((n, n.removeprefix("_"))))
        self.values.fields += [(path, parameter, name) for name in named]

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
