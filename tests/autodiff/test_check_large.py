"""gradcheck of variables with very many elements: a sample, always the same one, finds what is wrong."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from teachcell import Tensor, gradcheck, nn, ops
from teachcell.autodiff.check import evidence

LARGE = 40_000


class Scaled(nn.Cell):
    """3x with a rule that may be wrong at some elements."""

    def __init__(self, wrong: Any = None) -> None:
        super().__init__()
        self.mask = np.ones(LARGE)
        if wrong is not None:
            self.mask[wrong] = 0.5

    def construct(self, x: Tensor) -> Tensor:
        return 3 * x.sum()

    def bprop(self, x: Tensor, out: Tensor, dout: Tensor) -> tuple[Tensor]:
        return (3 * dout * Tensor(self.mask),)


def test_of_a_large_variable_a_sample_is_checked_always_the_same() -> None:
    x = Tensor(np.linspace(-1, 1, LARGE).reshape(200, 200))
    reports = [gradcheck(lambda x: ops.tanh(x).sum(), x) for _ in range(2)]
    assert str(reports[0]) == str(reports[1])
    (entry,) = reports[0].entries
    assert (entry.shape, entry.right) == ((200, 200), True) and 500 <= entry.checked <= 503 and len(entry.worst) == 2
    assert f"Checked of ∂x: {entry.checked} of 40000 elements" in str(reports[0])


@pytest.mark.parametrize(
    ("wrong", "cause"),
    [
        (slice(0, 400), "differs"), (slice(0, None, 3), "differs"), (0, "differs"), (-1, "differs"),
        (slice(0, None), "factor_named"),
    ],  # fmt: skip
)
def test_a_sample_finds_what_is_wrong_in_a_stretch_everywhere_or_at_an_end(wrong: Any, cause: str) -> None:
    report = gradcheck(Scaled(wrong), Tensor(np.ones(LARGE)), raise_exception=False)
    (entry,) = report.entries
    assert report.cause == cause and entry.rule == pytest.approx(entry.numeric / 2)
    assert Scaled(wrong).mask[entry.worst] == 0.5


def test_a_nan_anywhere_in_a_large_gradient_is_found() -> None:
    net = Scaled()
    net.mask[12_345] = np.nan
    report = gradcheck(net, Tensor(np.ones(LARGE)), raise_exception=False)
    assert report.cause == "nan" and "12345" in report.verdict


def test_every_element_is_checked_where_that_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evidence, "MOST_WHOLE", 20)
    monkeypatch.setattr(evidence, "SAMPLE", (2, 5))
    x = Tensor(np.linspace(1, 2, 30))
    assert gradcheck(lambda x: x * x, x).entries[0].checked <= 8
    (entry,) = gradcheck(lambda x: x * x, x, sample=False).entries
    assert entry.checked == 30 and "Checked of" not in str(entry)


def test_the_second_order_of_a_large_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evidence, "MOST_WHOLE", 20)
    monkeypatch.setattr(evidence, "SAMPLE", (5, 10))
    report = gradcheck(lambda x: ops.exp(x) * x, Tensor(np.linspace(1, 2, 30)), order=2)
    found = [(e.name, e.order, e.checked < 30) for e in report.entries]
    assert found == [("x", 1, True), ("x", 2, True), ("dout", 2, True)]
