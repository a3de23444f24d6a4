"""Choosing between values, casting, and cutting the gradient."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.define import FUNCTIONS, define, pair
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
    card=("z = x where c, else y", "∂x = g where c, else 0", "∂y = 0 where c, else g"),
)  # fmt: skip
pair("cast_like", lambda g, x: g.astype(x.dtype), lambda g, x: cast(g, x.dtype))
cast_op = define(
    "cast", K.cast, (lambda F, g, out, x, dtype: F.cast_like(g, x),), public=False,
    card=("y = x in another dtype", "∂x = g in x's dtype (0 through integers)"),
)  # fmt: skip
stop_gradient = define("stop_gradient", lambda x: x, None, alias=True, card=("y = x", "no gradient passes"))


def cast(input: Any, dtype: Any) -> Tensor:
    """``input`` in another dtype; a cast to integers or Bool is a constant for the gradient."""
    return cast_op(operand(input), dtype=as_dtype(dtype))


def _is(name: str) -> Any:
    def convert(self: Tensor) -> Tensor:
        return cast(self, name)

    convert.__doc__ = f"The Tensor as {name}."
    return convert


def masked_fill(input: Tensor, mask: Tensor, value: Any) -> Tensor:
    """``value`` where ``mask`` is True, else ``input``."""
    return select(mask, operand(value, input._array.dtype).astype(of_array(input._array.dtype)), input)


FUNCTIONS |= {"cast": cast, "masked_fill": masked_fill}
_CASTS = {"int": "int32", "long": "int64", "float": "float32", "half": "float16", "bool": "bool"}
for _name, _method in {
    "astype": cast, "masked_fill": masked_fill, **{name: _is(dtype) for name, dtype in _CASTS.items()}
}.items():  # fmt: skip
    setattr(Tensor, _name, _method)
