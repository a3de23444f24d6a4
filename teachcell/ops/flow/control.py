"""Functions of functions: mapping over containers, choosing by type, loops, and a word into the backward pass.

Python's own ``for``, ``while`` and ``map`` do all this too; the names are here for code that uses them.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...core.define import define
from ...core.public import PRIMITIVES, public
from ...core.tensor import Tensor, wrap
from ...texts import say

insert_gradient_of = define(
    "insert_gradient_of", lambda x, f: x, (lambda F, g, out, x, f: f(g),), keeps="", boxed=True, names=(),
    undo=lambda base, new, f: new, label="InsertGradientOf", primitive="InsertGradientOf",
    card=("y = x", "∂x = f(g)"), source="{chain_rule}",
)  # fmt: skip


@public("partial", primitive="Partial")
def partial(func: Callable[..., Any], *args: Any, **kwargs: Any) -> Callable[..., Any]:
    """``func`` with its first arguments (and keywords) given."""
    if not callable(func):
        raise TypeError(say("errors.not_a_function", where="partial", got=type(func).__name__))
    return functools.partial(func, *args, **kwargs)


@public("depend", primitive="Depend")
def depend(value: Any, expr: Any) -> Any:
    """``value``: what ``expr`` stands for has run already, since everything runs in order."""
    return value


@public("print_", primitive="Print")
def print_(*values: Any) -> None:
    """Print Tensors, with shape and type, and text: each in lines of its own, now."""
    # Wrapped, since the text of a Parameter leaves its values out.
    print(*[repr(wrap(v._array)) if isinstance(v, Tensor) else v for v in values], sep="\n")


class _Mapping:
    """A function applied to members of containers.

    Args:
        ops: the function; without one it is the first argument of the call.
        reverse: begin with the last member; the result keeps the order.
    """

    deep = False

    def __init__(self, ops: Callable[..., Any] | None = None, reverse: bool = False):
        self.ops, self.reverse = ops, reverse

    def __call__(self, *args: Any) -> Any:
        function, containers = (args[0], args[1:]) if self.ops is None else (self.ops, args)
        name = type(self).__name__
        if not callable(function):
            raise TypeError(say("errors.not_a_function", where=name, got=type(function).__name__))
        if self.deep and containers and not any([isinstance(c, (tuple, list)) for c in containers]):
            return function(*containers)
        if not containers or not isinstance(containers[0], (tuple, list)):
            raise TypeError(say("errors.map_containers", name=name, got=[type(c).__name__ for c in containers]))
        return self._map(function, containers)

    def _map(self, function: Callable[..., Any], containers: Sequence[Any]) -> tuple[Any, ...]:
        lengths = [len(c) if isinstance(c, (tuple, list)) else type(c).__name__ for c in containers]
        if len(set(lengths)) != 1:
            raise ValueError(say("errors.map_lengths", name=type(self).__name__, got=lengths))
        rows = list(zip(*containers, strict=True))
        found = [self._apply(function, row) for row in (reversed(rows) if self.reverse else rows)]
        return tuple(reversed(found) if self.reverse else found)

    def _apply(self, function: Callable[..., Any], row: Sequence[Any]) -> Any:
        nested = self.deep and isinstance(row[0], (tuple, list))
        return self._map(function, row) if nested else function(*row)


class Map(_Mapping):
    """A function applied to the members of tuples or lists: ``Map()(f, (a, b), (c, d))`` is ``(f(a, c), f(b, d))``."""


class HyperMap(_Mapping):
    """A function applied to all members of nested tuples or lists of one structure; the result is nested so too.

    What is in none is one member: ``HyperMap()(f, x)`` is ``f(x)``.
    """

    deep = True


_NAMES: dict[str, Callable[[Any], bool]] = {
    "Tensor": lambda x: isinstance(x, Tensor),
    "Parameter": lambda x: isinstance(x, Tensor) and x.is_parameter,
    "Bool": lambda x: isinstance(x, bool),
    "Number": lambda x: isinstance(x, (int, float, np.number)),
    "Int": lambda x: isinstance(x, (int, np.integer)) and not isinstance(x, bool),
    "Float": lambda x: isinstance(x, (float, np.floating)),
    "Tuple": lambda x: isinstance(x, tuple),
    "List": lambda x: isinstance(x, list),
    "Dictionary": lambda x: isinstance(x, dict),
    "String": lambda x: isinstance(x, str),
    "None": lambda x: x is None,
    "Function": callable,
}


class MultitypeFuncGraph:
    """A function that chooses its body by the types of its arguments.

    Args:
        name: its name.
        read_value: accepted for old code; without effect.

    Example:
        ``add = MultitypeFuncGraph("add")``, then ``@add.register("Number", "Tensor")`` above each body.
    """

    def __init__(self, name: str, read_value: bool = False):
        self.name = name
        self.bodies: list[tuple[tuple[Any, ...], Callable[..., Any]]] = []

    def register(self, *kinds: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        """Decorate the body for arguments of these kinds: ``"Tensor"``, ``"Number"``, ``"Tuple"`` … or classes."""
        for kind in kinds:
            if not (isinstance(kind, type) or kind in _NAMES):
                raise ValueError(say("errors.multitype_kind", got=repr(kind), known=", ".join(_NAMES)))

        def keep(body: Callable[..., Any]) -> Callable[..., Any]:
            self.bodies.append((kinds, body))
            return body

        return keep

    def __call__(self, *args: Any) -> Any:
        for kinds, body in self.bodies:
            if len(kinds) == len(args) and all(_is(arg, kind) for arg, kind in zip(args, kinds, strict=True)):
                return body(*args)
        got = ", ".join(type(a).__name__ for a in args)
        known = "; ".join(", ".join(getattr(k, "__name__", str(k)) for k in kinds) for kinds, _ in self.bodies)
        raise ValueError(say("errors.multitype", name=self.name, got=got, known=known))


def _is(value: Any, kind: Any) -> bool:
    return isinstance(value, kind) if isinstance(kind, type) else _NAMES[kind](value)


@public(primitive="ForiLoop")
def _fori_loop(lower: int, upper: int, loop_func: Callable[..., Any], init_val: Any, unroll: bool = True) -> Any:
    """``for i in range(lower, upper): value = loop_func(i, value)``, beginning with ``init_val``."""
    value = init_val
    for i in range(int(lower), int(upper)):
        value = loop_func(i, value)
    return value


@public(primitive="WhileLoop")
def _while_loop(cond_func: Callable[..., Any], loop_func: Callable[..., Any], init_val: Any) -> Any:
    """``while cond_func(value): value = loop_func(value)``, beginning with ``init_val``."""
    value = init_val
    while cond_func(value):
        value = loop_func(value)
    return value


@public(primitive="Scan")
def _scan(
    loop_func: Callable[..., Any], init: Any, xs: Any, length: int | None = None, unroll: bool = True
) -> tuple[Any, list[Any]]:
    """``carry, y = loop_func(carry, x)`` for each ``x``, without ``xs`` ``length`` times with None.

    Returns:
        The last ``carry``, and all ``y`` as a list.
    """
    carry, found = init, []
    for x in [None] * int(length or 0) if xs is None else xs:
        carry, y = loop_func(carry, x)
        found.append(y)
    return carry, found


PRIMITIVES |= {"HyperMap": HyperMap, "Map": Map, "MultitypeFuncGraph": MultitypeFuncGraph}
