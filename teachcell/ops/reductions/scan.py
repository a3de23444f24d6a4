"""Running sums, products and extremes along an axis; differences, and the area under sampled curves."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.card import Kink
from ...core.define import define, pair
from ...core.dtypes import int64
from ...core.op import TENSORS as T
from ...core.public import public
from ...core.record import float_operand, operand
from ...core.tensor import Tensor, wrap
from ...kernels import scan as K
from ...kernels.arguments import one_axis
from ...kernels.index import along, along_index
from ...texts import say
from ..elementwise.select import as_asked
from .sums import checked_axis

cumsum_ = define(
    "cumsum", K.cumsum,
    (
        lambda F, g, out, x, axis, exclusive=False, reverse=False: F.cumsum(
            g, axis, exclusive=exclusive, reverse=not reverse
        ),
    ),
    keeps="", names=(), primitive="CumSum", init=("exclusive", "reverse"),
    card=("yᵢ = x₁ + … + xᵢ", "∂xᵢ = gᵢ + … + gₙ"), source="{linear_map}",
)  # fmt: skip


def _cumprod_grad_twin(g: Tensor, x: Tensor, axis: int, exclusive: bool = False, reverse: bool = False) -> Tensor:
    """Every product as one in which, copy by copy, another element is 1: exact to every order, also at zeros."""
    at, n = one_axis(axis, x.ndim), x.shape[axis]
    rows = T.expand_dims(T.swapaxes(x, at, -1), -2)
    copies = T.broadcast_to(rows, (*rows.shape[:-2], n, n))
    others = T.select(wrap(np.eye(n, dtype=bool)), T.ones_like(copies), copies)
    parts = wrap(K.cumprod_parts(n, exclusive, reverse).astype(g._array.dtype))
    shares = T.multiply(T.cumprod(others, -1, exclusive=exclusive, reverse=reverse), parts)
    slopes = T.multiply(T.expand_dims(T.swapaxes(g, at, -1), -2), shares)
    return T.swapaxes(T.sum(slopes, -1), at, -1)


pair("cumprod_grad", K.cumprod_grad, _cumprod_grad_twin)
cumprod_ = define(
    "cumprod", K.cumprod, (lambda F, g, out, x, axis, **ways: F.cumprod_grad(g, x, axis, **ways),),
    names=(), primitive="CumProd", init=("exclusive", "reverse"),
    card=("yᵢ = x₁ · … · xᵢ", "∂xₖ = Σᵢ gᵢ · Π {of_others_up_to_i}"), source="{product_rule}",
)  # fmt: skip


def _to_leaders(F: Any, gs: Any, out: Any, x: Any, axis: int) -> Any:
    return F.put(gs[0], x.shape, along_index(x.shape, F.indices(out[1]), axis))


cummax = define(
    "cummax", K.cummax, (_to_leaders,), keeps="output", outputs=2, primitive="Cummax", methods=("cummax",),
    card=("yᵢ = max(x₁ … xᵢ)", "∂x = g {at_leaders}"), source="{subgradient}",
    kinks=(Kink(([3.0, 1.0, 3.0],), ([2.0, 0.0, 1.0],), {"axis": 0}),),
)  # fmt: skip
cummin = define(
    "cummin", K.cummin, (_to_leaders,), keeps="output", outputs=2, primitive="Cummin", methods=("cummin",),
    card=("yᵢ = min(x₁ … xᵢ)", "∂x = g {at_leaders}"), source="{subgradient}",
    kinks=(Kink(([1.0, 3.0, 1.0],), ([2.0, 0.0, 1.0],), {"axis": 0}),),
)  # fmt: skip


def _logcumsumexp_grad_twin(g: Tensor, x: Tensor, y: Tensor, axis: int) -> Tensor:
    """The table of e^(xⱼ − yᵢ), 0 where xⱼ is not in yᵢ, times g."""
    at, n = one_axis(axis, x.ndim), x.shape[axis]
    exponents = T.subtract(T.expand_dims(T.swapaxes(x, at, -1), -1), T.expand_dims(T.swapaxes(y, at, -1), -2))
    inside = wrap(K.cumprod_parts(n, False, False))
    shares = T.exp(T.select(inside, exponents, wrap(np.full_like(exponents._array, -np.inf))))
    return T.swapaxes(T.sum(T.multiply(T.expand_dims(T.swapaxes(g, at, -1), -2), shares), -1), at, -1)


pair("logcumsumexp_grad", K.logcumsumexp_grad, _logcumsumexp_grad_twin)
logcumsumexp = define(
    "logcumsumexp", K.logcumsumexp, (lambda F, g, out, x, axis: F.logcumsumexp_grad(g, x, out, axis),),
    keeps="inputs output", floats=(0,), label="LogCumSumExp", methods=("logcumsumexp",),
    card=("yᵢ = ln(e^x₁ + … + e^xᵢ)", "∂xⱼ = Σᵢ gᵢ · e^(xⱼ − yᵢ), i ≥ j"), source="{chain_rule}",
)  # fmt: skip


# Functions -------------------------------------------------------------------------------------------------


@public("cumsum")
def cumsum(x: Any, axis: int, dtype: Any = None) -> Tensor:
    """Running sums along ``axis``, in ``dtype`` (by default x's own; Bool gives Int32)."""
    return cumsum_(as_asked(x, dtype), axis)


@public("cumprod", methods=("cumprod",))
def cumprod(input: Any, dim: int, dtype: Any = None) -> Tensor:
    """Running products along ``dim``, in ``dtype``; integers and Bool give Int64."""
    x = operand(input)
    dtype = int64 if dtype is None and x.dtype.numpy.kind != "f" else dtype
    return cumprod_(as_asked(x, dtype), dim)


@public(methods=("cumsum",))
def _cumsum(self: Tensor, axis: int | None = None, dtype: Any = None, *, dim: int | None = None) -> Tensor:
    """Running sums along ``axis``, or of the flattened Tensor."""
    axis = axis if dim is None else dim
    return cumsum(T.reshape(self, (-1,)) if axis is None else self, axis or 0, dtype)


def _neighbours(x: Tensor, axis: int) -> tuple[Tensor, Tensor]:
    """All but the last, and all but the first along an axis."""
    return x[along(axis, slice(None, -1))], x[along(axis, slice(1, None))]


@public(primitive="CumulativeLogsumexp", init=("exclusive", "reverse"))
def _cumulative_logsumexp(x: Any, axis: Any, exclusive: bool = False, reverse: bool = False) -> Tensor:
    """ln of the running sums of eˣ: without the element itself (first the lowest finite number), or from the end."""
    x = operand(x)
    axis = checked_axis("CumulativeLogsumexp", x, int(axis))
    y = logcumsumexp(T.flip(x, axis) if reverse else x, axis)
    if exclusive:
        lowest = np.full_like(y._array.take([0], axis), np.finfo(y._array.dtype).min)
        y = T.concat((wrap(lowest), _neighbours(y, axis)[0]), axis)
    return T.flip(y, axis) if reverse else y


@public("diff", methods=("diff",))
def diff(x: Any, n: int = 1, axis: int = -1, prepend: Any = None, append: Any = None) -> Tensor:
    """Differences of neighbours along ``axis``, ``n`` times; values to put before and after may be given."""
    x = operand(x)
    axis = checked_axis("Diff", x, axis)
    if not isinstance(n, int) or n < 0:
        raise ValueError(say("errors.operand", op="Diff", why=say("errors.interval", name="n", interval="0 …", got=n)))
    if prepend is not None or append is not None:
        x = T.concat([operand(part) for part in (prepend, x, append) if part is not None], axis)
    for _ in range(min(n, x.shape[axis])):  # then nothing is left
        earlier, later = _neighbours(x, axis)
        x = T.not_equal(later, earlier) if x.dtype.name == "bool" else T.subtract(later, earlier)
    return x


@public("diff_ext")
def diff_ext(input: Any, n: int = 1, dim: int = -1, prepend: Any = None, append: Any = None) -> Tensor:
    """Differences of neighbours along ``dim``, ``n`` times."""
    return diff(input, n, dim, prepend, append)


@public("trapz")
def trapz(y: Any, x: Any = None, *, dx: float = 1.0, dim: int = -1) -> Tensor:
    """Area under y by trapezoids: Σ (yᵢ + yᵢ₊₁) / 2 · width along ``dim``.

    Args:
        y: heights.
        x: where they stand, as many along ``dim``; by default evenly, ``dx`` apart.
        dx: width of every trapezoid.
        dim: the axis.
    """
    y = float_operand(y)
    dim = checked_axis("Trapz", y, dim)
    heights = T.multiply(T.add(*_neighbours(y, dim)), 0.5)
    if x is None:
        return T.multiply(T.sum(heights, dim), float(dx))
    x = float_operand(x)
    at = 0 if x.ndim == 1 else checked_axis("Trapz", x, dim)
    if x.shape[at] != y.shape[dim]:
        why = say("errors.sample_points", points=x.shape[at], values=y.shape[dim])
        raise ValueError(say("errors.operand", op="Trapz", why=why))
    widths = diff(x, axis=at)
    if x.ndim == 1:
        widths = T.reshape(widths, (-1, *(1,) * (y.ndim - dim - 1)))
    return T.sum(T.multiply(heights, widths), dim)
