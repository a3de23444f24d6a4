"""Normalisation by the statistics of the batch, or by given ones."""

from __future__ import annotations

from typing import Any

from ..core.define import define, pair
from ..core.op import TENSORS as T
from ..core.tensor import Tensor
from ..kernels import norm as K


def _channel_sum(x: Tensor) -> Tensor:
    return T.sum(x, K.batch_axes(x.ndim))


def _per_channel(v: Tensor, ndim: int) -> Tensor:
    return T.reshape(v, K.channel_shape(ndim))


def _normalised(x: Tensor, eps: float) -> tuple[Tensor, Tensor]:
    """x̂ and 1/σ computed from the input by ops, for derivatives of the derivative."""
    axes = K.batch_axes(x.ndim)
    centred = T.subtract(x, T.mean(x, axes, True))
    rstd = T.rsqrt(T.shift(T.mean(T.square(centred), axes, True), eps))
    return T.multiply(centred, rstd), rstd


def _input_grad_twin(g: Tensor, x: Tensor, weight: Tensor, eps: float, xhat: Any, rstd: Any) -> Tensor:
    axes = K.batch_axes(x.ndim)
    xhat, rstd = _normalised(x, eps)
    scaled = T.multiply(g, _per_channel(weight, x.ndim))
    along = T.multiply(xhat, T.mean(T.multiply(scaled, xhat), axes, True))
    return T.multiply(rstd, T.subtract(T.subtract(scaled, T.mean(scaled, axes, True)), along))


def _weight_grad_twin(g: Tensor, x: Tensor, eps: float, xhat: Any, rstd: Any) -> Tensor:
    return _channel_sum(T.multiply(g, _normalised(x, eps)[0]))


pair("batch_norm_input_grad", K.batch_norm_input_grad, _input_grad_twin)
pair("batch_norm_weight_grad", K.batch_norm_weight_grad, _weight_grad_twin)


def _batch_norm_rule(
    F: Any, gs: Any, out: Any, wanted: list[bool], x: Any, weight: Any, bias: Any, eps: float = 1e-5, **saved: Any
) -> list[Any]:
    g = gs[0]
    if g is None:  # only the statistics were used, and they are constants
        return [None, None, None]
    return [
        F.batch_norm_input_grad(g, x, weight, eps, **saved) if wanted[0] else None,
        F.batch_norm_weight_grad(g, x, eps, **saved) if wanted[1] else None,
        F.sum(g, K.batch_axes(len(g.shape))) if wanted[2] else None,
    ]


batch_norm = define(
    "batch_norm", K.batch_norm, _batch_norm_rule, arity=3, outputs=3, floats=(0,), saves=("xhat", "rstd"),
    public=False,
    card=(
        "y = x̂ · w + b,  x̂ = (x − mean) / σ {of_batch}",
        "∂x = (g·w − mean(g·w) − x̂ · mean(g·w·x̂)) / σ", "∂w = Σ g · x̂", "∂b = Σ g",
    ),
)  # fmt: skip


def _inference_weight(
    F: Any, g: Any, out: Any, x: Any, w: Any, b: Any, mean: Any, variance: Any, eps: float = 1e-5
) -> Any:
    ndim = len(x.shape)
    row = K.channel_shape(ndim)
    xhat = F.multiply(F.subtract(x, F.reshape(mean, row)), F.reshape(F.rsqrt(F.shift(variance, eps)), row))
    return F.sum(F.multiply(g, xhat), K.batch_axes(ndim))


def _inference_input(
    F: Any, g: Any, out: Any, x: Any, w: Any, b: Any, mean: Any, variance: Any, eps: float = 1e-5
) -> Any:
    row = K.channel_shape(len(x.shape))
    return F.multiply(g, F.reshape(F.multiply(w, F.rsqrt(F.shift(variance, eps))), row))


batch_norm_inference = define(
    "batch_norm_inference", K.batch_norm_inference,
    (
        _inference_input, _inference_weight,
        lambda F, g, out, x, w, b, mean, variance, eps=1e-5: F.sum(g, K.batch_axes(len(g.shape))),
        None, None,
    ),
    floats=(0,), label="BatchNorm", public=False,
    card=(
        "y = (x − mean) · w / √(variance + eps) + b {statistics_given}",
        "∂x = g · w / √(variance + eps)", "∂w = Σ g · x̂", "∂b = Σ g",
    ),
)  # fmt: skip
