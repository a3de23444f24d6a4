"""The answer to "why is this gradient zero, missing or NaN?" for every value of a recorded run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...texts import say
from ...texts.numbers import shape
from ..watch.recorder import Recorder
from .nonfinite import Nonfinite
from .place import Place
from .zeros import Zeros

MISSING = ("cut", "not needed", "not asked", "not differentiable")


@dataclass(frozen=True)
class Finding:
    """What is found out about one value's gradient.

    Attributes:
        state: as the document calls it; "some zero" where only some elements are 0.
        head: the state in a word or two.
        why: sentences, the nearest cause first.
        places: where it happened; empty where there is nothing to point at.
    """

    state: str
    head: str
    why: tuple[str, ...]
    places: tuple[Place, ...] = ()

    def __repr__(self) -> str:
        return " ".join((self.head, *self.why))

    @property
    def odd(self) -> bool:
        """Whether it asks for attention: a cut, exact zeros, NaN or infinity."""
        return self.state in ("cut", "zero", "dead", "nan", "nan starts", "value nan")


class Causes:
    """The causes in one run.

    Args:
        recorder: what was seen.
        document: what was written of it.
    """

    def __init__(self, recorder: Recorder, document: dict[str, Any]):
        self.recorder, self.document = recorder, document
        self._zeros = Zeros(recorder, document)
        self._nonfinite = Nonfinite(recorder, document)
        self._cuts = [event for event in document["events"] if event["kind"] == "cut"]

    def of(self, number: int) -> Finding:
        """What there is to say about the gradient of a value."""
        value = self.document["values"][number]
        state = value["grad_state"]
        if value["value_state"] in ("nan", "nan starts"):
            return Finding("value nan", say("causes.head_value_nan"), *self._nonfinite.of_value(number))
        if state in MISSING:
            return self._missing(state, value["why"])
        if state in ("nan", "nan starts"):
            return Finding(state, say("causes.head_nan"), *self._nonfinite.of_gradient(number))
        gradient = self.recorder.values[number].gradient
        if gradient is not None and not gradient.size:
            return Finding("empty", say("causes.head_empty"), (say("causes.empty", shape=shape(gradient.shape)),))
        if state == "zero":
            return Finding(state, say("causes.head_zero"), *self._zeros.of(number))
        if (some := self._zeros.some(number)) is not None:
            return Finding("some zero", say("causes.head_computed"), *some)
        cuts = self._cuts[:1] if self._is_result(number) else []
        further = [say("causes.cut_further", why=cut["why"]) for cut in cuts]
        return Finding(state, say("causes.head_computed"), (*self._zeros.arrived(number), *further))

    def _is_result(self, number: int) -> bool:
        """Whether the backward pass starts at it, or it is what the net returned."""
        nets = [call for call in self.document["calls"] if call["path"] == ""]
        return any(number in call["outputs"] for call in nets)

    def _missing(self, state: str, why: str) -> Finding:
        head = say(f"causes.head_{state.replace(' ', '_')}")
        places = []
        if state == "cut":
            places = [Place(c.get("op"), c["call"], c["value"]) for c in self._cuts if c["why"] == why]
        remedy = (say("causes.not_zero"),) if state != "not differentiable" else ()
        names = {call["path"] for call in self.document["calls"]}
        told = why if why.partition("'")[0] in names else why[:1].upper() + why[1:]  # a name keeps its letters
        return Finding(state, head, (say("causes.stop", sentence=told), *remedy), tuple(places[:1]))
