"""Reads: which attributes of Cells and Parameters a captured run asks for, and which functions it calls.

A run can depend on nothing else of them, so a plan need not compare the rest: of a network and its optimizer that is
nine tenths of all values. While the run lasts, the classes tell of every attribute that is looked up.
"""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..core.calls import NOT_CALLED
from ..core.loading import LateMethod
from ..core.op import Op
from ..nn.cell import Cell
from ..nn.parameter import Parameter

if TYPE_CHECKING:
    from .trace import Trace

_TELLING: tuple[Any, ...] = (Cell, Parameter)
HOW = "__getattribute__"
_USUAL: Any = object.__getattribute__
_WATCHED = frozenset({"_body", "_call", "_tell_ran"})  # what a Cell looks up only because the run is watched


class Reads:
    """What is found while a ``with`` block lasts.

    Attributes:
        ran: the code of all functions that were called.
    """

    def __init__(self, trace: Trace):
        self.ran: set[types.CodeType] = set()
        self._trace = trace
        self._names: dict[int, set[str]] = {}
        self._tell = not any(HOW in vars(cls) for cls in _TELLING)  # else somebody else listens there

    def __enter__(self) -> Reads:
        if self._tell:
            for cls in _TELLING:
                cls.__getattribute__ = self._told(cls)
        return self

    def __exit__(self, *_: object) -> None:
        if self._tell:
            for cls in _TELLING:
                del cls.__getattribute__

    def _told(self, cls: Any) -> Callable[[Any, str], Any]:
        trace, names = self._trace, self._names

        def look_up(owner: Any, name: str) -> Any:
            if not (trace.inside or trace.aside):
                names.setdefault(id(owner), set()).add(name)
            return super(cls, owner).__getattribute__(name)

        return look_up

    def may_have_run(self, method: Any) -> bool:
        """Whether a method of the engine's may have been called."""
        op, code = getattr(method, "op", None), getattr(method, "__code__", None)
        if isinstance(method, LateMethod) or code is NOT_CALLED:
            return False
        return op.name in self._trace.heard if isinstance(op, Op) else code is None or code in self.ran

    def of(self, owner: Any) -> set[str] | None:
        """The names that were asked of an object, or None: perhaps all."""
        told = self._tell and isinstance(owner, _TELLING)
        if not told or getattr(type(owner), HOW) is not _USUAL:  # a class of the learner's may look up in its own way
            return None
        names = self._names.get(id(owner), set()) - _WATCHED
        return None if "__dict__" in names else names
