"""How Cells print: the tree of children, indented by two blanks a level."""

from __future__ import annotations

from typing import Any


def cell_repr(cell: Any) -> str:
    """``Name()``, ``Name(text)``, or the children on lines of their own: under each of its names, None too."""
    name, extra = type(cell).__name__, cell.extend_repr()
    children = [f"({child}): {_indented(repr(value))}" for child, value in cell._cells.items()]
    if not children and "\n" not in extra:
        return f"{name}({extra})"
    lines = [*extra.split("\n"), *children] if extra else children
    return f"{name}(\n" + "".join(f"  {line}\n" for line in lines) + ")"


def _indented(block: str) -> str:
    first, *rest = block.split("\n")
    return "\n".join([first, *(f"  {line}" for line in rest)])
