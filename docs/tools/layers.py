"""What the pages of layers leave out, and which functions of ``ops`` a layer calls, read off its code."""

from __future__ import annotations

import dis
import inspect
from collections.abc import Iterator
from dataclasses import replace
from types import FunctionType, ModuleType, SimpleNamespace
from typing import Any

from teachcell import nn
from teachcell.core.op import Op
from teachcell.core.public import FUNCTIONS

from .entries import Entry

READS = ("LOAD_GLOBAL", "LOAD_ATTR", "LOAD_METHOD")
ASIDE = {"assign", "cast", "expand_dims", "reshape", "zeros"}  # they prepare and say nothing about the layer
NAMESPACES = (ModuleType, SimpleNamespace)
OF_EVERY_CELL = (", auto_prefix=True", ", flags=None", "auto_prefix=True, flags=None")


def of_layer(entry: Entry) -> Entry:
    """The entry without what all Cells have, and with what it calls."""
    cls = getattr(nn, entry.name.removeprefix("nn."))
    if not inspect.isclass(cls):
        return entry
    signature = entry.signature
    for noise in reversed(OF_EVERY_CELL):
        signature = signature.replace(noise, "")
    calls = [*dict.fromkeys(_called(cls, cls.construct, set()))]
    members = [member for member in entry.members if not _is_plain(member)]
    return replace(entry, signature=signature, members=members, calls=calls)


def _is_plain(member: Entry) -> bool:
    """Whether it says nothing: a construct that keeps the shape, or what a Cell has anyway."""
    name = member.name.rpartition(".")[2]
    return member.text in ("", "Same shape.") or name == "function" or (name != "construct" and hasattr(nn.Cell, name))


def _called(cls: type, function: Any, seen: set[Any]) -> Iterator[str]:
    """Anchors of the functions and ops that it calls itself, or through methods and helpers."""
    if function in seen or not isinstance(function, FunctionType):
        return
    seen.add(function)
    for thing in _read(cls, function):
        op = getattr(thing, "op", None)
        name = op.name if isinstance(op, Op) else getattr(thing, "__name__", "")
        public = [n for n, f in FUNCTIONS.items() if f is thing]
        if name in ASIDE:
            continue
        if public:
            yield f"ops.{name if name in public else public[0]}"
        elif isinstance(op, Op):
            yield f"op.{name}"
        elif (getattr(thing, "__module__", None) or "").startswith(("teachcell.nn.layers", "teachcell.ops")):
            yield from _called(cls, thing, seen)


def _read(cls: type, function: FunctionType) -> Iterator[Any]:
    """What stands behind ``name``, ``module.name`` and ``self.name`` in the code."""
    before: Any = None
    for step in dis.get_instructions(function):
        if step.opname == "LOAD_FAST" and step.argval == "self":
            before = cls
        elif step.opname in READS:
            is_part = step.opname != "LOAD_GLOBAL" and (before is cls or isinstance(before, NAMESPACES))
            known = function.__globals__.get(step.argval) if step.opname == "LOAD_GLOBAL" else None
            before = getattr(before, step.argval, None) if is_part else known
            yield before
        else:
            before = None
