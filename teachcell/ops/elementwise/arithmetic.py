"""Element-wise arithmetic of one and two inputs: one declaration per op."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.card import Kink
from ...core.define import define
from ...core.dtypes import float64
from ...core.op import POSITIVE, TENSORS
from ...core.public import public
from ...core.record import operand
from ...core.tensor import Tensor
from ...kernels import elementary
from ...kernels import elementwise as K
from ...texts import say

scale = define(
    "scale", K.scale, (lambda F, g, out, x, factor: F.scale(g, factor),),
    keeps="", public=False, floats=(0,), elementwise=True, card=("y = c · x", "∂x = c · g"), source="{linearity}",
)  # fmt: skip
shift = define(
    "shift", K.shift, (lambda F, g, out, x, amount: g,),
    keeps="", public=False, floats=(0,), elementwise=True, card=("y = x + c", "∂x = g"), source="{sum_rule}",
)  # fmt: skip
add = define(
    "add", np.add, (lambda F, g, out, x, y: g, lambda F, g, out, x, y: g),
    keeps="", primitive="Add", elementwise=True, operator="add",
    card=("z = x + y", "∂x = g", "∂y = g"), source="{sum_rule}",
)  # fmt: skip
subtract_op = define(
    "subtract", np.subtract, (lambda F, g, out, x, y: g, lambda F, g, out, x, y: F.negative(g)),
    keeps="", primitive="Sub", elementwise=True, names=("sub",), operator="sub",
    card=("z = x − y", "∂x = g", "∂y = −g"), source="{sum_rule}",
)  # fmt: skip
multiply = define(
    "multiply", np.multiply,
    (lambda F, g, out, x, y: F.multiply(g, y), lambda F, g, out, x, y: F.multiply(g, x)),
    primitive="Mul", elementwise=True, names=("mul", "multiply"), operator="mul",
    methods=("mul", "multiply"),
    card=("z = x · y", "∂x = g · y", "∂y = g · x"), source="{product_rule}",
)  # fmt: skip
divide = define(
    "divide", K.divide,
    (
        lambda F, g, out, x, y: F.divide(g, y),
        lambda F, g, out, x, y: F.negative(F.divide(F.multiply(g, out), y)),
    ),
    called=("dividend", "divisor"), keeps="inputs output", primitive="RealDiv", elementwise=True, label="Div",
    names=("true_divide",), operator="truediv", domain=POSITIVE,
    card=("z = x / y", "∂x = g / y", "∂y = −g · z / y"),
    kinks=(Kink((1.0, 0.0), (np.inf, -np.inf)),), source="{quotient_rule}",
)  # fmt: skip
floor_divide = define(
    "floor_divide", K.floor_divide, None, arity=2, primitive="FloorDiv", names=("floor_divide", "floor_div"),
    operator="floordiv", methods=("floor_divide",), card=("z = ⌊x / y⌋",), source="{steps}",
)  # fmt: skip
truncate_div = define(
    "truncate_div", K.truncate_div, None, called=("x", "y"), arity=2, primitive="TruncateDiv",
    card=("z = trunc(x / y)",), source="{steps}",
)  # fmt: skip
mod = define(
    "mod", K.mod,
    (lambda F, g, out, x, y: g, lambda F, g, out, x, y: F.negative(F.multiply(g, F.floor_divide(x, y)))),
    primitive="FloorMod", names=("floor_mod", "remainder"), operator="mod", methods=("remainder",), domain=POSITIVE,
    card=("z = x − y · ⌊x / y⌋", "∂x = g", "∂y = −g · ⌊x / y⌋"),
    kinks=(Kink((4.0, 2.0), (1.0, -2.0)),), source="{piecewise}",
)  # fmt: skip
fmod = define(
    "fmod", K.fmod,
    (lambda F, g, out, x, y: g, lambda F, g, out, x, y: F.negative(F.multiply(g, F.truncate_div(x, y)))),
    primitive="TruncateMod", label="FMod", names=("fmod", "truncate_mod"), methods=("fmod",), domain=POSITIVE,
    card=("z = x − y · trunc(x / y)", "∂x = g", "∂y = −g · trunc(x / y)"),
    kinks=(Kink((-4.0, 2.0), (1.0, 2.0)),), source="{piecewise}",
)  # fmt: skip
public(primitive="Div")(divide)
public(primitive="Mod")(fmod)


@public("div", "divide", methods=("div", "divide", "true_divide"))
def div(input: Any, other: Any, *, rounding_mode: str | None = None) -> Tensor:
    """The quotient; ``rounding_mode`` "floor" or "trunc" makes it whole, downwards or towards 0."""
    if rounding_mode not in (None, "floor", "trunc"):
        raise ValueError(say("errors.rounding_mode", got=repr(rounding_mode)))
    quotient = {None: divide, "floor": floor_divide, "trunc": truncate_div}[rounding_mode]
    return quotient(input, other)


@public(methods=("add",))
def _add(self: Any, other: Any, *, alpha: float = 1) -> Tensor:
    """``self + alpha · other``."""
    return add(self, other if alpha == 1 else multiply(other, alpha))


@public("subtract", methods=("sub", "subtract"))
def subtract(input: Any, other: Any, *, alpha: float = 1) -> Tensor:
    """``input − alpha · other``."""
    return subtract_op(input, other if alpha == 1 else multiply(other, alpha))


def _power_base(F: Any, g: Any, out: Any, x: Any, y: Any) -> Any:
    """g · y · x^(y−1); 0 where y = 0, also at x = 0."""
    constant = F.equal(y, 0.0)
    slope = F.multiply(y, F.power(x, F.select(constant, F.ones_like(y), F.shift(y, -1.0))))
    return F.multiply(g, F.select(constant, F.zeros_like(y), slope))


def _power_exponent(F: Any, g: Any, out: Any, x: Any, y: Any) -> Any:
    """g · z · ln x; 0 at x = 0, where z is 0 or constant."""
    return F.multiply(F.multiply(g, out), F.log(F.select(F.equal(x, 0.0), F.ones_like(x), x)))


power = define(
    "power", K.power, (_power_base, _power_exponent), called=("input", "exponent"), keeps="inputs output",
    primitive="Pow", names=("pow",),
    operator="pow", methods=("pow",), domain=POSITIVE, card=("z = x^y", "∂x = g · y · x^(y−1)", "∂y = g · z · ln x"),
    kinks=(Kink((0.0, 0.0), (0.0, 0.0)), Kink((0.0, 1.0), (1.0, 0.0))), source="{power_rule}",
)  # fmt: skip


@public("float_power", "float_power_ext", methods=("float_power",))
def float_power(input: Any, exponent: Any) -> Tensor:
    """``input`` to the power of ``exponent``, both as float64."""
    base, exponent = [TENSORS.cast(operand(value), dtype=float64) for value in (input, exponent)]
    return power(base, exponent)


negative = define(
    "negative", np.negative, (lambda F, g, out, x: F.negative(g),),
    keeps="", primitive="Neg", names=("neg", "negative"), operator="neg", methods=("neg", "negative"),
    elementwise=True, card=("y = −x", "∂x = −g"), source="{linearity}",
)  # fmt: skip
positive = define(
    "positive", np.positive, (lambda F, g, out, x: g,),
    keeps="", operator="pos", methods=("positive",), elementwise=True, card=("y = +x", "∂x = g"), source="{linearity}",
)  # fmt: skip
square = define(
    "square", np.square, (lambda F, g, out, x: F.multiply(F.scale(g, 2.0), x),),
    primitive="Square", methods=("square",), elementwise=True, card=("y = x²", "∂x = 2 · g · x"), source="{power_rule}",
)  # fmt: skip
reciprocal = define(
    "reciprocal", elementary.reciprocal, (lambda F, g, out, x: F.negative(F.multiply(g, F.multiply(out, out))),),
    keeps="output", floats=(0,), primitive="Reciprocal", names=("reciprocal", "inv"), methods=("reciprocal", "inv"),
    domain=POSITIVE, elementwise=True,
    card=("y = 1 / x", "∂x = −g · y²"), kinks=(Kink((0.0,), (-np.inf,)),), source="{power_rule}",
)  # fmt: skip
public(primitive="Inv")(reciprocal)
