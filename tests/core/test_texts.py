"""All tables of texts: each text in both languages, with the same fields."""

from __future__ import annotations

import pkgutil
import re
import string

import numpy as np
import pytest

from teachcell import texts
from teachcell.core.op import OPS

AREAS = [m.name for m in pkgutil.iter_modules(texts.__path__)]
TABLES = {area: texts.table(area) for area in AREAS if area != "numbers"}  # those are formats
ALL = {key: both for table in TABLES.values() for key, both in table.items()}
CHINESE = r"[\u4e00-\u9fff]"


def fields(text: str) -> set[str]:
    return {name for _, name, *_ in string.Formatter().parse(text) if name}


def test_a_key_names_its_area() -> None:
    assert len(ALL) > 200
    for area, table in TABLES.items():
        assert all(re.fullmatch(rf"{area}(\.\w+)+", key) for key in table), area


@pytest.mark.parametrize("key", ALL)
def test_both_languages_say_the_same(key: str) -> None:
    english, chinese = ALL[key]
    assert bool(english) == bool(chinese) and fields(english) == fields(chinese)
    assert not re.search(CHINESE, english)
    assert not re.search(rf"{CHINESE}[,;:!?](?! )|[,;!?]{CHINESE}", chinese), "full-width marks"


@pytest.mark.parametrize("key", texts.table("errors") | texts.table("checkpoint") | texts.table("cards"))
def test_messages_and_remarks_are_translated(key: str) -> None:
    assert key == "errors.operand" or re.search(CHINESE, ALL[key][1])


def test_every_remark_stands_on_a_card() -> None:
    cards = [[*(op.card() if callable(op.card) else op.card), op.source] for op in OPS.values()]
    used = {field for card in cards for line in card for field in fields(line)} | {"convention", "made_of", "source"}
    in_words = {key for key in texts.table("cards") if key.startswith("cards.words.")}
    assert {f"cards.{word}" for word in used} == set(texts.table("cards")) - in_words
    assert in_words <= {f"cards.words.{name}" for name in OPS}


def test_cards_hold_symbols_and_names_of_functions_only() -> None:
    symbols = {"arcosh", "arsinh", "artanh", "dt", "high", "label", "ln", "low", "mask", "variance"}
    symbols |= set(dir(np)) | set(OPS)
    for op in OPS.values():
        for line in op.card() if callable(op.card) else op.card:
            words = re.findall(r"[a-z][a-z_]+", re.sub(r"{\w+}", "", line))
            assert set(words) <= symbols | {*op.inputs, *op.attrs}, op
