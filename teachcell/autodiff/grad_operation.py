"""GradOperation: the object form of ``grad``, with a seed given at the call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..core.tensor import Tensor
from ..texts import say
from .grad import check_function, checked_weights, shaped, without_seeds
from .recorded import Recorded


class GradOperation:
    """Makes gradient functions.

    Args:
        get_all: gradients by all arguments (a tuple) instead of the first one.
        get_by_list: gradients by Parameters, given as second argument: ``op(net, params)``; by default all that the
            Cell ``net`` trains.
        sens_param: the last argument of the gradient function (or ``sens=``) is the gradient that arrives at the
            output.

    With ``get_all`` and ``get_by_list`` the result is a pair (by arguments, by Parameters).
    """

    def __init__(self, get_all: bool = False, get_by_list: bool = False, sens_param: bool = False):
        for name, flag in (("get_all", get_all), ("get_by_list", get_by_list), ("sens_param", sens_param)):
            if not isinstance(flag, bool):
                raise TypeError(say("errors.flag", name=name, got=repr(flag)))
        self.get_all, self.get_by_list, self.sens_param = get_all, get_by_list, sens_param

    def __call__(self, fn: Callable[..., Any], weights: Any = None) -> Callable[..., Any]:
        """The gradient function of ``fn``.

        Raises:
            ValueError: ``get_by_list`` without Parameters, for what is no Cell.
            TypeError: a weight that is no Parameter; at the call, no gradient given with ``sens_param``.
        """
        check_function(fn, "GradOperation")
        if self.get_by_list and weights is None:
            if isinstance(fn, type) or not hasattr(fn, "trainable_params"):
                raise ValueError(say("errors.get_by_list"))
            weights = fn.trainable_params()
        params = checked_weights(weights) if self.get_by_list else ()  # MindSpore ignores them without get_by_list
        one_weight = isinstance(weights, Tensor)

        def gradients(*args: Any, **kwargs: Any) -> Any:
            args, kwargs, seeds = without_seeds(args, kwargs) if self.sens_param else (args, kwargs, None)
            positions = self._positions(args)
            by_position, by_weight = Recorded(fn, args, kwargs, positions).gradients(seeds, params)
            inputs = None if positions is None else by_position
            return shaped(inputs, by_weight if self.get_by_list else None, not self.get_all, one_weight)

        return gradients

    def _positions(self, args: tuple[Any, ...]) -> tuple[int, ...] | None:
        if self.get_all:
            return tuple(i for i, a in enumerate(args) if isinstance(a, Tensor) and a._array.dtype.kind == "f")
        return None if self.get_by_list else (0,)
