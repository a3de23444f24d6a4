"""Steps along the gradient, with memory of the last ones: SGD, Momentum, ASGD, Rprop."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...kernels import update as K
from ...kernels.arguments import number_in
from ...texts import say
from .optimizer import Formula, Optimizer


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

    def formula(self, lr: float, t: int, decay: float) -> Formula:
        """See the class."""
        if not self.momentum:
            return K.descent, (), (lr,)
        return K.momentum, (self.accum,), (lr, self.momentum, self.nesterov, 1 - self.dampening, t == 1)


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

    def formula(self, lr: float, t: int, decay: float) -> Formula:
        """See the class."""
        return K.momentum, (self.moments,), (lr, self.momentum, self.use_nesterov)


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

    def formula(self, lr: float, t: int, decay: float) -> Formula:
        """See the class."""
        eta = lr / (1 + self.lambd * lr * (t - 1)) ** self.alpha
        return K.averaged, (self.ax,), (eta, 1 - self.lambd * eta, 1 / max(1, t - self.t0))


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

    def formula(self, lr: float, t: int, decay: float) -> Formula:
        """See the class."""
        return K.rprop, (self.prev, self.step_size), (lr, self.etas, self.step_sizes, t == 1)
