"""What was changed between two runs, as far as they show it: modes, Cells, rules, hooks, draws, inputs, Parameters, and
what only one of them did."""

from __future__ import annotations

from typing import Any

from ...texts import say
from ..rules import ENGINE
from .alone import done_alone
from .differences import Differences
from .listed import listed


def changes(differences: Differences) -> list[str]:
    """One sentence per kind of change."""
    a, b = differences.a, differences.b
    pairs = [(a.document["calls"][x], b.document["calls"][y]) for x, y in differences.alignment.calls.items()]
    found = []
    modes = [(one, other) for one, other in pairs if one["training"] != other["training"]]
    if modes:
        words = [_path(one, a.document) for one, _ in modes]
        one, other = modes[0]
        found.append(say("compare.modes", cells=listed(words), a=one["training"], b=other["training"]))
    for one, other in pairs:
        where = _path(one, a.document)
        if one["cls"] != other["cls"] and not one["rule_run"]:
            found.append(say("compare.kinds", cell=where, a=one["cls"], b=other["cls"]))
        if one["rule_id"] != other["rule_id"]:
            found.append(say("compare.rules", cell=where, a=_rule(one), b=_rule(other)))
        if _hooks(one) != _hooks(other):
            found.append(say("compare.hooks", cell=where, a=_told_hooks(one), b=_told_hooks(other)))
    if None not in (a.seed, b.seed) and a.seed != b.seed:
        found.append(say("compare.seeds", a=a.seed, b=b.seed))
    for kind in ("input", "parameter"):
        names = [p.name for p in differences.places if p.kind == kind and not p.value.same and p.in_both]
        if names:
            found.append(say(f"compare.changed_{kind}", names=listed(names)))
    found += done_alone(differences)
    found += [say("compare.failed", run=run.said, why=run.error) for run in (a, b) if run.error]
    return list(dict.fromkeys(found))  # a Cell that runs several times is told once


def _path(call: dict[str, Any], document: dict[str, Any]) -> str:
    return str(call["path"] or document["title"])


def _rule(call: dict[str, Any]) -> str:
    return say("lens.rule_engine") if call["rule_id"] == ENGINE else str(call["rule"])


def _hooks(call: dict[str, Any]) -> list[tuple[str, str, str]]:
    return [(hook["kind"], hook["name"], hook["code"]) for hook in call["hooks"]]


def _told_hooks(call: dict[str, Any]) -> str:
    return ", ".join(f"{hook['glyph']} {hook['name']}" for hook in call["hooks"]) or say("compare.no_hooks")
