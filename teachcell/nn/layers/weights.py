"""The weight and bias that linear layers own, and what they do to an input."""

from __future__ import annotations

import math
from typing import Any

from ...core.op import TENSORS as T
from ...core.tensor import Tensor
from ..initializer import Uniform, initializer
from ..parameter import Parameter


def weight_and_bias(
    shape: tuple[int, ...], weight_init: Any, bias_init: Any, has_bias: bool, dtype: Any, channels: int = 0
) -> tuple[Parameter, Parameter | None]:
    """A weight (out, in, …) and, if wanted, a bias (``channels`` or out,); by default uniform within 1 / √fan_in."""
    spread = Uniform(1 / math.sqrt(math.prod(shape[1:])))
    weight = Parameter(initializer(spread if weight_init is None else weight_init, shape, dtype), name="weight")
    if not has_bias:
        return weight, None
    bias = initializer(spread if bias_init is None else bias_init, (channels or shape[0],), dtype)
    return weight, Parameter(bias, name="bias")


def affine(x: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
    """x · Wᵀ + b on the last axis, or x · Wᵀ."""
    y = T.matmul(x, weight, transpose_b=True)
    if bias is None:
        return y
    return T.bias_add(y, bias) if y.ndim == 2 else T.bias_add(y, bias, axis=-1)  # no attributes: half of the cost
