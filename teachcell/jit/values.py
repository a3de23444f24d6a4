"""Values: Python values that a plan depends on, compared before each run of it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import chain, repeat
from operator import contains, getitem, is_, itemgetter
from typing import Any

from ..core.op import OPS, OVERRIDDEN
from .comparison import GONE, comparison
from .plan import identical

_END = object()
_MOST_IN_CODE = 1000  # values: Python takes 15 µs for each to compile a comparison


class Values:
    """Where the values are, each with a path for a reader, and what they were when :meth:`settle` was called.

    Comparing is a few calls in C: 40 ns a value, where a loop in Python takes 100. Of a plan it is straight code made
    for these values (:meth:`compile`): 15 ns.

    Attributes:
        members: containers, whose members are compared.
        mappings: dicts with texts for names, whose names are compared, which costs less.
        named: (path, mapping, name) of a global.
        absent: (path, mapping, name) of what is no global: a builtin, or nothing.
        methods: names in the engine's classes, by class, whose values are only equal to themselves.
        sized: containers of which only the size counts.
        fields: (path, owner, name) of an attribute.
        objects: (path, object) whose class and whose dict of attributes stay the same ones.
        checks: of arrays, which are compared by value.
        alike: at each ``next`` says quickly whether everything is what it was; False: perhaps not.
    """

    def __init__(self) -> None:
        self.members: list[tuple[str, Collection[Any]]] = []
        self.mappings: list[Any] = []
        self.named: list[tuple[str, Any, Any]] = []
        self.absent: list[tuple[str, Any, Any]] = []
        self.fields: list[tuple[str, Any, str]] = []
        self.methods: dict[type, list[str]] = {}
        self.sized: list[tuple[str, Collection[Any]]] = []
        self.objects: list[tuple[str, Any]] = []
        self.checks: list[tuple[str, Callable[[], bool]]] = []
        self.alike: Iterator[bool] = repeat(False)

    def settle(self) -> None:
        """Take all values as they are now."""
        self._views = [view for _, view in self.members]
        self._asked: list[tuple[Any, list[Any], list[Any]]] = [
            (ask, [owner for _, owner, _ in found], [name for _, _, name in found])
            for ask, found in ((getitem, self.named), (contains, self.absent), (getattr, self.fields))
        ]
        self._looks = [(itemgetter(*names), vars(cls)) for cls, names in self.methods.items()]
        self._sizes = [view for _, view in (*self.members, *self.sized)]
        self._owners = [owner for _, owner in self.objects]
        self._before, self._form_before = [*self._now()], self._form()
        self.alike = repeat(False)
        self._compare: Callable[..., Iterator[bool]] = lambda *_: repeat(False)

    def compile(self) -> None:
        """Make the code that compares what was taken, for all that will be compared often."""
        if self.size <= _MOST_IN_CODE:
            self._compare = comparison(self, self._before)
            self.alike = self._compare(self._before)

    def _now(self) -> Iterator[Any]:
        return chain(
            chain.from_iterable(self._views), *[map(*asked) for asked in self._asked], map(type, self._owners), (_END,)
        )

    def _form(self) -> list[Any]:
        """What is as cheap to compare at once: lengths, names, and which dict an object has."""
        return [
            *map(len, self._sizes), *chain.from_iterable(self.mappings),
            *map(id, map(vars, self._owners)), *[look(scope) for look, scope in self._looks],
        ]  # fmt: skip

    def watch_rules(self, names: Iterable[str]) -> None:
        """Add the rules of ops, which may be overridden."""
        ops = [OPS[name] for name in names if name in OPS]
        if OVERRIDDEN:
            self.fields += [("op.override", op, "rules") for op in ops]
        else:
            self.sized.append(("op.override", OVERRIDDEN))
        self._rules = [(op, op.rules) for op in ops]
        self.settle()

    def same_rules(self) -> bool:
        """Whether no rule has been overridden since."""
        return all(op.rules is rules for op, rules in self._rules)

    @property
    def size(self) -> int:
        """How many values are compared."""
        return len(self._before) - 1 + len(self.checks) + sum(map(len, self.methods.values()))

    def hold(self) -> bool:
        """Whether everything is what it was."""
        try:
            return next(self.alike, False) or (self._equal() and all(check() for _, check in self.checks))
        except GONE:
            return False

    def _equal(self) -> bool:
        """Numbers and texts may be other objects and yet the same."""
        if all(map(is_, self._now(), self._before)):
            return self._form() == self._form_before
        now = [*self._now()]
        if len(now) != len(self._before) or not all(map(identical, now, self._before)):
            return False
        self._before, self.alike = now, self._compare(now)
        return self._form() == self._form_before

    def changed(self) -> str:
        """The path of something that is not what it was."""
        before = iter(self._before)
        for (path, view), length in zip(self.members, self._form_before, strict=False):
            if len(view) != length or not all(map(identical, view, [next(before, _END) for _ in view])):
                return path
        for (ask, *_), found in zip(self._asked, (self.named, self.absent, self.fields), strict=True):
            for path, owner, name in found:
                try:
                    if not identical(ask(owner, name), next(before, _END)):
                        return f"{path}.{name}"
                except GONE:
                    return f"{path}.{name}"
        kinds = (path for path, owner in self.objects if type(owner) is not next(before, _END))
        sizes = zip((*self.members, *self.sized), self._form_before, strict=False)
        grown = (path for (path, view), length in sizes if len(view) != length)
        return next(chain(kinds, grown, (path for path, check in self.checks if not check())), "?")
