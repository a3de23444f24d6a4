"""The one document: what a Recorder saw, as plain data. Replay, drawing, export and the browser read only this."""

from __future__ import annotations

from collections import Counter
from typing import Any

from ...core.card import card, formulas
from ...nn.hooks import KINDS
from ...texts import say
from ..lab.op_rules import rule_in
from ..program import Program
from ..rules import ENGINE, OWN
from ..watch.inner_gradient import RuleRun
from ..watch.looks import is_the_lens
from ..watch.recorder import Recorder
from ..watch.seen import CONSTRUCT, NEW_DATA, OpSeen, summarise_together
from .source import rule_source, source_of
from .states import States

GLYPHS = dict(zip(KINDS, "▷▶◁◀", strict=True))  # of hooks, wherever they are shown
OF_THE_MOMENT = ("training", "phase", "depends_on_mode", "hooks")  # of a call: the Cell may be another by now
MOST_PICTURED = 1000  # values; in larger documents summaries carry no map and no histogram


def write_document(
    recorder: Recorder, program: Program, roots: list[int], rules: dict[str, str], error: Any = None
) -> dict[str, Any]:
    """Put a run into a document.

    Args:
        recorder: what was seen.
        program: names of its parts.
        roots: the values that were differentiated.
        rules: path to the name of a backward rule that was chosen for the Cell there.
        error: ``{"op", "call", "message"}`` of a run that failed.
    """
    return _Writer(recorder, program, roots, rules, error).document()


def reworded(document: dict[str, Any], anew: dict[str, Any]) -> dict[str, Any]:
    """A document written anew in another language, with what was true of the Cells when the run was made."""
    for call, before in zip(anew["calls"], document["calls"], strict=True):
        call |= {name: before[name] for name in OF_THE_MOMENT}
    happened = [event for event in document["events"] if event["kind"] != "cut"]
    return anew | {"events": [*happened, *(event for event in anew["events"] if event["kind"] == "cut")]}


