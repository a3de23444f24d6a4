"""Running a function again and again: in float64, from the same state, with the same draws, without a sound."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, redirect_stdout
from dataclasses import dataclass, replace
from io import StringIO
from typing import Any

import numpy as np

from ...core.events import observing
from ...core.nested import Structure, tensors_in
from ...core.protect import Protection, random_state, restore_random
from ...core.tensor import Tensor, wrap
from ...texts import say
from ..grad import grad
from .slopes import DOUBLE
from .watching import Narrowest, Used

Call = Callable[[Sequence[Tensor]], list[Tensor]]


@dataclass(frozen=True, eq=False)
class Variable:
    """What a gradient is taken by.

    Attributes:
        name: an argument's, or a Parameter's.
        kind: ``"input"``, ``"parameter"``, or ``"dout"`` (in second order: what arrives at an output).
    """

    name: str
    kind: str


@contextmanager
def in_float64(cells: Iterable[Any], parameters: Iterable[Any]) -> Iterator[None]:
    """Inside, float Parameters are float64 and ``to_float`` does not act."""
    casts = [(cell, cell.__dict__.pop("_dtype")) for cell in cells if "_dtype" in cell.__dict__]
    arrays = [(p, p._array) for p in parameters if p._array.dtype.kind == "f"]
    for p, array in arrays:
        p._array = array.astype(np.float64)
    try:
        yield
    finally:
        for p, array in arrays:
            p._array = array
        for cell, dtype in casts:
            cell.__dict__["_dtype"] = dtype


@contextmanager
def silent() -> Iterator[None]:
    """Inside, prints go nowhere and NumPy does not warn."""
    with redirect_stdout(StringIO()), np.errstate(all="ignore"):
        yield


def argument_names(
    construct: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any], count: Callable[[Any], int]
) -> list[str]:
    """A name for each of the ``count(value)`` variables in every argument; those in a tuple or dict are numbered."""
    try:
        bound = inspect.signature(construct).bind(*args, **kwargs).arguments
    except (TypeError, ValueError):  # without a signature, or called with a wrong number: the call will say so
        bound = {say("errors.input", i=i): value for i, value in enumerate(args)}
    names: list[str] = []
    for name, value in bound.items():
        inside = isinstance(value, (tuple, list, dict))
        names += [f"{name}[{i}]" for i in range(count(value))] if inside else [name] * count(value)
    return names


class Repeat:
    """A function of float variables, for as many runs as a numeric gradient needs.

    Attributes:
        call: the variables that are no Parameters as Tensors in, the float outputs out.
        variables: the inputs, then the Parameters.
        arrays: their values in float64, read by every run.
        precision: what the function keeps of float64; known after :meth:`here`.
        shapes: of the outputs; known after :meth:`here`.
    """

    def __init__(
        self, call: Call, inputs: dict[Variable, np.ndarray], parameters: list[Any], used: Used, draws: Any,
        protection: Protection,
    ):  # fmt: skip
        self.call, self.parameters, self.used, self.protection = call, parameters, used, protection
        self.variables = [*inputs, *(Variable(p.name, "parameter") for p in parameters)]
        self.arrays = [*inputs.values(), *(p._array.copy() for p in parameters)]
        self.precision = DOUBLE
        self.shapes: list[tuple[int, ...]] = []
        self._count, self._draws = len(inputs), draws

    @contextmanager
    def _same(self, draws: bool = True) -> Iterator[list[Tensor]]:
        """The inputs as Tensors of their own, for one run that leaves no trace."""
        if draws:
            restore_random(self._draws)
        arrays = [a.copy() for a in self.arrays]
        for parameter, array in zip(self.parameters, arrays[self._count :], strict=True):
            parameter._array = array
        try:
            yield list(map(wrap, arrays[: self._count]))
        finally:
            if self.used.cells or self.used.writes or draws:
                self.protection.put_back()

    def run(self) -> np.ndarray:
        """All float outputs for ``arrays``, one after the other."""
        with self._same(self.used.draws) as tensors:
            return flat(t._array for t in self.call(tensors))

    def here(self) -> np.ndarray:
        """The first run: it also finds out the outputs' shapes, and how many digits there are.

        Raises:
            ValueError: there is no float output.
            PrecisionLost: there are too few digits.
        """
        narrowest = Narrowest()
        with self._same() as tensors, observing(narrowest):
            outputs = [t._array.copy() for t in self.call(tensors)]
        if not outputs:
            raise ValueError(say("errors.gradcheck_nothing", what=say("errors.float_output")))
        narrowest.look(outputs)  # also what no op made
        self.precision = narrowest.precision()
        self.shapes = [a.shape for a in outputs]
        return flat(outputs)

    def gradients(self, weights: np.ndarray) -> list[np.ndarray]:
        """The engine's gradients of Σ weight · output, per variable."""
        seeds = self.by_output(weights)
        with self._same() as tensors:
            return [g._array for g in self._gradients(tensors, seeds)]

    def reached(self, weights: np.ndarray) -> list[bool]:
        """Whether any gradient arrives, per variable."""
        seeds, reached = self.by_output(weights), [False] * len(self.arrays)

        def note(i: int) -> Callable[[Tensor], None]:
            return lambda gradient: reached.__setitem__(i, True)

        with self._same() as tensors, ExitStack() as hooks:
            for i, tensor in enumerate((*tensors, *self.parameters)):
                hooks.callback(tensor.register_hook(note(i)).remove)
            self._gradients(tensors, seeds)
        return reached

    def _gradients(self, tensors: Sequence[Tensor], seeds: Sequence[Tensor]) -> list[Tensor]:
        positions = tuple(range(self._count))
        slopes = grad(lambda *xs: _weighted(self.call(xs), seeds), positions or None, self.parameters or None)
        return list(tensors_in(slopes(*tensors)))

    def by_output(self, flat: np.ndarray) -> list[Tensor]:
        """One number per output element, cut up into the outputs' shapes."""
        ends = np.cumsum([math.prod(shape) for shape in self.shapes])
        return [wrap(a.reshape(s)) for a, s in zip(np.split(flat, ends[:-1]), self.shapes, strict=True)]

    def derived(self) -> Repeat:
        """The gradients as a function: of the same variables, and of what arrives at the outputs."""
        count, last = self._count, len(self.shapes) - 1

        def call(tensors: Sequence[Tensor]) -> list[Tensor]:
            return self._gradients(tensors[:count], tensors[count:])

        inputs = dict(zip(self.variables[:count], self.arrays, strict=False))
        for i, shape in enumerate(self.shapes):
            inputs[Variable(f"dout[{i}]" if last else "dout", "dout")] = np.ones(shape)
        return Repeat(call, inputs, self.parameters, replace(self.used, draws=True), self._draws, self.protection)


