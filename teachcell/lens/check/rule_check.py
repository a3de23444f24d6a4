"""Check rule: a Cell's engine gradient and its chosen rule beside central differences, in float64.

Inputs, incoming gradient, random draws and states are those of one recorded call. Large arrays are checked on a
window around the worst element.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...texts import say
from ...texts.numbers import number
from ..failure import failing_line, message_of
from ..watch.recorder import Recorder
from ..write.source import source_of
from .call_again import CallAgain, PrecisionLost
from .window import Window

if TYPE_CHECKING:
    from ..experiment import Experiment

FACTOR = 1e-2  # how much a constant factor may vary, and must differ from 1
LEAST = 1e-4  # beside an incoming gradient of 1, as good as 0


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
    windows = []
    for i, (name, e, c) in enumerate(zip(again.names, engine, chosen, strict=True)):
        if e.size:
            window = Window(name, e, c)
            window.compare(again.slopes(i, window.places), again.precision)
            windows.append(window)
    if not windows:
        return _verdict(True, "lens.check_no_input")
    doubled = again.gradients(function, times=2.0) if function is not None else None
    verdict = _judge(windows, chosen, doubled)
    engine_is_right = all(w.good()[0] for w in windows)
    marks = ["✓" if right else "≠" for right in (engine_is_right, verdict["ok"])]
    return verdict | {"inputs": [w.row(again.scale) for w in windows], "marks": [*marks, ""]}


def _judge(windows: list[Window], chosen: list[np.ndarray], doubled: list[np.ndarray] | None) -> dict[str, Any]:
    """What is wrong with the chosen rule, where it is recognised, for the first variable that it is wrong for."""
    wrong = next((w for w in windows if not w.good()[1]), None)
    finite = all(np.isfinite(c).all() for c in chosen)
    looked = doubled is not None and finite and any(c.any() for c in chosen)
    if looked and all(np.allclose(d, c, FACTOR, 0) for d, c in zip(doubled or (), chosen, strict=True)):
        return _verdict(False, "lens.check_ignores_dout")
    if wrong is None:
        kinks = sum(int(np.count_nonzero(w.kinks)) for w in windows)
        return _verdict(True, "lens.check_kink", count=kinks) if kinks else _verdict(True, "lens.check_right")
    verdict = _cause(wrong)
    if len(windows) > 1:
        verdict["text"] = say("lens.check_by", name=wrong.name, text=verdict["text"])
    return verdict


def _cause(window: Window) -> dict[str, Any]:
    got, wanted, smooth = window.chosen, window.numeric, ~window.kinks
    if not np.isfinite(got).all():
        return _verdict(False, "lens.check_nan")
    if not got.any():
        return _verdict(False, "lens.check_zero")
    if not wanted[smooth].any():
        return _verdict(False, "lens.check_surrogate")
    clear = smooth & (np.abs(wanted) > FACTOR * np.abs(wanted[smooth]).max())
    factor = float(np.mean(got[clear] / wanted[clear])) if clear.any() else 1.0
    if abs(factor - 1) > FACTOR and np.allclose(got[smooth], factor * wanted[smooth], FACTOR, LEAST):
        return _verdict(False, "lens.check_factor", factor=number(factor))
    return _verdict(False, "lens.check_wrong", count=int(np.count_nonzero(~window.right[1])), of=got.size)
