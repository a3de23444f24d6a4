"""How large a widget is drawn: 1 on a laptop, more for a projector."""

from __future__ import annotations

import math
from typing import Any

import traitlets

from teachcell.texts import say

LEAST, MOST = 0.5, 3.0


def checked_scale(value: Any) -> float:
    """``value`` as a scale.

    Raises:
        TypeError: it is no number.
        ValueError: it is not from 0.5 to 3.
    """
    if isinstance(value, bool) or not hasattr(value, "__float__"):
        raise TypeError(say("explorer.scale_kind", got=repr(value)))
    scale = float(value)
    if math.isnan(scale) or not LEAST <= scale <= MOST:
        raise ValueError(say("explorer.scale_range", least=LEAST, most=f"{MOST:g}", got=f"{scale:g}"))
    return scale


class Scale(traitlets.Float):
    """A trait that refuses what is no scale, in our words."""

    def validate(self, obj: Any, value: Any) -> float:
        return checked_scale(value)
