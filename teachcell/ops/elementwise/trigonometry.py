"""Trigonometric and hyperbolic functions, their inverses, and angles."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...core.card import Kink
from ...core.define import define
from ...core.op import TENSORS as T
from ...core.public import public
from ...core.record import operand
from ...core.tensor import Tensor
from ...kernels import elementary as K

INSIDE_ONE = (-0.9, 0.9)

sin = define(
    "sin", K.sin, (lambda F, g, out, x: F.multiply(g, F.cos(x)),),
    floats=(0,), primitive="Sin", methods=("sin",), card=("y = sin x", "∂x = g · cos x"), source="DLMF §4.20",
)  # fmt: skip
cos = define(
    "cos", K.cos, (lambda F, g, out, x: F.negative(F.multiply(g, F.sin(x))),),
    floats=(0,), primitive="Cos", methods=("cos",), card=("y = cos x", "∂x = −g · sin x"), source="DLMF §4.20",
)  # fmt: skip
tan = define(
    "tan", K.tan, (lambda F, g, out, x: F.multiply(g, F.shift(F.square(out), 1.0)),),
    keeps="output", floats=(0,), primitive="Tan", methods=("tan",), domain=(-1.2, 1.2),
    card=("y = tan x", "∂x = g · (1 + y²)"), source="DLMF §4.20",
)  # fmt: skip


def _one_minus_square(F: Any, x: Any) -> Any:
    """(1 − x) · (1 + x), which near ±1 keeps the digits that 1 − x² loses."""
    return F.multiply(F.one_minus(x), F.shift(x, 1.0))


asin = define(
    "asin", K.asin, (lambda F, g, out, x: F.divide(g, F.sqrt(_one_minus_square(F, x))),),
    floats=(0,), primitive="Asin", names=("asin", "arcsin"), methods=("asin", "arcsin"), domain=INSIDE_ONE,
    card=("y = arcsin x", "∂x = g / √(1 − x²)"), kinks=(Kink((1.0,), (np.inf,)),), source="DLMF §4.24",
)  # fmt: skip
acos = define(
    "acos", K.acos, (lambda F, g, out, x: F.negative(F.divide(g, F.sqrt(_one_minus_square(F, x)))),),
    floats=(0,), primitive="ACos", names=("acos", "arccos"), methods=("acos", "arccos"), domain=INSIDE_ONE,
    card=("y = arccos x", "∂x = −g / √(1 − x²)"), kinks=(Kink((1.0,), (-np.inf,)),), source="DLMF §4.24",
)  # fmt: skip


def _hypotenuse(F: Any, x: Any) -> Any:
    """√(x² + 1), without overflow on the way."""
    return F.hypot(x, F.ones_like(x))


def _atan_slope(F: Any, g: Any, out: Any, x: Any) -> Any:
    hypotenuse = _hypotenuse(F, x)
    return F.divide(F.divide(g, hypotenuse), hypotenuse)


atan = define(
    "atan", K.atan, (_atan_slope,),
    floats=(0,), primitive="Atan", names=("atan", "arctan"), methods=("atan", "arctan"),
    card=("y = arctan x", "∂x = g / (1 + x²)"), source="DLMF §4.24",
)  # fmt: skip


def _over_squared_radius(F: Any, value: Any, x: Any, y: Any) -> Any:
    radius = F.hypot(x, y)
    return F.divide(F.divide(value, radius), radius)


atan2 = define(
    "atan2", K.atan2,
    (
        lambda F, g, out, x, y: F.multiply(g, _over_squared_radius(F, y, x, y)),
        lambda F, g, out, x, y: F.negative(F.multiply(g, _over_squared_radius(F, x, x, y))),
    ),
    primitive="Atan2", names=("atan2", "arctan2"), methods=("atan2", "arctan2"), domain=(0.3, 2.0),
    card=("z = arctan(x / y) {of_quadrant}", "∂x = g · y / (x² + y²)", "∂y = −g · x / (x² + y²)"),
    source="DLMF §4.24",
)  # fmt: skip
sinh = define(
    "sinh", K.sinh, (lambda F, g, out, x: F.multiply(g, F.cosh(x)),),
    floats=(0,), primitive="Sinh", methods=("sinh",), card=("y = sinh x", "∂x = g · cosh x"), source="DLMF §4.34",
)  # fmt: skip
cosh = define(
    "cosh", K.cosh, (lambda F, g, out, x: F.multiply(g, F.sinh(x)),),
    floats=(0,), primitive="Cosh", methods=("cosh",), card=("y = cosh x", "∂x = g · sinh x"), source="DLMF §4.34",
)  # fmt: skip
asinh = define(
    "asinh", K.asinh, (lambda F, g, out, x: F.divide(g, _hypotenuse(F, x)),),
    floats=(0,), primitive="Asinh", names=("asinh", "arcsinh"), methods=("asinh", "arcsinh"),
    card=("y = arsinh x", "∂x = g / √(x² + 1)"), source="DLMF §4.38",
)  # fmt: skip
acosh = define(
    "acosh", K.acosh,
    (lambda F, g, out, x: F.divide(g, F.multiply(F.sqrt(F.shift(x, -1.0)), F.sqrt(F.shift(x, 1.0)))),),
    floats=(0,), primitive="Acosh", names=("acosh", "arccosh"), methods=("acosh", "arccosh"), domain=(1.2, 3.0),
    card=("y = arcosh x", "∂x = g / √(x² − 1)"), kinks=(Kink((1.0,), (np.inf,)),), source="DLMF §4.38",
)  # fmt: skip
atanh = define(
    "atanh", K.atanh, (lambda F, g, out, x: F.divide(g, _one_minus_square(F, x)),),
    floats=(0,), primitive="Atanh", names=("atanh", "arctanh"), methods=("atanh", "arctanh"), domain=INSIDE_ONE,
    card=("y = artanh x", "∂x = g / (1 − x²)"), kinks=(Kink((1.0,), (np.inf,)),), source="DLMF §4.38",
)  # fmt: skip
sinc = define(
    "sinc", K.sinc, (lambda F, g, out, x: F.multiply(g, F.sinc_slope(x, order=1)),),
    floats=(0,), primitive="Sinc", methods=("sinc",), card=("y = sin πx / πx", "∂x = g · (cos πx − y) / x"),
    kinks=(Kink((0.0,), (0.0,)),), source="{quotient_rule}",
)  # fmt: skip
sinc_slope = define(
    "sinc_slope", K.sinc_slope,
    (lambda F, g, out, x, order: F.multiply(g, F.sinc_slope(x, order=order + 1)),),
    public=False, card=("y = sinc⁽ⁿ⁾ x", "∂x = g · sinc⁽ⁿ⁺¹⁾ x"), source="{quotient_rule}",
)  # fmt: skip


@public("deg2rad", methods=("deg2rad",))
def deg2rad(x: Any) -> Tensor:
    """Degrees as radians: x · π / 180."""
    return T.multiply(operand(x), math.pi / 180)


@public("rad2deg", methods=("rad2deg",))
def rad2deg(x: Any) -> Tensor:
    """Radians as degrees: x · 180 / π."""
    return T.multiply(operand(x), 180 / math.pi)
