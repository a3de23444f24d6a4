"""Modules are imported when one of their names is first asked for, which saves ``import teachcell`` most of its time.

Packages name the homes of their names with :func:`lazily`. Ops are declared when their module is imported:
``families.py`` says which module declares what, and whoever looks a name up in a :class:`Table` or in a namespace of
the rules finds it there or has its module imported first; a Tensor's methods do the same for themselves.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, ItemsView, Iterator, KeysView, Mapping, ValuesView
from functools import cache
from importlib import import_module
from importlib.machinery import ModuleSpec
from pkgutil import walk_packages
from types import ModuleType
from typing import Any, TypeVar

from .absent import Finder, error
from .families import FAMILIES

Thing = TypeVar("Thing")

_HOMES: dict[str, list[str]] = {}  # name in ops, or of an op or a kernel for rules, to the modules that declare it
for _family, (_public, _inner, _) in FAMILIES.items():
    for _name in f"{_public} {_inner}".split():
        _HOMES.setdefault(_name, []).append(_family)

sys.meta_path.append(Finder())

PUBLIC = sorted({name for public, _, _ in FAMILIES.values() for name in public.split()})


def load(name: str) -> None:
    """Import what declares ``name``, if anything does."""
    for family in _HOMES.get(name, ()):
        import_module(family)


@cache
def load_all() -> None:
    """Import every family, also what ``families.py`` does not know yet."""
    ops = import_module("teachcell.ops")
    for family in (*[module.name for module in walk_packages(ops.__path__, "teachcell.ops.")], *FAMILIES):
        import_module(family)


class Table(dict[str, Thing]):
    """What families declare, by name: one that is not there yet is loaded, and going through it loads all."""

    def __missing__(self, name: str) -> Thing:
        load(name)
        if dict.__contains__(self, name):
            return self[name]
        raise KeyError(name)

    def get(self, name: str, default: Any = None) -> Any:
        try:
            return self[name]
        except KeyError:
            return default

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self.get(name, self) is not self

    def loaded(self) -> list[Thing]:
        """What is there already."""
        return list(dict.values(self))

    def __iter__(self) -> Iterator[str]:
        load_all()
        return dict.__iter__(self)

    def __len__(self) -> int:
        load_all()
        return dict.__len__(self)

    def keys(self) -> KeysView[str]:  # type: ignore[override]
        load_all()
        return dict.keys(self)  # type: ignore[return-value]

    def values(self) -> ValuesView[Thing]:  # type: ignore[override]
        load_all()
        return dict.values(self)  # type: ignore[return-value]

    def items(self) -> ItemsView[str, Thing]:  # type: ignore[override]
        load_all()
        return dict.items(self)  # type: ignore[return-value]


def namespace(name: str) -> Any:
    """A namespace of the rules. A module, since its ``__getattr__`` costs those names nothing that are there."""
    space: Any = ModuleType(name)

    def missing(attribute: str) -> Any:
        load(attribute)
        try:
            return vars(space)[attribute]
        except KeyError:
            raise AttributeError(f"{name} has no {attribute!r}") from None

    space.__getattr__ = missing
    return space


class LateMethod:
    """Stands for a method of Tensor until its family is loaded, which puts the method in its place."""

    def __init__(self, name: str, family: str):
        self.name = name
        self.family = family

    def __get__(self, instance: Any, owner: type) -> Any:
        import_module(self.family)
        return getattr(owner if instance is None else instance, self.name)


def add_methods(cls: type) -> None:
    """Give ``Tensor`` its methods and operators, each loaded with its family."""
    for family, (_, _, methods) in FAMILIES.items():
        for name in methods.split():
            setattr(cls, name, LateMethod(name, family))


HOMES: dict[str, dict[str, str]] = {}  # package to its names and the modules they come from; higher floors may add some


def lazily(package: str, homes: Mapping[str, str]) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """``__getattr__``, ``__dir__`` and ``__all__`` of a package whose names are imported when first asked for.

    Args:
        package: its name.
        homes: relative name of a module to the names that come from it; ``""`` to modules that are names themselves.
    """
    own = {name: home for home, names in homes.items() for name in names.split()}
    home_of = HOMES.setdefault(package, {})
    home_of |= own
    public = sorted(own)

    def __getattr__(name: str) -> Any:
        home = home_of.get(name)
        found = getattr(import_module(home, package), name) if home else _submodule(package, name)
        setattr(sys.modules[package], name, found)
        return found

    return __getattr__, lambda: public, public


def also_called(package: str, names: str) -> None:
    """Make modules of other names, over which MindSpore spreads a package; each has all that the package has.

    Of the package only those right below it become attributes: ``nn.dense`` stays an error that names ``nn.Dense``.

    Args:
        package: its name, while it is being imported.
        names: relative names; a module between comes before what is in it (``"wrap wrap.loss_scale"``).
    """
    whole = sys.modules[package]

    def __getattr__(name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(whole, name)

    for name in names.split():
        module: Any = ModuleType(f"{package}.{name}", whole.__doc__)
        module.__getattr__, module.__dir__, module.__all__ = __getattr__, lambda: whole.__all__, whole.__all__
        module.__spec__ = ModuleSpec(module.__name__, None, is_package=True)
        module.__path__ = []  # that of the package would lead to its files a second time
        sys.modules[module.__name__] = module
        within, _, last = module.__name__.rpartition(".")
        if last not in whole.__all__:  # ``ops.function.grad`` is the function
            setattr(sys.modules[within], last, module)


def _submodule(package: str, name: str) -> ModuleType:
    """Modules of a package are its attributes whether or not they were imported before."""
    where = package.rpartition(".")[2]
    if name.startswith("_"):
        raise AttributeError(f"{where} has no {name!r}")
    try:
        return import_module(f".{name}", package)
    except ModuleNotFoundError as missing:
        if missing.name not in (f"{package}.{name}", name):  # the second: it is left out
            raise
    raise error(where, name, sys.modules[package].__all__)
