"""Layers around one formula: products, norms, moments, matrices, functions of probability."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ... import ops
from ...core.op import TENSORS as T
from ...core.record import operand
from ...core.tensor import Tensor
from ...kernels.arguments import number_in
from ...texts import say
from ..cell import Cell
from ..initializer import Uniform, initializer
from ..parameter import Parameter
from .basic import Dense
from .checks import check_shape, positive_int

Axes = int | tuple[int, ...]


# Products -----------------------------------------------------------------------------------------------------------


class Linear(Dense):
    """Dense under its other name: y = x · Wᵀ + b on the last axis.

    Args:
        in_features, out_features: lengths of the last axis before and after.
        bias: whether there is a b.
        weight_init, bias_init, dtype: as of :class:`Dense`.
    """

    def __init__(
        self, in_features: int, out_features: int, bias: bool = True, weight_init: Any = None, bias_init: Any = None,
        dtype: Any = None,
    ):  # fmt: skip
        super().__init__(in_features, out_features, weight_init, bias_init, bias, dtype=dtype)


class BiDense(Cell):
    """y_o = x₁ · W_o · x₂ᵀ + b_o on the last axes of two inputs.

    Args:
        in1_channels, in2_channels: lengths of the inputs' last axes.
        out_channels: that of the output.
        weight_init, bias_init: Tensor, name or number; by default uniform within 1 / √in1_channels.
        has_bias: whether there is a b.
        dtype: data type of weight and bias; by default Float32, or that of a Tensor given for them.

    Attributes:
        weight: (out_channels, in1_channels, in2_channels).
        bias: (out_channels,), or None.
    """

    def __init__(
        self, in1_channels: int, in2_channels: int, out_channels: int, weight_init: Any = None, bias_init: Any = None,
        has_bias: bool = True, dtype: Any = None,
    ):  # fmt: skip
        super().__init__()
        self.in1_channels = positive_int("BiDense", "in1_channels", in1_channels)
        self.in2_channels = positive_int("BiDense", "in2_channels", in2_channels)
        self.out_channels = positive_int("BiDense", "out_channels", out_channels)
        self.has_bias = has_bias
        spread = Uniform(1 / math.sqrt(in1_channels))
        weight = initializer(
            spread if weight_init is None else weight_init, (out_channels, in1_channels, in2_channels), dtype
        )
        self.weight = Parameter(weight, name="weight")
        self.bias: Parameter | None = None
        if has_bias:
            bias = initializer(spread if bias_init is None else bias_init, (out_channels,), dtype)
            self.bias = Parameter(bias, name="bias")

    def construct(self, input1: Tensor, input2: Tensor) -> Tensor:
        """(…, in1_channels) and (…, in2_channels) to (…, out_channels)."""
        lead = input1.shape[:-1] if isinstance(input1, Tensor) else ()
        check_shape("BiDense", "input1", input1, (*lead, self.in1_channels))
        check_shape("BiDense", "input2", input2, (*lead, self.in2_channels))
        return ops.bidense(input1, input2, self.weight, self.bias)

    def extend_repr(self) -> str:
        has_bias = ", has_bias=True" if self.has_bias else ""
        return (
            f"in1_channels={self.in1_channels}, in2_channels={self.in2_channels}, "
            f"output_channels={self.out_channels}{has_bias}"
        )


class MatMul(Cell):
    """x1 · x2, as ``ops.matmul`` has it.

    Args:
        transpose_x1, transpose_x2: whether the last two axes are exchanged first.
    """

    def __init__(self, transpose_x1: bool = False, transpose_x2: bool = False):
        super().__init__()
        self.transpose_x1, self.transpose_x2 = transpose_x1, transpose_x2

    def construct(self, x1: Tensor, x2: Tensor) -> Tensor:
        """(…, N, K) and (…, K, M) to (…, N, M)."""
        return T.matmul(x1, x2, self.transpose_x1, self.transpose_x2)


# Lengths and moments ------------------------------------------------------------------------------------------------


class Norm(Cell):
    """√Σ x² over ``axis``.

    Args:
        axis: int or tuple; () for all.
        keep_dims: whether the axes stay, with length 1.
    """

    def __init__(self, axis: Axes = (), keep_dims: bool = False):
        super().__init__()
        self.axis, self.keep_dims = axis, keep_dims

    def construct(self, x: Tensor) -> Tensor:
        """The axes that are left."""
        return ops.norm(x, None, None if self.axis == () else self.axis, self.keep_dims)

    def extend_repr(self) -> str:
        return f"axis={self.axis}, keep_dims={self.keep_dims}"


class Moments(Cell):
    """Mean and variance (Σ (x − mean)² / n) over ``axis``.

    Args:
        axis: int or tuple; None for all.
        keep_dims: whether the axes stay, with length 1.
    """

    def __init__(self, axis: Axes | None = None, keep_dims: bool | None = None):
        super().__init__()
        self.axis, self.keep_dims = None if axis == () else axis, bool(keep_dims)

    def construct(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """(mean, variance), of the axes that are left."""
        centred = x - T.mean(x, self.axis, True)
        return T.mean(x, self.axis, self.keep_dims), T.mean(T.square(centred), self.axis, self.keep_dims)


class ReduceLogSumExp(Cell):
    """ln Σ eˣ over ``axis``, without an overflow for a large x.

    Args:
        axis: int or tuple; () for all.
        keep_dims: whether the axes stay, with length 1.
    """

    def __init__(self, axis: Axes, keep_dims: bool = False):
        super().__init__()
        self.axis, self.keep_dims = axis, keep_dims

    def construct(self, x: Tensor) -> Tensor:
        """The axes that are left."""
        return ops.logsumexp(x, tuple(range(x.ndim)) if self.axis == () else self.axis, self.keep_dims)


class CosineSimilarity(Cell):
    """x₁ · x₂ / (|x₁| · |x₂|) along one axis.

    Args:
        dim: the axis.
        eps: the product of the lengths counts as this at least.
    """

    def __init__(self, dim: int = 1, eps: float = 1e-8):
        super().__init__()
        self.dim, self.eps = dim, eps

    def construct(self, x1: Tensor, x2: Tensor) -> Tensor:
        """The axes that are left."""
        return ops.cosine_similarity(x1, x2, self.dim, self.eps)


def clipped(x: Tensor, axis: Axes | None, most: Any) -> Tensor:
    """x scaled down to the length ``most`` along ``axis`` where it is longer; as it is where it is shorter."""
    squares = T.sum(T.square(x), axis, True)
    longest = T.square(most) if isinstance(most, Tensor) else most**2
    # The root is taken of ``longest`` at least: that of a row of zeros would have no gradient.
    return T.select(squares > longest, x * (most / T.sqrt(T.maximum(squares, longest))), x)


class ClipByNorm(Cell):
    """x scaled down so that its length is ``clip_norm`` at most.

    Args:
        axis: axes over which the length is taken, int or tuple; None for all.
    """

    def __init__(self, axis: Axes | None = None):
        super().__init__()
        self.axis = axis

    def construct(self, x: Tensor, clip_norm: Any) -> Tensor:
        """Same shape. ``clip_norm`` is a number, or a Tensor that fits the lengths."""
        if not (operand(clip_norm)._array > 0).all():
            name = "ClipByNorm.clip_norm"
            raise ValueError(say("errors.interval", name=name, interval="(0, ∞)", got=clip_norm))
        return clipped(x, self.axis, clip_norm)


class L1Regularizer(Cell):
    """scale · Σ |w|.

    Args:
        scale: above 0.
    """

    def __init__(self, scale: float):
        super().__init__()
        self.scale = number_in("L1Regularizer.scale", scale, "(0, ∞)")

    def construct(self, weights: Tensor) -> Tensor:
        """A scalar."""
        return T.sum(T.absolute(weights)) * float(self.scale)


# Matrices and functions of probability ------------------------------------------------------------------------------


class _Function(Cell):
    """A Cell around one function of Tensors."""

    function: Callable[..., Tensor]

    def construct(self, *inputs: Tensor) -> Tensor:
        """As the function of the same name."""
        return self.function(*inputs)


class MatDet(_Function):
    """The determinant of square matrices (…, N, N)."""

    function = staticmethod(ops.det)


class MatInverse(_Function):
    """The inverse of square matrices (…, N, N)."""

    function = staticmethod(ops.inverse)


class MatrixDiag(_Function):
    """Matrices (…, N, N) with the last axis as their diagonal."""

    function = staticmethod(ops.matrix_diag)


class MatrixDiagPart(_Function):
    """The diagonals of matrices (…, N, M)."""

    function = staticmethod(ops.matrix_diag_part)


class MatrixSetDiag(_Function):
    """Matrices (…, N, M) with another diagonal."""

    function = staticmethod(ops.matrix_set_diag)


class LGamma(_Function):
    """ln |Γ(x)|."""

    function = staticmethod(ops.lgamma)


class DiGamma(_Function):
    """ψ(x), the derivative of ln Γ."""

    function = staticmethod(ops.digamma)


class IGamma(_Function):
    """P(a, x), the regularised lower incomplete gamma function."""

    function = staticmethod(ops.igamma)


class LBeta(Cell):
    """ln |B(x, y)| = ln Γ(x) + ln Γ(y) − ln Γ(x + y), for positive x and y."""

    def construct(self, x: Tensor, y: Tensor) -> Tensor:
        """The broadcast shape."""
        return T.lgamma(x) + T.lgamma(y) - T.lgamma(x + y)
