"""Choosing between values, casting, and cutting the gradient."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...core.define import define, pair
from ...core.dtypes import DType, as_dtype, float64, int64, of_array
from ...core.nested import map_tensors
from ...core.op import TENSORS
from ...core.public import public
from ...core.record import operand
from ...core.tensor import Tensor, wrap
from ...kernels import elementwise as K

_OF_PYTHON: dict[Any, Any] = {float: float64, "float": float64, "int": int64}

pair("constant", lambda array: array, wrap)
pair("zeros_like", np.zeros_like, lambda x: wrap(np.zeros_like(x._array)))
pair("ones_like", np.ones_like, lambda x: wrap(np.ones_like(x._array)))
pair("one_minus", lambda x: x.dtype.type(1) - x, lambda x: TENSORS.shift(TENSORS.negative(x), 1.0))
select = define(
    "select", K.select,
    (
        None,
        lambda F, g, out, condition, x, y: F.select(condition, g, F.zeros_like(g)),
        lambda F, g, out, condition, x, y: F.select(condition, F.zeros_like(g), g),
    ),
    promotes=(1, 2), primitive="Select", names=("select", "where"),
    card=("z = x · [c] + y · [¬c]", "∂x = g · [c]", "∂y = g · [¬c]"), source="{piecewise}",
)  # fmt: skip
pair("cast_like", lambda g, x: g.astype(x.dtype), lambda g, x: TENSORS.cast(g, dtype=x.dtype))
cast_op = define(
    "cast", K.cast, (lambda F, g, out, x, dtype: F.cast_like(g, x),), public=False,
    elementwise=True, card=("y = x {in_dtype}", "∂x = g {in_dtype_of_x}"), source="{linearity}",
)  # fmt: skip
_stopped = define(  # has memory of its own: a write to it reaches x neither while recording nor otherwise
    "stop_gradient", lambda x: x.copy(), None, called=("value",), public=False, card=("y = x", "{stopped}"),
    source="{definition}",
)  # fmt: skip
identity = define(
    "identity", lambda x: x, (lambda F, g, out, x: g,), called=("x",), keeps="", undo=lambda base, new: new,
    primitive="Identity", elementwise=True, card=("y = x", "∂x = g"), source="{linearity}",
)  # fmt: skip


@public("stop_gradient", primitive="StopGradient")
def stop_gradient(value: Any) -> Any:
    """The value as a constant: no gradient goes back through it; so with each Tensor in a tuple, list or dict."""
    return map_tensors(_stopped, value)


@public(primitive="IdentityN")
def _identity_n(x: Sequence[Tensor]) -> tuple[Tensor, ...]:
    """The same Tensors, as a tuple."""
    return tuple([identity(each) for each in x])


@public("cast", primitive="Cast")
def cast(input: Any, dtype: Any) -> Tensor:
    """``input`` in another dtype; a cast to integers or Bool is a constant for the gradient."""
    return cast_op(operand(input), dtype=as_dtype(dtype))


@public(methods=("astype",))
def _astype(self: Tensor, dtype: Any, copy: bool = True) -> Tensor:
    """The Tensor in another dtype. Python's types are NumPy's here: ``float`` is Float64.

    With ``copy=False`` it is the Tensor itself if it has that dtype.
    """
    if type(dtype) is not DType:
        dtype = as_dtype(_OF_PYTHON.get(dtype, dtype))
    return self if not copy and dtype is self.dtype else cast_op(self, dtype=dtype)


def as_asked(x: Any, dtype: Any) -> Any:
    """``x`` in the dtype that the caller asked to compute in; as it is for None."""
    return x if dtype is None else cast(x, dtype)


@public("masked_fill", methods=("masked_fill",), primitive="MaskedFill")
def masked_fill(input_x: Tensor, mask: Tensor, value: Any) -> Tensor:
    """``value`` where ``mask`` is True, else ``input_x``."""
    return select(mask, operand(value, input_x._array.dtype).astype(of_array(input_x._array.dtype)), input_x)


def _method(name: str, dtype: str) -> None:
    def _convert(self: Tensor) -> Tensor:
        return cast(self, dtype)

    _convert.__doc__ = f"The Tensor as {dtype}."
    public(methods=(name,))(_convert)


DTYPE_METHODS = {
    "bool": "bool", "byte": "uint8", "short": "int16", "int": "int32", "long": "int64", "half": "float16",
    "bfloat16": "bfloat16", "float": "float32", "double": "float64",
}  # fmt: skip
for _name, _dtype in DTYPE_METHODS.items():
    _method(_name, _dtype)
