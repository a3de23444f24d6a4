"""Whole numbers: bits, shifts, common divisors. They have no gradient."""

from __future__ import annotations

from ...core.define import define
from ...kernels import bits as K

bitwise_and = define(
    "bitwise_and", K.bitwise_and, None, arity=2, primitive="BitwiseAnd", operator="and", methods=("bitwise_and",),
    card=("z = x & y",), source="{discrete}",
)  # fmt: skip
bitwise_or = define(
    "bitwise_or", K.bitwise_or, None, arity=2, primitive="BitwiseOr", operator="or", methods=("bitwise_or",),
    card=("z = x | y",), source="{discrete}",
)  # fmt: skip
bitwise_xor = define(
    "bitwise_xor", K.bitwise_xor, None, arity=2, primitive="BitwiseXor", operator="xor", methods=("bitwise_xor",),
    card=("z = x ^ y",), source="{discrete}",
)  # fmt: skip
bitwise_not = define(
    "bitwise_not", K.bitwise_not, None, called=("x",), primitive="Invert", names=("bitwise_not", "invert"),
    operator="invert", methods=("bitwise_not", "invert"), card=("y = ~x",), source="{discrete}",
)  # fmt: skip
left_shift = define(
    "left_shift", K.left_shift, None, arity=2, primitive="LeftShift", names=("bitwise_left_shift",),
    methods=("bitwise_left_shift",), card=("z = x · 2^y",), source="{discrete}",
)  # fmt: skip
right_shift = define(
    "right_shift", K.right_shift, None, arity=2, primitive="RightShift", names=("bitwise_right_shift",),
    methods=("bitwise_right_shift",), card=("z = ⌊x / 2^y⌋",), source="{discrete}",
)  # fmt: skip
population_count = define(
    "population_count", K.population_count, None, called=("input_x",), primitive="PopulationCount",
    card=("y = Σ bᵢ, {with} x = Σ bᵢ · 2ⁱ",), source="{discrete}",
)  # fmt: skip
gcd = define(
    "gcd", K.gcd, None, arity=2, primitive="Gcd", methods=("gcd",), card=("z = gcd(x, y)",), source="{discrete}",
)  # fmt: skip
lcm = define(
    "lcm", K.lcm, None, arity=2, primitive="Lcm", methods=("lcm",), card=("z = lcm(x, y)",), source="{discrete}",
)  # fmt: skip
