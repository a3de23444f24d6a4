"""Which widgets keep their runs in memory: the few used last.

A widget that was made stays in the kernel for as long as the kernel lives (ipywidgets keeps it), also when its
notebook cell was run again and nothing shows it any more. So older ones let go of their run, which is most of what
they hold; one that is used again runs again, from the same seed.
"""

from __future__ import annotations

import weakref
from typing import Protocol

MOST_AWAKE = 6


class Sleeper(Protocol):
    """What can let go of its run, and make it anew."""

    def fall_asleep(self) -> None: ...


_awake: list[weakref.ref[Sleeper]] = []  # the one used last is last


def in_use(widget: Sleeper) -> None:
    """This widget is used: the one that was used least lately may have to let go of its run."""
    let_go(widget)
    _awake.append(weakref.ref(widget))
    while len(_awake) > MOST_AWAKE:
        oldest = _awake.pop(0)()
        if oldest is not None:
            oldest.fall_asleep()


def let_go(widget: Sleeper) -> None:
    """This widget keeps no run any more."""
    _awake[:] = [kept for kept in _awake if kept() not in (None, widget)]
