"""Targets: whose rule is looked at, a Cell's or one op's, and how they are written and found."""

from __future__ import annotations

import inspect
import re
from typing import NamedTuple

from ...texts import say
from ..experiment import Experiment
from ..unknown import UnknownName
from ..watch.recorder import Recorder
from ..watch.seen import Slot, mapped
from .op_rules import engine_op
from .spots import Spot, spots_of

MOST_KNOWN = 12


class OfCell(NamedTuple):
    """A Cell, looked at in its ``call``-th call."""

    path: str
    call: int


Target = OfCell | Spot


def spelled(target: Target) -> str:
    """``"relu"`` for a Cell, ``"fc1/matmul"`` for an op in it, ``"/relu[2]"`` for the second such outside of Cells."""
    if isinstance(target, OfCell):
        return target.path
    return f"{target.path}/{target.op}" + (f"[{target.nth}]" if target.nth > 1 else "")


def find(experiment: Experiment, recorder: Recorder, where: str, call: int = 1) -> Target:
    """The target that is written so; an op that ran only once may be called by its name alone.

    Raises:
        KeyError: there is none, or an op's name alone is not enough.
    """
    if where in experiment.program.cells:
        return OfCell(where, call)
    path, slash, name = where.rpartition("/")
    told = re.fullmatch(r"(\w+)(?:\[(\d+)\])?", name)
    spots = [spot for _, spot in spots_of(recorder, experiment.program)]
    if told is not None:
        exact = Spot(path, call, told[1], int(told[2] or 1))
        found = [s for s in spots if (s == exact if slash else s.op == told[1])]
        if len(found) == 1:
            return found[0]
    known = dict.fromkeys([*map(repr, experiment.program.cells), *(repr(spelled(s)) for s in spots)])
    shown = ", ".join(list(known)[:MOST_KNOWN]) + (", …" if len(known) > MOST_KNOWN else "")
    raise UnknownName(say("lab.no_target", where=where, known=shown))


def argument_names(experiment: Experiment, recorder: Recorder, target: Target) -> list[str] | None:
    """What a rule for the target is called with, by name: inputs, out, dout; None where that is not known."""
    if isinstance(target, Spot):
        number = next((n for n, s in spots_of(recorder, experiment.program) if s == target), None)
        if number is None:
            return None
        seen = recorder.ops[number]
        letters, count = engine_op(seen.op).inputs, len(seen.slots)
        names = list(letters[:count]) if len(letters) >= count else [f"x{i}" for i in range(count)]
        return [*names, "out", "dout"]
    cell = experiment.cell(target.path)
    call = next((c for c in recorder.calls if c.cell is cell and c.arguments is not None), None)
    if call is None:
        return None
    args, kwargs = (mapped(part, Slot, lambda slot: slot) for part in call.arguments)
    try:
        bound = inspect.signature(cell.construct).bind(*args, **kwargs)
    except (TypeError, ValueError):
        return None
    bound.apply_defaults()
    names = []
    for name, parameter in bound.signature.parameters.items():
        many = parameter.kind is parameter.VAR_POSITIONAL
        names += [f"{name}{i}" for i in range(len(bound.arguments[name]))] if many else [name]
    return [*names, "out", "dout"]


def takes_no_rule(recorder: Recorder, number: int) -> str:
    """Why no rule can act at an op of a run; "" if one can."""
    seen = recorder.ops[number]
    dtypes = [recorder.values[v].value.dtype for v in seen.outputs]
    if not dtypes or any(dtype.kind == "f" for dtype in dtypes):
        return ""
    return say("lens.op_integer", op=engine_op(seen.op).label, dtype=", ".join(dict.fromkeys(map(str, dtypes))))
