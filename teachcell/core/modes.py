"""Switches that belong to one thread or one asyncio task: recording, keeping every value, silent hooks."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

OFF, ON, KEEP_ALL = 0, 1, 2
_recording: ContextVar[int] = ContextVar("recording", default=OFF)
_wanted: ContextVar[int] = ContextVar("wanted", default=ON)  # how to record when recording starts
_silent: ContextVar[bool] = ContextVar("silent", default=False)

# OFF, ON, or KEEP_ALL: keep also what no rule asks for. Bound once: the hot path asks only when an operand
# has a Node.
recording = _recording.get

graph_mode = False  # a property of the process, as in MindSpore: set by set_context
constructing = 0  # in graph mode: how many Cells are being run


def silent() -> bool:
    """Whether hooks stay silent here: inside jit, or anywhere in graph mode."""
    return graph_mode or _silent.get()


class _Switched:
    """``with``: a switch set and put back. A class, since a generator costs three times as much."""

    __slots__ = ("switch", "token", "value")

    def __init__(self, switch: ContextVar[Any], value: Any):
        self.switch, self.value = switch, value

    def __enter__(self) -> None:
        self.token = self.switch.set(self.value)

    def __exit__(self, *_: object) -> None:
        self.switch.reset(self.token)


def record(on: bool = True) -> _Switched:
    """Record (or, with False, do not record) the ops run inside a ``with`` block."""
    return _Switched(_recording, max(ON, _wanted.get()) if on else OFF)


@contextmanager
def keeping_all() -> Iterator[None]:
    """Whatever is recorded inside a ``with`` block keeps every input and output, for rules chosen later."""
    with _Switched(_wanted, KEEP_ALL), _Switched(_recording, KEEP_ALL if recording() else OFF):
        yield


def silencing() -> _Switched:
    """Let no Cell hook, inner Tensor hook or HookBackward act (inside ``jit``)."""
    return _Switched(_silent, True)
