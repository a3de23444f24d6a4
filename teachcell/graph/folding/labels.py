"""The words on the drawn things: names, shapes, numbers, pills."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from teachcell.texts import say
from teachcell.texts.numbers import number, shape

from ..scene import Document, Pill
from .units import Unit

MAX_PILLS = 2
MAX_NAMES = 3  # of what is repeated


def shape_text(sizes: Sequence[int]) -> str:
    """``(32, 10)``, ``(10,)``; nothing for a scalar."""
    return shape(sizes) if sizes else ""


def scalar(summary: Mapping[str, Any]) -> str:
    """The only number of an array; a summary does not tell the sign of an infinite one."""
    if summary["first"] is None:
        return "NaN" if summary["nan"] else "±∞"
    if summary["dtype"] == "bool":
        return str(bool(summary["first"]))
    return number(summary["first"])


def outputs_text(document: Document, values: Sequence[int]) -> str:
    """The shapes of what comes out: ``(32, 10)``, ``2 outputs (32, 10)`` or ``(32, 10), (32, 1)``."""
    shapes = [shape_text(document["values"][value]["shape"]) for value in values]
    if len(shapes) > 1 and len(set(shapes)) == 1:
        return f"{say('graph.outputs', count=len(shapes))} {shapes[0]}".strip()
    return ", ".join(text or say("graph.scalar") for text in shapes) if len(shapes) > 1 else "".join(shapes)


def all_same(summary: Mapping[str, Any]) -> str:
    """The number that all elements are: ``all 1``; nothing where they differ."""
    least, most = summary["min"], summary["max"]
    same = least is not None and least == most and not summary["nan"] and not summary["inf"]
    return say("graph.all_same", number=number(least)) if same else ""


def constant_words(value: Mapping[str, Any]) -> tuple[str, str]:
    """Title and subtitle of a constant without a name: its number, that of all its elements, or its shape."""
    numbers, sizes, kind = value["value"], shape_text(value["shape"]), say("graph.constant_short")
    if numbers["size"] == 1:
        return scalar(numbers), kind
    same = all_same(numbers)
    return (same, sizes) if same else (sizes, kind)


def op_kind(op: Mapping[str, Any]) -> str:
    """What stands below an op's name: its label, as far as it says more."""
    name, label = op["op"], op["label"]
    return "" if label == name else label.removeprefix(f"{name}: ")


def cell_text(document: Document, call: Mapping[str, Any]) -> str:
    """What an open Cell does to shapes: ``Dense · 128 → 10``."""
    if not call["inputs"] or not call["outputs"]:
        return call["cls"]
    before = list(document["values"][call["inputs"][0]]["shape"])
    after = list(document["values"][call["outputs"][0]]["shape"])
    if not before or not after:
        return call["cls"]
    if len(before) == len(after) == 2:
        return f"{call['cls']} · {before[1]} → {after[1]}"
    if len(before) > 1 and len(after) > 1 and before[0] == after[0]:  # the samples stay: say what changes
        before, after = before[1:], after[1:]
    change = shape_text(after) if before == after else f"{shape_text(before)} → {shape_text(after)}"
    return f"{call['cls']} · {change}"


def run_title(ops: int, cells: int) -> str:
    """``312 ops`` or ``312 ops in 9 Cells``."""
    return say("graph.run_in_cells", ops=ops, cells=cells) if cells else say("graph.run", ops=ops)


def repeat_title(document: Document, unit: Unit) -> str:
    """``50 × RNNCell``, ``50 × (pick, RNNCell)``: what is repeated, and how often."""
    assert unit.iteration is not None
    names = list(dict.fromkeys(_name(document, member) for member in unit.like))
    more = [] if len(names) <= MAX_NAMES else ["…"]
    body = names[0] if len(unit.like) == 1 else f"({', '.join(names[:MAX_NAMES] + more)})"
    return f"{unit.iteration.last - unit.iteration.first + 1} × {body}"


def _name(document: Document, unit: Unit) -> str:
    if unit.call is not None:
        return document["calls"][unit.call]["cls"]
    return document["ops"][unit.ops[0]]["label"]


def repeat_kind(unit: Unit) -> str:
    """What stands below: how much that is."""
    return say("graph.run", ops=len(unit.ops))


def repeat_pills(unit: Unit) -> tuple[Pill, ...]:
    """``iteration 7 of 50``, ``8 … 50 of 50``; nothing on what stands for all."""
    place = unit.iteration
    if place is None or (place.first, place.last) == (1, place.of):
        return ()
    if not unit.like:
        return (Pill(say("graph.iteration", number=place.first, of=place.of)),)
    return (Pill(say("graph.iterations", first=place.first, last=place.last, of=place.of)),)


def parameter_title(name: str, paths: Collection[str]) -> str:
    """The name of a parameter as its user sees it: ``weight`` inside the Cell that owns it."""
    owners = [path for path in paths if path and name.startswith(f"{path}.")]
    return name.removeprefix(f"{max(owners, key=len)}.") if owners else name


def call_pills(call: Mapping[str, Any], tell_mode: bool) -> tuple[Pill, ...]:
    """What is not as expected about a call, the most specific first."""
    pills = []
    if call["rule_id"] != "engine":
        pills.append(Pill(call["rule"] if call["rule_id"] == "own" else say("graph.rule", rule=call["rule"])))
    if tell_mode and call["training"] is not None:
        pills.append(Pill(say("graph.training" if call["training"] else "graph.predicting")))
    if len(call["hooks"]) == 1:
        hook = call["hooks"][0]
        pills.append(Pill(f"{hook['glyph']} {say('graph.hook_' + hook['kind'])}"))
    elif call["hooks"]:
        pills.append(Pill(say("graph.hooks", count=len(call["hooks"]))))
    if call["of"] > 1:
        pills.append(Pill(say("graph.call_of", call=call["call"], of=call["of"])))
    return tuple(pills[:MAX_PILLS])
