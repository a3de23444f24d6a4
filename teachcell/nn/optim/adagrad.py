"""Step sizes from the squares of past gradients: Adagrad and what came of it."""

from __future__ import annotations

from typing import Any

import numpy as np

from .optimizer import Array, Optimizer, in_range, positive


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
        self.accum = self.state("accum", in_range("accum", accum, 0))

    def updated(self, i: int, p: Array, g: Array, lr: Any, t: int, decay: Any) -> Array:
        """See the class."""
        kept = self.accum[i]
        if self.update_slots:
            kept._array = kept._array + g * g
        return p - lr * g / np.sqrt(kept._array)


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
        self.l1, self.l2 = in_range("l1", l1, 0), in_range("l2", l2, 0)
        self.accum = self.state("accum", in_range("accum", accum, 0))

    def updated(self, i: int, p: Array, g: Array, lr: Any, t: int, decay: Any) -> Array:
        """See the class."""
        kind, kept = g.dtype.type, self.accum[i]
        kept._array = kept._array + g * g
        eta = lr / np.sqrt(kept._array)
        q = p - eta * g
        return np.sign(q) * np.maximum(np.abs(q) - eta * kind(self.l1), kind(0)) / (1 + eta * kind(self.l2))


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
        self.rho, self.epsilon = in_range("rho", rho, 0, 1 + 1e-12), positive("epsilon", epsilon)
        self.accum, self.accum_update = self.state("accum"), self.state("accum_update")

    def updated(self, i: int, p: Array, g: Array, lr: Any, t: int, decay: Any) -> Array:
        """See the class."""
        kind, squares, steps = g.dtype.type, self.accum[i], self.accum_update[i]
        rho, rest, epsilon = kind(self.rho), kind(1 - self.rho), kind(self.epsilon)
        squares._array = rho * squares._array + rest * (g * g)
        u = g * np.sqrt(steps._array + epsilon) / np.sqrt(squares._array + epsilon)
        steps._array = rho * steps._array + rest * (u * u)
        return p - lr * u


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
        self.decay, self.momentum = in_range("decay", decay, 0), in_range("momentum", momentum, 0)
        self.epsilon, self.centered = positive("epsilon", epsilon), centered
        self.mean_square, self.moment = self.state("mean_square", 1.0), self.state("moment")
        self.mean_grad = self.state("mean_grad") if centered else ()

    def updated(self, i: int, p: Array, g: Array, lr: Any, t: int, decay: Any) -> Array:
        """See the class."""
        kind, square, step = g.dtype.type, self.mean_square[i], self.moment[i]
        stays, rest = kind(self.decay), kind(1 - self.decay)
        square._array = spread = stays * square._array + rest * (g * g)
        if self.centered:
            self.mean_grad[i]._array = mean = stays * self.mean_grad[i]._array + rest * g
            spread = spread - mean * mean
        step._array = kind(self.momentum) * step._array + lr * g / np.sqrt(spread + kind(self.epsilon))
        return p - step._array


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
        self.power = in_range("-lr_power", -lr_power, 0)
        self.l1, self.l2 = in_range("l1", l1, 0), in_range("l2", l2, 0)
        self.moments = self.state("moments", in_range("initial_accum", initial_accum, 0))
        self.linear = self.state("linear")

    def updated(self, i: int, p: Array, g: Array, lr: Any, t: int, decay: Any) -> Array:
        """See the class."""
        kind, accumulated, linear = g.dtype.type, self.moments[i], self.linear[i]
        power, l1 = kind(self.power), kind(self.l1)
        before = accumulated._array**power
        accumulated._array = accumulated._array + g * g
        after = accumulated._array**power
        linear._array = z = linear._array + g - (after - before) / lr * p
        new = (np.sign(z) * l1 - z) / (after / lr + kind(2 * self.l2))
        return np.where(np.abs(z) > l1, new, kind(0))
