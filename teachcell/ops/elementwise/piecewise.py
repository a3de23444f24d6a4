"""Activations made of pieces: relu and its relatives, the hard ones, the shrinking ones."""

from __future__ import annotations

from ...core.card import Kink
from ...core.define import constant_pair, define, pair
from ...core.op import TENSORS as T
from ...core.public import public
from ...core.record import operand
from ...core.tensor import Tensor, wrap
from ...kernels import piecewise as K
from ...texts import say

for _slope in (
    K.relu6_slope, K.leaky_relu_slope, K.hardtanh_slope, K.hardsigmoid_slope, K.shrink_slope, K.threshold_slope,
):  # fmt: skip
    constant_pair(_slope)
pair("relu_grad", K.relu_grad, lambda g, y: T.multiply(g, wrap((y._array > 0).astype(y._array.dtype))))


def _prelu_slope_twin(x: Tensor, weight: Tensor) -> Tensor:
    positive = (x._array > 0).astype(x._array.dtype)
    return T.add(wrap(positive), T.multiply(wrap(1 - positive), weight))


pair("prelu_slope", K.prelu_slope, _prelu_slope_twin)
pair("negative_part", K.negative_part, lambda x: T.multiply(x, wrap((x._array <= 0).astype(x._array.dtype))))

relu = define(
    "relu", K.relu, (lambda F, g, out, x: F.relu_grad(g, out),),
    keeps="output", primitive="ReLU", methods=("relu",),
    elementwise=True,
    card=("y = max(x, 0)", "∂x = g · [x > 0]"), kinks=(Kink((0.0,), (0.0,)),), source="Nair & Hinton 2010",
)  # fmt: skip
relu6 = define(
    "relu6", K.relu6, (lambda F, g, out, x: F.multiply(g, F.relu6_slope(x)),), called=("x",), primitive="ReLU6",
    domain=(-2.0, 8.0), card=("y = min(max(x, 0), 6)", "∂x = g · [0 < x ≤ 6]"),
    kinks=(Kink(([0.0, 6.0],), ([0.0, 1.0],)),), source="Krizhevsky 2010",
)  # fmt: skip
leaky_relu = define(
    "leaky_relu", K.leaky_relu,
    (lambda F, g, out, x, alpha=0.2: F.multiply(g, F.leaky_relu_slope(x, alpha)),),
    label="LeakyReLU", floats=(0,),
    card=("y = x · ([x > 0] + alpha · [x ≤ 0])", "∂x = g · ([x > 0] + alpha · [x ≤ 0])"),
    kinks=(Kink((0.0,), (0.2,)),), source="Maas, Hannun & Ng 2013",
)  # fmt: skip
prelu_op = define(
    "prelu", K.prelu,
    (
        lambda F, g, out, x, weight: F.multiply(g, F.prelu_slope(x, weight)),
        lambda F, g, out, x, weight: F.multiply(g, F.negative_part(x)),
    ),
    label="PReLU", floats=(0,), public=False,
    card=("y = max(x, 0) + w · min(x, 0)", "∂x = g · ([x > 0] + w · [x ≤ 0])", "∂w = g · min(x, 0)"),
    kinks=(Kink((0.0, 0.25), (0.25, 0.0)),), source="He, Zhang, Ren & Sun 2015",
)  # fmt: skip
rrelu = define(
    "rrelu", K.rrelu,
    (lambda F, g, out, x, *, slope, **_: F.multiply(g, F.constant(slope)),),
    label="RReLU", floats=(0,), keeps="", saves=("slope",),
    card=("y = x · s {drawn_where_not_positive}", "∂x = g · s"), source="Xu, Wang, Chen & Li 2015",
)  # fmt: skip
hardtanh = define(
    "hardtanh", K.hardtanh,
    (lambda F, g, out, x, min_val=-1.0, max_val=1.0: F.multiply(g, F.hardtanh_slope(x, min_val, max_val)),),
    label="HardTanh", floats=(0,), card=("y = min(max(x, min_val), max_val)", "∂x = g · [min_val < x < max_val]"),
    kinks=(Kink(([-1.0, 1.0],), ([0.0, 0.0],)),), source="Collobert 2004",
)  # fmt: skip
hardsigmoid = define(
    "hardsigmoid", K.hardsigmoid, (lambda F, g, out, x: F.multiply(g, F.hardsigmoid_slope(x)),),
    floats=(0,), primitive="HSigmoid", domain=(-5.0, 5.0),
    card=("y = min(max(x / 6 + ½, 0), 1)", "∂x = g · [−3 < x < 3] / 6"),
    kinks=(Kink(([-3.0, 3.0],), ([0.0, 0.0],)),), source="Courbariaux, Bengio & David 2015",
)  # fmt: skip


