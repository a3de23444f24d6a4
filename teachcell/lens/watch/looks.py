"""Looks: what each Cell hook was shown, what it wrote into, and what it put in its place."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...core.nested import tensors_in
from ...core.tensor import Tensor
from .seen import Seen

Shown = list[Seen | None]  # None: a gradient that there is not


@dataclass(slots=True)
class Look:
    """One call of a hook.

    Attributes:
        at: the number of events before it.
        given: what it was shown: "inputs" and "output", or "incoming" and "outgoing".
        event: its number among the events; None: it raised.
        result: what it put in the place of what it got; None: nothing.
        wrote: whether it wrote into what it was shown.
    """

    call: int
    kind: str
    hook: Any
    at: int
    given: dict[str, Shown]
    event: int | None = None
    result: Shown | None = None
    wrote: bool = False
    open: list[tuple[Tensor, Seen]] = field(default_factory=list)  # until it returned

    @property
    def name(self) -> str:
        """Of the hook."""
        return name_of(self.hook)


class Looks:
    """All looks of a run, in the order in which the hooks began.

    Args:
        keep: what is kept of an array.
    """

    def __init__(self, keep: Callable[[np.ndarray], Seen]):
        self.all: list[Look] = []
        self._keep = keep

    def begin(self, call: int, kind: str, hook: Any, at: int, given: Mapping[str, Any]) -> None:
        """A hook is about to be called."""
        look = Look(call, kind, hook, at, {})
        for name, shown in given.items():
            look.given[name] = [self._shown(look, part) for part in _parts(shown)]
        self.all.append(look)

    def _shown(self, look: Look, part: Any) -> Seen | None:
        if part is None:
            return None
        seen = self._keep(part._array)
        look.open.append((part, seen))
        return seen

    def end(self, call: int, hook: Any, event: int, result: Any) -> None:
        """The hook returned; those inside it that have not did raise."""
        look = next((k for k in reversed(self.all) if k.event is None and k.hook is hook and k.call == call), None)
        if look is None:  # it began before anybody watched
            return
        look.event = event
        look.wrote = any(_differs(tensor, seen) for tensor, seen in look.open)
        look.open = []
        if result is not None:
            look.result = [self._keep(p._array) if p is not None else None for p in _parts(result)]

    def finish(self) -> None:
        """The run is over: let go of Tensors."""
        for look in self.all:
            look.open = []


def name_of(hook: Any) -> str:
    """The name of a hook; of one that is no function, its class."""
    return getattr(hook, "__name__", type(hook).__name__)


def is_the_lens(hook: Any) -> bool:
    """Whether a hook is one of those that the lens itself puts on Cells, and not a learner's."""
    return getattr(hook, "__teachcell_lens__", False)


def items_in(value: Any) -> list[Any]:
    """What a hook returned without the containers around it; arrays and numbers as arrays."""
    if isinstance(value, (tuple, list, dict)):
        return [part for item in (value.values() if isinstance(value, dict) else value) for part in items_in(item)]
    return [np.array(value)] if isinstance(value, (np.ndarray, np.generic, int, float)) else [value]


def _parts(shown: Any) -> list[Tensor | None]:
    """The Tensors, each place of a tuple of gradients without one as None."""
    if isinstance(shown, (tuple, list)) and any(part is None for part in shown):
        return [part if isinstance(part, Tensor) else None for part in shown]
    return list(tensors_in(shown))


def _differs(tensor: Tensor, seen: Seen) -> bool:
    now = tensor._array
    return seen.array is not None and not (
        now.shape == seen.shape and np.array_equal(now, seen.array, equal_nan=now.dtype.kind == "f")
    )
