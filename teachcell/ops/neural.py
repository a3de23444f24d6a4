"""Convolution, normalisation, dropout and losses."""

from __future__ import annotations

from typing import Any

from ..core.define import FUNCTIONS, define, pair
from ..core.op import TENSORS as T
from ..core.tensor import Tensor, wrap
from ..kernels import conv, losses, norm, random
from ..texts import say

convolution = define(
    "convolution", conv.convolution,
    (
        lambda F, g, out, x, w, **k: F.convolution_input_grad(g, w, x.shape, **k),
        lambda F, g, out, x, w, **k: F.convolution_weight_grad(g, x, w.shape[2:], **k),
    ),
    label="Conv2d", public=False,
    card=("y = x ∗ w", "∂x = g ∗ w, turned by 180°", "∂w = x ∗ g"),
)  # fmt: skip
define(
    "convolution_input_grad", conv.convolution_input_grad,
    (
        lambda F, h, out, g, w, shape, **k: F.convolution(h, w, **k),
        lambda F, h, out, g, w, shape, **k: F.convolution_weight_grad(g, h, w.shape[2:], **k),
    ),
    public=False, card=("y = g ∗ w, turned by 180°", "∂g = h ∗ w", "∂w = h ∗ g"),
)  # fmt: skip
define(
    "convolution_weight_grad", conv.convolution_weight_grad,
    (
        lambda F, h, out, g, x, kernel, **k: F.convolution(x, h, **k),
        lambda F, h, out, g, x, kernel, **k: F.convolution_input_grad(g, h, x.shape, **k),
    ),
    public=False, card=("y = x ∗ g", "∂g = x ∗ h", "∂x = g ∗ h, turned by 180°"),
)  # fmt: skip


def positive_pair(what: str, value: Any) -> tuple[int, int]:
    """An int or a pair of ints above 0 as a pair (vertical, horizontal)."""
    two = tuple(value) if isinstance(value, (tuple, list)) else (value, value)
    if len(two) != 2 or not all(isinstance(v, int) and v > 0 for v in two):
        raise ValueError(say("errors.conv_size", what=what, got=value))
    return two


def explicit_padding(pad_mode: str, padding: Any) -> conv.Pad:
    """``padding`` as (top, bottom, left, right), checked; only pad_mode "pad" may have any."""
    if pad_mode not in ("same", "valid", "pad"):
        raise ValueError(say("errors.pad_mode", got=repr(pad_mode)))
    four = tuple(padding) if isinstance(padding, (tuple, list)) else (padding,) * 4
    if len(four) == 2:
        four = (four[0], four[0], four[1], four[1])
    if len(four) != 4 or not all(isinstance(p, int) and p >= 0 for p in four):
        raise ValueError(say("errors.padding", got=padding))
    if pad_mode != "pad" and any(four):
        raise ValueError(say("errors.padding_mode", pad_mode=repr(pad_mode), padding=padding))
    return four


