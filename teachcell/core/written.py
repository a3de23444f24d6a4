"""Code that is written at run time: tracebacks show its lines, and it counts as the package's own."""

from __future__ import annotations

import linecache
from typing import Any

import numpy as np


def run(text: str, source: str, name: str, scope: dict[str, Any]) -> None:
    """Run ``text`` in ``scope``.

    Args:
        source: the ``__file__`` of the module that wrote it, so that :func:`.errors.learner_level` passes it over.
        name: of what is written there.
    """
    file = f"{source}: {name}"
    linecache.cache[file] = len(text), None, text.splitlines(keepends=True), file
    exec(compile(text, file, "exec"), scope)


def as_output(function: Any, array: str) -> str:
    """The last argument of a call of a ufunc or of ``dot``, as text: where the result goes."""
    return f"out={array}" if function in (np.maximum, np.minimum) else array  # which take no third by position
