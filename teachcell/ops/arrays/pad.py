"""Padding."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.define import define
from ...core.op import TENSORS as T
from ...core.public import public
from ...core.record import operand
from ...core.tensor import Tensor
from ...kernels import pad as K
from ...kernels.arguments import one_of, sizes_of
from ...texts import say


def _pad_rule(F: Any, g: Any, out: Any, x: Any, widths: K.Widths, mode: str = "constant", value: float = 0) -> Any:
    if mode == "constant":
        return F.pad_frame(g, [(-a, -b) for a, b in widths])
    flat = F.put(g, (int(np.prod(x.shape)),), K.source_places(x.shape, widths, mode))
    return F.reshape(flat, x.shape)


pad_frame = define(
    "pad_frame", K.pad_frame, (_pad_rule,), label="Pad", keeps="", public=False,
    card=("y = x {framed}", "∂x = g {unframed}"), source="{linear_map}",
)  # fmt: skip


def _padded(x: Tensor, widths: list[tuple[int, int]], mode: str, value: Any) -> Tensor:
    """Check what NumPy would not, and pad."""
    one_of("mode", mode, tuple(K.MODES))
    if mode != "constant" and value is not None:
        raise ValueError(say("errors.pad_value", mode=mode))
    most = {"reflect": 1, "symmetric": 0, "circular": 0}.get(mode)
    for axis, (length, pair) in enumerate(zip(x.shape, widths, strict=True)):
        if min(length + min(pair), length + sum(pair)) < 0:
            raise ValueError(say("errors.pad_crop", axis=axis, length=length, got=pair))
        if most is not None and max(pair) > max(length - most, 0):
            raise ValueError(say("errors.pad_width", mode=mode, axis=axis, length=length, got=pair))
    if mode == "constant":
        return pad_frame(x, widths=tuple(widths), mode=mode, value=0 if value is None else operand(value).item())
    return pad_frame(x, widths=tuple(widths), mode=mode)


def _pairs(given: Any, ndim: int) -> list[tuple[int, int]]:
    """(before, after) per axis from the first on; TypeError or ValueError unless that is what is given."""
    rows = given.tolist() if hasattr(given, "tolist") else given
    pairs = [sizes_of(row) for row in rows] if isinstance(rows, (tuple, list)) else []
    if len(pairs) != ndim or any(len(pair) != 2 for pair in pairs):
        raise ValueError(say("errors.pad_pairs", ndim=ndim, got=rows))
    return [(a, b) for a, b in pairs]


@public("pad")
def pad(input_x: Any, padding: Any, mode: str = "constant", value: Any = None) -> Tensor:
    """``input_x`` with more elements at its ends, or (where ``padding`` is negative) fewer.

    Args:
        input_x: any Tensor.
        padding: (before, after) of the last axis, then of the one before it, and so on.
        mode: ``"constant"``; ``"reflect"``: mirrored at the outermost element; ``"replicate"`` (or ``"edge"``): the
            outermost element again; ``"circular"``: from the other end.
        value: the constant, 0 by default.
    """
    x = operand(input_x)
    flat = sizes_of(padding)
    if len(flat) % 2 or len(flat) > 2 * x.ndim:
        raise ValueError(say("errors.pad_list", ndim=x.ndim, got=list(flat)))
    pairs = list(zip(flat[::2], flat[1::2], strict=True))[::-1]
    return _padded(x, [(0, 0)] * (x.ndim - len(pairs)) + pairs, mode, value)


@public(primitive="Pad", init=("paddings",))
def _pad_with_zeros(input_x: Any, paddings: Any) -> Tensor:
    """Zeros at both ends, (before, after) per axis from the first on."""
    x = operand(input_x)
    return _padded(x, _pairs(paddings, x.ndim), "constant", None)


@public(primitive="PadV3", init=("mode", "paddings_contiguous"))
def _pad_v3(
    input_x: Any, paddings: Any, constant_value: Any = None, mode: str = "constant", paddings_contiguous: bool = True
) -> Tensor:
    """``pad``; without ``paddings_contiguous`` all that come before stand first, then all that come after."""
    flat = sizes_of(paddings)
    half = len(flat) // 2
    pairs = flat if paddings_contiguous else [n for pair in zip(flat[:half], flat[half:], strict=False) for n in pair]
    return pad(input_x, pairs, mode, constant_value)


@public("mirror_pad", primitive="MirrorPad", init=("mode",))
def mirror_pad(input_x: Any, paddings: Any, mode: str = "REFLECT") -> Tensor:
    """Mirrored at the ends, (before, after) per axis from the first on.

    ``"REFLECT"`` mirrors at the outermost element, ``"SYMMETRIC"`` behind it, so that it appears twice.
    """
    x = operand(input_x)
    one_of("mode", mode, ("REFLECT", "SYMMETRIC"))
    return _padded(x, _pairs(paddings, x.ndim), mode.lower(), None)


@public("padding", primitive="Padding", init=("pad_dim_size",))
def padding(x: Any, pad_dim_size: int = 8) -> Tensor:
    """A last axis of length 1 filled up with zeros to ``pad_dim_size``."""
    x = operand(x)
    if not x.ndim or x.shape[-1] != 1:
        raise ValueError(say("errors.axis_length", axis=-1))
    return T.pad_frame(x, widths=((0, 0),) * (x.ndim - 1) + ((0, pad_dim_size - 1),))
