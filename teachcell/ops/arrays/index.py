"""Reading at indices. An element that is read twice gets the sum of both gradients."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...core.define import define
from ...core.gradients import reduces
from ...core.op import TENSORS as T
from ...core.public import public
from ...core.record import operand
from ...core.tensor import Tensor, wrap
from ...kernels import index as K
from ...kernels.arguments import common_shape, in_interval, limited, one_axis, whole, with_axes
from ...texts import say
from ..elementwise.select import select

getitem = define(
    "getitem", K.getitem, (lambda F, g, out, x, index: F.put(g, x.shape, index),),
    label="GetItem", keeps="", public=False,
    undo=lambda base, new, index: T.setitem(base, new, index=index), add_into=K.add_into,
    card=("y = x[i]", "∂x = g {only_at}"), source="{linear_map}",
)  # fmt: skip
put = define(
    "put", K.put, (lambda F, g, out, x, shape, index: F.getitem(g, index),), keeps="", public=False,
    card=("y = {added_at}", "∂x = g[i]"), source="{linear_map}",
)  # fmt: skip


def _raw(indices: Any) -> np.ndarray:
    """Indices as an array, given as a Tensor, an array, an int or a list."""
    return operand(indices)._array


def _gather_rule(F: Any, g: Any, out: Any, x: Any, indices: Any, axis: int, batch_dims: int = 0) -> Any:
    return F.put(g, x.shape, K.gather_index(x.shape, _raw(indices), axis, batch_dims))


gather = define(
    "gather", K.gather, (_gather_rule, None), promotes=(), primitive="Gather", init=("batch_dims",),
    card=("y[…, j, …] = x[…, i[j], …]", "∂x[…, k, …] = Σ g[…, j, …] {where_index_is_k}"), source="{linear_map}",
)  # fmt: skip
gather_along = define(
    "gather_along", K.gather_along,
    (lambda F, g, out, x, index, dim: F.put(g, x.shape, K.along_index(x.shape, _raw(index), dim)), None),
    promotes=(), label="GatherD", public=False,
    card=("y[j, l] = x[i[j, l], l]", "∂x[k, l] = Σ g[j, l] {where_index_is_k}"), source="{linear_map}",
)  # fmt: skip


@public("gather_elements", "gather_d", methods=("gather_elements",), primitive="GatherD")
def gather_elements(input: Any, dim: int, index: Any) -> Tensor:
    """One element for every index: for ``dim`` 0 ``out[i, j] = input[index[i, j], j]``."""
    return gather_along(input, index, dim)


@public("gather_nd", methods=("gather_nd",), primitive="GatherNd")
def gather_nd(input_x: Any, indices: Any) -> Tensor:
    """The elements (or slices) whose coordinates stand along the last axis of ``indices``."""
    x = operand(input_x)
    return getitem(x, index=K.nd_index(x.shape, _raw(indices)))


@public("index_select")
def index_select(input: Any, axis: int, index: Any) -> Tensor:
    """The slices at ``index`` (1-D, or one int) along ``axis``."""
    return gather(input, np.atleast_1d(_raw(index)), axis)


@public("take")
def take(input: Any, index: Any) -> Tensor:
    """The elements of the flattened input at ``index``, in the shape of ``index``."""
    return gather(T.reshape(input, (-1,)), index, 0)


@public("embedding")
def embedding(input: Any, weight: Tensor, padding_idx: int | None = None) -> Tensor:
    """The rows of ``weight`` at the integers in ``input``; the row ``padding_idx`` gets no gradient."""
    rows = gather(weight, input, 0)
    if padding_idx is None:
        return rows
    (row,) = K.within(np.array([whole(padding_idx, "padding_idx")]), weight.shape[0], 0) % weight.shape[0]
    padding = (_raw(input) % weight.shape[0] == row)[..., None]
    return select(wrap(padding), T.stop_gradient(rows), rows)


@public(primitive="EmbeddingLookup")
def _embedding_lookup(input_params: Any, input_indices: Any, offset: int = 0) -> Tensor:
    """The rows at ``input_indices − offset``, zeros for those outside."""
    table, at = operand(input_params), _raw(input_indices) - offset
    inside = (at >= 0) & (at < table.shape[0])
    rows = gather(table, np.where(inside, at, 0), 0)
    mask = inside.reshape(inside.shape + (1,) * (table.ndim - 1))
    return select(wrap(mask), rows, T.zeros_like(rows))


@public("reverse_sequence", methods=("reverse_sequence",), primitive="ReverseSequence", init=("seq_dim", "batch_dim"))
def reverse_sequence(x: Any, seq_lengths: Any, seq_dim: int = 0, batch_dim: int = 0) -> Tensor:
    """The first ``seq_lengths[i]`` steps of batch entry i in reverse order, the others as they are."""
    x = operand(x)
    return gather_along(x, K.reversed_index(x.shape, _raw(seq_lengths), seq_dim, batch_dim), seq_dim)


# By masks ------------------------------------------------------------------------------------------------------


def mask_of(mask: Any, shape: tuple[int, ...]) -> np.ndarray:
    """A Bool mask repeated to ``shape``; TypeError for another dtype."""
    array = _raw(mask)
    if array.dtype.kind != "b":
        raise TypeError(say("errors.mask", got=array.dtype))
    if not reduces(shape, array.shape):
        raise ValueError(say("errors.mask_shape", shape=shape, got=array.shape))
    return np.broadcast_to(array, shape)


@public("masked_select", methods=("masked_select",), primitive="MaskedSelect")
def masked_select(input: Any, mask: Any) -> Tensor:
    """The elements where ``mask`` is True, as one axis; both are repeated to a common shape first."""
    x, at = operand(input), operand(mask)
    shape = common_shape("masked_select", x.shape, at.shape)
    return getitem(x if x.shape == shape else T.broadcast_to(x, shape), index=mask_of(at, shape))


@public("nonzero", methods=("nonzero",), primitive="NonZero")
def nonzero(input: Any, *, as_tuple: bool = False) -> Any:
    """The indices of the elements ≠ 0, Int64: one per row, or ``as_tuple`` one Tensor per axis."""
    array = _raw(input)
    if as_tuple:
        return tuple([wrap(found) for found in np.nonzero(np.atleast_1d(array))])
    return wrap(np.argwhere(array))


@public("argwhere", methods=("argwhere",))
def argwhere(input: Any) -> Tensor:
    """The indices of the elements ≠ 0, Int64, one per row."""
    return nonzero(input)


@public("unique_with_pad", primitive="UniqueWithPad", methods=("unique_with_pad",))
def unique_with_pad(x: Any, pad_num: Any) -> tuple[Tensor, Tensor]:
    """The different elements of a 1-D Tensor in order of appearance, filled up with ``pad_num``; and where each stands.

    The second result has the place of every element of x among them. Both are as long as x and have its dtype.
    """
    array = with_axes("x", _raw(x), 1, 1)
    _, first, which = np.unique(array, return_index=True, return_inverse=True)
    found = np.full_like(array, operand(pad_num).item())
    found[: first.size] = array[np.sort(first)]
    return wrap(found), wrap(np.argsort(np.argsort(first))[which.reshape(-1)].astype(array.dtype))


@public("sequence_mask")
def sequence_mask(lengths: Any, maxlen: int | None = None) -> Tensor:
    """True for the first ``lengths[…]`` of ``maxlen`` steps on a new last axis; by default as many as the longest."""
    array = _raw(lengths)
    in_interval("lengths", array, "(−∞, ∞)")
    most = int(array.max(initial=0)) if maxlen is None else whole(maxlen, "maxlen")
    limited("lengths" if maxlen is None else "maxlen", most, most * array.size)
    return wrap(np.arange(most) < array[..., None])


@public("one_hot")
def one_hot(indices: Any, depth: int, on_value: Any = 1, off_value: Any = 0, axis: int = -1) -> Tensor:
    """``on_value`` where the place on the new axis is the index, else ``off_value``; the dtype is that of ``on_value``.

    Args:
        indices: integers; one outside 0 … ``depth`` − 1 gives ``off_value`` everywhere.
        depth: length of the new axis.
        on_value, off_value: numbers or 0-d Tensors.
        axis: where the new axis goes.
    """
    on = operand(on_value)
    hot = wrap(K.one_hot(_raw(indices), whole(depth, "depth"), axis))
    return select(hot, on, operand(off_value, on._array.dtype).astype(on.dtype))


@public(primitive="OneHot", init=("axis",))
def _one_hot(indices: Any, depth: int, on_value: Any, off_value: Any, axis: int = -1) -> Tensor:
    """``one_hot``."""
    return one_hot(indices, depth, on_value, off_value, axis)


# Methods of Tensor ---------------------------------------------------------------------------------------------


@public(methods=("gather",))
def _gather(self: Tensor, *args: Any, **named: Any) -> Tensor:
    """``gather(indices, axis, batch_dims=0)``: slices along an axis. ``gather(dim, index)``: one element per index."""
    if "dim" in named or (args and isinstance(args[0], int)):
        return gather_elements(self, *args, **named)
    return gather(self, *args, **named)


@public(methods=("index_select",))
def _index_select(self: Tensor, *args: Any, **named: Any) -> Tensor:
    """The slices at ``index`` along an axis: ``index_select(axis, index)``, also as ``index_select(dim, index)``."""
    return index_select(self, *args, **{"axis" if name == "dim" else name: value for name, value in named.items()})


@public(methods=("take",))
def _take(self: Tensor, indices: Any, axis: int | None = None, mode: str = "clip") -> Tensor:
    """The elements at ``indices`` of the flattened Tensor, or the slices along ``axis``.

    ``mode`` says what an index outside means: ``"clip"``: the nearest, ``"wrap"``: counted around, ``"raise"``.
    """
    x, axis = (T.reshape(self, (-1,)), 0) if axis is None else (self, one_axis(axis, self.ndim))
    return gather(x, K.brought_inside(_raw(indices), x.shape[axis], mode), axis)


@public(methods=("choose",))
def _choose(self: Tensor, choices: Sequence[Any], mode: str = "clip") -> Tensor:
    """Element by element from the choice that the Tensor's integer names; all are repeated to a common shape."""
    given = [operand(choice) for choice in choices]
    shape = common_shape("choose", self.shape, *[choice.shape for choice in given])
    stacked = T.stack([T.broadcast_to(choice, shape) for choice in given])
    at = K.brought_inside(np.broadcast_to(self._array, shape), len(given), mode)
    return getitem(gather_along(stacked, at[None], 0), index=0)
