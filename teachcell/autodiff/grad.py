"""``grad`` and ``value_and_grad``: differentiate what a function returns, summed, by its arguments and Parameters."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, NoReturn

import numpy as np

from ..core import modes
from ..core.backward import sweep
from ..core.errors import learner_level
from ..core.nested import map_tensors, tensors_in
from ..core.op import Node, next_seq
from ..core.record import LEAF
from ..core.tensor import Tensor, again, node_of, own_handle, wrap
from ..texts import say

Positions = int | tuple[int, ...] | None


class Derivatives(NamedTuple):
    """What one call of a differentiated function gave."""

    value: Any
    by_position: tuple[Tensor, ...]
    by_weight: tuple[Tensor, ...]


def differentiate(
    fn: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any], positions: tuple[int, ...] | None,
    weights: Sequence[Tensor], seeds: Any = None, has_aux: bool = False,
) -> Derivatives:  # fmt: skip
    """One call of ``fn``: leaves, forward under recording, sweep, results.

    Args:
        fn: any callable, called with ``args`` and ``kwargs``.
        positions: positions of the arguments to differentiate by; None: arguments are constants.
        weights: Parameters to differentiate by; read after the forward, which may still add some.
        seeds: gradients that arrive at the outputs; by default ones.
        has_aux: only the first output is differentiated.
    """
    create = modes.recording() is not None
    floor = next_seq()
    slots, inner = _leaves(args, positions, create)
    with modes.record(since=floor):
        value = fn(*inner, **{name: own_handle(a) for name, a in kwargs.items()})
    if has_aux and not (isinstance(value, tuple) and len(value) > 1):
        raise ValueError(say("errors.has_aux"))
    if not isinstance(value, (Tensor, tuple, list, dict, bool, int, float, str)):
        warnings.warn(say("errors.no_value", got=type(value).__name__), stacklevel=learner_level())
    leaf_weights = [w._node for w in weights if w._node is not None]
    leaves = [*slots.values(), *dict.fromkeys(leaf_weights)]
    asked = [*(slots[i] for i in positions or ()), *leaf_weights]
    roots = [
        (tensor._node, seed)
        for tensor, seed in _seeded(value[0] if has_aux else value, seeds, create)
        if tensor._node is not None and (tensor._node.seq > floor or tensor._node in leaves)
    ]
    found = sweep(roots, leaves, floor, create, asked)
    given: set[int] = set()
    by_position = tuple([_taken(found.get(slots[i]), args[i], create, given) for i in positions or ()])
    by_weight = tuple([_taken(w._node and found.get(w._node), w, create, given) for w in weights])
    return Derivatives(value if create else map_tensors(_detached, value), by_position, by_weight)


def shaped(by_input: Any, by_weight: Any, one_input: bool, one_weight: bool) -> Any:
    """What the user gets: gradients by arguments or by Parameters (None: not asked), or the pair of both.

    A tuple each, or the bare gradient where one was asked for.
    """
    by_input = by_input[0] if one_input and by_input is not None else by_input
    by_weight = by_weight[0] if one_weight and by_weight is not None else by_weight
    if by_input is None or by_weight is None:
        return by_weight if by_input is None else by_input
    return by_input, by_weight


def _leaves(args: Sequence[Any], positions: tuple[int, ...] | None, create: bool) -> tuple[dict[int, Node], list[Any]]:
    """A fresh leaf for every float Tensor argument, by slot, so that one Tensor in two slots stays two."""
    inner = [own_handle(a) for a in args]
    slots: dict[int, Node] = {}
    if positions is None:
        return slots, inner
    for i, tensor in enumerate(args):
        if isinstance(tensor, Tensor) and tensor._array.dtype.kind == "f":
            outer = (tensor._node,) if create and node_of(tensor) is not None else ()
            node = slots[i] = Node(LEAF, outer, (tensor._array,), None, None, next_seq(), tensor._array.shape)
            inner[i] = again(tensor, node)
            if tensor._extra is not None and tensor._extra.hooks:
                node.hooks = list(tensor._extra.hooks)  # a hook registered inside the call lasts for the call
    for i in positions:
        if i not in slots:
            _refuse(i, args)
    return slots, inner


def _refuse(i: int, args: Sequence[Any]) -> NoReturn:
    if i >= len(args):
        raise RuntimeError(say("errors.position_range", position=i, count=len(args)))
    if not isinstance(args[i], Tensor):
        raise TypeError(say("errors.position_type", position=i, got=type(args[i]).__name__))
    raise TypeError(say("errors.position_dtype", position=i, dtype=args[i].dtype, shape=args[i].shape))


def _taken(gradient: Any, like: Tensor, create: bool, given: set[int]) -> Tensor:
    """A gradient for the user, in memory of its own: zeros where none arrived, a copy where arrays are shared."""
    if gradient is None:
        return wrap(np.zeros_like(like._array))
    if create:
        return gradient
    array = np.asarray(gradient)
    if not array.flags.owndata or id(array) in given:
        array = array.copy()
    given.add(id(array))
    return wrap(array)


def _seeded(value: Any, given: Any, create: bool) -> list[tuple[Tensor, Any]]:
    """The outputs with the gradients that arrive at them: ones, or those given for ``sens_param``."""
    outputs = [value] if isinstance(value, Tensor) else list(tensors_in(value))
    if given is None:
        ones = [np.ones_like(t._array) for t in outputs]
        return list(zip(outputs, map(wrap, ones) if create else ones, strict=True))
    seeds = list(tensors_in(given))
    if [s.shape for s in seeds] != [t.shape for t in outputs]:
        raise ValueError(say("errors.sens_shape", got=[s.shape for s in seeds], wanted=[t.shape for t in outputs]))
    return [(t, s if create else s._array.astype(t._array.dtype)) for t, s in zip(outputs, seeds, strict=True)]


def _detached(tensor: Tensor) -> Tensor:
    """A Tensor without the graph; Parameters as they are."""
    return tensor if tensor._node is None or tensor.is_parameter else wrap(tensor._array)


def _positions(grad_position: Positions) -> tuple[int, ...] | None:
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


def checked_weights(weights: Any) -> list[Tensor]:
    """One Parameter, several or None as a list; TypeError for anything else."""
    if weights is None:
        return []
    found = [weights] if isinstance(weights, Tensor) else list(weights)
    for w in found:
        if not (isinstance(w, Tensor) and w.is_parameter):
            raise TypeError(say("errors.weight_type", got=type(w).__name__))
    return found


def check_function(fn: object, where: str) -> None:
    """TypeError, at once, for what cannot be called: a result in the place of its function, mostly."""
    if not callable(fn):
        raise TypeError(say("errors.not_a_function", where=where, got=type(fn).__name__))


def value_and_grad(
    fn: Callable[..., Any], grad_position: Positions = 0, weights: Any = None, has_aux: bool = False,
    return_ids: bool = False,
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
    positions = _positions(grad_position)
    if not positions and weights is None:
        raise ValueError(say("errors.nothing_to_differentiate"))
    params = checked_weights(weights)
    one_weight = isinstance(weights, Tensor)

    def with_gradients(*args: Any, **kwargs: Any) -> Any:
        if kwargs and positions and max(positions) >= len(args):
            args, kwargs = _by_position(fn, args, kwargs)
        value, by_position, by_weight = differentiate(fn, args, kwargs, positions, params, has_aux=has_aux)
        inputs: Any = None if positions is None else by_position
        named: Any = None if weights is None else by_weight
        if return_ids:
            inputs = positions and tuple(zip(positions, by_position, strict=True))
            named = named and tuple((w.name, g) for w, g in zip(params, by_weight, strict=True))
        return value, shaped(inputs, named, positions is not None and len(positions) == 1, one_weight)

    with_gradients.__name__ = f"value_and_grad({getattr(fn, '__name__', type(fn).__name__)})"
    return with_gradients


def grad(
    fn: Callable[..., Any], grad_position: Positions = 0, weights: Any = None, has_aux: bool = False,
    return_ids: bool = False,
) -> Callable[..., Any]:  # fmt: skip
    """A function that returns the gradients of ``fn``; with ``has_aux``: ``(gradients, (aux…))``.

    Arguments and errors are those of :func:`value_and_grad`.
    """
    both = value_and_grad(fn, grad_position, weights, has_aux, return_ids)

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
