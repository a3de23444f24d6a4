"""Every text that a user reads, in English and Chinese.

One file or folder per area (``graph.py``, ``errors/``, …) holds ``TABLE = {key: (English, Chinese)}``; a key's
first word names its area, so ``say("graph.not_yet")`` looks in ``texts/graph.py``, loaded when first needed.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from importlib import import_module
from pkgutil import iter_modules

LANGUAGES = ("en", "zh")
Table = dict[str, tuple[str, str]]
ON_CHANGE: list[Callable[[], None]] = []  # what follows the language and is not made anew each time, such as docstrings
_language = 1 if os.environ.get("TEACHCELL_LANG", "en").startswith("zh") else 0


def set_language(language: str) -> None:
    """Choose the language of messages, cards and labels: ``"en"`` (default) or ``"zh"``."""
    global _language
    if language not in LANGUAGES:
        raise ValueError(say("errors.language", got=language, known=", ".join(LANGUAGES)))
    _language = LANGUAGES.index(language)
    for follow in ON_CHANGE:
        follow()


def get_language() -> str:
    """The language in use, ``"en"`` or ``"zh"``."""
    return LANGUAGES[_language]


@cache
def table(area: str) -> Table:
    """The ``{key: (English, Chinese)}`` table of one area."""
    return import_module(f"{__name__}.{area}").TABLE


def merged(package: str, path: list[str]) -> Table:
    """The tables of all files of a folder as one."""
    return {
        key: texts
        for part in iter_modules(path)
        for key, texts in import_module(f"{package}.{part.name}").TABLE.items()
    }  # fmt: skip


def say(key: str, /, **values: object) -> str:
    """The text of ``key`` in the language in use, with ``{name}`` places filled from ``values``."""
    text = table(key.partition(".")[0])[key][_language]
    return text.format(**values) if values else text
