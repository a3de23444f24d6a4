"""Layers that hand on, reshape or number elements, and compute nothing."""

from __future__ import annotations

from typing import Any

from ..cell import Cell


class Identity(Cell):
    """Its input, unchanged; whatever arguments it is made with."""

    def __init__(self, *args: Any, **kwargs: Any):
        super().__init__()

    def construct(self, input: Any) -> Any:
        """The input."""
        return input
