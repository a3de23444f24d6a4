"""Check rule: the engine's gradient and a chosen rule's beside central differences, in float64.

Inputs, incoming gradient, random draws and states are those of one recorded call of a Cell, or of one recorded op.
Large arrays are checked on a window around the worst element.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ...autodiff.check import factors
from ...autodiff.check.causes import Checked
from ...autodiff.check.evidence import Evidence
from ...autodiff.check.watching import PrecisionLost
from ...core.card import card
from ...texts import say
from ..compare.listed import listed
from ..failure import failing_line, message_of, told_in_full
from ..lab.kinks import AtKinks
from ..lab.op_rules import BY_ENGINE, engine_op
from ..lab.ready import READY, ready_for
from ..lab.spots import Spot, spots_of
from ..lab.targets import takes_no_rule
from ..rules import ENGINE
from ..watch.recorder import Recorder
from ..watch.seen import CallSeen
from ..write.source import rule_source, source_of
from .again import Again
from .call_again import CallAgain
from .on_purpose import on_purpose
from .op_again import OpAgain
from .window import Window, size_for

if TYPE_CHECKING:
    from ..experiment import Experiment

Found = dict[str, Any]
Told = Callable[[Exception], None]


def ignored(error: Exception) -> None:
    """What a check says about an error is enough."""


def check_rule(
    experiment: Experiment, path: str, recorder: Recorder, call_number: int = 1, told: Told = ignored,
    rule: str | None = None,
) -> Found:  # fmt: skip
    """The contents of the check view for a call of the Cell at ``path``: verdict, maps, worst element, errors.

    Args:
        told: called with an exception of the learner's rule.
        rule: id of the rule; None: the one in use.
    """
    program, rules = experiment.program, experiment.rules
    cell, rule = program.cell(path), rules.in_use(path) if rule is None else rule
    function = rules.function(path, rule)
    ran = [c for c in recorder.calls if c.cell is cell and c.arguments is not None]
    call = next((c for c in ran if c.number == call_number), ran[0] if ran else None)
    found = _nothing(path or program.title, source_of(function if function is not None else type(cell).construct))
    found |= {"path": path, "call": 1, "rule": rule, "columns": _columns(rules.label(rule))}
    offered = rules.offered(path, _ready_for_call(recorder, call))
    found["rules"] = [{"id": r, "label": rules.label(r)} for r in offered]
    found["about"] = _about(rule, function)
    if call is None:
        return found | _verdict(False, "lens.check_not_called")
    found["call"] = call.number
    if len(ran) > 1:
        found["title"] = f"{found['title']} · {say('lens.call_of', call=call.number, of=len(ran))}"
    again = CallAgain(cell, call, recorder)
    places = [program.path_of(part) for part in again.ruled]
    if function is None and places:  # the engine's rule here, but not all the way down
        known = {p: rules.label(rules.in_use(p)) if p in program.cells else say("lens.rule_own") for p in places}
        whose = (say("lens.rule_inside", rule=label, cell=p) for p, label in known.items())
        found["columns"] = _columns(listed(whose))
    found["inside"] = places
    return found | _checked(again, function, told, places)


def check_op(
    experiment: Experiment, spot: Spot, recorder: Recorder, told: Told = ignored, rule: str | None = None
) -> Found:
    """The same for one op."""
    number = next((n for n, s in spots_of(recorder, experiment.program) if s == spot), None)
    found = _nothing(spot.op, None) | {"path": spot.path, "call": spot.call, "rules": [], "rule": ""}
    if number is None:
        return found | _verdict(False, "lens.check_op_gone")
    seen, rules = recorder.ops[number], experiment.op_rules
    choice = rules.at(spot) if rule is None else rules.find(spot.op, rule)
    choice = None if choice is BY_ENGINE else choice
    op = engine_op(seen.op)
    offered = rules.offered(op, seen.attrs, ready_for_op(recorder, number))
    found["conventions"] = list(card(op).conventions)
    found |= {"title": op.label, "rules": [{"id": c.id, "label": c.label} for c in offered]}
    if choice is None:
        found |= {"code": rule_source(op), "rule": ENGINE, "columns": _columns(say("lens.rule_engine"))}
    else:
        found |= {"code": _code_of(choice.function), "rule": choice.id, "columns": _columns(choice.label)}
        found["about"] = _about(choice.id, choice.function)
    if seen.error is not None:
        return found | _verdict(False, "lens.check_op_failed", op=op.label)
    if (none := takes_no_rule(recorder, number)):
        return found | {"rules": found["rules"][:1], "ok": False, "head": say("lens.no_rule_here"), "text": none}
    function = None if choice is None else choice.function
    return found | _checked(OpAgain(op, number, recorder, experiment.seed), function, told)


def ready_for_op(recorder: Recorder, number: int) -> list[str]:
    """Ids of the ready variants that fit an op of a run."""
    seen = recorder.ops[number]
    return _fitting(recorder, seen.inputs, seen.outputs)


def _ready_for_call(recorder: Recorder, call: CallSeen | None) -> list[str]:
    return [] if call is None else _fitting(recorder, call.inputs, call.returned)


def _fitting(recorder: Recorder, inputs: list[int], outputs: list[int]) -> list[str]:
    kept, made = ([recorder.values[v].value for v in ids] for ids in (inputs, outputs))
    shapes = [v.shape for v in kept if v.dtype.kind == "f"]
    one = made[0].shape if len(made) == 1 and made[0].dtype.kind == "f" else None
    return ready_for(shapes, one)


def _nothing(title: str, code: str | None) -> Found:
    found: Found = {"title": title, "code": code or "", "marks": ["", "", ""]}
    return found | dict.fromkeys(("note", "failed", "about"), "") | {"inputs": [], "conventions": [], "inside": []}


def _about(rule: str, function: Any) -> str:
    """What a ready rule is for."""
    ready = READY.get(rule)
    return ready.about if ready is not None and function is ready.function else ""


def _code_of(function: Any) -> str:
    return function.shown if isinstance(function, AtKinks) else source_of(function) or ""


def _columns(label: str) -> list[str]:
    return [say("lens.rule_engine"), label, say("lens.numeric")]


def _verdict(ok: bool, key: str, **values: Any) -> Found:
    return {"ok": ok, "head": say(f"{key}_head"), "text": say(key, **values)}


def _checked(again: Again, function: Any, told: Told, places: Sequence[str] = ()) -> Found:
    """The evidence, or why there is none.

    Args:
        places: the paths of the Cells inside that have a rule of their own.
    """
    if not again.complete:
        return _verdict(False, "lens.check_too_large")
    try:
        with np.errstate(all="ignore"):  # infinite slopes are compared like others
            found = _compare(again, function, places)
    except PrecisionLost:
        return _verdict(False, "lens.check_precision")
    except Exception as error:  # the learner's rule or construct
        told(error)
        text = told_in_full(error) if failing_line(error) else f"{message_of(error)}{_returning(function)}"
        return _verdict(False, "lens.check_raised", error=text) | {"failed": text}
    note = say("lens.check_note", dtype=again.precision.dtype, h=f"{again.precision.h:.0e}".replace("e-0", "e−"))
    note += say("lens.check_ones") if again.made_up else ""
    note += say("lens.check_left_out", count=again.left_out) if again.left_out else ""
    return found | {"note": note}


def _returning(function: Any) -> str:
    """The line in which a rule returns, where there is one such line: what it returned was wrong."""
    code = (source_of(function) or "").splitlines()
    lines = code if len(code) == 1 else [line.strip() for line in code if line.strip().startswith("return")]
    return f"\n{getattr(function, '__name__', '')}: {lines[0]}" if len(lines) == 1 else ""


def _compare(again: Again, function: Any, places: Sequence[str]) -> Found:
    engine, only_engine = again.by_engine(), function is None and not again.ruled
    chosen = engine if only_engine else again.gradients(function)
    doubled = [2 * c for c in chosen] if only_engine else again.gradients(function, times=2.0)
    windows, most = [], size_for(len(again.names), again.length)
    for i, (name, x, e, c, d) in enumerate(zip(again.names, again.arrays, engine, chosen, doubled, strict=True)):
        if e.size:
            window = Window(name, x, e, c, d, most)
            window.compare(again.slopes(i, window.places), again.precision)
            windows.append((i, window))
    if not windows:
        return _verdict(True, "lens.check_no_input")
    evidence = [w.evidence for _, w in windows if w.whole]
    verdict = _judge(windows, _CheckedRule(again, function, evidence))
    engine_is_right = all(w.good()[0] for _, w in windows)
    if function is None and engine_is_right and not verdict["ok"]:
        verdict["text"] += say("lens.check_inside", cells=listed(_at_fault(again, windows, places)))
    marks = ["✓" if right else "≠" for right in (engine_is_right, verdict["ok"])]
    return verdict | {"inputs": [w.row(again.scale) for _, w in windows], "marks": [*marks, ""]}


def _at_fault(again: Again, windows: list[tuple[int, Window]], places: Sequence[str]) -> list[str]:
    """The Cells inside whose own rule alone makes a gradient wrong; all, if only together they do."""
    if len(places) == 1:
        return list(places)
    alone = {place: again.by_engine(cell) for cell, place in zip(again.ruled, places, strict=True)}
    wrong = [p for p, found in alone.items() if not all(w.takes(found[i]) for i, w in windows)]
    return wrong or list(places)


def _judge(windows: list[tuple[int, Window]], checked: _CheckedRule) -> Found:
    """What is wrong with the chosen rule, for the first variable that it is wrong for."""
    for i, window in windows:
        cause = checked.cause(window.evidence)
        if not cause.right:
            meant = on_purpose(checked.again, checked.function, window, i)
            if meant:
                return _verdict(False, "lens.check_purpose", text=say("check.by", name=window.name, text=meant))
            unanswered = checked.function is not None and i >= checked.again.answered
            why: Any = say("lens.check_unanswered") if unanswered else cause
            text = say("check.by", name=window.name, text=why)
            return _verdict(False, "lens.check_nan" if cause.key == "nan" else "lens.check_wrong", text=text)
    kinks = sum(int(np.count_nonzero(w.kinks)) for _, w in windows)
    return _verdict(True, "lens.check_kink", count=kinks) if kinks else _verdict(True, "lens.check_right")


class _CheckedRule(Checked):
    """A rule, and the numbers that may name a factor in it."""

    def __init__(self, again: Again, function: Any, evidence: list[Evidence]):
        super().__init__(evidence)
        self.again, self.function, self.scale = again, function, again.scale

    def doubled(self, e: Evidence) -> np.ndarray:
        return e.got[1]

    def factor_name(self, factor: float) -> str:
        again = self.again
        arrays = dict(zip(again.names, again.arrays, strict=True))
        shapes = [a.shape for a in again.incoming]
        return factors.name_of(
            factor, factors.numbers_of([self.function], again.inside), factors.lengths(arrays, shapes)
        )
