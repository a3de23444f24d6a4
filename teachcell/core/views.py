"""Reading and writing Tensors by index, and the families of views that a write must reach.

While nothing records, a write goes into the array, and NumPy's own views carry it to every slice. While
recording, a write is functional: ``x[i] = v`` computes ``setitem`` and rebinds ``x``; then the base and
all living views of the family are rebound to the new value, so arrays kept by Nodes are never touched.
"""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING, Any

import numpy as np

from ..texts import say
from . import modes
from .op import OPS

if TYPE_CHECKING:
    from .tensor import Tensor

WHOLE = (Ellipsis,)


def plain_index(index: Any) -> Any:
    """The index with Tensors replaced by arrays and lists by index arrays; IndexError for text and floats."""
    if isinstance(index, tuple):
        return tuple(plain_index(part) for part in index)
    array = getattr(index, "_array", None)
    if array is not None:
        index = array
    elif isinstance(index, list):
        index = np.array([getattr(i, "_array", i) for i in index], None if index else np.int64)
    if isinstance(index, np.ndarray) and index.dtype.kind not in "iub":
        raise IndexError(say("errors.index_kind", got=f"{index.dtype} array"))
    if isinstance(index, (str, float)):
        raise IndexError(say("errors.index_kind", got=repr(index)))
    return index


def is_basic(index: Any) -> bool:
    """Whether NumPy answers this index with a view."""
    parts = index if isinstance(index, tuple) else (index,)
    return all(
        isinstance(p, (int, np.integer, slice, type(None), type(Ellipsis))) and not isinstance(p, bool)
        for p in parts
    )


def read(tensor: Tensor, index: Any) -> Tensor:
    """``tensor[index]``; a basic slice remembers its family."""
    from .record import apply

    index = plain_index(index)
    result = apply(OPS["getitem"], (tensor,), {"index": index})
    if modes.recording() and is_basic(index):
        _join_family(result, tensor, index)
    return result


def _join_family(view: Tensor, base: Tensor, index: Any) -> None:
    from .tensor import Extra

    if view._extra is None:
        view._extra = Extra()
    view._extra.base, view._extra.index = base, index
    if base._extra is None:
        base._extra = Extra()
    living = [ref for ref in base._extra.views or () if ref() is not None]
    base._extra.views = [*living, weakref.ref(view)]


def write(tensor: Tensor, index: Any, value: Any) -> None:
    """``tensor[index] = value``, the value converted to the Tensor's dtype."""
    from .record import operand

    index = plain_index(index)
    array = tensor._array
    if modes.recording() and not tensor.is_parameter:
        source = operand(value, array.dtype)
        if source._array.dtype != array.dtype:
            source = source.astype(tensor.dtype)
        _write_recorded(tensor, index, source)
        return
    tensor._before_write()
    if modes.recording():
        array = array.copy()  # Nodes may hold the old array
    try:
        array[index] = getattr(value, "_array", value)
    except IndexError:
        raise
    except (ValueError, TypeError) as error:
        raise type(error)(say("errors.write", shape=tensor.shape, why=error)) from None
    tensor._array = array


def _write_recorded(tensor: Tensor, index: Any, value: Tensor) -> None:
    from .record import apply

    updated = apply(OPS["setitem"], (tensor, value), {"index": index})
    extra = tensor._extra
    if extra is not None and extra.base is not None:
        _write_recorded(extra.base, extra.index, updated)
    else:
        _rebind(tensor, updated)


def _rebind(tensor: Tensor, new: Tensor) -> None:
    """Give the handle a new value, and all living views of it their part of that value."""
    from .record import apply

    tensor._array, tensor._node = new._array, new._node
    for ref in (tensor._extra.views or ()) if tensor._extra is not None else ():
        view = ref()
        if view is not None and view._extra is not None:
            _rebind(view, apply(OPS["getitem"], (tensor,), {"index": view._extra.index}))
