"""When each call was inside its ``construct``: by ops and hooks forward, by rules and hooks backward."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..watch.recorder import Recorder

FORWARD_KINDS = ("forward_pre", "forward")
FOREVER = 1 << 60


class Spans:
    """Reads a Recorder. Times are numbers of events.

    Attributes:
        events: of the run, without what was found out later.
        forward: how many of them belong to the forward pass.
        inside: for each call the events of the backward pass that happened inside its ``construct``.
    """

    def __init__(self, recorder: Recorder):
        self.recorder, self.calls, self.events = recorder, recorder.calls, recorder.events
        self.forward = next((i for i, e in enumerate(self.events) if not is_forward(e)), len(self.events))
        self._begins = [call.entered for call in self.calls]
        self._op_at: dict[int, int] = {}
        for i, event in enumerate(self.events[: self.forward]):
            if event["kind"] == "hook" and event["hook"] == "forward_pre":
                self._begins[event["call"]] = i + 1
            elif event["kind"] == "forward":
                self._op_at[event["op"]] = i
        self.inside: list[list[int]] = [[] for _ in self.calls]
        for i in range(self.forward, len(self.events)):
            for call in self._around(self.events[i]):
                self.inside[call].append(i)

    def construct(self, call: int) -> tuple[int, int]:
        """From when to when a call's ``construct`` ran."""
        seen = self.calls[call]
        end = seen.ran if seen.ran is not None else min(self.left(call), self.forward)
        return self._begins[call], max(end, self._begins[call])

    def left(self, call: int) -> int:
        """When a call was over."""
        seen = self.calls[call]
        return seen.left if seen.left is not None else FOREVER

    def scope(self, op: int) -> str:
        """Where in the call that it is put to an op ran: in its "construct", in a "hook", or "outside"."""
        call, at = self.recorder.ops[op].call, self._op_at.get(op, -1)
        begin, end = self.construct(call)
        if begin <= at < end:
            return "construct"
        return "hook" if self.calls[call].entered <= at < self.left(call) else "outside"

    def parent(self, call: int) -> int | None:
        """The call that it ran in; the loss, and what runs after the net, has none."""
        parent = self.calls[call].parent
        if parent is None or (parent == 0 and self.calls[call].entered >= self.left(0)):
            return None
        return parent

    def _around(self, event: dict[str, Any]) -> Iterator[int]:
        """The calls in whose ``construct`` something of the backward pass belongs."""
        call: int | None = event["call"]
        if event["kind"] == "backward" and self.scope(event["op"]) == "construct":
            yield event["call"]
        while call is not None:
            parent = self.parent(call)
            if parent is not None:
                begin, end = self.construct(parent)
                if begin <= self.calls[call].entered <= end:
                    yield parent
            call = parent


def is_forward(event: dict[str, Any]) -> bool:
    """Whether an event belongs to the forward pass."""
    return event["kind"] == "forward" or event.get("hook") in FORWARD_KINDS
