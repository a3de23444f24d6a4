"""Adam and its kin: step sizes from running means of the gradient and of its square."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ...kernels import update as K
from ...kernels.arguments import number_in
from .optimizer import Formula, Optimizer


class _Moments(Optimizer):
    """Two running values per Parameter: one of the gradient, one of its size."""

    names = ("moment1", "moment2")

    def __init__(
        self, params: Any, learning_rate: Any, beta1: float, beta2: float, eps: float, weight_decay: Any,
        loss_scale: float = 1.0,
    ):  # fmt: skip
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        self.beta1, self.beta2 = number_in("beta1", beta1, "[0, 1)"), number_in("beta2", beta2, "[0, 1)")
        self.eps = number_in("eps", eps, "(0, ∞)")
        self._first, self._second = (self.state(name) for name in self.names)

    def _means(self, formula: Callable[..., None], rate: float, *more: float) -> Formula:
        """A formula that changes the two means."""
        return formula, (self._first, self._second), (rate, self.beta1, self.beta2, self.eps, *more)


class Adam(_Moments):
    """Adam: p −= lr_t · m / (√v + eps), lr_t = lr · √(1 − β₂ᵗ) / (1 − β₁ᵗ).

    m and v are running means of the gradient and of its square; ``eps`` stands outside of the bias correction.

    Args:
        params, learning_rate, weight_decay, loss_scale: as for :class:`Optimizer`.
        beta1, beta2: how much of the means stays, in [0, 1).
        eps: keeps the division defined.
        use_nesterov: β₁ · m + (1 − β₁) · g in the place of m.
        use_amsgrad: the largest v so far in the place of v.
        use_locking: accepted for old code; without effect.

    Source: Kingma & Ba 2015; Reddi et al. 2018 for AMSGrad.
    """

    def __init__(
        self, params: Any, learning_rate: Any = 1e-3, beta1: float = 0.9, beta2: float = 0.999, eps: float = 1e-8,
        use_locking: bool = False, use_nesterov: bool = False, weight_decay: Any = 0.0, loss_scale: float = 1.0,
        use_amsgrad: bool = False,
    ):  # fmt: skip
        super().__init__(params, learning_rate, beta1, beta2, eps, weight_decay, loss_scale)
        self.use_nesterov, self.use_amsgrad = use_nesterov, use_amsgrad
        self.vhat = self.state("vhat") if use_amsgrad else ()

    def formula(self, lr: float, t: int, decay: float) -> Formula:
        """See the class."""
        rate = lr * math.sqrt(1 - self.beta2**t) / (1 - self.beta1**t)
        if not self.use_amsgrad:
            return self._means(K.adam, rate, self.use_nesterov)
        return K.amsgrad, (self._first, self._second, self.vhat), (rate, self.beta1, self.beta2, self.eps)


class LazyAdam(Adam):
    """:class:`Adam`. Its name promises shortcuts for sparse gradients; all gradients are dense here."""


class AdamWeightDecay(_Moments):
    """Adam without bias correction, with a decay beside the gradient: p −= lr · (m / (√v + eps) + weight_decay · p).

    Args:
        params, learning_rate, weight_decay: as for :class:`Optimizer`.
        beta1, beta2, eps: as for :class:`Adam`.

    Source: Loshchilov & Hutter 2019 for the decay.
    """

    decouples_decay = True
    names = ("adam_m", "adam_v")

    def __init__(
        self, params: Any, learning_rate: Any = 1e-3, beta1: float = 0.9, beta2: float = 0.999, eps: float = 1e-6,
        weight_decay: Any = 0.0,
    ):  # fmt: skip
        super().__init__(params, learning_rate, beta1, beta2, eps, weight_decay)

    def formula(self, lr: float, t: int, decay: float) -> Formula:
        """See the class."""
        return self._means(K.adam_weight_decay, lr, decay)


class AdaMax(_Moments):
    """Adam by the largest gradient: u = max(β₂ · u, |g|); p −= lr / (1 − β₁ᵗ) · m / (u + eps).

    Args:
        params, learning_rate, weight_decay, loss_scale: as for :class:`Optimizer`.
        beta1, beta2, eps: as for :class:`Adam`.

    Source: Kingma & Ba 2015, section 7.
    """

    def __init__(
        self, params: Any, learning_rate: Any = 1e-3, beta1: float = 0.9, beta2: float = 0.999, eps: float = 1e-8,
        weight_decay: Any = 0.0, loss_scale: float = 1.0,
    ):  # fmt: skip
        super().__init__(params, learning_rate, beta1, beta2, eps, weight_decay, loss_scale)

    def formula(self, lr: float, t: int, decay: float) -> Formula:
        """See the class."""
        return self._means(K.adamax, lr / (1 - self.beta1**t))


class Lamb(_Moments):
    """Adam with a step size per Parameter: r = m̂ / (√v̂ + eps) + weight_decay · p; p −= lr · ‖p‖ / ‖r‖ · r.

    m̂ and v̂ are the means with bias correction; the ratio is 1 where a norm is 0.

    Args:
        params, learning_rate, weight_decay: as for :class:`Optimizer`.
        beta1, beta2, eps: as for :class:`Adam`.

    Source: You et al. 2020.
    """

    decouples_decay = True

    def __init__(
        self, params: Any, learning_rate: Any, beta1: float = 0.9, beta2: float = 0.999, eps: float = 1e-6,
        weight_decay: Any = 0.0,
    ):  # fmt: skip
        super().__init__(params, learning_rate, beta1, beta2, eps, weight_decay)

    def formula(self, lr: float, t: int, decay: float) -> Formula:
        """See the class."""
        return self._means(K.lamb, lr, decay, t)
