"""Names: what the values, ops and Cells of one run are called where it is compared with another."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from ...texts import say
from ..write.steps import is_inside


class Names:
    """What the values of one document are called, and when they come."""

    def __init__(self, document: dict[str, Any]):
        self.document, self.values = document, document["values"]
        self.first_use: dict[int, int] = {}
        for op in document["ops"]:
            for value in op["inputs"]:
                self.first_use.setdefault(value, op["id"])

    @cached_property
    def _returned(self) -> dict[int, str]:
        """Values that a Cell returns to the path of the outermost that does."""
        found: dict[int, str] = {}
        ops = self.document["ops"]
        for call in self.document["calls"][1:]:
            for value in call["outputs"]:
                made = self.values[value]["op"]
                if call["path"] and made is not None and is_inside(self.document, ops[made]["call"], call["id"]):
                    found.setdefault(value, numbered(call))
        return found

    def alone(self, paired: set[int]) -> list[int]:
        """The values without a partner, but for those that nothing uses."""
        used = self.first_use.keys() | self._returned.keys() | set(self.document["outputs"])
        return [value["id"] for value in self.values if value["id"] not in paired and value["id"] in used]

    def position(self, number: int) -> float:
        """Its place in the order of execution."""
        made = self.values[number]["op"]
        return float(made) if made is not None else self.first_use.get(number, len(self.document["ops"])) - 0.5

    def kind(self, number: int) -> str:
        """``"op"`` for what a hook put in as well: nothing else made it."""
        value = self.values[number]
        return "op" if value["replaces"] is not None else value["kind"]

    def name(self, number: int) -> str:
        """How a reader finds it."""
        value = self.values[number]
        if value["op"] is not None:
            return self._returned.get(number) or self.op_name(value["op"])
        if value["replaces"] is not None:
            return say("compare.put_in", name=self.name(value["replaces"]))
        if value["name"]:
            return str(value["name"])
        use = self.first_use.get(number)
        return say("compare.constant", name=self.op_name(use)) if use is not None else say("graph.constant")

    def op_name(self, number: int) -> str:
        """The op's name behind that of its Cell."""
        op = self.document["ops"][number]
        call = self.document["calls"][op["call"]]
        return f"{numbered(call)} · {op['op']}" if call["path"] else str(op["op"])


def numbered(call: dict[str, Any]) -> str:
    """The path of a Cell; with its class where the name is a number, and with the number of one of several calls."""
    name = str(call["path"])
    name += f" {call['cls']}" if call["name"].isdigit() else ""
    return f"{name} #{call['call']}" if call["of"] > 1 else name
