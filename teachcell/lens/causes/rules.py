"""Why an op's rule gives 0 at some elements: what must hold there for the reason to be the true one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...texts import say
from ..watch.seen import OpSeen, ValueSeen

# Each takes the op's inputs (None: not kept), its output, its attributes and the number of the input whose gradient is
# asked about, and returns where its rule gives 0, or None where that cannot be told.
Arrays = Sequence[Any]
Where = Callable[[Arrays, Any, dict[str, Any], int], Any]


def _other(xs: Arrays, slot: int) -> Any:
    return xs[1 - slot]


_REASONS: dict[str, tuple[tuple[str, Where], ...]] = {
    "relu": (("relu", lambda xs, out, attrs, slot: xs[0] <= 0),),
    "relu6": (("outside", lambda xs, out, attrs, slot: (xs[0] <= 0) | (xs[0] >= 6)),),
    "clamp": (("outside", lambda xs, out, attrs, slot: out != xs[0]),),
    "hardtanh": (("outside", lambda xs, out, attrs, slot: out != xs[0]),),
    "dropout": (("dropped", lambda xs, out, attrs, slot: out == 0),),
    "dropout2d": (("dropped", lambda xs, out, attrs, slot: out == 0),),
    "dropout3d": (("dropped", lambda xs, out, attrs, slot: out == 0),),
    "multiply": (("factor", lambda xs, out, attrs, slot: _other(xs, slot) == 0),),
    "select": (("branch", lambda xs, out, attrs, slot: xs[0] == (slot == 2) if slot else None),),
    "maximum": (("not_largest", lambda xs, out, attrs, slot: _other(xs, slot) > xs[slot]),),
    "minimum": (("not_smallest", lambda xs, out, attrs, slot: _other(xs, slot) < xs[slot]),),
    "absolute": (("kink", lambda xs, out, attrs, slot: xs[0] == 0),),
    "square": (("flat", lambda xs, out, attrs, slot: xs[0] == 0),),
    "power": (("flat", lambda xs, out, attrs, slot: xs[0] == 0),),
    "cos": (("flat", lambda xs, out, attrs, slot: xs[0] == 0),),
    "sigmoid": (("saturated", lambda xs, out, attrs, slot: (out == 0) | (out == 1)),),
    "tanh": (("saturated", lambda xs, out, attrs, slot: np.abs(out) == 1),),
}
_NOT_TAKEN = (
    "amax", "amin", "max_with_index", "min_with_index", "max_pool", "getitem", "gather", "gather_along", "topk",
    "tril", "triu", "fmax", "fmin", "kthvalue", "median",
)  # fmt: skip


def why_zero(op: OpSeen, slot: int, zero: np.ndarray, values: list[ValueSeen], formula: str) -> str:
    """Why the rule of ``op`` for its input ``slot`` gives 0 at the elements ``zero``.

    The reason is only given where it holds at every one of them. Otherwise the formula is, or "" if there is none.
    """
    xs = [None if v is None else values[v].value.array for v in op.slots]
    out = values[op.outputs[0]].value.array if op.outputs else None
    for key, where in _REASONS.get(op.op.name, ()):
        if _holds(where, xs, out, op.attrs or {}, slot, zero):
            return say(f"causes.zero_{key}", op=op.op.label, count=int(zero.sum()))
    if op.op.name in _NOT_TAKEN:
        return say("causes.zero_not_taken", op=op.op.label)
    return say("causes.zero_rule", op=op.op.label, formula=formula) if formula else ""


def _holds(where: Where, xs: Arrays, out: Any, attrs: dict[str, Any], slot: int, zero: np.ndarray) -> bool:
    try:
        found = where(xs, out, attrs, slot)
    except TypeError:  # an array that is needed was not kept
        return False
    if found is None or found is False:
        return False
    try:
        return bool(np.broadcast_to(found, zero.shape)[zero].all())
    except ValueError:
        return False
