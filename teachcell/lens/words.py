"""Numbers and shapes as the lens writes them."""

from __future__ import annotations

import math
from collections.abc import Iterable


def number(value: float | None) -> str:
    """Three significant digits, a real minus sign; None is shown as a dash."""
    if value is None:
        return "–"
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    text = f"{value + 0.0:.3g}"  # −0.0 is 0
    if "e" in text:
        mantissa, _, exponent = text.partition("e")
        text = f"{mantissa}e{int(exponent)}"
    return text.replace("-", "−")


def shape(sizes: Iterable[int]) -> str:
    """``(32, 10)``, ``(3,)``, ``()``."""
    return str(tuple(sizes))
