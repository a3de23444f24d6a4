"""Initial values by name or object: ones, zeros, normal, uniform, Xavier, He, truncated normal."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..core.dtypes import as_dtype, float32
from ..core.tensor import Tensor, wrap
from ..kernels import random
from ..texts import say

Shape = tuple[int, ...]


class Initializer:
    """Makes an array of a given shape."""

    def draw(self, shape: Shape) -> np.ndarray:
        """A float64 array of ``shape``."""
        raise NotImplementedError


class Constant(Initializer):
    """One value everywhere."""

    def __init__(self, value: float):
        self.value = value

    def draw(self, shape: Shape) -> np.ndarray:
        return np.full(shape, self.value, np.float64)


class One(Constant):
    """Ones."""

    def __init__(self) -> None:
        super().__init__(1.0)


class Zero(Constant):
    """Zeros."""

    def __init__(self) -> None:
        super().__init__(0.0)


class Normal(Initializer):
    """Normal distribution with standard deviation ``sigma`` around ``mean``."""

    def __init__(self, sigma: float = 0.01, mean: float = 0.0):
        self.sigma, self.mean = sigma, mean

    def draw(self, shape: Shape) -> np.ndarray:
        return random.generator().normal(self.mean, self.sigma, shape)


class TruncatedNormal(Normal):
    """Normal distribution, drawn again outside [a, b]."""

    def __init__(self, sigma: float = 0.01, mean: float = 0.0, a: float = -2.0, b: float = 2.0):
        super().__init__(sigma, mean)
        self.a, self.b = a, b

    def draw(self, shape: Shape) -> np.ndarray:
        values = super().draw(shape)
        while (outside := (values < self.a) | (values > self.b)).any():
            values[outside] = super().draw((int(outside.sum()),))
        return values


class Uniform(Initializer):
    """Uniform on [−scale, scale]."""

    def __init__(self, scale: float = 0.07):
        self.scale = scale

    def draw(self, shape: Shape) -> np.ndarray:
        return random.generator().uniform(-self.scale, self.scale, shape)


def fans(shape: Shape) -> tuple[float, float]:
    """Inputs and outputs per unit of a weight (out, in, receptive field …)."""
    if len(shape) < 2:
        raise ValueError(say("errors.fan_shape", shape=shape))
    field = math.prod(shape[2:])
    return shape[1] * field, shape[0] * field


class XavierUniform(Initializer):
    """Uniform within gain · √(6 / (fan_in + fan_out))  (Glorot and Bengio, 2010)."""

    def __init__(self, gain: float = 1.0):
        self.gain = gain

    def draw(self, shape: Shape) -> np.ndarray:
        return Uniform(self.gain * math.sqrt(6 / sum(fans(shape)))).draw(shape)


_GAINS = {"linear": 1.0, "sigmoid": 1.0, "tanh": 5 / 3, "relu": math.sqrt(2), "leaky_relu": math.sqrt(2)}


class _He(Initializer):
    def __init__(self, negative_slope: float = 0.0, mode: str = "fan_in", nonlinearity: str = "leaky_relu"):
        if mode not in ("fan_in", "fan_out"):
            raise ValueError(say("errors.fan_mode", got=repr(mode)))
        if nonlinearity not in _GAINS:
            raise ValueError(say("errors.nonlinearity", got=repr(nonlinearity), known=", ".join(_GAINS)))
        self.negative_slope, self.mode, self.nonlinearity = negative_slope, mode, nonlinearity

    def std(self, shape: Shape) -> float:
        """gain / √fan, for leaky_relu with the gain √(2 / (1 + slope²))  (He et al., 2015)."""
        leaky = self.nonlinearity == "leaky_relu"
        gain = math.sqrt(2 / (1 + self.negative_slope**2)) if leaky else _GAINS[self.nonlinearity]
        return gain / math.sqrt(fans(shape)[self.mode == "fan_out"])


class HeNormal(_He):
    """Normal with He's standard deviation."""

    def draw(self, shape: Shape) -> np.ndarray:
        return Normal(self.std(shape)).draw(shape)


class HeUniform(_He):
    """Uniform with He's standard deviation."""

    def draw(self, shape: Shape) -> np.ndarray:
        return Uniform(math.sqrt(3) * self.std(shape)).draw(shape)


_BY_NAME = {
    "one": One, "ones": One, "zero": Zero, "zeros": Zero, "normal": Normal, "uniform": Uniform,
    "xavier_uniform": XavierUniform, "he_normal": HeNormal, "he_uniform": HeUniform,
    "truncatednormal": TruncatedNormal,
}  # fmt: skip


def initializer(init: Any, shape: int | Sequence[int] | None = None, dtype: Any = None) -> Tensor:
    """A Tensor filled as ``init`` says.

    Args:
        init: a name such as ``"zeros"`` or ``"he_normal"``, a number, an Initializer, or a Tensor of that shape.
        shape: its shape; a Tensor brings its own.
        dtype: its data type; by default Float32, or a Tensor's own.

    Raises:
        ValueError: unknown name, impossible shape, or a Tensor of another shape.
        TypeError: ``init`` or ``shape`` of another kind.
    """
    if isinstance(init, Tensor):
        if shape is not None and _checked_shape(shape) != init.shape:
            raise ValueError(say("errors.init_shape", got=init.shape, wanted=tuple(_checked_shape(shape))))
        return init.copy() if dtype is None else init.astype(dtype).copy()
    if isinstance(init, str):
        kind = _BY_NAME.get(init.lower())
        if kind is None:
            raise ValueError(say("errors.init_name", got=repr(init), known=", ".join(_BY_NAME)))
        init = kind()
    elif isinstance(init, (int, float, np.number)):
        init = Constant(float(init))
    if not isinstance(init, Initializer):
        raise TypeError(say("errors.init_type", got=type(init).__name__))
    return wrap(np.asarray(init.draw(_checked_shape(shape)), as_dtype(dtype or float32).numpy))


def _checked_shape(shape: Any) -> Shape:
    if shape is None:
        raise TypeError(say("errors.shape_kind", got="None"))
    sizes = (shape,) if isinstance(shape, int) else shape
    if isinstance(sizes, str) or not all(isinstance(d, (int, np.integer)) and d >= 0 for d in sizes):
        raise ValueError(say("errors.shape_kind", got=repr(shape)))
    return tuple(int(d) for d in sizes)
