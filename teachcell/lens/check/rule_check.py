"""Check rule: a Cell's engine gradient and its chosen rule beside central differences, in float64.

Inputs, incoming gradient, random draws and states are those of one recorded call. Large arrays are checked on a
window around the worst element.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...autodiff.check import factors
from ...autodiff.check.causes import Checked
from ...autodiff.check.evidence import Evidence
from ...autodiff.check.watching import PrecisionLost
from ...texts import say
from ..failure import failing_line, message_of
from ..watch.recorder import Recorder
from ..write.source import source_of
from .call_again import CallAgain
from .window import Window

if TYPE_CHECKING:
    from ..experiment import Experiment


def check_rule(experiment: Experiment, path: str, recorder: Recorder, call_number: int = 1) -> dict[str, Any]:
    """The contents of the check view for a call of the Cell at ``path``: verdict, maps, worst element, errors."""
    program, rules = experiment.program, experiment.rules
    cell, rule = program.cell(path), rules.in_use(path)
    function = rules.function(path, rule)
    ran = [c for c in recorder.calls if c.cell is cell and c.arguments is not None]
    call = next((c for c in ran if c.number == call_number), ran[0] if ran else None)
    found = {
        "path": path, "title": path or program.title, "rule": rule,
        "code": source_of(function if function is not None else type(cell).construct) or "",
        "rules": [{"id": r, "label": rules.label(r)} for r in rules.ids(path)],
        "columns": [rules.label("automatic"), rules.label(rule), say("lens.numeric")],
        "marks": ["", "", ""], "inputs": [], "note": "",
    }  # fmt: skip
    if call is None:
        return found | _verdict(False, "lens.check_not_called")
    again = CallAgain(cell, call, recorder)
    if not again.complete:
        return found | _verdict(False, "lens.check_too_large")
    if len(ran) > 1:
        found["title"] = f"{found['title']} · {say('lens.call_of', call=call.number, of=len(ran))}"
    try:
        with np.errstate(all="ignore"):  # infinite slopes are compared like others
            found |= _compare(again, function)
    except PrecisionLost:
        return found | _verdict(False, "lens.check_precision")
    except Exception as error:  # the learner's rule or construct
        told = "\n".join(filter(None, (message_of(error), failing_line(error))))
        return found | _verdict(False, "lens.check_raised", error=told)
    note = say("lens.check_note", dtype=again.precision.dtype, h=f"{again.precision.h:.0e}".replace("e-0", "e−"))
    return found | {"note": note + say("lens.check_ones") if again.made_up else note}


def _verdict(ok: bool, key: str, **values: Any) -> dict[str, Any]:
    return {"ok": ok, "head": say(f"{key}_head"), "text": say(key, **values)}


def _compare(again: CallAgain, function: Any) -> dict[str, Any]:
    engine = again.gradients(None)
    chosen = engine if function is None else again.gradients(function)
    doubled = [2 * c for c in chosen] if function is None else again.gradients(function, times=2.0)
    windows = []
    for i, (name, x, e, c, d) in enumerate(zip(again.names, again.arrays, engine, chosen, doubled, strict=True)):
        if e.size:
            window = Window(name, x, e, c, d)
            window.compare(again.slopes(i, window.places), again.precision)
            windows.append(window)
    if not windows:
        return _verdict(True, "lens.check_no_input")
    verdict = _judge(windows, _CheckedRule(again, function, [w.evidence for w in windows if w.whole]))
    engine_is_right = all(w.good()[0] for w in windows)
    marks = ["✓" if right else "≠" for right in (engine_is_right, verdict["ok"])]
    return verdict | {"inputs": [w.row(again.scale) for w in windows], "marks": [*marks, ""]}


def _judge(windows: list[Window], checked: Checked) -> dict[str, Any]:
    """What is wrong with the chosen rule, for the first variable that it is wrong for."""
    for window in windows:
        cause = checked.cause(window.evidence)
        if not cause.right:
            text = say("check.by", name=window.name, text=cause)
            return _verdict(False, "lens.check_nan" if cause.key == "nan" else "lens.check_wrong", text=text)
    kinks = sum(int(np.count_nonzero(w.kinks)) for w in windows)
    return _verdict(True, "lens.check_kink", count=kinks) if kinks else _verdict(True, "lens.check_right")


class _CheckedRule(Checked):
    """A Cell's rule, and the numbers that may name a factor in it."""

    def __init__(self, again: CallAgain, function: Any, evidence: list[Evidence]):
        super().__init__(evidence)
        self.again, self.function = again, function

    def doubled(self, e: Evidence) -> np.ndarray:
        return e.got[1]

    def factor_name(self, factor: float) -> str:
        again = self.again
        arrays = dict(zip(again.names, again.arrays, strict=True))
        shapes = [a.shape for a in again.incoming]
        return factors.name_of(
            factor, factors.numbers_of([self.function], again.inside), factors.lengths(arrays, shapes)
        )
