"""Comparisons, logic and questions about values: Bool results, no gradient."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.define import define
from ...core.op import TENSORS
from ...core.public import public
from ...core.record import operand
from ...core.tensor import Tensor, wrap
from ...kernels import compare as K
from ...texts import say

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
    "approximate_equal", K.approximate_equal, None, called=("x", "y"), arity=2, primitive="ApproximateEqual",
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
    "isnan", np.isnan, None, primitive="IsNan", names=("isnan", "isnan_ext"), methods=("isnan",),
    card=("y = [x = NaN]",), source="{steps}",
)  # fmt: skip
isinf = define(
    "isinf", np.isinf, None, primitive="IsInf", methods=("isinf",), card=("y = [x = ±∞]",), source="{steps}",
)  # fmt: skip
isfinite = define(
    "isfinite", np.isfinite, None, primitive="IsFinite", methods=("isfinite",), card=("y = [|x| < ∞]",),
    source="{steps}",
)  # fmt: skip
isposinf = define(
    "isposinf", K.isposinf, None, label="IsPosInf", methods=("isposinf",), card=("y = [x = ∞]",), source="{steps}",
)  # fmt: skip
isneginf = define(
    "isneginf", K.isneginf, None, label="IsNegInf", methods=("isneginf",), card=("y = [x = −∞]",), source="{steps}",
)  # fmt: skip


@public(methods=("allclose",))
def allclose(self: Tensor, other: Any, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False) -> bool:
    """Whether all elements are close to those of ``other``."""
    return bool(isclose(self, other, rtol, atol, equal_nan)._array.all())


@public("is_floating_point", methods=("is_floating_point",))
def is_floating_point(input: Tensor) -> bool:
    """Whether the dtype is one of floats."""
    return operand(input)._array.dtype.kind == "f"


@public("is_nonzero")
def is_nonzero(input: Tensor) -> bool:
    """Whether the only element is not 0; ValueError if there are more."""
    return bool(operand(input).item())


@public("eps", primitive="Eps")
def eps(x: Any) -> Tensor:
    """For every element the distance from 1 to the next number in x's dtype (float32 for integers)."""
    array = operand(x)._array
    dtype = array.dtype if array.dtype.kind == "f" else np.dtype(np.float32)
    return wrap(np.full(array.shape, np.finfo(dtype).eps, dtype))


@public(primitive="CheckNumerics")
def _check_numerics(x: Any) -> Tensor:
    """The Tensor itself; RuntimeError if an element is NaN or infinite."""
    array = operand(x)._array
    bad = ~np.isfinite(array)
    if bad.any():
        place = tuple(map(int, np.argwhere(bad)[0]))
        raise RuntimeError(say("errors.not_finite", count=bad.sum(), size=bad.size, value=array[place], place=place))
    return TENSORS.identity(x)


_VALUES = (Tensor, bool, int, float, list, tuple, np.ndarray, np.generic)


def _eq(self: Tensor, other: Any) -> Any:
    return equal(self, other) if isinstance(other, _VALUES) else NotImplemented  # Python then says False


def _ne(self: Tensor, other: Any) -> Any:
    return not_equal(self, other) if isinstance(other, _VALUES) else NotImplemented


Tensor.__eq__ = _eq  # type: ignore[method-assign, assignment]
Tensor.__ne__ = _ne  # type: ignore[method-assign, assignment]
