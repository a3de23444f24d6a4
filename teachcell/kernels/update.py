"""Formulas of optimizers: one step for one array. Each returns the new value, then what is kept, as new arrays.

``p`` is the value, ``g`` the gradient, ``lr`` the rate. Numbers are Python floats; each is brought to the arrays' dtype
only where it meets one, so that 1 − β is exact and a 0-d float32 array stays one.
"""

from __future__ import annotations

from typing import Any

import numpy as np

Array = np.ndarray
Two = tuple[Array, Array]
Three = tuple[Array, Array, Array]


def momentum(p: Array, v: Array, g: Array, lr: float, stays: float, nesterov: bool = False) -> Two:
    """v = stays · v + g; p − lr · v, or p − lr · (g + stays · v) with ``nesterov``."""
    kind = p.dtype.type
    v = kind(stays) * v + g
    return p - kind(lr) * (g + kind(stays) * v if nesterov else v), v


def mean(old: Array, new: Array, stays: float) -> Array:
    """A running mean: stays · old + (1 − stays) · new."""
    kind = new.dtype.type
    return kind(stays) * old + kind(1 - stays) * new


def adam(
    p: Array, m: Array, v: Array, g: Array, rate: float, beta1: float, beta2: float, eps: float,
    nesterov: bool = False,
) -> Three:  # fmt: skip
    """p − rate · m / (√v + eps); ``rate`` has the bias correction in it."""
    kind = p.dtype.type
    m, v = mean(m, g, beta1), mean(v, g * g, beta2)
    return p - kind(rate) * (mean(m, g, beta1) if nesterov else m) / (np.sqrt(v) + kind(eps)), m, v


def amsgrad(
    p: Array, m: Array, v: Array, largest: Array, g: Array, rate: float, beta1: float, beta2: float, eps: float
) -> tuple[Array, Array, Array, Array]:
    """Adam with the largest v so far."""
    kind = p.dtype.type
    m, v = mean(m, g, beta1), mean(v, g * g, beta2)
    largest = np.maximum(largest, v)
    return p - kind(rate) * m / (np.sqrt(largest) + kind(eps)), m, v, largest


def adam_weight_decay(
    p: Array, m: Array, v: Array, g: Array, lr: float, beta1: float, beta2: float, eps: float, decay: float
) -> Three:
    """p − lr · (m / (√v + eps) + decay · p)."""
    kind = p.dtype.type
    m, v = mean(m, g, beta1), mean(v, g * g, beta2)
    return p - kind(lr) * (m / (np.sqrt(v) + kind(eps)) + kind(decay) * p), m, v


def adamax(p: Array, m: Array, u: Array, g: Array, rate: float, beta1: float, beta2: float, eps: float) -> Three:
    """u = max(β₂ · u, |g|); p − rate · m / (u + eps)."""
    kind = p.dtype.type
    m, u = mean(m, g, beta1), np.maximum(kind(beta2) * u, np.abs(g))
    return p - kind(rate) * m / (u + kind(eps)), m, u


def adagrad(p: Array, squares: Array, g: Array, lr: float, eps: float = 0.0, update: bool = True) -> Two:
    """p − lr · g / (√Σg² + eps)."""
    kind = p.dtype.type
    squares = squares + g * g if update else squares
    return p - kind(lr) * g / (np.sqrt(squares) + kind(eps)), squares


def shrunk(q: Array, step: Any, l1: float, l2: float) -> Array:
    """sign(q) · max(|q| − step · l1, 0) / (1 + step · l2)."""
    kind = q.dtype.type
    return np.sign(q) * np.maximum(np.abs(q) - step * kind(l1), kind(0)) / (kind(1) + step * kind(l2))


def proximal_adagrad(p: Array, squares: Array, g: Array, lr: float, l1: float, l2: float) -> Two:
    """A step of Adagrad, then shrunk."""
    squares = squares + g * g
    step = p.dtype.type(lr) / np.sqrt(squares)
    return shrunk(p - step * g, step, l1, l2), squares


def proximal_descent(p: Array, g: Array, lr: float, l1: float, l2: float) -> Array:
    """A plain step, then shrunk."""
    step = p.dtype.type(lr)
    return shrunk(p - step * g, step, l1, l2)


def adadelta(p: Array, squares: Array, steps: Array, g: Array, lr: float, rho: float, eps: float) -> Three:
    """u = g · √(steps + eps) / √(squares + eps); p − lr · u."""
    kind = p.dtype.type
    squares = mean(squares, g * g, rho)
    u = g * np.sqrt(steps + kind(eps)) / np.sqrt(squares + kind(eps))
    return p - kind(lr) * u, squares, mean(steps, u * u, rho)


def rmsprop(
    p: Array, square: Array, step: Array, g: Array, lr: float, decay: float, stays: float, eps: float
) -> Three:
    """step = stays · step + lr · g / √(mean of g² + eps); p − step."""
    kind = p.dtype.type
    square = mean(square, g * g, decay)
    step = kind(stays) * step + kind(lr) * g / np.sqrt(square + kind(eps))
    return p - step, square, step


def centered_rmsprop(
    p: Array, average: Array, square: Array, step: Array, g: Array, lr: float, decay: float, stays: float, eps: float
) -> tuple[Array, Array, Array, Array]:
    """step = stays · step + lr · g / √(variance of g + eps); p − step."""
    kind = p.dtype.type
    average, square = mean(average, g, decay), mean(square, g * g, decay)
    step = kind(stays) * step + kind(lr) * g / np.sqrt(square - average * average + kind(eps))
    return p - step, average, square, step


def ftrl(
    p: Array, squares: Array, linear: Array, g: Array, lr: float, l1: float, l2: float, power: float
) -> Three:
    """z += g − (after^power − before^power) / lr · p; (sign z · l1 − z) / (after^power / lr + 2 · l2), or 0."""
    kind = p.dtype.type
    before, squares = squares ** kind(power), squares + g * g
    after = squares ** kind(power)
    linear = linear + g - (after - before) / kind(lr) * p
    new = (np.sign(linear) * kind(l1) - linear) / (after / kind(lr) + kind(2 * l2))
    return np.where(np.abs(linear) > kind(l1), new, kind(0)), squares, linear


def sign_step(p: Array, m: Array, g: Array, lr: float, decay: float, beta: float, strength: Any) -> Two:
    """p − lr · strength(decay · sign g · sign m) · g: larger where the gradient keeps its sign."""
    kind = p.dtype.type
    m = mean(m, g, beta)
    return p - kind(lr) * strength(kind(decay) * np.sign(g) * np.sign(m)) * g, m
