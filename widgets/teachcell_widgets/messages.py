"""Messages: what the browser asks of a Workbench, one after the other, each checked and answered."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Mapping
from reprlib import Repr
from threading import get_ident
from typing import TYPE_CHECKING, Any, TypeVar, overload

from teachcell.lens.failure import message_of
from teachcell.texts import say, set_language

if TYPE_CHECKING:
    from .workbench import Workbench

logger = logging.getLogger("teachcell")
Kind = TypeVar("Kind")
Default = TypeVar("Default")
_REQUIRED = object()
MOST_LETTERS = 600  # of what went wrong; the log has it in full
_short = Repr()
_short.maxstring = _short.maxother = 60


class Message:
    """One action of the user, as the browser sent it: ``{"do": verb, …}``; a view's own has ``"panel"`` as well.

    Raises:
        ValueError: it is no dict, or has no verb.
    """

    def __init__(self, content: Any):
        if not isinstance(content, Mapping):
            raise ValueError(say("messages.no_dict", got=_short.repr(content)))
        self._content = content
        self.do = self.get("do", str)

    @overload
    def get(self, key: str, kind: type[Kind]) -> Kind: ...
    @overload
    def get(self, key: str, kind: type[Kind], default: Default) -> Kind | Default: ...
    def get(self, key: str, kind: Any, default: Any = _REQUIRED) -> Any:
        """A part of it.

        Args:
            kind: ``str``, ``int`` or ``bool``.
            default: of what may be missing or null.

        Raises:
            ValueError: it is missing, or of another kind.
        """
        if default is not _REQUIRED and self._content.get(key) is None:
            return default
        value = self.raw(key)
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is int):
            wanted = say(f"messages.kind_{kind.__name__}")
            raise ValueError(say("messages.kind", key=key, message=self, wanted=wanted, got=_short.repr(value)))
        return value

    def raw(self, key: str) -> Any:
        """A part that is checked where it is used: what a user has typed.

        Raises:
            ValueError: it is missing.
        """
        if key not in self._content:
            raise ValueError(say("messages.missing", key=key, message=self))
        return self._content[key]

    def __str__(self) -> str:
        return _short.repr(dict(self._content))


class Inbox:
    """The actions that a Workbench was asked for.

    Attributes:
        trained_in: the thread that is training the net. What comes from another one waits until that answers.
    """

    def __init__(self, bench: Workbench):
        self.trained_in: int | None = None
        self._bench = bench
        self._waiting: deque[Any] = deque()

    def receive(self, content: Any) -> None:
        """One action: done now, or between two steps where another thread is training the net."""
        self._waiting.append(content)
        if self.trained_in in (None, get_ident()):
            self.answer_waiting()

    def answer_waiting(self) -> None:
        """Do what the user has asked for meanwhile."""
        while self._waiting:
            self._answer(self._waiting.popleft())

    def _answer(self, content: Any) -> None:
        """Do one. Whatever goes wrong is shown, and written to the log."""
        try:
            self._act(Message(content))
        except Exception as error:
            logger.exception("an action in the widget failed")
            self._bench.answer({"title": say("explorer.error_action"), "detail": _shortened(message_of(error))})
        else:
            self._bench.answered()

    def _act(self, message: Message) -> None:
        bench, do = self._bench, message.do
        panel = message.get("panel", str, None)
        if panel is not None:
            bench.views[panel].act(message)
        elif do == "mode":
            bench.set_train(message.get("value", str) == "train", message.get("scope", str))
        elif do == "rule":
            bench.set_rule(message.get("path", str), message.get("value", str))
        elif do == "capture":
            bench.set_capture(bench.selected_cell()[0] if message.get("on", bool) else None)
        elif do == "fold":
            bench.toggle(message.get("node", str))
        elif do == "iterate":
            bench.iterate(message.get("node", str), message.get("number", int))
        elif do == "find":
            bench.find(message.get("text", str), message.get("back", bool, False))
        elif do == "language":
            set_language(message.get("value", str))
        elif do == "draw":
            bench.new_draw()
        elif do == "reset":
            bench.reset()
        else:
            raise ValueError(say("explorer.unknown_action", do=do))


def _shortened(text: str) -> str:
    return text if len(text) <= MOST_LETTERS else f"{text[: MOST_LETTERS // 2]} … {text[-MOST_LETTERS // 2 :]}"
