"""Registrations of hooks: what ``register_hook`` and its like give back, and what they accept."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ..texts import say
from .arity import misfit

if TYPE_CHECKING:
    from .tensor import Tensor


class Handle:
    """What every registration returns: ``remove()`` undoes exactly that one and may be repeated."""

    def __init__(self, hooks: list[Any], entry: Any):
        self._hooks = hooks
        self._entry = entry

    def remove(self) -> None:
        """Remove the hook; a second call does nothing."""
        self._hooks[:] = [entry for entry in self._hooks if entry is not self._entry]


class TensorHook:
    """One registration of a Tensor hook: two registrations of one function stay two."""

    __slots__ = ("hook",)

    def __init__(self, hook: Callable[..., Any]):
        self.hook = hook

    def __call__(self, gradient: Tensor) -> Any:
        return self.hook(gradient)


def check_hook(hook: Any, where: str, given: Sequence[str] | None = None) -> None:
    """TypeError unless ``hook`` is a callable that really runs (a jit function's body would be silent) and takes
    arguments of the names given."""
    if not callable(hook):
        raise TypeError(say("errors.hook_not_callable", where=where, got=type(hook).__name__))
    if getattr(hook, "__teachcell_jit__", False):
        raise TypeError(say("errors.hook_is_jit", where=where))
    wrong = misfit(hook, given)
    if wrong:
        raise TypeError(say("errors.hook_arguments", where=where, misfit=wrong))
