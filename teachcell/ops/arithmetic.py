"""Element-wise arithmetic: one declaration per op."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.define import define, pair
from ..core.op import POSITIVE, TENSORS
from ..core.tensor import Tensor, wrap
from ..kernels import elementwise as K

scale = define(
    "scale", K.scale, (lambda F, g, out, x, factor: F.scale(g, factor),),
    keeps="", public=False, card=("y = c · x", "∂x = c · g"),
)  # fmt: skip
shift = define(
    "shift", K.shift, (lambda F, g, out, x, amount: g,), keeps="", public=False, card=("y = x + c", "∂x = g"),
)  # fmt: skip
add = define(
    "add", np.add, (lambda F, g, out, x, y: g, lambda F, g, out, x, y: g),
    keeps="", primitive="Add", elementwise=True, operator="add", methods=("add",),
    card=("z = x + y", "∂x = g", "∂y = g"),
)  # fmt: skip
subtract = define(
    "subtract", np.subtract, (lambda F, g, out, x, y: g, lambda F, g, out, x, y: F.negative(g)),
    keeps="", primitive="Sub", elementwise=True, names=("sub", "subtract"), operator="sub",
    methods=("sub", "subtract"),
    card=("z = x − y", "∂x = g", "∂y = −g"),
)  # fmt: skip
multiply = define(
    "multiply", np.multiply,
    (lambda F, g, out, x, y: F.multiply(g, y), lambda F, g, out, x, y: F.multiply(g, x)),
    primitive="Mul", elementwise=True, names=("mul", "multiply"), operator="mul",
    methods=("mul", "multiply"),
    card=("z = x · y", "∂x = g · y", "∂y = g · x"),
)  # fmt: skip
divide = define(
    "divide", K.divide,
    (
        lambda F, g, out, x, y: F.divide(g, y),
        lambda F, g, out, x, y: F.negative(F.divide(F.multiply(g, x), F.multiply(y, y))),
    ),
    primitive="RealDiv", elementwise=True, label="Div", names=("div", "divide", "true_divide"), operator="truediv",
    methods=("div", "divide", "true_divide"), domain=POSITIVE, card=("z = x / y", "∂x = g / y", "∂y = −g · x / y²"),
)  # fmt: skip
floor_divide = define(
    "floor_divide", K.floor_divide, None, arity=2, primitive="FloorDiv", names=("floor_divide", "floor_div"),
    operator="floordiv", methods=("floor_divide",), card=("z = ⌊x / y⌋",),
)  # fmt: skip
mod = define(
    "mod", K.mod,
    (lambda F, g, out, x, y: g, lambda F, g, out, x, y: F.negative(F.multiply(g, F.floor_divide(x, y)))),
    primitive="FloorMod", names=("floor_mod", "remainder"), operator="mod", domain=POSITIVE,
    card=("z = x − y · ⌊x / y⌋", "∂x = g", "∂y = −g · ⌊x / y⌋"),
)  # fmt: skip


def _power_base(F: Any, g: Any, out: Any, x: Any, y: Any) -> Any:
    """g · y · x^(y−1); 0 where y = 0, also at x = 0."""
    return F.multiply(g, F.power_slope(x, y))


def _power_exponent(F: Any, g: Any, out: Any, x: Any, y: Any) -> Any:
    return F.multiply(F.multiply(g, out), F.safe_log(x))


power = define(
    "power", K.power, (_power_base, _power_exponent), keeps="inputs output", primitive="Pow", names=("pow",),
    operator="pow", methods=("pow",), domain=POSITIVE, card=("z = x^y", "∂x = g · y · x^(y−1)", "∂y = g · z · ln x"),
)  # fmt: skip


def _power_slope(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    slope = y * K.power(x, np.where(y == 0, x.dtype.type(1), y - y.dtype.type(1)))
    return np.where(y == 0, x.dtype.type(0), slope)


def _power_slope_twin(x: Tensor, y: Tensor) -> Tensor:
    zero = y._array == 0
    exponent = TENSORS.select(wrap(zero), wrap(np.ones_like(y._array)), shift(y, -1.0))
    return TENSORS.select(wrap(zero), wrap(np.zeros_like(y._array)), multiply(y, power(x, exponent)))


def _safe_log(x: np.ndarray) -> np.ndarray:
    return K.log(np.where(x == 0, x.dtype.type(1), x))


def _safe_log_twin(x: Tensor) -> Tensor:
    return log(TENSORS.select(wrap(x._array == 0), wrap(np.ones_like(x._array)), x))


pair("power_slope", _power_slope, _power_slope_twin)
pair("safe_log", _safe_log, _safe_log_twin)

negative = define(
    "negative", np.negative, (lambda F, g, out, x: F.negative(g),),
    keeps="", primitive="Neg", names=("neg", "negative"), operator="neg", methods=("neg", "negative"),
    card=("y = −x", "∂x = −g"),
)  # fmt: skip
positive = define(
    "positive", np.positive, (lambda F, g, out, x: g,), keeps="", operator="pos",
    card=("y = +x", "∂x = g"),
)  # fmt: skip
absolute = define(
    "absolute", np.absolute, (lambda F, g, out, x: F.multiply(g, F.sign(x)),),
    primitive="Abs", names=("abs", "absolute"), operator="abs", methods=("abs", "absolute"), domain=POSITIVE,
    card=("y = |x|", "∂x = g · sign x {at_zero}"),
)  # fmt: skip
sign = define("sign", np.sign, None, primitive="Sign", methods=("sign",), card=("y = sign x",))
floor = define("floor", K.floor, None, primitive="Floor", methods=("floor",), card=("y = ⌊x⌋",))
ceil = define("ceil", K.ceil, None, primitive="Ceil", methods=("ceil",), card=("y = ⌈x⌉",))
round_ = define("round", K.rint, None, primitive="Rint", label="Round", methods=("round",), card=("y = x {rounded}",))
square = define(
    "square", np.square, (lambda F, g, out, x: F.multiply(F.scale(g, 2.0), x),),
    primitive="Square", methods=("square",), card=("y = x²", "∂x = 2 · g · x"),
)  # fmt: skip
sqrt = define(
    "sqrt", K.sqrt, (lambda F, g, out, x: F.divide(F.scale(g, 0.5), out),),
    keeps="output", floats=(0,), primitive="Sqrt", methods=("sqrt",), domain=POSITIVE,
    card=("y = √x", "∂x = g / (2 · y)"),
)  # fmt: skip
rsqrt = define(
    "rsqrt", K.rsqrt,
    (lambda F, g, out, x: F.multiply(F.scale(g, -0.5), F.multiply(out, F.multiply(out, out))),),
    keeps="output", floats=(0,), primitive="Rsqrt", methods=("rsqrt",), domain=POSITIVE,
    card=("y = 1 / √x", "∂x = −½ · g · y³"),
)  # fmt: skip
exp = define(
    "exp", K.exp, (lambda F, g, out, x: F.multiply(g, out),),
    keeps="output", floats=(0,), primitive="Exp", methods=("exp",), card=("y = eˣ", "∂x = g · y"),
)  # fmt: skip
log = define(
    "log", K.log, (lambda F, g, out, x: F.divide(g, x),),
    floats=(0,), primitive="Log", methods=("log",), domain=POSITIVE, card=("y = ln x", "∂x = g / x"),
)  # fmt: skip
sin = define(
    "sin", np.sin, (lambda F, g, out, x: F.multiply(g, F.cos(x)),),
    floats=(0,), primitive="Sin", methods=("sin",), card=("y = sin x", "∂x = g · cos x"),
)  # fmt: skip
cos = define(
    "cos", np.cos, (lambda F, g, out, x: F.negative(F.multiply(g, F.sin(x))),),
    floats=(0,), primitive="Cos", methods=("cos",), card=("y = cos x", "∂x = −g · sin x"),
)  # fmt: skip

pair("larger_share", K.larger_share, lambda x, y: wrap(K.larger_share(x._array, y._array)))
maximum = define(
    "maximum", np.maximum,
    (
        lambda F, g, out, x, y: F.multiply(g, F.larger_share(x, y)),
        lambda F, g, out, x, y: F.multiply(g, F.larger_share(y, x)),
    ),
    primitive="Maximum", methods=("maximum",),
    card=("z = max(x, y)", "∂x = g · [x > y]", "∂y = g · [y > x] {tie}"),
)  # fmt: skip
minimum = define(
    "minimum", np.minimum,
    (
        lambda F, g, out, x, y: F.multiply(g, F.larger_share(y, x)),
        lambda F, g, out, x, y: F.multiply(g, F.larger_share(x, y)),
    ),
    primitive="Minimum", methods=("minimum",),
    card=("z = min(x, y)", "∂x = g · [x < y]", "∂y = g · [y < x] {tie}"),
)  # fmt: skip

pair("clamp_share", K.clamp_share, lambda x, low, high: wrap(K.clamp_share(x._array, low, high)))
clamp = define(
    "clamp", K.clamp,
    (lambda F, g, out, x, min=None, max=None: F.multiply(g, F.clamp_share(x, min, max)),),
    names=("clamp", "clip"), methods=("clamp", "clip"),
    card=("y = min(max(x, low), high)", "∂x = g {clamped}"),
)  # fmt: skip
