"""Normalisation layers."""

from __future__ import annotations

import math
import warnings
from typing import Any, NoReturn

import numpy as np

from ...core.errors import learner_level
from ...core.record import operand
from ...core.tensor import Tensor, wrap
from ...kernels.arguments import in_interval
from ...ops.neural.norm import (
    batch_norm_inference,
    batch_norm_op,
    check_data_format,
    group_norm,
    instance_norm,
    layer_norm,
    layer_norm_op,
    lrn,
    move_statistics,
)
from ...texts import say
from ..cell import Cell
from ..initializer import initializer
from ..parameter import Parameter
from .checks import positive_int


def _refuse(cell: Cell, x: Tensor, wanted: str) -> NoReturn:
    raise ValueError(say("errors.norm_input", cls=type(cell).__name__, shape=x.shape, wanted=wanted))


class _Affine(Cell):
    """What normalisation layers share: gamma and beta."""

    def _add_affine(
        self, shape: tuple[int, ...], gamma_init: Any, beta_init: Any, dtype: Any, affine: bool = True
    ) -> None:
        self.gamma = Parameter(initializer(gamma_init, shape, dtype), name="gamma", requires_grad=affine)
        self.beta = Parameter(initializer(beta_init, shape, dtype), name="beta", requires_grad=affine)


class _PerChannel(_Affine):
    """A layer with one gamma, beta and moving mean and variance per channel.

    ``axes`` names the axes after the channels, by possible number of them.
    """

    axes: dict[int, str]
    depends_on_mode = True

    def _set_up(
        self, num_features: int, eps: float, momentum: float, affine: bool, gamma_init: Any, beta_init: Any,
        mean_init: Any, variance_init: Any, dtype: Any,
    ) -> None:  # fmt: skip
        cls = type(self).__name__
        shape = (positive_int(cls, "num_features", num_features),)
        in_interval(f"{cls}.momentum", momentum, "[0, 1]")
        self.num_features, self.eps, self.momentum = num_features, eps, momentum
        self.moving_mean = Parameter(initializer(mean_init, shape, dtype), name="mean", requires_grad=False)
        self.moving_variance = Parameter(initializer(variance_init, shape, dtype), name="variance", requires_grad=False)
        self._add_affine(shape, gamma_init, beta_init, dtype, affine)

    def _checked(self, x: Tensor) -> Tensor:
        x = operand(x)
        if x.ndim not in self.axes or x.shape[1] != self.num_features:
            _refuse(self, x, " / ".join(f"(N, {self.num_features}{names})" for names in self.axes.values()))
        return x

    def extend_repr(self) -> str:
        return (
            f"num_features={self.num_features}, eps={self.eps}, momentum={self.momentum}, gamma={self.gamma}, "
            f"beta={self.beta}, moving_mean={self.moving_mean}, moving_variance={self.moving_variance}"
        )


class _BatchNorm(_PerChannel):
    """Normalise per channel (axis 1), by the batch in training, by the moving statistics in prediction.

    y = gamma · (x − mean) / √(variance + eps) + beta  (Ioffe and Szegedy, 2015).

    Args:
        num_features: number of channels C.
        eps: added to the variance.
        momentum: share of the old value: moving = momentum · moving + (1 − momentum) · batch. The batch is
            normalised with its biased variance; the moving variance takes the unbiased one.
        affine: whether gamma and beta are trained.
        use_batch_statistics: True or False fixes the choice whatever the mode.
        data_format: channels come first: ``"NCHW"``.
        dtype: data type of the Parameters.
    """

    def __init__(
        self, num_features: int, eps: float = 1e-5, momentum: float = 0.9, affine: bool = True,
        gamma_init: Any = "ones", beta_init: Any = "zeros", moving_mean_init: Any = "zeros",
        moving_var_init: Any = "ones", use_batch_statistics: bool | None = None, data_format: str = "NCHW",
        dtype: Any = None,
    ):  # fmt: skip
        super().__init__()
        check_data_format(type(self).__name__, data_format)
        self._set_up(
            num_features, eps, momentum, affine, gamma_init, beta_init, moving_mean_init, moving_var_init, dtype
        )
        self.use_batch_statistics = use_batch_statistics

    def construct(self, x: Tensor) -> Tensor:
        """Same shape."""
        x = self._checked(x)
        by_batch = self.training if self.use_batch_statistics is None else self.use_batch_statistics
        moving = self.moving_mean, self.moving_variance
        if not by_batch:
            return batch_norm_inference(x, self.gamma, self.beta, *moving, eps=self.eps)
        count = x.size // self.num_features
        if count == 1:
            warnings.warn(say("errors.norm_one_value", cls=type(self).__name__), stacklevel=learner_level())
        y, *batch = batch_norm_op(x, self.gamma, self.beta, eps=self.eps)
        move_statistics(moving, batch, count, self.momentum)
        return y


