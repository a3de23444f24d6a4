"""The names of steps whose results have a form that follows from their operands, or does not."""

from __future__ import annotations

from importlib import import_module

import numpy as np
import pytest

from teachcell.core.loading import load_all
from teachcell.core.op import ARRAYS
from teachcell.jit.traced import _METHODS

IN_NUMPY_2 = {"unique_all"}
form, buffers = import_module("teachcell.jit.form"), import_module("teachcell.jit.buffers")


@pytest.mark.parametrize("names", [form._FIXED, form._FREE, buffers._NEW, buffers._VIEWS, buffers.COPIES])
def test_every_name_is_that_of_a_kernel_or_of_something_in_numpy(names: frozenset[str]) -> None:
    load_all()
    known = {*vars(ARRAYS), *_METHODS, *dir(np), *dir(np.random.Generator), "getitem"}
    assert not names - known - (IN_NUMPY_2 if np.__version__ < "2" else set())


def test_no_form_is_both() -> None:
    assert not form._FIXED & form._FREE