def _weighted(outputs: Sequence[Tensor], seeds: Sequence[Tensor]) -> Tensor:
    """Σ seed · output over all outputs."""
    first, *others = ((t * s).sum() for t, s in zip(outputs, seeds, strict=True))
    return sum(others, first)


def flat(arrays: Iterable[np.ndarray]) -> np.ndarray:
    """All elements in float64, one array after the other."""
    return np.concatenate([np.zeros(0), *(a.astype(np.float64).reshape(-1) for a in arrays)])


@contextmanager
def repeating(function: Callable[..., Any], inputs: Sequence[Any]) -> Iterator[Repeat]:
    """A function or Cell at these inputs as a Repeat; everything is put back at the end.

    Raises:
        ValueError: there is no float input and no trainable Parameter.
    """
    given = Structure(tuple(inputs))
    names = argument_names(getattr(function, "construct", function), inputs, {}, lambda v: len([*tensors_in(v)]))
    values = [t._array.astype(np.float64 if _is_float(t) else t._array.dtype) for t in given.tensors]
    variables = {i: Variable(names[i], "input") for i, t in enumerate(given.tensors) if _is_float(t)}

    def call(tensors: Sequence[Tensor]) -> list[Tensor]:
        floats = dict(zip(variables, tensors, strict=True))
        filled = given.filled(floats[i] if i in floats else wrap(a.copy()) for i, a in enumerate(values))
        return [t for t in tensors_in(function(*filled)) if _is_float(t)]

    draws = random_state()
    used = _used(function, lambda: call([wrap(values[i].copy()) for i in variables]))
    trainable = [p for p in used.parameters.values() if p._node is not None]
    if not (variables or trainable):
        raise ValueError(say("errors.gradcheck_nothing", what=say("errors.float_input")))
    try:
        with (
            in_float64(used.cells.values(), used.parameters.values()),
            silent(),
            Protection(used.cells.values(), trainable) as protection,
        ):
            yield Repeat(call, {v: values[i] for i, v in variables.items()}, trainable, used, draws, protection)
    finally:
        restore_random(draws)


def _is_float(tensor: Tensor) -> bool:
    return tensor._array.dtype.kind == "f"


def _used(function: Any, run: Callable[[], Any]) -> Used:
    """What the function has and uses: one run tells."""
    used, draws = Used(), random_state()
    if hasattr(function, "cells_and_names"):
        used.cells = {id(cell): cell for _, cell in function.cells_and_names()}
        used.parameters = {id(p): p for _, p in function.parameters_and_names()}
    with Protection(used.cells.values()), observing(used):
        run()
        used.draws = random_state() != draws
    return used
