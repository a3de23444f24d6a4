"""What one run of a function tells: what it uses and changes, and how many digits it keeps."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...core.events import Observer
from ...core.nested import tensors_in
from ...core.tensor import Tensor
from .slopes import DOUBLE, SINGLE, Precision


class PrecisionLost(Exception):
    """Something casts to fewer digits than float32 inside."""


class Narrowest(Observer):
    """An observer: the smallest float that a wider one was cast to."""

    def __init__(self) -> None:
        self.itemsize = 8

    def op_forward(self, op: Any, inputs: Any, outputs: Any, attrs: Any) -> None:
        """Look at the results."""
        widest = max((t._array.itemsize for t in tensors_in(inputs) if t._array.dtype.kind == "f"), default=0)
        self.look(t._array for t in tensors_in(outputs) if t._array.itemsize < widest)

    def look(self, arrays: Iterable[np.ndarray]) -> None:
        """Take in some results."""
        self.itemsize = min([self.itemsize, *(a.dtype.itemsize for a in arrays if a.dtype.kind == "f")])

    def precision(self) -> Precision:
        """What is left of float64.

        Raises:
            PrecisionLost: slopes would be noise.
        """
        if self.itemsize < 4:
            raise PrecisionLost
        return DOUBLE if self.itemsize == 8 else SINGLE


@dataclass
class Used(Observer):
    """An observer: the Parameters and Cells that a function uses, the numbers that its ops were given, whether it
    writes into Tensors and whether it draws."""

    parameters: dict[int, Any] = field(default_factory=dict)
    cells: dict[int, Any] = field(default_factory=dict)
    numbers: dict[str, float] = field(default_factory=dict)
    writes: bool = False
    draws: bool = False

    def op_forward(self, op: Any, inputs: Any, outputs: Any, attrs: Any) -> None:
        """Note Parameters and numbers."""
        self.parameters |= {id(t): t for t in tensors_in(inputs) if t.is_parameter}
        self.numbers |= {name: value for name, value in (attrs or {}).items() if isinstance(value, float)}

    def cell_enter(self, cell: Any, args: Any, kwargs: Any) -> None:
        """Note a Cell."""
        if hasattr(cell, "cells_and_names"):
            self.cells[id(cell)] = cell

    def before_write(self, tensor: Tensor) -> None:
        """Note that there are writes."""
        self.writes = True

    def before_move(self, parameters: Any) -> None:
        """Note that there are writes."""
        self.writes = True
