"""Equal elements, places in sorted rows, counts per bin. Only weights have a gradient here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...core.define import define
from ...core.dtypes import float32, int32, int64
from ...core.op import TENSORS as T
from ...core.public import public
from ...core.record import operand
from ...core.tensor import Tensor
from ...kernels import search as K
from ...texts import say
from ..creation.filled import ones
from ..elementwise.select import cast

unique = define(
    "unique", K.unique, None, outputs=2, primitive="Unique", card=("y = {different_values}",),
    source="{definition}",
)  # fmt: skip
unique_sorted = define(
    "unique_sorted", K.unique_sorted, None, outputs=3, public=False, label="Unique",
    card=("y = {different_values_sorted}",), source="{definition}",
)  # fmt: skip
consecutive = define(
    "unique_consecutive", K.unique_consecutive, None, outputs=3, public=False,
    card=("y = {runs}",), source="{definition}",
)  # fmt: skip
search_sorted = define(
    "searchsorted", K.searchsorted, None, arity=2, public=False, label="SearchSorted",
    card=("i = {place_in_sorted}",), source="{steps}",
)  # fmt: skip
bucketize_ = define("bucketize", K.bucketize, None, public=False, card=("i = {bucket}",), source="{steps}")
histc = define(
    "histc", K.histc, None, primitive="Histogram", methods=("histc",), card=("y = {count_per_bin}",),
    source="{steps}",
)  # fmt: skip
bincount_ = define(
    "bincount", K.bincount, (None, lambda F, g, out, x, weights, minlength=0: F.getitem(g, (F.indices(x),))),
    promotes=(), floats=(1,), public=False, label="BinCount", card=("yₙ = Σ w[x = n]", "∂w = g[x]"),
    source="{linear_map}",
)  # fmt: skip


@public("unique_consecutive", methods=("unique_consecutive",))
def unique_consecutive(
    input: Any, return_inverse: bool = False, return_counts: bool = False, dim: int | None = None
) -> Any:
    """Each run of equal elements (or slices along ``dim``) as one; with each input's run and the runs' lengths."""
    return _asked(consecutive(input, dim), return_inverse, return_counts)


@public(primitive="UniqueConsecutive", init=("return_inverse", "return_counts", "dim"))
def _unique_consecutive_class(x: Any, dim: int | None = None, **_: bool) -> tuple[Tensor, Tensor, Tensor]:
    """Each run of equal elements as one, each input's run, and the runs' lengths: always all three."""
    return consecutive(x, dim)


@public(methods=("unique",))
def _unique(
    self: Tensor, sorted: bool = True, return_inverse: bool = False, return_counts: bool = False, dim: int | None = None
) -> Any:
    """The different elements (or slices along ``dim``), always sorted; with each input's number, and with counts."""
    return _asked(unique_sorted(self, dim), return_inverse, return_counts)


def _asked(found: tuple[Tensor, Tensor, Tensor], inverse: bool, counts: bool) -> Any:
    chosen = [t for t, asked in zip(found, (True, inverse, counts), strict=True) if asked]
    return tuple(chosen) if len(chosen) > 1 else chosen[0]


@public("searchsorted")
def searchsorted(
    sorted_sequence: Any, values: Any, *, out_int32: bool = False, right: bool = False, side: str | None = None,
    sorter: Any = None,
) -> Tensor:  # fmt: skip
    """Where each value would be inserted into its sorted row, so that the row stays sorted.

    Args:
        sorted_sequence: one sorted row, or as many as ``values`` has.
        values: what to insert.
        out_int32: give Int32 rather than Int64.
        right: after equal elements rather than before them.
        side: ``"left"`` or ``"right"``, which says the same as ``right``.
        sorter: the indices that sort the rows, if they are not sorted.
    """
    if side not in (None, "left", "right") or (side == "left" and right):
        raise ValueError(say("errors.operand", op="SearchSorted", why=say("errors.side", side=repr(side), right=right)))
    order = None if sorter is None else operand(sorter)._array
    found = search_sorted(sorted_sequence, values, right=right or side == "right", sorter=order)
    return cast(found, int32) if out_int32 else found


@public(methods=("searchsorted",))
def _searchsorted(self: Tensor, v: Any, side: str = "left", sorter: Any = None) -> Tensor:
    """Where each value would be inserted into this sorted Tensor, so that it stays sorted."""
    return searchsorted(self, v, side=side, sorter=sorter)


@public(primitive="SearchSorted", init=("dtype", "right"))
def _search_sorted(
    sorted_sequence: Any, values: Any, sorter: Any = None, dtype: Any = int64, right: bool = False
) -> Tensor:
    """Where each value would be inserted into its sorted row, in ``dtype``."""
    return cast(searchsorted(sorted_sequence, values, right=right, sorter=sorter), dtype)


@public(primitive="LowerBound", init=("out_type",))
def _lower_bound(x: Any, values: Any, out_type: Any = int32) -> Tensor:
    """Where each value would be inserted into its sorted row, before equal elements."""
    return cast(search_sorted(x, values), out_type)


@public(primitive="UpperBound", init=("out_type",))
def _upper_bound(x: Any, values: Any, out_type: Any = int32) -> Tensor:
    """Where each value would be inserted into its sorted row, after equal elements."""
    return cast(search_sorted(x, values, right=True), out_type)


def _numbers(boundaries: Any) -> tuple[float, ...]:
    if not np.iterable(boundaries) or np.asarray(tuple(boundaries)).dtype.kind not in "biuf":
        raise TypeError(say("errors.not_a_number", name="boundaries", got=repr(boundaries)))
    return tuple(boundaries)


@public("bucketize")
def bucketize(input: Any, boundaries: Sequence[float], *, right: bool = False) -> Tensor:
    """The Int32 number of the bucket that each element is in: boundary[i − 1] < x ≤ boundary[i].

    With ``right``, boundary[i − 1] ≤ x < boundary[i].
    """
    return bucketize_(input, _numbers(boundaries), right)


@public(primitive="Bucketize", init=("boundaries",))
def _bucketize_class(x: Any, boundaries: Sequence[float]) -> Tensor:
    """The Int32 number of the bucket that each element is in: boundary[i − 1] ≤ x < boundary[i]."""
    return bucketize_(x, _numbers(boundaries), right=True)


@public("bincount", methods=("bincount",))
def bincount(input: Any, weights: Any = None, minlength: int = 0) -> Tensor:
    """How often each whole number from 0 on occurs, or the sum of the weights at its places; Float32 by default."""
    x = cast(input, int64)
    return bincount_(x, ones(x.shape, float32) if weights is None else weights, minlength)


@public(primitive="Bincount")
def _bincount_class(array: Any, size: Any, weights: Any) -> Tensor:
    """The sum of the weights (none given: the number) of each whole number from 0 to ``size`` − 1."""
    n, weights = int(size), operand(weights)
    return T.getitem(bincount(array, weights if weights.size else None, n), slice(0, n))
