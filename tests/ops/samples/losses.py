"""Samples and references: losses, row by row and element by element."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from ops.samples.activation import softmax
from ops.samples.sample import Array, Calls, References, call
from scipy import special, stats

LABELS = np.array([2, 0, 1, 2])
OF_PIXELS = np.array([[2, 0, 1], [1, -100, 2]])
WEIGHTS = np.array([1.0, 2.5, 0.5])
SIGNS = np.array([[1.0, -1.0, 1.0], [-1.0, -1.0, 1.0]])
LISTS = np.array([[2, -1, 0], [0, 1, -1]])


def reduced(each: Any, reduction: str) -> Array:
    each = np.asarray(each)
    return each if reduction == "none" else np.asarray(each.sum() if reduction == "sum" else each.mean())


def by_element(loss: Callable[..., Any], default: str = "mean") -> Callable[..., Array]:
    """The reference of a loss that is reduced from one per element (or row)."""

    def reference(*inputs: Array, reduction: str = default, **attrs: Any) -> Array:
        return reduced(loss(*inputs, **attrs), reduction)

    return reference


def rows(scores: Array, labels: Array) -> Iterator[tuple[Array, int]]:
    """The classes' scores and the label of each row, of any number of axes."""
    by_class = np.moveaxis(scores, 1, -1).reshape(-1, scores.shape[1])
    yield from zip(by_class, labels.reshape(-1), strict=True)


def nll(
    logp: Array, labels: Array, weight: Any = None, ignore_index: int = -100, reduction: str = "mean",
    label_smoothing: float = 0.0,
) -> Array:  # fmt: skip
    if logp.ndim == 1:
        row = nll(logp[None], labels[None], weight, ignore_index, reduction, label_smoothing)
        return row.reshape(())
    classes = logp.shape[1]
    weights = np.ones(classes) if weight is None else weight
    losses, total = [], 0.0
    for row, label in rows(logp, labels):
        wanted = np.full(classes, label_smoothing / classes)
        if label != ignore_index:
            wanted[label] += 1 - label_smoothing
            total += weights[label]
        losses.append(0.0 if label == ignore_index else -(wanted * weights * row).sum())
    if reduction == "none":
        return np.array(losses).reshape(labels.shape)
    return np.array(sum(losses) / (total if reduction == "mean" else 1))


def cross_entropy(logits: Array, target: Array, *args: Any, **attrs: Any) -> Array:
    axis = min(logits.ndim - 1, 1)
    logp = np.log(softmax(logits, axis))
    if target.dtype.kind == "i":
        return nll(logp, target, *args, **attrs)
    weight, smoothing = attrs.get("weight"), attrs.get("label_smoothing", 0.0)
    target = target * (1 - smoothing) + smoothing / logits.shape[axis]
    if weight is not None:
        target = target * weight.reshape(-1, *(1,) * (logits.ndim - axis - 1))
    return reduced(-(target * logp).sum(axis), attrs.get("reduction", "mean"))


def huber(e: Array, delta: float = 1.0) -> Array:
    return np.where(abs(e) <= delta, e * e / 2, delta * (abs(e) - delta / 2))


def binary(p: Array, t: Array, weight: Any = 1.0) -> Array:
    return -(t * np.log(p) + (1 - t) * np.log(1 - p)) * weight


def binary_of_logits(z: Array, t: Array, weight: Any = 1.0, pos_weight: Any = 1.0) -> Array:
    return -(pos_weight * t * np.log(special.expit(z)) + (1 - t) * np.log(special.expit(-z))) * weight


def kl_div(logp: Array, q: Array, reduction: str = "mean") -> Array:
    each = special.xlogy(q, q) - q * logp
    return np.asarray(each.sum() / len(q)) if reduction == "batchmean" else reduced(each, reduction)


def multi_margin(x: Array, labels: Array, p: int = 1, margin: float = 1, weight: Any = None) -> Array:
    if x.ndim == 1:
        return multi_margin(x[None], labels[None], p, margin, weight)[0]
    losses = []
    for row, label in zip(x, labels, strict=True):
        others = [max(0.0, margin - row[label] + s) ** p for j, s in enumerate(row) if j != label]
        losses.append(sum(others) / len(row) * (1 if weight is None else weight[label]))
    return np.array(losses)


