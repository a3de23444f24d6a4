"""Step sizes from the squares of past gradients: Adagrad and what came of it."""

from __future__ import annotations

from typing import Any

from ...kernels import update as K
from ...kernels.arguments import number_in
from .optimizer import Formula, Optimizer


class Adagrad(Optimizer):
    """Adagrad: acc += g²; p −= lr · g / √acc.

    Args:
        params, learning_rate, weight_decay, loss_scale: as for :class:`Optimizer`.
        accum: what ``acc`` begins with.
        update_slots: False leaves ``acc`` as it is.

    Source: Duchi et al. 2011.
    """

    def __init__(
        self, params: Any, accum: float = 0.1, learning_rate: Any = 1e-3, update_slots: bool = True,
        loss_scale: float = 1.0, weight_decay: Any = 0.0,
    ):  # fmt: skip
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        self.update_slots = update_slots
        self.accum = self.state("accum", number_in("accum", accum, "[0, ∞)"))

    def formula(self, lr: float, t: int, decay: float) -> Formula:
        """See the class."""
        return K.adagrad, (self.accum,), (lr, 0.0, self.update_slots)


class ProximalAdagrad(Optimizer):
    """Adagrad that draws towards zero: with η = lr / √acc and q = p − η · g,
    p = sign(q) · max(|q| − η · l1, 0) / (1 + η · l2).

    Args:
        params, learning_rate, weight_decay, loss_scale: as for :class:`Optimizer`.
        accum: what ``acc`` begins with.
        l1, l2: strength of the two penalties.
        use_locking: accepted for old code; without effect.

    Source: Duchi & Singer 2009.
    """

    def __init__(
        self, params: Any, accum: float = 0.1, learning_rate: Any = 1e-3, l1: float = 0.0, l2: float = 0.0,
        use_locking: bool = False, loss_scale: float = 1.0, weight_decay: Any = 0.0,
    ):  # fmt: skip
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        self.l1, self.l2 = number_in("l1", l1, "[0, ∞)"), number_in("l2", l2, "[0, ∞)")
        self.accum = self.state("accum", number_in("accum", accum, "[0, ∞)"))

    def formula(self, lr: float, t: int, decay: float) -> Formula:
        """See the class."""
        return K.proximal_adagrad, (self.accum,), (lr, self.l1, self.l2)


class Adadelta(Optimizer):
    """Adadelta: acc = ρ · acc + (1 − ρ) · g²; u = g · √(d + epsilon) / √(acc + epsilon); p −= lr · u;
    d = ρ · d + (1 − ρ) · u².

    Args:
        params, learning_rate, weight_decay, loss_scale: as for :class:`Optimizer`.
        rho: how much of the means stays, in [0, 1].
        epsilon: keeps the roots above 0.

    Source: Zeiler 2012.
    """

    def __init__(
        self, params: Any, learning_rate: Any = 1.0, rho: float = 0.9, epsilon: float = 1e-6,
        loss_scale: float = 1.0, weight_decay: Any = 0.0,
    ):  # fmt: skip
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        self.rho, self.epsilon = number_in("rho", rho, "[0, 1]"), number_in("epsilon", epsilon, "(0, ∞)")
        self.accum, self.accum_update = self.state("accum"), self.state("accum_update")

    def formula(self, lr: float, t: int, decay: float) -> Formula:
        """See the class."""
        return K.adadelta, (self.accum, self.accum_update), (lr, self.rho, self.epsilon)


class RMSProp(Optimizer):
    """RMSProp: ms = decay · ms + (1 − decay) · g², from 1; mom = momentum · mom + lr · g / √(ms + epsilon); p −= mom.

    Args:
        params, learning_rate, weight_decay, loss_scale: as for :class:`Optimizer`.
        decay: how much of the mean stays.
        momentum: how much of the last step stays.
        epsilon: keeps the root above 0.
        centered: √(ms − mg² + epsilon) instead, mg the running mean of g, from 0.
        use_locking: accepted for old code; without effect.

    Source: Tieleman & Hinton 2012, lecture 6.5.
    """

    def __init__(
        self, params: Any, learning_rate: Any = 0.1, decay: float = 0.9, momentum: float = 0.0,
        epsilon: float = 1e-10, use_locking: bool = False, centered: bool = False, loss_scale: float = 1.0,
        weight_decay: Any = 0.0,
    ):  # fmt: skip
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        self.decay, self.momentum = number_in("decay", decay, "[0, ∞)"), number_in("momentum", momentum, "[0, ∞)")
        self.epsilon, self.centered = number_in("epsilon", epsilon, "(0, ∞)"), centered
        self.mean_square, self.moment = self.state("mean_square", 1.0), self.state("moment")
        self.mean_grad = self.state("mean_grad") if centered else ()

    def formula(self, lr: float, t: int, decay: float) -> Formula:
        """See the class."""
        kept = self.mean_square, self.moment
        numbers = lr, self.decay, self.momentum, self.epsilon
        if not self.centered:
            return K.rmsprop, kept, numbers
        return K.centered_rmsprop, (self.mean_grad, *kept), numbers


class FTRL(Optimizer):
    """Follow the regularised leader, with a step size per element.

    acc' = acc + g², z += g − (acc'^(−lr_power) − acc^(−lr_power)) / lr · p;
    p = (sign(z) · l1 − z) / (acc'^(−lr_power) / lr + 2 · l2) where |z| > l1, else 0.

    Args:
        params, learning_rate, weight_decay, loss_scale: as for :class:`Optimizer`.
        initial_accum: what ``acc`` begins with.
        lr_power: power of the step size, at most 0.
        l1, l2: strength of the two penalties.
        use_locking: accepted for old code; without effect.

    Source: McMahan et al. 2013.
    """

    def __init__(
        self, params: Any, initial_accum: float = 0.1, learning_rate: Any = 1e-3, lr_power: float = -0.5,
        l1: float = 0.0, l2: float = 0.0, use_locking: bool = False, loss_scale: float = 1.0, weight_decay: Any = 0.0,
    ):  # fmt: skip
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        self.power = number_in("-lr_power", -lr_power, "[0, ∞)")
        self.l1, self.l2 = number_in("l1", l1, "[0, ∞)"), number_in("l2", l2, "[0, ∞)")
        self.moments = self.state("moments", number_in("initial_accum", initial_accum, "[0, ∞)"))
        self.linear = self.state("linear")

    def formula(self, lr: float, t: int, decay: float) -> Formula:
        """See the class."""
        return K.ftrl, (self.moments, self.linear), (lr, self.l1, self.l2, self.power)
