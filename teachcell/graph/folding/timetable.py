"""When things become known: the index of the event after which a value, or a gradient, is there."""

from __future__ import annotations

from ..scene import Document, Event
from .units import CallTree

FROM_THE_START = -1
# No gradient is on its way here: the reason stands on the node from the start.
SETTLED = ("cut", "not needed", "not asked", "not differentiable")


class Timetable:
    """Reads the events of a document once."""

    def __init__(self, document: Document, tree: CallTree) -> None:
        self._values, self._tree = document["values"], tree
        self._call_of = {op["id"]: op["call"] for op in document["ops"]}
        self._ran: dict[int, int] = {}  # op id -> its forward event
        self._arrived: dict[int, int] = {}  # value id -> the first event that its gradient enters
        self._sent: dict[int, int] = {}  # value id -> the last event that adds to its gradient
        self._sent_by: dict[tuple[int, str, int], int] = {}  # (value id, "op" | "call", id) -> event
        self._own_rule: set[int] = set()  # calls whose bprop ran
        self._last_backward: int | None = None
        for index, event in enumerate(document["events"]):
            self._read(index, event)

    def _read(self, index: int, event: Event) -> None:
        if event["kind"] == "forward":
            self._ran[event["op"]] = index
            return
        if event["kind"] in ("hook", "cut"):
            return
        self._last_backward = index
        kind = "op" if event["kind"] == "backward" else "call"
        if kind == "call":
            self._own_rule.add(event["call"])
        for value in event["incoming"]:
            self._arrived.setdefault(value, index)
        for value in event["outgoing"]:
            self._sent[value] = index
            self._sent_by[value, kind, event[kind]] = index

    def runs_at(self, op: int) -> int | None:
        return self._ran.get(op)

    def value_at(self, value: int) -> int | None:
        op = self._values[value]["op"]
        return FROM_THE_START if op is None else self._ran.get(op)

    def grad_at(self, value: int) -> int | None:
        """When the gradient of a value is complete; the seed of the sweep is known when it enters an op."""
        entry = self._values[value]
        if entry["grad_state"] in SETTLED:
            return None
        at = self._sent.get(value, self._arrived.get(value))
        return self._last_backward if at is None and entry["grad"] is not None else at

    def flow_at(self, value: int, op: int) -> int | None:
        """When ``op``, or the bprop of a Cell around it, sends its part of the gradient of ``value``."""
        if self._values[value]["grad_state"] in SETTLED:
            return None
        times = [self._sent_by.get((value, "op", op))]
        if self._own_rule:
            times += [self._sent_by.get((value, "call", call)) for call in self._tree.around(self._call_of[op])]
        return max((at for at in times if at is not None), default=None)


def last_known(times: list[int | None]) -> int | None:
    """The latest of several times; None when none of them ever comes."""
    return max((at for at in times if at is not None), default=None)
