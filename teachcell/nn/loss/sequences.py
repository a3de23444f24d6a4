"""Losses of sequences of labels, and of very many classes."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.op import TENSORS as T
from ...core.record import operand
from ...core.tensor import Tensor, wrap
from ...kernels.random import stream
from ...ops.neural.losses import ctc
from ...ops.neural.losses.labels import cross_entropy
from ...texts import say
from .loss import LossBase


class CTCLoss(LossBase):
    """Connectionist temporal classification. See ``ops.ctc_loss``."""

    def __init__(self, blank: int = 0, reduction: str = "mean", zero_infinity: bool = False):
        super().__init__(reduction)
        self.blank, self.zero_infinity = blank, zero_infinity

    def construct(self, log_probs: Tensor, targets: Tensor, input_lengths: Tensor, target_lengths: Tensor) -> Tensor:
        """A scalar, or one loss per sequence with reduction "none"."""
        how = self.blank, self.reduction, self.zero_infinity
        return ctc.ctc_loss(log_probs, targets, input_lengths, target_lengths, *how)[0]


class SampledSoftmaxLoss(LossBase):
    """Cross entropy in which few sampled classes stand for all the others.

    Args:
        num_sampled: how many classes are sampled at a call.
        num_classes: how many there are.
        num_true: how many labels a row has; each is wanted with probability 1 / num_true.
        sampled_values: instead of samples of its own, which are even and without repeats: the classes, (num_sampled,),
            and how often each label, (N, num_true), and each of the classes is to be expected.
        remove_accidental_hits: whether a label of the row is left out among the samples.
        seed: above 0, the samples come from a stream of their own.
        reduction: ``"mean"``, ``"sum"`` or ``"none"``.
    """

    def __init__(
        self, num_sampled: int, num_classes: int, num_true: int = 1, sampled_values: Any = None,
        remove_accidental_hits: bool = True, seed: int = 0, reduction: str = "none",
    ):  # fmt: skip
        super().__init__(reduction)
        for name, count in (("num_true", num_true), ("num_sampled", num_sampled)):
            if not 1 <= count <= num_classes:
                raise ValueError(say("errors.interval", name=name, interval=f"[1, {num_classes}]", got=count))
        self.num_sampled, self.num_classes, self.num_true = num_sampled, num_classes, num_true
        self.sampled_values, self.seed = sampled_values, seed
        self.remove_accidental_hits = remove_accidental_hits

    def construct(self, weights: Tensor, biases: Tensor, labels: Tensor, logits: Tensor) -> Tensor:
        """The loss of each row, or as reduced.

        Args:
            weights: (num_classes, D), a vector for each class.
            biases: (num_classes,).
            labels: (N, num_true), integers.
            logits: (N, D), what the classes' vectors are multiplied by.
        """
        targets, inputs = operand(labels)._array, operand(logits)
        if targets.shape != (inputs.shape[0], self.num_true):
            raise ValueError(say("errors.sampled_labels", wanted=(inputs.shape[0], self.num_true), got=targets.shape))
        sampled, often_true, often_sampled = self._samples()
        of_true = T.sum(T.multiply(T.getitem(weights, (targets,)), T.expand_dims(inputs, 1)), -1)
        of_true = T.subtract(T.add(of_true, T.getitem(biases, (targets,))), T.log(often_true))
        of_sampled = T.matmul(inputs, T.getitem(weights, (sampled,)), transpose_b=True)
        of_sampled = T.subtract(T.add(of_sampled, T.getitem(biases, (sampled,))), T.log(often_sampled))
        if self.remove_accidental_hits:
            hits = (targets[:, :, None] == sampled).any(1)
            of_sampled = T.select(wrap(hits), wrap(np.full_like(of_sampled._array, -1e30)), of_sampled)
        wanted = np.zeros((len(targets), self.num_true + len(sampled)), of_true._array.dtype)
        wanted[:, : self.num_true] = 1 / self.num_true
        return cross_entropy(T.concat((of_true, of_sampled), axis=1), wrap(wanted), reduction=self.reduction)

    def _samples(self) -> tuple[np.ndarray, Tensor, Tensor]:
        """The classes sampled; how often labels and classes are to be expected among them."""
        if self.sampled_values is not None:
            sampled, often_true, often_sampled = map(operand, self.sampled_values)
            return sampled._array, often_true, often_sampled
        draws = stream("sampled_softmax", self.seed)
        often = operand(self.num_sampled / self.num_classes)
        return draws.choice(self.num_classes, self.num_sampled, replace=False), often, often
