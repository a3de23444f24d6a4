"""A function that is run by its plans where it can, and eagerly where not.

Inside, Cell hooks, HookBackward and Tensor hooks of inner values do not act; a plain note says so once per
function where a hooked Cell is met. Hooks on arguments and Parameters stand outside and act; ``bprop`` acts.
"""

from __future__ import annotations

import warnings
import weakref
from collections.abc import Callable
from typing import Any

from ..core import modes, tracing
from ..core.errors import learner_level
from ..core.events import OBSERVERS
from ..core.tensor import Tensor
from ..texts import say
from .arguments import Arguments
from .capture import Capture
from .code import MISS
from .replay import BUSY, Plan

_MOST_PLANS = 8  # for calls of one kind
_MOST_KEYS = 32  # kinds of calls: plans hold what they read
_MOST_FAILURES = 3  # in a row, for calls of one kind
# A capture costs as much as many runs: where plans turn out to be of no use, no more are made.
_FREE_CAPTURES, _RUNS_PER_CAPTURE = 16, 50


class JitNote(UserWarning):
    """Says why a jit function runs eagerly."""


class Jitted:
    """The plans of one jit function.

    Attributes:
        silence: what keeps hooks silent inside.
        reason: why it has run eagerly, or None.
    """

    def __init__(self, fn: Callable[..., Any]):
        self.fn = fn
        self.name = getattr(fn, "__name__", type(fn).__name__)
        self.silence = modes.Silence()
        self.plans: dict[Any, list[Plan]] = {}
        self.reason: str | None = None
        self._failures: dict[Any, int] = {}
        self._held: dict[Any, list[Any]] = {}
        self._usual: Plan | None = None  # for Tensors alone: twice in a row the one to run, it is tried first
        self._last: Plan | None = None
        self._captures = self._hits = self._missed = 0
        self._noted = False

    def __call__(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        mode = modes.recording()
        if tracing.current is not None or OBSERVERS or modes.graph_mode is not None or modes.keeps_all():
            return self._eagerly(args, kwargs)
        if mode is not None and (mode.nested or mode.keeps_all):
            return self._eagerly(args, kwargs)
        usual = self._usual
        if usual is not None and not kwargs and (usual.linked is None) is (mode is None) and _bare(args, usual):
            result = usual.run(args)  # without Arguments: 2 µs less
            if result is BUSY:
                return self._eagerly(args, kwargs)
            if result is not MISS:
                self._hits += 1
                return result
        return self._found(Arguments(args, kwargs), mode is None)

    def _found(self, arguments: Arguments, alone: bool) -> Any:
        """The result of a plan for such a call, or of a run that makes one; ``alone``: no gradient is taken outside."""
        key, args, kwargs = (arguments.key, alone), arguments.args, arguments.kwargs
        plans = self.plans.get(key)
        if plans is None:
            plans = self._plans_for(key)
        for plan in plans:
            result = plan.run(arguments.tensors)
            if result is BUSY:
                return self._eagerly(args, kwargs)
            if result is not MISS:
                self._hits += 1
                self._usual = plan if plan is self._last else None
                self._last = plan if arguments.bare else None
                if plan is not plans[0]:
                    plans.remove(plan)
                    plans.insert(0, plan)
                return result
        if self._failures.get(key, 0) >= _MOST_FAILURES:
            return self._eagerly(args, kwargs)
        if self._captures >= _FREE_CAPTURES + (self._hits + self._missed) // _RUNS_PER_CAPTURE:
            self._missed += 1
            self._note(say("jit.values" if len(plans) > 1 else "jit.arguments", what=self.name))
            return self._eagerly(args, kwargs)
        return self._captured(arguments, key, plans)

    def _plans_for(self, key: Any) -> list[Plan]:
        """A place for the plans of a new kind of call; the oldest one makes room for it."""
        if len(self.plans) >= _MOST_KEYS:
            self._usual = self._last = None
            oldest = next(iter(self.plans))
            self.plans.pop(oldest, None), self._failures.pop(oldest, None), self._held.pop(oldest, None)
        self._failures[key] = 0
        return self.plans.setdefault(key, [])

    def _eagerly(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        with modes.silencing(self.silence):
            return self.fn(*args, **kwargs)

    def _captured(self, arguments: Arguments, key: Any, plans: list[Plan]) -> Any:
        with modes.silencing(self.silence):
            capture = Capture(self.fn, arguments)
        result = capture.result if capture.ran else self._eagerly(arguments.args, arguments.kwargs)
        self._captures += capture.plan is not None or capture.reason is not None
        if capture.plan is not None:
            del plans[_MOST_PLANS - 1 :]
            plans.insert(0, capture.plan)
            self._failures[key] = 0
            self._hold(key, arguments)
            given_up = self._missed or any(count >= _MOST_FAILURES for count in self._failures.values())
            self.reason = self.reason if given_up else None
        elif capture.reason is not None:
            self._failures[key] = _MOST_FAILURES if capture.for_good else self._failures.get(key, 0) + 1
            self.reason = capture.reason
            if capture.certain or self._failures[key] >= _MOST_FAILURES:
                self._note(capture.reason)
        elif not (capture.ran or self._noted):
            self.reason = say("jit.busy")
        return result

    def _hold(self, key: Any, arguments: Arguments) -> None:
        """Keep what the key knows by its id only. What may pass takes its plans with it."""
        passing = arguments.passing()
        kept = [value for _, value in arguments.others if not any(value is p for p in passing)]
        plans, failures = self.plans, self._failures

        def drop(_: Any) -> None:
            plans.pop(key, None), failures.pop(key, None)

        self._held[key] = [*kept, *[weakref.ref(value, drop) for value in passing]]

    def _note(self, reason: str) -> None:
        self.reason = reason
        if not self._noted:
            self._noted = True
            warnings.warn(say("jit.eager", name=self.name, reason=reason), JitNote, stacklevel=learner_level())


def _bare(args: tuple[Any, ...], plan: Plan) -> bool:
    """Whether arguments are as many Tensors as a plan takes, none twice, and nothing else."""
    for value in args:
        if type(value) is not Tensor:
            return False
    count = len(args)
    if count == len(plan.arguments) == 2:  # 0.2 µs less
        return args[0] is not args[1]
    return count == len(plan.arguments) == len({*map(id, args)})
