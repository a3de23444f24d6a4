"""Windows: weights that rise and fall smoothly, for parts of a signal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...core.dtypes import as_dtype, float32, float64
from ...core.public import public
from ...core.tensor import Tensor, wrap
from ...kernels.arguments import limited, whole
from ...texts import say


def _window(length: Any, periodic: bool, dtype: Any, weight: Callable[[np.ndarray], np.ndarray]) -> Tensor:
    """``weight`` of the places 0 … 1; a periodic window is the beginning of one longer by one."""
    count = whole(length, "window_length")
    if count < 0:
        raise ValueError(say("errors.window_length", got=count))
    limited("window_length", count, count)
    if count < 2:
        return wrap(np.ones(count, as_dtype(dtype).numpy))
    places = np.arange(count) / (count - (not periodic))
    return wrap(weight(places).astype(as_dtype(dtype).numpy))


@public("hamming_window")
def hamming_window(
    window_length: int, periodic: bool = True, alpha: float = 0.54, beta: float = 0.46, *, dtype: Any = None
) -> Tensor:
    """α − β cos 2πt."""
    return _window(window_length, periodic, dtype or float32, lambda t: alpha - beta * np.cos(2 * np.pi * t))


@public("hann_window")
def hann_window(window_length: int, periodic: bool = True, *, dtype: Any = None) -> Tensor:
    """½ − ½ cos 2πt, Float64 by default."""
    return _window(window_length, periodic, dtype or float64, lambda t: 0.5 - 0.5 * np.cos(2 * np.pi * t))


@public("blackman_window")
def blackman_window(window_length: int, periodic: bool = True, *, dtype: Any = None) -> Tensor:
    """0.42 − 0.5 cos 2πt + 0.08 cos 4πt."""
    return _window(
        window_length, periodic, dtype or float32,
        lambda t: 0.42 - 0.5 * np.cos(2 * np.pi * t) + 0.08 * np.cos(4 * np.pi * t),
    )  # fmt: skip


@public("bartlett_window")
def bartlett_window(window_length: int, periodic: bool = True, *, dtype: Any = None) -> Tensor:
    """A triangle: 1 − |2t − 1|."""
    return _window(window_length, periodic, dtype or float32, lambda t: 1 - np.abs(2 * t - 1))


@public("kaiser_window")
def kaiser_window(window_length: int, periodic: bool = True, beta: float = 12.0, *, dtype: Any = None) -> Tensor:
    """I₀(β √(1 − (2t − 1)²)) / I₀(β), I₀ being the modified Bessel function; Float64 by default."""
    return _window(
        window_length, periodic, dtype or float64,
        lambda t: np.i0(beta * np.sqrt(np.maximum(1 - (2 * t - 1) ** 2, 0))) / np.i0(beta),
    )  # fmt: skip


@public(primitive="HammingWindow", init=("periodic", "alpha", "beta", "dtype"))
def _hamming_window(
    length: Any, periodic: bool = True, alpha: float = 0.54, beta: float = 0.46, dtype: Any = float32
) -> Tensor:
    """``hamming_window``."""
    return hamming_window(length, periodic, alpha, beta, dtype=dtype)


@public(primitive="BlackmanWindow", init=("periodic", "dtype"))
def _blackman_window(window_length: Any, periodic: bool = True, dtype: Any = float32) -> Tensor:
    """``blackman_window``."""
    return blackman_window(window_length, periodic, dtype=dtype)


@public(primitive="BartlettWindow", init=("periodic", "dtype"))
def _bartlett_window(window_length: Any, periodic: bool = True, dtype: Any = float32) -> Tensor:
    """``bartlett_window``."""
    return bartlett_window(window_length, periodic, dtype=dtype)
