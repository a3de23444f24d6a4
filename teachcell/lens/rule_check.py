"""Check rule: a Cell's engine gradient and its chosen rule beside central differences, in float64.

Inputs, incoming gradient, random draws and states are those of one recorded call. Large arrays are checked on a
window around the worst element.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from ..autodiff.check import numeric_gradient
from ..autodiff.grad import grad, tensors_in
from ..core.tensor import Tensor, wrap
from ..texts import say
from .protect import Protection, restore_random
from .recorder import CallSeen, Recorder
from .source import source_of
from .summary import array_map
from .words import number, shape

if TYPE_CHECKING:
    from .experiment import Experiment

H = 1e-5
ROWS, COLUMNS = 10, 14
RTOL, ATOL = 1e-4, 1e-7


class CallAgain:
    """One recorded call of a Cell, to be computed again in float64 as a function of its inputs."""

    def __init__(self, cell: Any, call: CallSeen, recorder: Recorder, program_cells: Any):
        self.cell, self.call, self.cells = cell, call, program_cells
        self.inputs = [recorder.values[v].value.array for v in call.inputs]
        outputs = call.rule_outputs or call.outputs
        self.incoming = []
        for v in outputs:
            seen = recorder.values[v]
            arrived = seen.gradient.array if seen.gradient is not None else np.zeros(seen.value.shape)
            self.incoming.append(None if arrived is None else arrived.astype(np.float64))

    def complete(self) -> bool:
        """Whether all arrays were kept."""
        return all(a is not None for a in (*self.inputs, *self.incoming))

    def receives(self) -> bool:
        """Whether a gradient other than exactly 0 arrives."""
        return any(g is None or g.any() for g in self.incoming)

    def use_other_incoming(self) -> None:
        """Take fixed random numbers in [0.5, 1.5) for the incoming gradient."""
        draws = np.random.default_rng(0)
        self.incoming = [draws.uniform(0.5, 1.5, g.shape) if g is not None else None for g in self.incoming]

    def float_inputs(self) -> list[int]:
        """Positions of the inputs to check."""
        return [i for i, a in enumerate(self.inputs) if a is not None and a.dtype.kind == "f"]

    def as_float64(self) -> list[np.ndarray]:
        """Fresh float64 copies of the float inputs; the others as they are."""
        return [a.astype(np.float64) if a.dtype.kind == "f" else a for a in self.inputs]

    @contextmanager
    def ready(self, rule: Any) -> Iterator[Callable[..., Tensor]]:
        """A function of the inputs whose gradient is what leaves the Cell under ``rule`` (None: automatic)."""
        parameters = [p for _, p in self.cell.parameters_and_names() if p._array.dtype.kind == "f"]
        hooks, own = self.cell._hooks, self.cell.__dict__.get("bprop", self)
        with Protection(self.cells):
            for p in parameters:
                p._before_write()
                p._array = p._array.astype(np.float64)
            self.cell._hooks, self.cell.bprop = None, rule
            try:
                yield self._weighted
            finally:
                self.cell._hooks = hooks
                if own is self:
                    del self.cell.__dict__["bprop"]
                else:
                    self.cell.bprop = own

    def _weighted(self, *inputs: Tensor) -> Tensor:
        """Σ incoming · output, from the same random state each time."""
        restore_random(self.call.random_state)
        total = wrap(np.zeros(()))
        outputs = [t for t in tensors_in(self.cell(*inputs))]
        for output, incoming in zip(outputs, self.incoming, strict=False):
            if output._array.dtype.kind == "f":
                total = total + (output * wrap(incoming)).sum()
        return total


def check_rule(experiment: Experiment, path: str, recorder: Recorder) -> dict[str, Any]:
    """The contents of the check view for the Cell at ``path``: verdict, maps, worst element, errors."""
    cell, rule = experiment.cell(path), experiment.rule(path)
    cells = experiment.program.cells.values()
    calls = [CallAgain(cell, call, recorder, cells) for call in recorder.calls if call.cell is cell]
    function = experiment.rule_function(path, rule)
    found = {
        "path": path, "title": path or experiment.program.title, "rule": rule, "code": _code(cell, function),
        "rules": [{"id": r, "label": experiment.rule_label(path, r)} for r in experiment.rules(path)],
        "columns": [say("lens.rule_automatic"), experiment.rule_label(path, rule), say("lens.numeric")],
        "marks": ["", "", ""], "inputs": [], "note": say("lens.check_note", h=f"{H:.0e}".replace("e-0", "e−")),
    }  # fmt: skip
    if not calls:
        return found | _verdict(False, "lens.check_not_called")
    again = next((call for call in calls if call.receives()), calls[0])
    if not again.complete():
        return found | _verdict(False, "lens.check_too_large")
    if not again.receives():  # any rule passes 0 on as 0
        again.use_other_incoming()
        found["note"] += " " + say("lens.check_other_incoming")
    try:
        return found | _compare(again, function)
    except Exception as error:
        return found | _verdict(False, "lens.check_raised", error=f"{type(error).__name__}: {error}")


def _code(cell: Any, function: Any) -> str:
    return source_of(function if function is not None else type(cell).construct) or ""


def _verdict(ok: bool, key: str, **values: Any) -> dict[str, Any]:
    return {"ok": ok, "head": say(f"{key}_head"), "text": say(key, **values)}


def _gradients(again: CallAgain, rule: Any, scale: float = 1.0) -> list[np.ndarray]:
    with again.ready(rule) as weighted:
        tensors = [wrap(a) for a in again.as_float64()]
        positions = tuple(again.float_inputs())
        found = grad(lambda *args: weighted(*args) * scale, positions)(*tensors)
    return [g._array for g in (found if isinstance(found, tuple) else (found,))]


def _compare(again: CallAgain, function: Any) -> dict[str, Any]:
    positions = again.float_inputs()
    if not positions:
        return _verdict(True, "lens.check_no_input") | {"inputs": []}
    engine = _gradients(again, None)
    chosen = engine if function is None else _gradients(again, function)
    rows, ok_engine, ok_chosen = [], True, True
    numerics = []
    for i, e, c in zip(positions, engine, chosen, strict=True):
        window = Window(e, c)
        with again.ready(None) as weighted:
            numeric = window.of(_numeric(again, weighted, i, window))
        row, good_engine, good_chosen = window.row(numeric, len(positions), i)
        rows.append(row)
        numerics.append((window.of(c), numeric))
        ok_engine, ok_chosen = ok_engine and good_engine, ok_chosen and good_chosen
    marks = ["✓" if ok_engine else "≠", "✓" if ok_chosen else "≠", ""]
    verdict = _verdict(True, "lens.check_right") if ok_chosen else _why(again, function, numerics, chosen)
    return verdict | {"inputs": rows, "marks": marks}


def _numeric(again: CallAgain, weighted: Any, position: int, window: Window) -> np.ndarray:
    arrays = again.as_float64()

    def value(x: np.ndarray) -> float:
        tensors = [wrap(x if i == position else a) for i, a in enumerate(arrays)]
        return float(weighted(*tensors)._array)

    return numeric_gradient(value, arrays[position], H, window.places())


def _why(again: CallAgain, function: Any, pairs: list[Any], chosen: list[np.ndarray]) -> dict[str, Any]:
    """The cause of a mismatch, where it is recognised."""
    got = np.concatenate([c.reshape(-1) for c, _ in pairs])
    wanted = np.concatenate([n.reshape(-1) for _, n in pairs])
    if not np.isfinite(got).all():
        return _verdict(False, "lens.check_nan")
    if not wanted.any() and got.any():
        return _verdict(False, "lens.check_surrogate")
    if not got.any():
        return _verdict(False, "lens.check_zero")
    if function is not None and _ignores_incoming(again, function, chosen):
        return _verdict(False, "lens.check_ignores_dout")
    ratio = got[wanted != 0] / wanted[wanted != 0]
    off = np.abs(got[wanted == 0]).max(initial=0)
    if ratio.size and np.ptp(ratio) <= 1e-3 * np.abs(ratio).max() and off <= ATOL and abs(ratio.mean() - 1) > 1e-3:
        return _verdict(False, "lens.check_factor", factor=number(float(ratio.mean())))
    wrong = int(np.count_nonzero(np.abs(got - wanted) > ATOL + RTOL * np.abs(wanted)))
    return _verdict(False, "lens.check_wrong", count=wrong, of=got.size)


def _ignores_incoming(again: CallAgain, function: Any, chosen: list[np.ndarray]) -> bool:
    """Whether the rule gives the same gradient for twice the incoming one."""
    doubled = _gradients(again, function, 2.0)
    return all(np.allclose(a, b, RTOL, ATOL) for a, b in zip(doubled, chosen, strict=True))


class Window:
    """The part of an input's gradient that is checked: all of a small one, else 10 × 14 around the worst element."""

    def __init__(self, engine: np.ndarray, chosen: np.ndarray):
        self.shape = engine.shape
        self.matrix = (-1, engine.shape[-1]) if engine.ndim else (1, 1)
        self.engine, self.chosen = engine.reshape(self.matrix), chosen.reshape(self.matrix)
        gap = np.abs(self.engine - self.chosen)
        target = gap if gap.any() else np.abs(self.engine)
        target = np.where(np.isnan(target), np.inf, target)
        worst = divmod(int(target.argmax()), target.shape[1]) if target.size else (0, 0)
        self.rows = _span(worst[0], target.shape[0], ROWS)
        self.columns = _span(worst[1], target.shape[1], COLUMNS)

    def places(self) -> list[tuple[int, ...]]:
        """The indices inside, in the input's own shape."""
        flat = np.arange(self.engine.size).reshape(self.engine.shape)[self.rows, self.columns].reshape(-1)
        return [tuple(int(k) for k in np.unravel_index(i, self.shape)) for i in flat] if self.shape else [()]

    def of(self, array: np.ndarray) -> np.ndarray:
        """The part of an array inside."""
        return array.reshape(self.matrix)[self.rows, self.columns]

    def row(self, numeric: np.ndarray, count: int, position: int) -> tuple[dict[str, Any], bool, bool]:
        """One input's row of the check view, and whether engine and chosen rule are right."""
        engine, chosen = self.engine[self.rows, self.columns], self.chosen[self.rows, self.columns]
        errors = [np.abs(engine - numeric), np.abs(chosen - numeric)]
        same = chosen is engine or np.array_equal(engine, chosen)
        target = np.where(np.isnan(errors[1]), np.inf, errors[1])
        if not target.any():
            target = np.abs(numeric)
        r, c = divmod(int(target.argmax()), target.shape[1]) if target.size else (0, 0)
        place = np.unravel_index((self.rows.start + r) * self.matrix_width() + self.columns.start + c, self.shape or (1,))
        good = [bool((e <= ATOL + RTOL * np.abs(numeric)).all()) for e in errors]
        relative = [e.max(initial=0) / max(np.abs(numeric).max(initial=0), 1e-30) for e in errors]
        row = {
            "name": "∂x" if count == 1 else f"∂x{_SUBSCRIPTS[position % 10]}",
            "window": self._words(),
            "maps": [array_map(engine), None if same else array_map(chosen), array_map(numeric)],
            "errors": [array_map(errors[0]), None if same else array_map(errors[1])],
            "worst": [r, c],
            "at": str([int(k) for k in place]) if self.shape else "[]",
            "values": [number(float(a[r, c])) if a.size else "–" for a in (engine, chosen, numeric)],
            "max_abs": [number(float(e.max(initial=0))) for e in errors],
            "max_rel": [number(float(q)) for q in relative],
        }
        return row, good[0], good[1]

    def matrix_width(self) -> int:
        """Columns of the whole matrix."""
        return self.engine.shape[1]

    def _words(self) -> str:
        if (self.rows.stop, self.columns.stop) == self.engine.shape and not (self.rows.start or self.columns.start):
            return shape(self.shape)
        rows, columns = self.rows, self.columns
        return say("lens.window", r0=rows.start, r1=rows.stop - 1, c0=columns.start, c1=columns.stop - 1)


_SUBSCRIPTS = "₀₁₂₃₄₅₆₇₈₉"


def _span(centre: int, length: int, most: int) -> slice:
    start = min(max(0, centre - most // 2), max(0, length - most))
    return slice(start, min(length, start + most))
