"""Largest and smallest elements, their indices, and what is made of them."""

from __future__ import annotations

from typing import Any

from ...core.card import Kink
from ...core.define import constant_pair, define, pair
from ...core.dtypes import as_dtype, int32, int64
from ...core.op import TENSORS as T
from ...core.public import public
from ...core.record import operand
from ...core.tensor import Tensor
from ...kernels import extremes as K
from ...kernels.arguments import Axes, kept_shape
from ...kernels.index import along_index
from ...texts import say
from ..creation.filled import zeros
from ..elementwise.select import cast
from .sums import over

constant_pair(K.winners)


def _extremum(F: Any, g: Any, out: Any, x: Any, axis: Axes = None, keep_dims: bool = False) -> Any:
    return F.multiply(F.reshape(g, kept_shape(x.shape, axis)), F.winners(x, out, axis))


amax_ = define(
    "amax", K.amax, (_extremum,), keeps="inputs output", names=(), primitive="ReduceMax", init=("keep_dims",),
    label="Max", card=("y = max x", "∂x = g {at_largest}"), source="{subgradient}",
    kinks=(Kink(([3.0, 1.0, 3.0],), ([0.5, 0.0, 0.5],)),),
)  # fmt: skip
amin_ = define(
    "amin", K.amin, (_extremum,), keeps="inputs output", names=(), primitive="ReduceMin", init=("keep_dims",),
    label="Min", card=("y = min x", "∂x = g {at_smallest}"), source="{subgradient}",
    kinks=(Kink(([3.0, 1.0, 1.0],), ([0.0, 0.5, 0.5],)),),
)  # fmt: skip


def picked(F: Any, gs: Any, out: Any, x: Any, axis: int = -1, keepdims: bool = False, **_: Any) -> Any:
    """The rule of ops that pick one element of each row and say which, as (value, index): it gets the gradient."""
    shape = kept_shape(x.shape, axis)
    index = F.indices(out[1]).reshape(shape)
    return F.put(F.reshape(gs[0], shape), x.shape, along_index(x.shape, index, axis))


pair("indices", lambda index: index, lambda index: index._array)
max_with_index = define(
    "max_with_index", K.max_with_index, (picked,), keeps="output", outputs=2, public=False, label="Max",
    card=("y = max x", "∂x = g {at_the_first_largest}"), source="{subgradient}",
    kinks=(Kink(([3.0, 1.0, 3.0],), ([1.0, 0.0, 0.0],), {"axis": 0}),),
)  # fmt: skip
min_with_index = define(
    "min_with_index", K.min_with_index, (picked,), keeps="output", outputs=2, public=False, label="Min",
    card=("y = min x", "∂x = g {at_the_first_smallest}"), source="{subgradient}",
    kinks=(Kink(([3.0, 1.0, 1.0],), ([0.0, 1.0, 0.0],), {"axis": 0}),),
)  # fmt: skip
argmax = define("argmax", K.argmax, None, card=("y = argmax x {first_of_equals}",), source="{steps}")
argmin = define("argmin", K.argmin, None, card=("y = argmin x {first_of_equals}",), source="{steps}")


# Functions -------------------------------------------------------------------------------------------------


def _limited(function: str, x: Any, initial: Any, where: Any, limit: Any) -> Tensor:
    """Before an extremum: what ``where`` leaves out is replaced by ``initial``, which also takes part itself."""
    if where is not None and where is not True:
        if initial is None:
            raise ValueError(say("errors.operand", op=function, why=say("errors.where_without_initial")))
        x = operand(x)
        x = T.select(where, x, operand(initial, x._array.dtype))
    return x if initial is None else limit(x, initial)


