"""Dense, Flatten, Dropout and the activations."""

from __future__ import annotations

from typing import Any

from ...core.op import TENSORS as T
from ...core.tensor import Tensor
from ...ops.dropout import dropout
from ...ops.shape import flatten
from ...texts import say
from ..cell import Cell
from .weights import weight_and_bias


def positive_int(cls: str, name: str, value: Any) -> int:
    """``value`` if it is an int above 0, else ValueError."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise ValueError(say("errors.positive_int", cls=cls, name=name, got=repr(value)))
    return value


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
        self.activation = get_activation(activation) if isinstance(activation, str) else activation

    def construct(self, x: Tensor) -> Tensor:
        """(…, in_channels) to (…, out_channels)."""
        if x.shape[-1:] != (self.in_channels,):
            raise ValueError(say("errors.dense_input", shape=x.shape, wanted=self.in_channels))
        y = T.matmul(x, self.weight, transpose_b=True)
        if self.bias is not None:
            y = T.bias_add(y, self.bias, axis=-1)
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


class Dropout(Cell):
    """In training each element is 0 with probability ``p``, else divided by 1 − p; in prediction the identity.

    Args:
        p: probability of dropping, in [0, 1).
        keep_prob: 1 − p, for older code.
    """

    depends_on_mode = True

    def __init__(self, p: float | None = None, keep_prob: float | None = None):
        super().__init__()
        if p is not None and keep_prob is not None:
            raise ValueError(say("errors.dropout_both"))
        if keep_prob is not None and not 0 < keep_prob <= 1:
            raise ValueError(say("errors.interval", name="Dropout.keep_prob", interval="(0, 1]", got=keep_prob))
        self._told = "keep_prob" if p is None else "p"
        p = 1 - keep_prob if keep_prob is not None else 0.5 if p is None else p
        if isinstance(p, bool) or not isinstance(p, (int, float)) or not 0 <= p < 1:
            raise ValueError(say("errors.interval", name="Dropout.p", interval="[0, 1)", got=repr(p)))
        self.p = p
        self.keep_prob = 1 - p if keep_prob is None else keep_prob

    def construct(self, x: Tensor) -> Tensor:
        """Same shape."""
        return dropout(x, self.p, self.training and self.p > 0)

    def extend_repr(self) -> str:
        return f"{self._told}={getattr(self, self._told)}"


class _Activation(Cell):
    """A Cell around one op without attributes."""

    op_name: str

    def construct(self, x: Tensor) -> Tensor:
        """Same shape."""
        return getattr(T, self.op_name)(x)


class ReLU(_Activation):
    """max(x, 0)."""

    op_name = "relu"


class ReLU6(_Activation):
    """min(max(x, 0), 6)."""

    op_name = "relu6"


class Sigmoid(_Activation):
    """1 / (1 + e⁻ˣ)."""

    op_name = "sigmoid"


class Tanh(_Activation):
    """tanh x."""

    op_name = "tanh"


class Softmax(Cell):
    """eˣ / Σ eˣ along ``axis``."""

    def __init__(self, axis: int = -1):
        super().__init__()
        self.axis = axis

    def construct(self, x: Tensor) -> Tensor:
        """Same shape."""
        return T.softmax(x, self.axis)


_ACTIVATIONS: dict[str, type[Cell]] = {
    "relu": ReLU, "relu6": ReLU6, "sigmoid": Sigmoid, "tanh": Tanh, "softmax": Softmax
}  # fmt: skip


def get_activation(name: str) -> Cell:
    """A new activation Cell by name; KeyError for an unknown one."""
    if name not in _ACTIVATIONS:
        raise KeyError(say("errors.activation", got=repr(name), known=", ".join(_ACTIVATIONS)))
    return _ACTIVATIONS[name]()
