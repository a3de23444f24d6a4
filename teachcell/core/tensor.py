"""Tensor: a handle to an array and to the Node that made it.

A Tensor has no arithmetic of its own: operators and methods such as ``sum`` are installed by the declarations
in ``ops``. An in-place write while recording rebinds the handle: Nodes hold arrays, so history stays.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from itertools import count
from typing import TYPE_CHECKING, Any

import numpy as np

from ..texts import say
from . import absent, dtypes, loading, modes, numpy_calls, printing, tracing, views
from .dtypes import DType, as_dtype
from .errors import learner_level
from .events import KEEPERS, OBSERVERS, tell_shared, tell_written
from .handles import Handle, TensorHook, check_hook
from .op import TENSORS
from .views import Extra

if TYPE_CHECKING:
    from .op import Node

_serial = count(1).__next__
_new = object.__new__


def wrap(array: np.ndarray, node: Node | None = None) -> Tensor:
    """A Tensor around ``array`` as it is: no copy, no checks."""
    tensor = _new(Tensor)
    tensor._array = array
    tensor._node = node
    tensor._extra = None
    if tracing.current is not None:
        tracing.current.made(tensor)
    return tensor


def lent(array: np.ndarray) -> Tensor:
    """A Tensor around an array that a graph holds: for reading, a write into it is refused."""
    view = array.view()
    view.setflags(write=False)
    return wrap(view)


def again(tensor: Tensor, node: Node | None) -> Tensor:
    """Another handle to the same value with a Node of its own; observers know both by one serial number."""
    handle = wrap(tensor._array, node)
    if tensor._extra is not None and tensor._extra.serial:
        handle.extra().serial = tensor._extra.serial
    return handle


def own_handle(value: Any) -> Any:
    """A Tensor argument under a handle of its own, so that writing to it does not reach the caller."""
    return again(value, value._node) if type(value) is Tensor else value


def node_of(tensor: Tensor) -> Node | None:
    """The Tensor's Node, unless it belongs to a call that is over: the Tensor is a constant now.

    Otherwise a value kept from one call to the next, such as a neuron's potential, would keep every graph.
    """
    node, mode = tensor._node, modes.recording()
    return node if node is None or mode is None or mode.links(node) else None


_PYTHON_DEFAULTS = {"f8": dtypes.float32, "i4": dtypes.int64}  # for numbers and lists


def to_array(data: object, dtype: DType | None) -> np.ndarray:
    """A fresh array of ``data`` with MindSpore's default dtypes (Python floats are Float32)."""
    if isinstance(data, Tensor):
        array = tracing.own(data._array)
    elif isinstance(data, (np.ndarray, np.generic)):
        array = tracing.own(data)
    elif isinstance(data, (bool, int, float, list, tuple)):
        array = _from_python(data)
        dtype = dtype or _PYTHON_DEFAULTS.get(array.dtype.str[1:])
    else:
        text = say("errors.tensor_data", got=type(data).__name__)
        raise TypeError(text + say("errors.tensor_none") if data is None else text)
    if dtype is None:
        dtypes.of_array(array.dtype)
        return array
    return array.astype(dtype.numpy, copy=False)


def _from_python(data: Any) -> np.ndarray:
    try:
        array = np.array(_unwrapped(data))
    except ValueError as error:
        raise TypeError(say("errors.tensor_ragged", why=error)) from None
    if array.dtype.kind not in "biuf":
        kind = type(data).__name__
        raise TypeError(say("errors.tensor_data", got=say("errors.list_of", kind=kind, dtype=array.dtype)))
    return array


def _unwrapped(data: Any) -> Any:
    """Nested lists with the Tensors in them replaced by arrays."""
    if isinstance(data, (list, tuple)):
        return [_unwrapped(item) for item in data]
    return data._array if isinstance(data, Tensor) else data


