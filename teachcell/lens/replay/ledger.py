"""The ledger: which gradients came to each value, in order, and their running sum."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..watch.recorder import Recorder
from . import elements

Entry = tuple[int | None, int]  # event and slot; None: the 1 that an output starts with


class Ledger:
    """Reads what a Recorder kept of the gradients that were sent.

    Args:
        recorder: of the run.
        outputs: the values that were differentiated, summed: each starts with 1.
    """

    def __init__(self, recorder: Recorder, outputs: Sequence[int]):
        self.recorder = recorder
        self._entries: dict[int, list[Entry]] = {}
        self._arrays: dict[tuple[int, int], np.ndarray | None] = {}
        self._sums: dict[int, list[np.ndarray | None]] = {}
        for value in outputs:
            self._entries.setdefault(value, []).append((None, 0))
        for event, sent in recorder.sent.items():
            for part in sent:
                self._entries.setdefault(part.value, []).append((event, part.slot))
                self._arrays[event, part.slot] = part.array

    def of(self, value: int) -> list[Entry]:
        """All that came to a value."""
        return self._entries.get(value, [])

    def place(self, value: int, event: int, slot: int) -> int:
        """The how manieth it is, from 0."""
        return self._entries[value].index((event, slot))

    def up_to(self, value: int, count: int) -> np.ndarray | None:
        """The sum of the first ``count``; None for none, or where an array was not kept."""
        if value not in self._sums:
            self._sums[value] = self._added(value)
        return self._sums[value][count]

    def total(self, value: int) -> np.ndarray | None:
        """The sum of all."""
        return self.up_to(value, len(self.of(value)))

    def _added(self, value: int) -> list[np.ndarray | None]:
        seen = self.recorder.values[value].value
        sums: list[np.ndarray | None] = [None]
        for event, slot in self.of(value):
            part = np.ones(seen.shape, seen.dtype) if event is None else self._arrays[event, slot]
            before = sums[-1]
            if part is None or (before is None and len(sums) > 1):
                sums.append(None)
                continue
            part = elements.unbroadcast(part, seen.shape)
            sums.append(part if before is None else before + part)
        return sums
