"""Parameter: a Tensor that a Cell owns and training changes; ParameterTuple: several of them."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count
from typing import Any

import numpy as np

from ..core import tracing
from ..core.op import SharedLeaf
from ..core.record import LEAF
from ..core.tensor import Tensor, to_array, wrap
from ..texts import say
from .initializer import initializer

_number = count(1).__next__


class Parameter(Tensor):
    """A named Tensor to differentiate by.

    Args:
        default_input: Tensor, ndarray, list, float, int (0-d Int32) or the result of ``initializer``; copied.
        name: its name; without one, a Cell gives it the attribute's.
        requires_grad: whether training changes it.
        layerwise_parallel, parallel_optimizer: accepted for old code; without effect on one machine.

    Raises:
        TypeError: for text, None, tuples, or a ``requires_grad`` that is no bool.
        ValueError: for a bool, or a name that is no str.
    """

    is_parameter = True
    # Of a Parameter kept on many machines: without effect on one.
    cache_enable, cache_shape, sliced, inited_param, key, comm_fusion = False, (), False, None, -1, 1

    def __init__(
        self, default_input: Any, name: str | None = None, requires_grad: bool = True,
        layerwise_parallel: bool = False, parallel_optimizer: bool = True,
    ):  # fmt: skip
        if isinstance(default_input, bool):
            raise ValueError(say("errors.parameter_data", got="bool"))
        if default_input is None or isinstance(default_input, (str, tuple)):
            raise TypeError(say("errors.parameter_data", got=type(default_input).__name__))
        array = to_array(default_input, None)
        if isinstance(default_input, int):
            array = array.astype(np.int32)
        self._array = array
        self._extra = None
        if tracing.current is not None:
            tracing.current.made(self)
        self._node = None
        self.named = False
        self.name = name  # type: ignore[assignment]
        self.requires_grad = requires_grad
        self.layerwise_parallel, self.parallel_optimizer = layerwise_parallel, parallel_optimizer

    @property
    def name(self) -> str:
        """The stored name: key in checkpoints and in ``parameters_dict``."""
        return self._name

    @name.setter
    def name(self, name: str | None) -> None:
        if not (name is None or isinstance(name, str)):
            raise ValueError(say("errors.parameter_name", got=repr(name)))
        name = name.strip() if name else ""
        self.named = bool(name)
        self._name = name or f"Parameter#{_number()}"

    @property
    def requires_grad(self) -> bool:
        """Whether its gradient is computed and training changes it."""
        return self._requires_grad

    @requires_grad.setter
    def requires_grad(self, flag: bool) -> None:
        if not isinstance(flag, bool):
            raise TypeError(say("errors.flag", name="requires_grad", got=repr(flag)))
        self._requires_grad = flag
        differentiable = flag and self._array.dtype.kind == "f"
        if differentiable and self._node is None:
            self._node = SharedLeaf(LEAF, self._array.shape)
            self._node.hooks = self._extra.hooks if self._extra is not None else None
        elif not differentiable:
            self._node = None

    @property
    def data(self) -> Parameter:
        """The Parameter itself."""
        return self

    def value(self) -> Tensor:
        """The present values as a Tensor of their own, through which gradients reach the Parameter."""
        return wrap(self._array.copy(), self._node)

    def set_data(self, data: Any, slice_shape: bool = False) -> Parameter:
        """Take over the values of a Tensor of the same shape (or a number), cast to this dtype; returns self.

        Raises:
            TypeError: for anything else, or a Python float for integers.
            ValueError: for another shape, unless ``slice_shape``.
        """
        if not isinstance(data, (Tensor, int, float)) or (isinstance(data, float) and self._array.dtype.kind != "f"):
            raise TypeError(say("errors.set_data_type", name=self.name, got=type(data).__name__))
        array = data._array if isinstance(data, Tensor) else np.array(data)
        if array.shape != self.shape and not slice_shape:
            raise ValueError(say("errors.assign_shape", name=self.name, shape=self.shape, got=array.shape))
        self._before_write()
        self._array = array.astype(self._array.dtype, copy=True)
        if self._node is not None:
            self._node.shape = self._array.shape
        return self

    def clone(self, init: Any = "same") -> Parameter:
        """An independent Parameter of the same name and flag; ``init`` (a name or number) gives new values."""
        source: Any = self if isinstance(init, str) and init == "same" else initializer(init, self.shape, self.dtype)
        copy = Parameter(source, self.name, self.requires_grad)
        copy.named = self.named
        return copy

    def copy(self) -> Parameter:
        """An independent Parameter with equal values."""
        return self.clone()

    __copy__ = copy

    def __deepcopy__(self, memo: dict[int, Any]) -> Parameter:
        copy = memo[id(self)] = self.clone()
        return copy

    def __reduce__(self) -> tuple[Any, ...]:
        return Parameter, (self.asnumpy(), self.name if self.named else None, self.requires_grad)

    def __repr__(self) -> str:
        return (
            f"Parameter (name={self.name}, shape={self.shape}, dtype={self.dtype}, requires_grad={self.requires_grad})"
        )

    __str__ = __repr__


class ParameterTuple(tuple[Parameter, ...]):
    """A tuple of Parameters with different names.

    Raises:
        TypeError: if a member is no Parameter.
        ValueError: if two different ones have one name.
    """

    def __new__(cls, parameters: Iterable[Parameter] = ()) -> ParameterTuple:
        members = list(parameters)
        seen: dict[str, Parameter] = {}
        for p in members:
            if not isinstance(p, Parameter):
                raise TypeError(say("errors.parameter_tuple", got=type(p).__name__))
            if seen.setdefault(p.name, p) is not p:
                raise ValueError(say("errors.parameter_same_name", name=p.name))
        return super().__new__(cls, members)

    def clone(self, prefix: str, init: Any = "same") -> ParameterTuple:
        """Independent copies named ``prefix.name``; TypeError or ValueError unless ``prefix`` is a name."""
        if not isinstance(prefix, str):
            raise TypeError(say("errors.new_name_kind", got=type(prefix).__name__))
        if not prefix:
            raise ValueError(say("errors.parameter_name", got=repr(prefix)))
        copies = [p.clone(init) for p in self]
        for p in copies:
            p.name = f"{prefix}.{p.name}"
        return ParameterTuple(copies)
