"""``gradcheck``: a gradient beside a numeric one, in float64, to second order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..core.nested import tensors_in
from ..core.tensor import Tensor, wrap
from ..kernels import random
from ..texts import say
from .grad import grad


def numeric_gradient(
    f: Callable[[np.ndarray], float], x: np.ndarray, h: float = 1e-5, places: Sequence[tuple[int, ...]] | None = None
) -> np.ndarray:
    """Central differences of ``f`` at ``x`` (float64), at all elements or at ``places`` (the others are 0).

    (f(x + h) − f(x − h)) / 2h, with h relative to the element's size; the error falls as h².
    """
    gradient = np.zeros_like(x)
    for place in np.ndindex(x.shape) if places is None else places:
        old = x[place]
        step = h * max(1.0, abs(old))
        x[place] = old + step
        above = f(x)
        x[place] = old - step
        below = f(x)
        x[place] = old
        gradient[place] = (above - below) / (2 * step)
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
    """
    tensors = [as_float64(t) for t in inputs]
    value = _weighed(fn)
    _compare(value, tensors, rtol, atol)
    if order > 1:
        for i in _floats(tensors):
            _compare(_weighed(grad(value, i)), tensors, rtol * 10, atol * 10)
    return True


def _weighed(fn: Callable[..., Any]) -> Callable[..., Tensor]:
    """``fn`` with its float outputs summed, each element times a fixed random weight."""
    draws = np.random.default_rng(7)
    weights: list[Tensor] = []

    def value(*args: Tensor) -> Tensor:
        outputs = [t for t in tensors_in(fn(*args)) if t._array.dtype.kind == "f"]
        for t in outputs[len(weights) :]:
            weights.append(wrap(draws.uniform(0.5, 1.5, t.shape)))
        return sum(((t * w).sum() for t, w in zip(outputs, weights, strict=True)), wrap(np.zeros(())))

    return value


def _floats(tensors: Sequence[Tensor]) -> list[int]:
    return [i for i, t in enumerate(tensors) if t._array.dtype.kind == "f"]


def _compare(value: Callable[..., Tensor], tensors: list[Tensor], rtol: float, atol: float) -> None:
    state = random.state()
    for i in _floats(tensors):
        random.restore(state)
        analytic = grad(value, i)(*tensors)._array

        def at(array: np.ndarray, i: int = i) -> float:
            random.restore(state)
            return float(value(*tensors[:i], wrap(array), *tensors[i + 1 :])._array)

        numeric = numeric_gradient(at, tensors[i]._array.copy())
        error = np.abs(analytic - numeric) - (atol + rtol * np.abs(numeric))
        if not (error <= 0).all():
            worst = np.unravel_index(int(np.argmax(np.where(np.isnan(error), np.inf, error))), error.shape)
            place, got, wanted = tuple(map(int, worst)), analytic[worst], numeric[worst]
            raise AssertionError(say("errors.gradcheck", position=i, place=place, got=got, wanted=wanted))
