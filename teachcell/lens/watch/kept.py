"""The arrays that a Recorder keeps: which as they are, which as a copy, and which only as a summary.

What the engine made in the run and nobody else may write into is kept as it is, and copied only when it is about to be
written into or handed out, or if others still hold it in the end; everything else is copied at once. Copies and
statistics made of everything at once would double the time of a small step.

Memory: an array of at most ``CAP_BYTES`` (4 MB) is kept while all that are kept stay within ``CAP_ALL`` (256 MB); of
every other one its summary, about 32 KB. While a Recorder only notes (see ``recorder.py``), it holds at most 64 MB of
Tensors' arrays and the gradients of these.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .seen import Facts, Seen

CAP_BYTES = 1 << 22  # of an array that is kept
CAP_ALL = 1 << 28  # of all arrays that are kept


class Kept:
    """What is kept of the arrays of one run.

    Attributes:
        ours: whether every array that comes is one that nobody writes into unheard.
    """

    def __init__(self) -> None:
        self.ours = False
        self._room = CAP_ALL
        self._shared: dict[int, Seen] = {}  # arrays that are kept without a copy, by identity

    def seen(self, array: np.ndarray, fresh: bool = False) -> Seen:
        """What is kept of an array. One that is ``fresh``, made by the engine just now, need not be copied."""
        known = self._shared.get(id(array))
        if known is not None:
            return known
        if not self._fits(array):
            return Seen(array, keep=False)
        self._room -= array.nbytes
        if not (fresh or self.ours) or not array.flags.owndata or not isinstance(array, np.ndarray):
            return Seen(np.array(array))
        seen = self._shared[id(array)] = Seen(array)
        return seen

    def part(self, array: np.ndarray, fresh: bool) -> Seen | Facts:
        """What is kept of what a rule gave."""
        if self._fits(array):
            return self.seen(array, fresh)
        return Facts(finite=bool(np.isfinite(array).all()), zero=not array.any())

    def _fits(self, array: np.ndarray) -> bool:
        return array.nbytes <= min(CAP_BYTES, self._room)

    def handed_out(self, array: Any) -> None:
        """An array may be written into from now on: what it held is kept as a copy."""
        while isinstance(array, np.ndarray):
            seen = self._shared.pop(id(array), None)
            if seen is not None:
                seen.own()
            array = array.base

    def finish(self) -> None:
        """The run is over: what others still hold is kept as a copy."""
        for seen in self._shared.values():
            seen.own()
        self._shared.clear()
