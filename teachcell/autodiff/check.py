"""``gradcheck``: a gradient beside a numeric one, in float64, to second order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..core.nested import tensors_in
from ..core.tensor import Tensor, wrap
from ..kernels import random
from ..texts import say
from .grad import check_function, grad

SMALL = 1e-3  # below this size steps no longer shrink, or rounding would hide the difference


def numeric_gradient(
    f: Callable[[np.ndarray], Any], x: np.ndarray, h: float = 1e-5, places: Sequence[tuple[int, ...]] | None = None
) -> np.ndarray:
    """Central differences of ``f`` at ``x`` (float64), at all elements or at ``places`` (the others are 0).

    (f(x + h·s) − f(x − h·s)) / 2h·s with s the size of the element; the error falls as h². Where ``f`` returns
    several numbers their differences are summed, which loses less to rounding than the difference of sums.
    """
    gradient = np.zeros_like(x)
    for place in np.ndindex(x.shape) if places is None else places:
        old = x[place]
        step = h * max(SMALL, abs(old))
        x[place] = old + step
        above = f(x)
        x[place] = old - step
        below = f(x)
        x[place] = old
        gradient[place] = np.sum(above - below) / (2 * step)
    return gradient


def as_float64(tensor: Tensor) -> Tensor:
    """A float64 copy of a float Tensor; others as they are."""
    return wrap(tensor._array.astype(np.float64)) if tensor._array.dtype.kind == "f" else tensor


def gradcheck(fn: Callable[..., Any], *inputs: Tensor, order: int = 1, rtol: float = 1e-4, atol: float = 1e-6) -> bool:
    """Compare the gradients of ``fn`` with central differences, everything in float64.

    Every element of the output gets a weight of its own, so that a rule that ignores the gradient arriving
    from above, or gives it to the wrong element, is found.

    Args:
        fn: function or Cell of Tensors; random draws are repeated from the same state.
        inputs: Tensors; float ones are checked.
        order: 1, or 2 to check the gradient of the gradient as well.
        rtol, atol: relative and absolute tolerance.

    Returns:
        True.

    Raises:
        AssertionError: a gradient differs; names the input and the worst element.
        TypeError: no function, or an input that is no Tensor.
        ValueError: nothing to check: no float input or output; or another order.
    """
    check_function(fn, "gradcheck")
    for i, t in enumerate(inputs):
        if not isinstance(t, Tensor):
            raise TypeError(say("errors.gradcheck_input", position=i, got=type(t).__name__))
    if order not in (1, 2):
        raise ValueError(say("errors.gradcheck_order", got=repr(order)))
    tensors = [as_float64(t) for t in inputs]
    if not _floats(tensors):
        raise ValueError(say("errors.gradcheck_nothing", what=say("errors.float_input")))
    _compare(_Weighted(fn), tensors, rtol, atol)
    if order > 1:
        for i in _floats(tensors):
            _compare(_Weighted(grad(_Weighted(fn), i)), tensors, rtol * 10, atol * 10)
    return True


class _Weighted:
    """A function's float outputs, each element times a fixed random weight; called: their sum."""

    def __init__(self, fn: Callable[..., Any]):
        self.fn = fn
        self._draws = np.random.default_rng(7)
        self._weights: list[Tensor] = []

    def outputs(self, *args: Tensor) -> list[Tensor]:
        """The weighted outputs."""
        found = [t for t in tensors_in(self.fn(*args)) if t._array.dtype.kind == "f"]
        if not found:
            raise ValueError(say("errors.gradcheck_nothing", what=say("errors.float_output")))
        for t in found[len(self._weights) :]:
            self._weights.append(wrap(self._draws.uniform(0.5, 1.5, t.shape)))
        return [t * w for t, w in zip(found, self._weights, strict=True)]

    def __call__(self, *args: Tensor) -> Tensor:
        first, *others = (t.sum() for t in self.outputs(*args))
        return sum(others, first)


def _floats(tensors: Sequence[Tensor]) -> list[int]:
    return [i for i, t in enumerate(tensors) if t._array.dtype.kind == "f"]


def _compare(value: _Weighted, tensors: list[Tensor], rtol: float, atol: float) -> None:
    state = random.state()
    for i in _floats(tensors):
        random.restore(state)
        analytic = grad(value, i)(*tensors)._array

        def at(array: np.ndarray, i: int = i) -> np.ndarray:
            random.restore(state)
            outputs = value.outputs(*tensors[:i], wrap(array), *tensors[i + 1 :])
            return np.concatenate([t._array.reshape(-1) for t in outputs])

        numeric = numeric_gradient(at, tensors[i]._array.copy())
        error = np.abs(analytic - numeric) - (atol + rtol * np.abs(numeric))
        if not (error <= 0).all():
            worst = np.unravel_index(int(np.argmax(np.where(np.isnan(error), np.inf, error))), error.shape)
            place, got, wanted = tuple(map(int, worst)), analytic[worst], numeric[worst]
            raise AssertionError(say("errors.gradcheck", position=i, place=place, got=got, wanted=wanted))
