"""Norms and distances. At length 0 a norm has a corner; its gradient there is 0."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...core.card import Kink
from ...core.define import define, pair
from ...core.dtypes import float32
from ...core.op import TENSORS as T
from ...core.public import public
from ...core.record import float_operand, operand
from ...core.tensor import Tensor, wrap
from ...kernels import distance as K
from ...kernels.arguments import Axes, in_interval, kept_shape
from ...texts import say
from ..elementwise.select import as_asked, cast
from ..linalg.decompositions import svd
from .sums import checked_axes, checked_axis, over


def _norm_slope_twin(x: Tensor, y: Tensor, ord: float, axis: Axes) -> Tensor:
    """As the kernel where x alone decides; else from y as a function of x."""
    if ord in (0, 1) or math.isinf(ord):
        return wrap(K.norm_slope(x._array, y._array, ord, axis))
    y = T.reshape(y, kept_shape(x.shape, axis))
    safe = T.select(wrap(y._array == 0), T.ones_like(y), y)
    if ord == 2:
        return T.divide(x, safe)
    zero = wrap(x._array == 0)
    ratio = T.select(zero, T.ones_like(x), T.divide(T.absolute(x), safe))
    return T.multiply(T.sign(x), T.power(ratio, ord - 1))


_CARDS: dict[float, tuple[str, str]] = {
    0: ("y = Σ [x ≠ 0]", "∂x = 0"),
    1: ("y = Σ |x|", "∂x = g · sign x"),
    2: ("y = √(Σ x²)", "∂x = g · x / y"),
    math.inf: ("y = max |x|", "∂x = g · sign x {at_largest}"),
    -math.inf: ("y = min |x|", "∂x = g · sign x {at_smallest}"),
}


def _norm_card(ord: float = 2, **_: Any) -> tuple[str, str]:
    return _CARDS.get(ord, ("y = (Σ |x|ᵖ)^(1/p)", "∂x = g · sign x · (|x| / y)^(p−1)"))


pair("norm_slope", K.norm_slope, _norm_slope_twin)
norm_ = define(
    "vector_norm", K.vector_norm,
    (
        lambda F, g, out, x, ord=2, axis=None, keepdims=False: F.multiply(
            F.reshape(g, kept_shape(x.shape, axis)), F.norm_slope(x, out, ord, axis)
        ),
    ),
    keeps="inputs output", floats=(0,), public=False, label="Norm", card=_norm_card, source="{chain_rule}",
    kinks=(
        Kink(([0.0, 0.0],), ([0.0, 0.0],)), Kink(([0.0, 2.0],), ([0.0, 1.0],), {"ord": 1}),
        Kink(([2.0, -2.0],), ([0.5, -0.5],), {"ord": math.inf}),
    ),
)  # fmt: skip


def _floats(input: Any, dtype: Any) -> Tensor:
    x = operand(as_asked(input, dtype))
    return x if x.dtype.numpy.kind == "f" else cast(x, float32)


def _norm(x: Any, ord: Any, axis: Axes, keepdims: bool = False) -> Tensor:
    return over(lambda x, *where: norm_(x, ord, *where), x, axis, keepdims)


# Norms -----------------------------------------------------------------------------------------------------


@public("vector_norm")
def vector_norm(x: Any, ord: float = 2, axis: Axes = None, keepdims: bool = False, *, dtype: Any = None) -> Tensor:
    """(Σ |x|^ord)^(1/ord) over ``axis``; the largest |x| for ord = inf, the number of non-zeros for ord = 0."""
    return _norm(_floats(x, dtype), ord, axis, keepdims)


@public("norm", methods=("norm",))
def norm(A: Any, ord: Any = None, dim: Axes = None, keepdim: bool = False, *, dtype: Any = None) -> Tensor:
    """Norm of vectors (``dim`` one axis) or of matrices (two axes, or a Tensor that has two).

    Without ``ord`` the root of the sum of squares over ``dim``, by default of all elements.

    Args:
        A: a Tensor.
        ord: for vectors a number, see vector_norm; for matrices "fro", "nuc", ±2 (singular values), ±1 (columns)
            or ±inf (rows).
        dim: one or two axes.
        keepdim: keep them with length 1.
        dtype: the dtype to compute in.
    """
    x = _floats(A, dtype)
    if ord is None:
        return _norm(x, 2, dim, keepdim)
    axes = checked_axes("Norm", x, dim)
    if len(axes) == 2:
        return _matrix_norm(x, ord, axes, keepdim)
    if len(axes) != 1:
        raise ValueError(say("errors.operand", op="Norm", why=say("errors.norm_axes", got=len(axes))))
    return _norm(x, 2 if ord == "fro" else ord, axes, keepdim)


def _matrix_norm(x: Tensor, ord: Any, axes: tuple[int, ...], keepdim: bool) -> Tensor:
    if ord == "fro":
        return _norm(x, 2, axes, keepdim)
    if ord not in ("nuc", 1, -1, 2, -2, math.inf, -math.inf):
        raise ValueError(say("errors.operand", op="Norm", why=say("errors.matrix_norm_order", got=repr(ord))))
    shape = kept_shape(x.shape, axes)
    x = T.transpose(x, (*(i for i in range(x.ndim) if i not in axes), *axes))
    sizes = svd(x, compute_uv=False) if ord in ("nuc", 2, -2) else T.sum(T.absolute(x), -2 if abs(ord) == 1 else -1)
    found = T.sum(sizes, -1) if ord == "nuc" else T.amax(sizes, -1) if ord > 0 else T.amin(sizes, -1)
    return T.reshape(found, shape) if keepdim else found


@public(primitive="LpNorm", init=("axis", "p", "keep_dims", "epsilon"))
def _lp_norm(x: Any, axis: Axes, p: int = 2, keep_dims: bool = False, epsilon: float = 1e-12) -> Tensor:
    """(Σ |x|^p)^(1/p) over ``axis``, at least ``epsilon``."""
    return T.maximum(_norm(x, p, axis, keep_dims), epsilon)


@public(primitive="L2Normalize", init=("axis", "epsilon"))
def _l2_normalize(x: Any, axis: Axes = 0, epsilon: float = 1e-4) -> Tensor:
    """x divided by its length along ``axis``: x / √max(Σ x², epsilon)."""
    return T.divide(x, T.sqrt(T.maximum(T.sum(T.square(x), axis, True), epsilon)))


@public("renorm", methods=("renorm",))
def renorm(input: Any, p: float, axis: int, maxnorm: float) -> Tensor:
    """Slices along ``axis`` whose p-norm exceeds ``maxnorm`` are scaled down to it."""
    x, maxnorm = operand(input), _not_negative("Renorm", "maxnorm", maxnorm)
    at = checked_axis("Renorm", x, axis)
    n = x.shape[at]
    slices = T.reshape(T.swapaxes(x, at, 0), (n, x.size // n if n else 0))
    lengths = norm_(slices, p, 1)
    long = T.greater(lengths, maxnorm)
    one = operand(1.0, lengths._array.dtype)
    factors = T.select(long, T.divide(maxnorm, T.select(long, lengths, one)), one)
    return T.multiply(x, T.reshape(factors, tuple(n if i == at else 1 for i in range(x.ndim))))


@public(primitive="Renorm", init=("p", "dim", "maxnorm"))
def _renorm_class(input: Any, p: float, dim: int, maxnorm: float) -> Tensor:
    """Slices along ``dim`` whose p-norm exceeds ``maxnorm`` are scaled down to it."""
    return renorm(input, p, dim, maxnorm)


# Distances -------------------------------------------------------------------------------------------------


def _not_negative(function: str, name: str, value: Any) -> Any:
    in_interval(f"{function}.{name}", value._array if isinstance(value, Tensor) else value, "[0, ∞]")
    return value


@public("dist")
def dist(input: Any, other: Any, p: float = 2) -> Tensor:
    """The p-norm of the difference of two Tensors that fit together."""
    return norm_(T.subtract(float_operand(input), other), _not_negative("Dist", "p", p))


@public("cdist", primitive="Cdist", init=("p",))
def cdist(x1: Any, x2: Any, p: float = 2.0) -> Tensor:
    """The p-norms of all differences of a row of x1 (…, P, M) and a row of x2 (…, R, M): (…, P, R)."""
    x1, x2 = float_operand(x1), operand(x2)
    if x1.ndim < 2 or x2.ndim < 2 or x1.shape[-1] != x2.shape[-1]:
        raise ValueError(say("errors.operand", op="Cdist", why=say("errors.rows", first=x1.shape, second=x2.shape)))
    differences = T.subtract(T.expand_dims(x1, -2), T.expand_dims(x2, -3))
    return norm_(differences, _not_negative("Cdist", "p", p), -1)


@public("pdist", primitive="Pdist", init=("p",))
def pdist(input: Any, p: float = 2.0) -> Tensor:
    """The p-norms of the differences of all pairs of rows of (…, N, M), in the order (0, 1), (0, 2) … (1, 2) …"""
    x = float_operand(input)
    if x.ndim < 2:
        raise ValueError(say("errors.operand", op="Pdist", why=say("errors.rows", first=x.shape, second=x.shape)))
    first, second = np.triu_indices(x.shape[-2], 1)
    pairs = [T.getitem(x, (..., i, slice(None))) for i in (first, second)]
    return norm_(T.subtract(*pairs), _not_negative("Pdist", "p", p), -1)


@public("cosine_similarity")
def cosine_similarity(x1: Any, x2: Any, dim: int = 1, eps: float = 1e-8) -> Tensor:
    """Cosine of the angle between two Tensors along ``dim``: x₁ · x₂ / (|x₁| |x₂|), each length at least ``eps``."""
    products = T.multiply(x1, x2)
    dim = checked_axis("CosineSimilarity", products, dim)
    lengths = [T.maximum(norm_(T.broadcast_to(x, products.shape), 2, dim), eps) for x in (x1, x2)]
    return T.divide(T.sum(products, dim), T.multiply(*lengths))
