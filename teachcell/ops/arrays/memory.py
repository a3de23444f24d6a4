"""Tensor methods about where and how values are kept: copies, types, layout; and names kept for old code."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.define import define
from ...core.dtypes import DType
from ...core.public import public
from ...core.record import operand
from ...core.tensor import Tensor
from ...texts import say
from ..elementwise.select import cast


@public(methods=("to",))
def _to(self: Tensor, dtype: Any, non_blocking: bool = False, copy: bool = False) -> Tensor:
    """The Tensor in another dtype; the name of a device changes nothing."""
    return cast(self, self.dtype if isinstance(dtype, str) and dtype.upper() == "CPU" else dtype)


@public(methods=("move_to",))
def _move_to(self: Tensor, to: str = "CPU", blocking: bool = True) -> Tensor:
    """The Tensor itself: there is one device, the CPU."""
    return _to(self, to)


@public(methods=("type",))
def _type(self: Tensor, dtype: Any = None) -> Any:
    """Name of the dtype; with ``dtype`` the Tensor in it."""
    return str(self.dtype) if dtype is None else cast(self, dtype)


@public(methods=("type_as",))
def _type_as(self: Tensor, other: Tensor) -> Tensor:
    """The Tensor in the dtype of ``other``."""
    return cast(self, other.dtype)


@public(methods=("set_dtype",))
def _set_dtype(self: Tensor, dtype: DType) -> Tensor:
    """Cast in place."""
    _replace(self, cast(self, dtype))
    return self


@public(methods=("assign_value",))
def _assign_value(self: Tensor, value: Tensor) -> Tensor:
    """Take over the value of a Tensor; returns self."""
    if not isinstance(value, Tensor):
        raise TypeError(say("errors.tensor_data", got=type(value).__name__))
    if self.is_parameter and value.shape != self.shape:
        name = getattr(self, "name", "Tensor")
        raise ValueError(say("errors.assign_shape", name=name, shape=self.shape, got=value.shape))
    _replace(self, value)
    return self


def _replace(tensor: Tensor, value: Tensor) -> None:
    """A Parameter keeps its Node, and so its place in recorded calls; another Tensor takes over the value's."""
    tensor._before_write()
    tensor._array = value._array.copy()
    if not tensor.is_parameter:
        tensor._node = value._node


@public(methods=("value",))
def _value(self: Tensor) -> Tensor:
    """The Tensor itself."""
    return self


clone = define(
    "clone", lambda x: x.copy(), (lambda F, g, out, x: g,), keeps="", methods=("clone", "copy"),
    card=("y = x", "∂x = g"), source="{linearity}",
)  # fmt: skip


@public(methods=("contiguous",))
def _contiguous(self: Tensor) -> Tensor:
    """The Tensor itself if its elements lie in order, else a copy through which gradients flow."""
    return self if _is_contiguous(self) else clone(self)


@public(methods=("is_contiguous",))
def _is_contiguous(self: Tensor) -> bool:
    """Whether the elements lie in memory in row-major order."""
    return bool(self._array.flags.c_contiguous)


@public(methods=("stride",))
def _stride(self: Tensor, dim: int | None = None) -> Any:
    """Elements from one index to the next, of every axis or of ``dim``."""
    steps = [step // self._array.itemsize for step in self._array.strides]
    return steps if dim is None else steps[dim]


@public(methods=("storage_offset",))
def _storage_offset(self: Tensor) -> int:
    """Elements between the beginning of the memory and the first of this Tensor."""
    base = self._array.base
    if not isinstance(base, np.ndarray):
        return 0
    return (self._array.ctypes.data - base.ctypes.data) // self._array.itemsize


@public(methods=("data_ptr",))
def _data_ptr(self: Tensor) -> int:
    """Address of the first element."""
    return int(self._array.ctypes.data)


@public(methods=("numpy",))
def _numpy(self: Tensor) -> np.ndarray:
    """As ``asnumpy``."""
    return self.asnumpy()


@public(methods=("get_bytes",))
def _get_bytes(self: Tensor) -> bytes:
    """The elements' bytes, in row-major order."""
    return self._array.tobytes()


@public(methods=("itemset",))
def _itemset(self: Tensor, *args: Any) -> Tensor:
    """A copy with one element replaced: ``itemset(index, value)``; without index the only element."""
    *index, value = args
    new = self.copy()
    place = index[0] if index else (0,) * new.ndim
    if isinstance(place, int):
        place = np.unravel_index(place, new.shape) if new.ndim else ()
    new[place] = operand(value, new._array.dtype)
    return new


@public(methods=("hooks",))
def _hooks(self: Tensor) -> list[Any]:
    """The functions registered by ``register_hook``."""
    entries: Any = (self._extra.hooks if self._extra is not None else None) or ()
    return [entry.hook for entry in entries]


@public(methods=("set_const_arg",))
def _set_const_arg(self: Tensor, const_arg: bool = True) -> Tensor:
    """The Tensor itself: a hint for a compiler."""
    return self


@public(methods=("flush_from_cache",))
def _flush_from_cache(self: Tensor) -> None:
    """Nothing: a hint for a cache."""
