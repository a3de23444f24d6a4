"""Numbers and shapes as every text and picture writes them; the browser's ``numbers.js`` writes them the same."""

from __future__ import annotations

import math
from collections.abc import Iterable
from decimal import ROUND_HALF_UP, Context

THREE_DIGITS = Context(prec=3, rounding=ROUND_HALF_UP)  # a half goes away from zero, as in JavaScript
TINY, HUGE = 1e-4, 1e5  # from here down, and from here up, with an exponent


def number(value: float | None) -> str:
    """Three significant digits and a real minus sign: ``−0.0301``, ``12300``, ``5e−5``; None is a dash."""
    if value is None:
        return "–"
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    rounded = float(THREE_DIGITS.create_decimal_from_float(float(value)))
    rounded = float(value) if math.isinf(rounded) else rounded  # the largest floats
    if rounded == 0:
        return "0"
    if TINY < abs(rounded) < HUGE:
        text = f"{rounded:g}"
    else:
        mantissa, _, exponent = f"{rounded:.2e}".partition("e")
        text = f"{float(mantissa):g}e{int(exponent)}"
    return text.replace("-", "−")


def shape(sizes: Iterable[int]) -> str:
    """``(32, 10)``, ``(3,)``, ``()``."""
    return str(tuple(sizes))
