"""Normalisation by the statistics of some of the axes, or by given ones.

In first order the rules are fused kernels that use the saved x̂ and 1 / σ; their twins for higher orders compute both
again from the input, because they depend on it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...core.define import define, pair
from ...core.dtypes import float16, float32
from ...core.op import TENSORS as T
from ...core.public import public
from ...core.record import operand
from ...core.tensor import Tensor, wrap
from ...kernels import norm as K
from ...kernels.norm import Layout
from ...texts import say
from ..arrays.state import assign


def _like(F: Any, v: Any, x: Any) -> Any:
    """``v`` in the dtype of ``x``."""
    return v if v.dtype == x.dtype else F.cast_like(v, x)


def _wide(x: Tensor) -> Tensor:
    """``x`` in float32, unless its floats are as wide already."""
    return T.cast(x, dtype=float32) if x.dtype.rank < float32.rank else x


def _standardised(x: Tensor, layout: Layout, eps: float, centred: bool) -> tuple[Tensor, Tensor]:
    """x̂ and 1 / σ in the layout's view."""
    v = T.reshape(_wide(x), layout.view)
    if centred:
        v = T.subtract(v, T.mean(v, layout.axes, True))
    rstd = T.rsqrt(T.shift(T.mean(T.square(v), layout.axes, True), eps))
    return T.multiply(v, rstd), rstd


def _input_grad_twin(g: Tensor, x: Tensor, weight: Tensor, layout: Layout, eps: float, centred: bool) -> Tensor:
    xhat, rstd = _standardised(x, layout, eps, centred)
    scaled = T.multiply(T.reshape(g, layout.view), T.reshape(weight, layout.row))
    inner = T.subtract(scaled, T.multiply(xhat, T.mean(T.multiply(scaled, xhat), layout.axes, True)))
    if centred:
        inner = T.subtract(inner, T.mean(scaled, layout.axes, True))
    return _like(T, T.reshape(T.multiply(rstd, inner), x.shape), x)


def _weight_grad_twin(g: Tensor, x: Tensor, weight: Tensor, layout: Layout, eps: float, centred: bool) -> Tensor:
    xhat, _ = _standardised(x, layout, eps, centred)
    return _bias_grad_twin(T.multiply(T.reshape(g, layout.view), xhat), weight, layout)


def _bias_grad_twin(g: Tensor, bias: Tensor, layout: Layout) -> Tensor:
    total, axes = T.reshape(_wide(g), layout.view), layout.shared_axes
    return _like(T, T.reshape(T.sum(total, axes) if axes else total, bias.shape), bias)


def _grads_twin(
    g: Tensor, x: Tensor, weight: Tensor, bias: Any, layout: Layout, eps: float, centred: bool, wanted: Sequence[bool],
    xhat: Any, rstd: Any,
) -> list[Tensor | None]:  # fmt: skip
    given = g, x, weight, layout, eps, centred
    return [
        _input_grad_twin(*given) if wanted[0] else None,
        _weight_grad_twin(*given) if wanted[1] else None,
        _bias_grad_twin(g, bias, layout) if bias is not None and wanted[2] else None,
    ]


pair("norm_grads", K.norm_grads, _grads_twin)
pair("norm_bias_grad", K.norm_bias_grad, _bias_grad_twin)


def _gradients(
    F: Any, g: Any, wanted: list[bool], x: Any, weight: Any, bias: Any, layout: Layout, eps: float,
    centred: bool = True, *, xhat: Any, rstd: Any,
) -> list[Any]:  # fmt: skip
    return F.norm_grads(g, x, weight, bias, layout, eps, centred, tuple(wanted), xhat, rstd)


def _batch_norm_twin(
    g: Tensor, x: Tensor, weight: Tensor, bias: Tensor, eps: float, wanted: list[bool], **saved: Any
) -> list[Any]:
    return _gradients(T, g, wanted, x, weight, bias, K.batch_layout(x.shape, weight.shape), eps, **saved)


pair("batch_norm_grads", K.batch_norm_grads, _batch_norm_twin)


def _batch_norm_rule(
    F: Any, gs: Any, out: Any, wanted: list[bool], x: Any, weight: Any, bias: Any, eps: float = 1e-5, **saved: Any
) -> list[Any]:
    if gs[0] is None:  # only the statistics were used, and they are constants
        return [None, None, None]
    return F.batch_norm_grads(gs[0], x, weight, bias, eps, tuple(wanted), **saved)


