"""Gradients that differ from the numeric ones because somebody wants them to: a rule of zeros, a ``stop_gradient``."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.op import OPS
from ...texts import say
from ...texts.numbers import number
from ..lab.ready import READY
from .again import Again
from .op_again import OpAgain
from .window import Window

STOP = "stop_gradient"


def on_purpose(again: Again, function: Any, window: Window, variable: int) -> str:
    """Why the gradient by a variable is meant to be wrong; "" if nothing says so.

    Args:
        function: the chosen rule; None: the engine's.
    """
    slope = number(float(np.abs(window.numeric).max()) * again.scale)
    if function is READY["zero"].function:
        return say("lens.purpose_zero", slope=slope)
    if function is not None:
        return ""
    stop = OPS[STOP]
    if isinstance(again, OpAgain):
        return say("lens.purpose_stop", op=stop.label, slope=slope) if again.seen.op.name == STOP else ""
    with stop.override((lambda F, g, out, x: g,)):
        unstopped = again.gradients(None)[variable]
    return say("lens.purpose_stop_inside", op=stop.label) if window.takes(unstopped) else ""
