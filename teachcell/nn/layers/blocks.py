"""Blocks of a linear layer, a norm and an activation."""

from __future__ import annotations

from typing import Any

from ...core.tensor import Tensor
from ..cell import Cell
from .activation import LeakyReLU, chosen_activation
from .basic import Dense
from .conv import Conv2d
from .norm import BatchNorm1d, BatchNorm2d


class _Block(Cell):
    """What comes after the linear layer."""

    def _follow(self, norm: Cell | None, activation: Any, alpha: float) -> None:
        self.has_bn = norm is not None
        self.batchnorm = norm
        if activation == "leakyrelu":
            activation = LeakyReLU(alpha)
        self.activation = chosen_activation(type(self).__name__, activation)
        self.has_act = self.activation is not None

    def _finish(self, x: Tensor) -> Tensor:
        if self.batchnorm is not None:
            x = self.batchnorm(x)
        return x if self.activation is None else self.activation(x)


class Conv2dBnAct(_Block):
    """A 2-d convolution, then, if wanted, batch norm and an activation.

    Args:
        in_channels … bias_init: those of :class:`Conv2d`.
        has_bn: whether there is a batch norm.
        momentum, eps: its own.
        activation: Cell, name such as ``"relu"``, or None.
        alpha: slope below 0 of the activation ``"leakyrelu"``.
    """

    def __init__(
        self, in_channels: int, out_channels: int, kernel_size: Any, stride: Any = 1, pad_mode: str = "same",
        padding: Any = 0, dilation: Any = 1, group: int = 1, has_bias: bool = False, weight_init: Any = "normal",
        bias_init: Any = "zeros", has_bn: bool = False, momentum: float = 0.997, eps: float = 1e-5,
        activation: Any = None, alpha: float = 0.2,
    ):  # fmt: skip
        super().__init__()
        self.conv = Conv2d(
            in_channels, out_channels, kernel_size, stride, pad_mode, padding, dilation, group, has_bias, weight_init,
            bias_init,
        )  # fmt: skip
        self._follow(BatchNorm2d(out_channels, eps, momentum) if has_bn else None, activation, alpha)

    def construct(self, x: Tensor) -> Tensor:
        """(N, in_channels, H, W) to (N, out_channels, H', W')."""
        return self._finish(self.conv(x))


class DenseBnAct(_Block):
    """A dense layer, then, if wanted, batch norm and an activation.

    Args:
        in_channels … has_bias: those of :class:`Dense`.
        has_bn: whether there is a batch norm.
        momentum, eps: its own.
        activation: Cell, name such as ``"relu"``, or None.
        alpha: slope below 0 of the activation ``"leakyrelu"``.
    """

    def __init__(
        self, in_channels: int, out_channels: int, weight_init: Any = "normal", bias_init: Any = "zeros",
        has_bias: bool = True, has_bn: bool = False, momentum: float = 0.9, eps: float = 1e-5, activation: Any = None,
        alpha: float = 0.2,
    ):  # fmt: skip
        super().__init__()
        self.dense = Dense(in_channels, out_channels, weight_init, bias_init, has_bias)
        self._follow(BatchNorm1d(out_channels, eps, momentum) if has_bn else None, activation, alpha)

    def construct(self, x: Tensor) -> Tensor:
        """(N, in_channels) to (N, out_channels)."""
        return self._finish(self.dense(x))
