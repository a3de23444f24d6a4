"""Switches that belong to one thread or one asyncio task: recording, keeping every value, silent hooks."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from .op import next_seq

OFF = 0
_recording: ContextVar[int] = ContextVar("recording", default=OFF)
_keep_all: ContextVar[bool] = ContextVar("keep_all", default=False)  # how to record when recording starts
_silent: ContextVar[bool] = ContextVar("silent", default=False)

# OFF, or the serial number at which recording began: older Nodes belong to calls that are over, and are not
# linked to. Negative: values that no rule asks for are kept too. Bound once: the hot path asks only when an
# operand has a Node.
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


def record(since: int = 0) -> _Switched:
    """Record the ops run inside a ``with`` block; unless something records already, Nodes count from ``since`` on."""
    start = abs(_recording.get()) or since or next_seq()
    return _Switched(_recording, -start if _keep_all.get() else start)


def pause() -> _Switched:
    """Do not record the ops run inside a ``with`` block."""
    return _Switched(_recording, OFF)


@contextmanager
def keeping_all() -> Iterator[None]:
    """Whatever is recorded inside a ``with`` block keeps every input and output, for rules chosen later."""
    with _Switched(_keep_all, True), _Switched(_recording, -abs(recording())):
        yield


def silencing() -> _Switched:
    """Let no Cell hook, inner Tensor hook or HookBackward act (inside ``jit``)."""
    return _Switched(_silent, True)
