"""Losses of numbers: squared and absolute differences, and likelihoods of what was measured or counted."""

from __future__ import annotations

import math
from typing import Any

from ....core.define import define
from ....core.op import TENSORS as T
from ....core.public import public
from ....core.record import float_operand, operand
from ....core.tensor import Tensor, wrap
from ....kernels import losses as K
from ....kernels.arguments import in_interval
from ....texts import say
from .reduction import check_reduction, of_two, reduced

huber = define(
    "huber", K.huber, (lambda F, g, out, e, delta=1.0: F.multiply(g, F.clamp(e, -delta, delta)),),
    floats=(0,), public=False,
    card=("y = e² / 2 {near} delta · (|e| − delta / 2)", "∂e = g · min(max(e, −delta), delta)"), source="Huber 1964",
)  # fmt: skip


def _difference(input: Any, target: Any) -> Tensor:
    return T.subtract(*of_two(input, target))


@public("mse_loss")
def mse_loss(input: Tensor, target: Tensor, reduction: str = "mean") -> Tensor:
    """(x − t)²."""
    check_reduction(reduction)
    return reduced(T.square(_difference(input, target)), reduction)


@public("l1_loss")
def l1_loss(input: Tensor, target: Tensor, reduction: str = "mean") -> Tensor:
    """|x − t|; its gradient is 0 where they are equal."""
    check_reduction(reduction)
    return reduced(T.absolute(_difference(input, target)), reduction)


@public("huber_loss")
def huber_loss(input: Tensor, target: Tensor, reduction: str = "mean", delta: float = 1.0) -> Tensor:
    """e² / 2 of the difference e = x − t where |e| ≤ δ, else δ · (|e| − δ/2)."""
    check_reduction(reduction)
    return reduced(huber(_difference(input, target), delta), reduction)


@public("smooth_l1_loss", primitive="SmoothL1Loss", init=("beta", "reduction"))
def smooth_l1_loss(input: Tensor, target: Tensor, beta: float = 1.0, reduction: str = "none") -> Tensor:
    """e² / (2 · β) of the difference e = x − t where |e| < β, else |e| − β/2; with β = 0 the same as l1_loss."""
    check_reduction(reduction)
    if beta == 0:
        return l1_loss(input, target, reduction)
    in_interval("beta", beta, "[0, ∞)")
    return reduced(T.scale(huber(_difference(input, target), beta), 1 / beta), reduction)


@public(primitive="L2Loss")
def _l2_loss(input: Tensor) -> Tensor:
    """Σ x² / 2."""
    return T.scale(T.sum(T.square(input)), 0.5)


@public("gaussian_nll_loss")
def gaussian_nll_loss(
    x: Tensor, target: Tensor, var: Tensor, full: bool = False, eps: float = 1e-6, reduction: str = "mean"
) -> Tensor:
    """Minus the log-likelihood of ``target`` under normal distributions: (ln v + (x − t)² / v) / 2.

    Args:
        x: the means.
        target: what was measured, of the same shape.
        var: the variances v: of x's shape, or without its last axis, or with that of length 1.
        full: add the constant ln(2π) / 2.
        eps: a smaller variance counts as this one.
        reduction: ``"mean"``, ``"sum"`` or ``"none"``.
    """
    check_reduction(reduction)
    x, var = operand(x), float_operand(var)
    if var.shape == x.shape[:-1] and var.shape != x.shape:
        var = T.reshape(var, (*var.shape, 1))
    if var.shape not in (x.shape, (*x.shape[:-1], 1)):
        raise ValueError(say("errors.variance_shape", input=x.shape, got=var.shape))
    if var.size and var._array.min() < 0:
        raise ValueError(say("errors.interval", name="var", interval="[0, ∞)", got=var._array.min()))
    v = T.clamp(var, min=eps)
    each = T.scale(T.add(T.log(v), T.divide(T.square(_difference(x, target)), v)), 0.5)
    return reduced(T.shift(each, 0.5 * math.log(2 * math.pi)) if full else each, reduction)


@public("poisson_nll_loss")
def poisson_nll_loss(
    input: Tensor, target: Tensor, log_input: bool = True, full: bool = False, eps: float = 1e-8,
    reduction: str = "mean",
) -> Tensor:  # fmt: skip
    """Minus the log-likelihood of counts t under Poisson distributions of rate λ: λ − t · ln λ.

    Args:
        input: ln λ, or λ itself without ``log_input``.
        target: the counts.
        log_input: whether the input is a logarithm.
        full: add Stirling's approximation of ln t!, for t > 1.
        eps: added to λ before its logarithm is taken.
        reduction: ``"mean"``, ``"sum"`` or ``"none"``.
    """
    check_reduction(reduction)
    input, target = of_two(input, target)
    rate, log_rate = (T.exp(input), input) if log_input else (input, T.log(T.shift(input, eps)))
    each = T.subtract(rate, T.multiply(target, log_rate))
    return reduced(T.add(each, _stirling(target)) if full else each, reduction)


def _stirling(counts: Tensor) -> Tensor:
    """t · ln t − t + ln(2πt) / 2 where t > 1, else 0."""
    many = wrap(counts._array > 1)
    t = T.select(many, counts, wrap(counts._array * 0 + 1))
    log_t = T.log(t)
    value = T.add(T.subtract(T.multiply(t, log_t), t), T.shift(T.scale(log_t, 0.5), 0.5 * math.log(2 * math.pi)))
    return T.select(many, value, wrap(value._array * 0))
