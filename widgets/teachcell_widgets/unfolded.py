"""Unfolded: which Cells of a drawn run are open, and which iterations of its repetitions are drawn."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from teachcell.graph import Match, Scene, search
from teachcell.texts import say

CallKey = tuple[str, int]  # path and call number: they hold from run to run


@dataclass
class Found:
    """The last search: what was asked, what there is, and at which of them it stands."""

    text: str
    matches: list[Match]
    at: int = 0

    @property
    def told(self) -> dict[str, Any]:
        """For the browser."""
        return {"text": self.text, "number": self.at + 1 if self.matches else 0, "of": len(self.matches)}


@dataclass
class Unfolded:
    """What is drawn open, of one document after the other.

    Attributes:
        chosen: ops whose iteration is drawn.
        found: the last search.
    """

    chosen: set[int] = field(default_factory=set)
    found: Found | None = None
    _opened: set[CallKey] = field(default_factory=set)
    _for_search: set[CallKey] = field(default_factory=set)  # opened to show what was found, closed for the next

    def calls(self, document: dict[str, Any]) -> set[int]:
        """The calls whose inside is drawn."""
        opened = self._opened | self._for_search
        return {call["id"] for call in document["calls"] if (call["path"], call["call"]) in opened}

    def toggle(self, document: dict[str, Any], scene: Scene, node: str, at: int | None = None) -> int | None:
        """Open or fold a Cell (by path: its first call); of a repetition draw the iteration of op ``at``, or its first.

        Returns:
            An op of the iteration.

        Raises:
            ValueError: the node is neither.
        """
        drawn = scene.nodes.get(node)
        if drawn is not None and drawn.is_repetition:
            chosen = at if at is not None and at in drawn.ops else drawn.ops[0]
            self._choose(scene, node, chosen)
            return chosen
        calls = document["calls"]
        number = int(node.removeprefix("call")) if re.fullmatch(r"call\d+", node) else _first_call(calls, node)
        if number >= len(calls):
            known = ", ".join(dict.fromkeys(repr(call["path"]) for call in calls if call["path"]))
            raise ValueError(say("explorer.no_fold", node=node, known=known or "–"))
        key = calls[number]["path"], calls[number]["call"]
        if key in self._for_search:
            self._for_search.discard(key)
        else:
            self._opened ^= {key}
        return None

    def iterate(self, scene: Scene, node: str, number: int) -> int:
        """Draw one iteration of the repetition that a node stands for, or belongs to; 0: fold them all.

        Returns:
            An op of the iteration.

        Raises:
            ValueError: it belongs to none, or there is no such iteration.
        """
        drawn = scene.nodes.get(node)
        if drawn is None or drawn.repeat is None:
            raise ValueError(say("explorer.no_repeat", node=node))
        if not 0 <= number <= drawn.repeat.of:
            raise ValueError(say("explorer.no_iteration", number=number, of=drawn.repeat.of))
        place = drawn.repeat
        op = place.all_ops[max(number - 1, 0) * place.ops]
        self._choose(scene, node, op if number else None)
        return op

    def _choose(self, scene: Scene, node: str, op: int | None) -> None:
        """Of all iterations of a node's repetition only the one with this op is drawn from now on."""
        place = scene.nodes[node].repeat
        assert place is not None
        self.chosen = self.chosen.difference(place.all_ops) | ({op} if op is not None else set())

    # Search -----------------------------------------------------------------------------------------------

    def find(self, document: dict[str, Any], text: str, after: int | None, back: bool = False) -> Match | None:
        """The next match, opened for; the first one from op ``after`` on where it is the first search for it."""
        if self.found is None or self.found.text != text or self.found.matches != search(document, text):
            matches = search(document, text)
            at = next((i for i, match in enumerate(matches) if after is None or match.op >= after), 0)
            self.found = Found(text, matches, at)
        elif self.found.matches:
            self.found.at = (self.found.at + (-1 if back else 1)) % len(self.found.matches)
        return self._reveal(document) if self.found.matches else None

    def _reveal(self, document: dict[str, Any]) -> Match:
        assert self.found is not None
        match, calls = self.found.matches[self.found.at], document["calls"]
        number = calls[match.call]["parent"] if match.call is not None else document["ops"][match.op]["call"]
        self._for_search = set()
        while number is not None and calls[number]["parent"] is not None:
            self._for_search.add((calls[number]["path"], calls[number]["call"]))
            number = calls[number]["parent"]
        self.chosen = {match.op}
        return match


def node_of(scene: Scene, match: Match) -> str | None:
    """The drawn thing that stands for a match."""
    if match.value is not None:
        drawn = next((name for name, node in scene.nodes.items() if node.value == match.value and node.is_leaf), None)
        return drawn or scene.op_nodes.get(match.op)
    if match.call is not None and f"call{match.call}" in scene.frames.keys() | scene.nodes.keys():
        return f"call{match.call}"
    return scene.op_nodes.get(match.op)



def still_selected(document: dict[str, Any], scene: Scene, selected: str) -> str:
    """What was selected, or the node that now stands for it; at first the first that is no input."""
    drawn = scene.nodes.keys() | scene.frames.keys()
    if selected in drawn:
        return selected
    for op in ops_of(document, selected):
        if op in scene.op_nodes:
            return scene.op_nodes[op]
    return next((name for name, node in scene.nodes.items() if not node.is_leaf), next(iter(scene.nodes), ""))


def ops_of(document: dict[str, Any], node: str) -> list[int]:
    """The ops that a node of any folding stands for, or that use it."""
    found = re.match(r"(op|ops|times|call|value)(\d+)", node)
    if found is None:
        return []
    kind, number, ops = found[1], int(found[2]), document["ops"]
    if kind == "call":
        return [op["id"] for op in ops if op["call"] == number]
    return [op["id"] for op in ops if number in op["inputs"]] if kind == "value" else [number]


def _first_call(calls: list[dict[str, Any]], path: str) -> int:
    """The number of the first call of the Cell at a path inside the net; past the end if there is none."""
    return next((call["id"] for call in calls if path and call["path"] == path), len(calls))
