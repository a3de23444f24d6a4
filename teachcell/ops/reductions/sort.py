"""Order along an axis: sorting, ranks and medians. What is picked gets the gradient, at the place it came from."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.card import Kink
from ...core.define import define
from ...core.dtypes import int64
from ...core.op import TENSORS as T
from ...core.public import public
from ...core.record import operand
from ...core.tensor import Tensor
from ...kernels import sort as K
from ...kernels.index import along_index
from ..creation.filled import zeros
from .extremes import picked
from .sums import checked_axis


def _sort_rule(F: Any, gs: Any, out: Any, x: Any, axis: int = -1, descending: bool = False) -> Any:
    return F.gather_along(gs[0], F.constant(np.argsort(F.indices(out[1]), axis)), axis)


def _topk_rule(F: Any, gs: Any, out: Any, x: Any, k: int, dim: int | None = None, **_: Any) -> Any:
    return F.put(gs[0], x.shape, along_index(x.shape, F.indices(out[1]), -1 if dim is None else dim))


sort = define(
    "sort", K.sort, (_sort_rule,), called=("input_x",), keeps="output", outputs=2, primitive="Sort",
    card=("y = x[i] {sorted}", "∂x[i] = g"), source="{permutation}",
)  # fmt: skip
argsort = define("argsort", K.argsort, None, label="ArgSort", card=("y = i, x[i] {sorted}",), source="{steps}")
topk = define(
    "topk", K.topk, (_topk_rule,), keeps="output", outputs=2, primitive="TopK", init=("sorted",),
    methods=("topk",), card=("y = x[i], {k_largest}", "∂x[i] = g {zero_elsewhere}"), source="{subgradient}",
    kinks=(Kink(([2.0, 2.0, 1.0],), ([1.0, 0.0, 0.0],), {"k": 1}),),
)  # fmt: skip
kthvalue = define(
    "kthvalue", K.kthvalue, (picked,), keeps="output", outputs=2, public=False,
    card=("y = x[i], {kth_smallest}", "∂x[i] = g {zero_elsewhere}"), source="{subgradient}",
    kinks=(Kink(([2.0, 1.0, 1.0],), ([0.0, 0.0, 1.0],), {"k": 2}),),
)  # fmt: skip
median = define(
    "median", K.median, (picked,), keeps="output", outputs=2,
    card=("y = x[i], {median}", "∂x[i] = g {zero_elsewhere}"), source="{subgradient}",
    kinks=(Kink(([2.0, 1.0, 2.0, 1.0],), ([0.0, 0.0, 0.0, 1.0],)),),
)  # fmt: skip
nanmedian = define(
    "nanmedian", K.nanmedian, (picked,), keeps="output", outputs=2, methods=("nanmedian",), label="NanMedian",
    card=("y = x[i], {median_without_nan}", "∂x[i] = g {zero_elsewhere}"), source="{subgradient}",
    kinks=(Kink(([2.0, 1.0, 2.0, 1.0],), ([0.0, 0.0, 0.0, 1.0],)),),
)  # fmt: skip
in_top_k = define(
    "in_top_k", K.in_top_k, None, arity=2, promotes=(), public=False, label="InTopK",
    card=("y = [x[target] {among_k_largest}]",), source="{steps}",
)  # fmt: skip


@public("msort", methods=("msort",))
def msort(input: Any) -> Tensor:
    """Elements in order along the first axis."""
    return sort(input, 0)[0]


@public("intopk")
def intopk(x1: Any, x2: Any, k: int) -> Tensor:
    """For each row of scores x1 whether class x2 is among its k largest."""
    return in_top_k(x1, x2, k)


@public(primitive="InTopK", init=("k",))
def _in_top_k(x1: Any, x2: Any, k: int) -> Tensor:
    """For each row of scores x1 whether class x2 is among its k largest."""
    return in_top_k(x1, x2, k)


@public(primitive="NthElement", init=("reverse",))
def _nth_element(x: Any, n: Any, reverse: bool = False) -> Tensor:
    """The n-th smallest (``reverse``: largest) element along the last axis, from 0 on."""
    x, n = operand(x), int(n)
    checked_axis("NthElement", x, -1)
    return kthvalue(x, x.shape[-1] - n if reverse else n + 1)[0]


@public(primitive="Median", init=("global_median", "axis", "keep_dims", "ignore_nan"))
def _median_class(
    x: Any, global_median: bool = False, axis: int = 0, keep_dims: bool = False, ignore_nan: bool = False
) -> tuple[Tensor, Tensor]:
    """The lower median along ``axis`` and its index; of all elements, with index 0, if ``global_median``."""
    find = nanmedian if ignore_nan else median
    return (find(T.reshape(x, (-1,)))[0], zeros((), int64)) if global_median else find(x, axis, keep_dims)


# Methods: axis and dim, keepdims and keepdim are the same arguments ------------------------------------------


@public(methods=("sort",))
def _sort(
    self: Tensor, axis: int = -1, descending: bool = False, stable: bool = True, *, dim: int | None = None
) -> tuple[Tensor, Tensor]:
    """Elements in order along ``axis``, and their Int32 indices; always ``stable``."""
    return sort(self, axis if dim is None else dim, descending)


@public(methods=("argsort",))
def _argsort(
    self: Tensor, axis: int = -1, descending: bool = False, stable: bool = True, *, dim: int | None = None
) -> Tensor:
    """The Int32 indices that sort ``axis``; always ``stable``."""
    return argsort(self, axis if dim is None else dim, descending)


@public(methods=("median",))
def _median(
    self: Tensor, axis: int = -1, keepdims: bool = False, *, dim: int | None = None, keepdim: bool = False
) -> tuple[Tensor, Tensor]:
    """The lower median along ``axis``, and its index."""
    return median(self, axis if dim is None else dim, keepdims or keepdim)


@public(methods=("kthvalue",))
def _kthvalue(self: Tensor, k: int, dim: int = -1, keepdim: bool = False) -> tuple[Tensor, Tensor]:
    """The k-th smallest element along ``dim``, from 1 on, and its index."""
    return kthvalue(self, k, dim, keepdim)
