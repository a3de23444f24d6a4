"""From one loss per element or row to the one that is returned."""

from __future__ import annotations

from typing import Any

from ...core.op import TENSORS as T
from ...core.record import operand
from ...core.tensor import Tensor
from ...texts import say

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
    """Two operands as Tensors; a number takes its dtype from the other."""
    like = next((t._array.dtype for t in (first, second) if isinstance(t, Tensor)), None)
    return operand(first, like), operand(second, like)
