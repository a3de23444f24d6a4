"""Units: the ops that share one node, as themselves or inside a folded Cell.

Ops come in order of execution and a Cell's ops follow one another, so a unit is a stretch of that order and
edges between units can only go forward: folding never makes a cycle.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from ..scene import Document, Repeat


@dataclass
class Unit:
    """Ops that share one node."""

    id: str
    frame: int | None  # the innermost open call around it; None: the program itself
    ops: list[int]
    call: int | None = None  # the Cell call it stands for
    cell: bool = False  # a folded Cell (a Cell of one op is drawn as that op)
    cells: int = 0  # folded Cells swallowed by a run
    iteration: Repeat | None = None  # of a repetition: what it stands for, or which one it belongs to
    like: list[Unit] = field(default_factory=list)  # what one of its iterations is made of

    @property
    def folded(self) -> bool:
        """Does the node hide what it is made of?"""
        return self.cell or len(self.ops) > 1


class CallTree:
    """Calls of a document that hold ops."""

    def __init__(self, document: Document) -> None:
        self.ops = document["ops"]
        self.parent = {call["id"]: call["parent"] for call in document["calls"]}
        self.size = dict.fromkeys(self.parent, 0)  # ops inside, at any depth
        self.busy_children = dict.fromkeys(self.parent, 0)
        for op in self.ops:
            for call in self.around(op["call"]):
                self.size[call] += 1
        for call, parent in self.parent.items():
            if parent is not None and self.size[call]:
                self.busy_children[parent] += 1

    def around(self, call: int | None) -> Iterator[int]:
        """``call`` and the calls around it, inside out."""
        while call is not None:
            yield call
            call = self.parent[call]

    def depth(self, call: int) -> int:
        return sum(1 for _ in self.around(call)) - 1

    def is_single_op(self, call: int) -> bool:
        return self.size[call] == 1 and not self.busy_children[call]


def units_of(tree: CallTree, opened: Collection[int]) -> list[Unit]:
    """One for each op outside folded Cells, one for each folded Cell."""
    places = {call: _place(tree, call, opened) for call in tree.parent if tree.size[call]}
    units: dict[str, Unit] = {}
    for op in tree.ops:
        folded, frame = places[op["call"]]
        if folded is None:
            unit = Unit(f"op{op['id']}", frame, [])
        elif tree.is_single_op(folded):
            unit = Unit(f"op{op['id']}", frame, [], folded)
        else:
            unit = Unit(f"call{folded}", frame, [], folded, cell=True)
        units.setdefault(unit.id, unit).ops.append(op["id"])
    return list(units.values())


def _place(tree: CallTree, call: int, opened: Collection[int]) -> tuple[int | None, int | None]:
    """For ops of ``call``: the folded Cell that stands for them, if any, and the frame around that."""
    frame = None
    for outer in reversed(list(tree.around(call))[:-1]):
        if outer not in opened or tree.is_single_op(outer):
            return outer, frame
        frame = outer
    return None, frame


def taken(document: Document, op: int) -> list[int]:
    """The values that an op takes; new data from a hook counts as the value that it replaced (``replaces``)."""
    values = []
    for value in document["ops"][op]["inputs"]:
        while (replaced := document["values"][value].get("replaces")) is not None:
            value = replaced
        values.append(value)
    return values


def leaves_of(document: Document, unit: Unit) -> list[int]:
    """The leaves drawn for a unit; a folded one keeps its parameters inside, plain numbers are not drawn."""
    entries = [document["values"][value] for op in unit.ops for value in taken(document, op)]
    inside = "parameter" if unit.folded else None
    leaves = [entry for entry in entries if entry["op"] is None and entry["kind"] != inside]
    return list(dict.fromkeys(entry["id"] for entry in leaves if entry["kind"] != "constant" or entry["shape"]))
