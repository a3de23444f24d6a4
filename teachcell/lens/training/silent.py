"""Units of a ReLU that give 0 whatever comes in."""

from __future__ import annotations

from collections import deque
from typing import Any

import numpy as np

LOOKS = 30  # about a second of training
MOST_UNITS = 256  # that are drawn
ON, OFF, DEAD = 0, 1, 2


def units_on(output: np.ndarray) -> np.ndarray:
    """Whether each unit is not 0 in some sample: units are channels of images, else the last axis."""
    axis = 1 if output.ndim > 3 else output.ndim - 1
    return (output != 0).any(tuple(i for i in range(output.ndim) if i != axis))


class SilentUnits:
    """For each unit the number of looks since it last was on; a unit that was off in all recent ones is dead.

    Args:
        looks: how many count as recent.
    """

    def __init__(self, looks: int = LOOKS):
        self._samples: deque[int] = deque(maxlen=looks)
        self._off = np.zeros(0, int)

    def note(self, on: np.ndarray, samples: int) -> None:
        """Which units were on in one of so many samples, in the step that is looked at."""
        if on.shape != self._off.shape:  # another net stands there now
            self._off = np.zeros(on.shape, int)
            self._samples.clear()
        self._off = np.where(on, 0, self._off + 1)
        self._samples.append(samples)

    @property
    def dead(self) -> np.ndarray:
        """Whether each unit was 0 for all recent samples."""
        return self._off >= max(len(self._samples), 1)

    def data(self) -> dict[str, Any]:
        """How many are dead, out of how many, in how many samples; the state of each unit that is drawn."""
        dead = self.dead
        state = np.where(dead, DEAD, np.where(self._off > 0, OFF, ON)).reshape(-1)
        if state.size > MOST_UNITS:
            state = state[np.linspace(0, state.size - 1, MOST_UNITS).round().astype(int)]
        return {
            "units": dead.size, "dead": int(dead.sum()), "samples": sum(self._samples), "map": state.tolist(),
        }  # fmt: skip
