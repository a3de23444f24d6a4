"""Code that is written at run time: tracebacks show its lines, and it counts as the package's own."""

from __future__ import annotations

import linecache
from typing import Any


def run(text: str, source: str, name: str, scope: dict[str, Any]) -> None:
    """Run ``text`` in ``scope``.

    Args:
        source: the ``__file__`` of the module that wrote it, so that :func:`.errors.learner_level` passes it over.
        name: of what is written there.
    """
    file = f"{source}: {name}"
    linecache.cache[file] = len(text), None, text.splitlines(keepends=True), file
    exec(compile(text, file, "exec"), scope)
