"""Reading and writing Tensors by index, and the families of views that a write must reach.

While nothing records, a write goes into the array, and NumPy's own views carry it to every slice. While
recording, a write is functional: ``x[i] = v`` computes ``setitem`` and rebinds ``x``; then the base and
all living views of the family are rebound to the new value, so arrays kept by Nodes are never touched.
A view is whatever shares memory with its base: a basic slice, and mostly what ``reshape`` and the like return;
the op that made it says with ``undo`` how a new value of the view becomes the base's.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import numpy as np

from ..texts import say
from . import modes
from .op import OPS, TENSORS

if TYPE_CHECKING:
    from .op import Op
    from .tensor import Tensor


class Extra:
    """What few Tensors have: hooks, a place in a family of views, a serial number given by an observer.

    A class without a constructor is made in a third of the time.
    """

    hooks: list[Callable[..., Any]] | None = None
    base: Tensor | None = None
    view: Any = None  # the op and the attributes that made this view of the base
    views: list[weakref.ref[Tensor]] | None = None
    serial = 0


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
        raise IndexError(say("errors.index_kind", got=say("errors.array_of", dtype=index.dtype)))
    if isinstance(index, (str, float)):
        raise IndexError(say("errors.index_kind", got=repr(index)))
    return index


def read(tensor: Tensor, index: Any) -> Tensor:
    """``tensor[index]``."""
    return TENSORS.getitem(tensor, index=index if type(index) is slice else plain_index(index))


def join_family(view: Tensor, base: Tensor, op: Op, attrs: dict[str, Any] | None) -> None:
    """Let ``view``, made from ``base`` by an op that may share memory, and ``base`` know each other."""
    owner, array = view._array.base, base._array
    if owner is None or (owner is not array and owner is not array.base and not np.may_share_memory(owner, array)):
        return
    extra, of_base = view._extra or view.extra(), base._extra or base.extra()
    extra.base, extra.view = base, (op, attrs)
    views = of_base.views
    if views is None:
        views = of_base.views = []
    elif len(views) >= 8 and not len(views) & (len(views) - 1):  # now and then, lest many short-lived views pile up
        views[:] = [ref for ref in views if ref() is not None]
    views.append(weakref.ref(view))


def write(tensor: Tensor, index: Any, value: Any) -> None:
    """``tensor[index] = value``, the value converted to the Tensor's dtype."""
    from .record import apply, operand

    index = plain_index(index)
    array = tensor._array
    try:
        source = operand(value, array.dtype)
    except TypeError as error:
        raise TypeError(say("errors.write", shape=tensor.shape, why=error)) from None
    source = _fitting(source, array, index)
    recorded = tensor._node is not None and not tensor.is_parameter  # Nodes may hold the old array
    family = recorded and tensor._extra is not None and (tensor._extra.base is not None or tensor._extra.views)
    if family or (modes.recording() is not None and not tensor.is_parameter):
        if source._array.dtype != array.dtype:
            source = source.astype(tensor.dtype)
        _store(tensor, apply(OPS["setitem"], (tensor, source), {"index": index}))
        return
    if not array.flags.writeable:
        raise ValueError(say("errors.write_lent", shape=tensor.shape))
    tensor._before_write()
    if recorded or modes.recording() is not None:
        array = array.copy()
    try:
        with np.errstate(all="ignore"):  # as elsewhere, what does not fit becomes inf or some integer
            array[index] = source._array
    except (IndexError, ValueError) as error:
        raise type(error)(say("errors.write", shape=tensor.shape, why=error)) from None
    tensor._array = array


def _fitting(source: Tensor, array: np.ndarray, index: Any) -> Tensor:
    """A value like ``Tensor([5.0])`` without its axes if it goes to a single element, where NumPy wants a number."""
    if source._array.size == 1 and source._array.ndim:
        with suppress(IndexError):  # which the write itself will report
            if array[index].ndim == 0:
                return source.reshape(())
    return source


def _store(tensor: Tensor, new: Tensor) -> None:
    """Give a Tensor a new value, and with it its whole family."""
    extra = tensor._extra
    if extra is None or extra.base is None:
        _rebind(tensor, new)
    else:
        op, attrs = extra.view
        _store(extra.base, op.undo(extra.base, new, **(attrs or {})))


def _rebind(tensor: Tensor, new: Tensor) -> None:
    """Give the handle a new value, and all living views of it their part of that value."""
    from .record import apply

    tensor._before_write()
    tensor._array, tensor._node = new._array, new._node
    extra = tensor._extra
    if extra is None:
        return
    extra.hooks = None  # those registered before stay with the value before
    if extra.serial:
        extra.serial = new.serial()  # to observers it is another value from now on
    views = [*(extra.views or ())]
    for ref in views:
        view = ref()
        if view is not None and view._extra is not None:
            op, attrs = view._extra.view
            _rebind(view, apply(op, (tensor,), attrs))
    extra.views = views  # what was computed here is nobody's view, and may live on where somebody watches
