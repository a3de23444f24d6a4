"""``grad`` and ``value_and_grad``: differentiate what a function returns, summed, by its arguments and Parameters."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from typing import Any

from ..core.tensor import Tensor
from ..texts import say
from .recorded import Recorded

Positions = int | tuple[int, ...] | None


def shaped(by_input: Any, by_weight: Any, one_input: bool, one_weight: bool) -> Any:
    """What the user gets: gradients by arguments or by Parameters (None: not asked), or the pair of both.

    A tuple each, or the bare gradient where one was asked for.
    """
    by_input = by_input[0] if one_input and by_input is not None else by_input
    by_weight = by_weight[0] if one_weight and by_weight is not None else by_weight
    if by_input is None or by_weight is None:
        return by_weight if by_input is None else by_input
    return by_input, by_weight


def checked_positions(grad_position: Positions) -> tuple[int, ...] | None:
    """One position or several as a tuple; None: none."""
    if grad_position is None:
        return None
    positions = grad_position if isinstance(grad_position, tuple) else (grad_position,)
    for p in positions:
        if isinstance(p, bool) or not isinstance(p, int):
            raise TypeError(say("errors.position_kind", got=repr(p)))
        if p < 0:
            raise ValueError(say("errors.position_negative", got=p))
    if len(set(positions)) != len(positions):
        raise ValueError(say("errors.position_twice", got=positions))
    return positions


def _by_position(fn: Callable[..., Any], args: Any, kwargs: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    """Arguments given by keyword moved to their positions, as far as ``fn`` tells its parameters."""
    try:
        signature = inspect.signature(getattr(fn, "construct", fn))
        bound = signature.bind(*args, **kwargs)
    except (TypeError, ValueError):  # the call itself will say what is wrong
        return args, kwargs
    return bound.args, bound.kwargs


def checked_weights(weights: Any) -> tuple[Tensor, ...]:
    """One Parameter, several or None as a tuple; TypeError for anything else."""
    if weights is None:
        return ()
    found = tuple(weights) if isinstance(weights, Iterable) and not isinstance(weights, Tensor) else (weights,)
    for w in found:
        if not (isinstance(w, Tensor) and w.is_parameter):
            raise TypeError(say("errors.weight_type", got=type(w).__name__))
    return found


def without_seeds(args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any], Any]:
    """The arguments of the function itself, and the gradient that came after them (or as ``sens=``)."""
    if "sens" in kwargs:
        sens, kwargs = kwargs["sens"], {name: value for name, value in kwargs.items() if name != "sens"}
    elif args:
        sens, args = args[-1], args[:-1]
    else:
        raise TypeError(say("errors.sens_missing"))
    return args, kwargs, Tensor(sens) if isinstance(sens, (int, float)) else sens


def check_function(fn: object, where: str) -> None:
    """TypeError, at once, for what cannot be called: a result in the place of its function, mostly."""
    if not callable(fn):
        raise TypeError(say("errors.not_a_function", where=where, got=type(fn).__name__))


def value_and_grad(
    fn: Callable[..., Any], grad_position: Positions = 0, weights: Any = None, has_aux: bool = False,
    return_ids: bool = False, sens_param: bool = False,
) -> Callable[..., Any]:  # fmt: skip
    """A function that returns ``(value, gradients)`` of ``fn``.

    The gradient is that of the sum of everything ``fn`` returns. It has the shape and dtype of what it is taken by.
    A function that returns None gets a warning and zeros.

    Args:
        fn: function, Cell or any callable of Tensors.
        grad_position: position, or tuple of positions, of the arguments to differentiate by; None: none.
        weights: Parameter, or sequence of Parameters, to differentiate by.
        has_aux: only the first output is differentiated; the others are returned as they are.
        return_ids: give each gradient as a pair ``(position or parameter name, Tensor)``.
        sens_param: the last argument of the gradient function (or ``sens=``) is the gradient that arrives at the
            output, instead of ones.

    Returns:
        Gradients by argument: a Tensor for one position, a tuple for several. By weight: a Tensor for one
        Parameter, a tuple for a sequence. Both asked: a pair of these.

    Raises:
        ValueError: nothing to differentiate by, a negative or repeated position, or ``has_aux`` with one output.
        TypeError: a position that is not an int, an argument there that is no float Tensor, a weight that is
            no Parameter.
        RuntimeError: fewer arguments than a position.
    """
    check_function(fn, "grad")
    positions = checked_positions(grad_position)
    if not positions and weights is None:
        raise ValueError(say("errors.nothing_to_differentiate"))
    params = checked_weights(weights)
    one_weight = isinstance(weights, Tensor)

    def with_gradients(*args: Any, **kwargs: Any) -> Any:
        args, kwargs, seeds = without_seeds(args, kwargs) if sens_param else (args, kwargs, None)
        if kwargs and positions and max(positions) >= len(args):
            args, kwargs = _by_position(fn, args, kwargs)
        call = Recorded(fn, args, kwargs, positions, has_aux)
        by_position, by_weight = call.gradients(seeds, params)
        inputs: Any = None if positions is None else by_position
        named: Any = None if weights is None else by_weight
        if return_ids:
            inputs = positions and tuple(zip(positions, by_position, strict=True))
            named = named and tuple((w.name, g) for w, g in zip(params, by_weight, strict=True))
        return call.result, shaped(inputs, named, positions is not None and len(positions) == 1, one_weight)

    with_gradients.__name__ = f"value_and_grad({getattr(fn, '__name__', type(fn).__name__)})"
    return with_gradients


def grad(
    fn: Callable[..., Any], grad_position: Positions = 0, weights: Any = None, has_aux: bool = False,
    return_ids: bool = False, sens_param: bool = False,
) -> Callable[..., Any]:  # fmt: skip
    """A function that returns the gradients of ``fn``; with ``has_aux``: ``(gradients, (aux…))``.

    Arguments and errors are those of :func:`value_and_grad`.
    """
    both = value_and_grad(fn, grad_position, weights, has_aux, return_ids, sens_param)

    def gradients(*args: Any, **kwargs: Any) -> Any:
        value, found = both(*args, **kwargs)
        return (found, value[1:]) if has_aux else found

    gradients.__name__ = f"grad({getattr(fn, '__name__', type(fn).__name__)})"
    return gradients


def get_grad(gradients: Any, identifier: Any) -> Tensor:
    """The gradient of a position or Parameter out of a result made with ``return_ids=True``."""
    key = identifier.name if isinstance(identifier, Tensor) else identifier
    if isinstance(gradients, tuple) and len(gradients) == 2 and isinstance(gradients[1], Tensor):
        if gradients[0] == key and type(gradients[0]) is type(key):
            return gradients[1]
    elif isinstance(gradients, tuple):
        for item in gradients:
            try:
                return get_grad(item, identifier)
            except RuntimeError:
                continue
    raise RuntimeError(say("errors.get_grad", name=key))
