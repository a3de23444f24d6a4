"""Normalisation over all axes but the channel axis 1 (batch norm)."""

from __future__ import annotations

import numpy as np
from numpy import ndarray

from ..texts import say


def batch_axes(ndim: int) -> tuple[int, ...]:
    """The axes that batch norm averages over."""
    return (0, *range(2, ndim))


def per_channel(v: ndarray, ndim: int) -> ndarray:
    """A (C,) vector shaped to broadcast along axis 1."""
    return v.reshape(channel_shape(ndim))


def channel_shape(ndim: int) -> tuple[int, ...]:
    """The shape (1, C, 1, …) for ``reshape``."""
    return (1, -1) + (1,) * (ndim - 2)


def batch_norm(
    x: ndarray, weight: ndarray, bias: ndarray, eps: float = 1e-5
) -> tuple[tuple[ndarray, ndarray, ndarray], dict[str, ndarray]]:
    """(y, mean, biased variance) of a batch; saves x̂ and 1/σ.

    y = x̂ · weight + bias, x̂ = (x − mean) / √(variance + eps)  (Ioffe and Szegedy, 2015).
    """
    if x.ndim < 2 or weight.shape != (x.shape[1],) or bias.shape != (x.shape[1],):
        raise ValueError(say("errors.channels"))
    axes, count = batch_axes(x.ndim), x.size // max(x.shape[1], 1)
    if count == 0:
        raise ValueError(say("errors.batch_empty"))
    mean = np.add.reduce(x, axes) / x.dtype.type(count)
    centred = x - per_channel(mean, x.ndim)
    variance = np.add.reduce(centred * centred, axes) / x.dtype.type(count)
    rstd = 1 / np.sqrt(variance + x.dtype.type(eps))
    xhat = centred * per_channel(rstd, x.ndim)
    y = xhat * per_channel(weight, x.ndim) + per_channel(bias, x.ndim)
    return (y, mean, variance), {"xhat": xhat, "rstd": rstd}


def batch_norm_input_grad(g: ndarray, x: ndarray, weight: ndarray, eps: float, xhat: ndarray, rstd: ndarray) -> ndarray:
    """(g·w − mean(g·w) − x̂ · mean(g·w · x̂)) / σ."""
    axes = batch_axes(x.ndim)
    scaled = g * per_channel(weight, x.ndim)
    centre = np.mean(scaled, axes, keepdims=True)
    along = np.mean(scaled * xhat, axes, keepdims=True)
    return per_channel(rstd, x.ndim) * (scaled - centre - xhat * along)


def batch_norm_weight_grad(g: ndarray, x: ndarray, eps: float, xhat: ndarray, rstd: ndarray) -> ndarray:
    """Σ g · x̂ per channel."""
    return np.add.reduce(g * xhat, batch_axes(x.ndim))


def batch_norm_inference(
    x: ndarray, weight: ndarray, bias: ndarray, mean: ndarray, variance: ndarray, eps: float = 1e-5
) -> ndarray:
    """(x − mean) · weight / √(variance + eps) + bias with given statistics."""
    if x.ndim < 2 or any(v.shape != (x.shape[1],) for v in (weight, bias, mean, variance)):
        raise ValueError(say("errors.channels"))
    factor = weight / np.sqrt(variance + x.dtype.type(eps))
    return (x - per_channel(mean, x.ndim)) * per_channel(factor, x.ndim) + per_channel(bias, x.ndim)
