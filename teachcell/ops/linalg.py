"""Matrix products."""

from __future__ import annotations

from typing import Any

from ..core.define import define
from ..kernels import linalg as K


def _as_matrix(F: Any, v: Any, column: bool) -> Any:
    return v if len(v.shape) > 1 else F.reshape(v, (-1, 1) if column else (1, -1))


def _gradient_as_matrix(F: Any, g: Any, x: Any, y: Any) -> Any:
    """g with the axes back that vector operands took from it."""
    shape = g.shape
    if len(x.shape) == 1:
        shape = (*shape[:-1], 1, *shape[-1:]) if len(y.shape) > 1 else (1, 1)
    elif len(y.shape) == 1:
        shape = (*shape, 1)
    return F.reshape(g, shape) if shape != g.shape else g


def _left(F: Any, g: Any, out: Any, x: Any, y: Any, transpose_a: bool = False, transpose_b: bool = False) -> Any:
    g = _gradient_as_matrix(F, g, x, y)
    other = _as_matrix(F, y, column=True)
    transpose_b = transpose_b and len(y.shape) > 1
    if len(x.shape) > 1 and transpose_a:
        return F.matmul(other, g, transpose_b, True)
    dx = F.matmul(g, other, False, not transpose_b)
    return dx if len(x.shape) > 1 else F.reshape(_sum_lead(F, dx), x.shape)


def _right(F: Any, g: Any, out: Any, x: Any, y: Any, transpose_a: bool = False, transpose_b: bool = False) -> Any:
    g = _gradient_as_matrix(F, g, x, y)
    other = _as_matrix(F, x, column=False)
    transpose_a = transpose_a and len(x.shape) > 1
    if len(y.shape) <= 2 and len(other.shape) > 2 and not transpose_a:  # one weight for a whole batch: one product
        other, g = F.reshape(other, (-1, other.shape[-1])), F.reshape(g, (-1, g.shape[-1]))
    if len(y.shape) > 1 and transpose_b:
        return F.matmul(g, other, True, transpose_a)
    dy = F.matmul(other, g, not transpose_a, False)
    return dy if len(y.shape) > 1 else F.reshape(_sum_lead(F, dy), y.shape)


def _sum_lead(F: Any, v: Any) -> Any:
    """Sum over the batch axes that a vector operand was broadcast along."""
    lead = tuple(range(len(v.shape) - 2))
    return F.sum(v, lead) if lead else v


def _card(transpose_a: bool = False, transpose_b: bool = False) -> tuple[str, str, str]:
    if transpose_b and not transpose_a:
        return "y = x · Wᵀ", "∂x = g · W", "∂W = gᵀ · x"
    if transpose_a and not transpose_b:
        return "y = aᵀ · b", "∂a = b · gᵀ", "∂b = a · g"
    if transpose_a:
        return "y = aᵀ · bᵀ", "∂a = bᵀ · gᵀ", "∂b = gᵀ · aᵀ"
    return "y = a · b", "∂a = g · bᵀ", "∂b = aᵀ · g"


matmul = define(
    "matmul", K.matmul, (_left, _right), primitive="MatMul", operator="matmul", methods=("matmul",), card=_card
)


def _bias_gradient(F: Any, g: Any, out: Any, x: Any, b: Any, axis: int = 1) -> Any:
    others = tuple(i for i in range(len(g.shape)) if i != axis % len(g.shape))
    return F.sum(g, others) if others else g  # no axes would mean all


bias_add = define(
    "bias_add", K.bias_add,
    (lambda F, g, out, x, b, axis=1: g, _bias_gradient),
    keeps="", primitive="BiasAdd", init=(), card=("y = x + b", "∂x = g", "∂b = Σ g {over_batch}"),
)  # fmt: skip
