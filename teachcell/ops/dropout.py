"""Dropout of elements and of channels."""

from __future__ import annotations

from typing import Any

from ..core.define import define
from ..core.public import public
from ..core.tensor import Tensor
from ..kernels import random as K
from .select import identity

dropout_op = define(
    "dropout", K.dropout, (lambda F, g, out, x, p=0.5, *, mask: F.multiply(g, F.constant(mask)),),
    floats=(0,), keeps="", saves=("mask",), public=False,
    card=("y = x · mask / (1 − p)", "∂x = g · mask / (1 − p)"),
)  # fmt: skip


@public("dropout")
def dropout(input: Tensor, p: float = 0.5, training: bool = True) -> Tensor:
    """Each element 0 with probability ``p``, else divided by 1 − p; the input itself when not ``training``."""
    return dropout_op(input, p) if training else identity(input)




def _dropout2d_rule(F: Any, gs: Any, out: Any, wanted: list[bool], x: Any, keep_prob: float = 0.5) -> list[Any]:
    if gs[0] is None:
        return [None]
    return [F.scale(F.multiply(gs[0], out[1]), 1 / keep_prob if keep_prob else 0.0)]


define(
    "dropout2d", K.dropout2d, _dropout2d_rule, keeps="output", outputs=2,
    names=(), primitive="Dropout2D", card=("y = x · mask / keep_prob {whole_channels}", "∂x = g · mask / keep_prob"),
)  # fmt: skip
