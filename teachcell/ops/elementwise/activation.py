"""Smooth activation functions."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...core.card import Kink
from ...core.define import define, pair
from ...core.op import TENSORS as T
from ...core.public import public
from ...core.record import operand
from ...core.tensor import Tensor, wrap
from ...kernels import activation as K
from ...kernels.arguments import one_axis
from ...kernels.index import along
from ...texts import say

pair("tanh_grad", K.tanh_grad, lambda g, y: T.multiply(g, T.one_minus(T.multiply(y, y))))
tanh = define(
    "tanh", np.tanh, (lambda F, g, out, x: F.tanh_grad(g, out),),
    keeps="output", floats=(0,), primitive="Tanh", methods=("tanh",),
    elementwise=True, card=("y = tanh x", "∂x = g · (1 − y²)"), source="{quotient_rule}",
)  # fmt: skip
pair("sigmoid_grad", K.sigmoid_grad, lambda g, y: T.multiply(g, T.subtract(y, T.multiply(y, y))))
sigmoid = define(
    "sigmoid", K.sigmoid, (lambda F, g, out, x: F.sigmoid_grad(g, out),),
    keeps="output", floats=(0,), primitive="Sigmoid", methods=("sigmoid",),
    elementwise=True, card=("y = 1 / (1 + e⁻ˣ)", "∂x = g · y · (1 − y)"), source="{quotient_rule}",
)  # fmt: skip
logsigmoid = define(
    "logsigmoid", K.log_sigmoid, (lambda F, g, out, x: F.multiply(g, F.sigmoid(F.negative(x))),),
    called=("x",), label="LogSigmoid", floats=(0,), card=("y = −ln(1 + e⁻ˣ)", "∂x = g / (1 + eˣ)"),
    source="{chain_rule}",
)  # fmt: skip


def _softplus_slope_twin(x: Tensor, beta: float, threshold: float) -> Tensor:
    beyond = x._array * x._array.dtype.type(beta) > threshold
    return T.select(wrap(beyond), T.ones_like(x), T.sigmoid(T.scale(x, beta)))


pair("softplus_slope", K.softplus_slope, _softplus_slope_twin)
softplus = define(
    "softplus", K.softplus,
    (lambda F, g, out, x, beta=1, threshold=20: F.multiply(g, F.softplus_slope(x, beta, threshold)),),
    floats=(0,), primitive="Softplus", elementwise=True,
    card=("y = ln(1 + e^(beta · x)) / beta", "∂x = g / (1 + e^(−beta · x))"),
    source="Dugas et al. 2001",
)  # fmt: skip
softsign = define(
    "softsign", K.softsign, (lambda F, g, out, x: F.divide(g, F.square(F.shift(F.absolute(x), 1.0))),),
    called=("x",), floats=(0,), primitive="Softsign", card=("y = x / (1 + |x|)", "∂x = g / (1 + |x|)²"),
    source="Bergstra et al. 2009",
)  # fmt: skip
tanhshrink = define(
    "tanhshrink", K.tanhshrink, (lambda F, g, out, x: F.multiply(g, F.square(F.tanh(x))),),
    floats=(0,), card=("y = x − tanh x", "∂x = g · tanh² x"), source="{sum_rule}",
)  # fmt: skip
silu = define(
    "silu", K.silu,
    (lambda F, g, out, x: F.multiply(g, F.add(F.sigmoid(x), F.multiply(out, F.sigmoid(F.negative(x))))),),
    keeps="inputs output", label="SiLU", floats=(0,),
    elementwise=True,
    card=("y = x · sigmoid(x)", "∂x = g · (sigmoid(x) + y · sigmoid(−x))"), source="Elfwing, Uchibe & Doya 2018",
)  # fmt: skip


def _mish_rule(F: Any, g: Any, out: Any, x: Any) -> Any:
    t = F.tanh(F.softplus(x))
    return F.multiply(g, F.add(t, F.tanh_grad(F.silu(x), t)))


mish = define(
    "mish", K.mish, (_mish_rule,), called=("x",), floats=(0,), primitive="Mish",
    card=("y = x · t, t = tanh(ln(1 + eˣ))", "∂x = g · (t + x · sigmoid(x) · (1 − t²))"), source="Misra 2020",
)  # fmt: skip


def _normal_density(F: Any, x: Any) -> Any:
    return F.scale(F.exp(F.scale(F.square(x), -0.5)), 1 / math.sqrt(2 * math.pi))


normal_cdf = define(
    "normal_cdf", K.normal_cdf, (lambda F, g, out, x: F.multiply(g, _normal_density(F, x)),),
    label="Φ", floats=(0,), public=False,
    card=("y = Φ(x)", "∂x = g · e^(−x²/2) / √(2π)"), source="{integral_rule}",
)  # fmt: skip


def _gelu_slope_twin(x: Tensor, cdf: Any, approximate: str) -> Tensor:
    if approximate == "none":
        return T.add(normal_cdf(x), T.multiply(x, _normal_density(T, x)))
    squared = T.square(x)
    inner = T.scale(T.shift(T.scale(squared, 3 * K.GELU_CUBIC), 1.0), 2 * K.GELU_INNER)
    cdf = sigmoid(T.scale(T.multiply(x, T.shift(T.scale(squared, K.GELU_CUBIC), 1.0)), 2 * K.GELU_INNER))
    return T.add(cdf, T.multiply(T.sigmoid_grad(x, cdf), inner))


def _gelu_card(approximate: str = "none") -> tuple[str, str]:
    if approximate == "none":
        return "y = x · Φ(x)", "∂x = g · (Φ(x) + x · φ(x))"
    return (
        "y = x · (1 + tanh u) / 2, u = √(2/π) · (x + 0.044715 x³)",
        "∂x = g · (1 + tanh u + x · (1 − tanh² u) · u′) / 2",
    )


pair("gelu_grad", K.gelu_grad, lambda g, *given: T.multiply(g, _gelu_slope_twin(*given)))
gelu = define(
    "gelu", K.gelu,
    (lambda F, g, out, x, approximate="none", *, cdf: F.gelu_grad(g, x, cdf, approximate),),
    label="GELU", floats=(0,), saves=("cdf",), elementwise=True, card=_gelu_card, source="Hendrycks & Gimpel 2016",
)  # fmt: skip


def _exponential_slope_twin(x: Tensor, height: float, length: float) -> Tensor:
    below = x._array < 0
    nothing, one = T.zeros_like(x), T.ones_like(x)
    falling = T.exp(T.scale(T.select(wrap(below), x, nothing), 1 / length))  # no overflow where the other is taken
    return T.select(wrap(below), T.scale(falling, height / length), one)


pair("exponential_slope", K.exponential_slope, _exponential_slope_twin)
elu = define(
    "elu", K.elu, (lambda F, g, out, x, alpha=1.0: F.multiply(g, F.exponential_slope(x, alpha, 1.0)),),
    called=("input_x",), floats=(0,), primitive="Elu", label="ELU",
    card=("y = max(x, 0) + alpha · (e^min(x, 0) − 1)", "∂x = g · ([x ≥ 0] + alpha · eˣ · [x < 0])"),
    kinks=(Kink((0.0,), (1.0,), {"alpha": 2.0}),), source="Clevert, Unterthiner & Hochreiter 2016",
)  # fmt: skip
celu = define(
    "celu", K.celu, (lambda F, g, out, x, alpha=1.0: F.multiply(g, F.exponential_slope(x, alpha, alpha)),),
    called=("x",), floats=(0,), primitive="CeLU", label="CELU",
    card=("y = max(x, 0) + alpha · (e^(min(x, 0) / alpha) − 1)", "∂x = g · ([x ≥ 0] + e^(x / alpha) · [x < 0])"),
    source="Barron 2017",
)  # fmt: skip
selu = define(
    "selu", K.selu,
    (lambda F, g, out, x: F.scale(F.multiply(g, F.exponential_slope(x, K.SELU_ALPHA, 1.0)), K.SELU_SCALE),),
    called=("input_x",), floats=(0,), primitive="SeLU", label="SELU",
    card=("y = λ · (max(x, 0) + α · (e^min(x, 0) − 1))", "∂x = λ · g · ([x ≥ 0] + α · eˣ · [x < 0])"),
    kinks=(Kink((0.0,), (K.SELU_SCALE,)),), source="Klambauer et al. 2017",
)  # fmt: skip


@public(primitive="GeLU")
def _gelu(x: Tensor) -> Tensor:
    """GELU by its tanh approximation, which the class form has always been."""
    return gelu(x, "tanh")


@public("fast_gelu", primitive="FastGeLU")
def fast_gelu(x: Tensor) -> Tensor:
    """x · σ(1.702 · x), the quick approximation of GELU."""
    x = operand(x)
    return T.multiply(x, sigmoid(T.scale(x, 1.702)))


@public("glu", primitive="GLU", init=("axis",))
def glu(x: Tensor, axis: int = -1) -> Tensor:
    """The first half of an axis times the sigmoid of the second: a · σ(b)."""
    x = operand(x)
    axis = one_axis(axis, x.ndim)
    half, rest = divmod(x.shape[axis], 2)
    if rest:
        raise ValueError(say("errors.even_axis", op="glu", axis=axis, shape=x.shape))
    first, second = T.getitem(x, along(axis, slice(half))), T.getitem(x, along(axis, slice(half, None)))
    return T.multiply(first, sigmoid(second))
