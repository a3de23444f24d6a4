"""Switches that belong to one thread or one asyncio task: recording, keeping every value, silent hooks."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from contextvars import ContextVar
from sys import getrefcount
from typing import TYPE_CHECKING, Any

from .references import ALONE

if TYPE_CHECKING:
    from .op import Node


_MANY_USES = 256  # of Parameters: more than a small net has in a call
_MANY_NODES = 64  # a few steps of a small net
_NOT_KEPT: Any = deque(maxlen=0)  # the tape of a call that is over: takes Nodes and keeps none


class Recording:
    """How ops are recorded, in a call of ``run`` or inside a ``with`` block.

    Attributes:
        since: the serial number at which recording began; unless another recording is on around it, then that one's.
        keeps_all: whether Nodes keep every input and output, for rules chosen later.
        nested: whether another recording is on around it: gradients are differentiated themselves.
        tape: every Node that was made since, parents before their children, or None in the place of one that was let
            go; one for all that are nested.
        shared: the Parameters' Nodes that were met.
        gaps: not empty once a Node was let go.
    """

    __slots__ = ("_alive", "_looked", "_uses", "gaps", "keeps_all", "nested", "shared", "since", "tape", "token")

    def __init__(self, since: int):
        outer = recording()
        self.keeps_all = _keep_all.get()
        self.nested = outer is not None
        self.tape: Any
        self.shared: set[Node]
        self.gaps: list[bool]
        if outer is None:
            self.since, self.tape, self.shared, self.gaps = since, [], set(), []
        else:
            outer._inner_call()
            self.since, self.shared, self.gaps = outer.since, outer.shared, outer.gaps
            self.tape = outer.tape if type(outer.tape) is list else []  # it is over: see __exit__
        # When the tape was last looked at: uses of Parameters since, how far, and the places that were in use.
        self._uses, self._looked, self._alive = 0, len(self.tape), list[int]()

    def __enter__(self) -> Recording:
        self.token = _recording.set(self)
        return self

    def __exit__(self, *_: object) -> None:
        _recording.reset(self.token)
        if not self.nested:
            self.tape = _NOT_KEPT  # what a thread or task still records that has copied the context

    def run(self, function: Callable[..., Any], args: Iterable[Any], kwargs: dict[str, Any]) -> Any:
        """Call a function and record its ops: 0.2 µs less than ``with``."""
        token = _recording.set(self)
        try:
            return function(*args, **kwargs)
        finally:
            _recording.reset(token)
            if not self.nested:
                self.tape = _NOT_KEPT

    def add(self, node: Node) -> Node:
        """Put a new Node on the tape. Where ops are recorded this is written out."""
        self.tape.append(node)
        return node

    def links(self, node: Node) -> bool:
        """Whether new Nodes may have ``node`` as a parent: it belongs to a call that is running, or is a Parameter's.

        Older Nodes belong to calls that are over. Where ops are recorded this is written out.
        """
        return node.seq >= self.since or self.shares(node)

    def shares(self, node: Node) -> bool:
        """Whether a Node from outside is a Parameter's, which is noted: only there it costs something."""
        if node.seq:
            return False
        self.shared.add(node)
        self._uses += 1
        if self._uses >= _MANY_USES:
            self._let_go()
        return True

    def _inner_call(self) -> None:
        """An inner call begins: those before it are over, and may have left many Nodes that nobody needs."""
        if len(self.tape) - self._looked >= max(_MANY_NODES, len(self._alive)):  # so a look costs each Node the same
            self._let_go()

    def _let_go(self) -> None:
        """Let Nodes go that nothing leads to any more, lest a long loop beside what is differentiated, such as a net
        that is trained or tried out there, keep all its arrays until the call ends."""
        self._uses, tape = 0, self.tape
        self.gaps[:] = [True]
        alive = []
        for i in (*range(len(tape) - 1, self._looked - 1, -1), *reversed(self._alive)):  # children first
            if getrefcount(tape[i]) == ALONE:  # only the tape refers to it
                tape[i] = None  # others know places by number
            elif tape[i] is not None:
                alive.append(i)
        self._alive, self._looked = alive[::-1], len(tape)


class Silence:
    """Something in which hooks do not act: a jit function, or graph mode.

    Attributes:
        noted: whether the learner has been told so.
    """

    def __init__(self, noted: bool = False):
        self.noted = noted


_UNNAMED = Silence(noted=True)

_recording: ContextVar[Recording | None] = ContextVar("recording", default=None)
_keep_all: ContextVar[bool] = ContextVar("keep_all", default=False)
_silence: ContextVar[Silence | None] = ContextVar("silence", default=None)
_constructing: ContextVar[bool] = ContextVar("constructing", default=False)

graph_mode: Silence | None = None  # a property of the process, as in MindSpore: set by set_context
keeps_all = _keep_all.get  # whether calls that begin here keep every value
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
    return _Switched(_silence, by or _UNNAMED)


def silent(function: Callable[..., Any], *args: Any) -> Any:
    """Call a function in :func:`silencing`: 1 µs less."""
    token = _silence.set(_UNNAMED)
    try:
        return function(*args)
    finally:
        _silence.reset(token)


def construct_running() -> _Switched:
    """A Cell is being run inside a ``with`` block."""
    return _Switched(_constructing, True)
