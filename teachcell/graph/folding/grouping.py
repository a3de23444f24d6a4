"""Which ops are drawn together: by Cell, by repetition, and where a row is still too long, its middle."""

from __future__ import annotations

from collections.abc import Collection
from itertools import groupby

from ..scene import Document
from .repeats import with_repeats
from .units import CallTree, Unit, leaves_of, units_of

MAX_NODES = 200
STRETCHES = (1, 0.4, 0.2, 0.1, 0.04)  # of that many, units in a row that stay unfolded, tried from the left


def group_ops(document: Document, opened: Collection[int], chosen: Collection[int], most: int) -> list[Unit]:
    """The units to draw, in order; folds more than was asked for where too many would be drawn.

    No more than ``most`` nodes, leaves included. Iterations of a repetition, and the middle of a long row, are
    folded but for those with an op of ``chosen``.
    """
    tree = CallTree(document)
    opened = {call for call in opened if call in tree.parent}
    while True:
        units = with_repeats(document, tree, units_of(tree, opened), chosen)
        for part in STRETCHES:
            shorter = _shorten(units, int(part * most), chosen)
            if len(shorter) + sum(len(leaves_of(document, unit)) for unit in shorter) <= most:
                return shorter
        if not opened:
            return shorter
        deepest = max(tree.depth(call) for call in opened)
        opened = {call for call in opened if tree.depth(call) < deepest}


def _shorten(units: list[Unit], stretch: int, chosen: Collection[int]) -> list[Unit]:
    """Fold the middle of every unbroken row of units in one frame that is longer than ``stretch``."""
    shorter: list[Unit] = []
    for _, row in groupby(units, key=lambda unit: unit.frame):
        members, keep = list(row), stretch // 2
        if len(members) <= stretch + 1:
            shorter += members
            continue
        shorter += members[:keep]
        for stays, part in groupby(members[keep:-keep], key=lambda unit: not set(chosen).isdisjoint(unit.ops)):
            middle = list(part)
            shorter += middle if stays else _run(middle)
        shorter += members[-keep:]
    return shorter


def _run(units: list[Unit]) -> list[Unit]:
    """Neighbours as one."""
    if len(units) == 1:
        return units
    ops = [op for unit in units for op in unit.ops]
    return [Unit(f"ops{ops[0]}", units[0].frame, ops, cells=sum(unit.cell for unit in units))]
