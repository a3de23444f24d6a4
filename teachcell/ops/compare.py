"""Comparisons, logic and questions about values: Bool results, no gradient."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.define import define
from ..core.public import public
from ..core.tensor import Tensor
from ..kernels import compare as K

equal = define(
    "equal", np.equal, None, primitive="Equal", names=("equal", "eq"), methods=("equal", "eq"),
    card=("z = [x = y]",), source="{steps}",
)  # fmt: skip
not_equal = define(
    "not_equal", np.not_equal, None, primitive="NotEqual", names=("not_equal", "ne"),
    methods=("not_equal", "ne"), card=("z = [x ≠ y]",), source="{steps}",
)  # fmt: skip
greater = define(
    "greater", np.greater, None, primitive="Greater", names=("greater", "gt"), operator="gt",
    methods=("greater", "gt"), card=("z = [x > y]",), source="{steps}",
)  # fmt: skip
greater_equal = define(
    "greater_equal", np.greater_equal, None, primitive="GreaterEqual", names=("greater_equal", "ge"),
    operator="ge", methods=("greater_equal", "ge"), card=("z = [x ≥ y]",), source="{steps}",
)  # fmt: skip
less = define(
    "less", np.less, None, primitive="Less", names=("less", "lt"), operator="lt", methods=("less", "lt"),
    card=("z = [x < y]",), source="{steps}",
)  # fmt: skip
less_equal = define(
    "less_equal", np.less_equal, None, primitive="LessEqual", names=("less_equal", "le"), operator="le",
    methods=("less_equal", "le"), card=("z = [x ≤ y]",), source="{steps}",
)  # fmt: skip
isclose = define(
    "isclose", K.isclose, None, arity=2, primitive="IsClose", methods=("isclose",),
    card=("z = [|x − y| ≤ atol + rtol · |y|]",), source="{steps}",
)  # fmt: skip
approximate_equal = define(
    "approximate_equal", K.approximate_equal, None, arity=2, primitive="ApproximateEqual",
    methods=("approximate_equal",), card=("z = [|x − y| < tolerance]",), source="{steps}",
)  # fmt: skip
logical_and = define(
    "logical_and", np.logical_and, None, primitive="LogicalAnd", methods=("logical_and",),
    card=("z = x ∧ y",), source="{steps}",
)  # fmt: skip
logical_or = define(
    "logical_or", np.logical_or, None, primitive="LogicalOr", methods=("logical_or",), card=("z = x ∨ y",),
    source="{steps}",
)  # fmt: skip
logical_xor = define(
    "logical_xor", np.logical_xor, None, primitive="LogicalXor", methods=("logical_xor",), card=("z = x ⊻ y",),
    source="{steps}",
)  # fmt: skip
logical_not = define(
    "logical_not", np.logical_not, None, primitive="LogicalNot", methods=("logical_not",), card=("y = ¬x",),
    source="{steps}",
)  # fmt: skip
isnan = define(
    "isnan", np.isnan, None, primitive="IsNan", methods=("isnan",), card=("y = [x = NaN]",), source="{steps}",
)  # fmt: skip
isinf = define(
    "isinf", np.isinf, None, primitive="IsInf", methods=("isinf",), card=("y = [x = ±∞]",), source="{steps}",
)  # fmt: skip
isfinite = define(
    "isfinite", np.isfinite, None, primitive="IsFinite", methods=("isfinite",), card=("y = [|x| < ∞]",),
    source="{steps}",
)  # fmt: skip
isposinf = define(
    "isposinf", K.isposinf, None, methods=("isposinf",), card=("y = [x = ∞]",), source="{steps}",
)  # fmt: skip
isneginf = define(
    "isneginf", K.isneginf, None, methods=("isneginf",), card=("y = [x = −∞]",), source="{steps}",
)  # fmt: skip


@public(methods=("allclose",))
def allclose(self: Tensor, other: Any, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False) -> bool:
    """Whether all elements are close to those of ``other``."""
    return bool(isclose(self, other, rtol, atol, equal_nan)._array.all())


_VALUES = (Tensor, bool, int, float, list, tuple, np.ndarray, np.generic)


def _eq(self: Tensor, other: Any) -> Any:
    return equal(self, other) if isinstance(other, _VALUES) else NotImplemented  # Python then says False


def _ne(self: Tensor, other: Any) -> Any:
    return not_equal(self, other) if isinstance(other, _VALUES) else NotImplemented


Tensor.__eq__ = _eq  # type: ignore[method-assign, assignment]
Tensor.__ne__ = _ne  # type: ignore[method-assign, assignment]
