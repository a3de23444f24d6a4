"""``jit``, the decorator."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any


def jit(fn: Callable[..., Any] | None = None, **_options: Any) -> Any:
    """Decorate a function or a ``construct``. Options of the real compiler are accepted and have no effect.

    The first call is recorded as a plan: the kernels that it runs, and what has to hold for a later call to be like
    it (shapes and dtypes, Python values it looked at, branches it took). Calls that are like it run the plan, without
    Python in between. What cannot be recorded runs as it stands, and a :class:`JitNote` says why, once.

    The decorated function has a method ``plan()`` that prints this, and ``draw(f.plan, x)`` draws it as a graph.
    """
    if fn is None:
        return jit
    from .function import Jitted  # what makes plans is loaded by those who use it

    jitted = Jitted(fn)

    @functools.wraps(fn)
    def compiled(*args: Any, **kwargs: Any) -> Any:
        return jitted(args, kwargs)

    def plans() -> Any:
        from .as_ops import Plans

        return Plans(jitted)

    def plan() -> Any:
        from .show import text

        print(text(jitted))
        return plans()

    plan.__teachcell_plans__ = plans  # type: ignore[attr-defined]
    compiled.__teachcell_jit__ = jitted.silence  # type: ignore[attr-defined]
    compiled.plan = plan  # type: ignore[attr-defined]
    return compiled
