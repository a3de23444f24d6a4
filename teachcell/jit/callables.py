"""What steps call where it is no plain kernel, and what stands for kernels and generators while a run is captured."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..core import modes
from ..core.op import ARRAYS
from ..texts import say

if TYPE_CHECKING:
    from .trace import Trace


class Floor:
    """``F`` for the rules of a sweep: the kernels, each call a step."""

    def __init__(self, trace: Trace):
        self._trace = trace

    def __getattr__(self, name: str) -> Callable[..., Any]:
        kernel = getattr(ARRAYS, name)
        return lambda *args, **kwargs: self._trace.kernel(name, kernel, args, kwargs)


class Drawing:
    """A method of the generator that is the shared one when the step is run."""

    def __init__(self, generator: Callable[[], Any], name: str):
        self.generator, self.name = generator, name

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return getattr(self.generator(), self.name)(*args, **kwargs)


class Draws:
    """Stands for the shared generator outside of kernels: each draw is a step."""

    def __init__(self, trace: Trace, generator: Callable[[], Any]):
        self._trace, self._generator = trace, generator

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name in ("bit_generator", "spawn"):
            self._trace.refuse(say("jit.generator"))
            return getattr(self._generator(), name)
        return lambda *args, **kwargs: self._trace.call(name, Drawing(self._generator, name), args, kwargs, draws=True)


class Whole:
    """A method run as one step."""

    def __init__(self, method: Callable[..., Any], owner: Any):
        self.method, self.owner = method, owner

    def __call__(self, *args: Any) -> Any:
        return modes.silent(self.method, self.owner, *args)
