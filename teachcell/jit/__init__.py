"""``jit``: run a function as one compiled piece. Here it runs eagerly, with the meaning jit has for hooks.

Inside, Cell hooks, HookBackward and Tensor hooks of inner values do not act; a plain note says so once per
function where a hooked Cell is met. Hooks on arguments and Parameters stand outside and act; ``bprop`` acts.
"""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from typing import Any

from ..core import events, modes
from ..core.errors import learner_level
from ..nn.cell import Cell
from ..texts import say

GRAPH_MODE = 0
PYNATIVE_MODE = 1


class HookNote(UserWarning):
    """Says that hooks are silent inside a jit function."""


class _HookWatch:
    """Says once that the hooks of a Cell called inside stay silent."""

    noted = False

    def cell_enter(self, cell: Any, args: Any, kwargs: Any) -> None:
        if modes.silent() and not self.noted and cell._hooks is not None and not cell._hooks.empty():
            self.noted = True
            warnings.warn(say("errors.jit_hooks", cell=cell.cell_id()), HookNote, stacklevel=learner_level())


class _GraphMode(_HookWatch):
    """Watches Cells while the process is in graph mode."""

    def cell_enter(self, cell: Any, args: Any, kwargs: Any) -> None:
        modes.constructing += 1
        super().cell_enter(cell, args, kwargs)

    def cell_exit(self, cell: Any, output: Any) -> None:
        modes.constructing -= 1


_graph_watch = _GraphMode()


def jit(fn: Callable[..., Any] | None = None, **_options: Any) -> Any:
    """Decorate a function or a ``construct``. Options of the real compiler are accepted and have no effect."""
    if fn is None:
        return jit
    watch = _HookWatch()

    @functools.wraps(fn)
    def compiled(*args: Any, **kwargs: Any) -> Any:
        with modes.silencing():
            if watch.noted:
                return fn(*args, **kwargs)
            if args and isinstance(args[0], Cell):  # the Cell whose construct this is
                watch.cell_enter(args[0], args[1:], kwargs)
            with events.observing(watch):
                return fn(*args, **kwargs)

    compiled.__teachcell_jit__ = True  # type: ignore[attr-defined]
    return compiled


def set_context(mode: int | None = None, **options: Any) -> None:
    """Choose ``PYNATIVE_MODE`` (default) or ``GRAPH_MODE``; device options are accepted and have no effect."""
    unknown = set(options) - {"device_target", "device_id", "max_call_depth", "pynative_synchronize", "save_graphs"}
    if unknown:
        raise ValueError(say("errors.context_key", got=", ".join(sorted(unknown))))
    if mode is not None:
        if mode not in (GRAPH_MODE, PYNATIVE_MODE) or isinstance(mode, bool):
            raise ValueError(say("errors.context_mode", got=repr(mode)))
        modes.graph_mode = mode == GRAPH_MODE
        watched = _graph_watch in events.OBSERVERS
        if modes.graph_mode and not watched:
            _graph_watch.noted = False
            events.OBSERVERS.append(_graph_watch)
        elif watched and not modes.graph_mode:
            events.OBSERVERS.remove(_graph_watch)


def get_context(attr_key: str) -> Any:
    """The value of ``"mode"`` or ``"device_target"``."""
    known = {"mode": GRAPH_MODE if modes.graph_mode else PYNATIVE_MODE, "device_target": "CPU"}
    if attr_key not in known:
        raise ValueError(say("errors.context_key", got=repr(attr_key)))
    return known[attr_key]
