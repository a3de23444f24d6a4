"""Turning what NumPy says of a failed kernel into an error that names the op, the shapes and the remedy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..texts import say

if TYPE_CHECKING:
    from .op import Op


def describe(value: Any) -> str:
    """``(2, 3) float32`` for an array, ``repr`` for anything else."""
    if isinstance(value, (np.ndarray, np.generic)):
        return f"{value.shape} {value.dtype}"
    return repr(value)


def explain(op: Op, arrays: list[Any], attrs: dict[str, Any] | None, error: Exception) -> Exception:
    """The same class of exception with a text that says which op failed, on what, why, and what to do."""
    if not isinstance(error, (ValueError, TypeError, IndexError, OverflowError)):
        return error
    given = " × ".join(describe(a) for a in arrays)
    if attrs:
        given += "".join(f", {name}={describe(value)}" for name, value in attrs.items())
    why, remedy = _reason(op, arrays, error)
    kind = next(k for k in (IndexError, OverflowError, ValueError, TypeError) if isinstance(error, k))
    return kind(say("errors.kernel", op=op.label, given=given, why=why, remedy=remedy).strip())


def _reason(op: Op, arrays: list[Any], error: Exception) -> tuple[str, str]:
    shapes = [a.shape for a in arrays if isinstance(a, np.ndarray)]
    if op.name == "matmul" and len(shapes) == 2:
        return say("errors.matmul_why"), say("errors.matmul_remedy")
    if "broadcast" in str(error) and len(shapes) > 1:
        try:
            np.broadcast_shapes(*shapes)
        except ValueError:
            return say("errors.broadcast_why"), say("errors.broadcast_remedy")
    return str(error), ""
