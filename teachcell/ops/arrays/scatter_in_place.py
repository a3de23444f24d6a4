"""Writing at indices in place: into Parameters, as optimizers and tables of counts do.

A Parameter takes the new value over without a gradient, as with ``assign``; another Tensor is written into.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...core.public import public
from ...core.record import operand
from ...core.tensor import Tensor
from ...kernels import index as K
from ...texts import say
from .scatter import SAYS, tensor_scatter_elements, written
from .state import assign

InPlace = Callable[..., Tensor]
_WHERE = {
    "scatter": "the slices ``indices`` of axis 0",
    "scatter_nd": "the places whose coordinates stand along the last axis of ``indices``",
}


def _in_place(form: str, how: str) -> InPlace:
    """Publish ``<form>_<how>`` and its class form."""
    index_of = K.axis_index if form == "scatter" else K.nd_index

    def write(input_x: Tensor, indices: Any, updates: Any, use_locking: bool = False) -> Tensor:
        if not isinstance(input_x, Tensor):
            raise TypeError(say("errors.not_a_parameter", got=type(input_x).__name__))
        index = index_of(input_x.shape, operand(indices)._array)
        return assign(input_x, written(input_x, index, updates, how))

    write.__name__ = write.__qualname__ = f"{form}_{how}"
    write.__doc__ = "In place: " + SAYS[how].format(where=_WHERE[form])
    title = write.__name__.title().replace("_", "")
    return public(write.__name__, primitive=title, init=("use_locking",))(write)


scatter_update = _in_place("scatter", "update")
scatter_add = _in_place("scatter", "add")
scatter_sub = _in_place("scatter", "sub")
scatter_mul = _in_place("scatter", "mul")
scatter_div = _in_place("scatter", "div")
scatter_max = _in_place("scatter", "max")
scatter_min = _in_place("scatter", "min")
scatter_nd_update = _in_place("scatter_nd", "update")
scatter_nd_add = _in_place("scatter_nd", "add")
scatter_nd_sub = _in_place("scatter_nd", "sub")
scatter_nd_mul = _in_place("scatter_nd", "mul")
scatter_nd_div = _in_place("scatter_nd", "div")
scatter_nd_max = _in_place("scatter_nd", "max")
scatter_nd_min = _in_place("scatter_nd", "min")


@public("inplace_index_add", primitive="InplaceIndexAdd", init=("axis",))
def inplace_index_add(var: Tensor, indices: Any, updates: Any, axis: int) -> Tensor:
    """In place: the slices of ``updates`` added at ``indices`` of an axis."""
    return assign(var, written(var, K.axis_index(var.shape, operand(indices)._array, axis), updates, "add"))


@public(primitive="ScatterAddWithAxis", init=("axis",))
def _scatter_add_with_axis(input_x: Any, indices: Any, updates: Any, axis: int = 0) -> Tensor:
    """A copy with one element added to for every index along ``axis``."""
    return tensor_scatter_elements(input_x, indices, updates, axis, "add")