def _layer_norm_rule(
    F: Any, g: Any, out: Any, wanted: list[bool], x: Any, weight: Any, bias: Any, axes: int = 1, eps: float = 1e-5,
    **saved: Any,
) -> list[Any]:  # fmt: skip
    return _gradients(F, g, wanted, x, weight, bias, K.trailing_layout(x.shape, weight.shape, axes), eps, **saved)


def _group_norm_rule(
    F: Any, g: Any, out: Any, wanted: list[bool], x: Any, weight: Any, bias: Any, num_groups: int, eps: float = 1e-5,
    **saved: Any,
) -> list[Any]:  # fmt: skip
    return _gradients(F, g, wanted, x, weight, bias, K.group_layout(x.shape, weight.shape, num_groups), eps, **saved)


def _instance_norm_rule(
    F: Any, g: Any, out: Any, wanted: list[bool], x: Any, weight: Any, bias: Any, eps: float = 1e-5, **saved: Any
) -> list[Any]:
    return _gradients(F, g, wanted, x, weight, bias, K.instance_layout(x.shape, weight.shape), eps, **saved)


def _rms_norm_rule(
    F: Any, g: Any, out: Any, wanted: list[bool], x: Any, weight: Any, eps: float = 1e-6, **saved: Any
) -> list[Any]:
    layout = K.trailing_layout(x.shape, weight.shape, len(weight.shape))
    return _gradients(F, g, wanted, x, weight, None, layout, eps, centred=False, **saved)[:2]


def _card(value: str) -> tuple[str, ...]:
    return (
        f"y = x̂ · w + b,  x̂ = (x − mean) / σ {{{value}}}",
        "∂x = (g·w − mean(g·w) − x̂ · mean(g·w·x̂)) / σ", "∂w = Σ g · x̂", "∂b = Σ g",
    )  # fmt: skip


_FACTS: dict[str, Any] = {"promotes": (), "saves": ("xhat", "rstd"), "public": False}
batch_norm_op = define(
    "batch_norm", K.batch_norm, _batch_norm_rule, arity=3, floats=(0, 1, 2), outputs=3,
    source="Ioffe & Szegedy 2015", card=_card("of_batch"), **_FACTS,
)  # fmt: skip
layer_norm_op = define(
    "layer_norm", K.layer_norm, _layer_norm_rule, arity=3, floats=(0, 1, 2),
    source="Ba, Kiros & Hinton 2016", card=_card("of_sample"), **_FACTS,
)  # fmt: skip
group_norm_op = define(
    "group_norm", K.group_norm, _group_norm_rule, arity=3, floats=(0, 1, 2),
    source="Wu & He 2018", card=_card("of_group"), **_FACTS,
)  # fmt: skip
instance_norm_op = define(
    "instance_norm", K.instance_norm, _instance_norm_rule, arity=3, floats=(0, 1, 2),
    source="Ulyanov, Vedaldi & Lempitsky 2016", card=_card("of_instance"), **_FACTS,
)  # fmt: skip
rms_norm_op = define(
    "rms_norm", K.rms_norm, _rms_norm_rule, arity=2, floats=(0, 1),
    label="RMSNorm", source="Zhang & Sennrich 2019",
    card=("y = x̂ · w,  x̂ = x / √(mean x² + eps)", "∂x = (g·w − x̂ · mean(g·w·x̂)) / √(mean x² + eps)", "∂w = Σ g · x̂"),
    **_FACTS,
)  # fmt: skip


def _inference_weight(
    F: Any, g: Any, out: Any, x: Any, w: Any, b: Any, mean: Any, variance: Any, eps: float = 1e-5
) -> Any:
    row = K.channel_row(len(x.shape))
    xhat = F.multiply(F.subtract(x, F.reshape(mean, row)), F.reshape(F.rsqrt(F.shift(variance, eps)), row))
    return F.norm_bias_grad(F.multiply(g, xhat), w, K.batch_layout(x.shape, w.shape))


def _inference_input(
    F: Any, g: Any, out: Any, x: Any, w: Any, b: Any, mean: Any, variance: Any, eps: float = 1e-5
) -> Any:
    factor = F.multiply(w, F.rsqrt(F.shift(variance, eps)))
    return _like(F, F.multiply(g, F.reshape(factor, K.channel_row(len(x.shape)))), x)


