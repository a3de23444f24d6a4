"""Formulas of optimizers: one step for one array, in place. They write into ``p`` and into what is kept between steps.

``p`` is the value, ``g`` the gradient, which is only read, ``lr`` the rate. Numbers are Python floats; each is brought
to the arrays' dtype only where it meets one, so that 1 − β is exact and a 0-d float32 array stays one. A new array per
operation would cost twice the arithmetic, which is why sums and products are written out as in-place steps.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .precision import like

Array = np.ndarray


def descent(p: Array, g: Array, lr: float) -> None:
    """p − lr · g."""
    p -= like(p, lr) * g


def momentum(p: Array, v: Array, g: Array, lr: float, stays: float, nesterov: bool = False, share: float = 1.0) -> None:
    """v = stays · v + share · g; p − lr · v, or p − lr · (g + stays · v) with ``nesterov``."""
    kept = like(p, stays)
    v *= kept
    v += g if share == 1 else like(p, share) * g
    descent(p, g + kept * v if nesterov else v, lr)


def mean(old: Array, new: Array, stays: float) -> None:
    """A running mean, in the place of ``old``: stays · old + (1 − stays) · new."""
    old *= like(new, stays)
    old += like(new, 1 - stays) * new


def _quotient(m: Array, v: Array, eps: float, rate: float) -> Array:
    """rate · m / (√v + eps)."""
    kind = m.dtype.type
    below = np.sqrt(v, np.empty_like(v))
    below += kind(eps)
    return np.divide(kind(rate) * m, below, below)


def _moments(m: Array, v: Array, g: Array, beta1: float, beta2: float) -> None:
    """Running means of the gradient and of its square."""
    mean(m, g, beta1)
    mean(v, g * g, beta2)


def adam(
    p: Array, m: Array, v: Array, g: Array, rate: float, beta1: float, beta2: float, eps: float,
    nesterov: bool = False,
) -> None:  # fmt: skip
    """p − rate · m / (√v + eps); ``rate`` has the bias correction in it."""
    _moments(m, v, g, beta1, beta2)
    kind = p.dtype.type
    p -= _quotient(kind(beta1) * m + kind(1 - beta1) * g if nesterov else m, v, eps, rate)


def amsgrad(
    p: Array, m: Array, v: Array, largest: Array, g: Array, rate: float, beta1: float, beta2: float, eps: float
) -> None:
    """Adam with the largest v so far."""
    _moments(m, v, g, beta1, beta2)
    np.maximum(largest, v, out=largest)
    p -= _quotient(m, largest, eps, rate)


def adam_weight_decay(
    p: Array, m: Array, v: Array, g: Array, lr: float, beta1: float, beta2: float, eps: float, decay: float
) -> None:
    """p − lr · (m / (√v + eps) + decay · p)."""
    _moments(m, v, g, beta1, beta2)
    kind = p.dtype.type
    p -= kind(lr) * (_quotient(m, v, eps, 1.0) + kind(decay) * p)


def lamb(
    p: Array, m: Array, v: Array, g: Array, lr: float, beta1: float, beta2: float, eps: float, decay: float, t: int
) -> None:
    """r = m̂ / (√v̂ + eps) + decay · p, m̂ and v̂ with bias correction;
    p − lr · ‖p‖ / ‖r‖ · r, or p − lr · r at a norm of 0."""
    _moments(m, v, g, beta1, beta2)
    kind = p.dtype.type
    r = _quotient(m, v / kind(1 - beta2**t), eps, 1 / (1 - beta1**t)) + kind(decay) * p
    weight, step = float(np.linalg.norm(p)), float(np.linalg.norm(r))
    p -= kind(lr * (weight / step if weight and step else 1)) * r


def adamax(p: Array, m: Array, u: Array, g: Array, rate: float, beta1: float, beta2: float, eps: float) -> None:
    """u = max(β₂ · u, |g|); p − rate · m / (u + eps)."""
    kind = p.dtype.type
    mean(m, g, beta1)
    u *= kind(beta2)
    np.maximum(u, np.abs(g), out=u)
    p -= kind(rate) * m / (u + kind(eps))


def adagrad(p: Array, squares: Array, g: Array, lr: float, eps: float = 0.0, update: bool = True) -> None:
    """p − lr · g / (√Σg² + eps)."""
    if update:
        squares += g * g
    p -= _quotient(g, squares, eps, lr)


def shrink(p: Array, step: Any, l1: float, l2: float) -> None:
    """sign(p) · max(|p| − step · l1, 0) / (1 + step · l2)."""
    kind = p.dtype.type
    size = np.maximum(np.abs(p) - step * kind(l1), kind(0)) / (kind(1) + step * kind(l2))
    np.multiply(np.sign(p), size, p)


def proximal_adagrad(p: Array, squares: Array, g: Array, lr: float, l1: float, l2: float) -> None:
    """A step of Adagrad, then shrunk."""
    squares += g * g
    step = p.dtype.type(lr) / np.sqrt(squares)
    p -= step * g
    shrink(p, step, l1, l2)


def proximal_descent(p: Array, g: Array, lr: float, l1: float, l2: float) -> None:
    """A plain step, then shrunk."""
    descent(p, g, lr)
    shrink(p, p.dtype.type(lr), l1, l2)


def adadelta(p: Array, squares: Array, steps: Array, g: Array, lr: float, rho: float, eps: float) -> None:
    """u = g · √(steps + eps) / √(squares + eps); p − lr · u."""
    kind = p.dtype.type
    mean(squares, g * g, rho)
    u = g * np.sqrt(steps + kind(eps)) / np.sqrt(squares + kind(eps))
    p -= kind(lr) * u
    mean(steps, u * u, rho)


def rmsprop(p: Array, square: Array, step: Array, g: Array, lr: float, decay: float, stays: float, eps: float) -> None:
    """step = stays · step + lr · g / √(mean of g² + eps); p − step."""
    mean(square, g * g, decay)
    _scaled_step(p, square, step, g, lr, stays, eps)


def centered_rmsprop(
    p: Array, average: Array, square: Array, step: Array, g: Array, lr: float, decay: float, stays: float, eps: float
) -> None:
    """step = stays · step + lr · g / √(variance of g + eps); p − step."""
    mean(average, g, decay)
    mean(square, g * g, decay)
    _scaled_step(p, square - average * average, step, g, lr, stays, eps)


def _scaled_step(p: Array, square: Any, step: Array, g: Array, lr: float, stays: float, eps: float) -> None:
    kind = p.dtype.type
    step *= kind(stays)
    step += kind(lr) * g / np.sqrt(square + kind(eps))
    p -= step


def ftrl(p: Array, squares: Array, linear: Array, g: Array, lr: float, l1: float, l2: float, power: float) -> None:
    """z += g − (after^power − before^power) / lr · p; (sign z · l1 − z) / (after^power / lr + 2 · l2), or 0."""
    kind = p.dtype.type
    before = squares ** kind(power)
    squares += g * g
    after = squares ** kind(power)
    linear += g
    linear -= (after - before) / kind(lr) * p
    np.divide(np.sign(linear) * kind(l1) - linear, after / kind(lr) + kind(2 * l2), p)
    p[~(np.abs(linear) > kind(l1))] = 0


def sign_step(p: Array, m: Array, g: Array, lr: float, decay: float, beta: float, strength: Any) -> None:
    """p − lr · strength(decay · sign g · sign m) · g: larger where the gradient keeps its sign."""
    kind = p.dtype.type
    mean(m, g, beta)
    p -= kind(lr) * strength(kind(decay) * np.sign(g) * np.sign(m)) * g
