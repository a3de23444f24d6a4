"""Source text of rules, hooks and constructs, for reading beside their numbers."""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from ..core.op import Op


def source_of(function: Any) -> str | None:
    """The dedented source of a function, or None where there is none (typed at a prompt, built in)."""
    try:
        return textwrap.dedent(inspect.getsource(inspect.unwrap(function))).rstrip()
    except (OSError, TypeError, ValueError):
        return None


@lru_cache(256)
def rule_source(op: Op) -> str:
    """The source of an op's backward rules, each piece once."""
    rules = op.rules if isinstance(op.rules, tuple) else (op.rules,)
    pieces = [source_of(rule) for rule in rules if isinstance(rule, Callable)]  # type: ignore[arg-type]
    return "\n".join(dict.fromkeys(piece.rstrip(",") for piece in pieces if piece))
