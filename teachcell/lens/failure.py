"""Where a run failed: the Cell, the learner's line, and the message without Python's quirks."""

from __future__ import annotations

import linecache
import sysconfig
import traceback
from pathlib import Path
from typing import Any

from ..nn.cell import Cell
from ..nn.custom_bprop import BpropCall
from ..nn.hooks import Call
from .lab.op_rules import OpRule

PACKAGES = ("teachcell", "teachcell_widgets")
INSTALLED = tuple({Path(sysconfig.get_path(name)) for name in ("stdlib", "platstdlib", "purelib", "platlib")})


def message_of(error: BaseException) -> str:
    """``ValueError: text``; a KeyError's text without the quotes around it."""
    text = error.args[0] if isinstance(error, KeyError) and len(error.args) == 1 else error
    return f"{type(error).__name__}: {text}"


def told_in_full(error: BaseException) -> str:
    """The message, and below it the learner's line that failed."""
    return "\n".join(filter(None, (message_of(error), failing_line(error))))


def failing_cell(error: BaseException) -> Any:
    """The innermost Cell that was being run, or whose rule or hook was; None outside of all."""
    found = None
    for frame, _ in traceback.walk_tb(error.__traceback__):
        owner = frame.f_locals.get("self")
        owner = owner.cell if isinstance(owner, (BpropCall, Call)) else owner
        found = owner if isinstance(owner, Cell) else found
    return found


def failing_op(error: BaseException) -> int | None:
    """The number of the op whose rule, put in the place of the engine's, was being called."""
    owners = (frame.f_locals.get("self") for frame, _ in traceback.walk_tb(error.__traceback__))
    return next((owner.number for owner in owners if isinstance(owner, OpRule)), None)


def failing_line(error: BaseException) -> str:
    """The innermost line of the learner's own code, as ``name: line``; "" if it was not in any."""
    for frame, number in reversed(list(traceback.walk_tb(error.__traceback__))):
        code, package = frame.f_code, str(frame.f_globals.get("__name__")).partition(".")[0]
        line = linecache.getline(code.co_filename, number, frame.f_globals).strip()
        around = Path(code.co_filename).parents
        if line and package not in PACKAGES and not any(folder in around for folder in INSTALLED):
            return f"{code.co_name}: {line}"
    return ""
