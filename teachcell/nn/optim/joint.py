"""The step of an optimizer as a few calls of ufuncs over all its Parameters, while its numbers stay those of the step
before.

A formula of ``kernels/update.py`` that goes by element is run over stand-ins, which write down the ufuncs that it
calls. The arrays of the Parameters, and those of what is kept of each, are then laid side by side as parts of one, so
that a call goes over all of them: the step of an MLP takes 9 calls instead of 24, and 85 µs instead of 104.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, islice
from operator import attrgetter, is_
from sys import getrefcount
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core import modes, written
from ...kernels.buffers import on_large_pages
from ...kernels.update import LARGE, goes_by_element
from ..parameter import Parameter

if TYPE_CHECKING:
    from .optimizer import Bunch

_UFUNCS = frozenset({  # those whose results are of the operands' dtype
    np.absolute, np.add, np.divide, np.maximum, np.minimum, np.multiply, np.negative, np.sign, np.sqrt, np.square,
    np.subtract,
})  # fmt: skip
_FREE, _STEPS_PER_JOINT = 4, 50  # to lay arrays side by side costs a few steps: four times, then once in 50 at most
_LINE = 64  # bytes that a cache loads together
_array = attrgetter("_array")


class Joints:
    """What an optimizer knows of its arrays side by side; a copy of it knows nothing."""

    def __init__(self) -> None:
        self._formula: tuple[Any, ...] = ()  # what the formula was in the step before, with its numbers
        self._joint: Joint | None = None  # made for that
        self._steps = self._joints = 0

    def __reduce__(self) -> tuple[Any, ...]:
        return Joints, ()

    def found(self, bunch: Bunch, kept: Any, *formula: Any) -> Joint | None:
        """The arrays, if they lie side by side for this step. They are laid so when it is like the one before."""
        self._steps += 1
        if formula != self._formula:
            self._formula, self._joint = formula, None
            return None
        joint = self._joint
        if joint is not None and joint.bunch is bunch and all(map(is_, kept, joint.kept)) and joint.alone():
            return joint
        if self._joints >= _FREE + self._steps // _STEPS_PER_JOINT:
            return None
        self._joints += 1
        self._joint = joint_of(bunch, kept, *formula)
        return self._joint


def joint_of(bunch: Bunch, kept: Sequence[Sequence[Parameter]], formula: Any, numbers: Any) -> Joint | None:
    """The arrays of a bunch side by side, and what a formula does with them; None: it has to do it itself."""
    if not (bunch.complete and bunch.simple and len(bunch.parameters) > 1 and goes_by_element(formula)):
        return None
    for p, *of_it in zip(bunch.parameters, *kept, strict=True):
        for array in map(_array, (p, *of_it)):
            if array.shape != p._array.shape or array.dtype != bunch.dtype or not array.flags.c_contiguous:
                return None
    calls = _Calls(bunch.dtype)
    try:
        formula([[_StandIn(calls, name) for name in ("p", *calls.kept(kept), "g")]], bunch.dtype, *numbers)
    except (AttributeError, TypeError):
        return None  # it does more than to call ufuncs
    return Joint(bunch, kept, calls)


class Joint:
    """Arrays of Parameters side by side.

    Attributes:
        move: ``move(gradients)``, one step.
    """

    def __init__(self, bunch: Bunch, kept: Sequence[Sequence[Parameter]], calls: _Calls):
        self.bunch, self.kept = bunch, kept
        self._tensors: list[Parameter] = []
        self._parts: list[np.ndarray] = []
        lines = [f"{''.join(f'g_{i}, ' for i in range(len(bunch.parameters)))} = g", *self._lay(calls)]
        self._memory: Any = self._parts[0].base
        body = "".join(f"    {line}\n" for line in lines)
        written.run(f"def move(g):\n{body}", __file__, "move", calls.scope)
        self.move: Callable[[Sequence[np.ndarray]], None] = calls.scope.pop("move")  # a cycle would keep the arrays
        self._alone = self._references()

    def _lay(self, calls: _Calls) -> list[str]:
        """Lay the arrays side by side. Returns the calls."""
        bunch, kept, scope, lines = self.bunch, self.kept, calls.scope, list[str]()
        groups = [*_groups(bunch)]
        sizes = [sum(bunch.parameters[i].size for i in group) for group in groups]
        of_tensors = [size for size in sizes for _ in (bunch, *kept)]
        arrays = iter(_in_one([max(sizes)] * calls.most + of_tensors, bunch.dtype))
        on_the_way = [*islice(arrays, calls.most)]
        for group, size in zip(groups, sizes, strict=True):
            shapes = {i: bunch.parameters[i]._array.shape for i in group}
            for name, tensors in zip(("p", *calls.kept(kept)), (bunch.parameters, *kept), strict=True):
                scope |= _named(name, next(arrays), shapes)
                for i in group:
                    part = scope[f"{name}_{i}"]
                    part[...] = tensors[i]._array
                    tensors[i]._array = part
                    self._tensors.append(tensors[i])
                    self._parts.append(part)
            for k, memory in enumerate(on_the_way):
                scope |= _named(f"t{k}", memory[:size], shapes)
            lines += calls.lines(group)
        return lines

    def _references(self) -> list[int]:
        """How many refer to each array. Views of a part refer to the memory."""
        return [*map(getrefcount, self._parts), getrefcount(self._memory)]

    def alone(self) -> bool:
        """Whether the Parameters still have these arrays, and nobody else does: they may be written into."""
        theirs = all(map(is_, map(_array, self._tensors), self._parts))
        return theirs and self._references() == self._alone and modes.recording() is None


def _groups(bunch: Bunch) -> Iterator[list[int]]:
    """The numbers of Parameters that lie side by side: so many that they stay in the cache."""
    group: list[int] = []
    size = 0
    for i, p in enumerate(bunch.parameters):
        if group and size + p.size > LARGE:
            yield group
            group, size = [], 0
        group.append(i)
        size += p.size
    yield group


def _in_one(sizes: Sequence[int], dtype: np.dtype) -> list[np.ndarray]:
    """Arrays of these sizes in one piece of memory: on large pages the step of an MLP takes 78 µs instead of 83.

    Some lines of the cache lie between them: at a distance of whole pages what is read seems to be what is written.
    """
    starts = [*accumulate((-(-size * dtype.itemsize // _LINE) + 5) * _LINE for size in sizes)]
    memory = on_large_pages(starts[-1])
    return [
        memory[start : start + size * dtype.itemsize].view(dtype)
        for start, size in zip([0, *starts], sizes)  # noqa: B905 - the last is the end
    ]


def _named(name: str, whole: np.ndarray, shapes: dict[int, tuple[int, ...]]) -> dict[str, np.ndarray]:
    """A whole under the name of its first part, and its parts."""
    found, end = {f"{name}_{min(shapes)}_on": whole}, 0
    for i, shape in shapes.items():
        start, end = end, end + int(np.prod(shape))
        found[f"{name}_{i}"] = whole[start:end].reshape(shape)
    return found


class _Calls:
    """What a formula calls, written down.

    Attributes:
        most: how many arrays are used on the way at once.
    """

    def __init__(self, dtype: np.dtype):
        self.scope: dict[str, Any] = {ufunc.__name__: ufunc for ufunc in _UFUNCS}
        self.free: list[str] = []
        self.most = 0
        self._dtype = dtype
        self._calls: list[tuple[np.ufunc, list[str]]] = []

    @staticmethod
    def kept(kept: Sequence[Any]) -> list[str]:
        """Names of what is kept."""
        return [f"s{i}" for i in range(len(kept))]

    def lines(self, group: list[int]) -> Iterator[str]:
        """The calls for Parameters side by side. Gradients do not lie so."""
        for ufunc, names in self._calls:
            for place in [f"_{i}" for i in group] if "g" in names else [f"_{group[0]}_on"]:
                *operands, out = [name if name in self.scope else f"{name}{place}" for name in names]
                yield f"{ufunc.__name__}({', '.join([*operands, written.as_output(ufunc, out)])})"

    def call(self, ufunc: np.ufunc, inputs: Sequence[Any], out: Any) -> Any:
        """Write down a call."""
        names = [self._name(value) for value in inputs]
        if out is None:
            if not self.free:
                self.free.append(f"t{self.most}")
                self.most += 1
            out = _StandIn(self, self.free.pop(), on_the_way=True)
        self._calls.append((ufunc, [*names, self._name(out)]))
        return out

    def _name(self, value: Any) -> str:
        if type(value) is _StandIn:
            return value.name
        if not isinstance(value, (np.ndarray, np.generic)) or value.ndim or value.dtype != self._dtype:
            raise TypeError
        name = f"n{len(self.scope)}"
        self.scope[name] = np.asarray(value)
        return name


class _StandIn(np.lib.mixins.NDArrayOperatorsMixin):
    """Stands for the arrays of one name; ``on_the_way``: their memory is free when no name refers to it any more."""

    def __init__(self, calls: _Calls, name: str, on_the_way: bool = False):
        self.calls, self.name, self.on_the_way = calls, name, on_the_way

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, out: Any = (None,), **options: Any) -> Any:
        known = ufunc in _UFUNCS and method == "__call__" and not options
        return self.calls.call(ufunc, inputs, out[0]) if known and len(out) == 1 else NotImplemented

    def __del__(self) -> None:
        if self.on_the_way:
            self.calls.free.append(self.name)
