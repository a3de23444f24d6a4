"""Turning what NumPy says of a failed kernel into an error that names the op, the shapes and the remedy."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.exceptions import AxisError

from ..texts import say, table

if TYPE_CHECKING:
    from .op import Op

_INSIDE = tuple(os.path.dirname(os.path.abspath(p)) + os.sep for p in (os.path.dirname(__file__), np.__file__))
_KINDS = (OverflowError, ValueError, IndexError, TypeError)  # NumPy's AxisError is both: a ValueError here


def learner_level() -> int:
    """The ``stacklevel`` with which the caller's warning points at the first line outside of teachcell and NumPy."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_INSIDE):
        level, frame = level + 1, frame.f_back
    return level


def describe(value: Any) -> str:
    """``(2, 3) float32`` for an array, ``repr`` for anything else."""
    if isinstance(value, (np.ndarray, np.generic)):
        return f"{value.shape} {value.dtype}"
    return repr(value)


def kinds_of(result: Any) -> str:
    """What a hook or a rule returned, in short: ``tuple of 2: (Tensor, int)``."""
    if isinstance(result, (tuple, list)):
        kinds = ", ".join(type(r).__name__ for r in result)
        return say("errors.kinds", kind=type(result).__name__, count=len(result), kinds=kinds)
    return type(result).__name__


def explain(op: Op, arrays: list[Any], attrs: dict[str, Any] | None, error: Exception) -> Exception:
    """The same class of exception with a text that says which op failed, on what, why, and what to do."""
    kind = next((k for k in _KINDS if isinstance(error, k)), None)
    if kind is None:
        return error
    given = " × ".join(describe(a) for a in arrays) or "()"
    if attrs:
        given += "".join(f", {name}={describe(value)}" for name, value in attrs.items())
    why, remedy = _reason(op, arrays, error)
    return kind(say("errors.kernel", op=op.label, given=given, why=why, remedy=remedy).strip())


def _reason(op: Op, arrays: list[Any], error: Exception) -> tuple[str, str]:
    """Why it failed and what to do: in our words where NumPy's are known, else as the kernel says."""
    shapes = [a.shape for a in arrays]
    if isinstance(error, AxisError):
        return say("errors.axis_range", axis=error.axis, ndim=error.ndim), ""
    if isinstance(error, ValueError) and f"errors.{op.name}_why" in table("errors"):  # its kernel leaves them to NumPy
        return say(f"errors.{op.name}_why"), say(f"errors.{op.name}_remedy")
    if "broadcast" in str(error) and not _broadcast(shapes):
        return say("errors.broadcast_why"), say("errors.broadcast_remedy")
    return str(error), ""


def _broadcast(shapes: list[tuple[int, ...]]) -> bool:
    """Whether the shapes fit together."""
    try:
        np.broadcast_shapes(*shapes)
    except ValueError:
        return False
    return True
