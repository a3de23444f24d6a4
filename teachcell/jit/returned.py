"""Returned: what a captured run gave, as a pattern that later runs fill with their own arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.tensor import Tensor
from ..texts import say
from .arguments import Arguments
from .plan import Given
from .trace import Trace
from .world import World

_ATOMS = (type(None), bool, int, float, str)


class Returned:
    """Makes the pattern: slots in the place of new Tensors; Tensors from outside are handed on as they are."""

    def __init__(self, trace: Trace, world: World, arguments: Arguments):
        self._trace, self._world, self._arguments = trace, world, arguments
        self._made: list[Tensor] = []

    def form(self, value: Any) -> Any:
        """The pattern of a value."""
        kind = type(value)
        if isinstance(value, Tensor):
            return self._tensor(value)
        if kind in (tuple, list, dict):
            if (kind is not tuple and self._world.knows(value)) or any(value is c for c in self._arguments.containers):
                self._trace.refuse(say("jit.container", kind=kind.__name__))
            if kind is dict:
                return {k: self.form(v) for k, v in value.items()}
            return kind([self.form(v) for v in value])
        if kind not in _ATOMS:
            self._trace.refuse(say("jit.returns", kind=kind.__name__), certain=True)
        return value

    def _tensor(self, value: Tensor) -> Any:
        for i, argument in enumerate(self._arguments.tensors):
            if value is argument:
                return Given(i)
        if self._trace.adopts(value):
            return value
        if type(value) is not Tensor or any(value is made for made in self._made):
            self._trace.refuse(say("jit.returns", kind=type(value).__name__), certain=True)
        self._made.append(value)
        array = value._array
        if type(array) is np.ndarray and (array.base is not None or self._world.knows(array)):
            self._trace.refuse(say("jit.returns", kind="ndarray"), certain=True)  # somebody else may hold its memory
        return self._trace.slot_of(array)
