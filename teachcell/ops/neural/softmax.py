"""Softmax and its relatives along one axis."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.define import define, pair
from ...core.op import TENSORS as T
from ...core.public import public
from ...core.record import operand
from ...core.tensor import Tensor, wrap
from ...kernels import softmax as K
from ...kernels.arguments import in_interval
from ..elementwise.select import as_asked


def _softmax_grad_twin(g: Tensor, y: Tensor, axis: int = -1) -> Tensor:
    gy = T.multiply(g, y)
    return T.subtract(gy, T.multiply(y, T.sum(gy, axis, True)))


pair("softmax_grad", K.softmax_grad, _softmax_grad_twin)
softmax_op = define(
    "softmax", K.softmax, (lambda F, g, out, x, axis=-1: F.softmax_grad(g, out, axis),),
    keeps="output", floats=(0,), primitive="Softmax", names=(),
    card=("y = eˣ / Σ eˣ", "∂x = y · (g − Σ g·y)"), source="Bridle 1990",
)  # fmt: skip
softmin_op = define(
    "softmin", K.softmin, (lambda F, g, out, x, axis=-1: F.negative(F.softmax_grad(g, out, axis)),),
    keeps="output", floats=(0,), names=(),
    card=("y = e⁻ˣ / Σ e⁻ˣ", "∂x = −y · (g − Σ g·y)"), source="{chain_rule}",
)  # fmt: skip
pair(
    "log_softmax_grad", K.log_softmax_grad,
    lambda g, y, axis=-1: T.subtract(g, T.multiply(T.exp(y), T.sum(g, axis, True))),
)  # fmt: skip
log_softmax = define(
    "log_softmax", K.log_softmax, (lambda F, g, out, x, axis=-1: F.log_softmax_grad(g, out, axis),),
    called=("logits",), keeps="output", floats=(0,), primitive="LogSoftmax", methods=("log_softmax",),
    card=("y = x − ln Σ eˣ", "∂x = g − eʸ · Σ g"), source="{chain_rule}",
)  # fmt: skip


@public("softmax", methods=("softmax",))
def softmax(input: Tensor, axis: int = -1, dtype: Any = None) -> Tensor:
    """eˣ / Σ eˣ along ``axis``; computed in ``dtype`` if one is given."""
    return softmax_op(as_asked(input, dtype), axis)


@public("softmin")
def softmin(x: Tensor, axis: int = -1, *, dtype: Any = None) -> Tensor:
    """e⁻ˣ / Σ e⁻ˣ along ``axis``: the smallest element weighs most; computed in ``dtype`` if one is given."""
    return softmin_op(as_asked(x, dtype), axis)


@public("gumbel_softmax")
def gumbel_softmax(logits: Tensor, tau: float = 1.0, hard: bool = False, dim: int = -1) -> Tensor:
    """A random, differentiable choice: the softmax of (logits + Gumbel noise) / tau.

    Args:
        logits: scores of the choices along ``dim``.
        tau: temperature; towards 0 the result becomes one-hot.
        hard: return the one-hot choice itself; its gradient is that of the soft one (straight through).
        dim: the axis of the choices.
    """
    in_interval("gumbel_softmax.tau", tau, "(0, ∞)")
    logits = operand(logits)
    soft = softmax_op(T.scale(T.add(logits, wrap(K.gumbel(logits._array))), 1 / tau), dim)
    if not hard:
        return soft
    chosen = np.argmax(soft._array, dim, keepdims=True)
    onehot = np.zeros_like(soft._array)
    np.put_along_axis(onehot, chosen, 1, dim)
    return T.add(T.subtract(soft, T.stop_gradient(soft)), wrap(onehot))