def _same_padding(*sizes: tuple[int, ...]) -> conv.Pad:
    """Padding for an output of ⌈in / stride⌉, the odd pixel at bottom and right."""
    height, width = (
        max((-(-size // stride) - 1) * stride + (kernel - 1) * dilation + 1 - size, 0)
        for size, kernel, stride, dilation in zip(*sizes, strict=True)
    )
    return (height // 2, height - height // 2, width // 2, width - width // 2)


def conv2d(
    input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: Any = 1, pad_mode: str = "valid",
    padding: Any = 0, dilation: Any = 1, groups: int = 1,
) -> Tensor:  # fmt: skip
    """2-d convolution (cross-correlation).

    Args:
        input: (N, C, H, W).
        weight: (O, C / groups, kh, kw).
        bias: (O,) or None.
        stride, dilation: int or (vertical, horizontal).
        pad_mode: ``"valid"``, ``"same"`` or ``"pad"`` (then ``padding``: int, (v, h) or (top, bottom, left, right)).
        groups: number of channel groups.

    Returns:
        (N, O, H', W').
    """
    strides, dilations = positive_pair("stride", stride), positive_pair("dilation", dilation)
    pad = explicit_padding(pad_mode, padding)
    if pad_mode == "same" and input.ndim == weight.ndim == 4:
        pad = _same_padding(input.shape[2:], weight.shape[2:], strides, dilations)
    out = convolution(input, weight, stride=strides, pad=pad, dilation=dilations, groups=groups)
    return out if bias is None else T.bias_add(out, bias, 1)


FUNCTIONS["conv2d"] = conv2d


def _channel_sum(x: Tensor) -> Tensor:
    return T.sum(x, norm.batch_axes(x.ndim))


def _per_channel(v: Tensor, ndim: int) -> Tensor:
    return T.reshape(v, (1, -1) + (1,) * (ndim - 2))


def _normalised(x: Tensor, eps: float) -> tuple[Tensor, Tensor]:
    """x̂ and 1/σ computed from the input by ops, for derivatives of the derivative."""
    axes = norm.batch_axes(x.ndim)
    centred = T.subtract(x, T.mean(x, axes, True))
    rstd = T.rsqrt(T.shift(T.mean(T.square(centred), axes, True), eps))
    return T.multiply(centred, rstd), rstd


def _input_grad_twin(g: Tensor, x: Tensor, weight: Tensor, eps: float, xhat: Any, rstd: Any) -> Tensor:
    axes = norm.batch_axes(x.ndim)
    xhat, rstd = _normalised(x, eps)
    scaled = T.multiply(g, _per_channel(weight, x.ndim))
    along = T.multiply(xhat, T.mean(T.multiply(scaled, xhat), axes, True))
    return T.multiply(rstd, T.subtract(T.subtract(scaled, T.mean(scaled, axes, True)), along))


def _weight_grad_twin(g: Tensor, x: Tensor, eps: float, xhat: Any, rstd: Any) -> Tensor:
    return _channel_sum(T.multiply(g, _normalised(x, eps)[0]))


pair("batch_norm_input_grad", norm.batch_norm_input_grad, _input_grad_twin)
pair("batch_norm_weight_grad", norm.batch_norm_weight_grad, _weight_grad_twin)


def _batch_norm_rule(
    F: Any, gs: Any, out: Any, wanted: list[bool], x: Any, weight: Any, bias: Any, eps: float = 1e-5, **saved: Any
) -> list[Any]:
    g = gs[0]
    if g is None:  # only the statistics were used, and they are constants
        return [None, None, None]
    return [
        F.batch_norm_input_grad(g, x, weight, eps, **saved) if wanted[0] else None,
        F.batch_norm_weight_grad(g, x, eps, **saved) if wanted[1] else None,
        F.sum(g, norm.batch_axes(len(g.shape))) if wanted[2] else None,
    ]


batch_norm = define(
    "batch_norm", norm.batch_norm, _batch_norm_rule, arity=3, outputs=3, floats=(0,), saves=("xhat", "rstd"),
    label="BatchNorm", promotes=True, public=False,
    card=(
        "y = x̂ · w + b,  x̂ = (x − mean) / σ of this batch",
        "∂x = (g·w − mean(g·w) − x̂ · mean(g·w·x̂)) / σ", "∂w = Σ g · x̂", "∂b = Σ g",
    ),
)  # fmt: skip


def _inference_weight(
    F: Any, g: Any, out: Any, x: Any, w: Any, b: Any, mean: Any, variance: Any, eps: float = 1e-5
) -> Any:
    ndim = len(x.shape)
    row = (1, -1) + (1,) * (ndim - 2)
    xhat = F.multiply(F.subtract(x, F.reshape(mean, row)), F.reshape(F.rsqrt(F.shift(variance, eps)), row))
    return F.sum(F.multiply(g, xhat), norm.batch_axes(ndim))


def _inference_input(
    F: Any, g: Any, out: Any, x: Any, w: Any, b: Any, mean: Any, variance: Any, eps: float = 1e-5
) -> Any:
    row = (1, -1) + (1,) * (len(x.shape) - 2)
    return F.multiply(g, F.reshape(F.multiply(w, F.rsqrt(F.shift(variance, eps))), row))


batch_norm_inference = define(
    "batch_norm_inference", norm.batch_norm_inference,
    (
        _inference_input, _inference_weight,
        lambda F, g, out, x, w, b, mean, variance, eps=1e-5: F.sum(g, norm.batch_axes(len(g.shape))),
        None, None,
    ),
    floats=(0,), label="BatchNorm", promotes=True, public=False,
    card=(
        "y = (x − mean) · w / √(variance + eps) + b, statistics given",
        "∂x = g · w / √(variance + eps)", "∂w = Σ g · x̂", "∂b = Σ g",
    ),
)  # fmt: skip

dropout_op = define(
    "dropout", random.dropout, (lambda F, g, out, x, p=0.5, *, mask: F.multiply(g, F.constant(mask)),),
    floats=(0,), keeps="", saves=("mask",), effect="random", public=False, label="Dropout",
    card=("y = x · mask / (1 − p)", "∂x = g · mask / (1 − p)"),
)  # fmt: skip


identity = define(
    "identity", lambda x: x, (lambda F, g, out, x: g,), keeps="", alias=True, public=False,
    card=("y = x", "∂x = g"),
)  # fmt: skip


def dropout(input: Tensor, p: float = 0.5, training: bool = True) -> Tensor:
    """Each element 0 with probability ``p``, else divided by 1 − p; the input itself when not ``training``."""
    return dropout_op(input, p) if training else identity(input)


FUNCTIONS["dropout"] = dropout


def _dropout2d_rule(F: Any, gs: Any, out: Any, wanted: list[bool], x: Any, keep_prob: float = 0.5) -> list[Any]:
    if gs[0] is None:
        return [None]
    return [F.scale(F.multiply(gs[0], out[1]), 1 / keep_prob if keep_prob else 0.0)]


define(
    "dropout2d", random.dropout2d, _dropout2d_rule, keeps="output", outputs=2, effect="random", public=True,
    names=(), primitive="Dropout2D", card=("y = x · mask / keep_prob, whole channels", "∂x = g · mask / keep_prob"),
)  # fmt: skip


def _cross_entropy_twin(
    g: Tensor, logits: Tensor, labels: Tensor, slope: Any, reduction: str = "mean", ignore_index: int = -100
) -> Tensor:
    """Share of each row times (softmax − one-hot), the softmax from the logits again."""
    probabilities = T.softmax(logits, 1)
    used = (labels._array != ignore_index).astype(logits._array.dtype)
    if reduction == "mean":
        used /= max(used.sum(), 1)
    onehot = probabilities._array - losses.cross_entropy(logits._array, labels._array, "none", ignore_index)[1]["slope"]
    onehot[labels._array == ignore_index] = 0
    rows = T.multiply(g, wrap(used)) if g.ndim else T.multiply(T.reshape(g, (1,)), wrap(used))
    return T.multiply(T.subtract(probabilities, wrap(onehot)), T.reshape(rows, (-1, 1)))


pair("cross_entropy_grad", losses.cross_entropy_grad, _cross_entropy_twin)
cross_entropy_of_labels = define(
    "cross_entropy", losses.cross_entropy,
    (lambda F, g, out, logits, labels, slope, **k: F.cross_entropy_grad(g, logits, labels, slope, **k), None),
    floats=(0,), saves=("slope",), promotes=(), label="CrossEntropy", public=False,
    card=("y = mean of −ln softmax(z)[label]", "∂z = g · (softmax(z) − one-hot) / n"),
)  # fmt: skip


def cross_entropy(input: Tensor, target: Tensor, reduction: str = "mean", ignore_index: int = -100) -> Tensor:
    """Cross entropy of logits (N, C) with integer labels (N,) or probabilities (N, C).

    Args:
        input: logits (N, C).
        target: labels (N,), integer; or probabilities (N, C), float.
        reduction: ``"mean"``, ``"sum"`` or ``"none"``.
        ignore_index: rows with this label count for nothing.
    """
    if reduction not in ("mean", "sum", "none"):
        raise ValueError(say("errors.reduction", got=repr(reduction)))
    if target.dtype.numpy.kind in "iu":
        return cross_entropy_of_labels(input, target, reduction=reduction, ignore_index=ignore_index)
    each = T.negative(T.sum(T.multiply(target, T.log_softmax(input, 1)), 1))
    return each if reduction == "none" else T.sum(each) if reduction == "sum" else T.mean(each)


FUNCTIONS["cross_entropy"] = cross_entropy
