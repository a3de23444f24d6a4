"""Clipping by norms: one Tensor, or a list of gradients together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...core.op import TENSORS as T
from ...core.public import public
from ...core.record import operand
from ...core.tensor import Tensor, wrap
from ...kernels.arguments import number_in
from ...texts import say


def _norm(tensors: Sequence[Tensor], norm_type: float) -> Tensor:
    """The norm of all elements of all Tensors together."""
    if norm_type == float("inf"):
        return T.amax(T.stack([T.amax(T.absolute(t)) for t in tensors]))
    sums = [T.sum(T.square(t) if norm_type == 2 else T.power(T.absolute(t), norm_type)) for t in tensors]
    total = sums[0] if len(sums) == 1 else T.sum(T.stack(sums))
    return T.sqrt(total) if norm_type == 2 else T.power(total, 1 / norm_type)


def _scaled(tensors: Sequence[Tensor], norm: Tensor, most: float) -> tuple[Tensor, ...]:
    """Each times most / max(norm, most): by a factor of exactly 1 below."""
    factor = T.divide(most, T.maximum(norm, most))
    return tuple(T.multiply(t, T.cast(factor, dtype=t.dtype)) for t in tensors)


def _floats(values: Any, where: str) -> list[Tensor]:
    found = [operand(v) for v in values]
    for t in found:
        if t._array.dtype.kind != "f":
            raise TypeError(say("errors.clip_input", where=where, dtype=t.dtype, shape=t.shape))
    return found


@public("clip_by_norm")
def clip_by_norm(x: Any, max_norm: float, norm_type: float = 2.0, error_if_nonfinite: bool = False) -> Any:
    """``x`` scaled down so that its norm is at most ``max_norm``; shorter ones stay as they are.

    Args:
        x: float Tensor; or a list or tuple, whose norm is that of all elements together.
        max_norm: largest norm, above 0.
        norm_type: the p of the p-norm; ``inf``: the largest absolute value.
        error_if_nonfinite: raise where the norm is infinite or NaN.

    Returns:
        A Tensor, or a list or tuple, as ``x`` is.

    Raises:
        TypeError: no floats. ValueError: ``max_norm`` is not above 0, or see ``error_if_nonfinite``.
    """
    several = isinstance(x, (list, tuple))
    tensors = _floats(x if several else [x], "clip_by_norm")
    most = number_in("max_norm", max_norm, "(0, ∞]")
    if not tensors:
        return x
    norm = _norm(tensors, number_in("norm_type", norm_type, "(0, ∞]"))
    if error_if_nonfinite and not np.isfinite(norm._array):
        raise ValueError(say("errors.norm_not_finite", got=norm.item()))
    scaled = _scaled(tensors, norm, most)
    return type(x)(scaled) if several else scaled[0]


@public("clip_by_global_norm")
def clip_by_global_norm(x: Any, clip_norm: float = 1.0, use_norm: Any = None) -> Any:
    """Gradients scaled together so that the norm of all their elements is at most ``clip_norm``.

    Each becomes t · clip_norm / max(norm, clip_norm): directions and proportions stay.

    Args:
        x: list or tuple of float Tensors; or one.
        clip_norm: largest norm, above 0.
        use_norm: a norm to use in the place of that of ``x``.

    Returns:
        A tuple of Tensors; for one Tensor a Tensor.

    Raises:
        TypeError: no Tensor, list or tuple, or not of floats. ValueError: ``clip_norm`` is not above 0.

    Source: Pascanu, Mikolov & Bengio 2013.
    """
    if isinstance(x, Tensor):
        return clip_by_global_norm((x,), clip_norm, use_norm)[0]
    if not isinstance(x, (list, tuple)):
        raise TypeError(say("errors.clip_list", got=type(x).__name__))
    tensors = _floats(x, "clip_by_global_norm")
    most = number_in("clip_norm", clip_norm, "(0, ∞]")
    if not tensors:
        return ()
    norm = _norm(tensors, 2.0) if use_norm is None else wrap(operand(use_norm)._array.astype(np.float32))
    return _scaled(tensors, norm, most)
