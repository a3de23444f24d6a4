"""Comparison: a plan's values compared by straight code, a line for each place where they stand: 15 ns a value."""

from __future__ import annotations

import gc
import warnings
from collections.abc import Callable, Iterable, Sequence
from types import FunctionType, MappingProxyType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .values import Values

_FILE = "<jit values>"
_SIGN = "\0"  # no name begins with it
_LIST = f"{_SIGN}things"
_CHANGED = (str, tuple, frozenset, bytes)
GONE = (KeyError, ValueError, RuntimeError, AttributeError)  # what looking up a name or a value that is gone raises


def comparison(values: Values, before: Sequence[Any]) -> Callable[[Sequence[Any]], Callable[[], bool]]:
    """Given what the values were, in their order: a function that says whether all are the same objects still, and all
    forms and arrays what they are now."""
    code = _Code(before)
    of, same = code.of, code.before
    for _, view in values.members:
        now = [f"m{i}" for i in range(len(view))]
        if now:
            code.does(f"{', '.join(now)}, = {of(view)}")
        code.wants([f"{item} is {same()}" for item in now] or [f"not {of(view)}"])
    for _, owner, name in values.named:
        code.wants([f"{of(owner)}[{name!r}] is {same()}"])
    for _, owner, name in values.absent:
        code.wants([f"{name!r} {'in' if code.truth() else 'not in'} {of(owner)}"])
    for _, owner, name in values.fields:
        code.wants([f"{of(owner)}.{name} is {same()}"])
    for _, owner in values.objects:
        code.wants([f"type({of(owner)}) is {same()}", f"{of(owner)}.__dict__ is {of(vars(owner))}"])
    for names in values.mappings:
        now = [f"m{i}" for i in range(len(names))]
        code.does(f"{', '.join(now)}, = {of(names)}")
        known = [repr(name) if type(name) is str else of(name) for name in names]
        code.wants(f"{item} == {name}" for item, name in zip(now, known, strict=True))
    for cls, asked in values.methods.items():
        scope = vars(cls)
        code.wants(f"{of(scope)}[{name!r}] is {of(scope[name])}" for name in asked)
    for _, view in values.sized:
        code.wants([f"len({of(view)}) == {len(view)}"])
    same()  # the end
    code.wants(f"{of(check)}()" for _, check in values.checks)
    return code.function()


class _Code:
    """Python text in which texts stand for what is compared, and the code made of it, with the real ones: constants
    of the code are found with fewer looks into memory than variables, which is most of the cost in a run of large
    arrays. Python changes constants that are texts, or hold some, to others that are equal: these stand in a list.
    """

    def __init__(self, before: Sequence[Any]) -> None:
        self._lines = [f"things = {_LIST!r}"]
        self._wanted: list[str] = []
        self._values = before
        self._known: dict[int, str] = {}
        self._things: list[Any] = []
        self._where: list[int] = []  # of the values that are to be the same

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
        return self._added(self._values[len(self._where) - 1])

    def truth(self) -> bool:
        """The next value, which is a truth value: there is only one object that is the same."""
        self.before()
        return self._values[len(self._where) - 1]

    def _added(self, value: Any) -> str:
        self._things.append(value)
        number = len(self._things) - 1
        return f"things[{number}]" if isinstance(value, _CHANGED) else repr(f"{_SIGN}{number}")

    def wants(self, conditions: Iterable[str]) -> None:
        """Add conditions that must hold."""
        self._wanted += conditions

    def does(self, line: str) -> None:
        """Add a line after the conditions so far, which are one expression: Python leaves it in one place."""
        if self._wanted:
            self._lines.append(f"if not ({' and '.join(self._wanted)}): return False")
        self._wanted = []
        self._lines.append(line)

    def function(self) -> Callable[..., Any]:
        """``make(before)``."""
        self.does("return True")
        body = "".join(f"        {line}\n" for line in self._lines)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SyntaxWarning)  # a text is compared by identity
            compiled = compile(f"def alike():\n    try:\n{body}    except GONE:\n        return False\n", _FILE, "exec")
        scope: dict[str, Any] = {"GONE": GONE}
        exec(compiled, scope)
        code, constants = scope["alike"].__code__, scope["alike"].__code__.co_consts

        def make(before: Sequence[Any]) -> Callable[[], bool]:
            things = [*self._things]
            for where, value in zip(self._where, before, strict=True):
                things[where] = value
            real = {_LIST: things, **{f"{_SIGN}{number}": thing for number, thing in enumerate(things)}}
            return FunctionType(code.replace(co_consts=tuple([real.get(c, c) for c in constants])), scope)

        return make
