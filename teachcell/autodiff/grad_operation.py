"""GradOperation: the object form of ``grad``, with a seed given at the call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..core.tensor import Tensor
from ..texts import say
from .grad import Derivative, _weights


class GradOperation:
    """Makes gradient functions.

    Args:
        get_all: gradients by all arguments (a tuple) instead of the first one.
        get_by_list: gradients by Parameters, given as second argument: ``op(net, params)``.
        sens_param: the last argument of the gradient function is the gradient that arrives at the output.

    With ``get_all`` and ``get_by_list`` the result is a pair (by arguments, by Parameters).
    """

    def __init__(self, get_all: bool = False, get_by_list: bool = False, sens_param: bool = False):
        for name, flag in (("get_all", get_all), ("get_by_list", get_by_list), ("sens_param", sens_param)):
            if not isinstance(flag, bool):
                raise TypeError(say("errors.flag", name=name, got=repr(flag)))
        self.get_all, self.get_by_list, self.sens_param = get_all, get_by_list, sens_param

    def __call__(self, fn: Callable[..., Any], weights: Any = None) -> Callable[..., Any]:
        """The gradient function of ``fn``."""
        if self.get_by_list and weights is None:
            raise ValueError(say("errors.get_by_list"))
        single = isinstance(weights, Tensor)
        params = _weights(weights) if self.get_by_list else []

        def gradients(*args: Any, **kwargs: Any) -> Any:
            seeds = None
            if self.sens_param:
                args, seeds = args[:-1], args[-1]
            call = Derivative(fn, self._positions(args), params)
            call.run(args, kwargs, seeds=seeds)
            by_weight = call.by_weight[0] if single else call.by_weight
            if not self.get_by_list:
                return call.by_position if self.get_all else call.by_position[0]
            return (call.by_position, by_weight) if self.get_all else by_weight

        return gradients

    def _positions(self, args: tuple[Any, ...]) -> tuple[int, ...] | None:
        if self.get_all:
            return tuple(i for i, a in enumerate(args) if isinstance(a, Tensor) and a._array.dtype.kind == "f")
        return None if self.get_by_list else (0,)
