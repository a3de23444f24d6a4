"""Writing at indices: a copy with some places replaced, or combined with what is written there."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ...core.define import define
from ...core.op import TENSORS as T
from ...core.public import public
from ...core.record import operand
from ...core.tensor import Tensor
from ...core.views import plain_index
from ...kernels import index as K
from ...kernels.arguments import one_axis, one_of, sizes_of, whole
from ...texts import say
from .index import getitem, mask_of
from .segment import segments
from .state import assign


def _setitem_value(F: Any, g: Any, out: Any, x: Any, value: Any, index: Any) -> Any:
    arrived, kept = F.getitem(g, index), K.last_written(g.shape, index)
    return arrived if kept is None else F.select(F.constant(kept), arrived, F.zeros_like(arrived))


setitem = define(
    "setitem", K.setitem,
    (lambda F, g, out, x, value, index: F.setitem(g, F.zeros_like(F.getitem(g, index)), index), _setitem_value),
    label="SetItem", keeps="", promotes=(), public=False,
    card=("y = x {with} x[i] = v", "∂x = g {cut_out}", "∂v = g[i]"), source="{linear_map}",
)  # fmt: skip
additem = define(
    "additem", K.additem,
    (lambda F, g, out, x, value, index: g, lambda F, g, out, x, value, index: F.getitem(g, index)),
    label="ScatterAdd", keeps="", promotes=(), public=False,
    card=("y = x {with} x[i] += v", "∂x = g", "∂v = g[i]"), source="{linear_map}",
)  # fmt: skip

_MEET = {  # the op by which a written value meets the one there, and how several for one place meet each other
    "mul": ("multiply", "prod"),
    "div": ("divide", "prod"),
    "max": ("maximum", "max"),
    "min": ("minimum", "min"),
}
HOWS = ("add", "sub", *_MEET)

SAYS = {
    "update": "A copy with ``updates`` at {where}; of two for one place the last stays.",
    "add": "A copy with ``updates`` added at {where}; those for one place add up.",
    "sub": "A copy with ``updates`` subtracted at {where}.",
    "mul": "A copy multiplied by ``updates`` at {where}.",
    "div": "A copy divided by ``updates`` at {where}.",
    "max": "A copy with the larger of itself and ``updates`` at {where}.",
    "min": "A copy with the smaller of itself and ``updates`` at {where}.",
}


def written(x: Any, index: Any, updates: Any, how: str = "update") -> Tensor:
    """A copy of x with ``updates`` written at NumPy's ``index``, or combined with what is there."""
    x = operand(x)
    value = operand(updates, x._array.dtype)
    _check_updates(value, x.shape, index)
    value = value if value.dtype is x.dtype else value.astype(x.dtype)
    if how == "update":
        return setitem(x, value, index=index)
    if how in ("add", "sub"):
        return additem(x, value if how == "add" else T.negative(value), index=index)
    meet, reduction = _MEET[how]
    several = K.repeated(x.shape, index)
    if several is not None:
        index, which = several
        value = segments(T.reshape(value, (-1,)), which, len(index[0]), reduction)
    return setitem(x, getattr(T, meet)(getitem(x, index=index), value).astype(x.dtype), index=index)


def _check_updates(value: Tensor, shape: tuple[int, ...], index: Any) -> None:
    """ValueError unless ``value`` has the shape of what ``index`` names in an array of ``shape``."""
    wanted = np.broadcast_to(np.empty(()), shape)[index].shape
    if value.shape != wanted:
        raise ValueError(say("errors.updates_shape", wanted=wanted, got=value.shape))


# By coordinates: indices (…, k), updates (…, the other axes) -----------------------------------------------------


def _tensor_scatter(how: str) -> Callable[[Any, Any, Any], Tensor]:
    def tensor_scatter(input_x: Any, indices: Any, updates: Any) -> Tensor:
        x = operand(input_x)
        return written(x, K.nd_index(x.shape, operand(indices)._array), updates, how)

    tensor_scatter.__name__ = tensor_scatter.__qualname__ = f"tensor_scatter_{how}"
    tensor_scatter.__doc__ = SAYS[how].format(
        where="the places whose coordinates stand along the last axis of ``indices``"
    )
    title = f"TensorScatter{how.capitalize()}"
    return public(tensor_scatter.__name__, primitive=title)(tensor_scatter)


tensor_scatter_update = _tensor_scatter("update")
tensor_scatter_add = _tensor_scatter("add")
tensor_scatter_sub = _tensor_scatter("sub")
tensor_scatter_mul = _tensor_scatter("mul")
tensor_scatter_div = _tensor_scatter("div")
tensor_scatter_max = _tensor_scatter("max")
tensor_scatter_min = _tensor_scatter("min")


