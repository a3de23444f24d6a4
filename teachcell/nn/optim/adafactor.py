"""AdaFactor: Adam's second moment of a matrix kept as a row and a column."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...kernels.arguments import number_in
from ...texts import say
from .optimizer import Array, Optimizer


def _rms(x: Array) -> float:
    return float(np.sqrt(np.mean(x * x)))


class AdaFactor(Optimizer):
    """Adam whose second moment takes only a row and a column of memory per matrix.

    The mean of g² over the last two axes is kept as row means r and column means c, and v = r · c / mean(r). The
    step g / √v is clipped to a root mean square of ``clip_threshold``, and scaled by that of the Parameter.

    Args:
        params, weight_decay, loss_scale: as for :class:`Optimizer`.
        learning_rate: step size; None with ``relative_step``: min(0.01, 1 / √t).
        eps: added to g², and least scale of a Parameter.
        clip_threshold: largest root mean square of a step.
        decay_rate: v keeps 1 − t^(−decay_rate) of its old value.
        beta1: how much of the last step stays.
        scale_parameter: whether steps are scaled by the Parameter's root mean square.
        relative_step: see ``learning_rate``.
        warmup_init: with ``relative_step``: min(1e-6 · t, 1 / √t).
        compression: accepted for old code; without effect.

    Source: Shazeer & Stern 2018.
    """

    decouples_decay = True

    def __init__(
        self, params: Any, learning_rate: Any = None, eps: Sequence[float] = (1e-30, 1e-3),
        clip_threshold: float = 1.0, decay_rate: float = 0.8, beta1: float = 0.9, weight_decay: Any = 0.0,
        scale_parameter: bool = True, relative_step: bool = True, warmup_init: bool = False,
        compression: bool = False, loss_scale: float = 1.0,
    ):  # fmt: skip
        if (learning_rate is None) != relative_step or (warmup_init and not relative_step):
            raise ValueError(say("errors.relative_step"))
        super().__init__(0.0 if learning_rate is None else learning_rate, params, weight_decay, loss_scale)
        self.eps = (number_in("eps[0]", eps[0], "[0, ∞)"), number_in("eps[1]", eps[1], "[0, ∞)"))
        self.clip_threshold = number_in("clip_threshold", clip_threshold, "[0, ∞)")
        self.decay_rate, self.beta1 = number_in("decay_rate", decay_rate, "[0, 1)"), number_in("beta1", beta1, "[0, 1)")
        self.scale_parameter, self.relative_step, self.warmup_init = scale_parameter, relative_step, warmup_init
        self.exp_avg = self.state("exp_avg")
        self._squares: list[Any] = [None] * len(self.parameters)

    def updated(self, i: int, p: Array, g: Array, lr: float, t: int, decay: float) -> Array:
        """See the class."""
        kind = g.dtype.type
        if self.relative_step:
            lr = min(1e-6 * t if self.warmup_init else 1e-2, 1 / math.sqrt(t))
        rate = lr * max(self.eps[1], _rms(p)) if self.scale_parameter else lr
        step = g / np.sqrt(self._second_moment(i, g, 1 - t**-self.decay_rate))
        step = step * kind(rate / max(1.0, _rms(step) / self.clip_threshold))
        if self.beta1:
            kept = self.exp_avg[i]
            kept._array = step = kind(self.beta1) * kept._array + kind(1 - self.beta1) * step
        return p - step - kind(rate * decay) * p

    def _second_moment(self, i: int, g: Array, stays: float) -> Array:
        squares = g * g + g.dtype.type(self.eps[0])
        means = (squares.mean(-1, keepdims=True), squares.mean(-2, keepdims=True)) if g.ndim > 1 else (squares,)
        kept = self._squares[i] or means
        kind = g.dtype.type
        self._squares[i] = kept = tuple(
            kind(stays) * old + kind(1 - stays) * new for old, new in zip(kept, means, strict=True)
        )
        return kept[0] * kept[1] / kept[0].mean(-2, keepdims=True) if g.ndim > 1 else kept[0]
