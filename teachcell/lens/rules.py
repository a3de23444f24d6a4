"""Rules: the backward rules that the Cells of a program may have, and the real switch between them."""

from __future__ import annotations

import inspect
import types
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any, NamedTuple

from ..texts import say
from .lab.ready import READY, ready_id
from .program import Program
from .unknown import UnknownName

ENGINE, OWN = "engine", "own"
_ABSENT = object()


class Rules:
    """What ``bprop`` of each Cell can be: the engine's, its own, those that were given or typed, ready ones.

    A Cell's own rule is what is found on the instance or its class when a switch first changes it, so rules that
    learners set by hand count. A switch sets ``cell.bprop``; :meth:`put_back` undoes that.

    Args:
        program: the program that has the Cells.
        given: ``{path: {name: rule}}``. A rule is called like an instance's ``bprop``, with the Cell first if its
            first parameter is named ``self``.

    Raises:
        KeyError, TypeError: a path, name or rule that is none, or something that is not such a mapping.
    """

    def __init__(self, program: Program, given: Mapping[str, Mapping[str, Any]]):
        self.program = program
        for rules in (given, *(given.values() if isinstance(given, Mapping) else ())):
            if not isinstance(rules, Mapping):
                raise TypeError(say("lens.bprops_kind", got=getattr(rules, "__name__", type(rules).__name__)))
        self.given = {path: dict(rules) for path, rules in given.items()}
        self._typed: dict[str, set[str]] = {}  # names of those that were added later
        self._chosen: dict[int, _Chosen] = {}  # by the identity of the Cell: paths may change
        for path, rules in self.given.items():
            program.cell(path)
            for name, rule in rules.items():
                if not callable(rule) or name in (ENGINE, OWN):
                    raise TypeError(say("lens.rule_kind", path=path, name=name))

    def add(self, path: str, name: str, rule: Any) -> None:
        """One more rule to choose from, or another under the same name."""
        self.program.cell(path)
        if not callable(rule) or name in (ENGINE, OWN):
            raise TypeError(say("lens.rule_kind", path=path, name=name))
        self.given.setdefault(path, {})[name] = rule
        self._typed.setdefault(path, set()).add(name)

    def ids(self, path: str) -> list[str]:
        """Ids of the rules to choose from at a path; of the ready ones that in use."""
        own = [OWN] if self._own(path) is not None else []
        found = [ENGINE, *own, *self.given.get(path, {})]
        in_use = self.in_use(path)
        return found if in_use in found else [*found, in_use]

    def offered(self, path: str, ready: Sequence[str]) -> list[str]:
        """The same, with the ready ones that are given here."""
        found = self.ids(path)
        return [*found, *(rule for rule in ready if rule not in found)]

    def label(self, rule: str) -> str:
        """The name a reader sees."""
        if rule in READY and not any(rule in rules for rules in self.given.values()):
            return READY[rule].label
        return {ENGINE: say("lens.rule_engine"), OWN: say("lens.rule_own")}.get(rule, rule)

    def in_use(self, path: str) -> str:
        """Id of the rule in use; whoever changes ``cell.bprop`` by hand is followed."""
        chosen = self._ours(self.program.cell(path))
        if chosen is not None:
            return chosen.rule
        return ENGINE if self.program.cell(path).bprop is None else OWN

    def chosen(self) -> dict[str, str]:
        """Path to label, of the given rules in use."""
        cells = self.program.cells
        known = [path for path in cells if path in self.given or id(cells[path]) in self._chosen]
        return {path: self.label(rule) for path in known if (rule := self.in_use(path)) not in (ENGINE, OWN)}

    def function(self, path: str, rule: str) -> Any:
        """The backward function behind an id, ready to be an instance's ``bprop``; None: the engine's."""
        cell = self.program.cell(path)
        if rule in (ENGINE, OWN):
            return self._own(path) if rule == OWN else None
        given = self.given.get(path, {}).get(rule)
        given = READY[rule].function if given is None else given
        return types.MethodType(given, cell) if _takes_self(given) else given

    def _own(self, path: str) -> Any:
        cell = self.program.cell(path)
        chosen = self._ours(cell)
        if chosen is None:
            return cell.bprop
        if chosen.found is not _ABSENT:
            return chosen.found
        of_class = inspect.getattr_static(type(cell), "bprop")
        return of_class.__get__(cell, type(cell)) if hasattr(of_class, "__get__") else of_class

    def _ours(self, cell: Any) -> _Chosen | None:
        """The last switch, if what stands on the instance is what it put there."""
        chosen = self._chosen.get(id(cell))
        return chosen if chosen is not None and cell.__dict__.get("bprop", _ABSENT) is chosen.function else None

    def named(self, path: str, rule: str) -> str:
        """The id of the rule that is called so, in code or where it is shown.

        Raises:
            KeyError: no such Cell or rule.
        """
        ids = self.ids(path)
        called = rule if rule in ids else {self.label(id): id for id in (ENGINE, OWN)}.get(rule, ready_id(rule))
        if called not in ids and called not in READY:
            known = ", ".join(dict.fromkeys([*ids, *READY]))
            raise UnknownName(say("lens.no_rule", path=path, rule=rule, known=known))
        return called

    def use(self, path: str, rule: str) -> str:
        """Switch the real Cell to another rule; returns the line of code that this stands for."""
        rule = self.named(path, rule)
        cell, where = self.program.cell(path), self.program.spelling(path)
        function = self.function(path, rule)
        ours = self._ours(cell)
        found = ours.found if ours is not None else cell.__dict__.get("bprop", _ABSENT)
        if rule == OWN:
            self._restore(cell)
            return f"del {where}.bprop" if found is _ABSENT else f"{where}.bprop = {getattr(found, '__name__', 'own')}"
        cell.bprop = function
        self._chosen[id(cell)] = _Chosen(cell, rule, function, found)
        if rule == ENGINE:
            return f"{where}.bprop = None"
        bound = f".__get__({where})" if isinstance(function, types.MethodType) else ""
        if rule not in self.given.get(path, {}):
            return f"{READY[rule].written()}\n{where}.bprop = {READY[rule].function.__name__}"
        return f"{where}.bprop = {self._written(path, rule)}{bound}"

    def _written(self, path: str, rule: str) -> str:
        """How a learner writes a given rule: by its own name, where that is one that a cell of his knows."""
        function = self.given[path][rule]
        name = getattr(function, "__name__", rule)
        known = getattr(function, "__globals__", {}).get(name) is function
        return name if known or rule in self._typed.get(path, ()) else f"bprops[{path!r}][{rule!r}]"

    def without(self, path: str) -> AbstractContextManager[None]:
        """Inside, the Cell there has the engine's rule."""
        return own_bprop(self.program.cell(path), None)

    def _restore(self, cell: Any) -> None:
        ours = self._ours(cell)
        if ours is not None and ours.found is _ABSENT:
            del cell.__dict__["bprop"]
        elif ours is not None:
            cell.bprop = ours.found
        self._chosen.pop(id(cell), None)

    def put_back(self) -> None:
        """Leave every Cell with the rule that it had, unless somebody else changed it since."""
        for chosen in list(self._chosen.values()):
            self._restore(chosen.cell)


@contextmanager
def own_bprop(cell: Any, rule: Any) -> Iterator[None]:
    """Inside, a Cell has ``rule`` as its bprop; None: the engine's rule."""
    held = cell.__dict__
    before = held.get("bprop", _ABSENT)
    held["bprop"] = rule
    try:
        yield
    finally:
        held["bprop"] = before
        if before is _ABSENT:
            del held["bprop"]


class _Chosen(NamedTuple):
    """A switch: the Cell, the rule's id and function, and what stood on the instance before the first, or _ABSENT."""

    cell: Any
    rule: str
    function: Any
    found: Any


def _takes_self(rule: Any) -> bool:
    code = getattr(rule, "__code__", None)
    return code is not None and code.co_argcount > 0 and code.co_varnames[0] == "self"
