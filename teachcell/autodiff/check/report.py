"""The report of ``gradcheck``: true if every gradient is right, and a table to read."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...texts import say
from ...texts.numbers import number, shape
from .causes import Cause
from .evidence import Evidence


@dataclass(frozen=True)
class GradCheckEntry:
    """The gradient by one input or Parameter.

    Attributes:
        name: of the input (as the function calls it) or of the Parameter; ``"dout"`` for what arrives at an output.
        kind: ``"input"``, ``"parameter"`` or ``"dout"``.
        order: 1, or 2 for the gradient of the gradients.
        shape: of the gradient.
        right: whether it is right.
        cause: what was recognised: ``"right"``, ``"factor"``, ``"ignores_dout"`` …; the same in every language.
        verdict: the same in words.
        max_abs, max_rel: the largest error, and as a share of the largest numeric element (at least ``atol``); kinks
            apart.
        worst: the index of the element that is furthest off.
        rule, numeric: the engine's value and the numeric one there.
        kinks: the indices of elements where the slopes to both sides differ.
        checked: how many elements were looked at: all, or a sample of a large gradient.
    """

    name: str
    kind: str
    order: int
    shape: tuple[int, ...]
    right: bool
    cause: str
    verdict: str
    max_abs: float
    max_rel: float
    worst: tuple[int, ...]
    rule: float
    numeric: float
    kinks: tuple[tuple[int, ...], ...]
    checked: int

    @classmethod
    def of(cls, e: Evidence, cause: Cause, order: int) -> GradCheckEntry:
        """What the evidence says."""
        which = 1 if e.right(0).all() and not e.right(1).all() else 0  # of the two, the one that shows a fault
        got, numeric, right = e.got[which], e.numeric[which], e.right(which)
        error = np.where(numeric.kink & right, 0.0, np.abs(got - numeric.middle))
        ranked = np.where(np.isnan(error), np.inf, np.where(right.all() | ~right, error, -1.0))
        at = int(ranked.argmax()) if got.size else 0
        worst: tuple[int, ...] = ()
        rule = wanted = 0.0
        if got.size:
            (worst,) = e.indices(np.arange(got.size).reshape(got.shape) == at)
            rule, wanted = float(got.flat[at]), float(numeric.middle.flat[at])
        size = float(np.abs(numeric.middle[~numeric.kink]).max(initial=e.tolerance.atol))
        largest = float(error.max(initial=0))
        return cls(
            e.variable.name, e.variable.kind, order, got.shape if e.whole is None else e.whole, cause.right, cause.key,
            str(cause), largest, largest / size if size else 0.0, worst, rule, wanted,
            tuple(e.indices(numeric.kink)), got.size,
        )  # fmt: skip


@dataclass(frozen=True)
class GradCheckReport:
    """What ``gradcheck`` found. True if every gradient is right; printed, it is a table.

    Attributes:
        entries: one per float input and trainable Parameter; after them, those of the second order.
        cause: ``"right"``, or that of the first gradient that is wrong; the same in every language.
        verdict: what is wrong with the first gradient that is, in words.
        text: the table, under the verdict.
    """

    entries: tuple[GradCheckEntry, ...]
    cause: str
    verdict: str
    text: str

    @classmethod
    def of(cls, entries: Sequence[GradCheckEntry], dtype: str, h: float) -> GradCheckReport:
        """The report on these entries, in the language in use."""
        wrong = next((e for e in entries if not e.right), None)
        cause, verdict, worst = "right", say("check.right"), []
        if wrong is not None:
            cause, verdict = wrong.cause, say("check.by", name=wrong.name, text=wrong.verdict)
            if wrong.order == 2:
                verdict = say("check.second", text=wrong.verdict)
            rule, numeric = _pair(wrong)
            worst = [say("check.worst", name=_label(wrong), place=wrong.worst, rule=rule, numeric=numeric)]
        note = say("check.note", dtype=dtype, h=f"{h:.0e}".replace("e-0", "e−"))
        samples = [say("check.sampled", name=_label(e), count=e.checked, of=math.prod(e.shape))
                   for e in entries if e.checked < math.prod(e.shape)]  # fmt: skip
        lines = [f"gradcheck: {verdict}", *table(entries), *worst, *samples, note]
        return cls(tuple(entries), cause, verdict, "\n".join(lines))

    def __bool__(self) -> bool:
        return self.cause == "right"

    def __str__(self) -> str:
        return self.text

    __repr__ = __str__


def table(entries: Sequence[GradCheckEntry]) -> list[str]:
    """The entries in aligned columns under a head."""
    heads = ("gradient", "shape", "max_abs", "max_rel", "worst_at", "rule", "numeric", "verdict")
    rows = [[say(f"check.head_{head}") for head in heads], *(_row(e) for e in entries)]
    widths = [max(map(_width, column)) for column in zip(*rows, strict=True)]
    padded = [[cell + " " * (w - _width(cell)) for cell, w in zip(row, widths, strict=True)] for row in rows]
    return ["  " + "  ".join(row).rstrip() for row in padded]


def _row(entry: GradCheckEntry) -> list[Any]:
    numbers = [number(v) for v in (entry.max_abs, entry.max_rel)]
    here = [str(entry.worst), *_pair(entry)] if 0 not in entry.shape else [""] * 3
    return [_label(entry), shape(entry.shape), *numbers, *here, entry.verdict]


def _pair(entry: GradCheckEntry) -> tuple[str, str]:
    """Both values at the worst element, with more digits where a fault would not show otherwise."""
    rule, numeric = number(entry.rule), number(entry.numeric)
    if rule != numeric or entry.right:
        return rule, numeric
    return f"{entry.rule:.9g}".replace("-", "−"), f"{entry.numeric:.9g}".replace("-", "−")


def _label(entry: GradCheckEntry) -> str:
    return ("∂" if entry.order == 1 else "∂²") + entry.name


def _width(text: str) -> int:
    """Columns on the screen: Chinese characters take two."""
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)
