"""The arrays that a story shows, each once: shape, the number of a scalar, a small map."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..watch.seen import Seen
from ..watch.summary import SIDE, array_map, coarser

Picture = dict[str, Any]


class Arrays:
    """Pictures by id. Equal arrays have one id.

    Args:
        side: maps have at most so many squares along each side.
    """

    def __init__(self, side: int = SIDE) -> None:
        self.side = side
        self.pictures: dict[str, Picture] = {}
        self._known: dict[Any, str] = {}

    def add(self, array: np.ndarray) -> str:
        """The id of an array."""
        key = array.shape, array.dtype.str, array.tobytes()
        if key not in self._known:
            numbers = array.astype(np.float64)
            first = float(numbers.reshape(-1)[0]) if array.size == 1 else None
            finite = first is None or bool(np.isfinite(first))
            self._known[key] = self._new(
                list(array.shape), array.size, first if finite else None, first != first, array_map(numbers, self.side)
            )
        return self._known[key]

    def seen(self, seen: Seen) -> str:
        """The id of an array of the run; of a large one there is only the summary."""
        if seen.array is not None:
            return self.add(seen.array)
        if id(seen) not in self._known:
            s = seen.summary()
            small = coarser(s["map"], self.side)
            self._known[id(seen)] = self._new(s["shape"], s["size"], s["first"], bool(s["nan"]), small)
        return self._known[id(seen)]

    def _new(self, shape: list[int], size: int, first: float | None, nan: bool, picture: Any) -> str:
        name = f"a{len(self.pictures)}"
        self.pictures[name] = {"shape": shape, "size": size, "first": first, "nan": nan, "map": picture}
        return name
