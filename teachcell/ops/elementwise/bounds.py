"""The larger, the smaller, and values kept within bounds."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.card import Kink
from ...core.define import constant_pair, define
from ...core.dtypes import float32
from ...core.op import TENSORS as T
from ...core.public import public
from ...core.record import operand
from ...core.tensor import Tensor
from ...kernels import elementwise as K
from ...texts import say

TIE = (Kink((1.0, 1.0), (0.5, 0.5)),)


for _kernel in (K.larger_share, K.fmax_share, K.fmin_share, K.inside, K.finite):
    constant_pair(_kernel)

maximum = define(
    "maximum", np.maximum,
    (
        lambda F, g, out, x, y: F.multiply(g, F.larger_share(x, y)),
        lambda F, g, out, x, y: F.multiply(g, F.larger_share(y, x)),
    ),
    primitive="Maximum", methods=("maximum",), card=("z = max(x, y)", "∂x = g · [x > y]", "∂y = g · [y > x]"),
    kinks=TIE, source="{subgradient}",
)  # fmt: skip
minimum = define(
    "minimum", np.minimum,
    (
        lambda F, g, out, x, y: F.multiply(g, F.larger_share(y, x)),
        lambda F, g, out, x, y: F.multiply(g, F.larger_share(x, y)),
    ),
    primitive="Minimum", methods=("minimum",), card=("z = min(x, y)", "∂x = g · [x < y]", "∂y = g · [y < x]"),
    kinks=TIE, source="{subgradient}",
)  # fmt: skip
fmax = define(
    "fmax", np.fmax,
    (
        lambda F, g, out, x, y: F.multiply(g, F.fmax_share(x, y)),
        lambda F, g, out, x, y: F.multiply(g, F.fmax_share(y, x)),
    ),
    primitive="Fmax", methods=("fmax",), card=("z = max(x, y) {not_nan}", "∂x = g · [x > y]", "∂y = g · [y > x]"),
    kinks=TIE, source="{subgradient}",
)  # fmt: skip
fmin = define(
    "fmin", np.fmin,
    (
        lambda F, g, out, x, y: F.multiply(g, F.fmin_share(x, y)),
        lambda F, g, out, x, y: F.multiply(g, F.fmin_share(y, x)),
    ),
    primitive="Fmin", methods=("fmin",), card=("z = min(x, y) {not_nan}", "∂x = g · [x < y]", "∂y = g · [y < x]"),
    kinks=TIE, source="{subgradient}",
)  # fmt: skip
clamp_op = define(
    "clamp", K.clamp,
    (lambda F, g, out, x, min=None, max=None: F.multiply(g, F.inside(x, min=min, max=max)),),
    public=False, card=("y = min(max(x, low), high)", "∂x = g · [low ≤ x ≤ high]"),
    kinks=(Kink(([1.0, 2.0],), ([1.0, 1.0],), {"min": 1.0, "max": 2.0}),), source="{piecewise}",
)  # fmt: skip
nan_to_num = define(
    "nan_to_num", K.nan_to_num,
    (lambda F, g, out, x, nan=None, posinf=None, neginf=None: F.multiply(g, F.finite(x)),),
    primitive="NanToNum", methods=("nan_to_num",), card=("y = x {replaced}", "∂x = g · [x {is_finite}]"),
    source="{piecewise}",
)  # fmt: skip


@public("clamp", "clip", methods=("clamp", "clip"))
def clamp(input: Any, min: Any = None, max: Any = None) -> Tensor:
    """``input`` limited to [min, max]; the bounds are numbers or Tensors, and one of them may be None.

    The gradient goes to ``input`` between the bounds and on them; beyond a bound that is a Tensor, to the bound.
    """
    bounds = _bounds("clamp", min=min, max=max)
    x = operand(input)
    if any(isinstance(bound, Tensor) for bound in bounds):
        if bounds[0] is not None:
            x = T.select(T.less(x, bounds[0]), bounds[0], x)
        return x if bounds[1] is None else T.select(T.greater(x, bounds[1]), bounds[1], x)
    if x._array.dtype.kind != "f" and any(isinstance(bound, float) for bound in bounds):
        x = T.cast(x, dtype=float32)
    return clamp_op(x, min=min, max=max)


@public("clip_by_value")
def clip_by_value(x: Any, clip_value_min: Any = None, clip_value_max: Any = None) -> Any:
    """``min(max(x, clip_value_min), clip_value_max)`` in x's dtype; of a list or tuple of Tensors, a tuple.

    The bounds are numbers or Tensors, and one of them may be None. On a bound, x and the bound share the gradient.
    """
    low, high = _bounds("clip_by_value", clip_value_min=clip_value_min, clip_value_max=clip_value_max)
    if isinstance(x, (list, tuple)):
        return tuple([clip_by_value(each, low, high) for each in x])
    clipped = x = operand(x)
    if low is not None:
        clipped = T.maximum(clipped, low)
    if high is not None:
        clipped = T.minimum(clipped, high)
    return clipped if clipped.dtype is x.dtype else T.cast(clipped, dtype=x.dtype)


def _bounds(name: str, **bounds: Any) -> list[Any]:
    """The two bounds, lists and arrays as Tensors; ValueError if both are None."""
    if all(bound is None for bound in bounds.values()):
        raise ValueError(say("errors.no_bound", op=name, names=" / ".join(bounds)))
    return [bound if bound is None or isinstance(bound, (int, float)) else operand(bound) for bound in bounds.values()]
