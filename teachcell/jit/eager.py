"""``jit``: run a function as one compiled piece. Here it runs eagerly, with the meaning jit has for hooks.

Inside, Cell hooks, HookBackward and Tensor hooks of inner values do not act; a plain note says so once per
function where a hooked Cell is met. Hooks on arguments and Parameters stand outside and act; ``bprop`` acts.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from ..core import modes
from ..texts import say

GRAPH_MODE = 0
PYNATIVE_MODE = 1


def jit(fn: Callable[..., Any] | None = None, **_options: Any) -> Any:
    """Decorate a function or a ``construct``. Options of the real compiler are accepted and have no effect."""
    if fn is None:
        return jit
    silence = modes.Silence()

    @functools.wraps(fn)
    def compiled(*args: Any, **kwargs: Any) -> Any:
        with modes.silencing(silence):
            return fn(*args, **kwargs)

    compiled.__teachcell_jit__ = silence  # type: ignore[attr-defined]
    return compiled


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
