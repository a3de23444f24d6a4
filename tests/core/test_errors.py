"""Every text of ``texts/errors/``: reached by a statement that deserves it, in both languages, with the facts.

Lessons stand in ``lessons_at_fault/``. One is what a learner might write; its last line, or the one marked
``# here``, is at fault. The error (or warning) must come from that line, be of the class named, match every text
named, and mention what is listed.
"""

from __future__ import annotations

import re
import string
import traceback
import warnings
from collections.abc import Iterator
from contextlib import ExitStack
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from core.lessons_at_fault.lesson import Case

import teachcell as tc
from teachcell.core import modes
from teachcell.core.op import OPS
from teachcell.texts.errors import TABLE

LESSONS = Path(__file__).parent / "lessons_at_fault"
CASES: list[Case] = [
    case
    for file in sorted(LESSONS.glob("*.py"))
    if file.stem != "lesson"
    for case in import_module(f"core.lessons_at_fault.{file.stem}").CASES
]


@pytest.fixture(autouse=True)
def everything_put_back() -> Iterator[None]:
    rules = {name: (op.rules, op.step) for name, op in OPS.items()}
    yield
    for name, (rule, step) in rules.items():
        OPS[name].rules, OPS[name].step = rule, step
    tc.set_context(mode=tc.PYNATIVE_MODE)
    tc.set_language("en")
    assert modes.recording() is None and modes.silence() is None


def pattern(text: str) -> re.Pattern[str]:
    """What a filled text looks like."""
    parts = [(re.escape(literal), "" if name is None else ".*") for literal, name, *_ in string.Formatter().parse(text)]
    return re.compile("".join(a + b for a, b in parts), re.DOTALL)


def run(lesson: str) -> tuple[BaseException, int]:
    """The error or warning that a lesson gives, and the learner's line it comes from."""
    named = {name: getattr(tc, name) for name in tc.__all__}
    names = {"np": np, "tc": tc, "OPS": OPS, "ExitStack": ExitStack, **named, **vars(tc.common.initializer)}
    code = compile(lesson, "<lesson>", "exec")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            exec(code, names)
        except Exception as error:
            frames = traceback.extract_tb(error.__traceback__)
            return error, next(f.lineno or 0 for f in reversed(frames) if f.filename == "<lesson>")
    raise AssertionError(f"no error from {lesson}")


@pytest.mark.parametrize("language", [0, 1], ids=["en", "zh"])
@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_statement_at_fault_gets_the_text(case: Case, language: int) -> None:
    tc.set_language(("en", "zh")[language])
    error, line = run(case.lesson)
    message = str(error.args[0])
    assert type(error) is case.kind, message
    for key in case.keys.split():
        assert pattern(TABLE[f"errors.{key}"][language]).search(f"{message} "), (key, message)
    for fact in case.mentions:
        assert fact in message
    lines = case.lesson.splitlines()
    assert line == next((i for i, text in enumerate(lines, 1) if "# here" in text), len(lines))
    assert error.__cause__ is None or error.__suppress_context__


def test_every_text_has_a_lesson() -> None:
    assert {f"errors.{key}" for c in CASES for key in c.keys.split()} == set(TABLE)
