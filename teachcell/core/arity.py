"""Whether a function that a learner hands in can be called as it will be, and what its arguments are called."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from types import FunctionType
from typing import Any

from ..texts import say


def signature_of(function: Any) -> inspect.Signature | None:
    """How it is called; None where nobody knows."""
    try:
        return inspect.signature(function)
    except (TypeError, ValueError):
        return None


def plain(signature: inspect.Signature) -> inspect.Signature:
    """A signature without annotations, which say what would fit and not what is called how."""
    bare = [p.replace(annotation=p.empty) for p in signature.parameters.values()]
    return signature.replace(parameters=bare, return_annotation=signature.empty)


def misfit(function: Callable[..., Any], names: Sequence[str] | None, bound: bool = False) -> str:
    """Why a function cannot be called with arguments of these names; "" if it can, or if nobody knows.

    Args:
        bound: whether a first parameter ``self`` will be there already.
    """
    if names is None:
        return ""
    if type(function) is FunctionType and not (bound or function.__kwdefaults__ or function.__defaults__):
        code = function.__code__
        if code.co_argcount == len(names) and not code.co_kwonlyargcount:
            return ""  # as nearly always, and a signature takes 10 µs
    signature = signature_of(function)
    if signature is None or hasattr(function, "__wrapped__"):  # which tells of what is inside
        return ""
    before = ["self"] if bound and next(iter(signature.parameters), "") == "self" else []
    try:
        signature.bind(*before, *names)
    except TypeError as error:
        name = getattr(function, "__name__", type(function).__name__)
        return say("errors.arity", name=name, signature=plain(signature), names=", ".join(names), why=error)
    return ""


def argument_names(function: Any, count: int, fallback: str) -> list[str]:
    """What a function calls its positional arguments, so many of them."""
    signature = signature_of(function)
    parameters = list(signature.parameters.values()) if signature is not None else []
    named = [p.name for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    rest = next((p.name for p in parameters if p.kind is p.VAR_POSITIONAL), fallback)
    return named[:count] + [f"{rest}{i}" for i in range(len(named), count)]
