"""What a captured run consists of: slots for arrays, and steps from slots to slots."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

PLAIN = (bool, int, float, complex, str, bytes, range)  # of these, equal ones are the same
ARGUMENT, TENSOR, CONSTANT, SEED, VALUE = "argument", "tensor", "constant", "seed", "value"


class Form:
    """What an array looked like."""

    __slots__ = ("dtype", "is_array", "nbytes", "shape", "size", "strides")

    def __init__(self, array: Any):
        self.shape, self.dtype, self.strides = array.shape, array.dtype, array.strides
        self.size, self.nbytes, self.is_array = array.size, array.nbytes, isinstance(array, np.ndarray)

    def empty(self) -> np.ndarray:
        """A new array that looks the same: its axes are in the same order in memory."""
        return np.empty_like(np.lib.stride_tricks.as_strided(np.empty(1, self.dtype), self.shape, self.strides))


class Slot:
    """The place of one array in a plan.

    Attributes:
        name: ``"v7"``; for readers and in the code that replay generates.
        kind: where its array comes from: a Tensor argument, another Tensor that lives outside (a Parameter),
            a constant, a gradient that arrives, or a step.
        value: its array in the recorded run; of a constant for good, else only its form is kept (see :meth:`forget`).
        tensor: the Tensor outside, read anew in each run.
        number: of an argument, its number among them.
        touched: whether the run asked for its value or its form: if not, nothing of it needs to be guarded.
        changed: whether a step writes into its memory.
    """

    __slots__ = ("_root", "changed", "kind", "name", "number", "tensor", "touched", "value")

    def __init__(self, name: str, kind: str, value: Any, tensor: Any = None):
        self.name, self.kind, self.value, self.tensor = name, kind, value, tensor
        self.touched = self.changed = False
        self.number = 0
        self._root = self

    @property
    def root(self) -> Slot:
        """The slot that stands for all that may share memory with this one."""
        root = self
        while root._root is not root:
            root = root._root
        return root

    @property
    def is_array(self) -> bool:
        """Whether it holds an array and not a NumPy scalar."""
        return isinstance(self.value, np.ndarray) or (type(self.value) is Form and self.value.is_array)

    def form(self) -> Form:
        """Its array's form, which is kept in the array's place."""
        if type(self.value) is not Form:
            self.value = Form(self.value)
        return self.value

    def forget(self) -> None:
        """Let go of the recorded run's array and of its arguments."""
        if self.kind != CONSTANT:
            self.form()
        if self.kind == ARGUMENT:
            self.tensor = None

    def share(self, other: Slot) -> None:
        """Both may share memory. The one from outside, or else the older, stands for them."""
        mine, theirs = self.root, other.root
        if mine is not theirs:
            kept, lost = (theirs, mine) if mine.kind == VALUE else (mine, theirs)
            lost._root = kept
            kept.changed |= lost.changed


@dataclass(eq=False)
class Step:
    """One thing that a plan does.

    Attributes:
        label: what a reader sees.
        function: called with ``args`` and ``kwargs``, in which slots stand for their arrays.
        outs: slots for what it gives, each with the path to it: ``()`` for the result itself, ``(1, "mask")`` for a
            part of it.
        expected: of a guard, the value that the function must give again.
        writes: it changes memory, or something outside, and is never left out.
        draws: it draws random numbers.
        holds: it may keep what it is given.
        part_of: the op whose kernel it is a part of, if that is seen through.
        quiet: NumPy's warnings are off, as they are in a sweep.
    """

    label: str
    function: Callable[..., Any]
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    outs: list[tuple[tuple[Any, ...], Slot]] = field(default_factory=list)
    guards: bool = False
    expected: Any = None
    writes: bool = False
    draws: bool = False
    holds: bool = False
    part_of: str = ""
    quiet: bool = field(default_factory=lambda: np.geterr()["invalid"] == "ignore")

    @property
    def inputs(self) -> list[Slot]:
        """The slots that it reads."""
        return list(slots_in((self.args, self.kwargs)))


@dataclass(eq=False)
class Read:
    """A Tensor that lives outside is looked at: its array is another one in every run.

    Attributes:
        earlier: the slot of the array that the Tensor had before a step that may have changed it. Nothing may be
            guarded there any more; its form is that of the earlier one.
    """

    slot: Slot
    earlier: Slot | None = None


@dataclass(eq=False)
class Assign:
    """At the end, or before a step that looks at it, a Tensor outside gets a new array.

    Attributes:
        target: the slot of the array that it had.
        slot: that of the new one.
    """

    target: Slot
    slot: Slot


class Given:
    """In a result: the argument of this number itself."""

    def __init__(self, number: int):
        self.number = number


def slots_in(value: Any) -> Iterator[Slot]:
    """The slots in nested tuples, lists and dicts."""
    kind = type(value)
    if kind is Slot:
        yield value
    elif kind is tuple or kind is list:
        for item in value:
            yield from slots_in(item)
    elif kind is dict:
        for item in value.values():
            yield from slots_in(item)


def with_slots(value: Any, change: Callable[[Any], Any]) -> Any:
    """Nested tuples, lists and dicts with each leaf exchanged."""
    kind = type(value)
    if kind is tuple or kind is list:
        return kind(with_slots(v, change) for v in value)
    return {k: with_slots(v, change) for k, v in value.items()} if kind is dict else change(value)


def identical(a: Any, b: Any) -> bool:
    """Whether two objects are one for every program: 1 is not True, 0.0 is not -0.0, and NaN is NaN.

    What can be changed is the same only as itself, and so is a tuple, which may hold such things.
    """
    return a is b or (
        type(a) is type(b)
        and (type(a) in PLAIN or isinstance(a, (np.generic, np.dtype))) and repr(a) == repr(b)
    )  # fmt: skip


def same(a: Any, b: Any) -> bool:
    """Whether two arrays, or numbers in nested lists and tuples, have the same values now."""
    if type(a) in (list, tuple):
        return type(a) is type(b) and len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, np.ndarray):
        return type(a) is type(b) and a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()
    return identical(a, b)