batch_norm_inference = define(
    "batch_norm_inference", K.batch_norm_inference,
    (
        _inference_input, _inference_weight,
        lambda F, g, out, x, w, b, mean, variance, eps=1e-5: F.norm_bias_grad(g, b, K.batch_layout(x.shape, b.shape)),
        None, None,
    ),
    floats=(0, 1, 2, 3, 4), promotes=(), label="BatchNorm", public=False, source="Ioffe & Szegedy 2015",
    card=(
        "y = (x − mean) · w / √(variance + eps) + b {statistics_given}",
        "∂x = g · w / √(variance + eps)", "∂w = Σ g · x̂", "∂b = Σ g",
    ),
)  # fmt: skip


# Public forms ---------------------------------------------------------------------------------------------------


def _or_constant(given: Any, value: float, shape: Sequence[int]) -> Tensor:
    """A weight or bias, or where there is none what changes nothing."""
    return operand(given) if given is not None else wrap(np.full(shape, value, np.float32))


def _per_channel(x: Tensor, weight: Any, bias: Any) -> tuple[Tensor, Tensor]:
    if x.ndim < 2:
        raise ValueError(say("errors.channel_axis"))
    return _or_constant(weight, 1, x.shape[1:2]), _or_constant(bias, 0, x.shape[1:2])


@public("batch_norm")
def batch_norm(
    input_x: Any, running_mean: Tensor, running_var: Tensor, weight: Any = None, bias: Any = None,
    training: bool = False, momentum: float = 0.1, eps: float = 1e-5,
) -> Tensor:  # fmt: skip
    """Each channel (axis 1) normalised: by the batch in training, else by the running statistics.

    In training these move in place: running = (1 − momentum) · running + momentum · batch, with the unbiased variance.
    """
    x = operand(input_x)
    weight, bias = _per_channel(x, weight, bias)
    if not training:
        return batch_norm_inference(x, weight, bias, running_mean, running_var, eps=eps)
    y, mean, variance = batch_norm_op(x, weight, bias, eps=eps)
    move_statistics((running_mean, running_var), (mean, variance), _values_per_channel(x), 1 - momentum)
    return y


def _values_per_channel(x: Tensor) -> int:
    return x.size // max(x.shape[1], 1)


def move_statistics(running: Sequence[Tensor], batch: Sequence[Tensor], count: int, keep: float) -> None:
    """running = keep · running + (1 − keep) · batch, for the mean and the variance, which is made unbiased.

    With one value per channel there is no unbiased variance, and 0 is taken.
    """
    corrections = 1.0, count / max(count - 1, 1)
    for old, new, correction in zip(running, batch, corrections, strict=True):
        assign(old, wrap(old._array * keep + new._array * (correction * (1 - keep))))


@public(primitive="BatchNorm", init=("is_training", "epsilon", "momentum", "data_format"))
def _batch_norm_class(
    input_x: Any, scale: Any, bias: Any, mean: Tensor, variance: Tensor,
    is_training: bool = False, epsilon: float = 1e-5, momentum: float = 0.1, data_format: str = "NCHW",
) -> tuple[Tensor, ...]:  # fmt: skip
    """(y, mean, variance, mean, variance): batch norm, and twice the statistics that were used."""
    check_data_format("BatchNorm", data_format)
    x = operand(input_x)
    if not is_training:
        y = batch_norm_inference(x, scale, bias, mean, variance, eps=epsilon)
        return (y, *(wrap(t._array.copy()) for t in (mean, variance, mean, variance)))
    y, of_batch, spread = batch_norm_op(x, scale, bias, eps=epsilon)
    move_statistics((mean, variance), (of_batch, spread), _values_per_channel(x), 1 - momentum)
    return (y, of_batch, spread, wrap(of_batch._array.copy()), wrap(spread._array.copy()))


def check_data_format(cls: str, data_format: str) -> None:
    """ValueError unless channels come first."""
    if data_format != "NCHW":
        raise ValueError(say("errors.data_format", cls=cls, got=repr(data_format)))


