"""Losses of regions, as segmentation uses them: overlap, and cross entropy that looks at what is still hard."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.op import TENSORS as T
from ...core.record import operand
from ...core.tensor import Tensor, wrap
from ...kernels.arguments import in_interval
from ...ops.neural.losses.reduction import reduced, weight_of
from ...texts import say
from ..layers.activation import LogSoftmax, Softmax, get_activation
from .loss import LossBase


class DiceLoss(LossBase):
    """1 − 2 · Σ x·t / (Σ x² + Σ t² + smooth): 0 where prediction and target overlap wholly.

    Args:
        smooth: above 0; keeps the quotient finite where both are empty.
    """

    def __init__(self, smooth: float = 1e-5):
        super().__init__()
        in_interval("DiceLoss.smooth", smooth, "(0, ∞)")
        self.smooth = smooth

    def construct(self, logits: Tensor, label: Tensor) -> Tensor:
        """A scalar."""
        x, t = operand(logits), operand(label)
        if x.shape != t.shape:
            raise ValueError(say("errors.same_shape", cls=self.cls_name, first=x.shape, second=t.shape))
        both, all_ = T.scale(T.sum(T.multiply(x, t)), 2.0), T.add(_squares(x), _squares(t))
        return T.one_minus(T.divide(both, T.shift(all_, self.smooth)))


def _squares(x: Tensor) -> Tensor:
    return T.sum(T.square(x))


class MultiClassDiceLoss(LossBase):
    """The mean of the Dice losses of the classes.

    Args:
        weights: (C, …), multiplies the loss of each class.
        ignore_indiex: the class that does not count (the name is spelt as in MindSpore).
        activation: applied to the scores before, along the classes where it has an axis; None for none.
    """

    def __init__(self, weights: Any = None, ignore_indiex: int | None = None, activation: str | None = "softmax"):
        super().__init__()
        self.weights, self.ignore_indiex = weights, ignore_indiex
        self.activation = get_activation(activation and activation.lower())
        if isinstance(self.activation, (LogSoftmax, Softmax)):
            self.activation.axis = 1
        self.binary = DiceLoss()

    def construct(self, logits: Tensor, label: Tensor) -> Tensor:
        """(N, C, …) scores and one-hot labels to a scalar."""
        x, t = operand(logits), operand(label)
        if x.shape != t.shape or x.ndim < 2:
            raise ValueError(say("errors.same_shape", cls=self.cls_name, first=x.shape, second=t.shape))
        weights = None if self.weights is None else weight_of(self.weights, x)
        if weights is not None and weights.shape[:1] != x.shape[1:2]:
            raise ValueError(say("errors.class_weight", classes=x.shape[1], got=weights.shape))
        scores = x if self.activation is None else self.activation(x)
        total = operand(0.0, x._array.dtype)
        for k in range(x.shape[1]):
            if k != self.ignore_indiex:
                loss = self.binary(T.getitem(scores, (slice(None), k)), T.getitem(t, (slice(None), k)))
                total = T.add(total, loss if weights is None else T.multiply(loss, T.getitem(weights, k)))
        return T.scale(total, 1 / x.shape[1])


class FocalLoss(LossBase):
    """−(1 − p)^γ · ln p of the probability p of each label: what is already right counts for little.

    Args:
        weight: (C,), a constant for each class.
        gamma: γ ≥ 0; 0 is the cross entropy.
        reduction: ``"mean"``, ``"sum"`` or ``"none"``.
    """

    def __init__(self, weight: Any = None, gamma: float = 2.0, reduction: str = "mean"):
        super().__init__(reduction)
        in_interval("FocalLoss.gamma", gamma, "[0, ∞)")
        self.weight, self.gamma = weight, gamma

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        """A scalar; with reduction "none" the mean over the places of each row (and class, if one-hot).

        Args:
            logits: (N, C), (N, C, L) or (N, C, H, W).
            labels: of as many axes, with axis 1 of length 1: integer labels; or of length C: one-hot.
        """
        z, given = operand(logits), operand(labels)
        onehot = z.ndim > 1 and given.shape == z.shape
        if z.ndim not in (2, 3, 4) or not onehot and given.shape != (z.shape[0], 1, *z.shape[2:]):
            raise ValueError(say("errors.focal_labels", logits=z.shape, got=given.shape))
        rows, classes = z.shape[:2]
        logp = T.log_softmax(T.reshape(z, (rows, classes, -1)), 1)
        target = given._array.reshape(rows, -1, logp.shape[2])
        wanted = target if onehot else target == np.arange(classes)[:, None]
        each = T.multiply(T.power(T.one_minus(T.exp(logp)), self.gamma), T.negative(logp))
        if self.weight is not None:
            each = T.multiply(each, T.reshape(weight_of(self.weight, each), (-1, 1)))
        each = T.mean(T.multiply(each, wrap(wanted.astype(logp._array.dtype))), 2)
        return reduced(each if onehot else T.sum(each, 1), self.reduction)
