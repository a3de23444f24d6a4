"""``_Function``: forward and backward written as static methods, with a context between them."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from ..core import modes
from ..core.events import OBSERVERS
from ..core.gradients import arrived
from ..core.nested import Structure
from ..core.tensor import Tensor, node_of, own_handle
from ..texts import say
from .custom_bprop import checked_gradient, linked


class Context(SimpleNamespace):
    """What ``forward`` keeps for ``backward``: any attribute, and the Tensors saved."""

    saved_tensors: tuple[Tensor, ...] = ()

    def save_for_backward(self, *tensors: Tensor) -> None:
        """Keep Tensors for ``backward``."""
        self.saved_tensors = tensors


class _Function:
    """Subclass with static ``forward(ctx, *inputs)`` and ``backward(ctx, *grads)``; call ``Sub.apply(...)``.

    Observers are told of it as of a call of a Cell with an own rule; in the Cell's place stands the class.
    """

    @staticmethod
    def forward(ctx: Context, *inputs: Any) -> Any:
        """The value: a Tensor, or a tuple or list with Tensors among its members."""
        raise NotImplementedError(say("errors.function_method", method="forward"))

    @staticmethod
    def backward(ctx: Context, *gradients: Tensor | None) -> Any:
        """One gradient per input; None for inputs that are no Tensors. It is given one gradient per member of the
        value: zeros for unused ones, None for those that are no Tensors."""
        raise NotImplementedError(say("errors.function_method", method="backward"))

    @classmethod
    def apply(cls, *inputs: Any) -> Any:
        """Run ``forward`` and let ``backward`` make its gradient."""
        if not OBSERVERS:
            return cls._apply(inputs)
        result = None
        for observer in [*OBSERVERS]:
            observer.cell_enter(cls, inputs, {})
        try:
            result = cls._apply(inputs)
            if result is None:  # which to cell_exit means that it raised
                for observer in [*OBSERVERS]:
                    observer.cell_ran(cls, inputs, {}, result)
        finally:
            for observer in [*OBSERVERS]:
                observer.cell_exit(cls, result)
        return result

    @classmethod
    def _apply(cls, inputs: tuple[Any, ...]) -> Any:
        ctx = Context()
        value = modes.unrecorded(cls.forward, ctx, *map(own_handle, inputs))
        outputs = Structure(value, top=True)
        tensors = [i for i in inputs if isinstance(i, Tensor)]
        return linked(cls, tensors, [node_of(t) for t in tensors], outputs, _Call(cls, ctx, inputs, value))


class _Call:
    def __init__(self, cls: type[_Function], ctx: Context, inputs: tuple[Any, ...], value: Any):
        self.cls, self.ctx = cls, ctx
        self.tensor_slots = [isinstance(i, Tensor) for i in inputs]
        self.returned = [isinstance(v, Tensor) for v in (value if isinstance(value, (tuple, list)) else (value,))]

    def __call__(self, gradients: Any, out: Any, tensors: tuple[Tensor, ...]) -> list[Tensor | None]:
        incoming = iter(arrived(gradients, out))
        result = self.cls.backward(self.ctx, *[next(incoming) if tensor else None for tensor in self.returned])
        found = result if isinstance(result, tuple) else (result,)
        rule = f"{self.cls.__name__}.backward"
        if len(found) != len(self.tensor_slots):
            raise RuntimeError(say("errors.bprop_count", rule=rule, got=len(found), wanted=len(self.tensor_slots)))
        inputs = iter(tensors)
        return [
            checked_gradient(rule, gradient, next(inputs), i)
            for i, (gradient, is_tensor) in enumerate(zip(found, self.tensor_slots, strict=True))
            if is_tensor
        ]
