"""HookBackward: an identity in the forward pass that shows, and may replace, the gradients in the backward pass."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...core import modes
from ...core.errors import kinds_of
from ...core.events import OBSERVERS
from ...core.gradients import arrived, check_same
from ...core.handles import check_hook
from ...core.op import OPS, Op
from ...core.public import PRIMITIVES
from ...core.record import attach_several
from ...core.tensor import Tensor, node_of
from ...texts import say


def _rule(F: Any, gradients: Any, out: Any, wanted: list[bool], *inputs: Any, hook: HookBackward) -> Any:
    return hook.replaced(arrived(gradients, out))


HOOK = Op(
    "hook_backward", "HookBackward", lambda *xs: xs, _rule, keeps_output=True, boxed=True, outputs=None,
    card=("y = x", "∂x = {hooked}"), source="{definition}", family="flow.hook",
)  # fmt: skip
OPS[HOOK.name] = HOOK


class HookBackward:
    """``HookBackward(hook_fn)(x)`` returns ``x``; in the backward pass ``hook_fn(grad)`` is called.

    Args:
        hook_fn: receives a tuple with one gradient per input (zeros where none arrived) and returns None to
            keep them, a Tensor or 1-tuple for one input, a tuple of n for n inputs.
        cell_id: a label.

    Raises:
        TypeError: if ``hook_fn`` cannot be called, an input is no Tensor, or the hook returns something else.
        ValueError: if a returned gradient has another shape or dtype.
    """

    def __init__(self, hook_fn: Callable[..., Any], cell_id: str = ""):
        check_hook(hook_fn, "HookBackward", ["gradients"])
        self.hook_fn = hook_fn
        self.cell_id = cell_id

    def __call__(self, *inputs: Tensor) -> Any:
        if not inputs or not all(isinstance(x, Tensor) for x in inputs):
            raise TypeError(say("errors.hook_backward_inputs", got=[type(x).__name__ for x in inputs]))
        if modes.silence() is not None or modes.recording() is None:
            return inputs[0] if len(inputs) == 1 else inputs
        arrays = [x._array for x in inputs]
        outs = attach_several(HOOK, [node_of(x) for x in inputs], arrays, arrays, {"hook": self})
        for observer in [*OBSERVERS]:
            observer.op_forward(HOOK, inputs, outs, None)
        return outs[0] if len(outs) == 1 else outs

    def replaced(self, gradients: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
        """The gradients that flow on: those the hook returned, checked, or those that arrived."""
        result = self.hook_fn(gradients)
        if result is None:
            return gradients
        if isinstance(result, Tensor):
            result = (result,)
        tensors = isinstance(result, tuple) and all(isinstance(r, Tensor) for r in result)
        if not tensors or len(result) != len(gradients):
            got, wanted = kinds_of(result), len(gradients)
            raise TypeError(say("errors.hook_return", where="HookBackward", wanted=wanted, got=got))
        for new, old in zip(result, gradients, strict=True):
            check_same(new, old, lambda: "HookBackward")
        return result


PRIMITIVES["HookBackward"] = HookBackward
