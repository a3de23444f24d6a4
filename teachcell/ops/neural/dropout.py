"""Dropout of elements and of channels."""

from __future__ import annotations

from typing import Any

from ...core.define import define
from ...core.op import TENSORS as T
from ...core.public import public
from ...core.record import operand
from ...core.tensor import Tensor
from ...kernels import dropout as K
from ...kernels.arguments import in_interval
from ..elementwise.select import identity

dropout_op = define(
    "dropout", K.dropout, (lambda F, g, out, x, p=0.5, seed=None, *, mask: F.multiply(g, F.constant(mask)),),
    floats=(0,), keeps="", saves=("mask",), public=False,
    card=("y = x · mask / (1 − p)", "∂x = g · mask / (1 − p)"), source="Srivastava et al. 2014",
)  # fmt: skip


def _rule(F: Any, gs: Any, out: Any, wanted: list[bool], x: Any, keep_prob: float = 0.5) -> list[Any]:
    if gs[0] is None:  # only the mask was used
        return [None]
    return [F.scale(F.multiply(gs[0], out[1]), 1 / keep_prob if keep_prob else 0.0)]


for _name, _primitive, _remark, _source in (
    ("dropout_with_mask", "Dropout", "", "Srivastava et al. 2014"),
    ("dropout1d", "", " {whole_channels}", "Tompson et al. 2015"),
    ("dropout2d", "Dropout2D", " {whole_channels}", "Tompson et al. 2015"),
    ("dropout3d", "Dropout3D", " {whole_channels}", "Tompson et al. 2015"),
):
    define(
        _name, getattr(K, _name), _rule, label=_primitive or "Dropout1D", floats=(0,), keeps="output", outputs=2,
        names=(), primitive=_primitive, init=("keep_prob",), source=_source,
        card=(f"y = x · mask / keep_prob{_remark}", "∂x = g · mask / keep_prob"),
    )  # fmt: skip


@public("dropout")
def dropout(input: Tensor, p: float = 0.5, training: bool = True, seed: int | None = None) -> Tensor:
    """Each element 0 with probability ``p``, else divided by 1 − p; the input itself when not ``training``.

    Args:
        input: any shape.
        p: probability of dropping, in [0, 1).
        training: whether to drop at all.
        seed: above 0, the draws come from a stream of their own, which ``set_seed`` restarts.
    """
    if not training:
        return identity(input)
    return dropout_op(input, p) if seed is None else dropout_op(input, p, seed)


@public("dropout1d")
def dropout1d(input: Tensor, p: float = 0.5, training: bool = True) -> Tensor:
    """Whole channels of (N, C, L) or (C, L) 0 with probability ``p``, the others divided by 1 − p."""
    return _channels(T.dropout1d, input, p, training)


@public("dropout2d")
def dropout2d(input: Tensor, p: float = 0.5, training: bool = True) -> Tensor:
    """Whole channels of (N, C, H, W) 0 with probability ``p``, the others divided by 1 − p."""
    return _channels(T.dropout2d, input, p, training)


@public("dropout3d")
def dropout3d(input: Tensor, p: float = 0.5, training: bool = True) -> Tensor:
    """Whole channels of (N, C, D, H, W) 0 with probability ``p``, the others divided by 1 − p."""
    return _channels(T.dropout3d, input, p, training)


def _channels(op: Any, input: Tensor, p: float, training: bool) -> Tensor:
    in_interval("p", p, "[0, 1]")
    return op(operand(input), 1 - p)[0] if training else identity(input)
