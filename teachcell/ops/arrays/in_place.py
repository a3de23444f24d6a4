"""Methods that end in ``_``: they write into the Tensor and return it.

Each is a write ``x[...] = new``. While recording that is functional like every write: gradients are those of the
new value, and values kept by the graph stay what they were.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.op import TENSORS as T
from ...core.public import public
from ...core.record import operand
from ...core.tensor import Tensor, wrap
from ...core.tracing import asarray
from ...kernels import random as draws
from ...kernels.arguments import in_interval, whole
from ...kernels.index import axis_index
from ...texts import say
from .scatter import add_slices, written


def _write(x: Tensor, new: Tensor, name: str) -> Tensor:
    """Give x the value ``new``; TypeError or ValueError unless dtype and shape stay."""
    if new.dtype is not x.dtype or new.shape != x.shape:
        was, got = f"{x.shape} {x.dtype}", f"{new.shape} {new.dtype}"
        raise (TypeError if new.shape == x.shape else ValueError)(say("errors.in_place", name=name, was=was, got=got))
    x[...] = new
    return x


def _in_place(name: str) -> None:
    """Publish ``name_``, which writes what the method ``name`` returns."""

    def method(self: Tensor, *args: Any, **named: Any) -> Tensor:
        return _write(self, getattr(self, name)(*args, **named), f"{name}_")

    method.__name__ = method.__qualname__ = f"{name}_"
    method.__doc__ = f"``{name}`` in place."
    public(methods=(f"{name}_",))(method)


for _name in (
    "mul", "div", "floor_divide", "remainder", "exp", "tanh", "sigmoid", "clamp", "masked_fill", "masked_scatter",
    "index_fill", "index_put", "scatter", "scatter_add", "fill_diagonal",
):  # fmt: skip
    _in_place(_name)


@public(methods=("add_",))
def _add(self: Tensor, other: Any, *, alpha: float = 1) -> Tensor:
    """In place: ``alpha · other`` added."""
    return _write(self, T.add(self, other if alpha == 1 else T.multiply(other, alpha)), "add_")


@public(methods=("sub_",))
def _sub(self: Tensor, other: Any, *, alpha: float = 1) -> Tensor:
    """In place: ``alpha · other`` subtracted."""
    return _write(self, T.subtract(self, other if alpha == 1 else T.multiply(other, alpha)), "sub_")


@public(methods=("copy_",), primitive="CopyWithSlice")
def _copy(self: Tensor, src: Any, non_blocking: bool = False) -> Tensor:
    """In place: the values of ``src``, repeated to this shape and converted to this dtype."""
    self[...] = src
    return self


@public(methods=("fill_",))
def _fill(self: Tensor, value: Any) -> Tensor:
    """In place: one value everywhere."""
    self[...] = operand(value, self._array.dtype)
    return self


@public(methods=("zero_",))
def _zero(self: Tensor) -> Tensor:
    """In place: zeros."""
    return _fill(self, 0)


@public(methods=("index_add_",))
def _index_add(self: Tensor, dim: int, index: Any, source: Any, *, alpha: float = 1) -> Tensor:
    """In place: the slices of ``alpha · source`` added at ``index`` of an axis."""
    return _write(self, add_slices(self, dim, index, source, alpha=alpha), "index_add_")


@public(methods=("index_copy_",))
def _index_copy(self: Tensor, dim: int, index: Any, tensor: Any) -> Tensor:
    """In place: the slices of ``tensor`` at ``index`` of an axis."""
    at = axis_index(self.shape, np.atleast_1d(operand(index)._array), dim)
    return _write(self, written(self, at, tensor), "index_copy_")


# Random values -----------------------------------------------------------------------------------------------------


def _draws(generator: Any) -> np.random.Generator:
    if generator is None:
        return draws.generator()
    if not hasattr(generator, "draws"):
        raise TypeError(say("errors.generator", got=type(generator).__name__))
    return generator.draws()


def _drawn(x: Tensor, values: Any) -> Tensor:
    x[...] = wrap(asarray(values).astype(x._array.dtype))
    return x


@public("uniform_", methods=("uniform_",))
def uniform_(input: Tensor, from_: float = 0, to: float = 1, *, generator: Any = None) -> Tensor:
    """In place: numbers in [from_, to), all equally likely."""
    return _drawn(input, _draws(generator).uniform(from_, to, input.shape))


@public("normal_", methods=("normal_",))
def normal_(input: Tensor, mean: float = 0, std: float = 1, *, generator: Any = None) -> Tensor:
    """In place: normally distributed numbers."""
    in_interval("std", std, "[0, ∞)")
    return _drawn(input, _draws(generator).normal(mean, std, input.shape))


@public("random_", methods=("random_",))
def random_(input: Tensor, from_: int = 0, to: int | None = None, *, generator: Any = None) -> Tensor:
    """In place: whole numbers from_ … to − 1; ``random_(to)`` begins at 0, ``random_()`` goes as far as the dtype."""
    if to is None:
        dtype = input._array.dtype
        most = 2 ** (np.finfo(dtype).nmant + 1) if dtype.kind == "f" else int(np.iinfo(dtype).max)
        from_, to = 0, from_ or min(most, 2**63 - 1)
    from_, to = whole(from_, "from_"), whole(to, "to")
    if from_ >= to:
        raise ValueError(say("errors.random_range", low=from_, high=to))
    return _drawn(input, _draws(generator).integers(from_, to, input.shape))


@public(methods=("exponential_",))
def _exponential(self: Tensor, lambd: float = 1, *, generator: Any = None) -> Tensor:
    """In place: numbers with density lambd · e^(−lambd · x)."""
    in_interval("lambd", lambd, "(0, ∞)")
    return _drawn(self, _draws(generator).exponential(1 / lambd, self.shape))


@public(methods=("bernoulli_",))
def _bernoulli(self: Tensor, p: Any = 0.5, *, generator: Any = None) -> Tensor:
    """In place: 1 with probability ``p``, else 0."""
    chance = operand(p)._array
    in_interval("p", chance, "[0, 1]")
    return _drawn(self, _draws(generator).random(self.shape) < chance)


@public(methods=("bernoulli",))
def _bernoulli_of(self: Tensor, *, generator: Any = None) -> Tensor:
    """1 with the probability that the element is, else 0."""
    return wrap((_draws(generator).random(self.shape) < self._array).astype(self._array.dtype))
