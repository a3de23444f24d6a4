"""Roots, exponentials and logarithms."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...core.card import Kink
from ...core.define import define
from ...core.op import POSITIVE
from ...kernels import elementary as K

LN_2, LN_10 = math.log(2), math.log(10)

sqrt = define(
    "sqrt", K.sqrt, (lambda F, g, out, x: F.divide(F.scale(g, 0.5), out),),
    called=("x",), keeps="output", floats=(0,), primitive="Sqrt", methods=("sqrt",), domain=POSITIVE,
    elementwise=True, card=("y = √x", "∂x = g / (2 · y)"), kinks=(Kink((0.0,), (np.inf,)),), source="{power_rule}",
)  # fmt: skip
rsqrt = define(
    "rsqrt", K.rsqrt,
    (lambda F, g, out, x: F.multiply(F.scale(g, -0.5), F.multiply(out, F.multiply(out, out))),),
    keeps="output", floats=(0,), primitive="Rsqrt", methods=("rsqrt",), domain=POSITIVE,
    elementwise=True, card=("y = 1 / √x", "∂x = −½ · g · y³"), kinks=(Kink((0.0,), (-np.inf,)),), source="{power_rule}",
)  # fmt: skip
hypot = define(
    "hypot", K.hypot,
    (
        lambda F, g, out, x, y: F.multiply(g, F.div_no_nan(x, out)),
        lambda F, g, out, x, y: F.multiply(g, F.div_no_nan(y, out)),
    ),
    keeps="inputs output", primitive="Hypot", methods=("hypot",),
    card=("z = √(x² + y²)", "∂x = g · x / z", "∂y = g · y / z"), kinks=(Kink((0.0, 0.0), (0.0, 0.0)),),
    source="{chain_rule}",
)  # fmt: skip

exp = define(
    "exp", K.exp, (lambda F, g, out, x: F.multiply(g, out),),
    keeps="output", floats=(0,), primitive="Exp", methods=("exp",), elementwise=True, card=("y = eˣ", "∂x = g · y"),
    source="DLMF §4.7",
)  # fmt: skip
exp2 = define(
    "exp2", K.exp2, (lambda F, g, out, x: F.multiply(F.scale(g, LN_2), out),),
    keeps="output", floats=(0,), methods=("exp2",), card=("y = 2ˣ", "∂x = g · y · ln 2"), source="DLMF §4.7",
)  # fmt: skip
expm1 = define(
    "expm1", K.expm1, (lambda F, g, out, x: F.multiply(g, F.exp(x)),),
    floats=(0,), primitive="Expm1", methods=("expm1",), card=("y = eˣ − 1", "∂x = g · eˣ"), source="DLMF §4.7",
)  # fmt: skip
log = define(
    "log", K.log, (lambda F, g, out, x: F.divide(g, x),),
    floats=(0,), primitive="Log", methods=("log",), domain=POSITIVE, elementwise=True, card=("y = ln x", "∂x = g / x"),
    kinks=(Kink((0.0,), (np.inf,)),), source="DLMF §4.7",
)  # fmt: skip
log2 = define(
    "log2", K.log2, (lambda F, g, out, x: F.divide(F.scale(g, 1 / LN_2), x),),
    floats=(0,), methods=("log2",), domain=POSITIVE, card=("y = log₂ x", "∂x = g / (x · ln 2)"),
    kinks=(Kink((0.0,), (np.inf,)),), source="DLMF §4.7",
)  # fmt: skip
log10 = define(
    "log10", K.log10, (lambda F, g, out, x: F.divide(F.scale(g, 1 / LN_10), x),),
    floats=(0,), methods=("log10",), domain=POSITIVE, card=("y = log₁₀ x", "∂x = g / (x · ln 10)"),
    kinks=(Kink((0.0,), (np.inf,)),), source="DLMF §4.7",
)  # fmt: skip
log1p = define(
    "log1p", K.log1p, (lambda F, g, out, x: F.divide(g, F.shift(x, 1.0)),),
    floats=(0,), primitive="Log1p", methods=("log1p",), domain=POSITIVE, card=("y = ln(1 + x)", "∂x = g / (1 + x)"),
    kinks=(Kink((-1.0,), (np.inf,)),), source="DLMF §4.7",
)  # fmt: skip
logaddexp = define(
    "logaddexp", K.logaddexp,
    (
        lambda F, g, out, x, y: F.multiply(g, F.sigmoid(F.subtract(x, y))),
        lambda F, g, out, x, y: F.multiply(g, F.sigmoid(F.subtract(y, x))),
    ),
    label="LogAddExp", methods=("logaddexp",), card=("z = ln(eˣ + eʸ)", "∂x = g · eˣ⁻ᶻ", "∂y = g · eʸ⁻ᶻ"),
    source="{chain_rule}",
)  # fmt: skip
logaddexp2 = define(
    "logaddexp2", K.logaddexp2,
    (
        lambda F, g, out, x, y: F.multiply(g, F.sigmoid(F.scale(F.subtract(x, y), LN_2))),
        lambda F, g, out, x, y: F.multiply(g, F.sigmoid(F.scale(F.subtract(y, x), LN_2))),
    ),
    label="LogAddExp2", methods=("logaddexp2",), card=("z = log₂(2ˣ + 2ʸ)", "∂x = g · 2ˣ⁻ᶻ", "∂y = g · 2ʸ⁻ᶻ"),
    source="{chain_rule}",
)  # fmt: skip


def _logit_slope(F: Any, g: Any, out: Any, x: Any, eps: float | None = None) -> Any:
    if eps is None:
        return F.divide(g, F.multiply(x, F.one_minus(x)))
    within = F.clamp(x, min=eps, max=1 - eps)
    return F.multiply(F.inside(x, min=eps, max=1 - eps), _logit_slope(F, g, out, within))


logit = define(
    "logit", K.logit, (_logit_slope,), floats=(0,), primitive="Logit", methods=("logit",), domain=(0.1, 0.9),
    card=("y = ln(x / (1 − x))", "∂x = g / (x · (1 − x))"),
    kinks=(Kink((0.0,), (np.inf,)), Kink(([0.0, 0.2, 0.8],), ([0.0, 6.25, 6.25],), {"eps": 0.2})),
    source="{chain_rule}",
)  # fmt: skip
