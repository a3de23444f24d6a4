"""``vmap``: a function of single examples made into one of batches."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..core.nested import Structure, tensors_in
from ..core.op import TENSORS as T
from ..core.tensor import Tensor
from ..kernels.index import along
from ..texts import say
from .grad import check_function

Axes = Any  # int, None, or a tuple or list of these


def vmap(fn: Callable[..., Any], in_axes: Axes = 0, out_axes: Axes = 0) -> Callable[..., Any]:
    """A function that runs ``fn`` on every slice along a batch axis and stacks what it returns.

    The slices run one after the other: this is for meaning, not for speed. Gradients pass.

    Args:
        fn: function, Cell or any callable of Tensors.
        in_axes: the batch axis of the arguments: one for all, or one per argument; None: not batched.
        out_axes: where the batch axis goes in the outputs: one for all, or one per output.

    Raises:
        ValueError: nothing is batched, batch sizes differ, or not one axis per argument or output.
    """
    check_function(fn, "vmap")

    def batched(*args: Any) -> Any:
        axes = _per_item(in_axes, len(args), "in_axes")
        sizes = {_length(a, axis) for a, axis in zip(args, axes, strict=True) if axis is not None}
        if len(sizes) != 1:
            raise ValueError(say("errors.vmap_sizes", got=sorted(sizes)))
        if sizes == {0}:
            raise ValueError(say("errors.vmap_empty"))
        values = [
            fn(*(_slice(a, axis, i) for a, axis in zip(args, axes, strict=True))) for i in range(sizes.pop())
        ]  # fmt: skip
        columns = list(zip(*(tensors_in(value) for value in values), strict=True))
        places = _per_item(out_axes, len(columns), "out_axes")
        return Structure(values[0]).filled(
            T.stack(list(parts), axis=axis) for parts, axis in zip(columns, places, strict=True)
        )

    return batched


def _per_item(axes: Axes, count: int, what: str) -> tuple[int | None, ...]:
    if not isinstance(axes, (tuple, list)):
        return (axes,) * count
    if len(axes) != count:
        raise ValueError(say("errors.vmap_axes", what=what, got=len(axes), count=count))
    return tuple(axes)


def _length(value: Any, axis: int) -> int:
    if not (isinstance(value, Tensor) and isinstance(axis, int)) or not -value.ndim <= axis < value.ndim:
        raise ValueError(say("errors.vmap_input", axis=repr(axis), got=getattr(value, "shape", type(value).__name__)))
    return value.shape[axis]


def _slice(value: Any, axis: int | None, i: int) -> Any:
    return value if axis is None else value[along(axis % value.ndim, i)]
