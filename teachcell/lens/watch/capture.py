"""Capture: real hooks on one Cell that keep what they see in each call of a run."""

from __future__ import annotations

from contextlib import AbstractContextManager
from copy import copy
from typing import Any

from ...core.events import Observer, observing
from ...core.tensor import Tensor
from ...nn.hooks import KINDS
from ...texts import say
from ...texts.numbers import number, shape
from .summary import summarise

PARTS = dict(zip(KINDS, ("inputs", "outputs", "incoming", "outgoing"), strict=True))  # of a call, by hook


class Capture(Observer):
    """Four hooks on a Cell, attached through its public methods; :meth:`remove` takes them off again.

    The hooks hold on to what they see; as an observer of the run it then learns which call that belongs to.
    Calls outside a run are not kept.

    Attributes:
        calls: per call in order of the forward pass, copies of its ``"inputs"``, ``"outputs"``, ``"incoming"`` and
            ``"outgoing"``, as far as they were seen.
    """

    def __init__(self, cell: Any, path: str):
        self.cell, self.path = cell, path
        self.calls: list[dict[str, list[Tensor | None]]] = []
        self._open: list[dict[str, list[Tensor | None]]] = []
        self._call_of_tap: dict[int, dict[str, list[Tensor | None]]] = {}
        self._held: list[Tensor | None] = []
        self._hooks = {kind: self._hook(kind) for kind in KINDS}
        self._handles = [getattr(cell, f"register_{kind}_hook")(hook) for kind, hook in self._hooks.items()]

    def _hook(self, kind: str) -> Any:
        """A plain function, marked so that the lens does not list it among the learner's hooks."""

        def capture(cell: Any, first: Any, *rest: Any) -> None:
            seen = rest[-1] if kind == "forward" else first  # (inputs, output); (leaving, arriving); one thing
            self._held = [copy(v) if isinstance(v, Tensor) else None for v in _members(seen)]

        capture.__teachcell_lens__ = True  # type: ignore[attr-defined]
        return capture

    def remove(self) -> None:
        """Take the hooks off; may be repeated."""
        for handle in self._handles:
            handle.remove()

    # The run ----------------------------------------------------------------------------------------------

    def run(self) -> AbstractContextManager[None]:
        """Forget earlier runs, and watch what happens inside a ``with`` block."""
        self.calls, self._open, self._call_of_tap = [], [], {}
        return observing(self)

    def hook_fired(self, cell: Any, kind: str, hook: Any, result: Any, tap: Any) -> None:
        """Observer: put what the hook holds to its call."""
        if hook is not self._hooks[kind]:
            return
        if kind == "forward_pre":
            self.calls.append({})
            self._open.append(self.calls[-1])
        call = self._call_of_tap.get(tap.seq) if tap is not None else self._open[-1] if self._open else None
        if call is not None:
            call[PARTS[kind]] = self._held
        if kind == "forward" and self._open:
            self._open.pop()

    def cell_tapped(self, cell: Any, tap: Any) -> None:
        """Observer: remember which call a tap belongs to."""
        if cell is self.cell and self._open:
            self._call_of_tap[tap.seq] = self._open[-1]

    # Showing ----------------------------------------------------------------------------------------------

    def listed(self) -> list[dict[str, Any]]:
        """The calls as plain facts, with arrays for what was seen."""
        calls = [{part: [_array(t) for t in seen] for part, seen in call.items()} for call in self.calls]
        return [{"cell": self.path, "call": nth, **call} for nth, call in enumerate(calls, 1)]

    def rows(self, which: slice = slice(None)) -> list[dict[str, Any]]:
        """What was captured in some of the calls, for the panel."""
        return [
            {
                "call": say("lens.call_of", call=i + 1, of=len(self.calls)),
                "rows": [_row(part, tensor) for part in PARTS.values() for tensor in self.calls[i].get(part, [])],
            }
            for i in range(len(self.calls))[which]
        ]


def _members(seen: Any) -> list[Any]:
    if isinstance(seen, dict):
        return list(seen.values())
    return list(seen) if isinstance(seen, (tuple, list)) else [seen]


def _array(tensor: Tensor | None) -> Any:
    return None if tensor is None else tensor.asnumpy().copy()


def _row(part: str, tensor: Tensor | None) -> dict[str, Any]:
    summary = None if tensor is None else summarise(tensor.asnumpy())
    return {
        "label": say(f"lens.{part}"),
        "class": "val" if part in ("inputs", "outputs") else "grad",
        "text": "None" if summary is None else _text(summary),
        "summary": summary,
    }


def _text(summary: dict[str, Any]) -> str:
    if summary["size"] == 1:
        return f"{shape(summary['shape'])} {number(summary['first'])}"
    return say(
        "lens.captured", shape=shape(summary["shape"]), min=number(summary["min"]), max=number(summary["max"]),
        mean=number(summary["mean"]),
    )  # fmt: skip
