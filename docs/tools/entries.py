"""What the reference says about one public thing: plain data, out of declarations, signatures and docstrings."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import takewhile
from typing import Any

import teachcell
from teachcell import Tensor, nn, ops, train
from teachcell.core.loading import load_all
from teachcell.core.op import OPS, Op
from teachcell.core.public import FUNCTIONS, PRIMITIVES, Primitive

load_all()  # a Tensor shows its own methods only then


@dataclass
class Entry:
    """One thing.

    Attributes:
        name: as it is written: ``"ops.matmul"``.
        signature: how it is called; "" for what is not.
        text: what its docstring says.
        anchors: all names that lead here, the first is its own.
        forms: further ways to write it: other names, Tensor methods, class forms.
        op: the op behind it, if it is one: its card is shown.
        inner: whether it is an op without a public name of its own.
        members: of a class: its public methods and properties.
        calls: of a layer: the functions of ``ops`` that it calls.
    """

    name: str
    signature: str = ""
    text: str = ""
    anchors: list[str] = field(default_factory=list)
    forms: list[str] = field(default_factory=list)
    op: Op | None = None
    inner: bool = False
    members: list[Entry] = field(default_factory=list)
    calls: list[str] = field(default_factory=list)


def of_object(name: str, thing: Any) -> Entry:
    """A function, class or constant under its public name."""
    if not (inspect.isclass(thing) or inspect.isroutine(thing)):
        return Entry(name, text=f"``{thing!r}``", anchors=[name])
    members = list(_members(name, thing)) if inspect.isclass(thing) else []
    return Entry(name, signature_of(thing), inspect.getdoc(thing) or "", [name], members=members)


def _members(owner: str, cls: type) -> Iterator[Entry]:
    """What the class defines, or bases that are not public themselves."""
    inherited = takewhile(lambda base: base not in _public_classes(), cls.__mro__[1:])
    parts = [cls, *(base for base in inherited if base.__module__.startswith("teachcell"))]
    for name, member in {name: member for part in reversed(parts) for name, member in vars(part).items()}.items():
        function = getattr(member, "__func__", member)  # of static and class methods
        if name.startswith("_") or not (callable(function) or isinstance(member, property)):
            continue
        bound = not isinstance(member, staticmethod) and not inspect.isclass(member)
        signature = "" if isinstance(member, property) else signature_of(function, bound)
        text = (inspect.getdoc(member) or "").partition("\n\n")[0]
        yield Entry(name, signature, text, [f"{owner}.{name}"])


@cache
def _public_classes() -> set[type]:
    modules = (teachcell, nn, train)
    return {thing for m in modules for name in m.__all__ if inspect.isclass(thing := getattr(m, name))}


def signature_of(thing: Any, bound: bool = False) -> str:
    """``(x, axis=-1)``, without annotations; "" where Python knows none. ``bound``: as a method of its first one."""
    try:
        found = inspect.signature(thing)
    except (TypeError, ValueError):
        return ""
    bare = [p.replace(annotation=p.empty) for p in found.parameters.values()]
    if bound and bare and bare[0].kind is not bare[0].VAR_POSITIONAL:
        del bare[0]
    return str(found.replace(parameters=bare, return_annotation=found.empty))


def of_ops() -> dict[str, list[Entry]]:
    """All functions, classes and inner ops of ``ops``, by folder and family, in the order of the declarations."""
    families: dict[str, list[Entry]] = {}
    for function, names in _by_identity(FUNCTIONS).values():
        if (family := _family(function)) is not None:
            families.setdefault(family, []).append(_of_function(function, names))
    _add_classes(families)
    shown: dict[str, Entry] = {}
    for entry in [e for entries in families.values() for e in entries if e.op is not None]:
        shown.setdefault(entry.op.name, entry)  # type: ignore[union-attr]
    for op in OPS.values():
        if op.name in shown:
            shown[op.name].anchors.append(f"op.{op.name}")
        else:
            inner = Entry(op.name, anchors=[f"op.{op.name}"], op=op, inner=True)
            families.setdefault(_page_of(op.family), []).append(inner)
    return families


def _add_classes(families: dict[str, list[Entry]]) -> None:
    """Classes that are not the form of a public function: to the function of their name, or entries of their own."""
    known = {id(f) for f in FUNCTIONS.values()}
    named = {_folded(a): e for entries in families.values() for e in entries for a in e.anchors}
    for name, primitive in PRIMITIVES.items():
        if issubclass(primitive, Primitive) and id(primitive.function) in known:
            continue
        entry, near = _of_class(name, primitive), named.get(_folded(f"ops.{name}"))
        if near is None:
            families.setdefault(_family(primitive) or "flow.control", []).append(entry)
        else:
            near.forms.append(f"{entry.name}{entry.signature}")
            near.anchors.append(entry.name)


def _folded(name: str) -> str:
    """``ops.log_softmax`` and ``ops.LogSoftmax`` are the same thing."""
    return name.replace("_", "").lower()


def _by_identity(named: dict[str, Any]) -> dict[int, tuple[Any, list[str]]]:
    found: dict[int, tuple[Any, list[str]]] = {}
    for name, thing in named.items():
        found.setdefault(id(thing), (thing, []))[1].append(name)
    return found


def _family(thing: Any) -> str | None:
    """The module of ``ops`` behind a function or class; None: it comes from elsewhere."""
    function: Any = thing.function if inspect.isclass(thing) and issubclass(thing, Primitive) else thing
    op = getattr(function, "op", None)
    module = op.family if op is not None else function.__module__.partition("teachcell.ops.")[2]
    return _page_of(module) or None


def _page_of(module: str) -> str:
    """``"neural.losses"`` of ``"neural.losses.labels"``: folder and family."""
    return ".".join(module.split(".")[:2])


def _of_function(function: Callable[..., Any], names: list[str]) -> Entry:
    op = getattr(function, "op", None)
    text = getattr(function, "says", "") or inspect.getdoc(op.kernel if op is not None else function) or ""
    if op is not None and not inspect.isfunction(op.kernel):
        text = ""  # a ufunc's is NumPy's
    shown = getattr(function, "shows", None) or op
    classes = [p for p in PRIMITIVES.values() if issubclass(p, Primitive) and p.function is function]
    methods = [name for name, member in vars(Tensor).items() if member is function and not name.startswith("_")]
    forms = [f"ops.{name}" for name in names[1:]] + [f"Tensor.{name}" for name in methods]
    forms += [f"ops.{p.__name__}{signature_of(p)}" for p in classes]
    anchors = [f"ops.{name}" for name in (*names, *(p.__name__ for p in classes))]
    return Entry(f"ops.{names[0]}", signature_of(function), text, anchors, forms, shown)


def _of_class(name: str, primitive: type) -> Entry:
    if not issubclass(primitive, Primitive):
        return of_object(f"ops.{name}", getattr(ops, name))
    call = signature_of(object.__new__(primitive))
    function = primitive.function
    op = getattr(function, "op", None)
    text = inspect.getdoc(op.kernel if op is not None else function) or ""
    return Entry(f"ops.{name}", f"{signature_of(primitive)}{call}", text, [f"ops.{name}"], op=op)
