"""Facts about one gradient: undoing a broadcast, and what may stand in its place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from ..texts import say
from .errors import describe
from .op import ARRAYS, Node
from .tensor import Tensor, wrap


def unbroadcast(F: Any, gradient: Any, shape: tuple[int, ...]) -> Any:
    """Sum a gradient over the axes along which its operand was broadcast."""
    got = gradient.shape
    axes = added_axes(got, shape)
    if axes is None:
        raise RuntimeError(say("errors.gradient_shape", got=got, wanted=shape))
    if not axes:
        return gradient
    total = F.sum(gradient, axes)
    return total if len(axes) == len(got) - len(shape) else F.reshape(total, shape)


@lru_cache(1024)
def added_axes(shape: tuple[int, ...], target: tuple[int, ...]) -> tuple[int, ...] | None:
    """The axes along which a broadcast from ``target`` to ``shape`` repeated elements; None if it gives another."""
    if not reduces(shape, target):
        return None
    lead = len(shape) - len(target)
    return tuple(range(lead)) + tuple(i + lead for i, d in enumerate(target) if d != shape[i + lead])


def arrive(node: Node, gradient: Any, own: set[Node]) -> None:
    """A gradient arrives at ``node`` in first order: undo a broadcast, add; from the third on in place, into an array
    that the sweep made."""
    if node.op.outputs == 1 and gradient.shape != node.shape:
        gradient = unbroadcast(ARRAYS, gradient, node.shape)
    total = node.grad
    if total is None:
        node.grad = gradient
    elif node in own:
        np.add(total, gradient, total)
    else:
        node.grad = total = np.add(total, gradient)
        if type(total) is np.ndarray:
            own.add(node)


def reduces(shape: tuple[int, ...], target: tuple[int, ...]) -> bool:
    """Whether summing broadcast axes of ``shape`` gives ``target``."""
    lead = len(shape) - len(target)
    return lead >= 0 and all(t in (1, s) for s, t in zip(shape[lead:], target, strict=True))


def arrived(gradients: Sequence[Tensor | None], out: Sequence[Tensor]) -> tuple[Tensor, ...]:
    """The gradients at several outputs, zeros where none arrived."""
    if len(gradients) == 1 and gradients[0] is not None:
        return (gradients[0],)
    return tuple([wrap(np.zeros_like(o._array)) if g is None else g for g, o in zip(gradients, out, strict=True)])


def check_same(new: Tensor, old: Tensor, where: Callable[[], str]) -> None:
    """ValueError unless a replaced gradient has the shape and dtype of the one it replaces."""
    if new._array.shape != old._array.shape or new._array.dtype != old._array.dtype:
        got, wanted = describe(new._array), describe(old._array)
        raise ValueError(say("errors.replaced_gradient", where=where(), got=got, wanted=wanted))
