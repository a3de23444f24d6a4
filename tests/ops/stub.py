"""Writes what type checkers and the loading of modules must know beforehand: ``teachcell/ops/__init__.pyi``, since
the ops are made from declarations when they are imported; the ``__init__.pyi`` of other packages whose names are
imported when first asked for; and ``teachcell/core/families.py``, which names each module declares.

Run ``python tests/ops/stub.py`` after declaring an op or adding a name; a test compares the files.
"""

from __future__ import annotations

import inspect
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from teachcell.core.loading import HOMES
from teachcell.core.op import Op
from teachcell.core.public import FUNCTIONS, PRIMITIVES, Primitive

LAZY = (
    "teachcell", "teachcell.common", "teachcell.nn", "teachcell.nn.loss", "teachcell.nn.optim", "teachcell.train",
)  # fmt: skip
LAZY_HEADER = '''"""The names as type checkers see them. Made by tests/ops/stub.py; do not edit."""

# ruff: noqa: I001
'''
HEADER = '''"""The ops as type checkers see them. Made by tests/ops/stub.py from the declarations; do not edit."""

from collections.abc import Sequence
from typing import Any

'''


def stubs() -> Iterator[tuple[Path, str]]:
    """The stubs and their texts."""
    yield _file("teachcell.ops"), _of_ops()
    for name in LAZY:
        yield _file(name), LAZY_HEADER + _of_package(name)


def _file(package: str) -> Path:
    return Path(import_module(package).__path__[0], "__init__.pyi")


def _of_package(package: str) -> str:
    names = import_module(package).__all__
    lines = sorted(f"from {HOMES[package][name] or '.'} import {name} as {name}\n" for name in names)
    return "".join(lines) + ("\n__version__: str\n" if package == "teachcell" else "")


def _of_ops() -> str:
    imports = {"from ..core.public import Primitive", "from ..core.tensor import Tensor"}
    definitions: list[str] = []
    for name, function in sorted(FUNCTIONS.items()):
        op = getattr(function, "op", None)
        if op is not None:
            definitions.append(f"def {name}({_parameters(function)}) -> {_result(op)}: ...")
            continue
        imports.add(_import(function.__name__, function.__module__))
        if name != function.__name__:
            definitions.append(f"{name} = {function.__name__}")
    for name, primitive in sorted(PRIMITIVES.items()):
        if issubclass(primitive, Primitive):
            definitions.append(f"class {name}(Primitive): ...")
        else:
            imports.add(_import(name, primitive.__module__))
    return HEADER + "\n".join([*sorted(imports), "", *definitions, ""])


def _import(name: str, module: str) -> str:
    relative = module.removeprefix("teachcell.")
    start = f".{relative.removeprefix('ops.')}" if relative.startswith("ops.") else f"..{relative}"
    return f"from {start} import {name} as {name}"


def _parameters(function: Any) -> str:
    kinds = dict.fromkeys(function.op.called if function.op.arity is None else (), "Sequence[Any]")
    return ", ".join(
        f"{name}: {kinds.get(name, 'Any')}" + ("" if p.default is p.empty else f" = {p.default!r}")
        for name, p in inspect.signature(function).parameters.items()
    )


def _result(op: Op) -> str:
    return "Tensor" if op.outputs == 1 else f"tuple[{', '.join(['Tensor'] * op.outputs)}]"


if __name__ == "__main__":
    subprocess.run([sys.executable, Path(__file__).with_name("families.py")], check=True)
    for file, text in stubs():
        file.write_text(text, encoding="utf-8")