@public("scatter_nd", primitive="ScatterNd")
def scatter_nd(indices: Any, updates: Any, shape: Any) -> Tensor:
    """Zeros of ``shape`` with ``updates`` added at the places whose coordinates stand along the last axis."""
    value, shape = operand(updates), sizes_of(shape)
    index = K.nd_index(shape, operand(indices)._array)
    _check_updates(value, shape, index)
    return T.put(value, shape, index)


# Along one axis: indices and updates of one shape -----------------------------------------------------------------


@public("tensor_scatter_elements", primitive="TensorScatterElements", init=("axis", "reduction"))
def tensor_scatter_elements(input_x: Any, indices: Any, updates: Any, axis: int = 0, reduction: str = "none") -> Tensor:
    """A copy with one element replaced (or added to) for every index: for ``axis`` 0 ``[indices[i, j], j]``.

    Args:
        input_x: any Tensor.
        indices: integers, as many axes as ``input_x``, none longer but ``axis``.
        updates: values of the same shape.
        axis: the axis that the indices speak of.
        reduction: ``"none"``: replace, or ``"add"``, ``"mul"``, ``"div"``, ``"max"``, ``"min"``.
    """
    x = operand(input_x)
    how = "update" if one_of("reduction", reduction, ("none", *HOWS)) == "none" else reduction
    return written(x, K.along_index(x.shape, operand(indices)._array, axis), updates, how)


@public("scatter")
def scatter(input: Any, axis: int, index: Any, src: Any) -> Tensor:
    """A copy with ``src`` (a number, or a Tensor at least as large as ``index``) at one place for every index."""
    return _scatter(operand(input), axis, index, src)


@public(methods=("scatter",))
def _scatter(self: Tensor, dim: int, index: Any, src: Any, reduce: str = "none") -> Tensor:
    """A copy with ``src`` (a number or a Tensor) at one place for every index; ``reduce`` may be ``"add"``."""
    at, value = operand(index), operand(src, self._array.dtype)
    if value.ndim == at.ndim:
        value = T.getitem(value, index=tuple([slice(n) for n in at.shape])) if value.shape != at.shape else value
    elif not value.ndim:
        value = T.broadcast_to(value, at.shape)
    return tensor_scatter_elements(self, at, value, dim, reduce)


def _by_axis(args: Sequence[Any], named: Mapping[str, Any]) -> bool:
    """Whether a method was called with an axis first, the newer of its two forms."""
    return "dim" in named or bool(args and isinstance(args[0], int))


def add_along(self: Tensor, dim: int, index: Any, src: Any) -> Tensor:
    """A copy with ``src`` added at one place for every index."""
    return _scatter(self, dim, index, src, "add")


@public(methods=("scatter_add",))
def _scatter_add(self: Tensor, *args: Any, **named: Any) -> Tensor:
    """A copy with values added: ``scatter_add(dim, index, src)``, by coordinates ``scatter_add(indices, updates)``."""
    return (add_along if _by_axis(args, named) else tensor_scatter_add)(self, *args, **named)


for _how, _function in {
    "sub": tensor_scatter_sub, "mul": tensor_scatter_mul, "div": tensor_scatter_div, "max": tensor_scatter_max,
    "min": tensor_scatter_min,
}.items():  # fmt: skip
    setattr(Tensor, f"scatter_{_how}", _function)


# Whole slices of one axis -----------------------------------------------------------------------------------------


def _rows(x: Tensor, axis: int, index: Any) -> tuple[Any, ...]:
    return K.axis_index(x.shape, np.atleast_1d(operand(index)._array), axis)


@public("index_add", primitive="IndexAdd", init=("axis", "use_lock", "check_index_bound"))
def index_add(x: Any, indices: Any, y: Any, axis: int, use_lock: bool = True, check_index_bound: bool = True) -> Tensor:
    """``x`` with the slices of ``y`` added at ``indices`` of an axis; a Parameter takes the new value over."""
    x = operand(x)
    new = written(x, _rows(x, axis, indices), y, "add")
    return assign(x, new) if x.is_parameter else new


@public("index_fill", methods=("index_fill",), primitive="IndexFill")
def index_fill(x: Any, axis: int, index: Any, value: Any) -> Tensor:
    """A copy with one value at all slices ``index`` of an axis."""
    x = operand(x)
    return setitem(x, operand(value, x._array.dtype).astype(x.dtype), index=_rows(x, axis, index))


