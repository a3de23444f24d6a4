"""Comparisons and logic: Bool results, no gradient."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.define import define
from ..core.tensor import Tensor

equal = define(
    "equal", np.equal, None, primitive="Equal", names=("equal", "eq"), methods=("equal", "eq"),
    card=("z = [x = y]",),
)  # fmt: skip
not_equal = define(
    "not_equal", np.not_equal, None, primitive="NotEqual", names=("not_equal", "ne"),
    methods=("not_equal", "ne"), card=("z = [x ≠ y]",),
)  # fmt: skip
greater = define(
    "greater", np.greater, None, primitive="Greater", names=("greater", "gt"), operator="gt",
    methods=("greater", "gt"), card=("z = [x > y]",),
)  # fmt: skip
greater_equal = define(
    "greater_equal", np.greater_equal, None, primitive="GreaterEqual", names=("greater_equal", "ge"),
    operator="ge", methods=("greater_equal", "ge"), card=("z = [x ≥ y]",),
)  # fmt: skip
less = define(
    "less", np.less, None, primitive="Less", names=("less", "lt"), operator="lt", methods=("less", "lt"),
    card=("z = [x < y]",),
)  # fmt: skip
less_equal = define(
    "less_equal", np.less_equal, None, primitive="LessEqual", names=("less_equal", "le"), operator="le",
    methods=("less_equal", "le"), card=("z = [x ≤ y]",),
)  # fmt: skip
logical_and = define(
    "logical_and", np.logical_and, None, primitive="LogicalAnd", methods=("logical_and",),
    card=("z = x ∧ y",),
)  # fmt: skip
logical_or = define(
    "logical_or", np.logical_or, None, primitive="LogicalOr", methods=("logical_or",), card=("z = x ∨ y",)
)
logical_not = define(
    "logical_not", np.logical_not, None, primitive="LogicalNot", methods=("logical_not",), card=("y = ¬x",)
)
bitwise_and = define("bitwise_and", np.bitwise_and, None, operator="and", card=("z = x & y",))
bitwise_or = define("bitwise_or", np.bitwise_or, None, operator="or", card=("z = x | y",))
bitwise_xor = define("bitwise_xor", np.bitwise_xor, None, operator="xor", card=("z = x ^ y",))
bitwise_not = define("bitwise_not", np.invert, None, operator="invert", card=("y = ~x",))


_VALUES = (Tensor, bool, int, float, list, tuple, np.ndarray, np.generic)


def _eq(self: Tensor, other: Any) -> Any:
    return equal(self, other) if isinstance(other, _VALUES) else NotImplemented  # Python then says False


def _ne(self: Tensor, other: Any) -> Any:
    return not_equal(self, other) if isinstance(other, _VALUES) else NotImplemented


Tensor.__eq__ = _eq  # type: ignore[method-assign, assignment]
Tensor.__ne__ = _ne  # type: ignore[method-assign, assignment]