def multilabel_margin(x: Array, lists: Array) -> Array:
    if x.ndim == 1:
        return multilabel_margin(x[None], lists[None])[0]
    losses = []
    for row, listed in zip(x, lists, strict=True):
        own = list(itertools.takewhile(lambda k: k >= 0, listed))
        others = set(range(len(row))) - set(own)
        losses.append(sum(max(0.0, 1 - row[j] + row[i]) for j in own for i in others) / len(row))
    return np.array(losses)


def gaussian(x: Array, t: Array, var: Array, full: bool = False, eps: float = 1e-6) -> Array:
    var = np.maximum(var if var.ndim == x.ndim else var[..., None], eps)
    return -stats.norm.logpdf(t, x, np.sqrt(var)) - (0 if full else math.log(2 * math.pi) / 2)


def poisson(x: Array, t: Array, log_input: bool = True, full: bool = False, eps: float = 1e-8) -> Array:
    rate, log_rate = (np.exp(x), x) if log_input else (x, np.log(x + eps))
    many = np.where(t > 1, t, 1)
    stirling = np.where(t > 1, many * np.log(many) - many + 0.5 * np.log(2 * np.pi * many), 0)
    return rate - t * log_rate + (stirling if full else 0)


def cosine(x: Array, y: Array, t: Array, margin: float = 0.0) -> Array:
    axis = min(x.ndim - 1, 1)
    cos = (x * y).sum(axis) / np.sqrt((x * x).sum(axis) * (y * y).sum(axis))
    return np.where(t > 0, 1 - cos, np.maximum(cos - margin, 0))


def triplet(
    anchor: Array, same: Array, other: Array, margin: float = 1.0, p: float = 2, eps: float = 1e-6, swap: bool = False
) -> Array:
    def distance(x: Array, y: Array) -> Array:
        return np.linalg.norm(x - y + eps, p, -1)

    far = np.minimum(distance(anchor, other), distance(same, other)) if swap else distance(anchor, other)
    return np.maximum(0, margin + distance(anchor, same) - far)