class _Writer:
    def __init__(self, recorder: Recorder, program: Program, roots: list[int], rules: dict[str, str], error: Any):
        self.recorder, self.program, self.roots, self.rules, self.error = recorder, program, roots, rules, error
        self.paths = ["" if call.parent is None else program.path_of(call.cell) for call in recorder.calls]
        known_as = [path or program.title for path in self.paths]
        unfinished = ""
        if error is not None:
            unfinished = say("lens.why_no_backward" if recorder.forward else "lens.why_backward_failed")
        self.states = States(recorder, roots, known_as, unfinished)
        self.times_called = Counter(id(call.cell) for call in recorder.calls)
        self.parameter_names = {id(p): name for p, name in program.parameter_names()}
        self.pictures = len(recorder.values) <= MOST_PICTURED
        self._hooks: dict[int, list[dict[str, Any]]] = {}

    def document(self) -> dict[str, Any]:
        recorder, roots = self.recorder, self.roots
        if not self.pictures:
            summarise_together(s for v in recorder.values for s in (v.value, v.gradient) if s is not None)
        for parameter in recorder.parameters:
            value = recorder.values[recorder.value_of(parameter)]
            value.name = self.parameter_names.get(id(parameter), parameter.name)
        return {
            "title": self.program.title,
            "calls": [self._call(number) for number in range(len(recorder.calls))],
            "values": [self._value(number) for number in range(len(recorder.values))],
            "ops": [self._op(number, op) for number, op in enumerate(recorder.ops)],
            "cards": self._cards(),
            "events": [*self._events(), *self._cuts()],
            "inputs": [i for i, v in enumerate(recorder.values) if v.kind == "input"],
            "outputs": roots,
            "loss": roots[0] if self.program.loss is not None and len(roots) == 1 else None,
            "error": self.error,
        }

    def _events(self) -> list[dict[str, Any]]:
        """The events; each hook with its glyph and its place among those of its call, None for one gone or ours."""
        fired: Counter[tuple[int, str, int]] = Counter()
        events = list(self.recorder.events)
        for number, hook in self.recorder.hooks.items():
            call, kind = events[number]["call"], events[number]["hook"]
            points = getattr(self.recorder.calls[call].cell, "_hooks", None)
            places = [i for i, (k, fn) in enumerate(learners_hooks(points)) if k == kind and fn is hook]
            nth = fired[call, kind, id(hook)]
            fired[call, kind, id(hook)] += 1
            attached = places[nth] if nth < len(places) else None
            events[number] = events[number] | {"glyph": GLYPHS[kind], "attached": attached}
        return events

    def _cuts(self) -> list[dict[str, Any]]:
        """Where the gradient was cut, as last events: at an op, or at the Cell whose hook or rule did it."""
        return [
            {"kind": "cut", "call": cut.call, "value": value, "why": cut.why}
            | ({"op": cut.op} if cut.op is not None else {})
            for cut, value in self.states.places.items()
        ]

    def _call(self, number: int) -> dict[str, Any]:
        call = self.recorder.calls[number]
        cell, path = call.cell, self.paths[number]
        cls = "function" if cell is None else getattr(cell, "__name__", type(cell).__name__)
        rule_run = isinstance(cell, RuleRun)
        own_rule = call.rule_inputs is not None
        return {
            "id": number,
            "parent": call.parent,
            "path": path,
            "name": path.rpartition(".")[2] or (self.program.title if cell is None else cls),
            "cls": say("lens.rule_run") if rule_run else cls,
            "rule_run": rule_run,
            "call": call.number,
            "of": self.times_called[id(cell)],
            "training": getattr(cell, "training", None),
            "phase": getattr(cell, "phase", None),
            "depends_on_mode": getattr(cell, "depends_on_mode", False),
            "rule": self.rules.get(path, say("lens.rule_own")) if own_rule else ENGINE,
            "rule_id": self.rules.get(path, OWN) if own_rule else ENGINE,  # whatever the language
            "hooks": self._hooks_of(cell),
            "inputs": call.inputs,
            "outputs": call.outputs,
        }

    def _hooks_of(self, cell: Any) -> list[dict[str, Any]]:
        if id(cell) not in self._hooks:
            self._hooks[id(cell)] = [
                {
                    "kind": kind,
                    "glyph": GLYPHS[kind],
                    "name": getattr(fn, "__name__", type(fn).__name__),
                    "code": source_of(fn),
                }
                for kind, fn in learners_hooks(getattr(cell, "_hooks", None))
            ]
        return self._hooks[id(cell)]

    def _value(self, number: int) -> dict[str, Any]:
        value = self.recorder.values[number]
        state, why = self.states.gradient(number)
        return {
            "id": number,
            "kind": value.kind,
            "name": value.name,
            "op": value.op,
            "output": value.output,
            "shape": list(value.value.shape),
            "dtype": str(value.value.dtype),
            "value": value.value.summary(self.pictures),
            "grad": value.gradient.summary(self.pictures) if value.gradient is not None else None,
            "value_state": self.states.value(number),
            "rewritten": value.rewritten,
            "grad_state": state,
            "replaces": value.replaces,
            "why": why,
        }

    def _op(self, number: int, seen: OpSeen) -> dict[str, Any]:
        formulas = self._formulas(seen)
        rules = seen.op.rules if isinstance(seen.op.rules, tuple) else None
        slots = [v for i, v in enumerate(seen.slots) if rules is None or (i < len(rules) and rules[i] is not None)]
        return {
            "id": number,
            "op": seen.op.name,
            "label": self._label(seen),
            "call": seen.call,
            "inputs": seen.inputs,
            "outputs": seen.outputs,
            "attrs": {name: str(value) for name, value in (seen.attrs or {}).items()},
            "error": seen.error,
            "formula": {
                "value": formulas[0] if formulas else "",
                "grads": [[text, v] for text, v in zip(formulas[1:], slots, strict=False) if v is not None],
            },
            "source": rule_source(seen.op),
            "rule": rule.choice.label if (rule := rule_in(seen.op)) is not None else "",  # in the place of the engine's
        }

    def _cards(self) -> dict[str, dict[str, Any]]:
        """What the cards of the ops say beside formulas, by the op's name: one each, however often it ran."""
        made = (seen.op for seen in self.recorder.ops if seen.op not in (CONSTRUCT, NEW_DATA))
        ops = {op.name: op for op in made if rule_in(op) is None}
        found = {}
        for name, op in ops.items():
            known = card(op)
            if known.words or known.conventions or known.source:
                source = say("cards.source", source=known.source) if known.source else ""
                found[name] = {"words": known.words, "conventions": list(known.conventions), "source": source}
        return found

    def _label(self, seen: OpSeen) -> str:
        cell = self.recorder.calls[seen.call].cell
        return getattr(cell, "__name__", type(cell).__name__) if seen.op in (CONSTRUCT, NEW_DATA) else seen.op.label

    def _formulas(self, seen: OpSeen) -> tuple[str, ...]:
        if seen.op is NEW_DATA:
            return (say("lens.new_data"),)
        try:
            return formulas(seen.op, seen.attrs)
        except TypeError:  # a failed op may hold attributes that it does not know
            return ()


def learners_hooks(points: Any) -> list[tuple[str, Any]]:
    """Kind and function of all hooks on a Cell, but for those that capture."""
    hooks = [(kind, hook.fn) for kind in KINDS for hook in getattr(points, kind, ())]
    return [(kind, fn) for kind, fn in hooks if not is_the_lens(fn)]
