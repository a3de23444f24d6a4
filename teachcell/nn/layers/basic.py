"""Dense and Flatten."""

from __future__ import annotations

from typing import Any

from ...core.record import operand
from ...core.tensor import Tensor
from ...ops.arrays.shape import flatten
from ...texts import say
from ..cell import Cell
from .activation import chosen_activation
from .checks import positive_int
from .weights import affine, weight_and_bias


class Dense(Cell):
    """y = x · Wᵀ + b on the last axis.

    Args:
        in_channels, out_channels: lengths of the last axis before and after.
        weight_init, bias_init: Tensor, name or number; by default uniform within 1 / √in_channels.
        has_bias: whether there is a b.
        activation: Cell, name such as ``"relu"``, or None.
        dtype: data type of weight and bias; by default Float32, or that of a Tensor given for them.

    Attributes:
        weight: (out_channels, in_channels).
        bias: (out_channels,), or None.
    """

    def __init__(
        self, in_channels: int, out_channels: int, weight_init: Any = None, bias_init: Any = None,
        has_bias: bool = True, activation: Any = None, dtype: Any = None,
    ):  # fmt: skip
        super().__init__()
        self.in_channels = positive_int("Dense", "in_channels", in_channels)
        self.out_channels = positive_int("Dense", "out_channels", out_channels)
        self.has_bias = has_bias
        shape = (out_channels, in_channels)
        self.weight, self.bias = weight_and_bias(shape, weight_init, bias_init, has_bias, dtype)
        self.activation = chosen_activation("Dense", activation)

    def construct(self, x: Tensor) -> Tensor:
        """(…, in_channels) to (…, out_channels)."""
        x = operand(x)
        if x.shape[-1:] != (self.in_channels,):
            name = getattr(self.weight, "name", "weight")
            told = {"wanted": self.in_channels, "out": self.out_channels, "name": name}
            raise ValueError(say("errors.dense_input", shape=x.shape, **told))
        y = affine(x, self.weight, self.bias)
        return y if self.activation is None else self.activation(y)

    def extend_repr(self) -> str:
        parts = [f"input_channels={self.in_channels}", f"output_channels={self.out_channels}"]
        parts += ["has_bias=True"] if self.has_bias else []
        parts += [f"activation={self.activation}"] if self.activation is not None else []
        return ", ".join(parts)


class Flatten(Cell):
    """All axes from the second on merged into one."""

    def __init__(self, start_dim: int = 1, end_dim: int = -1):
        super().__init__()
        self.start_dim, self.end_dim = start_dim, end_dim

    def construct(self, x: Tensor) -> Tensor:
        """(N, …) to (N, D)."""
        return flatten(x, start_dim=self.start_dim, end_dim=self.end_dim)
