"""``gradcheck``: gradients beside numeric ones, to second order, with a verdict in words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...core.nested import tensors_in
from ...kernels.arguments import in_interval
from ...texts import say
from ..grad import check_function
from . import factors
from .causes import Cause, Checked
from .evidence import Evidence, Tolerance, arriving, gather, numeric_gradient
from .repeat import Repeat, repeating
from .report import GradCheckEntry, GradCheckReport
from .watching import PrecisionLost


def gradcheck(
    fn: Callable[..., Any], *inputs: Any, order: int = 1, rtol: float = 1e-4, atol: float = 1e-6,
    raise_exception: bool = True, sample: bool = True,
) -> GradCheckReport:  # fmt: skip
    """Compare the gradients of ``fn`` with numeric ones, in float64, and say what is wrong.

    Checked are all float inputs and the trainable Parameters that ``fn`` has or uses. Every element of the output
    gets an incoming gradient of its own, so that a rule that ignores it, or gives it to the wrong element, is found.
    State, random draws and Parameters are the same in every run, and afterwards as they were.

    Each element costs two runs. Of a variable of more than 10,000 elements (or fewer, if their number times that of
    the outputs is above 100 million) a sample is checked: 500 elements spread over all of it (50 at least, where there
    are very many outputs), both ends and the largest gradient; always the same ones. The report says how many.

    ::

        gradcheck(net, x)                                    # raises AssertionError with the report if it is wrong
        report = gradcheck(net, x, raise_exception=False)    # true or false; print it

    Args:
        fn: function or Cell.
        inputs: its arguments: Tensors, also inside of tuples, lists and dicts; others are handed on.
        order: 1, or 2 to check the gradient of the gradient as well.
        rtol, atol: relative and absolute tolerance.
        raise_exception: raise AssertionError for a gradient that is wrong.
        sample: False checks every element of large variables, however long it takes.

    Returns:
        The report: true if all gradients are right.

    Raises:
        AssertionError: a gradient is wrong; the text is the report.
        TypeError: no function, a tolerance that is no number, or arrays and lists of numbers in the place of Tensors.
        ValueError: nothing to check (no float input or output, or fewer digits than float32 inside), another order,
            or a tolerance below 0.
    """
    check_function(fn, "gradcheck")
    for i, value in enumerate(inputs):
        if _is_data(value):
            raise TypeError(say("errors.gradcheck_input", position=i, got=type(value).__name__))
    if order not in (1, 2):
        raise ValueError(say("errors.gradcheck_order", got=repr(order)))
    in_interval("rtol", rtol, "[0, ∞]")
    in_interval("atol", atol, "[0, ∞]")
    with repeating(fn, inputs) as repeat:
        report = _report(repeat, order, Tolerance(rtol, atol), fn, sample)
    if raise_exception and not report:
        raise AssertionError(str(report))
    return report


def _is_data(value: Any) -> bool:
    if isinstance(value, list) and not any(tensors_in(value)):
        return any(isinstance(item, float) or _is_data(item) for item in value)
    return isinstance(value, (np.ndarray, np.floating))


def _report(repeat: Repeat, order: int, tolerance: Tolerance, fn: Any, sample: bool) -> GradCheckReport:
    cells = repeat.used.cells.values()
    rules = [cell.bprop for cell in cells if getattr(cell, "bprop", None) is not None]
    try:
        first = _check(repeat, tolerance, [fn, *rules], sample)
    except PrecisionLost:
        raise ValueError(say("errors.gradcheck_precision")) from None
    causes = [(e, first.cause(e), 1) for e in first.evidence]
    if order == 2 and all(cause.right for _, cause, _ in causes):
        wider = Tolerance(10 * tolerance.rtol, 10 * tolerance.atol)
        second = _check(repeat.derived(), wider, [], sample, _by_dout(first))
        causes += [(e, _second(e, second), 2) for e in second.evidence]
    entries = [GradCheckEntry.of(*found) for found in causes]
    return GradCheckReport.of(entries, repeat.precision.dtype, repeat.precision.h)


class _CheckedFunction(Checked):
    """A function that can be run again to find out more.

    Attributes:
        weights: the two gradients that arrived, flat.
        functions: the function itself and the rules of its Cells.
    """

    def __init__(
        self, repeat: Repeat, evidence: Sequence[Evidence], weights: tuple[np.ndarray, ...], functions: Sequence[Any]
    ):
        super().__init__(evidence, [w._array for w in repeat.by_output(weights[0])])
        self.repeat, self.weights, self.functions = repeat, weights, functions

    def reached(self, e: Evidence) -> bool:
        return self.repeat.reached(self.weights[0])[self.evidence.index(e)]

    def doubled(self, e: Evidence) -> np.ndarray:
        return e.part(self.repeat.gradients(2 * self.weights[0])[self.evidence.index(e)])

    def with_transposed(self, e: Evidence, other: Evidence) -> np.ndarray | None:
        if e.jacobian is None:
            return None  # it would take too long
        i, j = self.evidence.index(e), self.evidence.index(other)
        array = self.repeat.arrays[j]
        array[...] = np.swapaxes(other.x, -1, -2)
        try:
            (numeric,), _ = numeric_gradient(self.repeat, i, self.repeat.run(), self.weights[:1])
        finally:
            array[...] = other.x
        return numeric.middle

    def factor_name(self, factor: float) -> str:
        used = self.repeat.used
        arrays = {v.name: array for v, array in zip(self.repeat.variables, self.repeat.arrays, strict=True)}
        known = {**factors.numbers_of(self.functions, [*used.cells.values()]), **used.numbers}
        return factors.name_of(factor, known, factors.lengths(arrays, self.repeat.shapes))


def _check(
    repeat: Repeat, tolerance: Tolerance, functions: Sequence[Any], sample: bool,
    known: dict[int, np.ndarray] | None = None,
) -> _CheckedFunction:  # fmt: skip
    here = repeat.here()
    p = repeat.precision
    if p.dtype != "float64":
        tolerance = Tolerance(max(tolerance.rtol, p.rtol), max(tolerance.atol, p.atol))
    weights = arriving(here.size)
    return _CheckedFunction(repeat, gather(repeat, weights, here, tolerance, known, sample), weights, functions)


def _by_dout(first: _CheckedFunction) -> dict[int, np.ndarray]:
    """How the gradients change with dout: the transposed Jacobian, by position among the second order's variables."""
    jacobians = [e.jacobian for e in first.evidence]
    if any(j is None for j in jacobians) or any(e.numeric[0].kink.any() for e in first.evidence):
        return {}
    transposed = np.concatenate([j for j in jacobians if j is not None], axis=1).T
    start = sum(v.kind == "input" for v in first.repeat.variables)
    parts = np.split(transposed, np.cumsum([a.size for a in first.arriving])[:-1], axis=1)
    return {start + i: part for i, part in enumerate(parts)}


def _second(e: Evidence, checked: Checked) -> Cause:
    """In second order a first-order rule that is right fails for one reason: it took something for a constant."""
    cause = checked.cause(e)
    if cause.right or cause.key in ("nan", "undefined"):
        return cause
    whole = cause.key in ("cut", "zero")
    return Cause("constant_whole" if whole else "constant_part", {"name": e.variable.name})
