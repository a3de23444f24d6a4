"""What a Recorder notes down: arrays as they were, values, ops, calls and replaced data, by serial numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from operator import attrgetter
from sys import getrefcount
from typing import Any, NamedTuple

import numpy as np

from ...core.op import Op
from ...core.references import ALONE
from ...core.tensor import Tensor
from .summary import summarise, summarise_each

# What a Cell does when no op inside it computes its result: with a rule of its own, and without one.
CONSTRUCT = Op("construct", "construct", lambda *xs: xs, None)
NEW_DATA = Op("new_data", "new data", lambda *xs: xs, None)

SUMMARY_BYTES = 1 << 15  # what a summary with its pictures takes, about


def array_of(gradient: Any) -> np.ndarray:
    """A gradient that an observer is told of, as an array."""
    return gradient._array if isinstance(gradient, Tensor) else np.asarray(gradient)


class Seen:
    """An array as it was, or (``keep`` False) only its summary. What is asked of a kept array is computed then.

    The array is kept as it is given: whoever makes a Seen sees to it that nobody writes into it, or calls
    :meth:`own` before somebody does.
    """

    __slots__ = ("_finite", "_summary", "_zero", "array", "dtype", "shape", "size")

    def __init__(self, array: np.ndarray, keep: bool = True):
        self.shape, self.dtype, self.size = array.shape, array.dtype, array.size
        self.array: np.ndarray | None = array
        self._finite: bool | None = None
        self._zero: bool | None = None
        self._summary: dict[str, Any] | None = None
        if not keep:
            self._summarise_only()

    @property
    def finite(self) -> bool:
        """Whether it holds no NaN and no infinity."""
        if self._finite is None:
            known = self._summary
            self._finite = not (known["nan"] or known["inf"]) if known else bool(np.isfinite(self.array).all())  # type: ignore[arg-type]
        return self._finite

    @property
    def zero(self) -> bool:
        """Whether every element is exactly 0."""
        if self._zero is None:
            known = self._summary
            self._zero = known["zeros"] == 1.0 or not self.size if known else not self.array.any()  # type: ignore[union-attr]
        return self._zero

    def summary(self, pictures: bool = True) -> dict[str, Any]:
        """The summary; without ``pictures`` map and histogram may be None."""
        if self._summary is None or (pictures and self._summary["map"] is None):
            assert self.array is not None
            self._summary = summarise(self.array, pictures)
        return self._summary

    def own(self) -> None:
        """Keep a copy from now on, unless nobody else holds the array."""
        if self.array is not None and getrefcount(self.array) != ALONE:
            self.array = self.array.copy()

    def release(self) -> None:
        """Keep only the summary of an array that is larger than it."""
        if self.array is not None and self.array.nbytes > SUMMARY_BYTES:
            self._summarise_only()

    def _summarise_only(self) -> None:
        self.summary()
        self.array = None


def summarise_together(every: Iterable[Seen]) -> None:
    """Make the summaries without pictures that are still missing."""
    missing = {id(seen): seen for seen in every if seen._summary is None and seen.array is not None and seen.size}
    if missing:
        together = sorted(missing.values(), key=attrgetter("size"))
        for seen, summary in zip(together, summarise_each([seen.array for seen in together]), strict=True):  # type: ignore[misc]
            seen._summary = summary


@dataclass(slots=True)
class ValueSeen:
    """A Tensor met in the run.

    Attributes:
        tracked: whether a gradient could arrive: a Node recorded it, or it is asked for.
        replaces: the value in whose place a hook put it as new data.
        rewritten: whether it is a Parameter that was written after its first use.
    """

    kind: str
    value: Seen
    name: str | None = None
    op: int | None = None
    output: int = 0
    gradient: Seen | None = None
    tracked: bool = False
    replaces: int | None = None
    rewritten: bool = False

    def release(self) -> None:
        """Keep only the summaries of large arrays."""
        self.value.release()
        if self.gradient is not None:
            self.gradient.release()


@dataclass(slots=True)
class OpSeen:
    """An op that ran, or failed."""

    op: Op
    call: int
    slots: list[int | None]
    outputs: list[int]
    attrs: dict[str, Any] | None
    error: str | None = None

    @property
    def inputs(self) -> list[int]:
        """The inputs that were given."""
        return [v for v in self.slots if v is not None]


class Facts(NamedTuple):
    """What is kept of an array that is too large even for a summary."""

    finite: bool
    zero: bool


class Sent(NamedTuple):
    """What a backward rule gave for one input, before a broadcast is undone.

    Attributes:
        part: the array as it was; of one too large to keep only whether it is finite, and whether it is all 0.
    """

    slot: int
    value: int
    shape: tuple[int, ...]
    part: Seen | Facts

    @property
    def array(self) -> np.ndarray | None:
        """The array, or None where it was too large to keep."""
        return self.part.array if isinstance(self.part, Seen) else None


class Slot(int):
    """A value id that stands for a Tensor in the arguments of a call."""


@dataclass(slots=True)
class CallSeen:
    """A call of a Cell (call 0: the whole program).

    Attributes:
        inputs, outputs: the Tensors that entered, and left after the forward hooks.
        arguments: ``(args, kwargs)`` of ``construct`` with a Slot for every Tensor; None if it did not run.
        returned: what ``construct`` returned.
        passing: the values at the hook that comes next.
        first_op: number of the first op since ``passing`` was known.
        rule_inputs: what its own rule answers for; None without an own rule.
        entered, ran, left: numbers of events before it, before its ``construct`` returned, before its forward hooks
            were done; None: it raised before.
        silenced: "jit" or "graph mode", where its hooks do not act.
    """

    cell: Any
    parent: int | None
    number: int = 1
    inputs: list[int] = field(default_factory=list)
    outputs: list[int] = field(default_factory=list)
    arguments: Any = None
    returned: list[int] = field(default_factory=list)
    passing: list[int] = field(default_factory=list)
    first_op: int = 0
    rule_inputs: list[int] | None = None
    random_state: Any = None
    entered: int = 0
    ran: int | None = None
    left: int | None = None
    silenced: str = ""

    @property
    def given(self) -> list[int]:
        """The values among ``arguments``, in order."""
        found: list[int] = []
        mapped(self.arguments, Slot, lambda slot: found.append(int(slot)))
        return found


@dataclass(slots=True)
class Severed:
    """A place where something took the stead of a value and was not computed from it by ops: what a hook returned,
    or (``kind`` "copy") the same numbers as new data."""

    old: int
    new: int
    call: int
    hook: str
    kind: str


def mapped(value: Any, kind: type, put: Callable[[Any], Any]) -> Any:
    """``value`` with every instance of ``kind``, also in tuples, lists and dicts, replaced by ``put`` of it."""
    if isinstance(value, kind):
        return put(value)
    if isinstance(value, (tuple, list)):
        items = [mapped(item, kind, put) for item in value]
        if type(value) is tuple:
            return tuple(items)
        return type(value)(*items) if hasattr(value, "_fields") else type(value)(items)
    if isinstance(value, dict):
        return {key: mapped(item, kind, put) for key, item in value.items()}
    return value
