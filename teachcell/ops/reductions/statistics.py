"""Spread and quantiles.

The standard deviation is a length over √n: at constant input, where it has a corner, its gradient is 0.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...core.card import Kink
from ...core.define import define
from ...core.dtypes import float32
from ...core.op import TENSORS as T
from ...core.public import public
from ...core.record import operand
from ...core.tensor import Tensor, wrap
from ...kernels import spread as K
from ...kernels.arguments import Axes, kept_shape
from ...texts import say
from ..creation.filled import ones
from ..elementwise.select import cast
from .sums import checked_axis, mean, over


def _deviations(F: Any, x: Any, axis: Axes) -> Any:
    return F.subtract(x, F.mean(x, axis, True))


def _var_rule(F: Any, g: Any, out: Any, x: Any, axis: Axes = None, ddof: int = 0, keepdims: bool = False) -> Any:
    each = K.share(K.freedom(x.shape, axis, ddof))
    return F.multiply(F.scale(F.reshape(g, kept_shape(x.shape, axis)), 2 * each), _deviations(F, x, axis))


def _std_rule(F: Any, g: Any, out: Any, x: Any, axis: Axes = None, ddof: int = 0, keepdims: bool = False) -> Any:
    """By the length y · √(n − ddof) of the deviations. Their slope has its own mean taken out: of equal elements
    whose mean is rounded the deviations are equal, not 0."""
    degrees = K.freedom(x.shape, axis, ddof)
    slope = F.norm_slope(_deviations(F, x, axis), F.scale(out, math.sqrt(degrees)), 2, axis)
    share = F.scale(F.reshape(g, kept_shape(x.shape, axis)), math.sqrt(K.share(degrees)))
    return F.multiply(share, _deviations(F, slope, axis))


var = define(
    "var", K.var, (_var_rule,),
    floats=(0,), card=("y = Σ (x − x̄)² / (n − ddof)", "∂x = g · 2 (x − x̄) / (n − ddof)"), source="{chain_rule}",
)  # fmt: skip
std = define(
    "std", K.std, (_std_rule,),
    keeps="inputs output", floats=(0,), card=("y = √(Σ (x − x̄)² / (n − ddof))", "∂x = g · (x − x̄) / ((n − ddof) · y)"),
    kinks=(Kink(([2.0, 2.0],), ([0.0, 0.0],)),), source="{chain_rule}",
)  # fmt: skip


@public("var_mean")
def var_mean(input: Any, axis: Axes = None, ddof: int = 0, keepdims: bool = False) -> tuple[Tensor, Tensor]:
    """Variance and mean over ``axis``."""
    return var(input, axis, ddof, keepdims), over(mean, input, axis, keepdims)


@public("std_mean")
def std_mean(input: Any, axis: Axes = None, ddof: int = 0, keepdims: bool = False) -> tuple[Tensor, Tensor]:
    """Standard deviation and mean over ``axis``."""
    return std(input, axis, ddof, keepdims), over(mean, input, axis, keepdims)


@public(primitive="ReduceStd", init=("axis", "unbiased", "keep_dims"))
def _reduce_std(x: Any, axis: Axes = (), unbiased: bool = True, keep_dims: bool = False) -> tuple[Tensor, Tensor]:
    """Standard deviation (with n − 1 if ``unbiased``) and mean over ``axis``."""
    return std_mean(x, axis, int(unbiased), keep_dims)


@public(methods=("var",))
def _var(
    self: Tensor, axis: Axes = None, ddof: int = 0, keepdims: bool = False, *, dim: Axes = None,
    correction: int | None = None, keepdim: bool = False,
) -> Tensor:  # fmt: skip
    """Variance over ``axis`` (or ``dim``), with n − ``ddof`` (or ``correction``)."""
    ddof = ddof if correction is None else correction
    return _over(var, self, axis if dim is None else dim, ddof, keepdims or keepdim)


@public(methods=("std",))
def _std(
    self: Tensor, axis: Axes = None, ddof: int = 0, keepdims: bool = False, *, dim: Axes = None,
    correction: int | None = None, keepdim: bool = False,
) -> Tensor:  # fmt: skip
    """Standard deviation over ``axis`` (or ``dim``), with n − ``ddof`` (or ``correction``)."""
    ddof = ddof if correction is None else correction
    return _over(std, self, axis if dim is None else dim, ddof, keepdims or keepdim)


def _over(spread: Any, x: Tensor, axis: Axes, ddof: int, keepdims: bool) -> Tensor:
    return spread(x, axis, ddof, keepdims) if ddof or keepdims else over(spread, x, axis, False)


@public("cov", methods=("cov",))
def cov(input: Any, *, correction: int = 1, fweights: Any = None, aweights: Any = None) -> Tensor:
    """Covariance matrix of variables in rows, observations in columns; of one row its variance.

    Args:
        input: (variables, observations), or one variable.
        correction: subtracted from the number of observations.
        fweights: how often each observation was made, whole numbers.
        aweights: how much each observation counts.
    """
    x = operand(input)
    if x.ndim > 2:
        raise ValueError(say("errors.operand", op="Cov", why=say("errors.cov_axes", shape=x.shape)))
    rows = T.reshape(x, (-1, x.shape[-1] if x.ndim else 1))
    rows = rows if rows.dtype.numpy.kind == "f" else cast(rows, float32)
    given = [cast(operand(w), rows.dtype) for w in (fweights, aweights) if w is not None]
    weights = given[0] if given else ones(rows.shape[1], rows.dtype)
    weights = T.multiply(*given) if len(given) == 2 else weights
    total = T.sum(weights)
    centred = T.subtract(rows, T.divide(T.sum(T.multiply(rows, weights), 1, True), total))
    if aweights is not None:  # weights that are no counts use up as many observations as their mean square says
        correction = T.multiply(T.divide(T.sum(T.multiply(weights, given[-1])), total), correction)
    freedom = T.maximum(T.subtract(total, correction), 0.0)
    spread = T.divide(T.matmul(T.multiply(centred, weights), centred, transpose_b=True), freedom)
    return spread if len(spread) > 1 else T.reshape(spread, ())


@public("quantile", methods=("quantile",))
def quantile(input: Any, q: Any, axis: int | None = None, keepdims: bool = False) -> Tensor:
    """The value below which a share ``q`` of the elements lies, along ``axis`` or of all; NaN wins.

    Between two elements it is interpolated linearly. Several shares in ``q`` give a leading axis.
    """
    return _quantile("Quantile", input, q, axis, keepdims, ignore_nan=False)


@public("nanquantile", methods=("nanquantile",))
def nanquantile(input: Any, q: Any, axis: int | None = None, keepdims: bool = False) -> Tensor:
    """The value below which a share ``q`` of the elements that are not NaN lies. Arguments as for quantile."""
    return _quantile("NanQuantile", input, q, axis, keepdims, ignore_nan=True)


def _quantile(function: str, input: Any, q: Any, axis: int | None, keepdims: bool, ignore_nan: bool) -> Tensor:
    x, shares = operand(input), _shares(q)
    if x.dtype.numpy.kind != "f":
        x = cast(x, float32)
    if shares.ndim > 1 or not ((shares >= 0) & (shares <= 1)).all():
        why = say("errors.interval", name="q", interval="[0, 1]", got=shares.tolist())
        raise ValueError(say("errors.operand", op=function, why=why))
    row = T.reshape(x, (-1,)) if axis is None else x
    at = checked_axis(function, row, axis or 0)
    if not row.shape[at]:
        raise ValueError(say("errors.operand", op=function, why=say("errors.reduce_empty")))
    lower, upper, fraction = _ranks(row._array, at, shares, ignore_nan)
    ordered = T.sort(row, at)[0]
    low, high = (T.gather_along(ordered, wrap(rank), at) for rank in (lower, upper))
    values = T.add(low, T.multiply(T.subtract(high, low), wrap(fraction)))
    several = T.transpose(values, (at, *(i for i in range(row.ndim) if i != at)))
    shape = kept_shape(x.shape, None if axis is None else at) if keepdims else several.shape[1:]
    return T.reshape(several, (*shares.shape, *shape))


def _shares(q: Any) -> np.ndarray:
    try:
        return np.asarray(q._array if isinstance(q, Tensor) else q, np.float64)
    except (TypeError, ValueError):
        raise TypeError(say("errors.not_a_number", name="q", got=repr(q))) from None


def _ranks(x: np.ndarray, axis: int, shares: np.ndarray, ignore_nan: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The ranks between which each share lies in every row, and how far between them; NaN ranks last."""
    numbers = np.count_nonzero(x == x, axis, keepdims=True)
    row = shares.reshape(tuple(-1 if i == axis else 1 for i in range(x.ndim)))
    rank = np.maximum(row * (numbers - 1), 0)
    if not ignore_nan:
        rank = np.where(numbers < x.shape[axis], numbers, rank)
    lower = np.floor(rank)
    return lower.astype(np.int64), np.ceil(rank).astype(np.int64), (rank - lower).astype(x.dtype)
