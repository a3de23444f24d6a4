"""The gradient of a program as a program of its own: what is drawn as the graph of the gradient."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from ..autodiff import grad
from ..texts import say
from .program import Program

MOST_ORDERS = 3


def gradient_program(program: Program, order: int = 1) -> Callable[..., Any]:
    """The function of ``program``'s inputs that returns its gradient, or the gradient of the gradient's sum, and so on.

    By the float inputs; where there are none (a net of indices), by the Parameters.

    Raises:
        ValueError: the order is not 1, 2 or 3, or there is nothing to differentiate by.
    """
    if order not in range(1, MOST_ORDERS + 1):
        raise ValueError(say("lens.gradient_order", most=MOST_ORDERS, got=repr(order)))
    floats = program.float_positions()
    weights = [p for p, _ in program.parameter_names() if p.requires_grad]
    if not floats and not weights:
        raise ValueError(say("lens.gradient_of_nothing", title=program.title))

    def run(*inputs: Any) -> Any:
        return program.forward(inputs, program.targets)

    function: Callable[..., Any] = run
    for _ in range(order):
        function = grad(function, tuple(floats)) if floats else grad(function, None, weights=weights)

    def gradient(*inputs: Any) -> Any:
        return function(*inputs)

    with suppress(TypeError, ValueError):  # inputs are called what the net calls them
        gradient.__signature__ = inspect.signature(getattr(program.net, "construct", program.net))  # type: ignore[attr-defined]
    gradient.__name__ = say(f"lens.gradient_title_{order}", title=program.title)
    return gradient
