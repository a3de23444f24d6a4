"""Samples and references: normalisation, place by place."""

from __future__ import annotations

import math

import numpy as np
from ops.samples.sample import Array, Calls, References, call


def batch_norm_inference(x: Array, weight: Array, bias: Array, mean: Array, var: Array, eps: float = 1e-5) -> Array:
    out = np.empty_like(x)
    for c in range(x.shape[1]):
        out[:, c] = (x[:, c] - mean[c]) / math.sqrt(var[c] + eps) * weight[c] + bias[c]
    return out


def batch_norm(x: Array, weight: Array, bias: Array, eps: float = 1e-5) -> tuple[Array, Array, Array]:
    mean = np.array([x[:, c].mean() for c in range(x.shape[1])])
    var = np.array([x[:, c].var() for c in range(x.shape[1])])
    return batch_norm_inference(x, weight, bias, mean, var, eps), mean, var


def standardised(x: Array, eps: float) -> Array:
    return (x - x.mean()) / math.sqrt(x.var() + eps)


def layer_norm(x: Array, weight: Array, bias: Array, axes: int = 1, eps: float = 1e-5) -> Array:
    out = np.empty_like(x)
    for i in np.ndindex(x.shape[: x.ndim - axes]):
        out[i] = standardised(x[i], eps)
    return out * weight + bias


def group_norm(x: Array, weight: Array, bias: Array, num_groups: int, eps: float = 1e-5) -> Array:
    out, width = np.empty_like(x), x.shape[1] // num_groups
    for n in range(len(x)):
        for first in range(0, x.shape[1], width):
            out[n, first : first + width] = standardised(x[n, first : first + width], eps)
    for c in range(x.shape[1]):
        out[:, c] = out[:, c] * weight[c] + bias[c]
    return out


def rms_norm(x: Array, weight: Array, eps: float = 1e-6) -> Array:
    out = np.empty_like(x)
    for i in np.ndindex(x.shape[: x.ndim - weight.ndim]):
        out[i] = x[i] / math.sqrt((x[i] ** 2).mean() + eps) * weight
    return out


def neighbour_sum(x: Array, radius: int) -> Array:
    return np.stack([x[:, max(c - radius, 0) : c + radius + 1].sum(1) for c in range(x.shape[1])], 1)


def lrn(x: Array, depth_radius: int = 5, bias: float = 1.0, alpha: float = 1.0, beta: float = 0.5) -> Array:
    return x / (bias + alpha * neighbour_sum(x * x, depth_radius)) ** beta


POSITIVE = np.array([0.5, 1.0])
CALLS: Calls = {
    "batch_norm": [call((4, 3), (3,), (3,)), call((2, 3, 2, 2), (3,), (3,), eps=0.1)],
    "batch_norm_inference": [
        call((4, 3), (3,), (3,), (3,), np.array([0.5, 1.0, 2.0])),
        call((2, 2, 2, 2), (2,), (2,), (2,), np.array([0.5, 1.0]), eps=0.1),
    ],
    "layer_norm": [
        call((4, 3), (3,), (3,)), call((2, 3, 2), (3, 2), (3, 2), axes=2, eps=0.1), call((3,), (3,), (3,)),
        call((2, 2, 3), (3,), (3,), axes=2), call((0, 3), (3,), (3,)),
    ],
    "group_norm": [
        call((2, 4), (4,), (4,), num_groups=2), call((2, 4, 3), (4,), (4,), num_groups=2, eps=0.1),
        call((1, 2, 2, 2), (2,), (2,), num_groups=1),
    ],
    "instance_norm": [call((2, 2, 3), (2,), (2,)), call((2, 2, 2, 2), (2,), (2,), eps=0.1)],
    "rms_norm": [call((4, 3), (3,)), call((2, 3, 2), (3, 2), eps=0.1), call((3,), (3,)), call((0, 3), (3,))],
    "neighbour_sum": [
        call((2, 4), radius=1), call((2, 5, 2), radius=2), call((1, 3), radius=7), call((2, 3), radius=0),
    ],
    "lrn": [
        call((2, 4, 2, 1)), call((1, 4, 2, 2), depth_radius=1, bias=2.0, alpha=0.5, beta=0.75),
        call((2, 3), alpha=0.25),
    ],
}  # fmt: skip
REFERENCES: References = {
    "batch_norm": batch_norm,
    "batch_norm_inference": batch_norm_inference,
    "layer_norm": layer_norm,
    "group_norm": group_norm,
    "instance_norm": lambda x, w, b, eps=1e-5: group_norm(x, w, b, x.shape[1], eps),
    "rms_norm": rms_norm,
    "neighbour_sum": neighbour_sum,
    "lrn": lrn,
}
