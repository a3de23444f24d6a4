"""Normalisation layers."""

from __future__ import annotations

import warnings
from typing import Any

from ...core.errors import learner_level
from ...core.tensor import Tensor
from ...ops.norm import batch_norm, batch_norm_inference
from ...ops.state import assign
from ...texts import say
from ..cell import Cell
from ..initializer import initializer
from ..parameter import Parameter
from .basic import positive_int


class _BatchNorm(Cell):
    """Normalise per channel (axis 1), by the batch in training, by the moving statistics in prediction.

    y = gamma · (x − mean) / √(variance + eps) + beta  (Ioffe and Szegedy, 2015).

    Args:
        num_features: number of channels C.
        eps: added to the variance.
        momentum: share of the old value: moving = momentum · moving + (1 − momentum) · batch. The batch is
            normalised with its biased variance; the moving variance takes the unbiased one.
        affine: whether gamma and beta are trained.
        use_batch_statistics: True or False fixes the choice whatever the mode.
    """

    depends_on_mode = True
    ndim: int

    def __init__(
        self, num_features: int, eps: float = 1e-5, momentum: float = 0.9, affine: bool = True,
        gamma_init: Any = "ones", beta_init: Any = "zeros", moving_mean_init: Any = "zeros",
        moving_var_init: Any = "ones", use_batch_statistics: bool | None = None,
    ):  # fmt: skip
        super().__init__()
        cls = type(self).__name__
        shape = (positive_int(cls, "num_features", num_features),)
        if not 0 <= momentum <= 1:
            raise ValueError(say("errors.interval", name=f"{cls}.momentum", interval="[0, 1]", got=momentum))
        self.num_features, self.eps, self.momentum = num_features, eps, momentum
        self.use_batch_statistics = use_batch_statistics
        self.moving_mean = Parameter(initializer(moving_mean_init, shape), name="mean", requires_grad=False)
        self.moving_variance = Parameter(initializer(moving_var_init, shape), name="variance", requires_grad=False)
        self.gamma = Parameter(initializer(gamma_init, shape), name="gamma", requires_grad=affine)
        self.beta = Parameter(initializer(beta_init, shape), name="beta", requires_grad=affine)

    def construct(self, x: Tensor) -> Tensor:
        """Same shape."""
        if x.ndim != self.ndim or x.shape[1] != self.num_features:
            wanted = f"(N, {self.num_features}{', H, W' if self.ndim == 4 else ''})"
            raise ValueError(say("errors.norm_input", cls=type(self).__name__, shape=x.shape, wanted=wanted))
        by_batch = self.training if self.use_batch_statistics is None else self.use_batch_statistics
        if not by_batch:
            moving = self.moving_mean, self.moving_variance
            return batch_norm_inference(x, self.gamma, self.beta, *moving, eps=self.eps)
        count = x.size // self.num_features
        if count == 1:
            warnings.warn(say("errors.norm_one_value", cls=type(self).__name__), stacklevel=learner_level())
        y, mean, variance = batch_norm(x, self.gamma, self.beta, eps=self.eps)
        self._update(mean, variance, count)
        return y

    def _update(self, mean: Tensor, variance: Tensor, count: int) -> None:
        """Move the statistics; with one value per channel there is no unbiased variance, and 0 is taken."""
        old, new = self.momentum, 1 - self.momentum
        unbiased = variance._array * (count / max(count - 1, 1))
        assign(self.moving_mean, Tensor(self.moving_mean._array * old + mean._array * new))
        assign(self.moving_variance, Tensor(self.moving_variance._array * old + unbiased * new))

    def extend_repr(self) -> str:
        return (
            f"num_features={self.num_features}, eps={self.eps}, momentum={self.momentum}, gamma={self.gamma}, "
            f"beta={self.beta}, moving_mean={self.moving_mean}, moving_variance={self.moving_variance}"
        )


class BatchNorm1d(_BatchNorm):
    """Batch norm of (N, C). See the base class for the arguments."""

    ndim = 2


class BatchNorm2d(_BatchNorm):
    """Batch norm of (N, C, H, W). See the base class for the arguments."""

    ndim = 4


class LayerNorm(Cell):
    """Normalise each sample by itself, over the trailing axes, in training and prediction alike.

    y = gamma · (x − mean) / √(variance + epsilon) + beta, with the biased variance  (Ba et al., 2016).

    Args:
        normalized_shape: lengths of the trailing axes, a tuple or list.
        begin_norm_axis, begin_params_axis: kept for MindSpore code; ``normalized_shape`` says which axes.
        epsilon: added to the variance.
    """

    def __init__(
        self, normalized_shape: tuple[int, ...] | list[int], begin_norm_axis: int = -1, begin_params_axis: int = -1,
        gamma_init: Any = "ones", beta_init: Any = "zeros", epsilon: float = 1e-7,
    ):  # fmt: skip
        super().__init__()
        if not isinstance(normalized_shape, (tuple, list)):
            raise TypeError(say("errors.shape_kind", got=repr(normalized_shape)))
        self.normalized_shape = tuple(normalized_shape)
        self.begin_norm_axis, self.begin_params_axis, self.epsilon = begin_norm_axis, begin_params_axis, epsilon
        self.gamma = Parameter(initializer(gamma_init, self.normalized_shape), name="gamma")
        self.beta = Parameter(initializer(beta_init, self.normalized_shape), name="beta")

    def construct(self, x: Tensor) -> Tensor:
        """Same shape."""
        count = len(self.normalized_shape)
        if x.shape[-count:] != self.normalized_shape:
            wanted = f"(…, {', '.join(map(str, self.normalized_shape))})"
            raise ValueError(say("errors.norm_input", cls=type(self).__name__, shape=x.shape, wanted=wanted))
        axes = tuple(range(-count, 0))
        centred = x - x.mean(axes, True)
        return centred / (centred.square().mean(axes, True) + self.epsilon).sqrt() * self.gamma + self.beta

    def extend_repr(self) -> str:
        return (
            f"normalized_shape={self.normalized_shape}, begin_norm_axis={self.begin_norm_axis}, "
            f"begin_params_axis={self.begin_params_axis}, gamma={self.gamma}, beta={self.beta}"
        )
