"""LARS: another optimizer with its gradients scaled per Parameter."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ...core import tracing
from ...core.tensor import Tensor, wrap
from ...kernels.arguments import number_in
from ...texts import say
from ..cell import Cell
from ..parameter import Parameter, ParameterTuple
from .optimizer import Optimizer


def _neither_norm_nor_bias(p: Parameter) -> bool:
    return "LayerNorm" not in p.name and "bias" not in p.name


class LARS(Cell):
    """Layer-wise adaptive rate scaling around another optimizer.

    g ← c · ‖p‖ / (‖g‖ + wd · ‖p‖ + epsilon) · (g + wd · p), and then the optimizer's own step, without its decay.

    Args:
        optimizer: the optimizer, whose weight decay wd is taken over.
        epsilon: keeps the division defined.
        coefficient: c.
        use_clip: the factor is at most the learning rate (so that no step is longer than the optimizer's own).
        lars_filter: tells for a Parameter whether it is scaled.

    Source: You, Gitman & Ginsburg 2017.
    """

    def __init__(
        self, optimizer: Optimizer, epsilon: float = 1e-5, coefficient: float = 1e-3, use_clip: bool = False,
        lars_filter: Callable[[Parameter], bool] = _neither_norm_nor_bias,
    ):  # fmt: skip
        super().__init__(auto_prefix=False)
        if not isinstance(optimizer, Optimizer) or optimizer.decouples_decay:
            raise TypeError(say("errors.lars_optimizer", got=type(optimizer).__name__))
        self.opt = optimizer
        self.epsilon = number_in("epsilon", epsilon, "[0, ∞)")
        self.coefficient = number_in("coefficient", coefficient, "[0, ∞)")
        self.use_clip = use_clip
        self._scaled = [bool(lars_filter(p)) for p in optimizer.parameters]

    @property
    def parameters(self) -> ParameterTuple:
        """The Parameters in the order of the gradients."""
        return self.opt.parameters

    def construct(self, gradients: Sequence[Tensor]) -> bool:
        """One step; ``gradients`` stand in the order of ``parameters``."""
        self.opt._checked(gradients)
        return self._move([gradient._array for gradient in gradients])

    @tracing.whole
    def _move(self, gs: list[np.ndarray]) -> bool:
        """The step, once all gradients are seen to fit."""
        decays, rates = self.opt.get_weight_decay(), self.opt.get_lr()
        found = []
        for i, (p, g) in enumerate(zip(self.parameters, gs, strict=True)):
            decay = decays[self.opt._group_of[i]] if isinstance(decays, list) else decays
            lr = rates[i] if isinstance(rates, tuple) else rates
            # a copy, since an optimizer of a learner's may keep what it is given, which jit writes into again
            found.append(wrap(self._rescaled(p._array, g, decay, lr.item()) if self._scaled[i] else g.copy()))
        bunches, self.opt._bunches = self.opt._bunches, self.opt._bunched([not scaled for scaled in self._scaled])
        try:
            return self.opt(tuple(found))
        finally:
            self.opt._bunches = bunches

    def _rescaled(self, p: np.ndarray, g: np.ndarray, decay: float, lr: float) -> np.ndarray:
        weight, slope = float(np.linalg.norm(p)), float(np.linalg.norm(g))
        factor = 1.0
        if weight and slope:
            factor = self.coefficient * weight / (slope + decay * weight + self.epsilon)
            if self.use_clip:
                factor = min(factor / lr, 1.0) if lr else 1.0
        kind = g.dtype.type
        return kind(factor) * (g + kind(decay) * p)
