"""SciPy's special functions, imported when the first of them is needed: ``import teachcell`` does not wait for them."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any


@cache
def special() -> Any:
    """The module ``scipy.special``."""
    return import_module("scipy.special")
