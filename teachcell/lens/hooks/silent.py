"""Hooks that are attached and did not fire, and why."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ...texts import say
from ..program import Program
from ..watch.looks import name_of
from ..watch.recorder import Recorder
from ..write.document import GLYPHS, learners_hooks
from ..write.source import source_of
from ..write.states import SEVERED_BY
from ..write.steps import call_name


@dataclass(frozen=True)
class Silent:
    """A hook that did not fire.

    Attributes:
        kind: of the hook.
        name: of the hook.
        cell: path of the Cell, or its class.
        calls: the calls in which it did not; none, where the Cell was not called.
        times: how often; 0, where the Cell was not called.
        why: in words.
    """

    kind: str
    name: str
    cell: str
    calls: tuple[int, ...]
    times: int
    why: str
    code: str

    @property
    def glyph(self) -> str:
        return GLYPHS[self.kind]


def silent_hooks(document: dict[str, Any], recorder: Recorder, program: Program) -> list[Silent]:
    """All silent hooks: of calls first, then those of Cells that were run past their hooks or not at all."""
    found: dict[tuple[str, int, str], list[int]] = {}
    hooks: dict[tuple[str, int, str], dict[str, Any]] = {}
    for call, place, hook, why in _in_calls(document, recorder):
        key = call_name(document, call), place, why
        found.setdefault(key, []).append(call)
        hooks[key] = hook
    silent = []
    for (cell, place, why), calls in found.items():
        hook = hooks[cell, place, why]
        code = hook["code"] or ""
        silent.append(Silent(hook["kind"], hook["name"], cell, tuple(calls), len(calls), why, code))
    return [*silent, *_not_called(document, recorder, program)]


def _in_calls(document: dict[str, Any], recorder: Recorder) -> Iterator[tuple[int, int, dict[str, Any], str]]:
    fired = {(event["call"], event.get("attached")) for event in document["events"] if event["kind"] == "hook"}
    raised = {(look.call, look.kind, look.name) for look in recorder.looks.all if look.event is None}
    for call in document["calls"]:
        for place, hook in enumerate(call["hooks"]):
            if (call["id"], place) not in fired and (call["id"], hook["kind"], hook["name"]) not in raised:
                yield call["id"], place, hook, _why(document, recorder, call["id"], hook["kind"])


def _why(document: dict[str, Any], recorder: Recorder, call: int, kind: str) -> str:
    """Why a hook did not fire in a call."""
    seen, error = recorder.calls[call], document["error"]
    if seen.silenced:
        return say("hooks.silent_jit" if seen.silenced == "jit" else "hooks.silent_graph")
    if kind == "forward_pre" or (kind == "forward" and seen.ran is not None):
        return say("hooks.silent_failed" if error is not None else "hooks.silent_changed")
    if seen.ran is None:
        return say("hooks.silent_failed")
    values = [document["values"][v] for v in seen.returned]
    if any(v["grad"] is not None for v in values):
        return say("hooks.silent_failed" if error is not None else "hooks.silent_changed")
    if not values:
        return say("hooks.silent_no_tensor")
    replaced = [place for place in recorder.severed if place.call == call and place.kind == "forward"]
    if replaced:
        cut = say(SEVERED_BY["forward"], cell=call_name(document, call), hook=replaced[-1].hook)
        return say("hooks.silent_no_gradient", why=cut)
    return say("hooks.silent_no_gradient", why=next((v["why"] for v in values if v["why"]), ""))


def _not_called(document: dict[str, Any], recorder: Recorder, program: Program) -> Iterator[Silent]:
    called = {id(call.cell) for call in recorder.calls}
    cells: dict[int, tuple[str, Any, int]] = {}
    for path, cell in program.cells.items():
        if id(cell) not in called:
            cells[id(cell)] = path or document["title"], cell, 0
    for _, cell in recorder.direct:
        name, _, times = cells.get(id(cell), (program.path_of(cell) or document["title"], cell, 0))
        cells[id(cell)] = name, cell, times + 1
    for name, cell, times in cells.values():
        why = say("hooks.silent_direct", times=times) if times else say("hooks.silent_never")
        for kind, fn in learners_hooks(getattr(cell, "_hooks", None)):
            yield Silent(kind, name_of(fn), name, (), times, why, source_of(fn) or "")
