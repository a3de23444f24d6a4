"""Arrays in one line, with the digits that a learner's ``print`` shows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...texts import numbers
from ..watch.seen import Seen

MOST = 8  # elements that are written out
DIGITS = 6


def of_one(seen: Seen | None) -> str:
    """``2``, ``[1, 0.999995]``, nested up to two axes and flat beyond; "" for more than 8 elements."""
    if seen is None:
        return "None"
    if seen.array is None or seen.size > MOST:
        return ""
    array = seen.array.reshape(-1) if seen.array.ndim > 2 else seen.array
    return _nested(array.tolist())


def of_all(shown: Sequence[Seen | None]) -> str:
    """A tuple as a hook gets it: ``([2],)``; larger ones by their shapes."""
    parts = [of_one(seen) or (f"Tensor {numbers.shape(seen.shape)}" if seen is not None else "") for seen in shown]
    return f"({', '.join(parts)}{',' if len(parts) == 1 else ''})"


def _nested(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_nested, value))}]"
    return _digits(value) if isinstance(value, float) else str(value).replace("-", "−")


def _digits(value: float) -> str:
    if not np.isfinite(value):
        return numbers.number(value)
    return f"{value:.{DIGITS}g}".replace("e-0", "e−").replace("e+0", "e").replace("e+", "e").replace("-", "−")
