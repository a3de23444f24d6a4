"""Writes ``teachcell/ops/__init__.pyi``: the ops are made from declarations when they are imported, and this is
how type checkers see them. Run ``python tests/ops/stub.py`` after declaring an op; a test compares the file.
"""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

import teachcell
from teachcell.core.op import Op
from teachcell.core.public import FUNCTIONS, PRIMITIVES, Primitive

HEADER = '''"""The ops as type checkers see them. Made by tests/ops/stub.py from the declarations; do not edit."""

from collections.abc import Sequence
from typing import Any

'''


def stub() -> str:
    """The text of the stub."""
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
    Path(teachcell.ops.__file__).with_suffix(".pyi").write_text(stub(), encoding="utf-8")
