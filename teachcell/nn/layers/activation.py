"""Activations as Cells, and the one of a given name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...core.record import operand
from ...core.tensor import Tensor
from ...ops.elementwise import activation, piecewise
from ...ops.neural.softmax import log_softmax, softmax, softmin
from ...texts import say
from ..cell import Cell
from ..initializer import initializer
from ..parameter import Parameter
from .checks import positive_int


class _Activation(Cell):
    """A Cell around one function without further arguments."""

    function: Callable[[Tensor], Tensor]

    def construct(self, x: Tensor) -> Tensor:
        """Same shape."""
        return self.function(x)


class ReLU(_Activation):
    """max(x, 0)."""

    function = staticmethod(piecewise.relu)


class ReLU6(_Activation):
    """min(max(x, 0), 6)."""

    function = staticmethod(piecewise.relu6)


class Sigmoid(_Activation):
    """1 / (1 + e⁻ˣ)."""

    function = staticmethod(activation.sigmoid)


class Tanh(_Activation):
    """tanh x."""

    function = staticmethod(activation.tanh)


class LogSigmoid(_Activation):
    """ln σ(x)."""

    function = staticmethod(activation.logsigmoid)


class SiLU(_Activation):
    """x · σ(x)."""

    function = staticmethod(activation.silu)


class Mish(_Activation):
    """x · tanh(ln(1 + eˣ))."""

    function = staticmethod(activation.mish)


class SeLU(_Activation):
    """λ · ELU(x) with the λ and α that keep mean 0 and variance 1 over many layers."""

    function = staticmethod(activation.selu)


class Softsign(_Activation):
    """x / (1 + |x|)."""

    function = staticmethod(activation.softsign)


class Tanhshrink(_Activation):
    """x − tanh x."""

    function = staticmethod(activation.tanhshrink)


class FastGelu(_Activation):
    """x · σ(1.702 · x)."""

    function = staticmethod(activation.fast_gelu)


class HSigmoid(_Activation):
    """min(max(x / 6 + ½, 0), 1)."""

    function = staticmethod(piecewise.hardsigmoid)


class HSwish(_Activation):
    """x · min(max(x / 6 + ½, 0), 1)."""

    function = staticmethod(piecewise.hardswish)


class LeakyReLU(Cell):
    """x where x > 0, else alpha · x."""

    def __init__(self, alpha: float = 0.2):
        super().__init__()
        self.alpha = alpha

    def construct(self, x: Tensor) -> Tensor:
        """Same shape."""
        return piecewise.leaky_relu(x, self.alpha)


class RReLU(Cell):
    """x where x > 0, else x times a slope that is drawn evenly from [lower, upper] for each element and call."""

    def __init__(self, lower: float = 1 / 8, upper: float = 1 / 3):
        super().__init__()
        self.lower, self.upper = lower, upper

    def construct(self, x: Tensor) -> Tensor:
        """Same shape."""
        return piecewise.rrelu(x, self.lower, self.upper)


class ELU(Cell):
    """x where x ≥ 0, else alpha · (eˣ − 1)."""

    def __init__(self, alpha: float = 1.0):
        super().__init__()
        self.alpha = alpha

    def construct(self, x: Tensor) -> Tensor:
        """Same shape."""
        return activation.elu(x, self.alpha)


class CELU(Cell):
    """x where x ≥ 0, else alpha · (e^(x / alpha) − 1)."""

    def __init__(self, alpha: float = 1.0):
        super().__init__()
        self.alpha = alpha

    def construct(self, x: Tensor) -> Tensor:
        """Same shape."""
        return activation.celu(x, self.alpha)


class GELU(Cell):
    """x · Φ(x), by default in its tanh approximation (``ops.gelu`` is exact by default)."""

    def __init__(self, approximate: bool = True):
        super().__init__()
        self.approximate = approximate

    def construct(self, x: Tensor) -> Tensor:
        """Same shape."""
        return activation.gelu(x, "tanh" if self.approximate else "none")


class GLU(Cell):
    """The first half of an axis times the sigmoid of the second."""

    def __init__(self, axis: int = -1):
        super().__init__()
        self.axis = axis

    def construct(self, x: Tensor) -> Tensor:
        """The axis comes out half as long."""
        return activation.glu(x, self.axis)


class Hardtanh(Cell):
    """x limited to [min_val, max_val]."""

    def __init__(self, min_val: float = -1.0, max_val: float = 1.0):
        super().__init__()
        self.min_val, self.max_val = min_val, max_val

    def construct(self, x: Tensor) -> Tensor:
        """Same shape."""
        return piecewise.hardtanh(x, self.min_val, self.max_val)


class HShrink(Cell):
    """x where |x| > lambd, else 0."""

    def __init__(self, lambd: float = 0.5):
        super().__init__()
        self.lambd = lambd

    def construct(self, x: Tensor) -> Tensor:
        """Same shape."""
        return piecewise.hardshrink(x, self.lambd)


class SoftShrink(Cell):
    """x moved towards 0 by lambd, 0 where |x| ≤ lambd."""

    def __init__(self, lambd: float = 0.5):
        super().__init__()
        self.lambd = lambd

    def construct(self, x: Tensor) -> Tensor:
        """Same shape."""
        return piecewise.softshrink(x, self.lambd)


class Threshold(Cell):
    """x where x > threshold, else value."""

    def __init__(self, threshold: float, value: float):
        super().__init__()
        self.threshold, self.value = threshold, value

    def construct(self, x: Tensor) -> Tensor:
        """Same shape."""
        return piecewise.threshold(x, self.threshold, self.value)


class PReLU(Cell):
    """x where x > 0, else a · x with a learned slope a.

    Args:
        channel: 1, or the length of axis 1: a slope for each channel.
        w: the first slope: a number, or a Tensor or list (channel,).

    Attributes:
        a: (channel,), the slopes.
    """

    def __init__(self, channel: int = 1, w: Any = 0.25):
        super().__init__()
        shape = (positive_int("PReLU", "channel", channel),)
        self.a = Parameter(initializer(Tensor(w) if isinstance(w, (list, tuple, np.ndarray)) else w, shape), name="a")

    def construct(self, x: Tensor) -> Tensor:
        """Same shape."""
        return piecewise.prelu(x, self.a)


class Softmax(Cell):
    """eˣ / Σ eˣ along ``axis``."""

    def __init__(self, axis: int = -1):
        super().__init__()
        self.axis = axis

    def construct(self, x: Tensor) -> Tensor:
        """Same shape."""
        return softmax(x, self.axis)


class Softmin(Cell):
    """The softmax of −x along ``axis``."""

    def __init__(self, axis: int = -1):
        super().__init__()
        self.axis = axis

    def construct(self, x: Tensor) -> Tensor:
        """Same shape."""
        return softmin(x, self.axis)


class LogSoftmax(Cell):
    """x − ln Σ eˣ along ``axis``."""

    def __init__(self, axis: int = -1):
        super().__init__()
        self.axis = axis

    def construct(self, x: Tensor) -> Tensor:
        """Same shape."""
        return log_softmax(x, self.axis)


class Softmax2d(Cell):
    """eˣ / Σ eˣ over the channels of (N, C, H, W) or (C, H, W)."""

    def construct(self, x: Tensor) -> Tensor:
        """Same shape."""
        x = operand(x)
        if x.ndim not in (3, 4):
            raise ValueError(say("errors.softmax2d_axes", shape=x.shape))
        return softmax(x, -3)


_NAMED: tuple[type[Cell], ...] = (
    ReLU, ReLU6, Sigmoid, Tanh, LogSigmoid, SiLU, Mish, SeLU, Softsign, Tanhshrink, HSigmoid, HSwish, LeakyReLU, RReLU,
    ELU, CELU, GELU, GLU, Hardtanh, HShrink, SoftShrink, PReLU, Softmax, Softmin, LogSoftmax, Softmax2d,
)  # fmt: skip
_BY_NAME: dict[str, type[Cell]] = {cls.__name__.lower(): cls for cls in _NAMED} | {"fast_gelu": FastGelu}


def get_activation(name: str | None) -> Cell | None:
    """A new activation Cell by its lower-case name, ``"leakyrelu"``; None for None, KeyError for an unknown one."""
    if name is None:
        return None
    if name not in _BY_NAME:
        raise KeyError(say("errors.activation", got=repr(name), known=", ".join(_BY_NAME)))
    return _BY_NAME[name]()


def chosen_activation(cls: str, given: Any) -> Any:
    """What a layer's argument ``activation`` stands for: a new Cell for a name, else itself; TypeError for a class of
    Cells and for what cannot be called."""
    if isinstance(given, str):
        return get_activation(given)
    if given is not None and (isinstance(given, type) or not callable(given)):
        raise TypeError(say("errors.activation_kind", cls=cls, got=getattr(given, "__name__", repr(given))))
    return given
