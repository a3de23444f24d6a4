"""Activation functions."""

from __future__ import annotations

import numpy as np

from ..core.define import define, pair
from ..core.op import TENSORS as T
from ..core.tensor import wrap
from ..kernels import elementwise as K
from ..kernels import losses as L

pair("tanh_grad", K.tanh_grad, lambda g, y: T.multiply(g, T.shift(T.negative(T.multiply(y, y)), 1.0)))
tanh = define(
    "tanh", np.tanh, (lambda F, g, out, x: F.tanh_grad(g, out),),
    keeps="output", floats=(0,), primitive="Tanh", methods=("tanh",), inplace=(0,),
    card=("y = tanh x", "∂x = g · (1 − y²)"),
)  # fmt: skip
pair("sigmoid_grad", K.sigmoid_grad, lambda g, y: T.multiply(g, T.subtract(y, T.multiply(y, y))))
sigmoid = define(
    "sigmoid", K.sigmoid, (lambda F, g, out, x: F.sigmoid_grad(g, out),),
    keeps="output", floats=(0,), primitive="Sigmoid", methods=("sigmoid",),
    card=("y = 1 / (1 + e⁻ˣ)", "∂x = g · y · (1 − y)"),
)  # fmt: skip
pair("relu_grad", K.relu_grad, lambda g, y: T.multiply(g, wrap((y._array > 0).astype(y._array.dtype))))
relu = define(
    "relu", K.relu, (lambda F, g, out, x: F.relu_grad(g, out),),
    keeps="output", primitive="ReLU", methods=("relu",), inplace=(0,), domain=(0.3, 2.0),
    card=("y = max(x, 0)", "∂x = g · [x > 0] (0 at x = 0)"),
)  # fmt: skip
pair("relu6_mask", K.relu6_mask, lambda x: wrap(K.relu6_mask(x._array)))
relu6 = define(
    "relu6", K.relu6, (lambda F, g, out, x: F.multiply(g, F.relu6_mask(x)),), primitive="ReLU6", domain=(0.3, 5.0),
    card=("y = min(max(x, 0), 6)", "∂x = g · [0 < x ≤ 6]"),
)  # fmt: skip


def _softmax_grad_twin(g, y, axis=-1):  # type: ignore[no-untyped-def]
    gy = T.multiply(g, y)
    return T.subtract(gy, T.multiply(y, T.sum(gy, axis, True)))


pair("softmax_grad", L.softmax_grad, _softmax_grad_twin)
softmax = define(
    "softmax", L.softmax, (lambda F, g, out, x, axis=-1: F.softmax_grad(g, out, axis),),
    keeps="output", floats=(0,), primitive="Softmax", methods=("softmax",),
    card=("y = eˣ / Σ eˣ", "∂x = y · (g − Σ g·y)"),
)  # fmt: skip
log_softmax = define(
    "log_softmax", L.log_softmax,
    (lambda F, g, out, x, axis=-1: F.subtract(g, F.multiply(F.exp(out), F.sum(g, axis, True))),),
    keeps="output", floats=(0,), primitive="LogSoftmax", methods=("log_softmax",),
    card=("y = x − ln Σ eˣ", "∂x = g − eʸ · Σ g"),
)  # fmt: skip
