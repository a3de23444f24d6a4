"""What one sample is, and what the families' files are made of."""

from __future__ import annotations

import itertools
import math
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from teachcell.core.op import OPS, REAL, TENSORS
from teachcell.core.public import FUNCTIONS

Array = np.ndarray
References = dict[str, Callable[..., Any]]
Calls = dict[str, list[tuple[tuple[Any, ...], dict[str, Any]]]]


def call(*given: Any, **attrs: Any) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The inputs of one call (shapes, or arrays where the values matter) and its other arguments."""
    return given, attrs


def each(f: Callable[[float], float]) -> Callable[[Array], Array]:
    """A function of one number for arrays."""
    return np.vectorize(f, otypes=[float])


def adjoint(linear: Callable[[Array], Array], shape: tuple[int, ...], g: Array) -> Array:
    """The transpose of a linear function of arrays of ``shape``, applied to g, element by element."""
    basis = np.eye(math.prod(shape)).reshape(-1, *shape)
    return np.array([(g * linear(e)).sum() for e in basis]).reshape(shape)


@dataclass(frozen=True)
class Sample:
    """One call of an op, or of a public function made of ops.

    Attributes:
        name: the op's or the function's.
        given: the inputs: shapes, or arrays where the values matter.
        attrs: the other arguments.
        formula: what it computes, written once more in plain NumPy or SciPy.
        domain: where inputs are drawn.
        sequence: the inputs are given as one list.
    """

    name: str
    given: tuple[Any, ...]
    attrs: dict[str, Any]
    formula: Callable[..., Any] = field(repr=False)
    domain: tuple[float, float] = REAL
    sequence: bool = False

    @property
    def inputs(self) -> list[Array]:
        """The inputs, float64 where drawn: in the domain, no two elements equal, away from whole numbers."""
        low, high = self.domain
        draws = np.random.default_rng(zlib.crc32(repr((self.name, self.given)).encode()))
        sizes = [math.prod(g) if isinstance(g, tuple) else 0 for g in self.given]
        values = iter(draws.permutation(np.linspace(low + 0.01, high - 0.013, max(sum(sizes), 2))))
        return [
            np.array(list(itertools.islice(values, size))).reshape(g) if isinstance(g, tuple) else g.copy()
            for g, size in zip(self.given, sizes, strict=True)
        ]

    def run(self, tensors: list[Any]) -> Any:
        """The call on these Tensors."""
        function = getattr(TENSORS, self.name) if self.name in OPS else FUNCTIONS[self.name]
        return function(*([tensors] if self.sequence else tensors), **self.attrs)

    def reference(self, inputs: list[Array]) -> list[Array]:
        """What NumPy says, one array per output."""
        result = self.formula(*inputs, **self.attrs)
        return [np.asarray(r) for r in (result if isinstance(result, tuple) else (result,))]

    def __str__(self) -> str:
        given = " ".join(str(g).replace(" ", "") if isinstance(g, tuple) else "values" for g in self.given)
        attrs = "".join(f" {name}={value}".replace("\n", "") for name, value in self.attrs.items())
        return f"{self.name} {given}{attrs}"
