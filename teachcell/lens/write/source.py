"""Source text of rules, hooks and constructs, for reading beside their numbers."""

from __future__ import annotations

import ast
import inspect
import textwrap
from functools import lru_cache
from types import CodeType
from typing import Any

from ...core.op import Op, Rules


def source_of(function: Any) -> str | None:
    """The dedented source of a function (of a lambda just itself), or None where there is none (built in, say)."""
    try:
        function = inspect.unwrap(function)
        if getattr(function, "__name__", "") == "<lambda>":
            return _lambda_source(function)
        return textwrap.dedent(inspect.getsource(function)).rstrip()
    except (OSError, SyntaxError, TypeError, ValueError):
        return None


def _lambda_source(function: Any) -> str | None:
    """The one among the lambdas of its line that has the same code, else the first one there."""
    code = function.__code__
    found = _lambdas("".join(inspect.findsource(function)[0])).get(code.co_firstlineno, [])
    same = (text for text, other in found if _likeness(other) == _likeness(code))
    return next(same, found[0][0] if found else None)


def _likeness(code: CodeType) -> tuple[Any, ...]:
    return code.co_varnames, code.co_code, code.co_names, [c for c in code.co_consts if not isinstance(c, CodeType)]


@lru_cache(64)
def _lambdas(text: str) -> dict[int, list[tuple[str, CodeType]]]:
    """Line number to the lambdas that start there: text and code."""
    found: dict[int, list[tuple[str, CodeType]]] = {}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Lambda):
            whole = compile(ast.Expression(node), "<lambda>", "eval")
            code = next(c for c in whole.co_consts if isinstance(c, CodeType))
            source = inspect.cleandoc(ast.get_source_segment(text, node) or "")
            found.setdefault(node.lineno, []).append((source, code))
    return found


def rule_source(op: Op) -> str:
    """The source of an op's backward rules, each piece once."""
    return _rules_source(op.rules)


@lru_cache(256)
def _rules_source(rules: Rules) -> str:
    pieces = [source_of(rule) for rule in (rules if isinstance(rules, tuple) else (rules,)) if callable(rule)]
    return "\n".join(dict.fromkeys(piece for piece in pieces if piece))
