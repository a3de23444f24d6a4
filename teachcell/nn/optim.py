"""Optimizers, called with a tuple of gradients; they write the Parameters in place."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np

from ..core.errors import kinds_of
from ..core.tensor import Tensor
from ..ops.state import assign_sub
from ..texts import say
from .cell import Cell
from .parameter import Parameter, ParameterTuple


class SGD(Cell):
    """Stochastic gradient descent with momentum.

    buf₁ = g, then buf = momentum · buf + (1 − dampening) · g;
    p −= lr · buf, with Nesterov p −= lr · (g + momentum · buf).

    Args:
        params: Parameters to train.
        learning_rate: step size.
        momentum, dampening: see above.
        weight_decay: g grows by weight_decay · p, but for Parameters whose name has "beta" or "gamma" in it.
        nesterov: needs momentum > 0 and dampening 0.
        loss_scale: gradients are divided by it.
    """

    def __init__(
        self, params: Iterable[Parameter], learning_rate: float = 0.1, momentum: float = 0.0, dampening: float = 0.0,
        weight_decay: float = 0.0, nesterov: bool = False, loss_scale: float = 1.0,
    ):  # fmt: skip
        super().__init__(auto_prefix=False)
        members = list(params)
        if not members:
            raise ValueError(say("errors.optimizer_empty"))
        numbers = {
            "learning_rate": learning_rate, "momentum": momentum, "dampening": dampening, "weight_decay": weight_decay,
        }  # fmt: skip
        for name, value in numbers.items():
            if not isinstance(value, (int, float)) or value < 0:
                raise ValueError(say("errors.optimizer_value", name=name, got=repr(value)))
        if not isinstance(loss_scale, (int, float)) or not 0 < loss_scale < math.inf:
            raise ValueError(say("errors.interval", name="loss_scale", interval="(0, ∞)", got=repr(loss_scale)))
        if nesterov and (momentum <= 0 or dampening != 0):
            raise ValueError(say("errors.nesterov"))
        self.__dict__["parameters"] = ParameterTuple(members)
        if len(set(map(id, members))) != len(members):
            raise ValueError(say("errors.optimizer_twice"))
        self.learning_rate, self.momentum, self.dampening = learning_rate, momentum, dampening
        self.weight_decay, self.nesterov, self.loss_scale = weight_decay, nesterov, loss_scale
        self._velocity: list[np.ndarray | None] = [None] * len(members)

    parameters: ParameterTuple

    def construct(self, gradients: Sequence[Tensor]) -> bool:
        """One step. ``gradients`` stand in the order of ``parameters``; if one does not fit, none moves."""
        if not isinstance(gradients, (tuple, list)) or not all(isinstance(g, Tensor) for g in gradients):
            raise TypeError(say("errors.optimizer_gradients", got=kinds_of(gradients)))
        if len(gradients) != len(self.parameters):
            raise ValueError(say("errors.optimizer_count", got=len(gradients), wanted=len(self.parameters)))
        for p, gradient in zip(self.parameters, gradients, strict=True):
            if gradient.shape != p.shape:
                raise ValueError(say("errors.assign_shape", name=p.name, shape=p.shape, got=gradient.shape))
        for i, (p, gradient) in enumerate(zip(self.parameters, gradients, strict=True)):
            assign_sub(p, Tensor(self._step(i, p, gradient._array)))
        return True

    def _step(self, i: int, p: Parameter, g: np.ndarray) -> np.ndarray:
        kind = p._array.dtype.type
        if self.loss_scale != 1:
            g = g / kind(self.loss_scale)
        if self.weight_decay and not ("beta" in p.name or "gamma" in p.name):
            g = g + kind(self.weight_decay) * p._array
        if self.momentum:
            old = self._velocity[i]
            velocity = g.copy() if old is None else kind(self.momentum) * old + kind(1 - self.dampening) * g
            self._velocity[i] = velocity
            g = g + kind(self.momentum) * velocity if self.nesterov else velocity
        return kind(self.learning_rate) * g
