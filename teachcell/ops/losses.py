"""Softmax and cross entropy."""

from __future__ import annotations

from typing import Any

from ..core.define import define, pair
from ..core.op import TENSORS as T
from ..core.public import public
from ..core.tensor import Tensor, wrap
from ..kernels import losses as K
from ..texts import say


def _softmax_grad_twin(g: Tensor, y: Tensor, axis: int = -1) -> Tensor:
    gy = T.multiply(g, y)
    return T.subtract(gy, T.multiply(y, T.sum(gy, axis, True)))


pair("softmax_grad", K.softmax_grad, _softmax_grad_twin)
softmax = define(
    "softmax", K.softmax, (lambda F, g, out, x, axis=-1: F.softmax_grad(g, out, axis),),
    keeps="output", floats=(0,), primitive="Softmax", methods=("softmax",),
    card=("y = eˣ / Σ eˣ", "∂x = y · (g − Σ g·y)"),
)  # fmt: skip
log_softmax = define(
    "log_softmax", K.log_softmax,
    (lambda F, g, out, x, axis=-1: F.subtract(g, F.multiply(F.exp(out), F.sum(g, axis, True))),),
    keeps="output", floats=(0,), primitive="LogSoftmax", methods=("log_softmax",),
    card=("y = x − ln Σ eˣ", "∂x = g − eʸ · Σ g"),
)  # fmt: skip


def _cross_entropy_twin(
    g: Tensor, logits: Tensor, labels: Tensor, slope: Any, reduction: str = "mean", ignore_index: int = -100
) -> Tensor:
    """Share of each row times (softmax − one-hot), the softmax from the logits again."""
    probabilities = T.softmax(logits, 1)
    used = (labels._array != ignore_index).astype(logits._array.dtype)
    if reduction == "mean":
        used /= max(used.sum(), 1)
    onehot = probabilities._array - K.cross_entropy(logits._array, labels._array, "none", ignore_index)[1]["slope"]
    onehot[labels._array == ignore_index] = 0
    rows = T.multiply(g, wrap(used)) if g.ndim else T.multiply(T.reshape(g, (1,)), wrap(used))
    return T.multiply(T.subtract(probabilities, wrap(onehot)), T.reshape(rows, (-1, 1)))


pair("cross_entropy_grad", K.cross_entropy_grad, _cross_entropy_twin)
cross_entropy_of_labels = define(
    "cross_entropy", K.cross_entropy,
    (lambda F, g, out, logits, labels, slope, **k: F.cross_entropy_grad(g, logits, labels, slope, **k), None),
    floats=(0,), saves=("slope",), promotes=(), public=False,
    card=("y = mean(−ln softmax(z)[label])", "∂z = g · (softmax(z) − {one_hot}) / n"),
)  # fmt: skip


def check_reduction(reduction: Any) -> None:
    """ValueError unless it is "mean", "sum" or "none"."""
    if reduction not in ("mean", "sum", "none"):
        raise ValueError(say("errors.reduction", got=repr(reduction)))


def reduced(each: Tensor, reduction: str) -> Tensor:
    """The losses of all rows or elements as one, or as they are."""
    return each if reduction == "none" else T.sum(each) if reduction == "sum" else T.mean(each)


@public("cross_entropy")
def cross_entropy(input: Tensor, target: Tensor, reduction: str = "mean", ignore_index: int = -100) -> Tensor:
    """Cross entropy of logits (N, C) with integer labels (N,) or probabilities (N, C).

    Args:
        input: logits (N, C).
        target: labels (N,), integer; or probabilities (N, C), float.
        reduction: ``"mean"``, ``"sum"`` or ``"none"``.
        ignore_index: rows with this label count for nothing.
    """
    check_reduction(reduction)
    if target.dtype.numpy.kind in "iu":
        return cross_entropy_of_labels(input, target, reduction=reduction, ignore_index=ignore_index)
    return reduced(T.negative(T.sum(T.multiply(target, T.log_softmax(input, 1)), 1)), reduction)
