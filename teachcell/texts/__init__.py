"""Every text that a user reads, in English and Chinese.

One file per area (``errors.py``, ``graph.py``, …) holds ``TABLE = {key: (English, Chinese)}``; a key's
first word names its area, so ``say("graph.not_yet")`` looks in ``texts/graph.py``, loaded when first needed.
"""

from __future__ import annotations

import os
from importlib import import_module

LANGUAGES = ("en", "zh")
_language = 1 if os.environ.get("TEACHCELL_LANG", "en").startswith("zh") else 0


def set_language(language: str) -> None:
    """Choose the language of messages, cards and labels: ``"en"`` (default) or ``"zh"``."""
    global _language
    if language not in LANGUAGES:
        raise ValueError(say("errors.language", got=language, known=", ".join(LANGUAGES)))
    _language = LANGUAGES.index(language)


def get_language() -> str:
    """The language in use, ``"en"`` or ``"zh"``."""
    return LANGUAGES[_language]


def table(area: str) -> dict[str, tuple[str, str]]:
    """The ``{key: (English, Chinese)}`` table of one area."""
    return import_module(f"{__name__}.{area}").TABLE


def say(key: str, /, **values: object) -> str:
    """The text of ``key`` in the language in use, with ``{name}`` places filled from ``values``."""
    text = table(key.partition(".")[0])[key][_language]
    return text.format(**values) if values else text
