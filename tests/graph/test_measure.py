"""Words and numbers: measured conservatively, shortened, cleaned, formatted."""

from __future__ import annotations

import pytest
from graph.documents import summary
from graph.numbers import NUMBERS

from teachcell.graph.folding.labels import scalar, shape_text
from teachcell.graph.measure import clean, escaped, fit, text_width, wrap
from teachcell.texts.numbers import number


@pytest.mark.parametrize(("x", "text"), NUMBERS)
def test_numbers_have_three_digits_and_a_real_minus(x, text):
    assert number(x) == text


def test_the_only_number_of_an_array():
    import numpy as np

    assert scalar(summary(np.float32(-2.5))) == "−2.5"
    assert scalar(summary(np.array([True]))) == "True"
    assert scalar(summary(np.float32("nan"))) == "NaN"
    assert scalar(summary(np.float32("inf"))) == "±∞"


def test_shapes():
    assert [shape_text(s) for s in ([], [10], [32, 10])] == ["", "(10,)", "(32, 10)"]


def test_wide_letters_are_wider():
    assert text_width("iiii", 14) < text_width("oooo", 14) < text_width("mmmm", 14)
    assert text_width("卷积", 14) >= 28
    assert text_width("x", 14, bold=True) > text_width("x", 14)
    assert text_width("e\u0301", 14) == text_width("e", 14)


def test_text_is_shortened_to_fit():
    assert fit("short", 100, 14) == "short"
    cut = fit("a rather long name", 60, 14)
    assert cut.endswith("…") and text_width(cut, 14) <= 60
    assert fit("anything", 1, 14) == ""


def test_text_wraps_at_spaces_and_ends_with_an_ellipsis():
    lines = wrap("the pre-hook returned new data that nothing was computed from", 120, 12.5, 3)
    assert len(lines) == 3 and lines[-1].endswith("…")
    assert all(text_width(line, 12.5) <= 120 for line in lines)
    assert wrap("two words", 500, 12, 3) == ["two words"]
    assert "".join(wrap("没有空格的一长串中文字符", 60, 12, 9)) == "没有空格的一长串中文字符"
    assert wrap("", 60, 12, 3) == []


def test_only_visible_characters_remain():
    assert clean("a\x00\x1b\u202eb\ud800\u200b c\n") == "ab c"
    assert escaped("<&\"'>") == "&lt;&amp;&quot;&#x27;&gt;"
