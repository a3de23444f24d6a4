"""Switches that belong to one thread or one asyncio task: recording, keeping every value, silent hooks."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .op import Node


class Recording:
    """How ops are recorded.

    Attributes:
        since: the serial number at which recording began.
        keeps_all: whether Nodes keep every input and output, for rules chosen later.
        nested: whether another recording is on around it: gradients are differentiated themselves.
    """

    __slots__ = ("keeps_all", "nested", "since")

    def __init__(self, since: int, keeps_all: bool, nested: bool = False):
        self.since = since
        self.keeps_all = keeps_all
        self.nested = nested

    def links(self, node: Node) -> bool:
        """Whether new Nodes may have ``node`` as a parent: it belongs to a call that is running, or is a Parameter's.

        Older Nodes belong to calls that are over. ``record.unary`` and ``binary`` write this out.
        """
        return node.seq >= self.since or not node.seq


class Silence:
    """Something in which hooks do not act: a jit function, or graph mode.

    Attributes:
        noted: whether the learner has been told so.
    """

    def __init__(self, noted: bool = False):
        self.noted = noted


_recording: ContextVar[Recording | None] = ContextVar("recording", default=None)
_keep_all: ContextVar[bool] = ContextVar("keep_all", default=False)
_silence: ContextVar[Silence | None] = ContextVar("silence", default=None)
_constructing: ContextVar[bool] = ContextVar("constructing", default=False)

graph_mode: Silence | None = None  # a property of the process, as in MindSpore: set by set_context
recording = _recording.get  # how ops are recorded here, or None; the hot path asks only when an operand has a Node
constructing = _constructing.get  # in graph mode: whether a Cell is being run


def silence() -> Silence | None:
    """What keeps hooks silent here: a jit function or graph mode, or None."""
    return graph_mode or _silence.get()


class _Switched:
    """``with``: a switch set and put back. A class, since a generator costs three times as much."""

    __slots__ = ("switch", "token", "value")

    def __init__(self, switch: ContextVar[Any], value: Any):
        self.switch, self.value = switch, value

    def __enter__(self) -> None:
        self.token = self.switch.set(self.value)

    def __exit__(self, *_: object) -> None:
        self.switch.reset(self.token)


def record(since: int) -> _Switched:
    """Record the ops run inside a ``with`` block; unless something records already, Nodes count from ``since`` on."""
    outer = _recording.get()
    nested = outer is not None
    return _Switched(_recording, Recording(outer.since if outer is not None else since, _keep_all.get(), nested))


def pause() -> _Switched:
    """Do not record the ops run inside a ``with`` block."""
    return _Switched(_recording, None)


def unrecorded(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Call a function without recording its ops: 0.2 µs less than :func:`pause`."""
    token = _recording.set(None)
    try:
        return function(*args, **kwargs)
    finally:
        _recording.reset(token)


def keeping_all() -> _Switched:
    """What is recorded by calls that begin inside a ``with`` block keeps every value, for rules chosen later."""
    return _Switched(_keep_all, True)


def silencing(by: Silence | None = None) -> _Switched:
    """Let no Cell hook, inner Tensor hook or HookBackward act inside a ``with`` block; unnamed, without a note."""
    return _Switched(_silence, by or Silence(noted=True))


def keeps_all() -> bool:
    """Whether calls that begin here keep every value."""
    return _keep_all.get()


def construct_running() -> _Switched:
    """A Cell is being run inside a ``with`` block."""
    return _Switched(_constructing, True)
