"""Mark: where a Recorder stood when the forward pass was done, for another backward pass over the same graph."""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from threading import get_ident

from .inner_gradient import InnerGradient
from .kept import Kept
from .looks import Looks
from .recorder import Recorder


class Mark:
    """What a Recorder had seen of the forward pass, before anything of the backward pass."""

    def __init__(self, recorder: Recorder):
        self._recorder = recorder
        self._events, self._looks = len(recorder.events), len(recorder.looks.all)
        self._of_node, self._call_of_node = dict(recorder._of_node), dict(recorder._call_of_node)
        self._severed = list(recorder.severed)
        self._values = [(value.tracked, value.replaces) for value in recorder.values]
        self._ops = [seen.op for seen in recorder.ops]

    def recorder(self) -> Recorder:
        """A Recorder that stands there."""
        old = self._recorder
        new = copy(old)
        new._kept = Kept()
        new._seen = new._kept.seen
        before = zip(old.values, self._values, strict=False)
        new.values = [replace(v, gradient=None, tracked=known, replaces=r) for v, (known, r) in before]
        new.ops = [replace(seen, op=op) for seen, op in zip(old.ops, self._ops, strict=False)]
        new.calls = [replace(call) for call in old.calls]
        new.events = old.events[: self._events]
        new.hooks = {number: hook for number, hook in old.hooks.items() if number < self._events}
        new.looks = Looks(new._seen)
        new.looks.all = old.looks.all[: self._looks]
        new.severed = list(self._severed)
        new.sent, new.sums, new._gradients, new._put_in = {}, [], [], []
        new._of_node, new._call_of_node = dict(self._of_node), dict(self._call_of_node)
        new._inner, new._thread = InnerGradient(), get_ident()
        return new
