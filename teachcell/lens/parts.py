"""The Cells and Parameters that a program reaches by a name, outside the registries of Cells."""

from __future__ import annotations

import dis
import functools
import inspect
from collections.abc import Iterator
from contextlib import suppress
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any, NamedTuple

from ..core.tensor import Tensor
from ..nn.cell import Cell
from ..nn.registry import Registry, joined

NOT_FOLLOWED = (FunctionType, MethodType, ModuleType, type, Tensor)  # when they hang on an object


class Part(NamedTuple):
    """A Cell or Parameter, its path, and how a learner writes it."""

    path: str
    spelling: str
    value: Any


def parts_of_function(function: Any, spelling: str) -> Iterator[Part]:
    """What a function reaches: in its closure and globals, those of the functions that it calls, what a partial
    binds, as a method's object or on it, and on an object that is called."""
    waiting: list[tuple[str, str, Any]] = [("", spelling, function)]
    seen: list[Any] = []
    while waiting:
        path, spelling, value = waiting.pop(0)
        if "__wrapped__" in getattr(value, "__dict__", ()) and not isinstance(value, MethodType):
            value = inspect.unwrap(value)
        if any(value is other for other in seen):
            continue
        seen.append(value)
        if isinstance(value, FunctionType):
            if not (value.__module__ or "").startswith("teachcell."):
                waiting += [(name, name, used) for name, used in _names_used(value)]
        elif isinstance(value, MethodType):
            waiting += [("self", "self", value.__self__), (path, spelling, value.__func__)]
        elif isinstance(value, functools.partial):
            bound = ("func", "args", "keywords")
            waiting += [(joined(path, name), f"{spelling}.{name}", getattr(value, name)) for name in bound]
        elif isinstance(value, Cell) or (isinstance(value, Tensor) and value.is_parameter):
            yield Part(path, spelling, value)
        elif isinstance(value, (list, tuple, dict)):
            yield from _held(value, path, spelling)
        elif not isinstance(value, NOT_FOLLOWED):
            yield from attributes_of(value, path, spelling)
            if callable(value):
                waiting.append((path, spelling, type(value).__call__))


def attributes_of(owner: Any, path: str, spelling: str) -> Iterator[Part]:
    """The Cells and Parameters among an object's attributes, and in plain containers there; of a Cell only these."""
    registered = Registry.OWN | set(owner._cells) | set(owner._params) if isinstance(owner, Cell) else ()
    for name, value in list(getattr(owner, "__dict__", {}).items()):
        if name not in registered:
            yield from _held(value, joined(path, name), f"{spelling}.{name}")


def _held(value: Any, path: str, spelling: str, around: tuple[int, ...] = ()) -> Iterator[Part]:
    """A Cell or Parameter, or those in nested lists, tuples and dicts."""
    if isinstance(value, Cell) or (isinstance(value, Tensor) and value.is_parameter):
        yield Part(path, spelling, value)
    elif isinstance(value, (list, tuple, dict)) and id(value) not in around:
        for key, item in list(value.items() if isinstance(value, dict) else enumerate(value)):
            yield from _held(item, joined(path, str(key)), f"{spelling}[{key!r}]", (*around, id(value)))


def _names_used(function: FunctionType) -> Iterator[tuple[str, Any]]:
    """Closure variables and globals that the function's code, or code inside it, loads."""
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        with suppress(ValueError):  # not assigned yet
            yield name, cell.cell_contents
    codes = [function.__code__]
    for code in codes:
        codes += [constant for constant in code.co_consts if isinstance(constant, CodeType)]
        for step in dis.get_instructions(code):
            if step.opname == "LOAD_GLOBAL" and step.argval in function.__globals__:
                yield step.argval, function.__globals__[step.argval]