@public("inplace_add", primitive="InplaceAdd", init=("indices",))
def inplace_add(x: Any, v: Any, indices: Any) -> Tensor:
    """A copy with the slices of ``v`` added at ``indices`` of axis 0."""
    x = operand(x)
    return written(x, _rows(x, 0, indices), v, "add")


@public("inplace_sub", primitive="InplaceSub", init=("indices",))
def inplace_sub(x: Any, v: Any, indices: Any) -> Tensor:
    """A copy with the slices of ``v`` subtracted at ``indices`` of axis 0."""
    x = operand(x)
    return written(x, _rows(x, 0, indices), v, "sub")


@public("inplace_update", methods=("inplace_update",), primitive="InplaceUpdate", init=("indices",))
def inplace_update(x: Any, v: Any, indices: Any) -> Tensor:
    """A copy with the slices of ``v`` at ``indices`` of axis 0."""
    x = operand(x)
    return written(x, _rows(x, 0, indices), v)


@public(primitive="InplaceUpdateV2")
def _inplace_update(x: Any, indices: Any, v: Any) -> Tensor:
    """``inplace_update``, the indices at the call."""
    return inplace_update(x, v, indices)


@public("select_scatter", methods=("select_scatter",))
def select_scatter(input: Any, src: Any, axis: int, index: int) -> Tensor:
    """A copy with ``src`` as slice ``index`` of an axis."""
    x = operand(input)
    axis, index = one_axis(axis, x.ndim), whole(index, "index")
    K.within(np.array([index]), x.shape[axis], axis)
    return written(x, K.along(axis, index), src)


@public("slice_scatter", methods=("slice_scatter",))
def slice_scatter(
    input: Any, src: Any, axis: int = 0, start: int | None = None, end: int | None = None, step: int = 1
) -> Tensor:
    """A copy with ``src`` in the place of ``start : end : step`` of an axis."""
    x = operand(input)
    axis = one_axis(axis, x.ndim)
    bounds = {"start": start, "end": end, "step": step}
    part = slice(*[value if value is None else whole(value, name) for name, value in bounds.items()])
    return written(x, K.along(axis, part), src)


def add_slices(self: Tensor, dim: int, index: Any, source: Any, *, alpha: float = 1) -> Tensor:
    """A copy with the slices of ``alpha · source`` added at ``index`` of an axis."""
    added = source if alpha == 1 else T.multiply(source, alpha)
    return written(self, _rows(self, dim, index), added, "add")


def add_rows(self: Tensor, indices: Any, y: Any, axis: int) -> Tensor:
    """A copy with the slices of ``y`` added at ``indices`` of an axis."""
    return add_slices(self, axis, indices, y)


@public(methods=("index_add",))
def _index_add(self: Tensor, *args: Any, **named: Any) -> Tensor:
    """``index_add(dim, index, source, alpha=1)`` or ``index_add(indices, y, axis)``: a copy with slices added."""
    return (add_slices if _by_axis(args, named) else add_rows)(self, *args, **named)


# By NumPy's index, and by masks -----------------------------------------------------------------------------------


@public(methods=("index_put",))
def _index_put(self: Tensor, indices: Sequence[Any], values: Any, accumulate: bool = False) -> Tensor:
    """A copy with ``values`` at ``[indices[0], indices[1], …]``; with ``accumulate`` added there."""
    index = plain_index(tuple(indices))
    value = operand(values, self._array.dtype).astype(self.dtype)
    return (additem if accumulate else setitem)(self, value, index=index)


@public(primitive="IndexPut", init=("accumulate",))
def _index_put_primitive(x1: Any, x2: Any, indices: Sequence[Any], accumulate: int = 0) -> Tensor:
    """A copy of ``x1`` with ``x2`` at ``[indices[0], indices[1], …]``; with ``accumulate`` added there."""
    return _index_put(operand(x1), indices, x2, bool(accumulate))


@public(methods=("masked_scatter",), primitive="MaskedScatter")
def _masked_scatter(x: Any, mask: Any, source: Any) -> Tensor:
    """A copy with the elements of ``source``, in order, where ``mask`` is True."""
    x, source = operand(x), operand(source)
    at = mask_of(mask, x.shape)
    count = int(at.sum())
    if source.size < count:
        raise ValueError(say("errors.masked_source", wanted=count, got=source.size))
    values = T.getitem(T.reshape(source, (-1,)), index=slice(count))
    return setitem(x, values.astype(x.dtype), index=at)
