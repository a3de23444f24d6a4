"""Switches that belong to one thread or one asyncio task: recording, keeping every value, silent hooks."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_recording: ContextVar[bool] = ContextVar("recording", default=False)
_keep_all: ContextVar[bool] = ContextVar("keep_all", default=False)
_silent: ContextVar[bool] = ContextVar("silent", default=False)

# Bound once: the hot path asks only when an operand has a Node.
recording = _recording.get
keep_all = _keep_all.get

graph_mode = False  # a property of the process, as in MindSpore: set by set_context
constructing = 0  # in graph mode: how many Cells are being run


def silent() -> bool:
    """Whether hooks stay silent here: inside jit, or anywhere in graph mode."""
    return graph_mode or _silent.get()


@contextmanager
def _switched(switch: ContextVar[bool], value: bool) -> Iterator[None]:
    token = switch.set(value)
    try:
        yield
    finally:
        switch.reset(token)


def record(on: bool = True) -> Iterator[None]:
    """Record (or, with False, do not record) the ops run inside a ``with`` block."""
    return _switched(_recording, on)


def keeping_all(on: bool = True) -> Iterator[None]:
    """Keep every input and output for the backward pass, also those that no rule asks for."""
    return _switched(_keep_all, on)


def silencing(on: bool = True) -> Iterator[None]:
    """Let no Cell hook, inner Tensor hook or HookBackward act (inside ``jit`` and graph mode)."""
    return _switched(_silent, on)
