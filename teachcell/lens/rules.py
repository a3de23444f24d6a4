"""Rules: the backward rules that the Cells of a program may have, and the real switch between them."""

from __future__ import annotations

import inspect
import types
from collections.abc import Mapping
from typing import Any

from ..texts import say
from .program import Program

AUTOMATIC, OWN = "automatic", "own"
_ABSENT = object()


class Rules:
    """What ``bprop`` of each Cell can be: the automatic gradient, its own, those that were given.

    A Cell's own rule is what is found on the instance or its class when a switch first changes it, so rules that
    learners set by hand count. A switch sets ``cell.bprop``; :meth:`put_back` undoes that.

    Args:
        program: the program that has the Cells.
        given: ``{path: {name: rule}}``. A rule is called like an instance's ``bprop``, with the Cell first if its
            first parameter is named ``self``.

    Raises:
        KeyError, TypeError: a path, name or rule that is none.
    """

    def __init__(self, program: Program, given: Mapping[str, Mapping[str, Any]]):
        self.program = program
        self.given = {path: dict(rules) for path, rules in given.items()}
        self._found: dict[str, Any] = {}  # what stood on the instance before the first switch, or _ABSENT
        self._chosen: dict[str, tuple[str, Any]] = {}  # the id in use and what was set for it
        for path, rules in self.given.items():
            program.cell(path)
            for name, rule in rules.items():
                if not callable(rule) or name in (AUTOMATIC, OWN):
                    raise TypeError(say("lens.rule_kind", path=path, name=name))

    def ids(self, path: str) -> list[str]:
        """Ids of the rules to choose from at a path."""
        own = [OWN] if self._own(path) is not None else []
        return [AUTOMATIC, *own, *self.given.get(path, {})]

    def label(self, rule: str) -> str:
        """The name a reader sees."""
        return {AUTOMATIC: say("lens.rule_automatic"), OWN: say("lens.rule_own")}.get(rule, rule)

    def in_use(self, path: str) -> str:
        """Id of the rule in use; whoever changes ``cell.bprop`` by hand is followed."""
        if self._is_ours(path):
            return self._chosen[path][0]
        return AUTOMATIC if self.program.cell(path).bprop is None else OWN

    def chosen(self) -> dict[str, str]:
        """Path to label, of the given rules in use."""
        return {path: self.label(rule) for path in self.given if (rule := self.in_use(path)) not in (AUTOMATIC, OWN)}

    def function(self, path: str, rule: str) -> Any:
        """The backward function behind an id, ready to be an instance's ``bprop``; None: automatic."""
        cell = self.program.cell(path)
        if rule in (AUTOMATIC, OWN):
            return self._own(path) if rule == OWN else None
        given = self.given[path][rule]
        return types.MethodType(given, cell) if _takes_self(given) else given

    def _own(self, path: str) -> Any:
        cell = self.program.cell(path)
        if not self._is_ours(path):
            return cell.bprop
        found = self._found[path]
        if found is not _ABSENT:
            return found
        of_class = inspect.getattr_static(type(cell), "bprop")
        return of_class.__get__(cell, type(cell)) if hasattr(of_class, "__get__") else of_class

    def _is_ours(self, path: str) -> bool:
        """Whether what stands on the instance is what the last switch put there."""
        return path in self._chosen and self.program.cell(path).__dict__.get("bprop", _ABSENT) is self._chosen[path][1]

    def use(self, path: str, rule: str) -> str:
        """Switch the real Cell to another rule; returns the line of code that this stands for."""
        if rule not in self.ids(path):
            raise KeyError(say("lens.no_rule", path=path, rule=rule, known=", ".join(self.ids(path))))
        cell, where = self.program.cell(path), self.program.spelling(path)
        function = self.function(path, rule)
        if not self._is_ours(path):
            self._found[path] = cell.__dict__.get("bprop", _ABSENT)
        if rule == OWN:
            self._restore(path)
            found = self._found[path]
            return f"del {where}.bprop" if found is _ABSENT else f"{where}.bprop = {getattr(found, '__name__', 'own')}"
        cell.bprop = function
        self._chosen[path] = rule, function
        return f"{where}.bprop = {'None' if rule == AUTOMATIC else f'bprops[{path!r}][{rule!r}]'}"

    def _restore(self, path: str) -> None:
        if self._is_ours(path):
            cell, found = self.program.cell(path), self._found[path]
            if found is _ABSENT:
                del cell.__dict__["bprop"]
            else:
                cell.bprop = found
        self._chosen.pop(path, None)

    def put_back(self) -> None:
        """Leave every Cell with the rule that it had, unless somebody else changed it since."""
        for path in list(self._chosen):
            self._restore(path)


def _takes_self(rule: Any) -> bool:
    code = getattr(rule, "__code__", None)
    return code is not None and code.co_argcount > 0 and code.co_varnames[0] == "self"
