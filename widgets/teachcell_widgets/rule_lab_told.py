"""What the rule lab tells besides a check: of a rule that cannot be called, of the last good check, as a line."""

from __future__ import annotations

from typing import Any

from teachcell.lens.write.source import source_of
from teachcell.texts import say

from .told import Told


def refusal(found: dict[str, Any], function: Any, why: str) -> dict[str, Any]:
    """What is told instead of the check of the rule in use."""
    code = source_of(function) or ""
    first = next((line for line in code.splitlines() if line.lstrip().startswith(("def ", "lambda"))), "")
    text = "\n".join(filter(None, (f"TypeError: {why}", first)))
    words = {"ok": False, "head": say("lens.check_raised_head"), "text": text, "failed": text, "code": code}
    columns = [found["columns"][0], getattr(function, "__name__", say("lab.typed")), found["columns"][2]]
    nothing = {"columns": columns, "marks": ["", "", ""], "inputs": [], "note": "", "about": ""}
    return found | words | nothing | {"stale": found["stale"] or evidence(found)}


def evidence(good: dict[str, Any]) -> dict[str, Any] | None:
    """The table of an earlier check, with the rule that it is about; None where it had none."""
    if not good["inputs"]:
        return None
    says = say("lab.stale", rule=good["columns"][1])
    return {key: good[key] for key in ("inputs", "columns", "marks", "note")} | {"says": says}


def told_check(found: dict[str, Any]) -> Told:
    """A check, which prints as its verdict."""
    if not found:
        return Told(found)
    words = say("lab.told", rule=found["columns"][1], head=found["head"], text=found["text"])
    return Told(found, f"{found['title']} · {words}")


def template(where: str, names: list[str]) -> str:
    """What to type in a cell for a rule of one's own."""
    count = max(1, len(names) - 2)
    returned = ", ".join(["dout"] * count) + ("," if count == 1 else "")
    return f'@explorer.rule_lab.rule("{where}")\ndef my_rule({", ".join(names)}):\n    return ({returned})'
