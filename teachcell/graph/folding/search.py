"""Search: what in a document bears a name, drawn or folded away."""

from __future__ import annotations

from typing import NamedTuple

from ..scene import Document
from .units import CallTree


class Match(NamedTuple):
    """What was found: a call, an op or a value (the other two are None), and the op where it comes first."""

    op: int
    call: int | None = None
    value: int | None = None


def search(document: Document, text: str) -> list[Match]:
    """Everything whose name, kind or path holds ``text``, whatever the case, in order of execution."""
    wanted = text.strip().casefold()
    if not wanted:
        return []
    return sorted(_matches(document, wanted), key=lambda match: match.op)


def _matches(document: Document, wanted: str) -> list[Match]:
    tree, ops = CallTree(document), document["ops"]
    first: dict[int, int] = {}  # call to its first op
    used: dict[int, int] = {}  # value to its first user
    for op in ops:
        for call in tree.around(op["call"]):
            first.setdefault(call, op["id"])
        for value in op["inputs"]:
            used.setdefault(value, op["id"])
    calls = [
        Match(first[call["id"]], call=call["id"])
        for call in document["calls"]
        if call["parent"] is not None and call["id"] in first
        if _bears(wanted, call["path"], call["name"], call["cls"])
    ]
    shown = {match.call for match in calls}
    values = [
        Match(op, value=value)
        for value, op in used.items()
        if document["values"][value]["op"] is None and _bears(wanted, document["values"][value]["name"] or "")
    ]
    return calls + values + [
        Match(op["id"])
        for op in ops
        if _bears(wanted, op["op"], op["label"]) and not (op["call"] in shown and tree.is_single_op(op["call"]))
    ]


def _bears(wanted: str, *names: str) -> bool:
    return any(wanted in name.casefold() for name in names)