def _hardswish_slope_twin(x: Tensor) -> Tensor:
    parabola = T.shift(T.scale(x, 1 / 3), 0.5)
    return T.select(wrap(abs(x._array) <= 3), parabola, wrap(K.hardswish_slope(x._array)))


pair("hardswish_slope", K.hardswish_slope, _hardswish_slope_twin)
hardswish = define(
    "hardswish", K.hardswish, (lambda F, g, out, x: F.multiply(g, F.hardswish_slope(x)),),
    floats=(0,), primitive="HSwish", domain=(-5.0, 5.0),
    card=("y = x · min(max(x / 6 + ½, 0), 1)", "∂x = g · ((x / 3 + ½) · [−3 ≤ x ≤ 3] + [x > 3])"),
    kinks=(Kink(([-3.0, 3.0],), ([-0.5, 1.5],)),), source="Howard et al. 2019",
)  # fmt: skip
hardshrink = define(
    "hardshrink", K.hardshrink,
    (lambda F, g, out, x, lambd=0.5: F.multiply(g, F.shrink_slope(x, lambd)),),
    floats=(0,), primitive="HShrink", methods=("hardshrink",),
    card=("y = x · [|x| > lambd]", "∂x = g · [|x| > lambd]"),
    kinks=(Kink(([-0.5, 0.5],), ([0.0, 0.0],)),), source="Donoho & Johnstone 1994",
)  # fmt: skip
softshrink = define(
    "softshrink", K.softshrink,
    (lambda F, g, out, x, lambd=0.5: F.multiply(g, F.shrink_slope(x, lambd)),),
    floats=(0,), primitive="SoftShrink", names=("softshrink", "soft_shrink"), methods=("soft_shrink",),
    card=("y = x − min(max(x, −lambd), lambd)", "∂x = g · [|x| > lambd]"),
    kinks=(Kink(([-0.5, 0.5],), ([0.0, 0.0],)),), source="Donoho & Johnstone 1994",
)  # fmt: skip
threshold = define(
    "threshold", K.threshold,
    (lambda F, g, out, x, thr, value: F.multiply(g, F.threshold_slope(x, thr, value)),),
    floats=(0,), card=("y = x · [x > thr] + value · [x ≤ thr]", "∂x = g · [x > thr]"),
    kinks=(Kink((1.0,), (0.0,), {"thr": 1.0, "value": 5.0}),), source="{piecewise}",
)  # fmt: skip


@public("prelu", primitive="PReLU")
def prelu(input: Tensor, weight: Tensor) -> Tensor:
    """``input`` where it is positive, else ``weight`` times it.

    Args:
        input: (N, C, …), or fewer axes with a weight of one element.
        weight: one element for all channels, or C of them, one per channel (axis 1).
    """
    input, weight = operand(input), operand(weight)
    channels = input.shape[1] if input.ndim > 1 else 1
    if weight.ndim > 1 or weight.size not in (1, channels):
        raise ValueError(say("errors.prelu_weight", input=input.shape, weight=weight.shape, channels=channels))
    return prelu_op(input, T.reshape(weight, (-1, *(1,) * max(input.ndim - 2, 0)) if input.ndim else ()))
