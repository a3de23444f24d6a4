"""Reductions: sums, means, products, logic, and what is made of them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...core.define import define, pair
from ...core.dtypes import int32
from ...core.op import TENSORS as T
from ...core.public import public
from ...core.record import operand
from ...core.tensor import Tensor, wrap
from ...kernels import reduce as K
from ...kernels.arguments import Axes, axes_of, kept_shape, one_axis
from ...kernels.shape import inverse_order
from ...texts import say
from ..elementwise.select import as_asked, cast, masked_fill


def _spread(g: Tensor, shape: tuple[int, ...], axis: Axes) -> Tensor:
    """As the kernel, of ops."""
    return T.broadcast_to(T.reshape(g, kept_shape(shape, axis)) if g.ndim else g, shape)


def _spread_share(g: Tensor, shape: tuple[int, ...], axis: Axes) -> Tensor:
    """As the kernel, of ops."""
    return _spread(T.scale(g, K.one_over_count(shape, axis)), shape, axis)


pair("spread", K.spread, _spread)
pair("spread_share", K.spread_share, _spread_share)
sum_ = define(
    "sum", K.sum,
    (lambda F, g, out, x, dim=None, keepdim=False: F.spread(g, x.shape, dim),),
    keeps="", public=False, card=("y = Σ x", "∂x = g, {repeated_back}"), source="{linear_map}",
)  # fmt: skip
mean = define(
    "mean", K.mean,
    (lambda F, g, out, x, axis=None, keep_dims=False: F.spread_share(g, x.shape, axis),),
    called=("x",), keeps="", primitive="ReduceMean", init=("keep_dims",), label="Mean",
    card=("y = Σ x / n", "∂x = g / n, {repeated_back}"), source="{linear_map}",
)  # fmt: skip


def _prod_grad_twin(g: Tensor, x: Tensor, axis: Axes = None) -> Tensor:
    """The others' product as a product of copies in which the element itself is 1."""
    reduced = K.axes_of(axis, x.ndim)
    order = (*(i for i in range(x.ndim) if i not in reduced), *reduced)
    moved = T.transpose(x, order)
    rows = T.reshape(moved, (*moved.shape[: x.ndim - len(reduced)], 1, math.prod(x.shape[i] for i in reduced)))
    copies = T.broadcast_to(rows, (*rows.shape[:-2], rows.shape[-1], rows.shape[-1]))
    alone = wrap(np.eye(rows.shape[-1], dtype=bool))
    others = T.prod(T.select(alone, T.ones_like(copies), copies), -1)
    others = T.transpose(T.reshape(others, moved.shape), inverse_order(order))
    return T.multiply(T.reshape(g, kept_shape(x.shape, axis)), others)


pair("prod_grad", K.prod_grad, _prod_grad_twin)
prod_ = define(
    "prod", K.prod, (lambda F, g, out, x, axis=None, keep_dims=False: F.prod_grad(g, x, axis),),
    public=False, card=("y = Π x", "∂x = g · Π {of_others}"), source="{product_rule}",
)  # fmt: skip
logsumexp = define(
    "logsumexp", K.logsumexp,
    (
        lambda F, g, out, x, dim, keepdim=False: F.multiply(
            F.reshape(g, kept_shape(x.shape, dim)), F.exp(F.subtract(x, F.reshape(out, kept_shape(x.shape, dim))))
        ),
    ),
    keeps="inputs output", floats=(0,), label="LogSumExp", methods=("logsumexp",),
    card=("y = ln Σ eˣ", "∂x = g · e^(x − y)"), source="{chain_rule}",
)  # fmt: skip
all_ = define(
    "all", K.all, None, primitive="ReduceAll", init=("keep_dims",), label="All", card=("y = [{every} x ≠ 0]",),
    source="{steps}",
)  # fmt: skip
any_ = define(
    "any", K.any, None, primitive="ReduceAny", init=("keep_dims",), label="Any", card=("y = [{some} x ≠ 0]",),
    source="{steps}",
)  # fmt: skip


# Functions -------------------------------------------------------------------------------------------------


@public("sum")
def sum(input: Any, dim: Axes = None, keepdim: bool = False, *, dtype: Any = None) -> Tensor:
    """Sum over ``dim`` (all axes by default), in ``dtype``; integers and Bool give Int64."""
    return over(sum_, as_asked(input, dtype), dim, keepdim)


def over(reduction: Any, x: Any, axis: Axes, keepdims: bool) -> Any:
    """The reduction over ``axis``. What is at its default is left out: then the sweep and the picture are shorter."""
    if keepdims:
        return reduction(x, axis, keepdims)
    return reduction(x) if axis is None else reduction(x, axis)


@public("prod")
def prod(input: Any, axis: Axes = None, keep_dims: bool = False, dtype: Any = None) -> Tensor:
    """Product over ``axis`` (all axes by default), in ``dtype``; integers and Bool give Int64."""
    return over(prod_, as_asked(input, dtype), axis, keep_dims)


@public("mean_ext")
def mean_ext(input: Any, axis: Axes = None, keep_dims: bool = False, dtype: Any = None) -> Tensor:
    """Mean over ``axis`` (all axes by default), in ``dtype``."""
    return over(mean, as_asked(input, dtype), axis, keep_dims)


@public("nansum")
def nansum(input: Any, axis: Axes = None, keepdims: bool = False, *, dtype: Any = None) -> Tensor:
    """Sum of what is not NaN; integers keep their dtype."""
    x = operand(as_asked(input, dtype))
    total = over(sum_, masked_fill(x, T.not_equal(x, x), 0), axis, keepdims)
    return cast(total, x.dtype) if x.dtype.numpy.kind in "iu" else total


