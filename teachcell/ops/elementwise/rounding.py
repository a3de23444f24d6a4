"""Sizes, signs, rounding and neighbours."""

from __future__ import annotations

import numpy as np

from ...core.card import Kink
from ...core.define import define
from ...core.op import POSITIVE
from ...core.public import public
from ...kernels import rounding as K

absolute = define(
    "absolute", np.absolute, (lambda F, g, out, x: F.multiply(g, F.sign(x)),),
    primitive="Abs", names=("abs", "absolute"), operator="abs", methods=("abs", "absolute"), domain=POSITIVE,
    elementwise=True, card=("y = |x|", "∂x = g · sign x"), kinks=(Kink((0.0,), (0.0,)),), source="{piecewise}",
)  # fmt: skip
sign = define(
    "sign", K.sign, None, primitive="Sign", names=("sign", "sgn"), methods=("sign", "sgn"), card=("y = sign x",),
    source="{steps}",
)  # fmt: skip
signbit = define(
    "signbit", np.signbit, None, label="SignBit", methods=("signbit",), card=("y = [x < 0]",), source="{steps}",
)  # fmt: skip
floor = define(
    "floor", K.floor, None, primitive="Floor", methods=("floor",), card=("y = ⌊x⌋",), source="{steps}",
)  # fmt: skip
ceil = define(
    "ceil", K.ceil, None, primitive="Ceil", methods=("ceil",), card=("y = ⌈x⌉",), source="{steps}",
)  # fmt: skip
round_ = define(
    "round", K.round, None, primitive="Round", init=(), methods=("round",), card=("y = x {rounded}",), source="{steps}",
)  # fmt: skip
public(primitive="Rint")(round_)
trunc = define(
    "trunc", K.trunc, None, primitive="Trunc", methods=("trunc",), card=("y = sign x · ⌊|x|⌋",), source="{steps}",
)  # fmt: skip
frac = define(
    "frac", K.frac, (lambda F, g, out, x: g,), called=("x",), keeps="", methods=("frac",),
    card=("y = x − trunc x", "∂x = g"), kinks=(Kink((2.0,), (1.0,)),), source="{piecewise}",
)  # fmt: skip
heaviside = define(
    "heaviside", K.heaviside, (None, lambda F, g, out, x, values: F.select(F.equal(x, 0.0), g, F.zeros_like(g))),
    primitive="Heaviside", methods=("heaviside",),
    card=("y = [x > 0] + values · [x = 0]", "∂values = g · [x = 0]"),
    kinks=(Kink((0.0, 0.5), (1.0,)),), source="{steps}",
)  # fmt: skip
copysign = define(
    "copysign", K.copysign, (lambda F, g, out, x, y: F.multiply(g, F.copysign(F.sign(x), y)), None),
    called=("x", "other"), label="CopySign", methods=("copysign",), domain=POSITIVE,
    card=("z = |x| · sign y", "∂x = g · sign x · sign y"), kinks=(Kink((0.0, 1.0), (0.0,)),), source="{piecewise}",
)  # fmt: skip
nextafter = define(
    "nextafter", K.nextafter, (lambda F, g, out, x, y: g, None), keeps="",
    primitive="NextAfter", methods=("nextafter",), card=("z = x ± ε", "∂x = g"),
    kinks=(Kink((1.0, 1.0), (1.0,)),), source="{sum_rule}",
)  # fmt: skip
