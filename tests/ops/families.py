"""Writes ``teachcell/core/families.py``, or another file: which module declares which names, read off a new Python
that imports one module after the other. ``stub.py`` runs it; a test compares the file.
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.machinery import SourceFileLoader
from pathlib import Path
from pkgutil import walk_packages
from textwrap import fill
from types import ModuleType
from typing import Any

HEADER = '''"""What each module declares: public names of ops, names for rules and the engine, methods of Tensor.

Made by tests/ops/stub.py from the declarations; do not edit.
"""

FAMILIES = {
'''
FOOTER = "}  # fmt: skip\n"
KINDS = ("public", "inner", "method")
HIGHER = ("teachcell.autodiff", "teachcell.jit.accepted", "teachcell.nn.derivatives")  # floors that publish in ops


def text() -> str:
    """The text of the file. What a module adds to the tables while it is executed, it declares."""
    index: Any = ModuleType("teachcell.core.families")
    index.FAMILIES = {}  # what the present file says does not matter
    sys.modules[index.__name__] = index
    found: dict[str, set[tuple[str, str, int]]] = {}
    inside: list[set[tuple[str, str, int]]] = [set()]
    plain = SourceFileLoader.exec_module

    def exec_module(loader: SourceFileLoader, module: ModuleType) -> None:
        before = _declared()
        inside.append(set())
        plain(loader, module)
        new = _declared() - before
        found[module.__name__] = new - inside.pop()
        inside[-1] |= new

    SourceFileLoader.exec_module = exec_module  # type: ignore[method-assign]
    families = [m.name for m in walk_packages(import_module("teachcell.ops").__path__, "teachcell.ops.")]
    for name in (*families, *HIGHER):
        import_module(name)
    return HEADER + "".join(_entry(name, found[name]) for name in (*families, *HIGHER) if found.get(name)) + FOOTER


def _declared() -> set[tuple[str, str, int]]:
    """(kind, name, identity) of everything that is declared so far."""
    public = _of("public", "FUNCTIONS") | _of("public", "PRIMITIVES")
    tables = {"public": public, "inner": _of("op", "OPS") | _of("op", "ARRAYS"), "method": _of("tensor", "Tensor")}
    return {(kind, name, id(thing)) for kind, table in tables.items() for name, thing in table.items()}


def _of(module: str, table: str) -> dict[str, Any]:
    """A table, or the attributes of an object, of a module in core that may not be there yet."""
    found = getattr(sys.modules.get(f"teachcell.core.{module}"), table, {})
    return dict(dict.items(found) if isinstance(found, dict) else vars(found).items())


def _entry(module: str, declared: set[tuple[str, str, int]]) -> str:
    names = {kind: {name for its, name, _ in declared if its == kind} for kind in KINDS}
    names["inner"] -= names["public"]
    lines = [_string(" ".join(sorted(names[kind]))) for kind in KINDS]
    return f'    "{module}": (\n{"".join(lines)}    ),\n'


def _string(words: str) -> str:
    """A literal, over several lines where it is long."""
    parts = fill(words, 100, break_long_words=False, break_on_hyphens=False).split("\n")
    lines = [f'"{part} "' for part in parts[:-1]] + [f'"{parts[-1]}"']
    return "".join(f"        {line}\n" for line in lines[:-1]) + f"        {lines[-1]},\n"


if __name__ == "__main__":
    root = Path(__file__).parents[2]
    sys.path.insert(0, str(root))
    Path(*sys.argv[1:] or (root, "teachcell/core/families.py")).write_text(text(), encoding="utf-8")