_pairs = [call((2, 3), (2, 3), reduction=r) for r in ("mean", "sum", "none")]
_labelled = [
    call((4, 3), LABELS), call((4, 3), LABELS, reduction="sum"), call((4, 3), LABELS, reduction="none"),
    call((4, 3), np.array([2, -1, 1, -1]), ignore_index=-1),
    call((4, 3), np.array([2, 7, 1, 7]), ignore_index=7, reduction="none"),
    call((4, 3), LABELS, weight=WEIGHTS), call((4, 3), LABELS, weight=WEIGHTS, label_smoothing=0.1),
    call((4, 3), np.array([2, 7, 1, 0]), weight=WEIGHTS, ignore_index=7, label_smoothing=0.3, reduction="sum"),
    call((4, 3), LABELS, label_smoothing=1.0, reduction="none"),
    call((2, 3, 3), OF_PIXELS), call((2, 3, 3), OF_PIXELS, weight=WEIGHTS, label_smoothing=0.2, reduction="none"),
    call((2, 3, 2, 2), np.array([[[0, 1], [2, 0]], [[1, 1], [0, 2]]]), weight=WEIGHTS),
]  # fmt: skip
CALLS: Calls = {
    "cross_entropy": _labelled,
    "nll_loss": _labelled,
    "huber": [call(()), call((2, 3)), call((2, 3), delta=0.3), call((0, 3))],
    "mse_loss": [*_pairs, call((2, 3), (3,)), call((), ())],
    "l1_loss": [*_pairs, call((2, 3), (2, 1)), call((), ())],
    "huber_loss": [*_pairs, call((2, 3), (2, 3), delta=0.25)],
    "smooth_l1_loss": [
        call((2, 3), (2, 3)), call((2, 3), (2, 3), beta=0.25, reduction="mean"), call((2, 3), (2, 3), beta=0),
    ],
    "gaussian_nll_loss": [
        call((2, 3), (2, 3), (2, 3)), call((2, 3), (2, 3), (2, 1), full=True, reduction="none"),
        call((2, 3), (2, 3), (2,), reduction="sum"), call((2, 3), (2, 3), np.array([0.5, 0.1]), eps=0.25),
    ],
    "poisson_nll_loss": [
        *_pairs, call((2, 3), (2, 3), log_input=False, full=True), call((2, 3), SIGNS * 3 + 3, full=True),
    ],
    "binary_cross_entropy": [call((2, 3), (2, 3)), call((3,), (2, 3)), call((), ()), call((0, 3), (0, 3))],
    "sigmoid_cross_entropy": [call((2, 3), (2, 3)), call((3,), (2, 3)), call((), ()), call((0, 3), (0, 3))],
    "kl_div": [call((2, 3), (2, 3)), call((), ()), call((3,), (2, 3)), call((0, 3), (0, 3))],
    "binary_cross_entropy_with_logits": [
        *_pairs, call((2, 3), (2, 3), (3,)), call((2, 3), (2, 3), (2, 3), (3,)),
        call((2, 3), (2, 3), pos_weight=WEIGHTS, reduction="none"),
    ],
    "soft_margin_loss": [call((2, 3), SIGNS), call((2, 3), SIGNS, reduction="none")],
    "multilabel_soft_margin_loss": [
        call((2, 3), (2, 3)), call((2, 3), (2, 3), (3,), reduction="sum"), call((2, 3), (2, 3), reduction="none"),
        call((3,), (3,)),
    ],
    "multi_margin_loss": [
        call((4, 3), LABELS), call((4, 3), LABELS, p=2, margin=0.5), call((3,), np.array(1), reduction="none"),
        call((4, 3), LABELS, weight=WEIGHTS, reduction="none"),
    ],
    "multilabel_margin_loss": [
        call((2, 3), LISTS), call((2, 3), LISTS, reduction="none"), call((3,), LISTS[1]), call((2, 3), LISTS[::-1]),
    ],
    "margin_ranking_loss": [
        call((2, 3), (2, 3), SIGNS), call((2, 3), (2, 3), SIGNS, margin=0.4, reduction="none"),
        call((3,), (3,), SIGNS[0], reduction="sum"),
    ],
    "hinge_embedding_loss": [
        call((2, 3), SIGNS), call((2, 3), SIGNS.astype(int), margin=0.3, reduction="none"), call((3,), SIGNS[0]),
    ],
    "cosine_embedding_loss": [
        call((2, 3), (2, 3), np.array([1, -1])),
        call((2, 3), (2, 3), np.array([-1, -1]), margin=-0.4, reduction="none"),
        call((3,), (3,), np.array(1)), call((2, 3, 2), (2, 3, 2), np.array([[1, 1], [-1, 1]]), reduction="sum"),
    ],
    "triplet_margin_loss": [
        call((2, 3), (2, 3), (2, 3)), call((2, 3), (2, 3), (2, 3), p=3, swap=True, reduction="none"),
        call((3,), (3,), (3,), margin=2.0, p=1), call((2, 3), (2, 3), (2, 3), eps=0.1, reduction="sum"),
    ],
}  # fmt: skip
REFERENCES: References = {
    "cross_entropy": cross_entropy,
    "nll_loss": nll,
    "huber": huber,
    "mse_loss": by_element(lambda x, y: (x - y) ** 2),
    "l1_loss": by_element(lambda x, y: abs(x - y)),
    "huber_loss": by_element(lambda x, y, delta=1.0: huber(x - y, delta)),
    "smooth_l1_loss": by_element(lambda x, y, beta=1.0: huber(x - y, beta) / beta if beta else abs(x - y), "none"),
    "gaussian_nll_loss": by_element(gaussian),
    "poisson_nll_loss": by_element(poisson),
    "binary_cross_entropy": binary,
    "sigmoid_cross_entropy": binary_of_logits,
    "kl_div": lambda logp, q: special.xlogy(q, q) - q * logp,
    "binary_cross_entropy_with_logits": by_element(binary_of_logits),
    "soft_margin_loss": by_element(lambda x, t: np.log(1 + np.exp(-t * x))),
    "multilabel_soft_margin_loss": by_element(lambda z, t, w=1.0: binary_of_logits(z, t, w).mean(-1)),
    "multi_margin_loss": by_element(multi_margin),
    "multilabel_margin_loss": by_element(multilabel_margin),
    "margin_ranking_loss": by_element(lambda x, y, t, margin=0.0: np.maximum(0, margin - t * (x - y))),
    "hinge_embedding_loss": by_element(lambda x, t, margin=1.0: np.where(t > 0, x, np.maximum(0, margin - x))),
    "cosine_embedding_loss": by_element(cosine),
    "triplet_margin_loss": by_element(triplet),
}
DOMAINS = {"gaussian_nll_loss": (0.3, 2.0), "poisson_nll_loss": (0.2, 2.5)}
TESTED_ELSEWHERE = {"ctc_greedy_decoder", "ctc_loss"}
