"""Writes ``teachcell/core/made_of.py``: which ops the public functions that are no single op are made of, read off
their code. Run ``python tests/ops/made_of.py`` after writing such a function; a test compares the file.
"""

from __future__ import annotations

import dis
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

from teachcell.core import made_of
from teachcell.core.op import OPS, TENSORS, Op
from teachcell.core.public import FUNCTIONS

HEADER = '''"""Of which ops the public functions are made. Made by tests/ops/made_of.py from their code; do not edit."""

MADE_OF = {
'''
# What only prepares or finishes: named where there is nothing else.
ASIDE = {
    "assign", "bias_add", "broadcast_to", "cast", "expand_dims", "identity", "ones", "positive", "reshape", "swapaxes",
    "transpose", "zeros",
}  # fmt: skip


def text() -> str:
    """The text of the file."""
    found = {names[0]: parts(FUNCTIONS[names[0]]) for names in sorted(_functions_made_of_ops())}
    lines = [f'    "{name}": "{" ".join(names)}",\n' for name, names in found.items() if names]
    return HEADER + "".join(lines) + "}\n"


def parts(function: Any) -> list[str]:
    """The names of the ops and public functions that it calls, sorted: Pythons order their code differently."""
    called = sorted({*_called(function)})
    return [name for name in called if name not in ASIDE] or called


def _functions_made_of_ops() -> list[list[str]]:
    """Their names, without those that share their name with the op that does their work."""
    names: dict[Any, list[str]] = {}
    for name, function in FUNCTIONS.items():
        if function.__module__.startswith("teachcell.ops.") and not hasattr(function, "op"):
            names.setdefault(function, []).append(name)
    return [found for found in names.values() if not OPS.keys() & {*found}]


@cache
def _called(function: FunctionType) -> tuple[str, ...]:
    held = [cell.cell_contents for cell in function.__closure__ or ()]
    things = [*_read(function.__code__, function.__globals__), *held]
    return tuple(name for thing in things if thing is not function for name in _name(thing))


def _read(code: CodeType, known: dict[str, Any]) -> Iterator[Any]:
    """The globals that the code reads, and the attributes of ``TENSORS``."""
    before: Any = None
    for step in dis.get_instructions(code):
        if step.opname in ("LOAD_ATTR", "LOAD_METHOD") and before is TENSORS:
            yield getattr(TENSORS, step.argval, None)
        before = known.get(step.argval) if step.opname == "LOAD_GLOBAL" else None
        yield before
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _read(inner, known)


def _name(thing: Any) -> Iterator[str]:
    op = getattr(thing, "op", None)
    if isinstance(op, Op):
        if op.rules is not None:
            yield op.name
    elif isinstance(thing, FunctionType) and thing.__module__.startswith("teachcell.ops."):
        if FUNCTIONS.get(thing.__name__) is thing:
            yield thing.__name__
        else:
            yield from _called(thing)


if __name__ == "__main__":
    Path(made_of.__file__).write_text(text(), encoding="utf-8")
