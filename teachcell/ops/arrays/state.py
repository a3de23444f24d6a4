"""Writing to Parameters in place."""

from __future__ import annotations

from typing import Any

from ...core.public import public
from ...core.record import operand
from ...core.tensor import Tensor, wrap
from ...texts import say


def _store(variable: Tensor, value: Any, combine: Any) -> Tensor:
    """Write ``combine(old, new)``: to a Parameter without a gradient, to another Tensor as ``variable[...] =``.

    Returns the new value: a Tensor of its own, through which gradients reach the Parameter.
    """
    if not isinstance(variable, Tensor):
        raise TypeError(say("errors.not_a_parameter", got=type(variable).__name__))
    new = operand(value, variable._array.dtype)
    if new.shape != variable.shape:
        name = getattr(variable, "name", "Tensor")
        raise ValueError(say("errors.assign_shape", name=name, shape=variable.shape, got=new.shape))
    if variable.is_parameter:
        variable._before_write()
        old = variable._array
        variable._array = combine(old, new._array).astype(old.dtype, copy=True)
        return wrap(variable._array.copy(), variable._node)
    variable[...] = combine(variable, new)
    return variable


@public("assign", primitive="Assign")
def assign(variable: Tensor, value: Any) -> Tensor:
    """Store ``value`` (same shape; cast to the variable's dtype) and return the new value."""
    return _store(variable, value, lambda old, new: new)


@public("assign_add", primitive="AssignAdd")
def assign_add(variable: Tensor, value: Any) -> Tensor:
    """Add ``value`` in place and return the new value."""
    return _store(variable, value, lambda old, new: old + new)


@public("assign_sub", primitive="AssignSub")
def assign_sub(variable: Tensor, value: Any) -> Tensor:
    """Subtract ``value`` in place and return the new value."""
    return _store(variable, value, lambda old, new: old - new)