class Tensor:
    """An n-dimensional array that can be differentiated.

    Args:
        input_data: number, (nested) list or tuple, ndarray or Tensor; copied.
        dtype: a data type such as ``teachcell.float32``; by default that of an ndarray or Tensor, and
            Int64, Float32 or Bool for Python numbers, and Float32 for an Initializer.
        shape, init: in the place of ``input_data``: a shape, and an Initializer that fills it.

    Raises:
        TypeError: for text, None, ragged lists, or a dtype that is not one.
    """

    is_parameter = False
    __slots__ = ("__weakref__", "_array", "_extra", "_node")
    __array_priority__ = 100

    _array: np.ndarray
    _node: Node | None
    _extra: Extra | None

    def __init__(self, input_data: object = None, dtype: Any = None, shape: Any = None, init: Any = None):
        if isinstance(dtype, str):
            raise TypeError(say("errors.dtype_unknown", got=repr(dtype), known="teachcell.float32, …"))
        if init is not None and input_data is None:
            input_data = init.draw((shape,) if isinstance(shape, int) else tuple(shape))
            dtype = dtypes.float32 if dtype is None else dtype
        self._array = to_array(input_data, None if dtype is None else as_dtype(dtype))
        self._node = None
        self._extra = None
        if tracing.current is not None:
            tracing.current.made(self)

    @staticmethod
    def from_numpy(array: np.ndarray) -> Tensor:
        """A Tensor that shares memory with ``array``; writes through the array cannot be seen by ``grad``."""
        if not isinstance(array, np.ndarray):
            raise TypeError(say("errors.tensor_data", got=type(array).__name__))
        dtypes.of_array(array.dtype)
        return wrap(array)

    # Facts ------------------------------------------------------------------------------------------------

    @property
    def shape(self) -> tuple[int, ...]:
        """Lengths of the axes."""
        return self._array.shape

    @property
    def dtype(self) -> DType:
        """Data type."""
        return dtypes.of_array(self._array.dtype)

    @property
    def ndim(self) -> int:
        """Number of axes."""
        return self._array.ndim

    @property
    def size(self) -> int:
        """Number of elements."""
        return self._array.size

    @property
    def itemsize(self) -> int:
        """Bytes per element."""
        return self._array.itemsize

    @property
    def nbytes(self) -> int:
        """Bytes of all elements."""
        return self._array.nbytes

    @property
    def strides(self) -> tuple[int, ...]:
        """Bytes from one element to the next, per axis."""
        return self._array.strides

    @property
    def T(self) -> Tensor:
        """The Tensor with its axes reversed."""
        return self.transpose()

    @property
    def data(self) -> Tensor:
        """The same values, without the graph."""
        return TENSORS.stop_gradient(self)

    @property
    def has_init(self) -> bool:
        """False: initializers fill a Tensor at once."""
        return False

    def dim(self) -> int:
        """Number of axes."""
        return self._array.ndim

    # Conversions ------------------------------------------------------------------------------------------

    def asnumpy(self) -> np.ndarray:
        """The data as an ndarray that shares memory with the Tensor."""
        if OBSERVERS or KEEPERS:
            tell_shared(self)
        return np.asarray(self._array)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        if modes.recording() is not None and node_of(self) is not None:
            warnings.warn(say("errors.array_of_recorded"), stacklevel=learner_level())
        if OBSERVERS or KEEPERS:
            tell_shared(self)
        if dtype is not None and np.dtype(dtype) != self._array.dtype:
            return self._array.astype(dtype)
        return self._array.copy() if copy else np.asarray(self._array)

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
        return numpy_calls.array_ufunc(ufunc, method, inputs, options)

    def tolist(self) -> Any:
        """The elements as (nested) Python lists."""
        return self._array.tolist()

    def item(self) -> Any:
        """The only element as a Python number; ValueError if there are more."""
        if self._array.size != 1:
            raise ValueError(say("errors.not_one_element", shape=self.shape))
        return self._array.item()

    def __bool__(self) -> bool:
        return bool(self.item())

    def __int__(self) -> int:
        return int(self.item())

    def __float__(self) -> float:
        return float(self.item())

    def __index__(self) -> int:
        if self._array.dtype.kind not in "iub":
            raise TypeError(say("errors.not_an_index", dtype=self.dtype))
        return int(self.item())

    def init_data(self) -> Any:
        """The Tensor itself: initializers fill it at once."""
        return self

    def __copy__(self) -> Tensor:  # without the graph, unlike the method ``copy``
        return wrap(self._array.copy())

    def __deepcopy__(self, memo: dict[int, Any]) -> Tensor:
        return wrap(self._array.copy())

    def __reduce__(self) -> tuple[Any, ...]:
        return Tensor, (self.asnumpy(),)  # whose memory pickle may hand out as it is

    # Python protocols -------------------------------------------------------------------------------------

    def __len__(self) -> int:
        if not self._array.ndim:
            raise TypeError(say("errors.no_axis", what="len()"))
        return len(self._array)

    def __iter__(self) -> Iterator[Tensor]:
        if not self._array.ndim:
            raise TypeError(say("errors.no_axis", what=say("errors.iteration")))
        return (self[i] for i in range(len(self._array)))

    def __contains__(self, value: object) -> bool:
        return bool((self._array == (value._array if isinstance(value, Tensor) else value)).any())

    def __hash__(self) -> int:
        return id(self) >> 4

    def __repr__(self) -> str:
        return printing.tensor_repr(self._array)

    def __str__(self) -> str:
        return printing.tensor_str(self._array)

    def __format__(self, spec: str) -> str:
        if spec:
            raise TypeError(say("errors.format_spec", spec=spec))
        return str(self)

    # Indexing ---------------------------------------------------------------------------------------------

    def __getitem__(self, index: Any) -> Tensor:
        return views.read(self, index)

    def __setitem__(self, index: Any, value: Any) -> None:
        views.write(self, index, value)

    def _before_write(self) -> None:
        if OBSERVERS or KEEPERS:
            tell_written(self)

    # Hooks ------------------------------------------------------------------------------------------------

    def register_hook(self, hook: Callable[[Tensor], Tensor | None]) -> Handle:
        """Call ``hook(gradient)`` whenever this Tensor's gradient is complete.

        A returned Tensor replaces the gradient, None keeps it. On an argument of a differentiated function,
        as on a Parameter, the hook stays for later calls with the same object.

        Raises:
            TypeError: if ``hook`` cannot be called with a gradient.
        """
        check_hook(hook, "register_hook", ["gradient"])
        if tracing.current is not None:
            tracing.current.refuse(say("jit.registers_hook"))
        entry = TensorHook(hook)
        inner = self._node is not None and self._node.op.name != "leaf"
        hooks = [] if inner and modes.silence() else self._own_hooks()
        hooks.append(entry)
        return Handle(hooks, entry)

    def _own_hooks(self) -> list[Any]:
        """The list of hooks, shared between this handle and its Node."""
        extra, node = self.extra(), self._node
        if extra.hooks is None:
            extra.hooks = node.hooks if node is not None and node.hooks is not None else []
        if node is not None:
            node.hooks = extra.hooks
        return extra.hooks

    def extra(self) -> Extra:
        """What few Tensors have, made when first asked for."""
        if self._extra is None:
            self._extra = Extra()
        return self._extra

    def serial(self) -> int:
        """A number that is this Tensor's alone, given when an observer first asks."""
        extra = self._extra
        if extra is None:  # as nearly always: 0.1 µs less than to call ``extra``
            extra = self._extra = Extra()
        elif extra.serial:
            return extra.serial
        extra.serial = number = _serial()
        return number

    if TYPE_CHECKING:  # installed by the declarations in ops; a test keeps this list and them in step

        def __getattr__(self, name: str) -> Any: ...
        def __add__(self, other: Any) -> Tensor: ...
        def __radd__(self, other: Any) -> Tensor: ...
        def __sub__(self, other: Any) -> Tensor: ...
        def __rsub__(self, other: Any) -> Tensor: ...
        def __mul__(self, other: Any) -> Tensor: ...
        def __rmul__(self, other: Any) -> Tensor: ...
        def __truediv__(self, other: Any) -> Tensor: ...
        def __rtruediv__(self, other: Any) -> Tensor: ...
        def __floordiv__(self, other: Any) -> Tensor: ...
        def __rfloordiv__(self, other: Any) -> Tensor: ...
        def __mod__(self, other: Any) -> Tensor: ...
        def __rmod__(self, other: Any) -> Tensor: ...
        def __pow__(self, other: Any) -> Tensor: ...
        def __rpow__(self, other: Any) -> Tensor: ...
        def __matmul__(self, other: Any) -> Tensor: ...
        def __rmatmul__(self, other: Any) -> Tensor: ...
        def __neg__(self) -> Tensor: ...
        def __pos__(self) -> Tensor: ...
        def __abs__(self) -> Tensor: ...
        def __invert__(self) -> Tensor: ...
        def __and__(self, other: Any) -> Tensor: ...
        def __rand__(self, other: Any) -> Tensor: ...
        def __or__(self, other: Any) -> Tensor: ...
        def __ror__(self, other: Any) -> Tensor: ...
        def __xor__(self, other: Any) -> Tensor: ...
        def __rxor__(self, other: Any) -> Tensor: ...
        def __lt__(self, other: Any) -> Tensor: ...
        def __le__(self, other: Any) -> Tensor: ...
        def __gt__(self, other: Any) -> Tensor: ...
        def __ge__(self, other: Any) -> Tensor: ...


absent.leave_out_of_tensor(Tensor)
loading.add_methods(Tensor)


def tensor(input_data: object = None, dtype: Any = None, shape: Any = None, init: Any = None) -> Tensor:
    """``Tensor(...)``."""
    return Tensor(input_data, dtype, shape, init)


from_numpy = Tensor.from_numpy
