"""Arithmetic that does several steps at once, and arithmetic with 0 where NaN would be."""

from __future__ import annotations

import math
from typing import Any

from ...core.card import Kink
from ...core.define import define
from ...core.op import POSITIVE
from ...core.op import TENSORS as T
from ...core.public import public
from ...core.tensor import Tensor
from ...kernels import elementwise as K

squared_difference = define(
    "squared_difference", K.squared_difference,
    (
        lambda F, g, out, x, y: F.multiply(F.scale(g, 2.0), F.subtract(x, y)),
        lambda F, g, out, x, y: F.multiply(F.scale(g, 2.0), F.subtract(y, x)),
    ),
    primitive="SquaredDifference", card=("z = (x − y)²", "∂x = 2 · g · (x − y)", "∂y = 2 · g · (y − x)"),
    source="{power_rule}",
)  # fmt: skip
lerp = define(
    "lerp", K.lerp,
    (
        lambda F, g, out, x, y, weight: F.subtract(g, F.multiply(g, weight)),
        lambda F, g, out, x, y, weight: F.multiply(g, weight),
        lambda F, g, out, x, y, weight: F.multiply(g, F.subtract(y, x)),
    ),
    called=("input", "end", "weight"), floats=(0,), primitive="Lerp", init=(), methods=("lerp",),
    card=("z = x + w · (y − x)", "∂x = g · (1 − w)", "∂y = g · w", "∂w = g · (y − x)"), source="{product_rule}",
)  # fmt: skip
addn = define(
    "addn", K.add_all, lambda F, g, out, wanted, *inputs: [g] * len(inputs),
    called=("x",), keeps="", variadic=True, primitive="AddN", names=("addn", "accumulate_n"),
    card=("y = Σ xᵢ", "∂xᵢ = g"), source="{sum_rule}",
)  # fmt: skip
public(primitive="AccumulateNV2")(addn)
div_no_nan = define(
    "div_no_nan", K.div_no_nan,
    (
        lambda F, g, out, x, y: F.div_no_nan(g, y),
        lambda F, g, out, x, y: F.negative(F.div_no_nan(F.multiply(g, out), y)),
    ),
    keeps="inputs output", primitive="DivNoNan", domain=POSITIVE,
    card=("z = x / y {zero_divisor}", "∂x = g / y", "∂y = −g · z / y"),
    kinks=(Kink((1.0, 0.0), (0.0, 0.0)),), source="{quotient_rule}",
)  # fmt: skip
mul_no_nan = define(
    "mul_no_nan", K.mul_no_nan,
    (lambda F, g, out, x, y: F.mul_no_nan(g, y), lambda F, g, out, x, y: F.mul_no_nan(x, g)),
    primitive="MulNoNan", card=("z = x · y {zero_divisor}", "∂x = g · y", "∂y = g · x"), source="{product_rule}",
)  # fmt: skip


def _unless(F: Any, poor: Any, x: Any, y: Any, other: float) -> Any:
    """y, but ``other`` where ``poor`` and x = 0: where the value was taken as 0 although y gives none."""
    return F.select(F.logical_and(poor, F.equal(x, 0.0)), F.shift(F.zeros_like(y), other), y)


xdivy = define(
    "xdivy", K.xdivy,
    (
        lambda F, g, out, x, y: F.divide(g, _unless(F, F.equal(y, 0.0), x, y, math.inf)),
        lambda F, g, out, x, y: F.negative(F.multiply(g, F.xdivy(out, y))),
    ),
    called=("x", "y"), keeps="inputs output", primitive="Xdivy", methods=("xdivy",), domain=POSITIVE,
    card=("z = x / y {zero_dividend}", "∂x = g / y", "∂y = −g · z / y"),
    kinks=(Kink((0.0, 0.0), (0.0, 0.0)),), source="{quotient_rule}",
)  # fmt: skip
xlogy = define(
    "xlogy", K.xlogy,
    (
        lambda F, g, out, x, y: F.multiply(g, F.log(_unless(F, F.less_equal(y, 0.0), x, y, 1.0))),
        lambda F, g, out, x, y: F.multiply(g, F.xdivy(x, y)),
    ),
    primitive="Xlogy", methods=("xlogy",), domain=POSITIVE,
    card=("z = x · ln y {zero_dividend}", "∂x = g · ln y", "∂y = g · x / y"),
    kinks=(Kink((0.0, 0.0), (0.0, 0.0)),), source="{product_rule}",
)  # fmt: skip


@public("addcmul", methods=("addcmul",), primitive="Addcmul")
def addcmul(input: Any, tensor1: Any, tensor2: Any, value: Any = 1) -> Tensor:
    """``input + value · tensor1 · tensor2``."""
    return T.add(input, _times(value, T.multiply(tensor1, tensor2)))


@public("addcdiv", methods=("addcdiv",), primitive="Addcdiv")
def addcdiv(input: Any, tensor1: Any, tensor2: Any, value: Any = 1) -> Tensor:
    """``input + value · tensor1 / tensor2``."""
    return T.add(input, _times(value, T.divide(tensor1, tensor2)))


def _times(value: Any, x: Tensor) -> Tensor:
    """value · x; x itself where ``value`` is the number 1."""
    return x if isinstance(value, int) and value == 1 else T.multiply(value, x)


@public("ldexp", methods=("ldexp",))
def ldexp(x: Any, other: Any) -> Tensor:
    """``x · 2^other``."""
    return T.multiply(x, T.exp2(other))
