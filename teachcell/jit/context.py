"""The context: ``PYNATIVE_MODE`` or ``GRAPH_MODE``, a property of the process as in MindSpore."""

from __future__ import annotations

from typing import Any

from ..core import modes
from ..texts import say

GRAPH_MODE = 0
PYNATIVE_MODE = 1


def set_context(mode: int | None = None, **options: Any) -> None:
    """Choose ``PYNATIVE_MODE`` (default) or ``GRAPH_MODE``; device options are accepted and have no effect."""
    unknown = set(options) - {"device_target", "device_id", "max_call_depth", "pynative_synchronize", "save_graphs"}
    if unknown:
        raise ValueError(say("errors.context_key", got=", ".join(sorted(unknown))))
    if mode is not None:
        if mode not in (GRAPH_MODE, PYNATIVE_MODE) or isinstance(mode, bool):
            raise ValueError(say("errors.context_mode", got=repr(mode)))
        modes.graph_mode = None if mode == PYNATIVE_MODE else modes.graph_mode or modes.Silence()


def get_context(attr_key: str) -> Any:
    """The value of ``"mode"`` or ``"device_target"``."""
    known = {"mode": PYNATIVE_MODE if modes.graph_mode is None else GRAPH_MODE, "device_target": "CPU"}
    if attr_key not in known:
        raise ValueError(say("errors.context_key", got=repr(attr_key)))
    return known[attr_key]
