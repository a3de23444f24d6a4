"""Origin: which modules, classes and functions are the learner's, and which are known to have no state of their own."""

from __future__ import annotations

import sys
import types
from collections.abc import Iterator
from functools import cache

_PURE = frozenset({
    "teachcell", "numpy", "math", "operator", "functools", "itertools", "typing", "collections", "abc", "enum",
    "dataclasses",
})  # fmt: skip
# Python's functions that have no effect but on their own arguments.
PURE_BUILTINS = frozenset({
    "abs", "all", "any", "ascii", "bin", "callable", "chr", "delattr", "divmod", "format", "getattr", "hasattr",
    "hex", "isinstance", "issubclass", "iter", "len", "max", "min", "next", "oct", "ord", "pow", "repr", "round",
    "setattr", "sorted", "sum",
})  # fmt: skip


@cache
def _libraries() -> tuple[str, ...]:
    """The folders of libraries."""
    import sysconfig  # 2 ms and 0.2 MB, for what few functions lead to

    return tuple({sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")})


def of_library(name: str) -> bool:
    """Whether a module is teachcell, or one of those whose functions depend on nothing but their arguments."""
    return name.partition(".")[0] in _PURE and not name.startswith("numpy.random")


def foreign(cls: type) -> bool:
    """Whether a class is of some other library: it may have state that its attributes do not show."""
    name, _, _ = cls.__module__.partition(".")
    file = getattr(sys.modules.get(cls.__module__), "__file__", None) or ""
    return name != "teachcell" and (name in sys.stdlib_module_names or file.startswith(_libraries()))


def guardable(module: types.ModuleType) -> bool:
    """Whether a module is the learner's, or one that is pure."""
    file = getattr(module, "__file__", None) or ""
    return of_library(module.__name__) or bool(file and not file.startswith(_libraries()))


def codes_of(code: types.CodeType) -> Iterator[types.CodeType]:
    """A function's code and that of all functions written inside it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from codes_of(constant)
