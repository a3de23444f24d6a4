"""Comparison: a plan's values compared by straight code, a line for each place where they stand: 15 ns a value."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .values import Values

_FILE = "<jit values>"


def comparison(values: Values) -> Callable[..., Callable[[], bool]]:
    """Given what the values were, in their order: a function that says whether all are the same objects still, and all
    forms what they are now. Where a name or an attribute is gone it raises what Python does."""
    code = _Code()
    of, before = code.of, code.before
    for _, view in values.members:
        now = [f"m{i}" for i in range(len(view))]
        if now:
            code.lines.append(f"{', '.join(now)}, = {of(view)}")
        code.wants([f"{item} is {before()}" for item in now] or [f"not {of(view)}"])
    for _, owner, name in values.named:
        code.wants([f"{of(owner)}[{of(name)}] is {before()}"])
    for _, owner, name in values.absent:
        code.wants([f"({of(name)} in {of(owner)}) is {before()}"])
    for _, owner, name in values.fields:
        code.wants([f"{of(owner)}.{name} is {before()}"])
    for _, owner in values.objects:
        code.wants([f"type({of(owner)}) is {before()}", f"{of(owner)}.__dict__ is {of(vars(owner))}"])
    for names in values.mappings:
        code.wants([f"[*{of(names)}] == {of([*names])}"])
    for cls, asked in values.methods.items():
        scope = vars(cls)
        code.wants(f"{of(scope)}[{of(name)}] is {of(scope[name])}" for name in asked)
    for _, view in values.sized:
        code.wants([f"len({of(view)}) == {len(view)}"])
    before()  # the end
    return code.function()


class _Code:
    """Python text of ``make(*owners, *before)``, which returns the comparison: its closure is found faster than
    globals."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._owners: dict[int, Any] = {}
        self._count = 0

    def of(self, value: Any) -> str:
        """The name under which the code knows something that stays."""
        self._owners.setdefault(id(value), value)
        return f"o{id(value)}"

    def before(self) -> str:
        """The name of the next value to be the same."""
        self._count += 1
        return f"k{self._count}"

    def wants(self, conditions: Iterable[str]) -> None:
        """Add conditions that must hold."""
        self.lines.append(f"if not ({' and '.join(conditions)}): return False")

    def function(self) -> Callable[..., Any]:
        given = [*map("o{}".format, self._owners), *(f"k{i}" for i in range(1, self._count + 1))]
        body = "".join(f"        {line}\n" for line in self.lines)
        source = f"def make({', '.join(given)}):\n    def alike():\n{body}        return True\n    return alike\n"
        scope: dict[str, Any] = {}
        exec(compile(source, _FILE, "exec"), scope)
        return partial(scope["make"], *self._owners.values())
