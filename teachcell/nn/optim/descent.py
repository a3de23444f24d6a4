"""Steps along the gradient, with memory of the last ones: SGD, Momentum, ASGD, Rprop."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...kernels import update as K
from ...kernels.arguments import number_in
from ...texts import say
from .optimizer import Array, Optimizer


class SGD(Optimizer):
    """Stochastic gradient descent with momentum.

    buf₁ = g, then buf = momentum · buf + (1 − dampening) · g;
    p −= lr · buf, with Nesterov p −= lr · (g + momentum · buf).

    Args:
        params, learning_rate, weight_decay, loss_scale: as for :class:`Optimizer`.
        momentum, dampening: see above.
        nesterov: needs momentum > 0 and dampening 0.
    """

    def __init__(
        self, params: Any, learning_rate: Any = 0.1, momentum: float = 0.0, dampening: float = 0.0,
        weight_decay: Any = 0.0, nesterov: bool = False, loss_scale: float = 1.0,
    ):  # fmt: skip
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        self.momentum = number_in("momentum", momentum, "[0, ∞)")
        self.dampening = number_in("dampening", dampening, "[0, ∞)")
        if nesterov and (momentum <= 0 or dampening != 0):
            raise ValueError(say("errors.nesterov"))
        self.nesterov = nesterov
        self.accum = self.state("accum") if momentum else ()

    def updated(self, i: int, p: Array, g: Array, lr: float, t: int, decay: float) -> Array:
        """See the class."""
        if not self.momentum:
            return self.in_place(K.descent, p, (), g, lr)
        if t == 1:
            self.accum[i]._array = np.zeros_like(g)
        share = 1.0 if t == 1 else 1 - self.dampening
        return self.in_place(K.momentum, p, (self.accum[i],), g, lr, self.momentum, self.nesterov, share)


class Momentum(Optimizer):
    """Gradient descent with a velocity: v = momentum · v + g; p −= lr · v.

    Args:
        params, learning_rate, weight_decay, loss_scale: as for :class:`Optimizer`.
        momentum: how much of the velocity stays.
        use_nesterov: p −= lr · (g + momentum · v) instead.
    """

    def __init__(
        self, params: Any, learning_rate: Any, momentum: float, weight_decay: Any = 0.0, loss_scale: float = 1.0,
        use_nesterov: bool = False,
    ):  # fmt: skip
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        self.momentum, self.use_nesterov = number_in("momentum", momentum, "[0, ∞)"), use_nesterov
        self.moments = self.state("moments")

    def updated(self, i: int, p: Array, g: Array, lr: float, t: int, decay: float) -> Array:
        """See the class."""
        return self.in_place(K.momentum, p, (self.moments[i],), g, lr, self.momentum, self.use_nesterov)


class ASGD(Optimizer):
    """Averaged stochastic gradient descent.

    p −= η · (g + lambd · p), η = lr / (1 + lambd · lr · t)^alpha; ``ax`` is the mean of p after step ``t0``.

    Args:
        params, learning_rate, weight_decay: as for :class:`Optimizer`.
        lambd: decay. alpha: power of η. t0: step at which averaging begins.

    Source: Polyak & Juditsky 1992.
    """

    def __init__(
        self, params: Any, learning_rate: Any = 0.1, lambd: float = 1e-4, alpha: float = 0.75, t0: float = 1e6,
        weight_decay: Any = 0.0,
    ):  # fmt: skip
        super().__init__(learning_rate, params, weight_decay)
        self.lambd, self.alpha, self.t0 = lambd, alpha, t0
        self.ax = self.state("ax")
        for p, average in zip(self.parameters, self.ax, strict=True):
            average.set_data(p)

    def updated(self, i: int, p: Array, g: Array, lr: float, t: int, decay: float) -> Array:
        """See the class."""
        kind, average = g.dtype.type, self.ax[i]
        eta = kind(lr / (1 + self.lambd * lr * (t - 1)) ** self.alpha)
        new = p * kind(1 - self.lambd * eta) - eta * g
        average._array = average._array + (new - average._array) * kind(1 / max(1, t - self.t0))
        return new


class Rprop(Optimizer):
    """Resilient backpropagation: only the sign of the gradient counts, each element has a step size of its own.

    It grows by ``etas[1]`` while the sign stays, shrinks by ``etas[0]`` when it changes (and that step is left out).

    Args:
        params, learning_rate, weight_decay: as for :class:`Optimizer`; ``learning_rate`` is the first step size.
        etas: the two factors. step_sizes: least and largest step size.

    Source: Riedmiller & Braun 1993.
    """

    def __init__(
        self, params: Any, learning_rate: Any = 0.1, etas: Sequence[float] = (0.5, 1.2),
        step_sizes: Sequence[float] = (1e-6, 50.0), weight_decay: Any = 0.0,
    ):  # fmt: skip
        super().__init__(learning_rate, params, weight_decay)
        shrink, grow = etas
        self.etas = number_in("etas[0]", shrink, "[0, 1)"), number_in("etas[1]", grow, "[1, ∞)")
        least, most = step_sizes
        self.step_sizes = number_in("step_sizes[0]", least, f"[0, {most})"), most
        self.prev, self.step_size = self.state("prev"), self.state("step_size")

    def updated(self, i: int, p: Array, g: Array, lr: float, t: int, decay: float) -> Array:
        """See the class."""
        kind, kept, size = g.dtype.type, self.prev[i], self.step_size[i]
        if t == 1:
            size._array = np.full(p.shape, lr, kind)
        agreement = g * kept._array
        factor = np.select([agreement > 0, agreement < 0], [kind(self.etas[1]), kind(self.etas[0])], kind(1))
        size._array = np.clip(size._array * factor, *map(kind, self.step_sizes))
        kept._array = g = np.where(agreement < 0, kind(0), g)
        return p - np.sign(g) * size._array
