"""When a step is shown, and how long the rest will take."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from time import perf_counter

PAUSE = 1 / 30  # seconds between two updates: more than a screen and a kernel's messages are good for
REST = 4  # times what showing cost before it may cost again: at most a fifth of all time
WINDOW = 5.0  # seconds that a forecast looks back
ENOUGH = 0.5  # seconds without which a forecast is a guess


class Pace:
    """At most 30 updates a second, and at most a fifth of the time for them.

    Args:
        clock: seconds, rising.
    """

    def __init__(self, clock: Callable[[], float] = perf_counter):
        self.clock = clock
        self._next = -float("inf")

    def due(self) -> bool:
        """Whether the next step is to be shown."""
        return self.clock() >= self._next

    def shown(self, since: float, plain: float = 0.0) -> None:
        """An update is out.

        Args:
            since: when its step began.
            plain: seconds that the step would have taken anyway.
        """
        now = self.clock()
        self._next = max(now + PAUSE, now + REST * (now - since - plain))


class Forecast:
    """Steps a second and seconds left, by the pace of the last few seconds.

    Args:
        total: the number of steps to be done; None: no end is set.
        clock: seconds, rising.

    Attributes:
        done: steps done.
    """

    def __init__(self, total: int | None = None, clock: Callable[[], float] = perf_counter):
        self.total, self._clock = total, clock
        self._marks: deque[tuple[float, int]] = deque([(clock(), 0)], maxlen=64)
        self.done = 0

    def note(self, done: int) -> None:
        """So many steps are done."""
        now, self.done = self._clock(), done
        if now - self._marks[-1][0] >= WINDOW / 32:
            self._marks.append((now, done))
            while now - self._marks[1][0] >= WINDOW:
                self._marks.popleft()

    @property
    def rate(self) -> float | None:
        """Steps a second; None until there is enough to go by."""
        (begin, before), (end, after) = self._marks[0], self._marks[-1]
        return (after - before) / (end - begin) if end - begin >= ENOUGH and after > before else None

    @property
    def left(self) -> float | None:
        """Seconds until the last step; None where no end is set, or nobody can tell yet."""
        rate = self.rate
        return None if rate is None or self.total is None else max(self.total - self.done, 0) / rate
