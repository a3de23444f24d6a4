"""Kernels outside of a function's domain: silent in every thread, whatever NumPy is set to, which stays as it is."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from teachcell.kernels import elementary, elementwise
from teachcell.kernels.silence import SILENCE, _under_errstate

ZERO = np.zeros(3, np.float32)


def _logarithm_and_quotient(_: int) -> tuple[float, float]:
    with np.errstate(all="raise"):
        return float(elementary.log(ZERO)[0]), float(elementwise.divide(ZERO + 1, ZERO)[0])


def test_kernels_are_silent_in_every_thread() -> None:
    with ThreadPoolExecutor(4) as threads:
        assert set(threads.map(_logarithm_and_quotient, range(100))) == {(-np.inf, np.inf)}


@pytest.mark.parametrize("run", [SILENCE.run, _under_errstate])
def test_the_setting_stays_as_it_is(run: object) -> None:
    with np.errstate(divide="raise"):
        assert np.isneginf(run(np.log, ZERO)).all()  # type: ignore[operator]
        assert np.geterr()["divide"] == "raise"
        with pytest.raises(FloatingPointError):
            np.log(ZERO)
