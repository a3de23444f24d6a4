"""What each op computes, written once more in plain NumPy (or loops), for the generated tests to compare with."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

Array = np.ndarray


def each(f: Callable[[float], float]) -> Callable[[Array], Array]:
    """A function of one number for arrays."""
    return np.vectorize(f, otypes=[float])


UNARY: dict[str, Callable[[Array], Array]] = {
    "tanh": each(math.tanh),
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "relu": lambda x: np.where(x > 0, x, 0),
    "relu6": lambda x: np.clip(x, 0, 6),
    "negative": lambda x: 0 - x,
    "positive": lambda x: x,
    "absolute": lambda x: np.where(x < 0, 0 - x, x),
    "sign": lambda x: np.where(x > 0, 1.0, np.where(x < 0, -1.0, 0.0)),
    "floor": each(math.floor),
    "ceil": each(math.ceil),
    "round": each(round),
    "square": lambda x: x * x,
    "sqrt": each(math.sqrt),
    "rsqrt": each(lambda x: 1 / math.sqrt(x)),
    "exp": each(math.exp),
    "log": each(math.log),
    "sin": each(math.sin),
    "cos": each(math.cos),
    "identity": lambda x: x,
    "stop_gradient": lambda x: x,
    "logical_not": lambda x: x == 0,
}
BINARY: dict[str, Callable[[Array, Array], Array]] = {
    "add": lambda x, y: x + y,
    "subtract": lambda x, y: x - y,
    "multiply": lambda x, y: x * y,
    "divide": lambda x, y: x * (1 / y),
    "floor_divide": lambda x, y: np.floor(x / y),
    "mod": lambda x, y: x - y * np.floor(x / y),
    "power": lambda x, y: np.exp(y * np.log(x)),
    "maximum": lambda x, y: np.where(x > y, x, y),
    "minimum": lambda x, y: np.where(x < y, x, y),
    "equal": lambda x, y: x == y,
    "not_equal": lambda x, y: (x < y) | (x > y),
    "greater": lambda x, y: x > y,
    "greater_equal": lambda x, y: ~(x < y),
    "less": lambda x, y: x < y,
    "less_equal": lambda x, y: ~(x > y),
    "logical_and": lambda x, y: (x != 0) & (y != 0),
    "logical_or": lambda x, y: (x != 0) | (y != 0),
}


def softmax(x: Array, axis: int = -1) -> Array:
    e = np.exp(x)
    return e / e.sum(axis, keepdims=True)


def matmul(x: Array, y: Array, transpose_a: bool = False, transpose_b: bool = False) -> Array:
    left, right = x.ndim == 1, y.ndim == 1
    x = x[None] if left else np.swapaxes(x, -1, -2) if transpose_a else x
    y = y[:, None] if right else np.swapaxes(y, -1, -2) if transpose_b else y
    out = (x[..., :, :, None] * y[..., None, :, :]).sum(-2)
    out = out[..., 0] if right else out
    return out[..., 0] if left and right else out[..., 0, :] if left else out


def convolution(
    x: Array, w: Array, stride: Any = (1, 1), pad: Any = (0, 0, 0, 0), dilation: Any = (1, 1), groups: int = 1
) -> Array:
    """Pixel by pixel."""
    x = np.pad(x, ((0, 0), (0, 0), (pad[0], pad[1]), (pad[2], pad[3])))
    (n, _, height, width), (o, per_group, kh, kw) = x.shape, w.shape
    rows = (height - (kh - 1) * dilation[0] - 1) // stride[0] + 1
    columns = (width - (kw - 1) * dilation[1] - 1) // stride[1] + 1
    out = np.zeros((n, o, rows, columns))
    for k, i, j in itertools.product(range(o), range(rows), range(columns)):
        first = k // (o // groups) * per_group
        top, left = i * stride[0], j * stride[1]
        window = x[
            :, first : first + per_group, top : top + kh * dilation[0] : dilation[0],
            left : left + kw * dilation[1] : dilation[1],
        ]  # fmt: skip
        out[:, k, i, j] = (window * w[k]).sum((1, 2, 3))
    return out


def adjoint(linear: Callable[[Array], Array], shape: tuple[int, ...], g: Array) -> Array:
    """The transpose of a linear function of arrays of ``shape``, applied to g, element by element."""
    basis = np.eye(math.prod(shape)).reshape(-1, *shape)
    return np.array([(g * linear(e)).sum() for e in basis]).reshape(shape)


def convolution_input_grad(g: Array, w: Array, shape: Any, **attrs: Any) -> Array:
    return adjoint(lambda x: convolution(x, w, **attrs), shape, g)


def convolution_weight_grad(g: Array, x: Array, kernel: Any, **attrs: Any) -> Array:
    shape = (g.shape[1], x.shape[1] // attrs.get("groups", 1), *kernel)
    return adjoint(lambda w: convolution(x, w, **attrs), shape, g)


def batch_norm_inference(x: Array, weight: Array, bias: Array, mean: Array, var: Array, eps: float = 1e-5) -> Array:
    out = np.empty_like(x)
    for c in range(x.shape[1]):
        out[:, c] = (x[:, c] - mean[c]) / math.sqrt(var[c] + eps) * weight[c] + bias[c]
    return out


def batch_norm(x: Array, weight: Array, bias: Array, eps: float = 1e-5) -> tuple[Array, Array, Array]:
    mean = np.array([x[:, c].mean() for c in range(x.shape[1])])
    var = np.array([x[:, c].var() for c in range(x.shape[1])])
    return batch_norm_inference(x, weight, bias, mean, var, eps), mean, var


def cross_entropy(logits: Array, labels: Array, reduction: str = "mean", ignore_index: int = -100) -> Array:
    rows = [0.0 if k == ignore_index else -np.log(softmax(z)[k]) for z, k in zip(logits, labels, strict=True)]
    if reduction == "none":
        return np.array(rows)
    return np.array(sum(rows) / (sum(k != ignore_index for k in labels) if reduction == "mean" else 1))


def flatten(x: Array, start_dim: int = 1, end_dim: int = -1) -> Array:
    if x.ndim < 2:
        return x.reshape(-1)
    end = end_dim % x.ndim + 1
    return x.reshape(*x.shape[:start_dim], math.prod(x.shape[start_dim:end]), *x.shape[end:])


def broadcast_to(x: Array, shape: tuple[int, ...]) -> Array:
    lead = len(shape) - x.ndim
    return np.array(np.broadcast_to(x, [x.shape[i - lead] if d == -1 else d for i, d in enumerate(shape)]))


def setitem(x: Array, value: Array, index: Any) -> Array:
    x = x.copy()
    x[index] = value
    return x


def put(g: Array, shape: tuple[int, ...], index: Any) -> Array:
    return adjoint(lambda x: x[index], shape, g)


OTHERS: dict[str, Callable[..., Any]] = {
    "softmax": softmax,
    "log_softmax": lambda x, axis=-1: np.log(softmax(x, axis)),
    "scale": lambda x, factor: x * factor,
    "shift": lambda x, amount: x + amount,
    "clamp": lambda x, min=None, max=None: np.clip(x, min, max),
    "bitwise_and": lambda x, y: x & y,
    "bitwise_or": lambda x, y: x | y,
    "bitwise_xor": lambda x, y: x ^ y,
    "bitwise_not": lambda x: ~x,
    "matmul": matmul,
    "bias_add": lambda x, b, axis=1: np.moveaxis(np.moveaxis(x, axis, -1) + b, -1, axis),
    "convolution": convolution,
    "convolution_input_grad": convolution_input_grad,
    "convolution_weight_grad": convolution_weight_grad,
    "batch_norm": batch_norm,
    "batch_norm_inference": batch_norm_inference,
    "cross_entropy": cross_entropy,
    "sum": lambda x, dim=None, keepdim=False: x.sum(dim, keepdims=keepdim),
    "mean": lambda x, axis=None, keep_dims=False: x.mean(axis, keepdims=keep_dims),
    "prod": lambda x, axis=None, keep_dims=False: x.prod(axis, keepdims=keep_dims),
    "amax": lambda x, axis=None, keepdims=False: x.max(axis, keepdims=keepdims),
    "amin": lambda x, axis=None, keepdims=False: x.min(axis, keepdims=keepdims),
    "all": lambda x, axis=None, keep_dims=False: (x != 0).all(axis, keepdims=keep_dims),
    "any": lambda x, axis=None, keep_dims=False: (x != 0).any(axis, keepdims=keep_dims),
    "argmax": lambda x, dim=None, keepdim=False: np.argmax(x, dim, keepdims=keepdim),
    "select": lambda c, x, y: c * x + (1 - c) * y,
    "reshape": lambda x, shape: x.reshape(shape),
    "expand_dims": lambda x, axis: np.expand_dims(x, axis),
    "squeeze": lambda x, axis=None: np.squeeze(x, axis),
    "flatten": flatten,
    "transpose": lambda x, axes=None: np.transpose(x, axes),
    "swapaxes": lambda x, axis0, axis1: np.swapaxes(x, axis0, axis1),
    "broadcast_to": broadcast_to,
    "concat": lambda *xs, axis=0: np.concatenate(xs, axis),
    "stack": lambda *xs, axis=0: np.stack(xs, axis),
    "getitem": lambda x, index: x[index],
    "put": put,
    "setitem": setitem,
}