@public("layer_norm")
def layer_norm(
    input: Any, normalized_shape: int | Sequence[int], weight: Any = None, bias: Any = None, eps: float = 1e-5
) -> Tensor:
    """Each sample normalised by itself, over its last axes, whose lengths are ``normalized_shape``."""
    x = operand(input)
    shape = (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)
    if not shape or x.shape[-len(shape) :] != shape:
        wanted = f"(…, {', '.join(map(str, shape))})"
        raise ValueError(say("errors.norm_input", cls="layer_norm", shape=x.shape, wanted=wanted))
    return layer_norm_op(x, _or_constant(weight, 1, shape), _or_constant(bias, 0, shape), axes=len(shape), eps=eps)


@public(primitive="LayerNorm", init=("begin_norm_axis", "begin_params_axis", "epsilon"))
def _layer_norm_class(
    input_x: Any, gamma: Any, beta: Any,
    begin_norm_axis: int = 1, begin_params_axis: int = 1, epsilon: float = 1e-7,
) -> tuple[Tensor, Tensor, Tensor]:  # fmt: skip
    """(y, mean, 1 / σ), the statistics over the axes from ``begin_norm_axis`` on."""
    x = operand(input_x)
    count = len(range(x.ndim)[begin_norm_axis:])
    axes = tuple(range(x.ndim - count, x.ndim))
    if not count or x.shape[begin_params_axis:] != operand(gamma).shape:
        raise ValueError(say("errors.norm_weight", got=operand(gamma).shape))
    y = layer_norm_op(x, gamma, beta, axes=count, eps=epsilon)
    mean = T.mean(_wide(x), axes, True)
    variance = T.mean(T.square(T.subtract(_wide(x), mean)), axes, True)
    return y, mean, T.rsqrt(T.shift(variance, epsilon))


@public("group_norm")
def group_norm(input: Any, num_groups: int, weight: Any = None, bias: Any = None, eps: float = 1e-5) -> Tensor:
    """Each sample (N, C, …) normalised in ``num_groups`` groups of neighbouring channels."""
    x = operand(input)
    return group_norm_op(x, *_per_channel(x, weight, bias), num_groups=num_groups, eps=eps)


@public("instance_norm")
def instance_norm(input: Any, weight: Any = None, bias: Any = None, eps: float = 1e-5) -> Tensor:
    """Each channel of each sample (N, C, …) normalised by itself."""
    x = operand(input)
    return instance_norm_op(x, *_per_channel(x, weight, bias), eps=eps)


@public("rms_norm", primitive="RmsNorm", init=("epsilon",))
def rms_norm(x: Any, gamma: Any, epsilon: float = 1e-6) -> tuple[Tensor, Tensor]:
    """x / √(mean of x² + epsilon) · gamma over the last axes, those of gamma; and 1 / √(mean of x² + epsilon)."""
    x, gamma = operand(x), operand(gamma)
    y = rms_norm_op(x, gamma, eps=epsilon)
    axes = tuple(range(-gamma.ndim, 0))
    return y, T.rsqrt(T.shift(T.mean(T.square(_wide(x)), axes, True), epsilon))


# Local response -------------------------------------------------------------------------------------------------

neighbour_sum = define(
    "neighbour_sum", K.neighbour_sum, (lambda F, g, out, x, radius: F.neighbour_sum(g, radius),),
    keeps="", public=False, source="{sum_of_uses}", card=("y = Σ x {near_channels}", "∂x = Σ g {near_channels}"),
)  # fmt: skip


@public("lrn", primitive="LRN", init=("depth_radius", "bias", "alpha", "beta", "norm_region"))
def lrn(
    x: Any, depth_radius: int = 5, bias: float = 1.0, alpha: float = 1.0, beta: float = 0.5,
    norm_region: str = "ACROSS_CHANNELS",
) -> Tensor:  # fmt: skip
    """x / (bias + alpha · Σ x² over the channels up to ``depth_radius`` away) ^ beta  (Krizhevsky et al. 2012)."""
    if norm_region != "ACROSS_CHANNELS":
        raise ValueError(say("errors.norm_region", got=repr(norm_region)))
    x = operand(x)
    wide = _wide(x)
    energy = neighbour_sum(T.square(wide), radius=depth_radius)
    y = T.multiply(wide, T.power(T.shift(T.scale(energy, alpha), bias), -beta))
    return _like(T, y, x) if x.dtype is float16 else y
