"""What happened in the lanes, in true order: hooks, constructs, backward rules, and the sums of the Parameters."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ...nn.hooks import KINDS
from ..watch.looks import Look, is_the_lens
from ..watch.recorder import Recorder
from ..watch.seen import Sent
from .spans import Spans

EVENTS = {kind: f"{kind}_hook" for kind in KINDS}  # the names by which the public list calls them


@dataclass(frozen=True)
class Entry:
    """Something that happened in one call.

    Attributes:
        event: "forward_pre_hook", "construct", "forward_hook", "backward_pre_hook", "bprop", "backward_hook",
            "accumulate".
        start, done: numbers of events before it, and once it was over.
        look: of a hook.
        own: whether the bprop is the Cell's own or a chosen one, not the engine's rules.
        value: the Parameter of "accumulate".
        part: which of ``parts`` gradients came to it; None: its sum was complete.
        sent: that gradient.
    """

    event: str
    call: int
    start: int
    done: int
    look: Look | None = None
    own: bool = False
    value: int | None = None
    part: int | None = None
    parts: int = 0
    sent: Sent | None = None

    @property
    def is_hook(self) -> bool:
        return self.look is not None

    @property
    def is_bar(self) -> bool:
        """Whether it takes time: other things may happen in it."""
        return self.event == "construct" or (self.event == "bprop" and not self.own)

    @property
    def is_forward(self) -> bool:
        return self.event in ("construct", EVENTS["forward_pre"], EVENTS["forward"])

    @property
    def raised(self) -> bool:
        """Whether it is a hook that raised."""
        return self.look is not None and self.look.event is None

    @property
    def replaced(self) -> bool:
        """Whether it is a hook that put something else in the place of what it got, or wrote into that."""
        return self.look is not None and (self.look.result is not None or self.look.wrote)

    def order(self) -> tuple[int, int, int]:
        """What it is sorted by: what begins first; around before inside; a rule before what it gave."""
        rank = 0 if self.is_bar else 2 if self.event == "accumulate" else 1
        return self.start, rank, self.call if self.is_bar else 0


def entries_of(recorder: Recorder, spans: Spans) -> list[Entry]:
    """All entries of a run, in the order in which they began."""
    found = [*_constructs(spans), *_hooks(recorder), *_rules(recorder, spans), *_sums(recorder)]
    return sorted(found, key=Entry.order)


def _constructs(spans: Spans) -> Iterator[Entry]:
    for number in range(len(spans.calls)):
        begin, end = spans.construct(number)
        yield Entry("construct", number, begin, end)


def _hooks(recorder: Recorder) -> Iterator[Entry]:
    for look in recorder.looks.all:
        start = look.at if look.event is None else look.event
        yield Entry(EVENTS[look.kind], look.call, start, start + (look.event is not None), look)


def _rules(recorder: Recorder, spans: Spans) -> Iterator[Entry]:
    for number, inside in enumerate(spans.inside):
        if inside and recorder.calls[number].rule_inputs is None:
            yield Entry("bprop", number, inside[0], inside[-1] + 1)
    for i, event in enumerate(recorder.events):
        if event["kind"] == "bprop":
            yield Entry("bprop", event["call"], i, i + 1, own=True)


def _sums(recorder: Recorder) -> Iterator[Entry]:
    """Each gradient that came to a Parameter, in the call whose op or rule sent it; in the end its complete sum."""
    came: dict[int, list[tuple[int, Sent]]] = {}
    for event, sent in recorder.sent.items():
        for part in sent:
            if recorder.values[part.value].kind == "parameter":
                came.setdefault(part.value, []).append((event, part))
    for value, parts in came.items():
        for nth, (event, part) in enumerate(parts, 1):
            call = recorder.events[event]["call"]
            yield Entry("accumulate", call, event, event + 1, value=value, part=nth, parts=len(parts), sent=part)
    end = len(recorder.events)
    for nth, value in enumerate(v for v in recorder.sums if v in came):
        call = recorder.events[came[value][-1][0]]["call"]
        yield Entry("accumulate", call, end + nth, end, value=value, parts=len(came[value]))


def learners_events(recorder: Recorder) -> list[dict[str, Any] | None]:
    """The events of the run; None for hooks that capture."""
    ours = {i for i, hook in recorder.hooks.items() if is_the_lens(hook)}
    return [None if i in ours else event for i, event in enumerate(recorder.events)]