@public("amax", methods=("amax",))
def amax(input: Any, axis: Axes = None, keepdims: bool = False, *, initial: Any = None, where: Any = None) -> Tensor:
    """Largest element over ``axis`` (all axes by default); ties share the gradient evenly.

    Args:
        input: a Tensor.
        axis: an int, several, or None.
        keepdims: keep reduced axes with length 1.
        initial: a value that takes part.
        where: only elements where this Bool Tensor is True take part; needs ``initial``.
    """
    return over(amax_, _limited("Max", input, initial, where, T.maximum), axis, keepdims)


@public("amin", methods=("amin",))
def amin(input: Any, axis: Axes = None, keepdims: bool = False, *, initial: Any = None, where: Any = None) -> Tensor:
    """Smallest element over ``axis`` (all axes by default); ties share the gradient evenly. Arguments as for amax."""
    return over(amin_, _limited("Min", input, initial, where, T.minimum), axis, keepdims)


@public("max", shows="max_with_index")
def max(
    input: Any, axis: int | None = None, keepdims: bool = False, *, initial: Any = None, where: Any = None
) -> tuple[Tensor, Tensor]:
    """Largest element along ``axis`` and its Int64 index: the first of equals, which also gets the gradient.

    Without ``axis`` the largest of all with index 0; then ties share the gradient.
    """
    x = operand(_limited("Max", input, initial, where, T.maximum))
    return (amax_(x), zeros((), int64)) if axis is None or not x.ndim else over(max_with_index, x, axis, keepdims)


@public("min", shows="min_with_index")
def min(
    input: Any, axis: int | None = None, keepdims: bool = False, *, initial: Any = None, where: Any = None
) -> tuple[Tensor, Tensor]:
    """Smallest element along ``axis`` and its Int64 index: the first of equals, which also gets the gradient.

    Without ``axis`` the smallest of all with index 0; then ties share the gradient.
    """
    x = operand(_limited("Min", input, initial, where, T.minimum))
    return (amin_(x), zeros((), int64)) if axis is None or not x.ndim else over(min_with_index, x, axis, keepdims)


@public("max_ext")
def max_ext(input: Any, dim: int | None = None, keepdim: bool = False) -> Any:
    """Largest element; with ``dim`` along it, together with the index."""
    return amax_(input) if dim is None else max(input, dim, keepdim)


@public("min_ext")
def min_ext(input: Any, dim: int | None = None, keepdim: bool = False) -> Any:
    """Smallest element; with ``dim`` along it, together with the index."""
    return amin_(input) if dim is None else min(input, dim, keepdim)


@public("aminmax", methods=("aminmax",))
def aminmax(input: Any, *, axis: int | None = 0, keepdims: bool = False) -> tuple[Tensor, Tensor]:
    """Smallest and largest element along ``axis``, or of all with ``axis=None``."""
    if axis is None:
        return over(amin_, input, None, keepdims), over(amax_, input, None, keepdims)
    return min(input, axis, keepdims)[0], max(input, axis, keepdims)[0]


# Class forms -----------------------------------------------------------------------------------------------


def _index_dtype(function: str, dtype: Any) -> Any:
    if as_dtype(dtype) not in (int32, int64):
        raise ValueError(say("errors.operand", op=function, why=say("errors.index_dtype", got=as_dtype(dtype))))
    return dtype


@public(primitive="Argmax", init=("axis", "output_type"))
def _argmax_class(x: Any, axis: int = -1, output_type: Any = int32) -> Tensor:
    """Index of the first largest element along ``axis``, in ``output_type``."""
    return cast(argmax(x, axis), _index_dtype("Argmax", output_type))


@public(primitive="Argmin", init=("axis", "output_type"))
def _argmin_class(x: Any, axis: int = -1, output_type: Any = int32) -> Tensor:
    """Index of the first smallest element along ``axis``, in ``output_type``."""
    return cast(argmin(x, axis), _index_dtype("Argmin", output_type))


@public(primitive="ArgMaxWithValue", init=("axis", "keep_dims"))
def _arg_max_with_value(input: Any, axis: int = 0, keep_dims: bool = False) -> tuple[Tensor, Tensor]:
    """Index of the first largest element along ``axis``, and the element."""
    value, index = max(input, axis, keep_dims)
    return index, value


