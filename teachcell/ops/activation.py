"""Activation functions."""

from __future__ import annotations

import numpy as np

from ..core.define import define, pair
from ..core.op import TENSORS as T
from ..core.tensor import wrap
from ..kernels import elementwise as K

pair("tanh_grad", K.tanh_grad, lambda g, y: T.multiply(g, T.shift(T.negative(T.multiply(y, y)), 1.0)))
tanh = define(
    "tanh", np.tanh, (lambda F, g, out, x: F.tanh_grad(g, out),),
    keeps="output", floats=(0,), primitive="Tanh", methods=("tanh",),
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
    keeps="output", primitive="ReLU", methods=("relu",), domain=(0.3, 2.0),
    card=("y = max(x, 0)", "∂x = g · [x > 0] {at_zero}"),
)  # fmt: skip
pair("relu6_mask", K.relu6_mask, lambda x: wrap(K.relu6_mask(x._array)))
relu6 = define(
    "relu6", K.relu6, (lambda F, g, out, x: F.multiply(g, F.relu6_mask(x)),), primitive="ReLU6", domain=(0.3, 5.0),
    card=("y = min(max(x, 0), 6)", "∂x = g · [0 < x ≤ 6]"),
)  # fmt: skip
