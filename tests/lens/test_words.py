"""Numbers and shapes as the lens writes them."""

from __future__ import annotations

import pytest

from teachcell.lens.words import number, shape


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"), (-0.0, "0"), (1.0, "1"), (-0.04444, "−0.0444"), (1234.5, "1.23e3"), (1e-12, "1e−12"),
        (-2.5e-5, "−2.5e−5"), (float("inf"), "∞"), (float("-inf"), "−∞"), (float("nan"), "NaN"), (None, "–"),
    ],
)  # fmt: skip
def test_numbers(value: float | None, text: str) -> None:
    assert number(value) == text


def test_shapes() -> None:
    assert [shape(s) for s in ([32, 10], (3,), ())] == ["(32, 10)", "(3,)", "()"]
