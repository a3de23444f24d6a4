"""The arguments of a backward hook in three namings, side by side.

MindSpore exchanged the two gradients in 2.4. A hook whose first parameter is named ``cell_id`` is called the older
way, every other one the newer way; *incoming* and *outgoing* say the same of both.
"""

from __future__ import annotations

from typing import Any

from ...nn.hooks import Hook
from ...texts import say
from ..watch.looks import Look
from .numbers import of_all


def namings(look: Look, cell: Any) -> dict[str, Any] | None:
    """A table for a backward hook or backward pre-hook, or None for others.

    ``columns``: the namings; ``rows``: for each argument its name in each naming, and what it held.
    """
    if look.kind not in ("backward_pre", "backward"):
        return None
    older = Hook(look.hook).older_names and look.kind == "backward"
    first = _cell_id(cell) if older else type(cell).__name__
    rows = [_row("hooks.the_cell", ("", "cell_id" if look.kind == "backward" else "", "cell"), first)]
    incoming = of_all(look.given["incoming"])
    if look.kind == "backward_pre":
        rows.append(_row("hooks.arriving", ("incoming", "", "grad_output"), incoming))
        signatures = [say("hooks.neutral"), say("hooks.no_such_hook"), "hook(cell, grad_output)"]
    else:
        rows.append(_row("hooks.arriving", ("incoming", "grad_input", "grad_output"), incoming))
        rows.append(_row("hooks.leaving", ("outgoing", "grad_output", "grad_input"), of_all(look.given["outgoing"])))
        signatures = [
            say("hooks.neutral"), "hook(cell_id, grad_input, grad_output)", "hook(cell, grad_input, grad_output)"
        ]  # fmt: skip
    heads = [say("hooks.naming_neutral"), say("hooks.naming_older"), say("hooks.naming_newer")]
    columns = [{"head": head, "signature": s} for head, s in zip(heads, signatures, strict=True)]
    return {"columns": columns, "rows": rows, "used": 1 if older else 2}


def _row(key: str, names: tuple[str, str, str], held: str) -> dict[str, Any]:
    return {"what": say(key), "names": list(names), "held": held}


def _cell_id(cell: Any) -> str:
    """What an older hook gets; asking for it would give a number to a Cell that has none."""
    return repr(cell.cell_id()) if "_serial" in cell.__dict__ else type(cell).__name__
