"""Text without a font: conservative widths, shortening, wrapping, and what may stand in an SVG at all."""

from __future__ import annotations

import unicodedata
from html import escape

# Widths in em of a wide fallback face (DejaVu Sans, Verdana), so that no face in use is wider.
NARROW, THIN, ROUND, WIDE, FULL = 0.32, 0.42, 0.66, 0.98, 1.02
NARROW_LETTERS = frozenset("ijl|'’!.,:;· ")
THIN_LETTERS = frozenset('ftrI()[]/\\-"`')
WIDE_LETTERS = frozenset("mwMW@%—…&→×")
CAPITAL = 0.76
BOLD = 1.1
# Invisible and direction-changing characters could make a picture lie.
DROPPED_CATEGORIES = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")


def clean(text: str) -> str:
    """``text`` without characters that are invisible, reorder their neighbours or are not allowed in XML."""
    return "".join(c for c in text if unicodedata.category(c) not in DROPPED_CATEGORIES)


def escaped(text: str) -> str:
    """``text`` for an element or an attribute of an SVG."""
    return escape(clean(text), quote=True)


def text_width(text: str, size: float, bold: bool = False) -> float:
    """At least the pixels that ``text`` takes at this font size."""
    ems = sum(_letter_width(letter) for letter in clean(text))
    return ems * size * (BOLD if bold else 1.0)


def _letter_width(letter: str) -> float:
    if letter in NARROW_LETTERS:
        return NARROW
    if letter in THIN_LETTERS:
        return THIN
    if letter in WIDE_LETTERS:
        return WIDE
    if unicodedata.combining(letter):
        return 0.0
    if unicodedata.east_asian_width(letter) in "WF":
        return FULL
    if letter.isupper():
        return CAPITAL
    return ROUND if letter.isascii() else 0.8


def fit(text: str, width: float, size: float, bold: bool = False) -> str:
    """``text``, or as much of its start as fits with an ellipsis."""
    text = clean(text)
    if text_width(text, size, bold) <= width:
        return text
    while text and text_width(text + "…", size, bold) > width:
        text = text[:-1]
    return f"{text.rstrip()}…" if text else ""


def wrap(text: str, width: float, size: float, lines: int) -> list[str]:
    """``text`` broken into at most ``lines`` lines; the last one is shortened if need be."""
    wrapped: list[str] = []
    rest = clean(text).strip()
    while rest and len(wrapped) < lines - 1:
        cut = len(rest)
        while cut > 1 and text_width(rest[:cut], size) > width:
            space = rest.rfind(" ", 0, cut)
            cut = space if space > 0 else cut - 1
        wrapped.append(rest[:cut])
        rest = rest[cut:].strip()
    return [*wrapped, fit(rest, width, size)] if rest else wrapped
