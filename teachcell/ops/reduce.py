"""Reductions."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..core.define import define, pair
from ..core.op import TENSORS as T
from ..core.public import public
from ..core.tensor import Tensor, wrap
from ..kernels import reduce as K
from ..kernels.reduce import kept_shape
from ..kernels.shape import inverse_order

sum_ = define(
    "sum", K.sum,
    (
        lambda F, g, out, x, dim=None, keepdim=False: F.broadcast_to(
            F.reshape(g, kept_shape(x.shape, dim)), x.shape
        ),
    ),
    keeps="", card=("y = Σ x", "∂x = g, {repeated_back}"),
)  # fmt: skip
mean = define(
    "mean", K.mean,
    (
        lambda F, g, out, x, axis=None, keep_dims=False: F.broadcast_to(
            F.scale(F.reshape(g, kept_shape(x.shape, axis)), _one_over_count(x.shape, axis)), x.shape
        ),
    ),
    keeps="", primitive="ReduceMean", init=("keep_dims",), label="Mean", card=("y = Σ x / n", "∂x = g / n"),
)  # fmt: skip


def _one_over_count(shape: tuple[int, ...], axis: K.Axes) -> float:
    count = math.prod(shape) / max(math.prod(kept_shape(shape, axis)), 1)
    return 1 / count if count else math.nan


def _prod_grad_twin(g: Tensor, x: Tensor, axis: K.Axes = None) -> Tensor:
    """The others' product as a product of copies in which the element itself is 1."""
    reduced = K.axes_of(axis, x.ndim)
    order = (*(i for i in range(x.ndim) if i not in reduced), *reduced)
    moved = T.transpose(x, order)
    rows = T.reshape(moved, (*moved.shape[: x.ndim - len(reduced)], 1, math.prod(x.shape[i] for i in reduced)))
    copies = T.broadcast_to(rows, (*rows.shape[:-2], rows.shape[-1], rows.shape[-1]))
    alone = wrap(np.eye(rows.shape[-1], dtype=bool))
    others = T.prod(T.select(alone, wrap(np.ones_like(copies._array)), copies), -1)
    others = T.transpose(T.reshape(others, moved.shape), inverse_order(order))
    return T.multiply(T.reshape(g, kept_shape(x.shape, axis)), others)


pair("prod_grad", K.prod_grad, _prod_grad_twin)
prod = define(
    "prod", K.prod, (lambda F, g, out, x, axis=None, keep_dims=False: F.prod_grad(g, x, axis),),
    primitive="ReduceProd", init=("keep_dims",), label="Prod", methods=("prod",),
    card=("y = Π x", "∂x = g · Π {of_others}"),
)  # fmt: skip
pair("winners", K.winners, lambda x, out, axis: wrap(K.winners(x._array, out._array, axis)))


def _extremum(F: Any, g: Any, out: Any, x: Any, axis: K.Axes = None, keepdims: bool = False) -> Any:
    return F.multiply(F.reshape(g, kept_shape(x.shape, axis)), F.winners(x, out, axis))


amax = define(
    "amax", K.amax, (_extremum,), keeps="inputs output", primitive="ReduceMax", label="Max",
    card=("y = max x", "∂x = g {at_largest}"),
)  # fmt: skip
amin = define(
    "amin", K.amin, (_extremum,), keeps="inputs output", primitive="ReduceMin", label="Min",
    card=("y = min x", "∂x = g {at_smallest}"),
)  # fmt: skip
all_ = define(
    "all", K.all, None, primitive="ReduceAll", init=("keep_dims",), label="All", methods=("all",),
    card=("y = [{every} x ≠ 0]",),
)  # fmt: skip
any_ = define(
    "any", K.any, None, primitive="ReduceAny", init=("keep_dims",), label="Any", methods=("any",),
    card=("y = [{some} x ≠ 0]",),
)  # fmt: skip
argmax = define("argmax", K.argmax, None, card=("y = argmax x {first_of_equals}",))


@public(methods=("sum",))
def _sum(self: Tensor, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Tensor:
    """Sum over ``axis``; integers and Bool give Int64."""
    total = sum_(self) if axis is None and not keepdims else sum_(self, axis, keepdims)
    return total if dtype is None else total.astype(dtype)


@public(methods=("mean",))
def _mean(self: Tensor, axis: Any = None, keep_dims: bool = False) -> Tensor:
    """Mean over ``axis``."""
    return mean(self, axis, keep_dims)


@public(methods=("max",))
def _max(self: Tensor, axis: Any = None, keepdims: bool = False) -> Tensor:
    """Largest element over ``axis``."""
    return amax(self, axis, keepdims)


@public(methods=("min",))
def _min(self: Tensor, axis: Any = None, keepdims: bool = False) -> Tensor:
    """Smallest element over ``axis``."""
    return amin(self, axis, keepdims)


@public(methods=("argmax",))
def _argmax(self: Tensor, axis: int | None = None, keepdims: bool = False) -> Tensor:
    """Index of the first largest element over ``axis``, Int64."""
    return argmax(self, axis, keepdims)
