"""Traced: what a Tensor holds while a jit function is captured, in the place of its array.

It carries the real array and the slot that the plan has for it. NumPy's functions, operators and methods on it are
steps of the plan; a Python number or truth value asked of it becomes a guard; whoever wants the raw array gets it, and
there is no plan then, since what is done with it cannot be seen. It is no ndarray on purpose: NumPy would look inside
a subclass without asking.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from .plan import VALUE

if TYPE_CHECKING:
    from .plan import Slot
    from .trace import Trace

_METHODS = frozenset({
    "all", "any", "argmax", "argmin", "argsort", "astype", "clip", "copy", "cumprod", "cumsum", "diagonal", "dot",
    "flatten", "max", "mean", "min", "nonzero", "prod", "ravel", "repeat", "reshape", "round", "searchsorted",
    "squeeze", "std", "sum", "swapaxes", "take", "trace", "transpose", "var", "view",
})  # fmt: skip
# NumPy's functions that look at shapes, dtypes and places in memory only: what they say holds for every run.
_OF_FORM = frozenset({
    np.shape, np.ndim, np.size, np.result_type, np.can_cast, np.min_scalar_type, np.may_share_memory,
    np.shares_memory, np.ones_like, np.zeros_like, np.iscomplexobj, np.common_type,
})  # fmt: skip
_WRITES_FIRST = frozenset({np.copyto, np.put, np.place, np.putmask, np.fill_diagonal, np.put_along_axis})


def as_zero_d(value: Any) -> np.ndarray:
    """A NumPy scalar as an array."""
    return np.asarray(value)


def plain(value: Any) -> Any:
    """A value, or one nested in tuples, lists and dicts, with real arrays in the place of stand-ins."""
    kind = type(value)
    if kind is Traced:
        return value.value
    if kind is tuple or kind is list:
        return kind(plain(v) for v in value)
    return {k: plain(v) for k, v in value.items()} if kind is dict else value


class Traced(np.lib.mixins.NDArrayOperatorsMixin):
    """A stand-in for an array or a NumPy scalar.

    Attributes:
        trace: the run that made it.
        slot: its name in the plan.
        value: the real one.
    """

    __slots__ = ("slot", "trace", "value")
    __array_priority__ = 10**6

    def __init__(self, trace: Trace, slot: Slot, value: Any):
        self.trace, self.slot, self.value = trace, slot, value

    def __del__(self) -> None:
        if self.slot.kind == VALUE:
            self.slot.form()  # so that a capture needs no more memory than the run itself

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        """For ``isinstance``: the engine's code must not take another way than with the array itself."""
        return type(self.value)

    # What holds for every run of the plan, since shapes, dtypes and strides are guarded --------------------------

    @property
    def shape(self) -> Any:
        self.slot.touched = True
        return self.value.shape

    @property
    def dtype(self) -> np.dtype:
        self.slot.touched = True
        return self.value.dtype

    @property
    def ndim(self) -> int:
        self.slot.touched = True
        return self.value.ndim

    @property
    def size(self) -> int:
        self.slot.touched = True
        return self.value.size

    @property
    def itemsize(self) -> int:
        self.slot.touched = True
        return self.value.itemsize

    @property
    def nbytes(self) -> int:
        self.slot.touched = True
        return self.value.nbytes

    @property
    def strides(self) -> tuple[int, ...]:
        self.slot.touched = True
        return self.value.strides

    @property
    def flags(self) -> Any:
        self.slot.touched = True
        return self.value.flags

    def setflags(self, write: bool) -> None:
        """The engine lends it."""
        self.slot.touched = True
        self.value.setflags(write=write)

    @property
    def base(self) -> Any:
        """The engine asks whose memory it is."""
        self.slot.touched = True
        return self.value.base

    def __len__(self) -> int:
        self.slot.touched = True
        return len(self.value)

    def __iter__(self) -> Iterator[Any]:
        return (self[i] for i in range(len(self)))

    # Steps -------------------------------------------------------------------------------------------------------

    @property
    def T(self) -> Any:
        return self.transpose()

    def as_array(self) -> Any:
        """Itself, a NumPy scalar as an array."""
        if isinstance(self.value, np.ndarray):
            return self
        return self.trace.call("asarray", as_zero_d, (self,))

    def dot(self, other: Any) -> Any:
        """As the function: a step that may write into a buffer."""
        return np.dot(self, other)  # type: ignore[arg-type]

    def __getitem__(self, index: Any) -> Any:
        return self.trace.call("getitem", operator.getitem, (self, index))

    def __setitem__(self, index: Any, value: Any) -> None:
        self.trace.write("setitem", operator.setitem, (self, index, value))

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
        function = ufunc if method == "__call__" else getattr(ufunc, method)
        name = ufunc.__name__ if method == "__call__" else f"{ufunc.__name__}.{method}"
        out = options.get("out", ())
        if out or method == "at":
            if len(out) > 1:
                self.trace.escape("out")
            return self.trace.write(name, function, inputs, options, out[0] if out else inputs[0])
        return self.trace.call(name, function, inputs, options)

    def __array_function__(self, function: Callable[..., Any], types: Any, args: Any, options: Any) -> Any:
        if function in _OF_FORM:
            self.trace.touch((args, options))
            return function(*plain(args), **plain(options))
        if function in _WRITES_FIRST or options.get("out") is not None:
            target = args[0] if function in _WRITES_FIRST else options["out"]
            return self.trace.write(function.__name__, function, args, options, target)
        return self.trace.call(function.__name__, function, args, options)

    def __getattr__(self, name: str) -> Any:
        if name in _METHODS:
            method = getattr(type(self.value), name)
            return lambda *args, **options: self.trace.call(name, method, (self, *args), options)
        if name.startswith("__"):  # protocols that an array has and a stand-in must not have
            raise AttributeError(name)
        self.trace.escape(name)
        return getattr(self.value, name)

    # Guards ------------------------------------------------------------------------------------------------------

    def __bool__(self) -> bool:
        return self.trace.guard("bool", bool, self)

    def __int__(self) -> int:
        return self.trace.guard("int", int, self)

    def __float__(self) -> float:
        return self.trace.guard("float", float, self)

    def __index__(self) -> int:
        return self.trace.guard("index", operator.index, self)

    def __contains__(self, value: object) -> bool:
        return bool((self == value).any())

    def item(self, *index: int) -> Any:
        return self[index].item() if index else self.trace.guard("item", operator.methodcaller("item"), self)

    def tolist(self) -> Any:
        return self.trace.guard("tolist", operator.methodcaller("tolist"), self)

    # Whoever wants the raw array ---------------------------------------------------------------------------------

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        self.trace.escape("__array__")
        array = np.asarray(self.value)
        return array.astype(dtype) if dtype is not None and array.dtype != dtype else array.copy() if copy else array

    def __copy__(self) -> Any:
        return self.copy()

    def __deepcopy__(self, memo: Any) -> Any:
        return self.copy()

    def __reduce__(self) -> Any:
        self.trace.escape("pickle")
        return self.value.__reduce__()

    def __hash__(self) -> int:
        return id(self) >> 4

    def __repr__(self) -> str:
        self.trace.escape("repr")
        return repr(self.value)

    def __str__(self) -> str:
        self.trace.escape("str")
        return str(self.value)

    def __format__(self, spec: str) -> str:
        self.trace.escape("format")
        return format(self.value, spec)
