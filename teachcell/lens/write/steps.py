"""Each event of a document in one sentence: what ran, what arrived, what left."""

from __future__ import annotations

from typing import Any

from ...texts import say
from ...texts.numbers import shape

MOST_LABELS = 3  # of ops under one group of ticks
Part = list[str]  # [class, text]; classes: "b", "", "mono", "val", "grad", "mark", "soft"
Words = list[Part]


def write_steps(document: dict[str, Any]) -> list[dict[str, Any]]:
    """One step per event: pass, hook mark, group of neighbours in one Cell, sentence."""
    steps: list[dict[str, Any]] = []
    own: dict[int, list[str]] = {}  # group to what it is called after, outside Cells: its ops
    group, last = -1, None
    for event in document["events"]:
        section = _pass(event)
        call = _drawn_call(document, event["call"])
        if (section, call) != last:
            group, last = group + 1, (section, call)
        if not call:
            own.setdefault(group, []).append(_own_label(document, event))
        steps.append(
            {
                "pass": section,
                "hook": event.get("glyph"),
                "replaced": event.get("replaced", False),
                "group": group,
                "label": document["calls"][call]["name"],
                "sentence": _SENTENCES[event["kind"]](document, event),
            }
        )
    called = {number: _joined(labels) for number, labels in own.items()}
    for step in steps:
        step["label"] = called.get(step["group"], step["label"])
    return steps


def _joined(labels: list[str]) -> str:
    """The first few different ones."""
    different = list(dict.fromkeys(labels))
    return ", ".join(different[:MOST_LABELS]) + (", …" if len(different) > MOST_LABELS else "")


def _pass(event: dict[str, Any]) -> str:
    return "forward" if event["kind"] == "forward" or event.get("hook") in ("forward_pre", "forward") else "backward"


def _drawn_call(document: dict[str, Any], call: int) -> int:
    """The outermost call below the program: the group under which ticks stand."""
    parent = document["calls"][call]["parent"]
    while parent:
        call, parent = parent, document["calls"][parent]["parent"]
    return call


def _own_label(document: dict[str, Any], event: dict[str, Any]) -> str:
    return document["ops"][event["op"]]["label"] if "op" in event else document["title"]


def is_inside(document: dict[str, Any], call: int | None, outer: int) -> bool:
    """Whether a call is ``outer`` or one that runs in it."""
    while call is not None and call != outer:
        call = document["calls"][call]["parent"]
    return call == outer


def call_name(document: dict[str, Any], call: int) -> str:
    """The path of a call's Cell; at the root the program's name."""
    return document["calls"][call]["path"] or document["title"]


def _shapes(document: dict[str, Any], values: list[int], between: str = ", ") -> str:
    return between.join(shape(document["values"][number]["shape"]) for number in values)


def _forward(document: dict[str, Any], event: dict[str, Any]) -> list[Part]:
    op = document["ops"][event["op"]]
    result = f"{op['formula']['value']} {_shapes(document, op['outputs'])}".strip()
    head = [["b", say("lens.forward", op=op["label"])], ["", " "], ["mono", _shapes(document, op["inputs"], " × ")]]
    return [*head, ["", " → "], ["val", result]]


def _backward(document: dict[str, Any], event: dict[str, Any]) -> list[Part]:
    op = document["ops"][event["op"]]
    left = set(event["outgoing"])
    named = [(text, v) for text, v in op["formula"]["grads"] if v in left] or [("", v) for v in event["outgoing"]]
    formulas = [f"{text} {_shapes(document, [v])}".strip() for text, v in named]
    by = "lens.backward_by" if op["rule"] else "lens.backward"
    head = say(by, op=op["label"], rule=op["rule"])
    return [["b", head], *_arriving(document, event), *_leaving(formulas)]


def _arriving(document: dict[str, Any], event: dict[str, Any]) -> list[Part]:
    return [["", say("lens.arrives")], ["mono", _shapes(document, event["incoming"])], ["", " → "]]


def _leaving(formulas: list[str]) -> list[Part]:
    return [["grad", ", ".join(formulas)]] if formulas else [["soft", say("lens.no_formula")]]


def _own_rule(document: dict[str, Any], event: dict[str, Any]) -> list[Part]:
    name, call = call_name(document, event["call"]), document["calls"][event["call"]]
    formulas = [f"∂{document['values'][v]['name'] or 'x'} {_shapes(document, [v])}" for v in event["outgoing"]]
    head = [["b", say("lens.own_rule", cell=name, rule=call["rule"])], *_arriving(document, event)]
    return [*head, *_leaving(formulas)]


def _hook(document: dict[str, Any], event: dict[str, Any]) -> list[Part]:
    name = call_name(document, event["call"])
    parts = [["b", say(f"lens.hook_{event['hook']}", name=event["name"])], ["", say("lens.hook_of", cell=name)]]
    if event["replaced"]:
        return [*parts, ["mark", say("lens.hook_replaced")]]
    return [*parts, ["soft", say("lens.hook_looked")]]


def _cut(document: dict[str, Any], event: dict[str, Any]) -> list[Part]:
    return [["mark", say("lens.cut_here")], ["", event["why"]]]


_SENTENCES = {"cut": _cut, "forward": _forward, "backward": _backward, "bprop": _own_rule, "hook": _hook}