class BatchNorm1d(_BatchNorm):
    """Batch norm of (N, C) or (N, C, L). See the base class for the arguments."""

    axes = {2: "", 3: ", L"}


class BatchNorm2d(_BatchNorm):
    """Batch norm of (N, C, H, W). See the base class for the arguments."""

    axes = {4: ", H, W"}


class BatchNorm3d(Cell):
    """Batch norm of (N, C, D, H, W), by a BatchNorm2d: so are its Parameters named in checkpoints.

    Args:
        num_features: number of channels C.
        others: as for ``BatchNorm2d``.
    """

    def __init__(
        self, num_features: int, eps: float = 1e-5, momentum: float = 0.9, affine: bool = True,
        gamma_init: Any = "ones", beta_init: Any = "zeros", moving_mean_init: Any = "zeros",
        moving_var_init: Any = "ones", use_batch_statistics: bool | None = None, dtype: Any = None,
    ):  # fmt: skip
        super().__init__()
        self.bn2d = BatchNorm2d(
            num_features, eps, momentum, affine, gamma_init, beta_init, moving_mean_init, moving_var_init,
            use_batch_statistics, dtype=dtype,
        )  # fmt: skip

    def construct(self, x: Tensor) -> Tensor:
        """Same shape."""
        x = operand(x)
        if x.ndim != 5:
            _refuse(self, x, f"(N, {self.bn2d.num_features}, D, H, W)")
        n, channels, depth, height, width = x.shape
        return self.bn2d(x.reshape(n, channels, depth * height, width)).reshape(x.shape)


class _InstanceNorm(_PerChannel):
    """Normalise each channel of each sample by itself, in training and prediction alike.

    y = gamma · (x − mean) / √(variance + eps) + beta  (Ulyanov et al., 2016).

    Args:
        num_features: number of channels C.
        eps: added to the variance.
        momentum: share of the old value in the moving statistics, which follow in training and are not used here.
        affine: whether gamma and beta are trained.
        dtype: data type of the Parameters.
    """

    def __init__(
        self, num_features: int, eps: float = 1e-5, momentum: float = 0.1, affine: bool = True,
        gamma_init: Any = "ones", beta_init: Any = "zeros", dtype: Any = None,
    ):  # fmt: skip
        super().__init__()
        self._set_up(num_features, eps, momentum, affine, gamma_init, beta_init, "zeros", "ones", dtype)

    def construct(self, x: Tensor) -> Tensor:
        """Same shape."""
        x = self._checked(x)
        y = instance_norm(x, self.gamma, self.beta, self.eps)
        if self.training:
            axes, values = tuple(range(2, x.ndim)), x._array.astype(np.float64)
            batch = [wrap(v.mean(0)) for v in (values.mean(axes), values.var(axes))]
            move_statistics((self.moving_mean, self.moving_variance), batch, math.prod(x.shape[2:]), self.momentum)
        return y


class InstanceNorm1d(_InstanceNorm):
    """Instance norm of (N, C, L). See the base class for the arguments."""

    axes = {3: ", L"}


class InstanceNorm2d(_InstanceNorm):
    """Instance norm of (N, C, H, W). See the base class for the arguments."""

    axes = {4: ", H, W"}


class InstanceNorm3d(_InstanceNorm):
    """Instance norm of (N, C, D, H, W). See the base class for the arguments."""

    axes = {5: ", D, H, W"}