@public("nanmean", methods=("nanmean",))
def nanmean(input: Any, axis: Axes = None, keepdims: bool = False, *, dtype: Any = None) -> Tensor:
    """Mean of what is not NaN; NaN where there is nothing else."""
    x = operand(as_asked(input, dtype))
    return T.divide(nansum(x, axis, keepdims), over(sum_, T.equal(x, x), axis, keepdims))


@public("count_nonzero")
def count_nonzero(x: Any, axis: Axes = (), keep_dims: bool = False, dtype: Any = int32) -> Tensor:
    """How many elements differ from 0, over ``axis`` (all axes by default)."""
    return cast(over(sum_, T.not_equal(x, 0), axis, keep_dims), dtype)


def checked_axis(function: str, x: Tensor, axis: Any) -> int:
    """The axis, non-negative, for functions made of ops; an error says which function it was."""
    return _checked(one_axis, function, x, axis)


def checked_axes(function: str, x: Tensor, axis: Any) -> tuple[int, ...]:
    """The axes, non-negative, for functions made of ops; an error says which function it was."""
    return _checked(axes_of, function, x, axis)


def _checked(check: Any, function: str, x: Tensor, axis: Any) -> Any:
    try:
        return check(axis, x.ndim)
    except (TypeError, ValueError) as error:
        raise type(error)(say("errors.operand", op=function, why=error)) from None


# Class forms -----------------------------------------------------------------------------------------------


@public(primitive="ReduceSum", init=("keep_dims", "skip_mode"))
def _reduce_sum(x: Any, axis: Axes = (), keep_dims: bool = False, skip_mode: bool = False) -> Tensor:
    """Sum over ``axis`` in x's dtype; with ``skip_mode``, ``axis=()`` means no axis rather than all."""
    x = operand(x)
    return x if skip_mode and axis == () else cast(over(sum_, x, axis, keep_dims), x.dtype)


@public(primitive="ReduceProd", init=("keep_dims",))
def _reduce_prod(x: Any, axis: Axes = (), keep_dims: bool = False) -> Tensor:
    """Product over ``axis`` in x's dtype."""
    x = operand(x)
    return cast(over(prod_, x, axis, keep_dims), x.dtype)


@public(primitive="EqualCount")
def _equal_count(x: Any, y: Any) -> Tensor:
    """How many elements of x and y are equal, as one number in a row, in x's dtype."""
    return T.reshape(cast(sum_(T.equal(x, y)), operand(x).dtype), (1,))


@public(primitive="SquareSumAll")
def _square_sum_all(x: Any, y: Any) -> tuple[Tensor, Tensor]:
    """The sums of squares of two Tensors."""
    return sum_(T.square(x)), sum_(T.square(y))


# Methods: axis and dim, keepdims, keep_dims and keepdim are the same arguments -------------------------------


@public(methods=("sum",))
def _sum(
    self: Tensor, axis: Axes = None, dtype: Any = None, keepdims: bool = False, initial: Any = None, *,
    dim: Axes = None, keepdim: bool = False,
) -> Tensor:  # fmt: skip
    """Sum over ``axis``, to which ``initial`` is added; integers and Bool give Int64."""
    if isinstance(dtype, bool):  # sum(dim, keepdim)
        dtype, keepdims = None, dtype
    x = as_asked(self, dtype)
    total = over(sum_, x, axis if dim is None else dim, keepdims or keepdim)
    return total if initial is None else T.add(total, initial)


@public(methods=("mean",))
def _mean(
    self: Tensor, axis: Axes = None, keep_dims: bool = False, *, dim: Axes = None, keepdim: bool = False,
    dtype: Any = None,
) -> Tensor:  # fmt: skip
    """Mean over ``axis``."""
    return mean_ext(self, axis if dim is None else dim, keep_dims or keepdim, dtype)


@public(methods=("prod",))
def _prod(
    self: Tensor, axis: Axes = None, keep_dims: bool = False, dtype: Any = None, *, dim: Axes = None,
    keepdim: bool = False,
) -> Tensor:  # fmt: skip
    """Product over ``axis``; integers and Bool give Int64."""
    return prod(self, axis if dim is None else dim, keep_dims or keepdim, dtype)


@public(methods=("all",))
def _all(
    self: Tensor, axis: Axes = None, keep_dims: bool = False, *, dim: Axes = None, keepdim: bool = False
) -> Tensor:
    """Whether every element over ``axis`` differs from 0."""
    return over(all_, self, axis if dim is None else dim, keep_dims or keepdim)


@public(methods=("any",))
def _any(
    self: Tensor, axis: Axes = None, keep_dims: bool = False, *, dim: Axes = None, keepdim: bool = False
) -> Tensor:
    """Whether some element over ``axis`` differs from 0."""
    return over(any_, self, axis if dim is None else dim, keep_dims or keepdim)


@public(methods=("nansum",))
def _nansum(
    self: Tensor, axis: Axes = None, keepdims: bool = False, *, dim: Axes = None, keepdim: bool = False,
    dtype: Any = None,
) -> Tensor:  # fmt: skip
    """Sum of what is not NaN over ``axis``."""
    return nansum(self, axis if dim is None else dim, keepdims or keepdim, dtype=dtype)


@public(methods=("count_nonzero",))
def _count_nonzero(
    self: Tensor, axis: Axes = (), keep_dims: bool = False, dtype: Any = None, *, dim: Axes = None
) -> Tensor:
    """How many elements over ``axis`` differ from 0, Int32 by default."""
    return count_nonzero(self, axis if dim is None else dim, keep_dims, dtype or int32)
