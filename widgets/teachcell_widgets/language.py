"""Widgets follow the language: what is on the page is said again when another one is chosen."""

from __future__ import annotations

import logging
import weakref
from typing import Any, Protocol

from teachcell.texts import ON_CHANGE

logger = logging.getLogger("teachcell")


class Speaker(Protocol):
    """A widget; without its comm it is on no page any more."""

    comm: Any

    def say_again(self) -> None: ...


_speakers: weakref.WeakSet[Speaker] = weakref.WeakSet()


def follow_language(widget: Speaker) -> None:
    """From now on this widget is told when another language is in use."""
    _speakers.add(widget)


def _say_all_again() -> None:
    for widget in list(_speakers):
        if widget.comm is not None:
            try:
                widget.say_again()
            except Exception:
                logger.exception("a widget could not be shown in another language")


ON_CHANGE.append(_say_all_again)