class LayerNorm(_Affine):
    """Normalise each sample by itself, over the trailing axes, in training and prediction alike.

    y = gamma · (x − mean) / √(variance + epsilon) + beta, with the biased variance  (Ba et al., 2016).

    Args:
        normalized_shape: lengths of the trailing axes that gamma and beta have, a tuple or list.
        begin_norm_axis: the first axis that mean and variance are taken over; by default that of normalized_shape.
        begin_params_axis: the first axis of gamma and beta; normalized_shape says it as well.
        epsilon: added to the variance.
        dtype: data type of the Parameters.
    """

    def __init__(
        self, normalized_shape: tuple[int, ...] | list[int], begin_norm_axis: int = -1, begin_params_axis: int = -1,
        gamma_init: Any = "ones", beta_init: Any = "zeros", epsilon: float = 1e-7, dtype: Any = None,
    ):  # fmt: skip
        super().__init__()
        if not isinstance(normalized_shape, (tuple, list)):
            raise TypeError(say("errors.shape_kind", got=repr(normalized_shape)))
        self.normalized_shape = tuple(normalized_shape)
        self.begin_norm_axis, self.begin_params_axis, self.epsilon = begin_norm_axis, begin_params_axis, epsilon
        self._add_affine(self.normalized_shape, gamma_init, beta_init, dtype)

    def construct(self, x: Tensor) -> Tensor:
        """Same shape."""
        x, count = operand(x), len(self.normalized_shape)
        if x.shape[-count:] != self.normalized_shape:
            _refuse(self, x, f"(…, {', '.join(map(str, self.normalized_shape))})")
        axes = count if self.begin_norm_axis == -1 else len(range(x.ndim)[self.begin_norm_axis :])
        return layer_norm_op(x, self.gamma, self.beta, axes=axes, eps=self.epsilon)

    def extend_repr(self) -> str:
        return (
            f"normalized_shape={self.normalized_shape}, begin_norm_axis={self.begin_norm_axis}, "
            f"begin_params_axis={self.begin_params_axis}, gamma={self.gamma}, beta={self.beta}"
        )


class LayerNormExt(Cell):
    """Layer norm with its Parameters named weight and bias, of which either may be missing.

    Args:
        normalized_shape: lengths of the trailing axes, or of the last one.
        eps: added to the variance.
        elementwise_affine: whether there is a weight.
        bias: whether there is a bias too.
        dtype: data type of the Parameters.
    """

    def __init__(
        self, normalized_shape: int | tuple[int, ...] | list[int], eps: float = 1e-5, elementwise_affine: bool = True,
        bias: bool = True, dtype: Any = None,
    ):  # fmt: skip
        super().__init__()
        shape = (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)
        self.normalized_shape, self.eps, self.elementwise_affine = shape, eps, elementwise_affine
        self.weight = Parameter(initializer("ones", shape, dtype), name="weight") if elementwise_affine else None
        has_bias = elementwise_affine and bias
        self.bias = Parameter(initializer("zeros", shape, dtype), name="bias") if has_bias else None

    def construct(self, x: Tensor) -> Tensor:
        """Same shape."""
        return layer_norm(x, self.normalized_shape, self.weight, self.bias, self.eps)

    def extend_repr(self) -> str:
        return f"normalized_shape={self.normalized_shape}, eps={self.eps}, elementwise_affine={self.elementwise_affine}"


class GroupNorm(_Affine):
    """Normalise each sample by itself, in groups of neighbouring channels, in training and prediction alike.

    y = gamma · (x − mean) / √(variance + eps) + beta, with the biased variance  (Wu and He, 2018).

    Args:
        num_groups: number of groups; it must divide the channels.
        num_channels: number of channels C (axis 1).
        eps: added to the variance.
        affine: whether gamma and beta are trained.
        dtype: data type of the Parameters.
    """

    def __init__(
        self, num_groups: int, num_channels: int, eps: float = 1e-5, affine: bool = True,
        gamma_init: Any = "ones", beta_init: Any = "zeros", dtype: Any = None,
    ):  # fmt: skip
        super().__init__()
        self.num_groups = positive_int("GroupNorm", "num_groups", num_groups)
        self.num_channels = positive_int("GroupNorm", "num_channels", num_channels)
        if num_channels % num_groups:
            why = say("errors.norm_groups", channels=num_channels, groups=num_groups)
            raise ValueError(say("errors.operand", op="GroupNorm", why=why))
        self.eps = eps
        self._add_affine((num_channels,), gamma_init, beta_init, dtype, affine)

    def construct(self, x: Tensor) -> Tensor:
        """Same shape."""
        x = operand(x)
        if x.ndim < 2 or x.shape[1] != self.num_channels:
            _refuse(self, x, f"(N, {self.num_channels}, …)")
        return group_norm(x, self.num_groups, self.gamma, self.beta, self.eps)

    def extend_repr(self) -> str:
        return f"num_groups={self.num_groups}, num_channels={self.num_channels}"


class LRN(Cell):
    """x / (bias + alpha · Σ x² over the channels up to ``depth_radius`` away) ^ beta  (Krizhevsky et al., 2012)."""

    def __init__(
        self, depth_radius: int = 5, bias: float = 1.0, alpha: float = 1.0, beta: float = 0.5,
        norm_region: str = "ACROSS_CHANNELS",
    ):  # fmt: skip
        super().__init__()
        self.options = depth_radius, bias, alpha, beta, norm_region

    def construct(self, x: Tensor) -> Tensor:
        """Same shape."""
        return lrn(x, *self.options)
