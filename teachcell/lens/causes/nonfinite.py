"""NaN and infinity: the first op that made one, at which element, and from what."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...texts import say
from ...texts.numbers import number as written
from ..replay.elements import index_of
from ..watch.recorder import Recorder
from ..watch.seen import Seen, Sent
from .place import Place

Told = tuple[tuple[str, ...], tuple[Place, ...]]


class Nonfinite:
    """Where numbers end in one run."""

    def __init__(self, recorder: Recorder, document: dict[str, Any]):
        self.recorder, self.document = recorder, document

    # Values -----------------------------------------------------------------------------------------------

    def of_value(self, number: int) -> Told:
        """Why a value holds NaN or an infinity."""
        first = self._first_behind(number)
        value = self.recorder.values[first]
        if value.op is None:
            name = value.name or say(f"causes.came_in_{value.kind}")
            return (say("causes.came_in", name=name, found=_kind_of(value.value.array)),), ()
        op = self.recorder.ops[value.op]
        place = (Place(value.op, op.call, first),)
        at = _first_bad(value.value.array)
        if at is None:
            return (say("causes.made_by", op=op.op.label),), place
        ins = [self._element(v, at, value.value.shape) for v in op.inputs]
        out = written(float(value.value.array[at]))  # type: ignore[index]
        told = say("causes.made", op=op.op.label, inputs=", ".join(ins), out=out, at=_index(at))
        return (told,) if first == number else (told, say("causes.spreads")), place

    def _first_behind(self, number: int) -> int:
        """The earliest value that is not finite among those that this one was computed from."""
        values, ops = self.recorder.values, self.recorder.ops
        found, stack, seen = number, [number], {number}
        while stack:
            value = stack.pop()
            made = values[value].op
            bad = [] if made is None else [v for v in ops[made].inputs if not values[v].value.finite]
            if not bad and self._made_at(value) <= self._made_at(found):
                found = value
            for v in bad:
                if v not in seen:
                    seen.add(v)
                    stack.append(v)
        return found

    def _made_at(self, number: int) -> int:
        """The number of the op that made a value; −1: it came in."""
        made = self.recorder.values[number].op
        return -1 if made is None else made

    def _element(self, number: int, at: tuple[int, ...], sizes: tuple[int, ...]) -> str:
        """An input at the element that was made from it; its range where that is not one element."""
        array = self.recorder.values[number].value.array
        if array is None:
            return "…"
        if array.shape == sizes or array.size == 1:
            return written(float(array[at] if array.shape == sizes else array.item()))
        with np.errstate(all="ignore"):
            return f"{written(float(array.min()))} … {written(float(array.max()))}" if array.size else "[]"

    # Gradients --------------------------------------------------------------------------------------------

    def of_gradient(self, number: int) -> Told:
        """Why a gradient holds NaN or an infinity."""
        for event_number, parts in self.recorder.sent.items():
            event = self.recorder.events[event_number]
            bad = [part for part in parts if not part.part.finite]
            if bad and all(self._arrived_finite(v) for v in event["incoming"]):
                return self._made_by_rule(event, bad[0], spreads=bad[0].value != number)
        root = next((v for v in self.document["outputs"] if not self._arrived_finite(v)), None)
        return (say("causes.gradient_arrived" if root is not None else "causes.gradient_sum"),), ()

    def _arrived_finite(self, number: int) -> bool:
        gradient = self.recorder.values[number].gradient
        return gradient is None or gradient.finite

    def _made_by_rule(self, event: dict[str, Any], part: Sent, spreads: bool) -> Told:
        place = (Place(event.get("op"), event["call"], part.value),)
        more = (say("causes.spreads"),) if spreads else ()
        if "op" not in event:
            cell = self.document["calls"][event["call"]]["path"] or self.document["title"]
            return (say("causes.gradient_bprop", cell=cell), *more), place
        op = self.recorder.ops[event["op"]]
        grads = self.document["ops"][event["op"]]["formula"]["grads"]
        formula = next((text for text, v in grads if v == part.value), "")
        at = _first_bad(part.array)
        if at is None:
            return (say("causes.gradient_made_by", op=op.op.label, formula=formula), *more), place
        gradient = self.recorder.values[event["incoming"][0]].gradient
        g = _at(gradient, at, part.shape)
        inputs = ", ".join(self._element(v, at, part.shape) for v in op.inputs)
        assert part.array is not None
        told = [say("causes.gradient_made", op=op.op.label, formula=formula, at=_index(at), g=g, inputs=inputs,
                    out=written(float(part.array[at])))]  # fmt: skip
        if g == "0":
            told.append(say("causes.hidden_branch"))
        return (*told, *more), place


def _first_bad(array: np.ndarray | None) -> tuple[int, ...] | None:
    """The index of the first NaN, else of the first infinity."""
    if array is None:
        return None
    for bad in (np.isnan(array), np.isinf(array)):
        if bad.any():
            return index_of(np.argmax(bad), array.shape)
    return None


def _at(seen: Seen | None, at: tuple[int, ...], sizes: tuple[int, ...]) -> str:
    if seen is None or seen.array is None or seen.shape not in (sizes, ()):
        return "…"
    return written(float(seen.array[at] if seen.shape == sizes else seen.array))


def _index(at: tuple[int, ...]) -> str:
    return f"[{', '.join(map(str, at))}]" if at else ""


def _kind_of(array: np.ndarray | None) -> str:
    return "NaN" if array is not None and np.isnan(array).any() else "∞"
