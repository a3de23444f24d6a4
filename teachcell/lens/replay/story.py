"""The story of a run, event by event: what came in, the rule with numbers, what went to each input, running sums."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from ...core.gradients import added_axes
from ...texts import say
from ...texts.numbers import number, shape
from ..watch.looks import is_the_lens
from ..watch.recorder import Recorder
from ..watch.seen import CONSTRUCT, NEW_DATA, Seen, Sent
from ..watch.summary import SIDE
from ..write.source import source_of
from ..write.steps import Words, call_name, write_steps
from . import elements
from .arrays import Arrays
from .ledger import Ledger
from .written import OpNumbers

Row = dict[str, Any]
Chosen = Mapping[tuple[int, int], elements.Index]
NO_GRADIENT = ("cut", "not needed", "not asked", "not differentiable")


class Story:
    """Tells the events of one document.

    Args:
        document: of the run.
        recorder: what was seen in it.
        rule_of: the function behind the rule in use at a call's path, for its source; None: the engine's.
        chosen: which element is written out, by event and row; by default the largest.
        side: the most squares along each side of a map.

    Attributes:
        arrays: what the events show.
    """

    def __init__(
        self, document: dict[str, Any], recorder: Recorder, rule_of: Callable[[str], Any],
        chosen: Chosen | None = None, side: int = SIDE,
    ):  # fmt: skip
        self.document, self.recorder, self.rule_of = document, recorder, rule_of
        self.chosen = chosen or {}
        self.values, self.ops = document["values"], document["ops"]
        self.arrays = Arrays(side)
        self._written: list[Words] | None = None
        self.ledger = Ledger(recorder, document["outputs"])

    def tell(self, number: int) -> dict[str, Any]:
        """One event."""
        event = self.document["events"][number]
        step = _TELL[event["kind"]](self, number, event)
        place = call_name(self.document, event["call"])
        call = self.document["calls"][event["call"]]
        if call["of"] > 1:
            place += " · " + say("lens.call_of", call=call["call"], of=call["of"])
        return {"kind": event["kind"], "place": place, "card": "", "code": "", "words": [], "incoming": [],
                "inputs": [], "outputs": []} | step  # fmt: skip

    def sentence(self, number: int) -> Words:
        """One event in one sentence."""
        return self._sentences()[number]

    def _sentences(self) -> list[Words]:
        if self._written is None:
            self._written = [step["sentence"] for step in write_steps(self.document)]
        return self._written

    # Names and arrays -------------------------------------------------------------------------------------

    def _of(self, value: int) -> str:
        """What a value is, in words: a name, or which op made it."""
        entry = self.values[value]
        if entry["name"]:
            return entry["name"]
        if entry["op"] is None:
            return say("replay.constant")
        return say("replay.result_of", op=self.ops[entry["op"]]["label"])

    def _row(self, name: str, value: int, seen: Seen | None, **more: Any) -> Row:
        entry = self.values[value]
        return {
            "name": name,
            "value": value,
            "of": self._of(value),
            "shape": shape(entry["shape"]),
            "array": None if seen is None else self.arrays.seen(seen),
            "class": "val",
            "element": None,  # the place in the array of the one that is written out
            "formula": "",
            "written": "",
            "words": [],
            "sum": None,
        } | more

    def _index(self, event: int, row: int, array: np.ndarray) -> elements.Index:
        index = self.chosen.get((event, row))
        inside = index is not None and len(index) == array.ndim
        if index is not None and inside and all(0 <= i < n for i, n in zip(index, array.shape, strict=True)):
            return index
        return elements.largest(array)

    # Forward ----------------------------------------------------------------------------------------------

    def _forward(self, event_number: int, event: dict[str, Any]) -> dict[str, Any]:
        op, seen = self.ops[event["op"]], self.recorder.ops[event["op"]]
        numbers = OpNumbers(seen, self.recorder.values)
        made = seen.op not in (CONSTRUCT, NEW_DATA)
        slots = [(i, v) for i, v in enumerate(seen.slots) if v is not None]
        inputs = [self._row(numbers.letter(i) if made else "x", v, self.recorder.values[v].value) for i, v in slots]
        outputs = [self._result(event_number, nth, v, numbers, op) for nth, v in enumerate(op["outputs"])]
        words = [] if made or seen.op is NEW_DATA else [["soft", say("replay.own_forward")]]
        return {"title": op["label"], "inputs": inputs, "outputs": outputs, "words": words}

    def _result(self, event: int, nth: int, value: int, numbers: OpNumbers, op: dict[str, Any]) -> Row:
        seen = self.recorder.values[value].value
        letter = numbers.result_letter() if len(op["outputs"]) == 1 else f"y[{nth}]"
        told = self._row(letter, value, seen, words=self._coming_back(value))
        told["formula"] = op["formula"]["value"] if not nth else ""
        if seen.array is None:
            told["written"] = say("replay.not_kept")
        elif seen.size:
            index = self._index(event, nth, seen.array)
            told["written"] = numbers.result(nth, index).replace(numbers.result_letter(), letter, 1)
            told["element"] = elements.flat(index, seen.shape)
        return told

    def _coming_back(self, value: int) -> Words:
        """Whether, and from how many users, a gradient will come back to a result."""
        entry, maker = self.values[value], self.values[value]["op"]
        words: Words = []
        if value in self.document["outputs"]:
            count = len(self.document["outputs"])
            one = "replay.is_result" if self.recorder.values[value].value.size == 1 else "replay.is_array"
            words.append(["", say("replay.is_output", count=count) if count > 1 else say(one)])
        if maker is not None and self.recorder.ops[maker].op.name == "stop_gradient":
            return [*words, ["mark", say("replay.stops")]]
        if entry["grad_state"] in NO_GRADIENT:
            return [*words, ["soft", say("replay.none_comes", why=entry["why"])]]
        uses = len(self.ledger.of(value)) - (value in self.document["outputs"])
        if uses > 1:
            words.append(["", say("replay.used", count=uses)])
        return words

    # Backward ---------------------------------------------------------------------------------------------

    def _backward(self, event_number: int, event: dict[str, Any]) -> dict[str, Any]:
        op, seen = self.ops[event["op"]], self.recorder.ops[event["op"]]
        numbers = OpNumbers(seen, self.recorder.values)
        formulas = self._gradient_formulas(numbers, op)
        sent = {s.slot: s for s in self.recorder.sent[event_number]}
        rows: list[Row] = []
        for slot, value in enumerate(seen.slots):
            if value is None:
                continue
            name = f"∂{numbers.letter(slot)}"
            if slot in sent:
                row = self._sent_row(name, event_number, sent[slot], len(rows), numbers)
                rows.append(row | {"formula": formulas.get(slot, "")})
            else:
                rows.append(self._row(name, value, None, words=[["soft", self._why_none(slot, value, seen.op)]]))
        return {
            "title": op["label"],
            "card": op["op"] if op["op"] in self.document["cards"] else "",
            "incoming": self._incoming(op["outputs"]),
            "inputs": self._in_use(numbers, op),
            "outputs": rows,
        }

    def _in_use(self, numbers: OpNumbers, op: dict[str, Any]) -> list[Row]:
        """The values that the gradients' formulas name."""
        named = numbers.named()
        values = {numbers.letter(i): v for i, v in enumerate(numbers.seen.slots) if v is not None}
        if len(op["outputs"]) == 1:
            values.setdefault(numbers.result_letter(), op["outputs"][0])
        return [self._row(n, v, self.recorder.values[v].value) for n, v in values.items() if n in named]

    def _gradient_formulas(self, numbers: OpNumbers, op: dict[str, Any]) -> dict[int, str]:
        """Slot to the formula of the card."""
        texts = [text for text, _ in op["formula"]["grads"]]
        if numbers.op.arity is None:
            return dict.fromkeys(range(len(numbers.inputs)), texts[0] if texts else "")
        rules = numbers.op.rules
        slots = [i for i in range(len(numbers.inputs)) if not isinstance(rules, tuple) or rules[i] is not None]
        return dict(zip(slots, texts, strict=False))

    def _incoming(self, outputs: Iterable[int]) -> list[Row]:
        """The gradient at each result, and how it came together."""
        rows, outputs = [], list(outputs)
        for nth, value in enumerate(outputs):
            gradient = self.recorder.values[value].gradient
            name = "g" if len(outputs) == 1 else f"g[{nth}]"
            if gradient is None:
                why = self.values[value]["why"] or ""
                rows.append(self._row(name, value, None, words=[["soft", say("replay.none_arrived", why=why)]]))
                continue
            row = self._row(name, value, gradient, words=self._how_it_came(value, gradient))
            rows.append(row | {"class": "grad"})
        return rows

    def _how_it_came(self, value: int, gradient: Seen) -> Words:
        entries = self.ledger.of(value)
        words: Words = []
        if value in self.document["outputs"]:
            count = len(self.document["outputs"])
            words.append(["", say("replay.seed_many" if count > 1 else "replay.seed", count=count)])
        if len(entries) > 1:
            words.append(["", say("replay.sum_of", count=len(entries))])
        total = self.ledger.total(value)
        if total is not None and gradient.array is not None and not elements.close(total, gradient.array):
            with np.errstate(invalid="ignore"):
                gaps = np.where(total == gradient.array, 0, total - gradient.array)  # an ∞ in both is none
            at = elements.largest(gaps)
            before, after = (number(float(a[at])) for a in (total, gradient.array))
            where = f" {elements.label(at, total.shape)}".rstrip()
            text = say("replay.hook_changed", at=where, before=before, after=after)
            words.append(["mark", text])
        return words

    def _why_none(self, slot: int, value: int, op: Any) -> str:
        """Why nothing is sent to an input."""
        entry, maker = self.values[value], self.values[value]["op"]
        rules = op.rules
        if maker is not None and self.recorder.ops[maker].op.name == "stop_gradient":
            return say("replay.behind_stop")
        if isinstance(rules, tuple) and slot < len(rules) and rules[slot] is None:
            return say("replay.no_rule")
        if entry["kind"] == "constant" and maker is None and entry["replaces"] is None:
            return say("replay.constant_input")
        return say("replay.not_wanted", why=entry["why"] or say("lens.why_nothing_behind"))

    def _sent_row(self, name: str, event: int, sent: Sent, row: int, numbers: OpNumbers | None) -> Row:
        """What goes to one input."""
        value_shape = tuple(self.values[sent.value]["shape"])
        words: Words = []
        if sent.shape != value_shape:
            axes = added_axes(sent.shape, value_shape) or ()
            words.append(["", _undone(axes, sent.shape, value_shape)])
        if sent.array is None:
            told = self._row(name, sent.value, None, words=[*words, ["soft", say("replay.not_kept")]])
            return told | {"class": "grad", "sum": self._running_sum(event, sent, None)}
        part = elements.unbroadcast(sent.array, value_shape)
        index = self._index(event, row, part)
        written = ""
        if numbers is not None and part.size:
            written = numbers.gradient(sent, part, index)
        elif part.size:
            value = float(part[index])
            written = f"{name}{elements.label(index, part.shape)} {elements.equals(value, value)} {number(value)}"
        told = self._row(name, sent.value, None, words=words, written=written, array=self.arrays.add(part))
        told["element"] = elements.flat(index, part.shape)
        return told | {"class": "grad", "sum": self._running_sum(event, sent, index)}

    def _running_sum(self, event: int, sent: Sent, index: elements.Index | None) -> Row | None:
        """Where several gradients meet: which of them this is, the sum before and after, what is still to come."""
        entries = self.ledger.of(sent.value)
        if len(entries) < 2:
            return None
        nth = self.ledger.place(sent.value, event, sent.slot)
        told: Row = {
            "nth": say("replay.nth_of", nth=nth + 1, of=len(entries)),
            "to_come": [self._sender(e) for e, _ in entries[nth + 1 :]],
            "from": [self._sender(e) for e, _ in entries[:nth]],
            "text": "", "before": None, "after": None,
        }  # fmt: skip
        before, after = self.ledger.up_to(sent.value, nth), self.ledger.up_to(sent.value, nth + 1)
        if after is None or index is None or not after.size:
            return told
        told["after"] = self.arrays.add(after)
        now = float(after[index])
        if before is None:
            told["text"] = f"{number(now)}"
            return told
        told["before"] = self.arrays.add(before)
        old, part = float(before[index]), now - float(before[index])
        sign = elements.equals(elements.shown(old) + elements.shown(part), now)
        told["text"] = f"{number(old)} + {elements.bracketed(part)} {sign} {number(now)}"
        return told

    def _sender(self, event: int | None) -> str:
        if event is None:
            return say("replay.from_output")
        told = self.document["events"][event]
        if told["kind"] == "backward":
            return self.ops[told["op"]]["label"]
        return call_name(self.document, told["call"])

    # Own rules, hooks, cuts -------------------------------------------------------------------------------

    def _own_rule(self, event_number: int, event: dict[str, Any]) -> dict[str, Any]:
        call, seen = self.document["calls"][event["call"]], self.recorder.calls[event["call"]]
        sent = {s.slot: s for s in self.recorder.sent[event_number]}
        rows: list[Row] = []
        for slot, value in enumerate(seen.rule_inputs or ()):
            name = f"∂{self.values[value]['name'] or f'x{slot + 1}'}"
            if slot in sent:
                row = self._sent_row(name, event_number, sent[slot], len(rows), None)
                rows.append(row | {"formula": say("explorer.gradient_by", rule=call["rule"]).replace("∂x", name)})
            else:
                why = say("replay.rule_gave_none") if self.values[value]["grad_state"] == "cut" else None
                why = why or say("replay.not_wanted", why=self.values[value]["why"] or say("replay.rule_gave_none"))
                rows.append(self._row(name, value, None, words=[["soft", why]]))
        return {
            "title": call_name(self.document, event["call"]),
            "code": source_of(self.rule_of(call["path"])) or "",
            "words": [["", say("replay.own_rule", rule=call["rule"])]],
            "incoming": self._incoming(seen.returned),
            "outputs": rows,
        }

    def _hook(self, event_number: int, event: dict[str, Any]) -> dict[str, Any]:
        passing = "forward" if event["hook"] in ("forward_pre", "forward") else "backward"
        words = [["", say(f"replay.hook_{event['hook']}")]]
        words.append(["mark", say("replay.hook_replaced")] if event["replaced"] else ["", say("replay.hook_looked")])
        place = next((s for s in self.recorder.severed if s.call == event["call"] and s.hook == event["name"]), None)
        if event["replaced"] and place is not None and passing == "forward":
            words.append(["mark", say("replay.hook_cuts")])
        hook = self.recorder.hooks.get(event_number)
        if is_the_lens(hook):
            words.append(["soft", say("replay.hook_capture")])
            hook = None
        return {
            "title": say(f"lens.hook_{event['hook']}", name=event["name"]),
            "words": words,
            "code": (source_of(hook) or "") if hook is not None else "",
        }

    def _cut(self, event_number: int, event: dict[str, Any]) -> dict[str, Any]:
        value = event["value"]
        words = [["mark", say("lens.cut_here") + event["why"]], ["", say("replay.cut_means", of=self._of(value))]]
        return {"title": say("replay.cut_title"), "words": words}


_TELL: dict[str, Callable[[Story, int, dict[str, Any]], dict[str, Any]]] = {
    "forward": Story._forward, "backward": Story._backward, "bprop": Story._own_rule, "hook": Story._hook,
    "cut": Story._cut,
}  # fmt: skip


def _undone(axes: tuple[int, ...], full: tuple[int, ...], own: tuple[int, ...]) -> str:
    """A broadcast undone, in words."""
    key = "replay.summed_axis" if len(axes) == 1 else "replay.summed_axes"
    return say(key, axes=", ".join(map(str, axes)), full=shape(full), own=shape(own))
