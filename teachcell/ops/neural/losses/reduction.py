"""From one loss per element or row to the one that is returned."""

from __future__ import annotations

from typing import Any

from ....core.dtypes import DType, float32
from ....core.op import TENSORS as T
from ....core.record import operand
from ....core.tensor import Tensor
from ....texts import say

REDUCTIONS = ("mean", "sum", "none")


def check_reduction(reduction: Any, known: tuple[str, ...] = REDUCTIONS) -> None:
    """ValueError unless it is one of those known."""
    if reduction not in known:
        raise ValueError(say("errors.reduction", known=", ".join(map(repr, known)), got=repr(reduction)))


def reduced(each: Tensor, reduction: str, weight: Any = None) -> Tensor:
    """The losses, weighted if a weight is given, as one or as they are."""
    check_reduction(reduction)
    if weight is not None:
        each = T.multiply(each, weight_of(weight, each))
    return each if reduction == "none" else T.sum(each) if reduction == "sum" else T.mean(each)


def weight_of(weight: Any, like: Tensor) -> Tensor:
    """A weight as a Tensor of the dtype of what it multiplies."""
    return operand(weight).astype(like.dtype)


def of_two(first: Any, second: Any) -> tuple[Tensor, Tensor]:
    """Two operands as Tensors of floats; a number takes its dtype from the other, and so do integers."""
    like = next((t._array.dtype for t in (first, second) if isinstance(t, Tensor)), None)
    x, y = operand(first, like), operand(second, like)
    if x._array.dtype.kind == y._array.dtype.kind == "f":
        return x, y
    return x.astype(_float_of(x, y)), y.astype(_float_of(y, x))


def _float_of(x: Tensor, beside: Tensor) -> DType:
    """The dtype that ``x`` is computed in: its own, that of the other or Float32, the first that holds floats."""
    return next(dtype for dtype in (x.dtype, beside.dtype, float32) if dtype.numpy.kind == "f")
