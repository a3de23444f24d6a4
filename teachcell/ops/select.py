"""Choosing between values, casting, and cutting the gradient."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.define import FUNCTIONS, PRIMITIVES, add_methods, as_object, define, pair
from ..core.dtypes import as_dtype, of_array
from ..core.record import operand
from ..core.tensor import Tensor, wrap
from ..kernels import elementwise as K

pair("constant", lambda array: array, wrap)
pair("zeros_like", np.zeros_like, lambda x: wrap(np.zeros_like(x._array)))
select = define(
    "select", K.select,
    (
        None,
        lambda F, g, out, condition, x, y: F.select(condition, g, F.zeros_like(g)),
        lambda F, g, out, condition, x, y: F.select(condition, F.zeros_like(g), g),
    ),
    promotes=(1, 2), primitive="Select", names=("select", "where"),
    card=("z = x · [c] + y · [¬c]", "∂x = g · [c]", "∂y = g · [¬c]"),
)  # fmt: skip
pair("cast_like", lambda g, x: g.astype(x.dtype), lambda g, x: cast(g, x.dtype))
cast_op = define(
    "cast", K.cast, (lambda F, g, out, x, dtype: F.cast_like(g, x),), public=False,
    card=("y = x {in_dtype}", "∂x = g {in_dtype_of_x}"),
)  # fmt: skip
stop_gradient = define(
    "stop_gradient", lambda x: x, None, undo=lambda base, new: new, card=("y = x", "{stopped}"),
)  # fmt: skip
identity = define(
    "identity", lambda x: x, (lambda F, g, out, x: g,), keeps="", undo=lambda base, new: new, public=False,
    card=("y = x", "∂x = g"),
)  # fmt: skip


def cast(input: Any, dtype: Any) -> Tensor:
    """``input`` in another dtype; a cast to integers or Bool is a constant for the gradient."""
    return cast_op(operand(input), dtype=as_dtype(dtype))


def _is(name: str) -> Any:
    def _convert(self: Tensor) -> Tensor:
        return cast(self, name)

    _convert.__doc__ = f"The Tensor as {name}."
    return _convert


def masked_fill(input: Tensor, mask: Tensor, value: Any) -> Tensor:
    """``value`` where ``mask`` is True, else ``input``."""
    return select(mask, operand(value, input._array.dtype).astype(of_array(input._array.dtype)), input)


PRIMITIVES["Cast"] = as_object("Cast", cast)
FUNCTIONS |= {"cast": cast, "masked_fill": masked_fill}
_CASTS = {"int": "int32", "long": "int64", "float": "float32", "half": "float16", "bool": "bool"}
add_methods(astype=cast, masked_fill=masked_fill, **{name: _is(dtype) for name, dtype in _CASTS.items()})
