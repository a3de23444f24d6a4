"""Initial values by name or object: constants, plain distributions, and those that look at a weight's fans.

An Initializer of one's own overrides ``_initialize(self, arr)``; ours override ``draw``, which needs no array first.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..core.dtypes import as_dtype, float32
from ..core.tensor import Tensor, wrap
from ..kernels import random
from ..kernels.arguments import in_interval, one_of
from ..texts import say

Shape = tuple[int, ...]


class Initializer:
    """Makes the first values of a Tensor or Parameter.

    For one of your own override ``_initialize(self, arr)``, which fills an array of zeros in place.

    Args:
        kwargs: the subclass's settings, for old code that passes them on; without effect.
    """

    def __init__(self, **kwargs: Any):
        pass

    def draw(self, shape: Shape) -> np.ndarray:
        """A float64 array of ``shape``."""
        array = np.zeros(shape)
        self._initialize(array)
        return array

    def _initialize(self, arr: np.ndarray) -> None:
        raise NotImplementedError(say("errors.initializer_method", cls=type(self).__name__))


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
    """Normal distribution, drawn again outside [a, b].

    Raises:
        ValueError: if fewer than one draw in a thousand would fall into [a, b].
    """

    def __init__(self, sigma: float = 0.01, mean: float = 0.0, a: float = -2.0, b: float = 2.0):
        super().__init__(sigma, mean)
        self.a, self.b = a, b
        inside = (math.erf((b - mean) / (sigma * math.sqrt(2))) - math.erf((a - mean) / (sigma * math.sqrt(2)))) / 2
        if inside < 1e-3:
            raise ValueError(say("errors.truncation", a=a, b=b, mean=mean, sigma=sigma))

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


class XavierNormal(Initializer):
    """Normal with standard deviation gain · √(2 / (fan_in + fan_out))  (Glorot and Bengio, 2010)."""

    def __init__(self, gain: float = 1.0):
        self.gain = gain

    def draw(self, shape: Shape) -> np.ndarray:
        return Normal(self.gain * math.sqrt(2 / sum(fans(shape)))).draw(shape)


_GAINS = {
    "linear": 1.0, "conv1d": 1.0, "conv2d": 1.0, "conv3d": 1.0, "sigmoid": 1.0, "tanh": 5 / 3,
    "relu": math.sqrt(2), "leaky_relu": math.sqrt(2),
}  # fmt: skip


class _He(Initializer):
    def __init__(self, negative_slope: float = 0.0, mode: str = "fan_in", nonlinearity: str = "leaky_relu"):
        if nonlinearity not in _GAINS:
            raise ValueError(say("errors.nonlinearity", got=repr(nonlinearity), known=", ".join(_GAINS)))
        self.negative_slope, self.nonlinearity = negative_slope, nonlinearity
        self.mode = one_of("mode", mode, ("fan_in", "fan_out"))

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


class VarianceScaling(Initializer):
    """Variance ``scale`` / fan, from one of three distributions.

    Args:
        scale: times what; 1 keeps the variance of a signal that passes the layer, 2 that behind a ReLU.
        mode: ``"fan_in"``, ``"fan_out"`` or ``"fan_avg"``, the mean of both.
        distribution: ``"truncated_normal"`` (drawn again beyond two standard deviations), ``"untruncated_normal"``
            or ``"uniform"``; all three have the same variance.
    """

    TRUNCATED_STD = 0.87962566103423978  # of a standard normal distribution that is cut off at ±2

    def __init__(self, scale: float = 1.0, mode: str = "fan_in", distribution: str = "truncated_normal"):
        in_interval("VarianceScaling.scale", scale, "(0, ∞)")
        self.scale = scale
        self.mode = one_of("mode", mode, ("fan_in", "fan_out", "fan_avg"))
        known = ("truncated_normal", "untruncated_normal", "uniform")
        self.distribution = one_of("distribution", distribution, known)

    def draw(self, shape: Shape) -> np.ndarray:
        fan_in, fan_out = fans(shape)
        fan = {"fan_in": fan_in, "fan_out": fan_out, "fan_avg": (fan_in + fan_out) / 2}[self.mode]
        std = math.sqrt(self.scale / max(fan, 1))
        if self.distribution == "uniform":
            return Uniform(math.sqrt(3) * std).draw(shape)
        if self.distribution == "untruncated_normal":
            return Normal(std).draw(shape)
        sigma = std / self.TRUNCATED_STD
        return TruncatedNormal(sigma, a=-2 * sigma, b=2 * sigma).draw(shape)


class Orthogonal(Initializer):
    """Orthonormal rows or columns, whichever are fewer, times ``gain``  (Saxe et al., 2014).

    A shape of more than two axes is taken as a matrix (shape[0], all others).
    """

    def __init__(self, gain: float = 1.0):
        self.gain = gain

    def draw(self, shape: Shape) -> np.ndarray:
        rows, columns = _matrix_shape(self, shape, range(2, 33))
        normal = random.generator().normal(size=(max(rows, columns), min(rows, columns)))
        q, r = np.linalg.qr(normal)
        q = q * np.where(np.diag(r) < 0, -1, 1)  # without the signs, q would not be uniform among all such matrices
        return self.gain * (q if rows >= columns else q.T).reshape(shape)


class Identity(Initializer):
    """Ones on the diagonal of a matrix."""

    def draw(self, shape: Shape) -> np.ndarray:
        return np.eye(*_matrix_shape(self, shape, (2,)))


class Dirac(Initializer):
    """A convolution's weight (out, in, …) that hands each input channel on unchanged, as far as there are outputs.

    Args:
        groups: the same in each of so many groups of output channels.
    """

    def __init__(self, groups: int = 1):
        self.groups = groups

    def draw(self, shape: Shape) -> np.ndarray:
        _matrix_shape(self, shape, (3, 4, 5))
        if not 0 < self.groups <= shape[0] or shape[0] % self.groups:
            raise ValueError(say("errors.dirac_groups", groups=self.groups, shape=shape))
        array = np.zeros(shape)
        centre = tuple(size // 2 for size in shape[2:])
        outputs = shape[0] // self.groups
        for group in range(self.groups):
            for channel in range(min(outputs, shape[1])):
                array[(group * outputs + channel, channel, *centre)] = 1
        return array


class Sparse(Initializer):
    """A matrix in which each column has the share ``sparsity`` of zeros; the others are normal with ``sigma``.

    (Martens, 2010.)
    """

    def __init__(self, sparsity: float, sigma: float = 0.01):
        in_interval("Sparse.sparsity", sparsity, "[0, 1]")
        self.sparsity, self.sigma = sparsity, sigma

    def draw(self, shape: Shape) -> np.ndarray:
        rows, columns = _matrix_shape(self, shape, (2,))
        array = Normal(self.sigma).draw(shape)
        ranks = random.generator().random((rows, columns)).argsort(axis=0)
        array[ranks < math.ceil(self.sparsity * rows)] = 0
        return array


def _matrix_shape(init: Initializer, shape: Shape, ndims: Sequence[int]) -> tuple[int, int]:
    """``shape`` as rows and columns, if it has an allowed number of axes."""
    if len(shape) not in ndims:
        wanted = ", ".join(map(str, ndims)) if len(ndims) < 4 else f">= {ndims[0]}"
        raise ValueError(say("errors.init_axes", cls=type(init).__name__, wanted=wanted, shape=shape))
    return shape[0], math.prod(shape[1:])


_BY_NAME = {
    "ones": One, "zeros": Zero, "normal": Normal, "uniform": Uniform, "truncated_normal": TruncatedNormal,
    "xavier_uniform": XavierUniform, "xavier_normal": XavierNormal, "he_uniform": HeUniform, "he_normal": HeNormal,
    "variance_scaling": VarianceScaling, "orthogonal": Orthogonal, "identity": Identity, "dirac": Dirac,
    "one": One, "zero": Zero,
}  # fmt: skip
_BY_BARE_NAME = {name.replace("_", ""): kind for name, kind in _BY_NAME.items()}  # "truncatedNormal" is one as well


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
        kind = _BY_BARE_NAME.get(init.lower().replace("_", ""))
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