@public(primitive="ArgMinWithValue", init=("axis", "keep_dims"))
def _arg_min_with_value(input: Any, axis: int = 0, keep_dims: bool = False) -> tuple[Tensor, Tensor]:
    """Index of the first smallest element along ``axis``, and the element."""
    value, index = min(input, axis, keep_dims)
    return index, value


# Methods ---------------------------------------------------------------------------------------------------


def _one_or_both(with_index: Any, alone: Any, x: Tensor, along: Any, axis: Any, both: bool, **attrs: Any) -> Any:
    """What MindSpore's method gives: a dim gives value and index, an axis the value, and the index when asked for."""
    axis, both = (axis, both) if along is None else (along, True)
    if isinstance(axis, int) or (axis is None and both):
        found = with_index(x, axis, **attrs)
        return found if both else found[0]
    return alone(x, axis, **attrs)


@public(methods=("max",))
def _max(
    self: Tensor, along: Axes = None, kept: bool = False, /, *, axis: Axes = None, keepdims: bool = False,
    initial: Any = None, where: Any = None, return_indices: bool = False, dim: int | None = None, keepdim: bool = False,
) -> Any:  # fmt: skip
    """Largest element.

    ``max()`` and ``max(axis=…, keepdims=…)`` give it alone, or with its index if ``return_indices``;
    ``max(dim, keepdim)`` gives it with its index.
    """
    return _one_or_both(
        max, amax, self, dim if along is None else along, axis, return_indices,
        keepdims=kept or keepdims or keepdim, initial=initial, where=where,
    )  # fmt: skip


@public(methods=("min",))
def _min(
    self: Tensor, along: Axes = None, kept: bool = False, /, *, axis: Axes = None, keepdims: bool = False,
    initial: Any = None, where: Any = None, return_indices: bool = False, dim: int | None = None, keepdim: bool = False,
) -> Any:  # fmt: skip
    """Smallest element.

    ``min()`` and ``min(axis=…, keepdims=…)`` give it alone, or with its index if ``return_indices``;
    ``min(dim, keepdim)`` gives it with its index.
    """
    return _one_or_both(
        min, amin, self, dim if along is None else along, axis, return_indices,
        keepdims=kept or keepdims or keepdim, initial=initial, where=where,
    )  # fmt: skip


@public(methods=("argmax",))
def _argmax(
    self: Tensor, axis: int | None = None, keepdims: bool = False, *, dim: int | None = None, keepdim: bool = False
) -> Tensor:
    """Index of the first largest element along ``axis``, or in the flattened Tensor; Int64."""
    return over(argmax, self, axis if dim is None else dim, keepdims or keepdim)


@public(methods=("argmin",))
def _argmin(
    self: Tensor, axis: int | None = None, keepdims: bool = False, *, dim: int | None = None, keepdim: bool = False
) -> Tensor:
    """Index of the first smallest element along ``axis``, or in the flattened Tensor; Int32."""
    return over(argmin, self, axis if dim is None else dim, keepdims or keepdim)


@public(methods=("argmax_with_value",))
def _argmax_with_value(self: Tensor, axis: int = 0, keep_dims: bool = False) -> tuple[Tensor, Tensor]:
    """Largest element along ``axis``, and its index."""
    return max(self, axis, keep_dims)


@public(methods=("argmin_with_value",))
def _argmin_with_value(self: Tensor, axis: int = 0, keep_dims: bool = False) -> tuple[Tensor, Tensor]:
    """Smallest element along ``axis``, and its index."""
    return min(self, axis, keep_dims)


@public(methods=("ptp",))
def _ptp(self: Tensor, axis: Axes = None, keepdims: bool = False) -> Tensor:
    """Peak to peak: largest minus smallest element over ``axis``."""
    return T.subtract(over(amax_, self, axis, keepdims), over(amin_, self, axis, keepdims))
