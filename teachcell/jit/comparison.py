"""Comparison: a plan's values compared by straight code, a line for each place where they stand: 15 ns a value."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .values import Values

_FILE = "<jit values>"
GONE = (KeyError, ValueError, RuntimeError, AttributeError)  # what looking up a name or a value that is gone raises


def comparison(values: Values, before: Sequence[Any]) -> Callable[[Sequence[Any]], Iterator[bool]]:
    """Given what the values were, in their order: something that says at each ``next`` whether all are the same objects
    still, and all forms and arrays what they are now."""
    code = _Code(before)
    of, same = code.of, code.before
    for _, view in values.members:
        items = code.items(view)
        code.wants([f"{item} is {same()}" for item in items] or [f"not {of(view)}"])
    for _, owner, name in values.named:
        code.wants([f"{of(owner)}[{name!r}] is {same()}"])
    for _, owner, name in values.absent:
        code.wants([f"({name!r} in {of(owner)}) is {same()}"])
    for _, owner, name in values.fields:
        code.wants([f"{of(owner)}.{name} is {same()}"])
    for _, owner in values.objects:
        code.wants([f"type({of(owner)}) is {same()}", f"{of(owner)}.__dict__ is {of(vars(owner))}"])
    for names in values.mappings:
        items = code.items(names)
        known = [repr(name) if type(name) is str else of(name) for name in names]
        code.wants(f"{item} == {name}" for item, name in zip(items, known, strict=True))
    for cls, asked in values.methods.items():
        scope = vars(cls)
        code.wants(f"{of(scope)}[{name!r}] is {of(scope[name])}" for name in asked)
    for _, view in values.sized:
        code.wants([f"len({of(view)}) == {len(view)}"])
    same()  # the end
    code.wants(f"{of(check)}()" for _, check in values.checks)
    return code.made()


class _Code:
    """The text of a generator, and what its names stand for: it keeps them in its frame from one comparison to the
    next. In a run of large arrays looks into memory are most of the cost. Only constants of a function need as few, but
    what those lead to is never garbage.
    """

    def __init__(self, before: Sequence[Any]) -> None:
        self._lines: list[str] = []
        self._wanted: list[str] = []
        self._before = iter(before)
        self._known: dict[int, str] = {}
        self._things: list[Any] = []
        self._where: list[int] = []  # of the values that are to be the same
        self._most = 0  # members at once

    def of(self, value: Any) -> str:
        """What stands for something that stays."""
        if type(value) is MappingProxyType:
            value = gc.get_referents(value)[0]  # the dict of the class behind it: 0.4 µs less for 20 classes
        if id(value) not in self._known:
            self._known[id(value)] = self._added(value)
        return self._known[id(value)]

    def before(self) -> str:
        """What stands for the next value to be the same."""
        self._where.append(len(self._things))
        value = next(self._before)
        name = self._added(value)
        return repr(value) if value is None or type(value) is bool else name  # which are the same everywhere

    def _added(self, value: Any) -> str:
        self._things.append(value)
        return f"k{len(self._things) - 1}"

    def items(self, view: Any) -> list[str]:
        """What stands for the members of a container, if there are as many as now."""
        names = [f"m{i}" for i in range(len(view))]
        self._most = max(self._most, len(names))
        if names:
            self._check()
            self._lines.append(f"{', '.join(names)}, = {self.of(view)}")
        return names

    def wants(self, conditions: Iterable[str]) -> None:
        """Add conditions that must hold."""
        self._wanted += conditions

    def _check(self) -> None:
        """Put the conditions so far into one line: what Python does where one does not hold stands there once."""
        if self._wanted:
            self._lines.append(f"if not ({' and '.join(self._wanted)}): continue")
        self._wanted = []

    def made(self) -> Callable[[Sequence[Any]], Iterator[bool]]:
        """The generator, given values to be the same."""
        self._check()
        scope: dict[str, Any] = {"GONE": GONE}
        exec(compile(self._text(), _FILE, "exec"), scope)

        def make(before: Sequence[Any]) -> Iterator[bool]:
            things = [*self._things]
            for where, value in zip(self._where, before, strict=True):
                things[where] = value
            alike = scope["alike"](things)
            next(alike)
            return alike

        return make

    def _text(self) -> str:
        names = "".join(f"k{i}, " for i in range(len(self._things)))
        let_go = "".join(f"m{i} = " for i in range(self._most))
        body = "".join(f"            {line}\n" for line in self._lines)
        return (
            f"def alike(things):\n    {names}= things\n    del things\n    found = False\n"
            f"    while True:\n        {let_go}None\n        yield found\n        found = False\n"
            f"        try:\n{body}            found = True\n        except GONE:\n            pass\n"
        )
